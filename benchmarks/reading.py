"""A document as markdown-it-py reads it, line by line: the second opinion that the laws are checked against.

Where the project departs from CommonMark on purpose (front matter, formulas, footnotes, details, directives,
definition lists, MDX lines), its own blocks stand in, and what is inside them is `murky`: not compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from markdown_chunker.blocks import read_blocks
from markdown_chunker.model import Block

DEPARTURES = frozenset({"front_matter", "math", "footnote", "details", "directive", "definition"})
_MDX = re.compile(r" {0,3}(?:import\b|export\b|</?[A-Z])")
_LEAVES = {
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "hr",
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "table_open": "table",
    "blockquote_open": "quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "tr_open": "row",
}
#: Deeper than this nothing is compared: the reader opens 32 levels, markdown-it a given number.
DEPTH = 24


class Thing(NamedTuple):
    """A block on lines [start, end), blank lines at its end left out; `level` is its nesting, `info` its own."""

    kind: str
    start: int
    end: int
    level: int
    info: Any = None


@dataclass
class Line:
    """What a line belongs to: its leaf, whether a list item begins on it, and how deep in lists and quotes it is."""

    leaf: str = ""
    item: bool = False
    lists: int = 0
    quotes: int = 0
    murky: bool = False


@dataclass
class Reading:
    """The blocks of a text, and its lines; `at[i]` is the offset of line i."""

    text: str
    rows: list[str]
    at: list[int]
    lines: list[Line]
    things: list[Thing] = field(default_factory=list)
    env: dict[str, Any] = field(default_factory=dict)

    def span(self, thing: Thing) -> tuple[int, int]:
        """Offsets of a thing, without its last newline."""
        return self.at[thing.start], max(self.at[thing.start], self.at[thing.end] - 1)

    def murky(self, start: int, end: int) -> bool:
        return any(line.murky for line in self.lines[start:end])

    def headings(self) -> list[Thing]:
        """Top-level headings; `info` is (level, title)."""
        return [t for t in self.things if t.kind == "heading" and t.level == 0 and not self.murky(t.start, t.end)]


@cache
def block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table")
    parser.core.ruler.enableOnly(["block"])
    return parser


@cache
def inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(text: str, *, whole: bool = True) -> Reading:
    """Read a normalised text.  `whole` says that it is a document, not a chunk, so front matter may open it."""
    rows = text.split("\n")
    at = [0]
    for row in rows:
        at.append(at[-1] + len(row) + 1)
    reading = Reading(text, rows, at, [Line() for _ in rows])
    blocks = read_blocks(text)
    begin = 0
    for i, block in enumerate(blocks):
        below = blocks[i + 1] if i + 1 < len(blocks) else None
        if _departs(block, rows, below, whole):
            _parse(reading, begin, block.start)
            reading.things.append(Thing(block.kind, block.start, block.end, 0))
            _mark_murky(reading, block)
            begin = block.end
        else:
            _mark_inner(reading, block, rows)
    _parse(reading, begin, len(rows))
    for i, thing in enumerate(reading.things):
        if thing.kind == "heading":  # rendered now that all link targets are known
            reading.things[i] = thing._replace(info=(thing.info[0], plain(thing.info[1], reading.env)))
    reading.things.sort(key=lambda t: (t.start, t.level))
    return reading


def _departs(block: Block, rows: list[str], below: Block | None, whole: bool) -> bool:
    if block.kind == "front_matter":
        return whole
    if block.kind == "html":
        return bool(_MDX.match(rows[block.start])) or (below is not None and below.kind == "details")
    return block.kind in DEPARTURES


def _mark_inner(reading: Reading, block: Block, rows: list[str]) -> None:
    if block.kind in ("list", "item", "quote"):
        for child in block.children:
            if child.kind in DEPARTURES or (child.kind == "html" and _MDX.match(rows[child.start].lstrip(" \t>"))):
                _mark_murky(reading, child)
            else:
                _mark_inner(reading, child, rows)


def _mark_murky(reading: Reading, block: Block) -> None:
    for line in reading.lines[block.start : block.end]:
        line.murky = True


def _parse(reading: Reading, begin: int, stop: int) -> None:
    """Read lines [begin, stop) as a text of their own."""
    if begin >= stop:
        return
    tokens = block_parser().parse("\n".join(reading.rows[begin:stop]) + "\n", reading.env)
    depth: list[str] = []
    for i, token in enumerate(tokens):
        if token.nesting < 0:
            depth.pop()
            continue
        kind = _LEAVES.get(token.type)
        if kind and token.map:
            _add(reading, kind, token, tokens[i + 1] if i + 1 < len(tokens) else None, begin, depth)
        if token.nesting > 0:
            depth.append(token.type)


def _add(reading: Reading, kind: str, token: Token, below: Token | None, begin: int, depth: list[str]) -> None:
    assert token.map
    start, end = begin + token.map[0], begin + token.map[1]
    end = min(end, len(reading.rows))
    while end > start + 1 and not reading.rows[end - 1].strip(" \t>"):
        end -= 1
    info: Any = None
    if kind == "heading":
        info = (int(token.tag[1]), below.content if below else "")
    elif kind == "fence":
        info = (token.markup, is_closed(reading.rows, start, end, token.markup))
    elif kind in ("paragraph", "heading"):
        info = below.content if below else ""
    reading.things.append(Thing(kind, start, end, len(depth), info))
    if kind in ("list", "item", "quote", "row"):
        for line in reading.lines[start:end]:
            line.lists += kind == "item"
            line.quotes += kind == "quote"
        if kind == "item":
            reading.lines[start].item = True
        return
    for line in reading.lines[start:end]:
        line.leaf = kind


def is_closed(rows: list[str], start: int, end: int, marker: str) -> bool:
    """Whether the last line of a fence closes it."""
    last = rows[end - 1].strip(" \t>")
    return end - start > 1 and last.startswith(marker) and not last.strip(marker[0])


def plain(markup: str, env: dict[str, Any]) -> str:
    """Inline markup as a reader sees it, on one line."""
    tokens = inline_parser().parseInline(markup, {"references": env.get("references", {})})
    return " ".join(_text(tokens[0].children or []).split()) if tokens else ""


def _text(tokens: list[Token]) -> str:
    parts: list[str] = []
    for token in tokens:
        if token.type == "image":
            parts.append(_text(token.children or []))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif not token.type.startswith("html"):
            parts.append(token.content)
    return "".join(parts)


def inline_spans(reading: Reading, paragraph: Thing) -> list[tuple[int, int]]:
    """Offsets of the links, images, code spans and autolinks of a paragraph; none where they cannot be placed."""
    found: list[tuple[int, int]] = []
    content = str(paragraph.info or "")
    if not content:
        return found
    pieces = content.split("\n")
    offsets = [_place(reading, paragraph.start + i, piece) for i, piece in enumerate(pieces)]
    if -1 in offsets:
        return found
    for start, end in _recorded(content, reading.env):
        line = content.count("\n", 0, start)
        column = start - (content.rfind("\n", 0, start) + 1)
        last = content.count("\n", 0, end)
        last_column = end - (content.rfind("\n", 0, end) + 1)
        found.append((offsets[line] + column, offsets[last] + last_column))
    return found


def _place(reading: Reading, line: int, piece: str) -> int:
    row = reading.rows[line]
    column = row.rfind(piece.rstrip()) if piece.strip() else 0
    return reading.at[line] + column if column >= 0 and row[column:].rstrip() == piece.rstrip() else -1


def _recorded(content: str, env: dict[str, Any]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    parser = MarkdownIt("commonmark")
    rules = {rule.name: rule.fn for rule in parser.inline.ruler.__rules__}
    for name in ("link", "image", "backticks", "autolink", "html_inline"):

        def record(state: Any, silent: bool, rule: Any = rules[name], name: str = name) -> bool:
            start, count = state.pos, len(state.tokens)
            done = bool(rule(state, silent))
            if done and not silent and state.src is content and (name != "backticks" or len(state.tokens) > count):
                spans.append((start, state.pos))
            return done

        parser.inline.ruler.at(name, record)
    parser.inline.parse(content, parser, {"references": env.get("references", {})}, [])
    return spans
