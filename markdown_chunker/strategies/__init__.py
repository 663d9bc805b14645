"""The strategies by name, and the choice that `auto` makes."""

from __future__ import annotations

from ..model import Section
from ..options import ChunkConfig
from ..plan import CostFunction
from . import fallback, structural

BUILT_IN: dict[str, CostFunction] = {
    "structural": structural.costs,
    "fallback": fallback.costs,
}


def choose(sections: list[Section], config: ChunkConfig) -> str:
    """The name of the strategy for this document: the one asked for, or the one that fits it."""
    if config.strategy != "auto":
        return config.strategy
    levels = {section.level for section in sections if section.heading}
    headings = sum(1 for section in sections if section.heading)
    return "structural" if headings >= 3 and len(levels) > 1 else "fallback"
