"""The strategies by name.  Each is a function from pieces and document to what a cut costs before each piece."""

from __future__ import annotations

from ..plan import Strategy
from . import chunkana, code_aware, fallback, list_aware, structural

BUILT_IN: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("structural", structural.costs),
        Strategy("code_aware", code_aware.costs),
        Strategy("list_aware", list_aware.costs),
        Strategy("fallback", fallback.costs),
        Strategy("chunkana", chunkana.costs, whole=False),
    )
}
