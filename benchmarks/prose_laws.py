"""Law 4 below the level of blocks: no cut inside a grapheme cluster, word, sentence, link or image that fits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.reading import Thing, inline_spans

if TYPE_CHECKING:
    from benchmarks.laws import Check
    from markdown_chunker import Chunk

_CLOSERS = r"[\"'”’»›」』）】》〉)\]*_`~\\]*"
#: Where a sentence may end, abbreviations included.
_MAYBE = re.compile(
    rf"[。！？｡]+{_CLOSERS}[ \t]*\n?|[.!?…‽؟۔।॥]+{_CLOSERS}(?:[ \t]+|(?=\n))\n?|(?:  +|\\)\n|(?:  +|\\)(?=\n)"
)
#: Where one certainly does.
_SURELY = re.compile(r"(?<=[a-z]{5})[.!?][ \t]+(?=[A-Z])|(?<=[a-z]{5})[.!?]\n(?=[A-Z])|[。！？](?![。！？])(?=[一-鿿])")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|Dr|Mr|Mrs|Prof|vs|cf|z\.B|bzw)\.|(?<![\w.])[A-Z]\.)[ \t]+\Z")
_MARGIN = re.compile(r"[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*")
#: Scripts that are written without spaces, and full-width marks: a cut between two of these characters is no torn word.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7af\uf900-\uffef]")
_WIDE = re.compile("[\U00020000-\U0003ffff]")


def cuts(check: Check, above: Chunk, chunk: Chunk) -> Iterator[str]:
    """The violations of law 4 at a cut inside running text or inside a line."""
    cut = chunk.start_offset
    text, line = check.text, check.line(cut)
    begin, end = check.document.at[line], check.document.at[line + 1] - 1
    where = f"law 4, line {line + 1}"
    paragraph = _paragraph(check, cut)
    spans = inline_spans(check.document, paragraph) if paragraph else []
    if begin < cut < end:
        if (cluster := _cluster(text, begin, end, cut)) and check.fits_below_heading(*cluster):
            yield f"{where}: cut inside a character"
        elif (word := _word(text, begin, end, cut, spans)) and _fits_whole(check, above, chunk, word):
            yield f"{where}: cut inside the word {text[word[0] : word[1]][:40]!r}"
    if paragraph is None:
        return
    first, last = check.document.span(paragraph)
    margin = _MARGIN.match(text, begin, end)
    prefix = max(margin[0] if margin else "", chunk.prefix, key=check.config.measure)
    for start, stop in spans:
        if start < cut < stop:
            if check.fits(*_with_heading(check, start, stop), prefix):
                yield f"{where}: cut inside {text[start:stop][:40]!r}"
            return
    start, stop = _sentence(text, first, last, cut, spans)
    if start < cut < stop and check.fits(*_with_heading(check, start, stop), prefix) and not _ends(text, first, cut):
        yield f"{where}: cut inside the sentence {text[start:stop][:40]!r}"


def _fits_whole(check: Check, above: Chunk, chunk: Chunk, word: tuple[int, int]) -> bool:
    """Whether a word fits with what has to stand around it: fences, markers, headings."""
    margin = _MARGIN.match(check.text, check.document.at[check.line(word[0])])
    around = max(above.prefix, chunk.prefix, margin[0] if margin else "", key=check.config.measure) + above.suffix
    return check.fits(*_with_heading(check, *word), around)


def _with_heading(check: Check, start: int, end: int) -> tuple[int, int]:
    """From the headings above, if the text at `start` is the first below them."""
    line = check.line(start)
    if check.text[check.document.at[line] : start].strip(" \t>-+*0123456789.)"):
        return start, end
    return check.runs.get(line, start), end


def _paragraph(check: Check, cut: int) -> Thing | None:
    for thing in check.document.things:
        if thing.kind == "paragraph" and not check.document.murky(thing.start, thing.end):
            start, end = check.document.span(thing)
            if start < cut < end:
                return thing
    return None


def _sentence(text: str, first: int, last: int, cut: int, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """The stretch between two certain sentence ends around a cut."""
    start, stop = first, last
    for mark in _SURELY.finditer(text, first, last):
        if any(a < mark.end() < b for a, b in spans):
            continue
        if mark.end() <= cut:
            start = mark.end()
        else:
            stop = mark.end()
            break
    return start, stop


def _ends(text: str, first: int, cut: int) -> bool:
    """Whether a sentence may end right before the cut."""
    near = max(first, cut - 60)
    if not any(mark.end() == cut for mark in _MAYBE.finditer(text, near, min(len(text), cut + 2))):
        stripped = text[near:cut].rstrip(" \t\n")
        if not re.search(rf"(?:[。！？｡.!?…‽؟۔।॥]{_CLOSERS}|  \n|\\\n|  |\\)\Z", text[near:cut]) and not re.search(
            rf"[。！？｡.!?…‽؟۔।॥]{_CLOSERS}\Z", stripped
        ):
            return False
    return not _ABBREVIATED.search(text, near, cut)


def _word(text: str, begin: int, end: int, cut: int, spans: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The run of characters without white space strictly inside which a cut lies; none that reaches into `spans`."""

    def inner(char: str) -> bool:
        return not char.isspace() and char != "\u200b" and not _UNSPACED.match(char) and not _WIDE.match(char)

    if not (inner(text[cut - 1]) and inner(text[cut])) or text[cut - 1] + text[cut] == "><":
        return None
    start, stop = cut, cut
    while start > begin and inner(text[start - 1]):
        start -= 1
    while stop < end and inner(text[stop]):
        stop += 1
    return None if any(a < stop and start < b for a, b in spans) else (start, stop)


def _cluster(text: str, begin: int, end: int, cut: int) -> tuple[int, int] | None:
    """The grapheme cluster strictly inside which a cut lies, as far as the usual rules go."""
    start, stop = cut, cut
    while start > begin and _joined(text, begin, start):
        start -= 1
    while stop < end and _joined(text, begin, stop):
        stop += 1
    return (start, stop) if start < cut < stop else None


def _joined(text: str, begin: int, at: int) -> bool:
    """Whether the characters before and at an offset belong together (UAX #29, GB6 to GB13)."""
    before, after = text[at - 1], text[at]
    if unicodedata.category(after) in ("Mn", "Me", "Mc") or after in "\u200d\ufe0f\ufe0e":
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if before == "\u200d":
        return unicodedata.category(after) == "So"
    if _is_flag(before) and _is_flag(after):
        run = at
        while run > begin and _is_flag(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 1
    return False


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
