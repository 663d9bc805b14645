"""How each kind of block is cut when it is too big: at its own seams, into parts that still parse as what they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from .leads import (
    INDENTED,
    MARKED,
    Place,
    blank_marks,
    margin_of,
    marked,
    marks_inside,
    past_marker,
    place_below,
    quote_marks,
    set_off,
)
from .model import Block
from .prose import Frame, cut_text
from .source import Source
from .tables import is_table

if TYPE_CHECKING:
    from .split import Splitter

_FENCE = re.compile(r"(?P<margin>.*?)(?P<marker>`{3,}|~{3,})[^\n]*\Z")
_FORMULA = re.compile(r"([^\n]*?)(\$\$|\\\[|\\begin\{[^}\n]+\})")
#: The head of an HTML table: up to `</thead>`, or to the end of a first row of `<th>`; else its opening tag alone.
_TABLE_UP_TO = r"[ \t]*<table\b(?:[^<]|<(?!/?(?:table|tbody{})\b))*?"
_TABLE_TAG = r"[ \t]*<table\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+>"
_HTML_HEAD = re.compile(
    rf"(?:{_TABLE_UP_TO.format('')}</thead>|{_TABLE_UP_TO.format('|td')}</th>\s*</tr>|{_TABLE_TAG})"
    r"(?:[ \t]*(?:<tbody>)?[ \t]*\n)?",
    re.I,
)
_HTML_TABLE_ROW = re.compile(r"<tr\b", re.I)
_HTML_ROW_END = re.compile(r"</tr>(?:[ \t]*\n)?", re.I)
#: HTML lines at which a cut lies between rows, items or blocks.
_HTML_ROW = re.compile(r"[ \t]*</?(?:tr|li|dt|dd|tbody|thead|p|div|section|details|h[1-6]|ul|ol|table)\b", re.I)


def cut_list(s: Splitter, block: Block, place: Place, rest: Place | None = None) -> None:
    """Between items; those below the first stand at `rest`, if the list begins on the line of an item around it."""
    for item in block.children:
        if item is not block.children[0]:
            place = set_off(s, rest, item)._replace(seam="item") if rest else place
            s.cover(item.start, place.lead)
        _whole_or_cut(s, item, place)
        place = place._replace(seam="item")


def cut_container(s: Splitter, block: Block, place: Place) -> None:
    """Between the inner blocks; those below the first line carry that line as their lead."""
    inner = block.children
    if not inner:
        cut_lines(s, block, place)
        return
    inside = marks_inside(s, block, place)
    below = place_below(s, block, place)._replace(inside=inside)
    # a quote on an item's line: its later blocks stand behind the item's marker and the quote's mark
    quoted = f"{place.behind} >" if place.behind and block.kind == "quote" else place.behind
    place = place._replace(inside=inside, behind=inside if block.kind in MARKED else quoted)
    if inner[0].start > block.start:
        _lines(s, block.start, inner[0].start, place)
        place = set_off(s, below._replace(seam="lead", depth=place.depth + 1), inner[0])
    held = False
    for child in inner:
        if child is not inner[0] and not held:
            hangs = child.kind == "list" and child is inner[1]
            deeper = place.depth + (child is inner[1])
            place = set_off(s, below._replace(seam="lead" if hangs else "child", depth=deeper), child)
            s.cover(child.start, place.lead)
        held = child.kind == "heading" and child is not inner[-1] and s.hold(child, place)
        if child.kind == "list" and (child is inner[0] or place.behind) and not held:
            cut_list(s, child, place, below)
        elif not held:
            _whole_or_cut(s, child, place)
    s.cover(block.end)


def cut_fence(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at blank ones by preference; closed and opened again with its own fence and info string."""
    opener = s.source.line(block.start)
    opened = _FENCE.match(opener)
    if opened is None:
        cut_lines(s, block, place)
        return
    margin, marker = blank_marks(opened["margin"]), opened["marker"]
    suffix = f"\n{margin}{marker}"
    before, info = marked(place, opened["margin"]), opener[len(margin) :]
    openers = (place.lead + before + info, place.bare + before + info, place.bare + before + marker)
    prefix = next((f"{line}\n" for line in openers if s.is_affordable(line, margin, suffix)), "")
    if not prefix:
        suffix = margin = ""
    closing = (place.closing or suffix) if prefix and fence_closer(s.source, block) else ""
    _cut_delimited(s, block, place, Frame("", prefix, True, suffix, closing), margin)
    if not prefix:
        s.torn = "block"


def cut_math(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, the delimiters repeated."""
    opening = _FORMULA.match(s.source.line(block.start))
    raw, delimiter = opening.groups() if opening else ("", "$$")
    margin = blank_marks(raw)
    ending = {"$$": "$$", "\\[": "\\]"}.get(delimiter) or delimiter.replace("begin", "end")
    prefix, suffix = f"{place.bare}{marked(place, raw)}{delimiter}\n", f"\n{margin}{ending}"
    if not s.is_affordable(prefix, margin, suffix):
        prefix = suffix = margin = ""
    _cut_delimited(s, block, place, Frame("", prefix, True, suffix, ""), margin)


def cut_table(s: Splitter, block: Block, place: Place) -> None:
    """Between rows, header and delimiter rows repeated; a row that is too big for that, as text on its own."""
    body, below = block.start + 2, past_marker(place)
    start, end = s.source.at[block.start], s.source.at[body]
    header = s.source.text[start:end].rstrip("\n") + "\n"
    margin = margin_of(header)
    header = marked(place, margin) + header[len(margin) :]
    if body < block.end and s.fits(start, s.source.span(body, body + 1)[1], place.lead):
        body += 1  # the header does not stand alone
    _lines(s, block.start, body, place)
    for line in range(body, block.end):
        start, end = s.source.span(line, line + 1)
        prefix = next((lead + header for lead in (place.lead, place.bare) if s.fits(start, end, lead + header)), "")
        _lines(s, line, line + 1, Place("row", 0, prefix or below.bare, below.bare))
        s.torn = "" if prefix else "line"


def cut_html(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at rows and items by preference; the head of a table is repeated above its rows."""
    text, begin = s.source.text, s.source.at[block.start]
    head = _table_head(s, block)
    below = past_marker(place)
    for start, stop in _html_parts(s, block, len(head), place.lead):
        here, is_row = place, _HTML_ROW.match(text, start) is not None
        if start > begin:
            leads = (below.lead + head, below.bare + head) if head and start >= begin + len(head) else ()
            lead = next((lead for lead in leads if s.fits(start, stop, lead)), below.lead)
            here = below._replace(seam="row" if is_row else "line", depth=0 if is_row else 2, lead=lead)
        if s.fits(start, stop):
            s.put(start, stop, _fitting(s, start, stop, here) or here._replace(lead=""))
        else:
            _text(s, start, stop, here)


def _html_parts(s: Splitter, block: Block, head: int, lead: str) -> Iterator[tuple[int, int]]:
    """Lines of HTML, and the table rows in a line that does not fit; up to the end of the first row if that fits.

    The rows of a table begin behind its first `head` characters.
    """
    text, begin, end = s.source.text, s.source.at[block.start], s.source.at[block.end]
    start = begin
    if is_table(s.source, block) and (row := _HTML_ROW_END.search(text, begin + head, end)):  # no head stands alone
        first = s.source.trim(begin, row.end())
        if s.fits(begin, first, lead):
            yield begin, first
            start = row.end()
    while start < end:
        below = text.find("\n", start, end) + 1 or end
        stop = s.source.trim(start, below)
        cuts = [] if s.fits(start, stop) else [row.start() for row in _HTML_TABLE_ROW.finditer(text, start + 1, stop)]
        yield from (part for part in pairwise((start, *cuts, stop)) if part[0] < part[1])
        start = below


def _table_head(s: Splitter, block: Block) -> str:
    """The lines of an HTML table down to the end of its header rows; empty for other HTML, or if they take too much."""
    start, end = s.source.at[block.start], s.source.at[block.end]
    head = _HTML_HEAD.match(s.source.text, start, end)
    return head[0] if head and s.is_affordable(head[0]) else ""


def cut_lines(s: Splitter, block: Block, place: Place) -> None:
    """Between lines, at blank ones by preference: indented code, front matter, what has no seams of its own."""
    below = past_marker(place)
    for begin, stop in _segments(s, block.start, block.end, lambda a, b: (below.lead, "")):
        here = place if begin == block.start else _code_place(s, begin, below)
        _lines(s, begin, stop, here, code=block.kind == "code")


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
    return f"\n{blank_marks(opened['margin'])}{marker}"


# ----------------------------------------------------------------- what the rules share


def _whole_or_cut(s: Splitter, block: Block, place: Place) -> None:
    start, end = s.source.span(block.start, block.end)
    fitting = None if block.kind == "list" else _fitting(s, start, end, place)
    if fitting:
        s.put(start, end, fitting)
    else:
        s.cut(block, place)


def _fitting(s: Splitter, start: int, end: int, place: Place) -> Place | None:
    """The place with the longest lead that fits; none only where the text parses the same without, or not at all."""
    if s.fits(start, end, place.lead):
        return place
    if s.fits(start, end, place.bare):
        return place._replace(lead=place.bare)
    if s.fits(start, end) and not INDENTED.match(s.source.text, start):
        return place._replace(lead="")
    return None


def _lines(s: Splitter, begin: int, stop: int, place: Place, code: bool = False) -> None:
    """Lines [begin, stop) as one piece if they fit, with their lead if that fits too; as text if not."""
    start, end = s.source.span(begin, stop)
    if start == end:
        return
    if fitting := _fitting(s, start, end, place):
        s.put(start, end, fitting)
    elif s.fits(start, end):
        s.put(start, end, place._replace(lead=""))
    elif stop - begin > 1:
        for line in range(begin, stop):
            _lines(s, line, line + 1, place if line == begin else place._replace(seam="line"), code)
    else:
        _text(s, start, end, place, code)


def _text(s: Splitter, start: int, end: int, place: Place, code: bool = False) -> None:
    """Sentences, and parts of the sentences that do not fit.

    A part cut out of a line stands behind its quote marks, or behind its indentation if it is code; a part of an
    item's text stands behind the item's marker.
    """
    lead = next((lead for lead in (place.lead, place.bare) if s.is_affordable(lead)), "")
    s.make_room(start, start, lead, "")
    text = s.source.text
    margin = f"{place.inside} " if place.inside else quote_marks(s, s.source.line_of(start))
    if code:
        line = text[start:end]
        margin = line[: len(line) - len(line.lstrip(" \t>"))]
    if not s.is_affordable(margin):
        margin = ""
    frame = Frame(lead, margin, bool(place.inside and margin), outdent=not code)
    for begin, stop, seam in cut_text(text, start, end, s.measure, s.limit, frame, s.origin(start)):
        here = place._replace(lead=lead)
        if begin > start:
            here = Place(seam, place.depth, frame.before(text, begin, start))
        s.put(begin, stop, here)


def _cut_delimited(s: Splitter, block: Block, place: Place, frame: Frame, margin: str) -> None:
    """Cut the lines of a fence or formula.  Its first and last line stand in no part alone.

    The frame's prefix opens every part but the first, its suffix closes every part but the last.
    Parts cut out of a line have the `margin` that their line had.
    """

    def around(begin: int, stop: int) -> tuple[str, str]:
        lead = place.bare if begin == block.start else frame.prefix
        return lead, frame.closing if stop == block.end else frame.suffix

    for begin, stop in _segments(s, block.start, block.end, around):
        before, after = around(begin, stop)
        here = place if begin == block.start else _code_place(s, begin, place._replace(lead=before, bare=before))
        start, end = s.source.span(begin, stop)
        if s.fits(start, end, here.lead, after):
            s.put(start, end, here, after)
        elif s.fits(start, end, before, after):
            s.put(start, end, here._replace(lead=before), after)
        else:
            _long_lines(s, start, end, here._replace(lead=before), frame._replace(closing=after), margin)


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
            while upto < stop and not s.source.line(upto).strip(" \t>"):
                upto += 1
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


def _code_place(s: Splitter, line: int, place: Place) -> Place:
    """The seam before a line of code: a blank line or not, and how far the code is indented there."""
    raw = s.source.line(line).expandtabs(4)
    indent = len(raw) - len(raw.lstrip(" "))
    blank_above = not s.source.line(line - 1).strip(" \t>")
    return place._replace(seam="gap" if blank_above else "line", depth=indent // 2)


def _long_lines(s: Splitter, start: int, end: int, place: Place, frame: Frame, margin: str) -> None:
    """Lines that do not fit even alone, such as minified code: as text, with the delimiters around every part."""
    text = s.source.text
    frame = frame._replace(lead=place.lead, prefix=frame.prefix + margin)
    if not s.is_affordable(frame.prefix, frame.suffix):
        frame = Frame(place.lead)
    opening = text.find("\n", start, end) + 1  # of a fence: no part holds less than it and a character of code
    s.make_room(start, opening or start, frame.lead, frame.suffix)
    for begin, stop, seam in cut_text(text, start, end, s.measure, s.limit, frame, s.origin(start)):
        here = place
        if begin > start:
            prefix = frame.prefix.removesuffix(margin) if text[begin - 1] == "\n" else frame.prefix
            here = Place(seam, place.depth, prefix)
        s.put(begin, stop, here, frame.closing if stop == end else frame.suffix)
