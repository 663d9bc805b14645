"""Sections: which headings count (law 6), their ancestors, and titles as a reader sees them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from markdown_chunker import ChunkConfig, chunk_markdown
from markdown_chunker.blocks import read_blocks
from markdown_chunker.normalise import normalise
from markdown_chunker.sections import plain_text, read_sections
from markdown_chunker.source import Source


def outline(text: str) -> list[tuple[int, str]]:
    """Level and path of each section, the titles joined by a slash."""
    source = Source(normalise(text))
    return [(s.level, "/".join(s.path)) for s in read_sections(source, read_blocks(source.text))]


# --- ancestors -------------------------------------------------------------------------------------------


def test_each_heading_stands_below_the_nearest_of_a_lower_level() -> None:
    assert outline("# A\n## B\n### C\n## D\n# E\n## F\n") == [
        (1, "A"),
        (2, "A/B"),
        (3, "A/B/C"),
        (2, "A/D"),
        (1, "E"),
        (2, "E/F"),
    ]


def test_all_six_levels() -> None:
    text = "\n".join(f"{'#' * level} {level}" for level in range(1, 7))
    assert outline(text)[-1] == (6, "1/2/3/4/5/6")


def test_skipped_levels_leave_no_gap() -> None:
    assert outline("# A\n#### B\n## C\n###### D\n") == [(1, "A"), (4, "A/B"), (2, "A/C"), (6, "A/C/D")]


def test_documents_that_start_deep() -> None:
    """X2, X3: nothing is lost or taken for a child of what comes later."""
    assert outline("### Notice\n\nx\n\n# Guide\n\n## A\n\n### B\n") == [
        (3, "Notice"),
        (1, "Guide"),
        (2, "Guide/A"),
        (3, "Guide/A/B"),
    ]


def test_a_preamble_has_an_empty_path() -> None:
    assert outline("text\n\n# A\n") == [(0, ""), (1, "A")]
    assert outline("\n\n# A\n") == [(1, "A")]
    assert outline("only text\n") == [(0, "")]


def test_titles_that_repeat_stand_where_they_stand() -> None:
    """X20."""
    assert outline("# Doc\n## API\n# Doc\n## CLI\n## API\n") == [
        (1, "Doc"),
        (2, "Doc/API"),
        (1, "Doc"),
        (2, "Doc/CLI"),
        (2, "Doc/API"),
    ]


def test_slashes_stay_inside_a_title() -> None:
    """X19: a path is a list, so `TCP/IP` is no child of `TCP`."""
    chunks = chunk_markdown("# Net\n\n## TCP\n\nabc\n\n## TCP/IP\n\nabc\n", ChunkConfig(max_chunk_size=30))
    assert [chunk.metadata["header_path"] for chunk in chunks] == [["Net", "TCP"], ["Net", "TCP/IP"]]


def test_setext() -> None:
    """X14."""
    assert outline("Title\n=====\n\nInstall\n-------\n\nx\n\ntwo\nlines\n---\n") == [
        (1, "Title"),
        (2, "Title/Install"),
        (2, "Title/two lines"),
    ]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("   ## Indented", "Indented"),
        ("## Closed ##", "Closed"),
        ("## Closed #########   ", "Closed"),
        ("## Not closed#", "Not closed#"),
        ("## C# ##", "C#"),
        ("## Escaped \\#", "Escaped #"),
        ("## # inner", "# inner"),
        ("##", ""),
        ("## ##", ""),
        ("##\tTab", "Tab"),
        ("##  wide   inside ", "wide inside"),
    ],
)
def test_atx_titles(line: str, title: str) -> None:
    """X15 and CommonMark 4.2."""
    assert outline(line) == [(2, title)]


def test_an_empty_heading_is_a_level_of_its_own() -> None:
    assert outline("#\n\n## A\n") == [(1, ""), (2, "/A")]


NOT_SECTIONS = {
    "fence": "```\n# x\n```",
    "fence with an info string of more than a word (X29)": '```python title="a.py"\n# x\n```',
    "fence that shows a fence (X30)": "```text\n```python\n# x\n```",
    "fence in an indented block (X31)": "    ```\n    # x",
    "tilde fence": "~~~\n# x\n~~~",
    "closing line with an info string (Z1)": "```text\n```python\n# x\n```",
    "fence in a list (Z2)": "- run\n\n  ```sh\n  # x\n  ```",
    "indented code (X28)": "text\n\n    # x",
    "comment (X18)": "<!--\n# x\n-->",
    "comment with a blank line": "<!--\n\n# x\n\n-->",
    "pre (X18)": "<pre>\n\n# x\n</pre>",
    "script": "<script>\n\n# x\n</script>",
    "html block": "<div>\n# x\n</div>",
    "quote": "> # x",
    "list item": "- # x",
    "hashtag (Z3)": "#x",
    "seven hashes": "####### x",
    "escaped": "\\# x",
    "formula": "$$\n# x\n$$",
    "details": "<details>\n\n# x\n\n</details>",
    "directive": ":::note\n# x\n:::",
    "footnote": "[^1]: note\n\n    # x",
}


@pytest.mark.parametrize("construct", NOT_SECTIONS)
def test_what_is_no_section(construct: str) -> None:
    text = f"# A\n\n{NOT_SECTIONS[construct]}\n\n# B\n"
    assert outline(text) == [(1, "A"), (1, "B")]


def test_front_matter_is_no_heading() -> None:
    """X17, Z3."""
    assert outline("---\ntitle: x\n# owner: bob\n---\n\n# Doc\n") == [(0, ""), (1, "Doc")]
    assert outline("+++\n# owner = 1\n+++\n\n# Doc\n") == [(0, ""), (1, "Doc")]


def test_a_byte_order_mark_hides_no_heading() -> None:
    """X16."""
    assert outline("\ufeff# Title\n\n## A\n") == [(1, "Title"), (2, "Title/A")]


def test_a_heading_ends_a_list() -> None:
    """X42."""
    assert outline("# A\n- one\n- two\n## B\ntext\n") == [(1, "A"), (2, "A/B")]


# --- titles as a reader sees them ------------------------------------------------------------------------

#: Markup and what a reader sees of it.
TITLES = {
    "plain": "plain",
    "**Bold** and *soft*": "Bold and soft",
    "`code` first": "code first",
    "`a` and `b`": "a and b",
    "`` a`b ``": "a`b",
    "snake_case_name": "snake_case_name",
    "_soft_": "soft",
    "[Link](https://example.com/a_b)": "Link",
    "[Link][ref]": "[Link][ref]",
    "![Logo](logo.png) Product": "Logo Product",
    "![](logo.png) Product": "Product",
    "[![Badge](b.svg)](https://example.com) Name": "Badge Name",
    "Fish &amp; chips": "Fish & chips",
    "AT&T": "AT&T",
    "a \\* b": "a * b",
    "~~old~~ new": "old new",
    "x < y > z": "x < y > z",
    '<a id="top"></a>Top': "Top",
    "<https://example.com>": "https://example.com",
    "Line<br>break": "Linebreak",
    "中文 **标题**": "中文 标题",
    "a ` b": "a ` b",
    "2 * 3 * 4": "2 * 3 * 4",
    "emoji 👨‍👩‍👧": "emoji 👨‍👩‍👧",
}


@pytest.mark.parametrize("markup", TITLES)
def test_rendered_titles(markup: str) -> None:
    assert plain_text(markup) == TITLES[markup]


def rendered(markup: str) -> str:
    """The text that markdown-it shows, tags left out: the long way, written again for the comparison."""
    tokens = MarkdownIt("commonmark").enable("strikethrough").parseInline(markup)[0].children or []
    shown = []
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                shown.append(" ")
            case "html_inline":
                pass
            case _:
                shown.append(token.content)
    return " ".join("".join(shown).split())


@given(
    st.lists(st.sampled_from([*"ab_ *`[]()<>&!~\\é中.", "``", "a_b", "&amp;", "x ", "`c`", " - "]), max_size=14).map(
        "".join
    )
)
def test_the_short_way_is_as_good_as_the_long(markup: str) -> None:
    assert plain_text(markup.strip()) == rendered(markup.strip())


@given(st.text(max_size=30).filter(lambda text: "\0" not in text))
def test_any_text_renders(markup: str) -> None:
    line = normalise(markup).replace("\n", " ").strip()
    assert plain_text(line) == rendered(line)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [("x[_b_](u)y", "xby"), ("[a](javascript:x)", "[a](javascript:x)"), ("a [b c](d) e", "a b c e")],
)
def test_links_in_titles(markup: str, expected: str) -> None:
    assert plain_text(markup) == expected
