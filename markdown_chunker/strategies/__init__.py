"""The strategies by name.  Each is a function from pieces and document to what a cut costs before each piece."""

from __future__ import annotations

from ..plan import CostFunction
from . import chunkana, code_aware, fallback, list_aware, structural

BUILT_IN: dict[str, CostFunction] = {
    "structural": structural.costs,
    "code_aware": code_aware.costs,
    "list_aware": list_aware.costs,
    "fallback": fallback.costs,
    "chunkana": chunkana.costs,
}
