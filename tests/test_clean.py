"""Cleaning that does no harm: each switch, what it leaves alone, and lines that keep their numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker import ChunkConfig, chunk_markdown
from markdown_chunker.clean import clean, collapse_blank_lines
from markdown_chunker.normalise import normalise

SWITCHES = (
    "strip_obsidian_block_ids",
    "strip_front_matter",
    "strip_html_comments",
    "remove_images",
    "remove_urls_emails",
    "collapse_whitespace",
)
ALL = dict.fromkeys(SWITCHES, True)


def cleaned(text: str, *switches: str) -> str:
    return clean(text, ChunkConfig(**dict.fromkeys(switches, True)))


def content(text: str, **options: Any) -> str:
    return "\n".join(chunk.content for chunk in chunk_markdown(text, ChunkConfig(**options)))


def test_nothing_is_cleaned_unless_asked_for() -> None:
    text = "---\na: 1\n---\n\nx  y <!-- c --> ![i](u) https://a.b ^id\n"
    assert cleaned(text) is text


# --- what every switch leaves alone ----------------------------------------------------------------------

MESS = "a  b <!-- c --> ![alt](u.png) https://example.com/a me@example.com ^id"
LITERAL = {
    "fence": f"```\n{MESS}\n\n\n\n  {MESS}\n```",
    "tilde fence": f"~~~text\n{MESS}\n~~~",
    "indented code": f"text\n\n    {MESS}\n\n\n    {MESS}",
    "formula": f"$$\n{MESS}\n$$",
    "fence in a list": f"- item\n\n  ```\n  {MESS}\n  ```",
    "fence in a quote": f"> ```\n> {MESS}\n> ```",
    "code span": "text `a  b <!-- c --> ![alt](u.png) https://example.com/a me@example.com` end",
    "code span of two ticks": "text ``a  ` b <!-- c -->`` end",
}


@pytest.mark.parametrize("construct", LITERAL)
def test_code_stays_as_it_is(construct: str) -> None:
    text = LITERAL[construct]
    assert cleaned(text, *SWITCHES) == text
    assert content(text, **ALL) == text


@pytest.mark.parametrize(
    "text", ["- a\n  - b\n    - c", "    code\n\ttab", "1. a\n\n   b", "> > a", "a  \nb", "a\\\nb"]
)
def test_indentation_and_hard_breaks_stay(text: str) -> None:
    assert cleaned(text, *SWITCHES) == text


def test_letters_that_others_take_for_rubbish_stay() -> None:
    """A known cleaner deletes ï, ¿ and ¾, the bytes of U+FFFE read as letters."""
    text = "Naïve: ¿Qué? ¾ of it."
    assert content(text, **ALL) == text


def test_tables_keep_their_layout() -> None:
    text = "| a    |  b  |\n|------|-----|\n| 1    |  2  |"
    assert cleaned(text, "collapse_whitespace") == text


# --- block ids -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("para one ^abc1\n\npara two", "para one\n\npara two"),  # X66
        ("text ^my-block-id", "text"),
        ("- item ^a1\n- item", "- item\n- item"),
        ("| a |\n|---|\n\n^table1\n\ntext", "| a |\n|---|\n\n\n\ntext"),
        ("# Title ^id  \n", "# Title\n"),
        ("x^2", "x^2"),
        ("a ^b c", "a ^b c"),
        ("[^1]", "[^1]"),
        ("text ^under_score", "text ^under_score"),
        ("```\ny = x ^2\n```", "```\ny = x ^2\n```"),
        ("$$\ny = x ^2\n$$", "$$\ny = x ^2\n$$"),
        ("---\na: x ^id\n---\n", "---\na: x ^id\n---\n"),
    ],
)
def test_block_ids(text: str, expected: str) -> None:
    assert cleaned(text, "strip_obsidian_block_ids") == expected


# --- front matter ----------------------------------------------------------------------------------------


def test_front_matter() -> None:
    assert cleaned("---\ntitle: x\n---\n\n# A", "strip_front_matter") == "\n\n\n\n# A"
    assert cleaned("+++\ntitle = 1\n+++\n# A", "strip_front_matter") == "\n\n\n# A"
    assert cleaned("# A\n\n---\na: 1\n---\n", "strip_front_matter") == "# A\n\n---\na: 1\n---\n"
    [chunk] = chunk_markdown("---\ntitle: x\n---\n\n# A\n\ntext", ChunkConfig(strip_front_matter=True))
    assert (chunk.content, chunk.start_line) == ("# A\n\ntext", 5)


# --- comments --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <!-- b --> c", "a  c"),
        ("<!-- a\nb\n-->\n\ntext", "\n\n\n\ntext"),
        ("a <!-- b --> c <!-- d --> e", "a  c  e"),
        ("a <!-- never closed", "a <!-- never closed"),
        ("a <!--> b -->", "a  b -->"),
        ("`<!-- code -->` <!-- not -->", "`<!-- code -->` "),
        ("```\n<!-- code -->\n```\n<!-- not -->", "```\n<!-- code -->\n```\n"),
        ("<div>\n<!-- x -->\n</div>", "<div>\n\n</div>"),
    ],
)
def test_comments(text: str, expected: str) -> None:
    assert cleaned(text, "strip_html_comments") == expected


# --- images ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See ![the pump](p.png) here", "See the pump here"),
        ("![](p.png)", ""),
        ("![a [b] c](p.png)", "a [b] c"),
        ("![a](p_(1).png)", "a"),
        ('![a](p.png "a title")', "a"),
        ("![a][ref]", "a"),
        ("[![Badge](b.svg)](https://example.com)", "[Badge](https://example.com)"),
        ('<img src="a.png" alt="The pump">', "The pump"),
        ("<img alt='x > y' src=a.png />", "x > y"),
        ("<IMG SRC='a.png'>", ""),
        ("`![a](b)`", "`![a](b)`"),
        ("![not closed](p.png", "![not closed](p.png"),
        ("[a link](p.png)", "[a link](p.png)"),
        ("| ![a](b) | c |\n|---|---|", "| a | c |\n|---|---|"),
        ("![data](data:image/png;base64,QUJD)", "data"),
        ("![the pump\nand its base](p.png) here", "the pump\nand its base here"),
        ("![two\n\nparagraphs](p.png)", "![two\n\nparagraphs](p.png)"),
        ("See ![[pump.png]] here", "See  here"),
        ("![[pics/pump 1.JPG|the pump]]", "the pump"),
        ("![[pump.svg|300x200]]", ""),
        ("![[A note]] and [[pump.png]]", "![[A note]] and [[pump.png]]"),
    ],
)
def test_images(text: str, expected: str) -> None:
    assert cleaned(text, "remove_images") == expected


# --- addresses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://example.com/a?b=c#d for it", "See  for it"),
        ("See https://example.com.", "See ."),
        ("(https://example.com)", "()"),
        ("看https://example.com/路径。", "看路径。"),
        ("Mail me@example.co.uk, please", "Mail , please"),
        ("<https://example.com/a>", ""),
        ("<mailto:me@example.com>", ""),
        ("Write to mailto:me@example.com, please", "Write to , please"),
        ("mailto:me@example.com?subject=A%20pump now", " now"),
        ("<mailto:me@example.com?cc=you@example.com>", ""),
        ("[the text](mailto:me@example.com)", "the text"),
        ("[the\ntext](https://example.com/a)", "the\ntext"),
        ("x" * 40 + ".me@example.com", ""),
        ("[the text](https://example.com/a)", "the text"),
        ("[the text](a_(b).md)", "the text"),
        ("[the text][ref]", "the text"),
        ("[ref]: https://example.com 'Title'", ""),
        ("[^1]: A note, see https://example.com", "[^1]: A note, see "),
        ("![image](https://example.com/a.png)", "![image](https://example.com/a.png)"),
        ("[![Badge](b.svg)](https://example.com)", "![Badge](b.svg)"),
        ("`https://example.com`", "`https://example.com`"),
        ("- [ ] a task", "- [ ] a task"),
        ("[not a link]", "[not a link]"),
        ("user@host", "user@host"),
        ("version@2.0", "version@2.0"),
    ],
)
def test_addresses(text: str, expected: str) -> None:
    assert cleaned(text, "remove_urls_emails") == expected


def test_images_in_links_under_both_switches() -> None:
    assert cleaned("[![Badge](b.svg)](https://example.com)", "remove_images", "remove_urls_emails") == "Badge"


def test_escaped_brackets_are_no_links() -> None:
    for text in ("\\[a](https://example)", "x \\[ y \\[ z"):
        assert cleaned(text.replace("https://example", "b"), "remove_urls_emails") == text.replace(
            "https://example", "b"
        )
    assert cleaned("\\![a](b)", "remove_images") == "\\![a](b)"
    assert cleaned("\\\\\\[a](b)", "remove_urls_emails") == "\\\\\\[a](b)"


def test_a_link_behind_an_escaped_backslash_is_one() -> None:
    assert cleaned("\\\\[a](http://b.c) x", "remove_urls_emails") == "\\\\a x"
    assert cleaned("\\\\![a](b) x", "remove_images") == "\\\\a x"


# --- white space -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\t\tc", "a b c"),
        ("a b", "a b"),
        ("a \nb", "a\nb"),
        ("a  \nb", "a  \nb"),
        ("a\t\nb", "a\nb"),
        ("  - a   b", "  - a b"),
        ("`a  b`  c", "`a  b` c"),
    ],
)
def test_spaces(text: str, expected: str) -> None:
    assert cleaned(text, "collapse_whitespace") == expected


def test_blank_lines_collapse_in_the_content_and_lines_stay_true() -> None:
    text = "a\n\n\n\nb\n\n```\nx\n\n\n\ny\n```\n"
    [chunk] = chunk_markdown(text, ChunkConfig(collapse_whitespace=True))
    assert chunk.content == "a\n\nb\n\n```\nx\n\n\n\ny\n```"
    assert (chunk.start_line, chunk.end_line) == (1, 13)
    assert collapse_blank_lines("a\n\nb") == "a\n\nb"
    assert collapse_blank_lines("a\n \n\t\nb") == "a\n\nb"


# --- lines and code, whatever the text -------------------------------------------------------------------

parts = st.lists(
    st.sampled_from(
        [
            MESS,
            "<!-- a\nb\n-->",
            "<!-- `x` -->",
            "`<!--` and -->",
            "![a\nb](u)",
            "[a\nb](u)",
            "[r]: u\n 'title'",
            "- item ^id\n\n  - inner  text",
            "> quote  text <!-- x\n> y -->",
            "| a  | b |\n|---|---|\n| <!-- x --> | ^id |",
            "<div>\n<!-- x\n\n-->\n</div>",
            "```\n<!-- never closed",
            "text  \nmore\n\n\n\ntext",
            "# Title  with  gaps ^id",
        ]
    ),
    max_size=8,
)


@given(parts, st.sets(st.sampled_from(SWITCHES), min_size=1), st.booleans())
def test_the_number_of_lines_never_changes(texts: list[str], switches: set[str], front: bool) -> None:
    text = ("---\ntitle: x\n---\n\n" if front else "") + "\n\n".join(texts)
    assert cleaned(text, *switches).count("\n") == text.count("\n")


@given(st.text(alphabet="ab <>!-`[]()^:/@.\n|#$~\t", max_size=80), st.sets(st.sampled_from(SWITCHES), min_size=1))
def test_the_number_of_lines_never_changes_in_any_text(text: str, switches: set[str]) -> None:
    assert cleaned(normalise(text), *switches).count("\n") == text.count("\n")


@given(
    st.lists(st.sampled_from([MESS, "a  b", "- x ^id", "![a](b)", "<!-- c -->"]), max_size=4),
    st.sampled_from(list(LITERAL)),
)
def test_code_blocks_are_identical_in_any_company(above: list[str], construct: str) -> None:
    text = "\n\n".join([*above, LITERAL[construct]])
    assert cleaned(text, *SWITCHES).endswith("\n\n" * bool(above) + LITERAL[construct])
