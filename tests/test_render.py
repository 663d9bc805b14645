"""Text forms: plain, metadata block, breadcrumb, joined with its neighbours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from markdown_chunker import Chunk, ChunkConfig, chunk_markdown, embedding_text, render
from markdown_chunker.render import LEAN_FIELDS, breadcrumb, lean_fields, path_text


def a_chunk(content: str = "text", **metadata: Any) -> Chunk:
    return Chunk(content, 3, 4, 10, 20, {"start_line": 3, "end_line": 4, **metadata})


def block_of(rendered: str) -> dict[str, Any]:
    """The fields of the metadata block."""
    opening, line, closing, *_ = rendered.split("\n")
    assert (opening, closing) == ("<metadata>", "</metadata>")
    return dict(json.loads(line))


def test_plain_is_the_content() -> None:
    assert render(a_chunk("  text\n\tmore"), "plain") == "  text\n\tmore"


def test_the_metadata_block_to_the_letter() -> None:
    chunk = a_chunk("text", header_path=["A", "B"], content_type="code", languages=["c++"], chunk_id="ab12")
    assert render(chunk, title="T") == (
        "<metadata>\n"
        '{"title":"T","header_path":"A > B","content_type":"code","languages":["c++"],'
        '"start_line":3,"end_line":4,"chunk_id":"ab12"}\n'
        "</metadata>\n"
        "text"
    )


def test_the_block_is_lean_and_in_order() -> None:
    chunk = chunk_markdown("# A\n\n```py\nx\n```\n" + "b " * 300, ChunkConfig(max_chunk_size=200, chunk_overlap=50))[1]
    fields = block_of(render(chunk, title="T"))
    assert list(fields) == [name for name in LEAN_FIELDS if name in fields]
    assert "strategy" in chunk.metadata
    assert "strategy" not in fields


def test_letters_are_not_escaped() -> None:
    assert '"header_path":"安装 > É"' in render(a_chunk(header_path=["安装", "É"]))


def test_nothing_false_or_empty_is_shown() -> None:
    fields = lean_fields(a_chunk(header_path=[], languages=[], title=""))
    assert fields == {"start_line": 3, "end_line": 4}


def test_the_block_ends_once() -> None:
    """A heading that reads `</metadata>` does not end the block."""
    rendered = render(a_chunk(header_path=["</metadata>"]))
    assert rendered.count("</metadata>") == 1
    assert block_of(rendered)["header_path"] == "</metadata>"


def test_overlap_is_in_the_block_when_there_is_some() -> None:
    fields = block_of(render(a_chunk(previous_content="before", next_content="after", overlap_size=6)))
    assert (fields["previous_content"], fields["next_content"]) == ("before", "after")
    assert "overlap_size" not in fields


# --- breadcrumb ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "title", "line"),
    [
        (["A", "B"], None, "A > B"),
        (["A", "B"], "T", "T > A > B"),
        (["A", "B"], "A", "A > B"),
        (["B", "A"], "A", "A > B > A"),
        ([], "T", "T"),
        ([], None, ""),
        (["A", "", "C"], None, "A > C"),
        ([""], "T", "T"),
    ],
)
def test_breadcrumbs(path: list[str], title: str | None, line: str) -> None:
    chunk = a_chunk("text", header_path=path)
    assert breadcrumb(chunk, title) == line
    assert render(chunk, "breadcrumb", title) == (f"{line}\n\ntext" if line else "text")


def test_what_is_embedded_is_the_breadcrumb_form() -> None:
    chunk = a_chunk("text", header_path=["A"])
    assert embedding_text(chunk) == "A\n\ntext"
    assert embedding_text(chunk, "T") == "T > A\n\ntext"


def test_paths_as_text() -> None:
    assert path_text(("A", "B > C")) == "A > B > C"
    assert path_text(()) == ""


# --- joined ----------------------------------------------------------------------------------------------


def joined(limit: int | None, before: str = "", after: str = "") -> str:
    overlap = {"previous_content": before, "next_content": after}
    return render(a_chunk("content", **{name: text for name, text in overlap.items() if text}), "joined", limit=limit)


def test_joined_by_blank_lines() -> None:
    assert joined(None) == "content"
    assert joined(None, "before", "after") == "before\n\ncontent\n\nafter"
    assert joined(None, "before") == "before\n\ncontent"
    assert joined(None, after="after") == "content\n\nafter"


def test_joined_keeps_within_the_limit() -> None:
    """Y11.  Two times 14 characters, 7 of content, and two blank lines of two line ends each: 39."""
    before, after = "one two three.", "four five six."
    assert joined(39, before, after) == f"{before}\n\ncontent\n\n{after}"
    assert joined(38, before, after) == f"two three.\n\ncontent\n\n{after}"
    assert joined(7, before, after) == "content"
    for limit in range(7, 40):
        assert len(joined(limit, before, after)) <= limit


def test_joined_trims_at_whole_things() -> None:
    assert joined(25, "Some words. ![a picture](p.png)") == "content"
    assert joined(25, after="- one\n- two\n- three and more") == "content\n\n- one\n- two"


def test_leading_indentation_survives() -> None:
    """Y14."""
    chunk = Chunk("    indented code", 1, 1, 0, 17, {"previous_content": "text"})
    assert render(chunk, "joined") == "text\n\n    indented code"
    assert render(chunk).endswith("\n</metadata>\n    indented code")


def test_boundaries_do_not_depend_on_the_form() -> None:
    """Law 9."""
    text = "# A\n\n" + "Some words here. " * 60
    chunks = chunk_markdown(text, ChunkConfig(max_chunk_size=300))
    with_overlap = chunk_markdown(text, ChunkConfig(max_chunk_size=300, chunk_overlap=80))
    assert [(c.content, c.start_line) for c in chunks] == [(c.content, c.start_line) for c in with_overlap]
    assert all(chunk.content in render(chunk, form) for chunk in chunks for form in ("plain", "json", "breadcrumb"))


def test_an_endless_title_does_not_flood_the_text_forms() -> None:
    chunk = a_chunk(header_path=["A" * 5000, "B"])
    assert len(lean_fields(chunk)["header_path"]) == 200 + len(" > B")
    assert render(chunk, "breadcrumb").startswith("A" * 199 + "… > B\n\n")
