"""Where a cut inside a text would tear an inline construct, or make another block of what follows it."""

from __future__ import annotations

import re
from bisect import bisect_right

from .grammar import HTML_START

#: A bracket behind one backslash, or three, is text.
_LINK = (
    r"\[(?<![^\\]\\\[)(?<![^\\]\\\\\\\[)(?:[^\[\]\\]|\\.|!?\[(?:[^\[\]\\]|\\.)*+\](?:\([^()\n]*+\))?)*+\]"
    r"(?:\((?:[^()\\]|\\.|\([^()\n]*+\))*+\)|\[[^\[\]]*+\])?"
)
#: Inline constructs that are not cut while they fit: code spans, images and links (an image inside a link too),
#: autolinks and bare addresses, inline formulas.  Each begins with a literal character: a search skips to them.
_INLINE = re.compile(
    r"`(?<!``)(`*+)[\s\S]{1,2000}?(?<!`)`\1(?!`)"
    rf"|!(?<![^\\]\\!)(?<![^\\]\\\\\\!){_LINK}|{_LINK}"
    r"|<[A-Za-z/!?][^<>]*+>"
    r"|\$(?<!\S\$)[^$\n\s](?:[^$\n]*[^$\n\s])?\$(?!\w)"
    r"|https?://[^\s<>\u3000-\u9fff\uff00-\uffef]++"
)
#: What would open another block at the start of a chunk: below a line of a paragraph, and within a line.
_OPENS_BELOW = re.compile(r"[ \t>]*(?:\d{1,9}[.)][ \t\n]|[-+*]\n|</?[A-Za-z]|\[[^\[\]\n]+\]:)|[ \t]*>[ >]*? {5,}\S")
_OPENS_WITHIN = re.compile(r"(?:\d{1,9}[.)][ \t\n]|[-+*][ \t\n]|#{1,6}[ \t\n]|>|```|~~~)")
_OPENS_HTML = re.compile(HTML_START)


class Guarded:
    """The inline constructs of text[start:end].

    White space before what would open a block at the start of a chunk is one together with it; to a tag that would
    open a block of HTML belongs the word before it.
    """

    __slots__ = ("_end", "_ends", "_gap", "_starts", "_text")

    def __init__(self, text: str, start: int, end: int) -> None:
        spans: list[tuple[int, int]] = []
        for m in _INLINE.finditer(text, start, end):
            begin, stop = m.span()
            if text[begin] == "<" and _OPENS_HTML.match(text, begin):
                begin = _word_before(text, begin, spans, start)
            spans.append((begin, stop))
        self._text = text
        self._end = end
        self._starts = [span[0] for span in spans]
        self._ends = [span[1] for span in spans]
        self._gap = (0, 0, False)  # the white space asked about last, and whether it is guarded

    def start_of(self, offset: int) -> int:
        """The start of the construct strictly inside which `offset` lies, or -1."""
        i = bisect_right(self._starts, offset - 1) - 1
        if i >= 0 and offset < self._ends[i]:
            return self._starts[i]
        text, before = self._text, offset - 1
        if text[before] == "\n":
            return before if _OPENS_BELOW.match(text, offset, self._end) else -1
        if text[before] not in " \t":
            return -1
        if not self._gap[0] < offset <= self._gap[1]:
            self._gap = self._gap_around(offset)
        begin, _, is_guarded = self._gap
        return begin if is_guarded else -1

    def _gap_around(self, offset: int) -> tuple[int, int, bool]:
        text, begin, end = self._text, offset, offset
        while begin and text[begin - 1] in " \t":
            begin -= 1
        while end < self._end and text[end] in " \t":
            end += 1
        return begin, end, _OPENS_WITHIN.match(text, end, self._end) is not None


def _word_before(text: str, at: int, spans: list[tuple[int, int]], start: int) -> int:
    """Where the word before `at` begins, be it the last of the spans, which is then taken out of them."""
    floor = spans[-1][1] if spans else start
    word = text[floor:at].rstrip(" \t")
    gap = max(map(word.rfind, " \t\n")) + 1
    return floor + gap if gap or not spans else spans.pop()[0]
