"""What a chunk says of itself: each field where it applies, true, and absent otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from markdown_chunker import Chunk, ChunkConfig, chunk_markdown

P = "Lorem ipsum dolor sit amet consectetur. "
ALWAYS = {
    "chunk_index",
    "chunk_id",
    "content_type",
    "strategy",
    "start_line",
    "end_line",
    "header_path",
    "header_level",
}


def chunked(text: str, size: int = 4096, **options: Any) -> list[Chunk]:
    return chunk_markdown(text, ChunkConfig(max_chunk_size=size, **{"min_chunk_size": 10, **options}))


def fields(text: str, size: int = 4096, **options: Any) -> dict[str, Any]:
    """The metadata of the only chunk."""
    [chunk] = chunked(text, size, **options)
    return chunk.metadata


def extra(text: str, **options: Any) -> dict[str, Any]:
    """What the only chunk says beyond what every chunk does."""
    return {name: value for name, value in fields(text, **options).items() if name not in ALWAYS}


def test_plain_text_says_nothing_more() -> None:
    metadata = fields("Some text.\n")
    assert {name: metadata[name] for name in ALWAYS - {"chunk_id"}} == {
        "chunk_index": 0,
        "content_type": "text",
        "strategy": "fallback",
        "start_line": 1,
        "end_line": 1,
        "header_path": [],
        "header_level": 0,
    }
    assert set(metadata) == ALWAYS


def test_values_are_plain_and_nothing_optional_is_empty() -> None:
    text = f"# A\n\n{P}\n\n- [x] a\n- [ ] b\n\n| a |\n|---|\n\n```py\nx\n```\n\n$$\nx\n$$\n\n<br>\n"
    for chunk in chunked(text, 60, chunk_overlap=20):
        assert json.loads(json.dumps(chunk.metadata)) == chunk.metadata
        assert all(value for name, value in chunk.metadata.items() if name not in ALWAYS)


# --- place -----------------------------------------------------------------------------------------------


def test_lines_are_exact() -> None:
    """X57, X58, X59: chunks of one section, cut at blank lines, some of them wide."""
    paragraphs = [f"para{number} {'x' * 80}" for number in range(4)]
    text = "# T\n\n## A\n\n" + "\n\n\n".join(paragraphs) + "\n"
    chunks = chunked(text, 100)
    assert [(chunk.start_line, chunk.end_line) for chunk in chunks] == [(1, 5), (8, 8), (11, 11), (14, 14)]
    lines = text.split("\n")
    for chunk in chunks:
        assert chunk.content == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        assert (chunk.metadata["start_line"], chunk.metadata["end_line"]) == (chunk.start_line, chunk.end_line)


def test_indexes_count_from_0() -> None:
    chunks = chunked(P * 20, 100)
    assert [chunk.metadata["chunk_index"] for chunk in chunks] == list(range(len(chunks)))


@pytest.mark.parametrize("text", ["hello", "hello\n", "\n\nhello\n\n"])
def test_the_last_line_is_in_the_document(text: str) -> None:
    """X58."""
    line = text.split("\n").index("hello") + 1
    assert (fields(text)["start_line"], fields(text)["end_line"]) == (line, line)


# --- headings --------------------------------------------------------------------------------------------


def test_one_section() -> None:
    metadata = fields("# A\n\n## B\n\ntext\n")
    assert (metadata["header_path"], metadata["header_level"]) == (["A", "B"], 2)
    assert metadata["headings"] == ["A", "B"]


def test_a_part_of_a_section() -> None:
    last = chunked(f"# A\n\n## B\n\n{P * 10}", 100)[-1].metadata
    assert (last["header_path"], last["header_level"]) == (["A", "B"], 2)
    assert "headings" not in last


def test_several_sections_have_the_path_of_what_stands_above_them_all() -> None:
    metadata = fields("# A\n\ntext\n\n## B\n\ntext\n\n### C\n\ntext\n", min_chunk_size=512)
    assert (metadata["header_path"], metadata["header_level"]) == (["A"], 1)
    assert metadata["headings"] == ["A", "B", "C"]


def test_headings_at_the_top_have_nothing_above_them_all() -> None:
    metadata = fields("# A\n\ntext\n\n# B\n\ntext\n", min_chunk_size=512)
    assert (metadata["header_path"], metadata["header_level"]) == ([], 0)
    assert metadata["headings"] == ["A", "B"]


def test_a_heading_that_is_not_the_last_of_the_path_is_told() -> None:
    metadata = fields(f"{P}\n\n# A\n\n{P}\n", min_chunk_size=512)
    assert (metadata["header_path"], metadata["headings"]) == ([], ["A"])


def test_front_matter_is_no_text_above_the_first_heading() -> None:
    metadata = fields(f"---\ntags: [a]\n---\n\n# A\n\n{P}\n", min_chunk_size=512)
    assert metadata["header_path"] == ["A"]
    assert fields("---\ntags: [a]\n---\n")["header_path"] == []
    assert fields(f"---\ntags: [a]\n---\n\n{P}\n\n# A\n\n{P}\n", min_chunk_size=512)["header_path"] == []


def test_headings_in_code_are_none() -> None:
    """X28."""
    assert "headings" not in fields("## Part\n\nP\n\n    ### not a heading\n\n```\n# nor this\n```\n")


# --- content type ----------------------------------------------------------------------------------------

TYPES = {
    "text": "Some text.",
    "code": "```py\nx = 1\n```",
    "list": "- a\n- b",
    "table": "| a |\n|---|",
    "math": "$$\nx\n$$",
    "html": "<div>\nx\n</div>",
}


@pytest.mark.parametrize("kind", TYPES)
def test_content_types(kind: str) -> None:
    assert fields(TYPES[kind])["content_type"] == kind
    assert fields(f"# Title\n\n{TYPES[kind]}")["content_type"] == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("    x = 1", "code"),
        ("~~~\nx\n~~~", "code"),
        ("> quoted", "text"),
        ("Use ``` to open a fence.", "text"),  # X33
        ("The variable `$$` holds it.", "text"),  # X47
        ("Run `a | b`.", "text"),
        ("\\begin{align}\nx\n\\end{align}", "math"),
        ("<details>\n\ntext\n\n</details>", "html"),
        ("---\ntitle: x\n---\n", "text"),
    ],
)
def test_content_types_of_the_unusual(text: str, kind: str) -> None:
    assert fields(text)["content_type"] == kind


def test_two_thirds_make_the_type() -> None:
    """A fence of 20 characters with its line ends; 2/3 of 30 is 20, of 31 is more."""
    fence = "```\nabcdefghijk\n```\n"
    assert len(fence) == 20
    assert fields(f"{fence}\nabcdefghi\n")["content_type"] == "code"
    assert fields(f"{fence}\nabcdefghij\n")["content_type"] == "mixed"


# --- code ------------------------------------------------------------------------------------------------


def test_languages_in_order_once() -> None:
    text = "```py\nx\n```\n\n```c++\ny\n```\n\n```\nz\n```\n\n```py\nx\n```\n"
    assert fields(text)["languages"] == ["py", "c++"]
    assert "languages" not in fields("```\nz\n```")


def test_languages_inside_lists_and_quotes() -> None:
    """X32."""
    assert fields("- a\n\n  ```sh\n  x\n  ```\n\n> ```go\n> y\n> ```\n")["languages"] == ["sh", "go"]


def test_roles_and_relationship() -> None:
    """X38: in a chunk with much else."""
    text = f"# API\n\n{P * 9}\n\nRun this command:\n\n```bash\necho hi\n```\n\nOutput:\n\n```\nhi\n```\n\n{P * 9}\n"
    assert extra(text) == {
        "languages": ["bash"],
        "code_roles": ["example", "output"],
        "code_relationship": "code_output",
        "has_related_code": True,
        "related_code_count": 2,
        "explanation_bound": True,
    }


def test_a_block_on_its_own_is_not_related() -> None:
    assert extra("```py\nx\n```") == {"languages": ["py"], "code_roles": ["example"]}


def test_blocks_in_other_chunks_are_not_counted() -> None:
    text = "Run:\n\n```bash\nrun this command now\n```\n\nOutput:\n\n```\nthis is what it says\n```\n"
    chunks = chunked(text, 45)
    assert [chunk.metadata["code_roles"] for chunk in chunks] == [["example"], ["output"]]
    assert not any("has_related_code" in chunk.metadata for chunk in chunks)


def test_three_steps_are_three_related_blocks() -> None:
    text = "".join(f"Step {n}:\n\n```py\n{n}\n```\n\n" for n in (1, 2, 3))
    metadata = fields(text)
    assert (metadata["code_relationship"], metadata["related_code_count"]) == ("sequential", 3)


def test_the_strongest_relationship_is_named() -> None:
    text = "Step 1:\n\n```py\n1\n```\n\nStep 2:\n\n```py\n2\n```\n\nOutput:\n\n```\n2\n```\n"
    assert fields(text)["code_relationship"] == "code_output"


def test_the_explanation_is_in_the_chunk_or_not_bound() -> None:
    """X39."""
    assert fields("It is called:\n\n```py\nx\n```")["explanation_bound"] is True
    assert "explanation_bound" not in fields("```py\nx\n```")
    long = P * 3
    _, code = chunked(f"{long}\n\n```py\n{'x' * 90}\n```\n", 130, enable_code_context_binding=False)
    assert "py" in code.content
    assert "explanation_bound" not in code.metadata


# --- lists -----------------------------------------------------------------------------------------------


def test_a_list_counted_by_hand() -> None:
    text = "- a\n  - b\n    1. c\n    2. d\n  - e\n- [x] f\n- [ ] g\n- [X] h\n"
    assert extra(text) == {
        "list_depth": 3,
        "list_item_count": 8,
        "list_types": ["bullet", "ordered", "task"],
        "task_items": {"done": 2, "open": 1},
    }


def test_markers() -> None:
    """X43: tabs, and `1)`."""
    assert extra("- a\n\t- b\n\t\t- c\n")["list_depth"] == 3
    assert extra("1) x\n2) y\n")["list_types"] == ["ordered"]
    assert extra("* a\n")["list_types"] == extra("+ a\n")["list_types"] == ["bullet"]


def test_no_list() -> None:
    assert "list_depth" not in extra("Some text - not a list.\n-no\n")


def test_items_are_counted_where_they_begin() -> None:
    """Of a list cut in two, each chunk counts its own items."""
    chunks = chunked("\n".join(f"- item {number} {'x' * 20}" for number in range(10)), 150)
    counts = [chunk.metadata["list_item_count"] for chunk in chunks]
    assert len(counts) > 1
    assert counts == [chunk.content.count("\n") + 1 for chunk in chunks]


# --- tables and formulas ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", 2),
        ("a | b | c\n-|-|-\n1 | 2 | 3\n4 | 5 | 6", 3),  # X44
        ("| a |\n|---|\n| 1 |\n| 2 |", 1),
        ("| a | b |\n| :-- | --: |\n| 1 |\n| x \\| y | 2 |", 2),
    ],
)
def test_columns_and_rows(table: str, columns: int) -> None:
    assert extra(table) == {"table_columns": columns, "table_rows": 2}


HTML_HEAD = "<table>\n<tr><th>a</th><th>b</th></tr>\n"


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (HTML_HEAD + "<tr><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n</table>", 2),
        ("<TABLE border=1><TR><TD>1<TD>2<TR><TD>3<TD>4</TABLE>", 2),
        ('<table><tr><td colspan="3">1</td></tr><tr><td>x</td><td>y</td><td>z</td></tr></table>', 3),
        (
            "<table>\n<thead><tr><th>a</th></tr></thead>\n<tr>\n<th>1</th>\n<td>2</td>\n</tr>\n<tr><td>3</td></tr>\n</table>",
            2,
        ),
    ],
)
def test_columns_and_rows_of_html(table: str, columns: int) -> None:
    assert extra(table) == {"table_columns": columns, "table_rows": 2}
    assert chunk_markdown(table)[0].content_type == "table"


def test_html_tables_inside_others_are_not_counted() -> None:
    assert extra("<table><tr><td><table><tr><td>1</td></tr></table></td></tr></table>") == {}
    assert extra("<div><table><tr><td>1</td></tr></table></div>") == {}


def test_rows_of_an_html_table_cut_in_two() -> None:
    rows = "\n".join(f"<tr><td>row {number}</td><td>{'x' * 20}</td></tr>" for number in range(10))
    chunks = chunked(f"{HTML_HEAD}{rows}\n</table>\n", 200)
    assert len(chunks) > 2
    assert all(chunk.content.startswith(f"{HTML_HEAD}<tr><td>row ") for chunk in chunks)
    assert [chunk.metadata["table_rows"] for chunk in chunks] == [chunk.content.count("<td>row") for chunk in chunks]
    assert {chunk.metadata["table_columns"] for chunk in chunks} == {2}


def test_a_table_without_rows() -> None:
    assert extra("| a | b |\n|---|---|") == {"table_columns": 2}


def test_tables_together() -> None:
    """The widest, and the rows of all."""
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\nx\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 1 | 2 | 3 |\n"
    assert extra(text) == {"table_columns": 3, "table_rows": 3}


def test_rows_of_a_table_cut_in_two() -> None:
    """X45: the header stands in every part, and is no row."""
    rows = "\n".join(f"| row {number} | {'x' * 20} |" for number in range(10))
    chunks = chunked(f"| name | value |\n|---|---|\n{rows}\n", 150)
    assert all(chunk.content.startswith("| name | value |\n|---|---|\n| row ") for chunk in chunks)
    assert sum(chunk.metadata["table_rows"] for chunk in chunks) == 10
    assert [chunk.metadata["table_rows"] for chunk in chunks] == [chunk.content.count("| row") for chunk in chunks]


@pytest.mark.parametrize("formula", ["$$\nx\n$$", "$$x$$", "\\[\nx\n\\]", "\\begin{cases}\nx\n\\end{cases}"])
def test_formulas(formula: str) -> None:
    assert extra(f"Text.\n\n{formula}\n") == {"has_math": True}


def test_formulas_in_a_line_or_in_code_are_not_counted() -> None:
    assert extra("The area is $a^2$, or `$$`.\n") == {}
    assert "has_math" not in extra("```\n$$\nx\n$$\n```\n")


# --- parts of something larger ---------------------------------------------------------------------------


def test_parts_of_a_fence() -> None:
    body = "\n".join(f"line_{number} = {number}" for number in range(20))
    chunks = chunked(f"Text.\n\n```py\n{body}\n```\n", 120)
    parts = [chunk for chunk in chunks if "part" in chunk.metadata]
    assert [chunk.metadata["part"] for chunk in parts] == list(range(1, len(parts) + 1))
    assert {chunk.metadata["parts"] for chunk in parts} == {len(parts)}
    assert [chunk.metadata.get("repeated_prefix") for chunk in parts] == [None, *["```py\n"] * (len(parts) - 1)]
    assert all(chunk.prefix == chunk.metadata.get("repeated_prefix", "") for chunk in chunks)


def test_a_chunk_may_end_one_block_and_begin_another() -> None:
    chunks = chunked(f"{P * 6}\n\n{P.upper() * 6}\n", 200, min_chunk_size=1, strategy="fallback")
    fields = [{name: chunk.metadata.get(name) for name in ("part", "parts", "begins_parts")} for chunk in chunks]
    assert fields == [
        {"part": 1, "parts": 2, "begins_parts": None},
        {"part": 2, "parts": 2, "begins_parts": 2},
        {"part": 2, "parts": 2, "begins_parts": None},
    ]


def test_whole_blocks_are_no_parts() -> None:
    chunks = chunked(f"{P}\n\n{P}\n\n{P}\n", 50)
    assert len(chunks) == 3
    assert not any("part" in chunk.metadata for chunk in chunks)


KEPT = {
    "code_block_integrity": "```\n" + "x = 1\n" * 30 + "```",
    "table_integrity": "| a |\n|---|\n" + "| row |\n" * 30,
    "latex_integrity": "$$\n" + "x + y\n" * 30 + "$$",
    "html_integrity": "<div>\n" + "<p>x</p>\n" * 30 + "</div>",
}


@pytest.mark.parametrize("reason", KEPT)
def test_what_is_kept_whole_says_why(reason: str) -> None:
    """X49: the reason is that of the block."""
    chunks = chunked(f"{P}\n\n{KEPT[reason]}\n\n{P}\n", 100, oversize="keep")
    kept = [chunk for chunk in chunks if chunk.size > 100]
    assert len(kept) == 1
    assert kept[0].is_oversize
    assert kept[0].metadata["oversize_reason"] == reason
    assert not any("oversize_reason" in chunk.metadata for chunk in chunks if chunk.size <= 100)


@pytest.mark.parametrize("reason", KEPT)
def test_what_is_cut_has_no_reason(reason: str) -> None:
    chunks = chunked(f"{P}\n\n{KEPT[reason]}\n\n{P}\n", 100)
    assert not any(chunk.is_oversize or chunk.size > 100 for chunk in chunks)


def test_text_is_never_kept_over_the_limit() -> None:
    """X50, X53: `keep` is for blocks that hold together, not for prose and lists."""
    chunks = chunked(f"{P * 9}\n\n- {P * 9}\n", 100, oversize="keep")
    assert all(chunk.size <= 100 and not chunk.is_oversize for chunk in chunks)


# --- ids -------------------------------------------------------------------------------------------------

DOCUMENT = [f"## Section {number}\n\n{P * 3}{number}\n\n" for number in range(4)]


def ids(parts: list[str]) -> list[str]:
    return [chunk.metadata["chunk_id"] for chunk in chunked("".join(parts), 200)]


def test_ids_are_16_digits_and_unique() -> None:
    found = ids(DOCUMENT)
    assert len(set(found)) == 4
    assert all(len(id_) == 16 and int(id_, 16) >= 0 for id_ in found)


def test_an_insertion_changes_no_other_id() -> None:
    """X61."""
    longer = [DOCUMENT[0], "## New\n\ntext of it, long enough\n\n", *DOCUMENT[1:]]
    assert [id_ for id_ in ids(longer) if id_ in ids(DOCUMENT)] == ids(DOCUMENT)


def test_any_change_of_a_chunk_changes_its_id() -> None:
    """X61: also far from its beginning."""
    changed = [*DOCUMENT[:2], DOCUMENT[2].replace("2\n\n", "two\n\n"), DOCUMENT[3]]
    old, new = ids(DOCUMENT), ids(changed)
    assert [a == b for a, b in zip(old, new, strict=True)] == [True, True, False, True]


def test_the_path_is_part_of_an_id() -> None:
    assert ids(["# A\n\n## X\n\ntext\n"]) != ids(["# B\n\n## X\n\ntext\n"])


def test_equal_chunks_are_told_apart_by_their_order() -> None:
    twice = chunked(f"# A\n\n{P * 3}\n\n# A\n\n{P * 3}\n", 150)
    assert twice[0].content == twice[1].content
    assert twice[0].metadata["chunk_id"] != twice[1].metadata["chunk_id"]


# --- chunks as values ------------------------------------------------------------------------------------


def test_there_and_back() -> None:
    rows = "| row |\n" * 40
    for chunk in chunked(f"| a |\n|---|\n{rows}", 100):
        assert Chunk.from_dict(json.loads(json.dumps(chunk.to_dict()))) == chunk
        assert Chunk.from_dict({**chunk.to_dict(), "unknown": 1}) == chunk


def test_properties() -> None:
    [chunk] = chunked("# A\n\ntext\n")
    assert (chunk.size, chunk.line_count, chunk.content_type, chunk.strategy) == (9, 3, "text", "fallback")


def test_definitions_that_stand_elsewhere_come_along() -> None:
    """X70: a chunk can resolve its links and notes, wherever they are defined; labels match as CommonMark 4.7 says."""
    filler = "Rain fell on the roofs. " * 15
    text = (
        f"# Log\n\n## A\n\nSee [the guide][G] and a note[^1]. {filler}\n\n## B\n\nSee [ g ]. {filler}\n\n"
        f"## C\n\nNothing [here](x.md) but arr[0]. {filler}\n\n[g]: guide.md 'The guide'\n\n[^1]: Measured twice.\n"
    )
    chunks = chunk_markdown(text, ChunkConfig(max_chunk_size=420, min_chunk_size=10))
    by_section = {chunk.metadata["header_path"][-1]: chunk.metadata.get("definitions") for chunk in chunks}
    assert by_section["A"] == ["[g]: guide.md 'The guide'", "[^1]: Measured twice."]
    assert by_section["B"] == ["[g]: guide.md 'The guide'"]
    assert by_section["C"] is None


def test_empty_boxes_are_no_tasks() -> None:
    assert extra("- [ ]\n- [ ]\n") == {"list_depth": 1, "list_item_count": 2, "list_types": ["bullet"]}


def test_an_item_in_line_with_the_first_may_be_nested() -> None:
    chunks = chunked("  - a\n- b\n  - c\n", 8, min_chunk_size=0)
    assert [chunk.metadata["list_depth"] for chunk in chunks] == [1, 1, 2]
    assert extra("- 1. a\n")["list_depth"] == 2


def test_rows_in_comments_are_not_counted() -> None:
    assert extra("<table>\n<tr><td>1</td></tr>\n<!-- <tr><td>2</td><td>3</td></tr> -->\n</table>") == {
        "table_columns": 1,
        "table_rows": 1,
    }


def test_a_part_of_a_table_without_headers_is_still_a_table() -> None:
    rows = "".join(f"<tr><td>{i}</td></tr>\n" for i in range(6))
    chunks = chunked(f"<table>\n{rows}</table>", 60)
    assert len(chunks) > 1
    assert all(chunk.content.startswith("<table>\n<tr>") for chunk in chunks[:-1])
    chunks = chunked('<table title="a > b">\n' + "<tr><td>a</td></tr>\n" * 4, 60)
    assert len(chunks) > 1
    assert all(chunk.content.startswith('<table title="a > b">\n<tr>') for chunk in chunks)
