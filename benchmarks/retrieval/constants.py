"""The constants of cutting by family, and the chunker with others.  Standard library only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

from markdown_chunker import pack, plan, ties
from markdown_chunker.strategies import code_aware, fallback, list_aware, structural

Setting = Mapping[str, float]
#: A constant: where it stands, its name, and the part of it if it is a CostTable.
Place = tuple[ModuleType, str, str]

STRATEGIES = (structural, code_aware, list_aware, fallback)


def _tables(part: str) -> list[Place]:
    return [(module, "TABLE", part) for module in STRATEGIES]


#: What is tried together.
FAMILIES: dict[str, list[Place]] = {
    "emptiness": [(pack, "EMPTINESS", "")],
    "smallness": [(pack, "SMALLNESS", "")],
    "sections": _tables("sections"),
    "seams": [(plan, "BASE_COSTS", ""), *_tables("seams")],
    "deeper": [(plan, "DEEPER", ""), *_tables("deeper")],
    "introductions": [
        *_tables("introduction"),
        *((module, "LEADS_TO_FORMULA", "") for module in (structural, code_aware, list_aware)),
        (code_aware, "LEADS_TO_TABLE", ""),
        (list_aware, "LEADS_TO_LIST", ""),
    ],
    "code": [(ties, name, "") for name in ("RELATED", "EXPLANATION", "EARLIER", "FOLLOW_UP")],
    "tables": [(ties, "GROUPED_TABLES", "")],
}
FACTORS = (0, 0.5, 2, 4)
ALONE: list[Setting] = [{name: factor} for name in FAMILIES for factor in FACTORS]
MINIMUM = "minimum"


@contextmanager
def constants(setting: Setting) -> Iterator[None]:
    """The chunker with other constants, for as long as the block lasts."""
    places = [(place, factor) for name, factor in setting.items() if name != MINIMUM for place in FAMILIES[name]]
    before = [(module, name, getattr(module, name)) for (module, name, _), _ in places]
    try:
        for (module, name, part), factor in places:
            setattr(module, name, scaled(getattr(module, name), factor, part))
        _forget()
        yield
    finally:
        for module, name, value in reversed(before):
            setattr(module, name, value)
        _forget()


def _forget() -> None:
    pack.size_charges.cache_clear()
    pack._charges_beyond.cache_clear()


def scaled(value: Any, factor: float, part: str = "") -> Any:
    """A number, or the numbers of a tuple, a dict or a part of a CostTable, times the factor."""
    if part:
        return replace(value, **{part: scaled(getattr(value, part), factor)})
    if isinstance(value, dict):
        return {key: number * factor for key, number in value.items()}
    if isinstance(value, tuple):
        return tuple(number * factor for number in value)
    return value * factor


def setting_of(text: str) -> dict[str, float]:
    """A setting as it is written: `emptiness=2 sections=2`.  Raises ValueError for a family that there is not."""
    pairs = [pair.partition("=") for pair in text.split()]
    if unknown := [name for name, _, _ in pairs if name not in (*FAMILIES, MINIMUM)]:
        raise ValueError(f"no family {unknown[0]!r}")
    return {name: float(value) for name, _, value in pairs}
