"""Forced cuts: a line equal to the marker begins a chunk, whatever else the strategy would rather do."""

from __future__ import annotations

from typing import Any

import pytest

from markdown_chunker import Chunk, ChunkConfig, chunk_hierarchical, chunk_markdown, chunk_parent_child
from markdown_chunker.strategies import BUILT_IN

MARK = "<!-- split -->"
P = "Lorem ipsum dolor sit amet consectetur. "


def chunked(text: str, marker: str = MARK, **options: Any) -> list[Chunk]:
    return chunk_markdown(text, ChunkConfig(split_marker=marker, **options))


def contents(text: str, marker: str = MARK, **options: Any) -> list[str]:
    return [chunk.content for chunk in chunked(text, marker, **options)]


@pytest.mark.parametrize("strategy", BUILT_IN)
@pytest.mark.parametrize("marker", [MARK, "---8<---", "===", "%%", "【分割】", "# cut"])
def test_every_strategy_cuts_at_every_marker(strategy: str, marker: str) -> None:
    text = f"# A\n\none\n\n{marker}\n\ntwo\n\n{marker}\n\n## B\n\nthree\n"
    assert contents(text, marker, strategy=strategy) == ["# A\n\none", "two", "## B\n\nthree"]


def test_without_a_marker_nothing_is_cut() -> None:
    text = f"one\n\n{MARK}\n\ntwo\n"
    assert contents(text, "") == [text.rstrip()]
    assert contents("one\n\ntwo\n") == ["one\n\ntwo"]


def test_inside_a_paragraph() -> None:
    assert contents(f"one\n{MARK}\ntwo\n") == ["one", "two"]
    assert contents("one\ncut\ntwo\n", "cut") == ["one", "two"]


def test_white_space_around_it() -> None:
    assert contents(f"one\n\n  {MARK} \t\n\ntwo\n") == ["one", "two"]


def test_a_line_with_more_on_it_is_none() -> None:
    text = f"one {MARK}\n\n{MARK} two"
    assert contents(text) == [text]


def test_lines_and_offsets_point_into_the_text_with_markers_emptied() -> None:
    text = f"# A\n\none\n\n{MARK}\n\ntwo\n"
    first, second = chunked(text)
    assert [(chunk.start_line, chunk.end_line) for chunk in (first, second)] == [(1, 3), (7, 7)]
    emptied = text.replace(MARK, "")
    assert (first.start_offset, first.end_offset, second.end_offset) == (0, second.start_offset, len(emptied))
    assert emptied[second.start_offset : second.end_offset] == "two\n"


def test_what_follows_is_still_under_its_heading() -> None:
    text = f"# A\n\n## B\n\none\n\n{MARK}\n\ntwo\n\n{MARK}\n\nthree\n\n### C\n\nfour\n"
    assert [chunk.metadata["header_path"] for chunk in chunked(text)] == [["A", "B"]] * 3
    assert [chunk.metadata["header_path"] for chunk in chunked(text, max_chunk_size=30, min_chunk_size=1)] == [
        ["A", "B"],
        ["A", "B"],
        ["A", "B"],
        ["A", "B", "C"],
    ]


def test_before_a_heading_and_after_it() -> None:
    assert contents(f"one\n\n{MARK}\n\n# A\n\ntwo\n") == ["one", "# A\n\ntwo"]
    assert contents(f"one\n\n# A\n\n{MARK}\n\ntwo\n")[-1] == "two"


def test_in_a_list() -> None:
    assert contents(f"- one\n- two\n\n{MARK}\n\n- three\n") == ["- one\n- two", "- three"]
    assert contents(f"- one\n{MARK}\n- two\n") == ["- one", "- two"]


@pytest.mark.parametrize(
    "block",
    [
        f"```\nx\n{MARK}\ny\n```",
        f"~~~\n{MARK}\n~~~",
        f"text\n\n    x\n    {MARK}\n    y",
        f"$$\nx\n{MARK}\ny\n$$",
        f"- a\n\n  ```\n  {MARK}\n  ```",
        f"<div>\n{MARK}\n</div>",
    ],
)
def test_not_inside_code_formulas_and_html(block: str) -> None:
    assert contents(f"{block}\n") == [block]


def test_not_between_the_rows_of_a_table() -> None:
    """What is a row to Markdown is one here; a line that ends the table parts what follows."""
    table = "| a |\n|---|\n| 1 |"
    assert contents(f"{table}\ncut\n| 2 |\n", "cut") == [f"{table}\ncut\n| 2 |"]
    assert contents(f"{table}\n{MARK}\n| 2 |\n") == [table, "| 2 |"]
    assert contents(f"{table}\n\ncut\n\n{table}\n", "cut") == [table, table]


def test_a_marker_underlines_no_heading() -> None:
    for marker in ("=====", "---"):
        chunks = chunked(f"# A\n\none\n{marker}\ntwo\n", marker)
        assert [chunk.content for chunk in chunks] == ["# A\n\none", "two"]
        assert [chunk.metadata["header_path"] for chunk in chunks] == [["A"], ["A"]]


@pytest.mark.parametrize("text", [f"{MARK}\n", f"\n{MARK}\n\n{MARK}\n"])
def test_nothing_but_markers(text: str) -> None:
    assert contents(text) == []


def test_at_the_ends_and_twice() -> None:
    assert contents(f"{MARK}\n\none\n\n{MARK}\n{MARK}\n\ntwo\n\n{MARK}\n") == ["one", "two"]


def test_no_minimum_joins_what_it_parts() -> None:
    assert contents(f"a\n\n{MARK}\n\nb\n\n{MARK}\n\nc\n", min_chunk_size=2048) == ["a", "b", "c"]


def test_the_limit_holds_between_markers() -> None:
    chunks = chunked(f"{P * 9}\n\n{MARK}\n\n{P * 9}\n", max_chunk_size=100)
    assert max(chunk.size for chunk in chunks) <= 100
    assert sum(chunk.start_line == 5 for chunk in chunks) == sum(chunk.start_line == 1 for chunk in chunks)


def test_ties_do_not_hold_against_it() -> None:
    text = f"Run this:\n\n{MARK}\n\n```sh\nrun\n```\n\n{MARK}\n\nOutput:\n\n```\nhi\n```\n"
    assert contents(text, strategy="code_aware") == ["Run this:", "```sh\nrun\n```", "Output:\n\n```\nhi\n```"]


@pytest.mark.parametrize(
    ("marker", "cleaning"),
    [
        (MARK, "strip_html_comments"),
        ("https://example.com/cut", "remove_urls_emails"),
        ("![cut](cut.png)", "remove_images"),
        ("cut  here", "collapse_whitespace"),
        ("^cut", "strip_obsidian_block_ids"),
    ],
)
def test_no_cleaning_removes_the_marker_before_it_cuts(marker: str, cleaning: str) -> None:
    assert contents(f"one\n\n{marker}\n\ntwo\n", marker, **{cleaning: True}) == ["one", "two"]


def test_the_tree_has_the_same_leaves() -> None:
    text = f"# A\n\none\n\n{MARK}\n\ntwo\n\n# B\n\nthree\n"
    config = ChunkConfig(split_marker=MARK, max_chunk_size=30, min_chunk_size=1)
    tree = chunk_hierarchical(text, config)
    assert [leaf.content for leaf in tree.get_flat_chunks()] == contents(text, max_chunk_size=30, min_chunk_size=1)
    [above] = [node for node in tree.chunks if node.metadata["header_path"] == ["A"] and "is_leaf" not in node.metadata]
    assert [node.content for node in tree.get_children(above.metadata["chunk_id"])] == ["# A\n\none", "two"]


def test_parents_and_children_are_cut_there() -> None:
    families = chunk_parent_child(f"one\n\n{MARK}\n\ntwo\n", ChunkConfig(split_marker=MARK))
    assert [family.parent.content for family in families] == ["one", "two"]
    [whole] = chunk_parent_child(f"one\n\n{MARK}\n\ntwo\n", ChunkConfig(split_marker=MARK), parent_mode="full_doc")
    assert [child.content for child in whole.children] == ["one", "two"]
