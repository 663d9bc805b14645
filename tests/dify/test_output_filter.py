"""The text forms of a chunk: the metadata block, and the content with its overlap."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from markdown_chunker import Chunk
from output_filter import Style, chunk_text, message_bytes


def chunk(content: str, **metadata: Any) -> Chunk:
    lines = {"start_line": 3, "end_line": 9}
    return Chunk(content, 3, 9, 0, len(content), lines | metadata)


def with_metadata(chunk: Chunk) -> str:
    return chunk_text(chunk, Style())


def plain(chunk: Chunk, limit: int) -> str:
    return chunk_text(chunk, Style(metadata=False, limit=limit))


def block_of(text: str) -> dict[str, Any]:
    start, end = "<metadata>\n", "\n</metadata>\n"
    assert text.startswith(start)
    fields: dict[str, Any] = json.loads(text[len(start) : text.index(end)])
    return fields


def test_the_block_has_few_fields_in_a_fixed_order() -> None:
    text = with_metadata(
        chunk(
            "    body",
            chunk_index=4,
            chunk_id="0a1b",
            strategy="structural",
            languages=["python"],
            content_type="code",
            header_path=["Guide", "Install"],
            header_level=2,
        )
    )
    assert text == (
        '<metadata>\n{"header_path":"Guide > Install","content_type":"code","languages":["python"],'
        '"start_line":3,"end_line":9,"chunk_id":"0a1b"}\n</metadata>\n    body'
    )


def test_the_overlap_comes_last_and_leaves_the_content_alone() -> None:
    text = with_metadata(chunk("body", previous_content="before", next_content="after", chunk_id="0a"))
    assert list(block_of(text)) == ["start_line", "end_line", "chunk_id", "previous_content", "next_content"]
    assert text.endswith("</metadata>\nbody")


def test_nothing_empty_is_shown() -> None:
    text = with_metadata(chunk("body", header_path=[], languages=[], content_type="", title=None, next_content=""))
    assert block_of(text) == {"start_line": 3, "end_line": 9}


def test_text_in_the_block_is_not_escaped() -> None:
    text = with_metadata(chunk("body", header_path=["安装", 'The "real" thing']))
    assert "安装" in text
    assert block_of(text)["header_path"] == '安装 > The "real" thing'


def test_plain_is_the_content() -> None:
    assert plain(chunk("    code\n  more"), 100) == "    code\n  more"


def test_plain_joins_the_overlaps_with_blank_lines() -> None:
    with_both = chunk("    code", previous_content="before", next_content="after")
    assert plain(with_both, 100) == "before\n\n    code\n\nafter"
    assert plain(chunk("body", next_content="after"), 100) == "body\n\nafter"
    assert plain(chunk("body", previous_content="before"), 100) == "before\n\nbody"


def test_plain_trims_the_overlaps_to_the_limit_at_words() -> None:
    both = chunk("body", previous_content="one two three", next_content="four five six")
    assert plain(both, 20).rstrip() == "three\n\nbody\n\nfour"
    assert plain(both, 4) == "body"
    assert plain(both, 3) == "body"


@pytest.mark.parametrize(
    "block",
    [
        "```\ncode here\n```",
        "Values:\n\n| a | b |\n| - | - |\n| 1 | 2 |",
        "![image of it all](a.png)",
        "$$\nx = y + z\n$$",
    ],
)
def test_plain_leaves_out_what_a_cut_would_tear(block: str) -> None:
    assert plain(chunk("body", previous_content=block), 100) == f"{block}\n\nbody"
    assert plain(chunk("body", previous_content=block), 20) == "body"
    assert plain(chunk("body", next_content=block), 20) in ("body", "body\n\nValues:")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(max_size=30),
    st.text(max_size=30),
    st.text(min_size=1, max_size=20),
    st.integers(0, 90),
)
def test_plain_never_alters_the_content_nor_passes_the_limit(before: str, after: str, content: str, room: int) -> None:
    limit = len(content) + room
    text = plain(chunk(content, previous_content=before, next_content=after), limit)
    assert content in text
    assert len(text) <= limit


@pytest.mark.parametrize("value", [["a"], ['"\n\\'], ["汉字", "é", "😀"], [], {"parent_mode": "full-doc"}])
def test_messages_are_measured_as_they_are_written(value: object) -> None:
    assert message_bytes(value) == len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
