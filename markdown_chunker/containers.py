"""Blocks that hold blocks, one rule per construct.

A container is cut out of the text by what its lines start with.  Its inside is read when somebody asks, except where
its end depends on it: a line without the prefix belongs to it if it lazily continues a paragraph inside (CM 5.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from .grammar import (
    ALERT,
    BLANKS,
    DIRECTIVE_NAME,
    ITEM,
    LAZY,
    PLAIN,
    QUOTE_LAZY,
    QUOTE_LINES,
    QUOTE_MARKS,
    indented_lines,
    plain_list,
    unindented,
)
from .leaves import end_of_lazy_lines, html_to_blank_line, text_block
from .model import Block, Kind
from .scan import MAX_DEPTH, Pairs, Rule, Scan, line_offset


@dataclass(slots=True, frozen=True)
class Prefix:
    """What the lines of a container start with: how to find them, cut it off, and mark those that lack it."""

    lines: re.Pattern[str]
    strip: Callable[[str], str]
    lacking: re.Pattern[str]


@dataclass(slots=True)
class Inside:
    """What a container holds, as long as nobody has read it.

    `raw` is its lines from `line` on.  The text is `raw` less its first `head` characters, and from `below` on less
    the prefix.  `lazy` says that it has lazy lines of the containers around it, `lazies` that it has its own.
    `pairs` are those found around it that hold inside as well.
    """

    rules: Mapping[str, Rule]
    depth: int
    line: int
    raw: str
    head: int = 0
    below: int = 0
    prefix: Prefix | None = None
    lazy: bool = False
    lazies: bool = False
    pairs: dict[str, tuple[Pairs, int]] | None = None

    def text(self) -> str:
        """The lines as the document of their own that they are."""
        if not self.prefix:
            return self.raw
        first, rest = self.raw[self.head : self.below], self.raw[self.below :]
        if self.lazies:
            rest = self.prefix.lacking.sub(LAZY, rest)
        return first + self.prefix.strip(rest) if rest else first

    def read(self, known: Block | None = None) -> Scan:
        """Read it, up to a lazy line that nothing continues; from the last of the children of `known`, if given."""
        scan = Scan(self.text(), self.rules, self.line, self.depth, self.lazy or self.lazies, _pairs=self.pairs)
        if known and known.children:
            scan.resume(known.children)
        scan.read(len(scan.text))
        return scan

    def blocks(self) -> list[Block]:
        """The blocks of it."""
        return self.read().out


_QUOTE = Prefix(QUOTE_LINES, lambda lines: QUOTE_MARKS.sub("\n", f"\n{lines}")[1:], QUOTE_LAZY)


@lru_cache(64)
def indented_by(width: int) -> Prefix:
    """The prefix of a container that holds lines by their indentation."""
    return Prefix(indented_lines(width), partial(outdented, width), unindented(width))


def outdented(width: int, lines: str) -> str:
    """The lines, without so many spaces at the start of those that have them."""
    return f"\n{lines}".replace("\n" + " " * width, "\n")[1:]


def quote(scan: Scan, m: re.Match[str]) -> None:
    """CM 5.1.  `info` is the name of an alert (`> [!NOTE]`)."""
    alert = ALERT.match(scan.text, scan.pos)
    hold(scan, "quote", alert[1].upper() if alert else "", _QUOTE, 0, scan.pos)


def list_(scan: Scan, m: re.Match[str]) -> None:
    """CM 5.3.  Where the end of a list is plain to see, its items are read when somebody asks."""
    text, start, line, marker = scan.text, scan.pos, scan.line, m["list"]
    first = after = m.end("list")
    while text[first] == " ":
        first += 1
    if 0 < first - after < 5 and not scan.lazy and not scan.known:
        plain = plain_list(m.start("list") - start, marker[-1], first - after).match(text, start)
        if plain:
            end = plain.end()
            block = Block("list", line, line + text.count("\n", start, end), 0, marker)
            block._open = partial(items_of, plain[0], line, scan.depth, scan.rules)
            return leave(scan, block, end, block.end)
    return read_items(scan, marker)


def items_of(raw: str, line: int, depth: int, rules: Mapping[str, Rule]) -> list[Block]:
    """The items of the plain list that is all of `raw`, from `line` on."""
    items: list[Block] = []
    pos = 0
    while item := ITEM.match(raw, pos):
        width, below = item.end() - pos, raw.index("\n", pos) + 1
        held = indented_lines(width).match(raw, below)
        end = held.end() if held else below
        block = Block("item", line, line + 1, 0, item["marker"])
        if raw[below:end].strip(" \t\n"):
            block.end = last_line_end(raw[pos:end], line)
        elif PLAIN.match(raw, pos + width):
            block._children = [Block("paragraph", line, line + 1)]
        if block._children is None and depth < MAX_DEPTH:
            block._open = Inside(rules, depth + 1, line, raw[pos:end], width, below - pos, indented_by(width)).blocks
        items.append(block)
        line += raw.count("\n", pos, end)
        pos = end
    return items


def read_items(scan: Scan, marker: str) -> None:
    """CM 5.3: a list goes on as long as the markers are of one kind."""
    text, first, outer = scan.text, scan.line, scan.out
    items: list[Block] = []
    scan.out = items
    if (known := scan.known) and known.kind == "list" and known.start == first:
        scan.resume(known.children)
    item = ITEM.match(text, scan.pos)
    while item and item["marker"][-1] == marker[-1]:
        take_item(scan, item)
        item = ITEM.match(text, scan.pos)
    items, scan.out = scan.out, outer
    outer.append(Block("list", first, items[-1].end, 0, marker, None, items))


def take_item(scan: Scan, item: re.Match[str]) -> None:
    """CM 5.2: an item holds what is indented as far as its first text."""
    below = scan.text.index("\n", scan.pos) + 1
    blanks = BLANKS.match(scan.text, below) if item["empty"] else None
    if blanks:  # an item that starts with two blank lines stays empty
        scan.take("item", below, info=item["marker"])
        scan.line += scan.text.count("\n", below, blanks.end())
        scan.pos = blanks.end()
        return
    width = len(item["lead"]) + (len(item["gap"]) if item["gap"] else 1)
    hold(scan, "item", item["marker"], indented_by(width), min(width, below - 1 - scan.pos), below)


def footnote(scan: Scan, m: re.Match[str]) -> None:
    """`[^name]: text`, with what is indented by four below (cmark-gfm).  `info` is the name."""
    hold(scan, "footnote", m["footnote"][2:-2], indented_by(4), m.end() - scan.pos, scan.text.index("\n", scan.pos) + 1)


def hold(scan: Scan, kind: Kind, info: str, prefix: Prefix, head: int, below: int) -> None:
    """Take the container at `scan.pos`: its first line less `head` characters, and the lines from `below` on that
    have the prefix.  (All lines of a quote have it, so there `below` is `scan.pos`.)

    Runs of lazy lines are let in one, two, four … at a time, as long as a paragraph at the end of what is held
    goes on.  Each attempt resumes where the last one ended, in this container and in the open ones inside it
    (`scan.known`): so all attempts together cost no more than a small multiple of the last.
    """
    text, start, line = scan.text, scan.pos, scan.line
    known = scan.known if scan.known and scan.known.start == line and scan.known.kind == kind else None
    scan.known = None
    admitted = len(text) if known else 0
    while True:
        end, lazies, more = reach(scan, prefix.lines, below, admitted)
        raw = text[start:end]
        after = line + raw.count("\n")
        block = Block(kind, line, last_line_end(raw, line), 0, info)
        if scan.depth < MAX_DEPTH:
            inside = Inside(scan.rules, scan.depth + 1, line, raw, head, below - start, prefix, scan.lazy, lazies > 0)
            if lazies:
                inner = inside.read(known)
                block._children = inner.out
                if inner.line < after:  # a lazy line that continues nothing: the container ended before it
                    end = line_offset(text, start, inner.line - line)
                    block.end = last_line_end(text[start:end], line)
                    return leave(scan, block, end, inner.line)
            else:
                block._open = inside.blocks
        if not more or block.end < after or not continues(block):
            return leave(scan, block, end, after)
        known = block
        admitted = 2 * admitted or 1


def last_line_end(raw: str, line: int) -> int:
    """The line after the last one of `raw`, which starts on `line`, that is not blank."""
    return line + raw.rstrip(" \t\n").count("\n") + 1


def reach(scan: Scan, lines: re.Pattern[str], pos: int, admitted: int) -> tuple[int, int, bool]:
    """How far the lines of a container go with `admitted` runs of lazy lines among them.

    Returns the end, the runs let in, and whether there is another one.
    """
    lazies = 0
    while True:
        if m := lines.match(scan.text, pos):
            pos = m.end()
        lazy_end = end_of_lazy_lines(scan, pos)
        if lazy_end == pos or lazies == admitted:
            return pos, lazies, lazy_end > pos
        lazies += 1
        pos = lazy_end


def leave(scan: Scan, block: Block, pos: int, line: int) -> None:
    """Go on behind a container."""
    scan.out.append(block)
    scan.pos, scan.line = pos, line


def continues(block: Block) -> bool:
    """Whether a lazy line just below `block` would continue a paragraph at its end (CM 5.1)."""
    end = block.end
    while block.kind in ("quote", "list", "item", "footnote") and block.children:
        block = block.children[-1]
    return block.end == end and block.kind in ("paragraph", "reference")


def details(scan: Scan, m: re.Match[str]) -> None:
    """`<details>` to the end of the block with its `</details>`; without one it is plain HTML.

    What lies between is read as usual, in this same scan: a container only by grouping.
    """
    closed = scan.closed("details", m.end("details"))
    if closed is None or scan.depth >= MAX_DEPTH:
        return html_to_blank_line(scan, m)
    first, outer = scan.line, scan.out
    inside: list[Block] = []
    scan.out = inside
    scan.depth += 1
    html_to_blank_line(scan, m)
    scan.read(closed)
    scan.depth -= 1
    scan.out = outer
    outer.append(Block("details", first, inside[-1].end, 0, "", None, inside))
    return None


def directive(scan: Scan, m: re.Match[str]) -> None:
    """`:::name` to its closing colons (Docusaurus, VitePress, pandoc); without them it is text.  `info` is the name."""
    text = scan.text
    closed = scan.closed("directive", m.end("directive"))
    if closed is None:
        return text_block(scan, m)
    below = text.index("\n", scan.pos) + 1
    found, base = scan.pairs("directive")  # the inside is a part of this text, so its pairs are known
    inside = Inside(scan.rules, scan.depth + 1, scan.line + 1, text[below : text.rindex("\n", 0, closed) + 1])
    inside.pairs = {"directive": (found, base + below)}
    return take_named(scan, text.index("\n", closed) + 1, inside)


def admonition(scan: Scan, m: re.Match[str]) -> None:
    """MkDocs `!!! name`, `??? name` and `=== "tab"`, with what is indented by four below.  `info` is the name."""
    text, below = scan.text, m.end()
    body = indented_lines(4).match(text, below)
    filled = text[below : body.end() if body else below].rstrip(" \t\n")
    end = text.index("\n", below + len(filled)) + 1
    raw = outdented(4, text[below:end])
    return take_named(scan, end, Inside(scan.rules, scan.depth + 1, scan.line + 1, raw))


def take_named(scan: Scan, end: int, inside: Inside) -> None:
    """Take a directive that ends at `end`; its first line is not part of the inside."""
    m = DIRECTIVE_NAME.match(scan.text, scan.pos)
    scan.take("directive", end, info=m["name"] or "tab" if m else "")
    if scan.depth < MAX_DEPTH:
        scan.out[-1]._open = inside.blocks
