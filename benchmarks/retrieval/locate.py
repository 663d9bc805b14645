"""Where a chunk's text stands in the document, for chunkers that do not say.

White space is left out of both texts.  A chunk is the first match after the start of the chunk before it, else
the first in the document.  A chunk that is not in the document as it is (a repeated header, changed or joined lines)
is looked up line by line, forward from the chunk before, and so may have several spans; lines of fewer than
SHORTEST characters that are not found are left out.
"""

from __future__ import annotations

from .corpus import Span

SHORTEST = 4


class Locator:
    """Finds the chunks of one document, to be asked in their order."""

    def __init__(self, text: str) -> None:
        self._at = [i for i, c in enumerate(text) if not c.isspace()]
        self._bare = "".join(text.split())
        self._from = 0

    def find(self, chunk: str) -> tuple[Span, ...]:
        """The spans of a chunk, ascending; none if nothing of it is in the document."""
        whole = self._match("".join(chunk.split()), self._from)
        if whole is not None:
            self._from = whole[0] + 1
            return (self._span(*whole),)
        return self._by_lines(chunk)

    def _by_lines(self, chunk: str) -> tuple[Span, ...]:
        found: list[tuple[int, int]] = []
        position = self._from
        for line in chunk.split("\n"):
            bare = "".join(line.split())
            if len(bare) < SHORTEST:
                continue
            match = self._match(bare, position)
            if match is not None:
                found.append(match)
                position = match[1] if match[0] >= position else position
        if not found:
            return ()
        self._from = min((begin for begin, _ in found if begin >= self._from), default=self._from)
        return tuple(self._span(begin, end) for begin, end in _joined(sorted(found)))

    def _match(self, bare: str, position: int) -> tuple[int, int] | None:
        if not bare:
            return None
        begin = self._bare.find(bare, position)
        if begin < 0:
            begin = self._bare.find(bare)
        return None if begin < 0 else (begin, begin + len(bare))

    def _span(self, begin: int, end: int) -> Span:
        return Span(self._at[begin], self._at[end - 1] + 1)


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted ranges, those that touch or overlap made one."""
    joined = [found[0]]
    for begin, end in found[1:]:
        if begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
