"""Parents to read, children to find."""

from __future__ import annotations

from typing import Any

import pytest

from markdown_chunker import Chunk, ChunkConfig, OptionError, ParentChunk, chunk_markdown, chunk_parent_child

P = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. "

MANUAL = f"""# Pump manual

Read this first.

## Install

{P * 4}

{P * 4}

### On a wall

{P * 4}

## Operate

{P * 9}
"""


def families(text: str, parent: int = 600, child: int = 200, **options: Any) -> list[ParentChunk]:
    return chunk_parent_child(text, parent_max_size=parent, child_max_size=child, **options)


def spans(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.start_offset, chunk.end_offset) for chunk in chunks]


def test_parents_are_the_plan_at_their_size() -> None:
    config = ChunkConfig(min_chunk_size=100)
    got = chunk_parent_child(MANUAL, config, parent_max_size=600, child_max_size=200)
    plan = chunk_markdown(MANUAL, ChunkConfig(min_chunk_size=100, max_chunk_size=600))
    assert [family.parent.content for family in got] == [chunk.content for chunk in plan]
    assert [family.parent.start_line for family in got] == [chunk.start_line for chunk in plan]


def test_children_are_the_parent_cut_up() -> None:
    for family in families(MANUAL):
        assert len(family.children) > 1
        assert family.children[0].start_offset == family.parent.start_offset
        assert family.children[-1].end_offset == family.parent.end_offset
        for left, right in zip(family.children, family.children[1:], strict=False):
            assert left.end_offset == right.start_offset


def test_sizes_are_kept() -> None:
    for family in families(MANUAL):
        assert family.parent.size <= 600
        assert all(child.size <= 200 for child in family.children)


def test_children_carry_metadata_of_their_own() -> None:
    got = families(MANUAL)
    last = got[-1]
    assert last.children[0].metadata["header_path"] == ["Pump manual", "Operate"]
    ids = [chunk.metadata["chunk_id"] for family in got for chunk in (family.parent, *family.children)]
    assert len(set(ids)) == len(ids)
    for family in got:
        assert {child.metadata["parent_id"] for child in family.children} == {family.parent.metadata["chunk_id"]}
        assert all(child.metadata["start_line"] == child.start_line for child in family.children)


def test_a_parent_that_is_small_has_one_child_with_the_same_text() -> None:
    [family] = families("# A\n\nShort.\n")
    [child] = family.children
    assert child.content == family.parent.content == "# A\n\nShort."
    assert child.metadata["chunk_id"] != family.parent.metadata["chunk_id"]


def test_a_table_repeats_its_header_in_parents_and_children() -> None:
    table = "| Name | Size |\n|---|---|\n" + "".join(f"| part {n} | {n} mm |\n" for n in range(60))
    got = families(table, 500, 150)
    assert len(got) > 1
    for family in got:
        for chunk in (family.parent, *family.children):
            assert chunk.content.startswith("| Name | Size |\n|---|---|\n| part")


def test_a_fence_is_closed_and_opened_again_in_parents_and_children() -> None:
    code = "```python\n" + "".join(f"value_{n} = {n}\n" for n in range(90)) + "```\n"
    got = families(code, 500, 150)
    assert len(got) > 1
    for family in got:
        for chunk in (family.parent, *family.children):
            assert chunk.content.startswith("```python\nvalue_")
            assert chunk.content.endswith("\n```")


def test_a_parent_may_begin_where_no_child_would() -> None:
    """A word of 1,000 characters: parents of 300 and children of 80 do not cut it at the same places."""
    got = families("x" * 1000, 300, 80)
    assert spans([family.parent for family in got]) == [(0, 300), (300, 600), (600, 900), (900, 1000)]
    assert spans(got[1].children)[0][0] == 300
    assert spans(got[1].children)[-1][1] == 600
    assert all(child.size <= 80 for family in got for child in family.children)


def test_a_child_cut_by_its_parent_takes_over_what_is_repeated_around_the_cut() -> None:
    code = "```python\n" + f"x = '{'y' * 700}'\n" + "```\n"
    for family in families(code, 300, 80):
        for child in family.children:
            assert child.content.startswith("```python\n")
            assert child.content.endswith("\n```")
            assert child.size <= 80


def test_full_doc_is_one_parent_with_the_whole_text() -> None:
    [family] = families(f"\n\n{MANUAL}\n \n", parent_mode="full_doc")
    assert family.parent.content == MANUAL.strip("\n")
    assert (family.parent.start_line, family.parent.end_line) == (3, MANUAL.count("\n") + 2)
    assert family.parent.metadata["header_path"] == ["Pump manual"]
    assert family.parent.metadata["headings"] == ["Pump manual", "Install", "On a wall", "Operate"]
    flat = chunk_markdown(f"\n\n{MANUAL}\n \n", ChunkConfig(max_chunk_size=200))
    assert [child.content for child in family.children] == [chunk.content for chunk in flat]


def test_full_doc_keeps_the_indentation_of_the_first_line() -> None:
    [family] = families("\n    code\n\ntext\n", parent_mode="full_doc")
    assert family.parent.content == "    code\n\ntext"
    assert family.parent.metadata["header_path"] == []


def test_full_doc_closes_a_fence_that_the_document_leaves_open() -> None:
    [family] = families("text\n\n```python\n" + "x = 1\n" * 100, parent_mode="full_doc")
    assert family.parent.content.endswith("x = 1\n```")
    assert family.parent.suffix == "\n```"


def test_full_doc_does_not_mind_the_parent_size() -> None:
    [family] = families(MANUAL, 100, 200, parent_mode="full_doc")
    assert len(family.children) > 5


@pytest.mark.parametrize("mode", ["paragraph", "full_doc"])
def test_white_space_alone_has_no_parents(mode: Any) -> None:
    assert families(" \n\t\n", parent_mode=mode) == []


def test_sizes_are_in_units_of_the_measure() -> None:
    config = ChunkConfig(measure=lambda text: len(text.split()))
    got = chunk_parent_child(MANUAL, config, parent_max_size=60, child_max_size=20)
    assert all(len(family.parent.content.split()) <= 60 for family in got)
    assert all(len(child.content.split()) <= 20 for family in got for child in family.children)
    assert len(got) < sum(len(family.children) for family in got)


def test_there_is_no_overlap() -> None:
    got = chunk_parent_child(MANUAL, ChunkConfig(chunk_overlap=100), parent_max_size=600, child_max_size=90)
    assert not any("previous_content" in child.metadata for family in got for child in family.children)


BAD = {
    "parent_max_size": ({"parent_max_size": 0}, {"parent_max_size": "2048"}, {"parent_max_size": True}),
    "child_max_size": (
        {"child_max_size": -1},
        {"child_max_size": 1.5},
        {"child_max_size": 600, "parent_max_size": 599},
    ),
    "parent_mode": ({"parent_mode": "full-doc"}, {"parent_mode": None}),
}


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, many in BAD.items() for options in many])
def test_bad_options_are_named(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as error:
        chunk_parent_child("text", **options)
    assert error.value.parameter == name


def test_sizes_may_be_equal() -> None:
    for family in families(MANUAL, 300, 300):
        assert [child.content for child in family.children] == [family.parent.content]
