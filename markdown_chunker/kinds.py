"""How each kind of block is cut when it is too big: at its own seams, into parts that still parse as what they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .model import Block, Seam
from .prose import cut_text
from .source import Source

if TYPE_CHECKING:
    from .split import Splitter

_FENCE = re.compile(r"(?P<margin>.*?)(?P<marker>`{3,}|~{3,})[^\n]*\Z")
_QUOTE_MARKS = re.compile(r"(?:[ \t]{0,3}>[ \t]?)+")
_LEADING_MARKS = re.compile(r"(?:[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]|\Z))*")
_ITEM_MARK = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)]|\[\^[^\]\n]+\]:)(?=[ \t\n]|\Z)")
#: Lines that open a block right below a paragraph, without a blank line between (CommonMark 4.8).
_OPENS_BLOCK = re.compile(r"[ \t>]*(?:[-+*][ \t]|>|```|~~~|#{1,6}[ \t])")
_FORMULA = re.compile(r"\$\$|\\\[|\\begin\{([^}\n]+)\}")
#: HTML lines at which a cut lies between rows, items or blocks.
_HTML_ROW = re.compile(r"[ \t]*</?(?:tr|li|dt|dd|tbody|thead|p|div|section|details|h[1-6]|ul|ol|table)\b", re.I)


class Place(NamedTuple):
    """Where a part begins: the seam before it, and the context to repeat above it.

    `closing` is what the end of the block lacks: the last line of a fence that the document leaves open.
    """

    seam: Seam
    depth: int = 0
    lead: str = ""
    closing: str = ""


def cut_list(s: Splitter, block: Block, place: Place) -> None:
    """Between items."""
    for item in block.children:
        _whole_or_cut(s, item, place)
        place = place._replace(seam="item")


def cut_container(s: Splitter, block: Block, place: Place) -> None:
    """Between the inner blocks; those below the first line carry that line as their lead."""
    inner = block.children
    if not inner:
        cut_lines(s, block, place)
        return
    below = _lead_of(s, block, place.lead)
    if inner[0].start > block.start:
        _lines(s, block.start, inner[0].start, place)
        place = Place("lead", place.depth + 1, below)
    for child in inner:
        if child is not inner[0]:
            s.cover(child.start)
            hangs = child.kind == "list" and child is inner[1]
            place = Place("lead" if hangs else "child", place.depth + (child is inner[1]), below)
        lead = _set_off(s, place.lead, child) if place.lead else ""
        _whole_or_cut(s, child, place._replace(lead=lead))
    s.cover(block.end)


def cut_fence(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at blank ones by preference; closed and opened again with its own fence and info string."""
    opener = s.source.line(block.start)
    opened = _FENCE.match(opener)
    if opened is None:
        cut_lines(s, block, place)
        return
    margin = _blank_marks(opened["margin"])
    suffix = f"\n{margin}{opened['marker']}"
    prefix = f"{place.lead}{opener}\n"
    if not s.is_affordable(prefix, suffix):
        prefix = f"{margin}{opened['marker']}\n"
    if not s.is_affordable(prefix, suffix):
        prefix = suffix = ""
    closed = not fence_closer(s.source, block)
    _cut_delimited(s, block, place, prefix, suffix, "" if closed else place.closing or suffix)


def cut_math(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, the delimiters repeated."""
    margin = _quote_marks(s, block.start)
    opening = _FORMULA.match(s.source.line(block.start).lstrip(" \t>"))
    delimiter = opening[0] if opening else "$$"
    ending = {"$$": "$$", "\\[": "\\]"}.get(delimiter) or delimiter.replace("begin", "end")
    prefix, suffix = f"{place.lead}{margin}{delimiter}\n", f"\n{margin}{ending}"
    if not s.is_affordable(prefix, suffix):
        prefix = suffix = ""
    _cut_delimited(s, block, place, prefix, suffix, "")


def cut_table(s: Splitter, block: Block, place: Place) -> None:
    """Between rows, header and delimiter rows repeated; a row that is too big for that, as text."""
    body = block.start + 2
    start, end = s.source.at[block.start], s.source.at[body]
    prefix = place.lead + _blank_marks(s.source.text[start:end].rstrip("\n")) + "\n"
    if body < block.end and s.fits(start, s.source.span(body, body + 1)[1], place.lead):
        body += 1  # the header does not stand alone
    _lines(s, block.start, body, place)
    for line in range(body, block.end):
        start, end = s.source.span(line, line + 1)
        _lines(s, line, line + 1, Place("row", 0, prefix if s.fits(start, end, prefix) else ""))


def cut_html(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at rows and items by preference."""
    for line in range(block.start, block.end):
        if line > block.start:
            place = Place("row") if _HTML_ROW.match(s.source.line(line)) else Place("line", 2)
        _lines(s, line, line + 1, place)


def cut_lines(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at blank ones by preference: indented code, front matter, what has no seams of its own."""
    for begin, stop in _segments(s, block.start, block.end, lambda a, b: (place.lead, "")):
        _lines(s, begin, stop, place if begin == block.start else _code_place(s, begin, place.lead))


def cut_prose(s: Splitter, block: Block, place: Place) -> None:
    """Between sentences."""
    _text(s, *s.source.span(block.start, block.end), place)


RULES: dict[str, Callable[[Splitter, Block, Place], None]] = {
    "heading": cut_prose,
    "paragraph": cut_prose,
    "reference": cut_prose,
    "hr": cut_prose,
    "definition": cut_lines,
    "front_matter": cut_lines,
    "code": cut_lines,
    "fence": cut_fence,
    "math": cut_math,
    "table": cut_table,
    "html": cut_html,
    "list": cut_list,
    "item": cut_container,
    "quote": cut_container,
    "footnote": cut_container,
    "details": cut_container,
    "directive": cut_container,
}


def fence_closer(source: Source, block: Block) -> str:
    """The closing line that a fence lacks, with the newline before it; empty for a closed one and other blocks."""
    opened = _FENCE.match(source.line(block.start)) if block.kind == "fence" else None
    if opened is None:
        return ""
    last = source.line(block.end - 1).strip(" \t>") if block.end - block.start > 1 else ""
    marker = opened["marker"]
    if last.startswith(marker) and not last.strip(marker[0]):
        return ""
    return f"\n{_blank_marks(opened['margin'])}{marker}"


# ----------------------------------------------------------------- what the rules share


def _whole_or_cut(s: Splitter, block: Block, place: Place) -> None:
    start, end = s.source.span(block.start, block.end)
    if block.kind != "list" and s.fits(start, end, place.lead):
        s.put(start, end, place)
    else:
        s.cut(block, place)


def _lines(s: Splitter, begin: int, stop: int, place: Place) -> None:
    """Lines [begin, stop) as one piece if they fit, with their lead if that fits too; as text if not."""
    start, end = s.source.span(begin, stop)
    if start == end:
        return
    if s.fits(start, end, place.lead):
        s.put(start, end, place)
    elif s.fits(start, end):
        s.put(start, end, place._replace(lead=""))
    else:
        _text(s, start, end, place)


def _text(s: Splitter, start: int, end: int, place: Place) -> None:
    """Sentences, and parts of the sentences that do not fit; quote marks stand before a part cut out of a line."""
    margin = _quote_marks(s, s.source.line_of(start))
    lead = place.lead if s.is_affordable(place.lead) else ""
    room = max(1, s.room - s.measure.of(lead))
    place = place._replace(lead=lead)
    text = s.source.text
    for begin, stop, seam in cut_text(text, start, end, s.measure, room, s.limit, margin):
        if begin > start:
            place = Place(seam, place.depth, "" if text[begin - 1] == "\n" else margin)
        s.put(begin, stop, place)


def _cut_delimited(s: Splitter, block: Block, place: Place, prefix: str, suffix: str, closing: str) -> None:
    """Cut the lines of a fence or formula.  Its first and last line stand in no part alone.

    `prefix` opens every part but the first, `suffix` closes every part but the last, `closing` the last.
    """

    def around(begin: int, stop: int) -> tuple[str, str]:
        return place.lead if begin == block.start else prefix, closing if stop == block.end else suffix

    for begin, stop in _segments(s, block.start, block.end, around):
        before, after = around(begin, stop)
        here = place if begin == block.start else _code_place(s, begin, before)
        start, end = s.source.span(begin, stop)
        if s.fits(start, end, before, after):
            s.put(start, end, here, after)
        else:
            _long_lines(s, start, end, here, (prefix, suffix, after))


def _segments(
    s: Splitter, first: int, last: int, around: Callable[[int, int], tuple[str, str]]
) -> Iterator[tuple[int, int]]:
    """Runs of lines between blank lines, or single lines where a run does not fit with what stands around it."""
    for begin, stop in _runs(s, first, last):
        if s.fits(*s.source.span(begin, stop), *around(begin, stop)) or stop - begin < 2:
            yield begin, stop
            continue
        line = begin
        while line < stop:
            upto = line + (2 if line == first else 1)
            upto = stop if stop == last and upto >= last - 1 else min(upto, stop)
            yield line, upto
            line = upto


def _runs(s: Splitter, first: int, last: int) -> Iterator[tuple[int, int]]:
    begin, blank = first, False
    for line in range(first, last):
        empty = not s.source.line(line).strip(" \t>")
        if blank and not empty and begin < line - 1 and line < last - 1:
            yield begin, line
            begin = line
        blank = empty
    yield begin, last


def _code_place(s: Splitter, line: int, lead: str) -> Place:
    """The seam before a line of code: a blank line or not, and how far the code is indented there."""
    raw = s.source.line(line).expandtabs(4)
    indent = len(raw) - len(raw.lstrip(" "))
    blank_above = not s.source.line(line - 1).strip(" \t>")
    return Place("gap" if blank_above else "line", indent // 2, lead)


def _long_lines(s: Splitter, start: int, end: int, place: Place, around: tuple[str, str, str]) -> None:
    """Lines that do not fit even alone, such as minified code: as text, with the delimiters around every part."""
    prefix, suffix, after = around
    extra = s.measure.of(suffix) + s.measure.of(after)
    room, limit = s.room - s.measure.of(place.lead) - extra, s.limit - s.measure.of(prefix) - extra
    if min(room, limit) < 1:
        _text(s, start, end, place._replace(lead=""))
        return
    parts = list(cut_text(s.source.text, start, end, s.measure, room, limit))
    for begin, stop, seam in parts:
        here = place if begin == start else Place(seam, place.depth, prefix)
        s.put(begin, stop, here, after if stop == end else suffix)


def _quote_marks(s: Splitter, line: int) -> str:
    marks = _QUOTE_MARKS.match(s.source.line(line))
    return marks[0] if marks else ""


def _blank_marks(line: str) -> str:
    """The line with the list markers at its beginning turned into indentation."""
    marks = _LEADING_MARKS.match(line)
    cut = marks.end() if marks else 0
    return re.sub(r"[^\s>]", " ", line[:cut]) + line[cut:]


def _lead_of(s: Splitter, block: Block, lead: str) -> str:
    """What to repeat above the later parts of an item, note or alert: its first line, or its marker alone."""
    line = s.source.line(block.start)
    speaks = block.kind in ("item", "footnote") or (block.info and block.kind in ("quote", "directive"))
    if not speaks or line.lstrip(" \t>").startswith(":::"):
        return lead
    if s.measure.of(lead + line) <= s.limit // 4:
        return f"{lead}{line}\n"
    quoted = _quote_marks(s, block.start)
    mark = _ITEM_MARK.match(line, len(quoted))
    short = f"{lead}{quoted}{mark[0]}\n" if mark else lead
    return short if s.measure.of(short) <= s.limit // 4 else lead


def _set_off(s: Splitter, lead: str, child: Block) -> str:
    """The lead, with a blank line below it where the child would run into its paragraph."""
    if _OPENS_BLOCK.match(s.source.line(child.start)):
        return lead
    return f"{lead}{_quote_marks(s, child.start).rstrip()}\n"
