"""The normalised text with the offset of every line: what all spans point into."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class Source:
    """`text`, and `at[i]`, the offset at which line i starts; `at[-1]` is the length of the text."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = [0]
        self.at.extend(accumulate(len(line) + 1 for line in text.split("\n")))
        self.at[-1] = len(text)

    def line_of(self, offset: int) -> int:
        """The 0-based line that holds `offset`."""
        return min(bisect_right(self.at, offset), len(self.at) - 1) - 1

    def line(self, number: int) -> str:
        """Line `number` without its newline."""
        return self.text[self.at[number] : self.at[number + 1]].rstrip("\n")

    def trim(self, start: int, end: int) -> int:
        """The end of text[start:end] without its last newline and trailing blank lines."""
        text, offset = self.text, end
        if offset > start and not text[offset - 1].isspace():
            return offset
        if offset - start > 1 and text[offset - 1] == "\n" and not text[offset - 2].isspace():
            return offset - 1  # the usual case: a line with text, and its newline
        while offset > start:
            stop = offset - 1 if text[offset - 1] == "\n" else offset
            begin = text.rfind("\n", start, stop) + 1 or start
            if text[begin:stop].strip(" \t"):
                return stop
            offset = begin
        return start

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets of lines [start, end), trailing blank lines left out."""
        first = self.at[start]
        return first, self.trim(first, self.at[end])
