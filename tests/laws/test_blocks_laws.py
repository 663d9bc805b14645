"""What holds for the blocks of any text."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_chunker import containers
from markdown_chunker.blocks import read_blocks
from markdown_chunker.model import CONTAINERS, Block
from markdown_chunker.normalise import normalise

_STARTS = [
    *(
        "# h",
        "===",
        "---",
        "***",
        "- a",
        "-",
        "1. a",
        "2) b",
        "> q",
        ">",
        "```",
        "~~~ x",
        "    code",
        "\tcode",
        "| a |",
        "|-|",
    ),
    *(
        "a | b",
        "-|-",
        ":-",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<a>",
        "[a]: /u",
        "'t'",
        "$$",
        "$$ x $$",
    ),
    *(
        "\\[",
        "\\]",
        "\\begin{a}",
        "\\end{a}",
        "<details>",
        "</details>",
        ":::n",
        "::::m",
        ":::",
        "::::",
        "!!! n",
        "??? n",
    ),
    *(
        '=== "t"',
        ": def",
        "[^1]: f",
        "import 'a'",
        "export const a = 1",
        "<Card",
        "/>",
        "</Card>",
        "+++",
        "text",
        "",
        " ",
        "\0x",
    ),
]
_PREFIXES = st.lists(st.sampled_from(["> ", "- ", "1. ", "  ", "    ", "\t", " ", ": ", "[^a]: "]), max_size=4)
_LINES = st.builds(
    lambda prefixes, start: "".join(prefixes) + start, _PREFIXES, st.sampled_from(_STARTS) | st.text(max_size=6)
)
DOCUMENTS = st.lists(_LINES, max_size=14).map("\n".join) | st.text(max_size=60)


def rows(blocks: list[Block]) -> list[tuple[object, ...]]:
    """All there is to know of a tree."""
    return [(b.kind, b.start, b.end, b.level, b.info, rows(b.children)) for b in blocks]


def check_nesting(blocks: list[Block], start: int, end: int) -> None:
    """Blocks ascend within their parent, each with a line at least, and none across another's."""
    for block in blocks:
        assert start <= block.start < block.end <= end, block
        start = block.end
        if block.kind in CONTAINERS:
            check_nesting(block.children, block.start, block.end)
        else:
            assert block.children == []


@settings(max_examples=1500, deadline=None)
@given(DOCUMENTS)
def test_spans_nest_and_ascend(text: str) -> None:
    text = normalise(text)
    check_nesting(read_blocks(text), 0, text.count("\n") + 1)


@settings(max_examples=1500, deadline=None)
@given(DOCUMENTS)
def test_every_line_of_text_is_in_one_block(text: str) -> None:
    text = normalise(text)
    seen = Counter(line for block in read_blocks(text) for line in range(block.start, block.end))
    for number, line in enumerate(text.split("\n")):
        assert seen[number] == 1 or (not line.strip(" \t") and seen[number] == 0)


@settings(max_examples=1500, deadline=None)
@given(DOCUMENTS)
def test_blocks_begin_and_end_with_text(text: str) -> None:
    lines = normalise(text).split("\n")
    for block in read_blocks("\n".join(lines)):
        assert lines[block.start].strip(" \t")
        assert lines[block.end - 1].strip(" \t")


@settings(max_examples=300, deadline=None)
@given(DOCUMENTS)
def test_reading_is_deterministic(text: str) -> None:
    assert rows(read_blocks(text)) == rows(read_blocks(text))


@settings(max_examples=300, deadline=None)
@given(DOCUMENTS)
def test_any_text_parses_unnormalised_too(text: str) -> None:
    rows(read_blocks(text))


@settings(max_examples=500, deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_a_heading_starts_afresh(before: str, after: str) -> None:
    """What follows a heading at the top level reads as it would alone."""
    before = normalise(before).rstrip("\n \t")
    head = read_blocks(before + "\n\n# Heading\n")
    if head[-1].kind != "heading":
        return
    after = "\n" + normalise(after)  # no front matter
    line = before.count("\n") + 3
    joined = read_blocks(before + "\n\n# Heading\n" + after)
    if rows(joined[: len(head)]) != rows(head):
        return  # what was open before the heading is closed after it
    alone = [(b.kind, b.start + line, b.end + line) for b in read_blocks(after)]
    assert [(b.kind, b.start, b.end) for b in joined[len(head) :]] == alone


_LIST_LINES = st.tuples(
    st.sampled_from(["", "", "", " ", "  ", "   ", "    ", "     ", "      "]),
    st.sampled_from(["- ", "- ", "* ", "1. ", "2. ", "10. ", "3) ", "-   ", "-", "", "", ""]),
    st.sampled_from(
        [
            "a",
            "a",
            "",
            "- b",
            "* * *",
            "---",
            "# h",
            "```",
            "> q",
            "**b**",
            "    c",
            "</details>",
            "<details>",
            "\u00a0",
            "\x0b",
            "\u00a0",
            "\x0b",
        ]
    ),
).map("".join)


@given(st.lists(_LIST_LINES, min_size=1, max_size=12).map("\n".join))
@settings(max_examples=2000, deadline=None)
def test_a_list_whose_end_is_plain_is_the_list_read_item_by_item(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(containers, "plain_list", lambda *_: re.compile(r"(?!)"))
        by_items = rows(read_blocks(text))
    assert rows(read_blocks(text)) == by_items
