"""The reader's place in a text, and its main loop: one match per block."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .grammar import BLANKS, BLOCK, LAZY, PAIRS, fence_end_anywhere
from .model import Block, Kind

#: Containers nested deeper than this keep their lines but are not opened.
MAX_DEPTH = 32

#: What opens and is not closed within so many characters is no container: so a reader of a stream need not wait for
#: the end of the document to know.
REACH = 20_000

_LAZY_LINE = "\n" + LAZY

#: What `grammar.BLOCK` has matched whole if a blank line follows, or nothing.
WHOLE: Mapping[str, Kind] = {"plain": "paragraph", "text": "paragraph", "html6": "html", "html7": "html"}


@dataclass(slots=True, eq=False)
class Scan:
    """A text being read, from `pos` on `line` (absolute) onwards, into `out`.

    The text is the document, or the inside of a container with its indentation and markers cut off.
    `lazy` says that it has lines marked `LAZY`.
    """

    text: str
    rules: Mapping[str, Rule]
    line: int = 0
    depth: int = 0
    lazy: bool = False
    pos: int = 0
    out: list[Block] = field(default_factory=list)
    #: The block that a reading of a shorter text found here last: it goes on at least as far (see `containers.hold`).
    known: Block | None = None
    #: What a search to the end has told, once one was needed: pairs by construct, and by the opener of a formula
    #: the offset before which none closes (see `leaves.formula_end`).
    _pairs: dict[str, tuple[Pairs, int]] | None = None
    hopeless: dict[str, int] | None = None

    def read(self, stop: int) -> None:
        """Read blocks that start before `stop`, up to a lazy line that nothing continues."""
        text, rules, add = self.text, self.rules, self.out.append
        match, count, size = BLOCK.match, text.count, len(text)
        pos, line = self.pos, self.line
        while pos < stop:
            m = match(text, pos)
            if m is None:
                if blanks := BLANKS.match(text, pos):
                    line += count("\n", pos, blanks.end())
                    pos = blanks.end()
                break
            start = m.end(1)
            if start > pos:
                line += 1 if start == pos + 1 else count("\n", pos, start)
            kind = m.lastgroup or ""
            pos = m.end()
            if kind in WHOLE and (pos == size or text[pos] == "\n"):
                first = line  # by far the most common: a paragraph and a blank line
                line += count("\n", start, pos)
                add(Block(WHOLE[kind], first, line))
            elif kind == "heading":
                opened, closed = m.span("heading")
                add(Block("heading", line, line + 1, closed - opened))
                line += 1
            else:
                self.pos, self.line = start, line
                rules[kind](self, m)
                pos, line = self.pos, self.line
        self.pos, self.line = pos, line

    def resume(self, blocks: list[Block]) -> None:
        """Go on with what a reading of a shorter text found from here on: only its last block may grow."""
        *done, last = blocks
        while last.kind in ("paragraph", "reference") and done and done[-1].kind == "reference":
            last = done.pop()  # they were one paragraph
        self.out.extend(done)
        self.pos = line_offset(self.text, self.pos, last.start - self.line)
        self.line = last.start
        self.known = last

    def take(self, kind: Kind, end: int, level: int = 0, info: str = "") -> None:
        """Add the text from `pos` to `end` as a block."""
        first = self.line
        self.line += self.text.count("\n", self.pos, end)
        self.pos = end
        self.out.append(Block(kind, first, self.line, level, info))

    def take_opaque(self, kind: Kind, end: int, info: str = "") -> None:
        """As `take`, for a block that no lazy line continues."""
        if self.lazy and (cut := self.text.find(_LAZY_LINE, self.pos, end)) >= 0:
            end = cut + 1
        self.take(kind, end, info=info)

    def last_text_end(self, pos: int) -> int:
        """Where a block that nothing closes ends: after the last line that is not blank, and not before `pos`."""
        return self.text.index("\n", max(pos - 1, len(self.text.rstrip(" \t\n")))) + 1

    def closed(self, construct: str, opener: int) -> int | None:
        """Where what opens before the offset `opener` is closed (the end of the closer), or None if it is not."""
        pairs, base = self.pairs(construct)
        end = pairs.end_of(base + opener)
        return end - base if end and end - base - opener <= REACH else None

    def pairs(self, construct: str) -> tuple[Pairs, int]:
        """The pairs of a construct, and the offset of this text in the one where they were found."""
        if self._pairs is None:
            self._pairs = {}
        if construct not in self._pairs:
            self._pairs[construct] = (Pairs("\n" + self.text, PAIRS[construct]), 1)
        return self._pairs[construct]


def line_offset(text: str, pos: int, lines: int) -> int:
    """The offset `lines` lines below the line that starts at `pos`."""
    for _ in range(lines):
        pos = text.index("\n", pos) + 1
    return pos


type Rule = Callable[[Scan, re.Match[str]], None]


@dataclass(slots=True, eq=False)
class Pairs:
    """Openers (by where they end) and the closers that match them, outside fences and comments; nested ones count.

    Found in passes, each from an opener asked for to where nothing is open any more, or everything that is lies out of
    reach, so that no text is passed twice.
    """

    text: str
    tokens: re.Pattern[str]
    _ends: dict[int, int] = field(default_factory=dict)
    _passed: int = 0
    #: By character, the length from which on no fence is closed any more.
    _hopeless: dict[str, int] = field(default_factory=dict)

    def end_of(self, opener: int) -> int | None:
        """The end of the closer for the opener that ends at an offset, or None."""
        if opener > self._passed:
            self._passed = self._pass(self.text.rindex("\n", 0, opener))
        return self._ends.get(opener)

    def _pass(self, pos: int) -> int:
        text, tokens = self.text, self.tokens
        opened: dict[str, list[re.Match[str]]] = {}  # by name
        depth = 0
        horizon = pos + 2 * REACH
        while m := tokens.search(text, pos, horizon):
            pos = m.end()
            match m.lastgroup:
                case "open":
                    opened.setdefault(_name(m), []).append(m)
                    depth += 1
                    horizon = pos + 2 * REACH
                case "close" if (stack := opened.get(_name(m))) and not _longer_colons(stack[-1], m):
                    self._ends[stack.pop().end("open")] = pos
                    depth -= 1
                    if not depth:
                        return pos
                case "fence":
                    pos = self._behind_fence(m["fence"], pos)
                case "comment":
                    pos = text.find("-->", pos) + 3
                    if pos < 3:
                        return len(text)
                case "lazy":
                    return pos
        if horizon >= len(text):
            return len(text)
        return max(pos, text.rfind("\n", pos, horizon))  # what begins on that line was not seen whole

    def _behind_fence(self, marker: str, pos: int) -> int:
        """Where the fence ends whose opening line ends at `pos`; there, if nothing closes it."""
        if len(marker) >= self._hopeless.get(marker[0], len(self.text)):
            return pos
        if closer := fence_end_anywhere(marker).search(self.text, pos):
            return closer.end()
        self._hopeless[marker[0]] = len(marker)
        return pos


def _name(found: re.Match[str]) -> str:
    """What opener and closer must agree on: the name of an environment."""
    named = found.re.groupindex
    return found["name"] or found["closing"] if "name" in named else ""


def _longer_colons(opener: re.Match[str], closer: re.Match[str]) -> bool:
    return opener["open"][0] == ":" and len(opener["open"]) > len(closer["close"])
