"""What the oracles and our reader say about a document, in the same terms: (depth, kind, first line, end, extra)."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from markdown_chunker.blocks import read_blocks
from markdown_chunker.model import Block

type Row = tuple[int, str, int, int, object]

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED") or ROOT.parent / "shared")
FIXTURES = ROOT / "tests" / "fixtures" / "blocks"

_KINDS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "hr",
    "table_open": "table",
    "blockquote_open": "quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "math_block": "math",
    "math_block_label": "math",
    "front_matter": "front_matter",
    "definition": "reference",
}


def _markdown_it() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": 100, "inline_definitions": True}).enable("table")
    front_matter_plugin(md)
    dollarmath_plugin(md)
    md.core.ruler.enableOnly(["normalize", "block"])
    return md


_MD = _markdown_it()


def by_markdown_it(text: str) -> list[Row]:
    """The blocks as markdown-it-py sees them."""
    rows: list[Row] = []
    for t in _MD.parse(text):
        if t.map and t.type in _KINDS:
            kind = _KINDS[t.type]
            extra = int(t.tag[1]) if kind == "heading" else t.info.strip() if kind == "fence" else None
            rows.append((t.level, kind, t.map[0], t.map[1], extra))
    return _clip(rows, text)


def by_us(text: str) -> list[Row]:
    """Our blocks; `details` dissolved into the HTML and Markdown it groups."""
    rows: list[Row] = []

    def go(blocks: list[Block], depth: int) -> None:
        for b in blocks:
            if b.kind == "details":
                if rows and rows[-1][:2] == (depth, "html") and rows[-1][3] == b.start:
                    # In CommonMark an HTML block goes on to the blank line: there it holds the next one's start.
                    first = b.children[0]
                    rows[-1] = (*rows[-1][:3], first.end, None)
                    go_on = b.children[1:]
                else:
                    go_on = b.children
                go(go_on, depth)
                continue
            extra = b.level if b.kind == "heading" else b.info if b.kind == "fence" else None
            rows.append((depth, b.kind, b.start, b.end, extra))
            go(b.children, depth + 1)

    go(read_blocks(text), 0)
    return _clip(rows, text)


def _clip(rows: list[Row], text: str) -> list[Row]:
    """Without trailing blank lines, which markdown-it-py counts in with lists, quotes and unclosed blocks."""
    lines = text.split("\n")
    clipped: list[Row] = []
    for depth, kind, start, end, extra in rows:
        end = min(end, len(lines))
        while end > start + 1 and not lines[end - 1].strip(" \t>"):
            end -= 1
        clipped.append((depth, kind, start, end, extra))
    return clipped


_TAG = re.compile(r'<(h[1-6]|hr|pre|blockquote|ul|ol|li|table)\b[^>]*? data-sourcepos="(\d+):')
_CMARK_KINDS = {"blockquote": "quote", "ul": "list", "ol": "list", "li": "item"}


def by_cmark(text: str) -> list[tuple[str, int]]:
    """Kind and first line of what cmark-gfm shows in its HTML: neither raw HTML nor the paragraphs of tight lists."""
    options = Options.CMARK_OPT_SOURCEPOS | Options.CMARK_OPT_FOOTNOTES
    html = cmarkgfm.github_flavored_markdown_to_html(text, options)
    found = [(_CMARK_KINDS.get(tag, tag), int(line) - 1) for tag, line in _TAG.findall(html)]
    return sorted(found)


def visible_to_cmark(rows: list[Row]) -> list[tuple[str, int]]:
    """The same of our rows, or of markdown-it-py's."""
    names: dict[str, Callable[[object], str]] = {
        "heading": lambda level: f"h{level}",
        "fence": lambda _: "pre",
        "code": lambda _: "pre",
    }
    kinds = {"heading", "hr", "fence", "code", "quote", "list", "item", "table"}
    return sorted((names.get(k, lambda _, k=k: k)(x), start) for _, k, start, _, x in rows if k in kinds)


# -- Where we depart from CommonMark on purpose ------------------------------------------------------------------

_DOLLARS = re.compile(r"[ >*+\-\d.)\t]*\$\$")
_OPENER = re.compile(r" {0,3}(?::::|\\\[|\\begin\{)")

type Departure = Callable[[Row, list[str]], bool]

DEPARTURES: dict[str, Departure] = {
    "`:::name` and `!!! name` hold blocks; in CommonMark they are text": lambda r, _: r[1] == "directive",
    "`[^id]:` defines a footnote; in CommonMark it is text or a reference": lambda r, _: r[1] == "footnote",
    "a term and `: text` are a definition; in CommonMark text": lambda r, _: r[1] == "definition",
    "formulas must close before a blank line; they interrupt a paragraph; `\\[`, `\\begin`": lambda r, lines: (
        r[1] == "math" or any(_DOLLARS.match(line) for line in lines[r[2] : r[3]])
    ),
    "a lazy line that looks like a formula or a directive ends the container, closed or not": lambda r, lines: (
        r[0] == 0 and r[1] != "list" and r[1] != "quote" and _OPENER.match(lines[r[2]]) is not None
    ),
    "MDX components are HTML even over several lines or with text between": lambda r, lines: (
        r[1] == "html" and re.match(r"[ >]*</?[A-Z]", lines[r[2]]) is not None
    ),
    "MDX import and export statements are HTML": lambda r, lines: (
        r[1] == "html" and re.match(r"(im|ex)port\b", lines[r[2]]) is not None
    ),
    "TOML front matter, and none whose first line is blank": lambda r, lines: (
        r[2] == 0 and (lines[0].startswith("+++") or (lines[0].startswith("---") and not [*lines, ""][1].strip(" \t")))
    ),
    "one-column tables need no pipes in the header (as in cmark-gfm)": lambda r, lines: (
        r[1] == "table" and "|" not in lines[r[2]]
    ),
}


def differences(theirs: list[Row], ours: list[Row], text: str) -> tuple[list[Row], list[Row], set[str]]:
    """What differs outside the departures, and the names of the departures met.

    A departure covers the top-level blocks of both sides that share a line with it, and nothing else.
    """
    if theirs == ours:
        return [], [], set()
    lines = text.split("\n")
    met: set[str] = set()
    covered: set[int] = set()
    for row in ours:
        for name, departs in DEPARTURES.items():
            if departs(row, lines):
                met.add(name)
                covered.update(range(row[2], row[3]))
    tops = [range(r[2], r[3]) for r in (*theirs, *ours) if r[0] == 0]
    grown = True
    while grown:
        before = len(covered)
        for span in tops:
            if not covered.isdisjoint(span):
                covered.update(span)
        grown = len(covered) > before
    a = [r for r in theirs if covered.isdisjoint(range(r[2], r[3]))]
    b = [r for r in ours if covered.isdisjoint(range(r[2], r[3]))]
    return ([], [], met) if a == b else (a, b, met)


# -- Documents ---------------------------------------------------------------------------------------------------


def spec_examples() -> list[str]:
    """The examples of the CommonMark specification, if they are there."""
    path = SHARED / "corpus" / "commonmark-spec" / "commonmark.json"
    return [e["markdown"] for e in json.loads(path.read_text(encoding="utf-8"))] if path.is_file() else []


def corpus() -> Iterator[tuple[str, str]]:
    """Real documents, if they are there: name and raw text."""
    root = SHARED / "corpus"
    for path in sorted((*root.glob("**/*.md"), *root.glob("**/*.mdx"))):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes().decode("utf-8", "replace")


# fmt: off
FRAGMENTS = [
    "", "", "text", "foo", "# h", "## h ##", "#", "#x", "---", "***", "- - -", "===", "--", "=", "- a", "- ", "-",
    "* b", "+ c", "1. x", "2. y", "1) z", "10. w", "-   deep", "-     code", "1.", ">", "> q", ">q", "> > n", "> - a",
    "> 1. a", "> ```", "> # h", ">     c", "```", "```py", "~~~", "````", "~~~~ x", "``` a`b", "    code",
    "     code5", "\tcode", "\t", " \t", "  two", "   three", "    - four", "- \tx", "-\ty", ">\tz", ">\t- z",
    "1.\tq", "- > q", "- - x", "- ```", "- # h", "- 1. a", "<div>", "</div>", "<!--", "-->", "<!-- c -->", "<pre>",
    "</pre>", "<script>", "<?php", "?>", "<!X", "<![CDATA[", "]]>", "<a href='x'>", "<b>t", "<Foo/>", "</x>",
    "[a]: /u", "[a]: /u 'ti", "[a]:", "[a", "b]: /x", "'t'", "0. z", "123456789. a", "1234567890. a", "  - a",
    "   - a", "  > q", "   # h", "   ```", "  ===", "a\\", "* * x", "_ _ _", "*-*", "> ---", "> ===", "  text",
    "      six", "> <div>", "- <!--", "  -->", "$$", "$$ x $$", "x $$", "$$ (l)", "$$a", "$ $", "\\[", "\\]",
    "\\begin{a}", "\\end{a}", "<details>", "</details>", ":::n", ":::", "!!! n", "    x", ": def", "[^1]: f", "<Card",
    ">", "| a | b |", "|---|---|", "| 1 | 2 |", "a | b", "--|--", ":-:|-", "| a |", "| - |", "|-", ":-", "\\| a | b",
    "> | a | b |", "> |---|---|", "- | a |", "  | - |", "  |---|",
]
# fmt: on


def random_document(r: random.Random) -> str:
    """A few lines that start, end and interrupt blocks, some behind container markers or indented."""
    prefixes = ["> ", "- ", "  ", "1. ", "    ", "     ", " ", "   > ", "- - "]
    lines = []
    for _ in range(r.randint(1, 10)):
        line = r.choice(FRAGMENTS)
        if r.random() < 0.45:
            line = r.choice(prefixes) + line
        lines.append(line)
    return "\n".join(lines) + ("\n" if r.random() < 0.5 else "")
