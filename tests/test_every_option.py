"""No option without effect (X67): for each one, a document whose chunks it changes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from markdown_chunker import AdaptiveSizeConfig, Chunk, ChunkConfig, TableGroupingConfig, chunk_markdown

P = "Lorem ipsum dolor sit amet consectetur. "
SECTIONS = f"# A\n\n{P * 3}\n\n## B\n\n{P * 3}\n\n## C\n\n{P * 3}\n"
EXPLAINED = f"{P * 3}\n\nThis calls it, in the usual way of calling it.\n\n```py\ncall()\n```\n\n{P * 4}\n"
BELOW = f"# Tool\n\n{P * 3}\n\n```py\ncall()\n```\n\nIt is done when this has come to an end now.\n\n{P * 3}\n"
OUTPUT = "```py\nprint(1)\n```\n\nOutput:\n\n```\n1\n```\n"
PAIR = "Before:\n\n```py\nold = 1\n```\n\nAfter:\n\n```py\nnew = 2\n```\n"
TABLES = "| a |\n|---|\n| 1 |\n\nText.\n\n| b |\n|---|\n| 2 |\n"
LISTS = f"- one\n\n{P}\n\n- two\n\n{P}\n"
CODE = {"strategy": "code_aware", "max_chunk_size": 250, "min_chunk_size": 10}
SMALL = {"max_chunk_size": 200, "min_chunk_size": 10}


def in_words(text: str) -> int:
    return len(text.split())


#: Option → a document, options besides, and the value that makes a difference.
EFFECTS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "max_chunk_size": (SECTIONS, {}, 150),
    "chunk_overlap": (SECTIONS, SMALL, 60),
    "min_chunk_size": (SECTIONS, {"max_chunk_size": 1000}, 10),
    "strategy": (SECTIONS, {}, "fallback"),
    "oversize": ("```\n" + "x = 1\n" * 9 + "```", {"max_chunk_size": 30}, "keep"),
    "measure": (SECTIONS, {"max_chunk_size": 100}, in_words),
    "overlap_cap_ratio": (SECTIONS, {**SMALL, "chunk_overlap": 100}, 1.0),
    "code_threshold": (P, {}, 0.0),
    "structure_threshold": (SECTIONS, {}, 4),
    "list_ratio_threshold": (LISTS, {}, 0.01),
    "list_count_threshold": (LISTS, {}, 2),
    "enable_code_context_binding": (EXPLAINED, CODE, False),
    "max_context_chars_before": (EXPLAINED, CODE, 0),
    "max_context_chars_after": (BELOW, {**CODE, "max_chunk_size": 200}, 0),
    "related_block_max_gap": (OUTPUT, {}, 2),
    "bind_output_blocks": (OUTPUT, {}, False),
    "preserve_before_after_pairs": (PAIR, {}, False),
    "group_related_tables": (TABLES, {}, True),
    "table_grouping_config": (TABLES, {"group_related_tables": True}, TableGroupingConfig(max_distance_lines=0)),
    "use_adaptive_sizing": (P * 60, {}, True),
    "adaptive_config": (P * 60, {"use_adaptive_sizing": True}, AdaptiveSizeConfig(base_size=500)),
    "split_marker": ("one\n\n%%\n\ntwo\n", {}, "%%"),
    "strip_obsidian_block_ids": ("text ^id", {}, True),
    "strip_front_matter": ("---\na: 1\n---\n\ntext", {}, True),
    "strip_html_comments": ("a <!-- b --> c", {}, True),
    "remove_images": ("![a](b)", {}, True),
    "remove_urls_emails": ("See https://example.com", {}, True),
    "collapse_whitespace": ("a  b", {}, True),
}


def told(chunks: list[Chunk]) -> list[tuple[str, dict[str, Any]]]:
    """What chunks hold and say."""
    return [(chunk.content, chunk.metadata) for chunk in chunks]


def test_every_option_is_here() -> None:
    assert set(EFFECTS) == {f.name for f in fields(ChunkConfig)}


@pytest.mark.parametrize("name", EFFECTS)
def test_it_makes_a_difference(name: str) -> None:
    text, options, value = EFFECTS[name]
    without = chunk_markdown(text, ChunkConfig(**options))
    assert told(without) != told(chunk_markdown(text, ChunkConfig(**{**options, name: value})))
