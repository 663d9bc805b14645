"""Where running text may be cut: sentences, lines, clauses, words, grapheme clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .graphemes import is_grapheme_boundary
from .inline import Guarded
from .measure import Measure
from .model import Seam

_CLOSERS = "\"'”’»›」』）】》〉)\\]*_`~"
_CJK_STOPS, _STOPS = "。！？｡", ".!?…‽؟۔।॥"
#: A full stop in a script with spaces needs a space or line end behind it; a CJK one does not.  A hard line break
#: ends one too (CommonMark 6.7).  The first character is matched by itself: a search skips to it.  In a run of stops
#: only the first is tried, so that endless runs take no longer.
_SENTENCE_END = re.compile(
    rf"[{_CJK_STOPS}{_STOPS}\n](?:(?<=[{_CJK_STOPS}])[{_CJK_STOPS}]*[{_CLOSERS}]*[ \t]*"
    rf"|(?<=[{_STOPS}])(?<![{_STOPS}].)[{_STOPS}]*+(?:[ \u00a0\u202f]»)?[{_CLOSERS}]*(?:[ \t]+|(?=\n)|\Z)"
    r"|(?<=  \n)|(?<=\\\n))"
)
#: Words whose full stop ends no sentence, lower case, without the stop.
_ABBREVIATIONS = frozenset(
    # English
    "al approx apr art aug ca cf ch col corp dec dept dr ed eds eg esp est etc ex feb fig figs gen hon ie inc incl jan "
    "jr jul jun lt ltd mar max min misc mr mrs ms mt no nos nov oct op para pp prof ref rev sec sect sen sep sept sgt "
    "sr st tab vol vs viz "
    # German, French, Spanish, Portuguese
    "abb abs anm art bd bspw bzgl bzw evtl ggf hrsg inkl kap lfd mio mrd nr sog tel usw vgl zzgl av bd env éd mlle mme "
    "ch apdo avda dra dña pág págs sra sras srta ud uds vd nº prof "
    # Russian
    "гл г гг им ил кв млн млрд напр обл пер пр рис руб см ср стр тыс ул др".split()
)
_LAST_WORD = re.compile(r"[\w.]*\Z")
_QUOTED = re.compile(r"[ \t]*>")
_LINE_END = re.compile(r"(?:[ \t]{0,99}\n)+")
_INDENTATION = re.compile(r"[ \t]*(?=[^ \t\n])")
_MARKS = re.compile(r"[ \t>]*(?:(?:#{1,6}|[-+*]|\d{1,9}[.)])[ \t]+)*")
_SPACES = " \t\n\u3000\u200b\u2028\u2029\x0b\x0c\x85"
#: Marks after which a sentence may be cut, dearest seam last; the first two count in the second half only.
_CUTS: tuple[tuple[str, bool, Seam], ...] = (
    ("\n", False, "line"),
    (",、，;；:：—|", False, "clause"),
    (_SPACES, True, "word"),
)


class Frame(NamedTuple):
    """What stands around the parts of a text that is cut, and is counted with them.

    `lead` opens the first part; `prefix` every other one, or only those that begin inside a line if it is not
    `everywhere`; `suffix` closes every part but the last, `closing` that one.  `outdent` leaves out the
    indentation at a cut between lines, where it would make code of the text, or stand behind a prefix.
    """

    lead: str = ""
    prefix: str = ""
    everywhere: bool = False
    suffix: str = ""
    closing: str = ""
    outdent: bool = False

    def before(self, text: str, at: int, first: int) -> str:
        """What opens the part that begins at `at`, in a text that begins at `first`."""
        if at == first:
            return self.lead
        if text[at - 1] != "\n":
            return self.prefix
        if not self.everywhere:
            return ""
        return f"{self.prefix[:-1]}\n" if self.outdent and _QUOTED.match(text, at) else self.prefix

    def text_start(self, text: str, cut: int) -> int:
        """Where the next part begins after a cut: at the cut, or behind the blank end of a line or the indentation."""
        if end := _LINE_END.match(text, cut):
            cut = end.end()
        if not self.outdent or text[cut - 1 : cut] != "\n":
            return cut
        m = _INDENTATION.match(text, cut)
        if not m or (text[m.end() : m.end() + 1] == ">" and ">" in self.prefix):
            return cut
        return m.end() if self.everywhere or m.end() - cut > 3 or "\t" in m[0] else cut


def cut_text(
    text: str, start: int, end: int, measure: Measure, limit: int, frame: Frame, origin: int
) -> Iterator[tuple[int, int, Seam]]:
    """Cut text[start:end] into parts that fit: yields (start, end, seam before the part), in order, without gaps.

    The first part is measured from `origin`, where headings that stay with it begin.
    Sentences stay whole if they fit; then the best place near the limit is taken.
    """
    guarded = Guarded(text, start, end)
    seam: Seam = "block"
    for begin, stop in _sentences(text, start, end, guarded):
        begin = begin if begin == start else frame.text_start(text, begin)
        stop = min(end, frame.text_start(text, stop)) if stop < end else end
        if start < begin >= stop:
            continue  # blank lines alone: the part before has them
        newline = text.find("\n", begin + len(text[begin:stop].rstrip(" \t\n")), stop)
        last = newline if newline >= 0 else stop  # blank lines at the end of a part are not in its content
        while True:
            lead = frame.before(text, begin, start)
            base = origin if begin == start else begin
            if measure.fits(base, last, limit, lead, frame.closing if stop == end else frame.suffix):
                break
            furthest = max(begin + 1, measure.reach(base, stop, limit, lead, frame.suffix))
            cut, following = _best_cut(text, begin, furthest, guarded)
            if following in ("word", "grapheme") and stop - cut < (cut - begin) // 4:
                earlier, seam_there = _best_cut(text, begin, (begin + stop) // 2, guarded)  # no crumb of a rest
                if text[begin:earlier].strip() and (seam_there != "grapheme" or following == "grapheme"):
                    cut, following = earlier, seam_there
            blanks = len(text[cut : frame.text_start(text, cut)].rstrip("\n"))
            if blanks and not measure.fits(base, cut + blanks, limit, lead, frame.suffix):  # they belong to the part
                cut, following = _best_cut(text, begin, max(begin + 1, furthest - blanks), guarded)
            cut = frame.text_start(text, cut)
            if cut >= stop:
                break
            yield begin, cut, seam
            begin, seam = cut, following
        yield begin, stop, seam
        seam = "sentence"


def tail_start(text: str, start: int, end: int, most: int) -> int:
    """Where the last part of text[start:end] of at most `most` characters may begin: a sentence, else a word."""
    near = max(start, end - 4 * most - 200)
    guarded = Guarded(text, near, end)
    for begin, _ in _sentences(text, near, end, guarded):
        if end - begin <= most and begin > start:
            return begin
    return _word_after(text, end - most, end, guarded)


def head_end(text: str, start: int, end: int, most: int) -> int:
    """Where the first part of text[start:end] of at most `most` characters may end: a sentence, else a word."""
    near = min(end, start + 4 * most + 200)
    guarded = Guarded(text, start, near)
    best = start
    for _, stop in _sentences(text, start, near, guarded):
        if stop - start > most:
            break
        best = stop
    if best > start and best < end:
        return best
    cut = _last_of(text, start, start + most, " \t\n", guarded)
    return cut if cut > start else start


def _sentences(text: str, start: int, end: int, guarded: Guarded) -> Iterator[tuple[int, int]]:
    begin = start
    for mark in _SENTENCE_END.finditer(text, start, end):
        stop = mark.end()
        if stop < end and text[stop] == "\n" != text[stop - 1]:
            stop += 1
        if stop >= end:
            break
        if (
            stop == begin
            or guarded.start_of(stop) >= 0
            or (text[mark.start()] == "." and _abbreviates(text, start, mark, stop))
        ):
            continue
        yield begin, stop
        begin = stop
    if begin < end:
        yield begin, end


def _abbreviates(text: str, start: int, mark: re.Match[str], stop: int) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial or a list number, not to a sentence."""
    if mark[0].rstrip(" \t") != ".":
        return False
    found = _LAST_WORD.search(text, max(start, mark.start() - 20), mark.start())
    word = found[0] if found else ""
    following = text[stop : stop + 1]
    if following.islower() or "." in word:
        return following.islower() or not following.isupper()
    if word.isdigit():
        line = text.rfind("\n", start, mark.start()) + 1
        return text[max(line, start) : mark.start() - len(word)].strip(" \t>") == ""
    if len(word) == 1:  # J. Doe, z. B. this, д. 5
        return word.isupper() or following.isdigit() or text[stop + 1 : stop + 2] == "." or word in _ABBREVIATIONS
    return word.lower() in _ABBREVIATIONS


def _best_cut(text: str, start: int, furthest: int, guarded: Guarded) -> tuple[int, Seam]:
    """The last good place in (start, furthest]: a line end or clause in its second half, a word, a cluster."""
    half = (start + furthest) // 2
    marked = _MARKS.match(text, start, furthest)
    bare = marked.end() if marked else start  # markers do not stand alone
    for marks, anywhere, seam in _CUTS:
        floor = bare if anywhere else max(bare, half)
        cut = _last_of(text, floor, furthest, marks, guarded)
        if cut > floor:
            return cut, seam
    opening = guarded.start_of(furthest)
    if opening > bare:
        return opening, "word"
    if opening >= 0:  # a construct that does not fit on its own
        cut = _last_of(text, bare, furthest, _SPACES, None)
        if cut > bare:
            return cut, "word"
    cut = furthest
    while cut > start and not is_grapheme_boundary(text, cut, start):
        cut -= 1
    return (cut if cut > start else furthest), "grapheme"


def _last_of(text: str, start: int, end: int, marks: str, guarded: Guarded | None) -> int:
    """The offset after the last of `marks` in text[start:end] that lies in no inline construct, or `start`.

    A mark other than white space counts only with white space behind it, unless it is full-width; a dash is where the
    next character is.
    """
    best = start
    for mark in marks:
        at = text.rfind(mark, best, end)
        while at >= best:
            stop = at + 1
            is_narrow = mark < "\u2000" or (mark == "—" and text[stop : stop + 1] < "\u2e80")
            if is_narrow and not mark.isspace():
                stop = at + 2 if text[at + 1 : at + 2] in (" ", "\n", "\t") else 0
            if best < stop <= end:
                opening = guarded.start_of(stop) if guarded else -1
                if opening < 0:
                    best = stop
                    break
                at = min(at, opening)
            at = text.rfind(mark, best, at)
    return best


def _word_after(text: str, at: int, end: int, guarded: Guarded) -> int:
    """The start of the first word at or after `at` that is in no inline construct; `end` if there is none."""
    while at < end:
        if text[at - 1].isspace() and not text[at].isspace() and guarded.start_of(at) < 0:
            return at
        at += 1
    return end
