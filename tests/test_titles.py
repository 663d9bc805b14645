"""The title of a document: front matter first, then the only heading of level 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker.blocks import read_blocks
from markdown_chunker.normalise import normalise
from markdown_chunker.sections import read_sections
from markdown_chunker.source import Source
from markdown_chunker.titles import document_title


def title_of(text: str) -> str:
    source = Source(normalise(text))
    return document_title(source, read_sections(source, read_blocks(source.text)))


YAML = {
    "title: Pump manual": "Pump manual",
    "title:   spaced out   ": "spaced out",
    "author: x\ntitle: Second key\ntags: [a]": "Second key",
    "Title: Capital": "Capital",
    '"title": Quoted key': "Quoted key",
    "title: Plain # a comment": "Plain",
    "title: C# and F#": "C# and F#",
    "title: a: b": "a: b",
    "title: 2024": "2024",
    "title: Über 日本語": "Über 日本語",
    'title: "Double: \\"quoted\\" \\u00e9"': 'Double: "quoted" é',
    'title: "Over\n  two lines"': "Over two lines",
    'title: "joined\\\n  up"': "joinedup",
    "title: 'It''s single'": "It's single",
    'title: "Quoted" # comment': "Quoted",
    "title: >\n  Folded\n  text\nx: y": "Folded text",
    "title: >-\n  Folded # no comment": "Folded # no comment",
    "title: |\n  Literal\n  text": "Literal text",
    "title: Plain that\n  goes on": "Plain that goes on",
    "title:\n  On the next line": "On the next line",
    "title: !!str Tagged": "Tagged",
    "title: [Draft] Plan": "[Draft] Plan",
    "meta:\n  title: nested\nx: y": "",
    "subtitle: not it": "",
    "titles: not it": "",
    "title:": "",
    "title: ''": "",
    "title: ~": "",
    "title: null": "",
    "title: [a, b]": "",
    "title: {a: b}": "",
    "title:\n  - a\n  - b": "",
    "title:\n  en: Name": "",
    "title: *alias": "",
    'title: "never closed': '"never closed',
    'title: "\\ud800 \\uffff\\U00110000x"': "\uffff x",
}


@pytest.mark.parametrize(("front_matter", "title"), YAML.items())
def test_yaml(front_matter: str, title: str) -> None:
    assert title_of(f"---\n{front_matter}\n---\n\ntext\n") == title


TOML = {
    'title = "Pump manual"': "Pump manual",
    "title = 'C:\\path'": "C:\\path",
    '  title="tight"  # comment': "tight",
    'title = "a \\"b\\" \\u00e9"': 'a "b" é',
    'title = """\nOver\nlines"""': "Over lines",
    "title = '''\nraw\n'''": "raw",
    'draft = true\ntitle = "Second"\n[x]\ntitle = "no"': "Second",
    '[params]\ntitle = "in a table"': "",
    "title = 3": "",
    'title = ""': "",
    'title = "open': "",
}


@pytest.mark.parametrize(("front_matter", "title"), TOML.items())
def test_toml(front_matter: str, title: str) -> None:
    assert title_of(f"+++\n{front_matter}\n+++\n\ntext\n") == title


HEADINGS = {
    "# Only *one*\n\n## Two\n": "Only one",
    "Setext\n======\n\ntext\n": "Setext",
    "## Deep\n\n# Top\n\ntext\n": "Top",
    "# One\n\n# Two\n": "",
    "## No top\n": "",
    "text\n": "",
    "": "",
    "#\n\ntext\n": "",
    "```\n# code\n```\n": "",
    "---\ntitle: From above\n---\n\n# Heading\n": "From above",
    "---\nauthor: x\n---\n\n# Heading\n": "Heading",
    "---\nauthor: x\n# title: comment\n---\n\n# Heading\n": "Heading",
}


@pytest.mark.parametrize(("text", "title"), HEADINGS.items())
def test_headings(text: str, title: str) -> None:
    assert title_of(text) == title


@given(st.text(st.sampled_from("title:=\"'\\>|-+#[]{}&*!~u0 \n\tx")), st.sampled_from(["---", "+++"]))
def test_anything_gives_one_line(front_matter: str, fence: str) -> None:
    for text in (f"{fence}\n{front_matter}\n{fence}\n", f"{fence}\ntitle: {front_matter}\n{fence}\n# A"):
        title = title_of(text)
        assert "\n" not in title
        assert title == title.strip()
