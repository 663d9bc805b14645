"""What stands above a part of a block that is cut: the markers and first lines without which it would not parse.

An item's text parses as its text only below the item's marker, a quote's only behind its marks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .grammar import MARKER
from .model import Block, Seam

if TYPE_CHECKING:
    from .split import Splitter

_QUOTE_MARKS = re.compile(r"(?:[ \t]{0,3}>[ \t]?)+")
_LEADING_MARKS = re.compile(rf"(?:[ \t>]*{MARKER}(?=[ \t]|\Z))*")
_ITEM_MARK = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)]|\[\^[^\]\n]+\]:)(?=[ \t\n]|\Z)")
#: Lines that open a block right below a paragraph, without a blank line between (CommonMark 4.8).
_OPENS_BLOCK = re.compile(r"[ \t>]*+(?:[-+*][ \t]|```|~~~)")
#: Kinds that such a line can begin; in indented code it is text.
_OPENING_KINDS = frozenset({"list", "item", "fence"})
#: Kinds of blocks that a marker opens, and whose text is indented as far as it stands behind the marker.
MARKED = frozenset({"item", "footnote"})
#: A lead that ends in a bare marker, which takes what is below it as its text.
_BARE = re.compile(r"(?:\A|(?:^|\n)[ \t>]*(?:(?:[-+*]|\d{1,9}[.)]|\[\^[^\]\n]+\]:)[ \t]*)*\n)\Z")
#: A line that parses as something else when it stands alone.
INDENTED = re.compile(r"[ >]*?(?: {4}|\t)")


class Place(NamedTuple):
    """Where a part begins: the seam before it, and the context to repeat above it.

    `lead` are the first lines of the items and notes around it, `bare` only their markers: the least that makes
    it parse as what it is.  `inside` are the markers that a later part of a text needs, the last on its own line;
    `behind` are the same markers where `bare` lacks them, because the block begins on their line.
    `closing` is what the end of the block lacks: the last line of a fence that the document leaves open.
    """

    seam: Seam
    depth: int = 0
    lead: str = ""
    bare: str = ""
    inside: str = ""
    behind: str = ""
    closing: str = ""


def quote_marks(s: Splitter, line: int) -> str:
    """The marks of quotes at the beginning of a line."""
    marks = _QUOTE_MARKS.match(s.source.line(line))
    return marks[0] if marks else ""


def blank_marks(line: str) -> str:
    """The line with the list markers at its beginning turned into indentation."""
    marks = _LEADING_MARKS.match(line)
    cut = marks.end() if marks else 0
    return re.sub(r"[^\s>]", " ", line[:cut]) + line[cut:]


def margin_of(line: str) -> str:
    """The markers at the beginning of a line, with the white space behind them."""
    marks = _LEADING_MARKS.match(line)
    rest = line[marks.end() :] if marks else line
    return line[: len(line) - len(rest.lstrip(" \t>"))]


def past_marker(place: Place) -> Place:
    """The place of what stands below the line of a marker, in a block that begins behind that marker."""
    bare = f"{place.behind}\n"
    return place._replace(lead=bare, bare=bare, behind="") if place.behind else place


def marked(place: Place, margin: str) -> str:
    """What a line that stands behind a margin has before it, when it is repeated below `place.bare`."""
    blank = blank_marks(margin)
    if not place.behind:
        return blank
    return f"{place.behind.removeprefix(place.bare)} " if margin == blank else margin


def place_below(s: Splitter, block: Block, place: Place) -> Place:
    """The place of what stands below the first line of an item, note or alert: that line, or its marker, repeated."""
    line = s.source.line(block.start)
    speaks = block.kind in ("item", "footnote") or (block.info and block.kind in ("quote", "directive"))
    if not speaks or line.lstrip(" \t>").startswith(":::"):
        return past_marker(place)
    quoted = quote_marks(s, block.start)
    mark = _ITEM_MARK.match(line, len(quoted))
    bare = _under(place.bare, quoted + mark[0], quoted) if mark else place.bare
    if not s.is_affordable(bare):
        bare = place.bare
    leads = (_under(place.lead, line, quoted), _under(place.bare, line, quoted)) if _begins_with_text(block) else ()
    lead = next((lead for lead in leads if s.measure.of(lead) <= s.limit // 4), bare)
    return place._replace(lead=lead, bare=bare, behind="")


def _begins_with_text(block: Block) -> bool:
    """Whether the first line is text that can be repeated: that of a fence would open one, that of a list an item."""
    return bool(block.children) and block.children[0].kind in ("paragraph", "heading")


def _under(lead: str, line: str, quoted: str) -> str:
    """A line below a lead, with a blank line between where it would run into the lead's text."""
    if not _BARE.search(lead) and not _OPENS_BLOCK.match(line):
        lead += f"{quoted.rstrip()}\n"
    return f"{lead}{line}\n"


def set_off(s: Splitter, place: Place, child: Block) -> Place:
    """The place, with a blank line below its lead where the child would run into the lead's text."""
    opens = child.kind in _OPENING_KINDS and _OPENS_BLOCK.match(s.source.line(child.start))
    if not place.lead or _BARE.search(place.lead) or opens:
        return place
    return place._replace(lead=f"{place.lead}{quote_marks(s, child.start).rstrip()}\n")


def marks_inside(s: Splitter, block: Block, place: Place) -> str:
    """The markers that a later part of the text in a block needs, so that what follows it still hangs on its item."""
    if block.kind not in MARKED:
        return f"{place.inside} >" if place.inside and block.kind == "quote" else place.inside
    line = s.source.line(block.start)
    quoted = quote_marks(s, block.start)
    mark = _ITEM_MARK.match(line, len(quoted))
    is_alone = len(block.children) < 2 and not place.bare and block.info in ("-", "+", "*")
    if not mark or (is_alone and not INDENTED.match(blank_marks(line))):
        return ""
    inside = place.bare + quoted + mark[0]
    return inside if s.is_affordable(inside) else ""
