"""The reference pages name all there is: every option with its default, every metadata field, every strategy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import golden_runs
import pytest

from markdown_chunker import (
    AdaptiveSizeConfig,
    Chunk,
    ChunkConfig,
    StrategyError,
    TableGroupingConfig,
    chunk_hierarchical,
    chunk_markdown,
    chunk_parent_child,
)
from markdown_chunker.options import PROFILES, STRATEGIES
from markdown_chunker.render import LEAN_FIELDS

DOCS = Path(__file__).parents[1] / "docs"
PARAMETERS, METADATA, STRATEGY_PAGE = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("parameters", "metadata", "strategies")
)
#: Options whose default is no plain value.
EXPLAINED = {"measure": "`len`", "table_grouping_config": "see below", "adaptive_config": "see below"}
_FENCE = re.compile(r"^(`{3,}).*?^\1$", re.M | re.S)
_ROW = re.compile(r"^\| (`.*)\|$", re.M)


def rows(page: str) -> Iterator[tuple[list[str], list[str]]]:
    """The rows of the tables whose first cell is in backticks: the names in it, and the other cells."""
    for row in _ROW.findall(page):
        first, *others = (cell.strip() for cell in row.split("|"))
        yield re.findall(r"`([^`]+)`", first), others


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'`"{value}"`' if isinstance(value, str) else str(value)


def test_every_option_with_its_default() -> None:
    shown = {name: others for names, others in rows(PARAMETERS) for name in names}
    for option in fields(ChunkConfig):
        default = getattr(ChunkConfig(), option.name)
        cells = shown[option.name]
        if len(cells) == 1:  # the table of what is off by default
            assert default is False, option.name
        else:
            assert cells[0] == EXPLAINED.get(option.name, written(default)), option.name


@pytest.mark.parametrize("group", [TableGroupingConfig, AdaptiveSizeConfig])
def test_every_option_of_a_group(group: type[TableGroupingConfig] | type[AdaptiveSizeConfig]) -> None:
    for option in fields(group):
        default = str(getattr(group(), option.name)).lower()
        assert re.search(rf"`{option.name}`\s+\({default}\b", PARAMETERS), option.name


def test_every_profile() -> None:
    shown = {name: others for names, others in rows(PARAMETERS) for name in names}
    for name in PROFILES:
        config = ChunkConfig.profile(name)
        assert shown[name][0] == f"{config.max_chunk_size} / {config.min_chunk_size}"
        assert (f"overlap {config.chunk_overlap}" in shown[name][1]) == bool(config.chunk_overlap)


def test_every_strategy() -> None:
    for name in STRATEGIES:
        assert f"`{name}`" in STRATEGY_PAGE
        assert name == "auto" or f"\n## {name}\n" in STRATEGY_PAGE


def chunks_of_goldens() -> Iterator[Chunk]:
    for document in golden_runs.DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for given in golden_runs.runs_of(document):
            options = dict(given)
            form = options.pop("form", "")
            if form == "parents":
                sizes = {name: options.pop(name) for name in ("parent_max_size", "child_max_size")}
                yield from (c for f in chunk_parent_child(text, **sizes) for c in (f.parent, *f.children))
            elif form == "hierarchy":
                yield from chunk_hierarchical(text, ChunkConfig(**options)).chunks
            else:
                try:
                    yield from chunk_markdown(text, ChunkConfig(**options))
                except StrategyError:
                    continue


def test_every_metadata_field_and_no_other() -> None:
    seen = {name for chunk in chunks_of_goldens() for name in chunk.metadata}
    named = set(re.findall(r"`(\w+)`", METADATA))
    assert seen - named == set()
    shown = {name for names, _ in rows(METADATA) for name in names}
    assert shown - seen == set()


def test_the_lean_fields_in_order() -> None:
    last = METADATA[METADATA.rindex("The fields of the block") :]
    assert [name for name in re.findall(r"`(\w+)`", last) if name in LEAN_FIELDS] == list(LEAN_FIELDS)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (page.parent / target).exists(), target
