"""The size of a text, in characters or in any unit that a function counts."""

from __future__ import annotations

from collections.abc import Callable

#: More characters than this for each unit of the limit are rarely within it.
_LONG = 16


class Characters:
    """Sizes in characters: arithmetic on offsets, the text is never read."""

    __slots__ = ()

    additive = True

    def of(self, text: str) -> int:
        return len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def fits(self, start: int, end: int, room: int, prefix: str = "", suffix: str = "") -> bool:
        """Whether prefix + source + suffix is at most `room`."""
        return len(prefix) + end - start + len(suffix) <= room

    def reach(self, start: int, end: int, room: int, prefix: str = "", suffix: str = "") -> int:
        """The furthest offset up to `end` that keeps within `room`; at least one character is taken."""
        return min(end, max(start + 1, start + room - len(prefix) - len(suffix)))


class Counted:
    """Sizes by a function from text to a number, such as a token counter.

    The function is taken to grow with the text; nothing else is assumed of it.
    """

    __slots__ = ("function", "text")

    additive = False

    def __init__(self, text: str, function: Callable[[str], int]) -> None:
        self.text = text
        self.function = function

    def of(self, text: str) -> int:
        return self.function(text) if text else 0

    def size(self, start: int, end: int) -> int:
        return self.function(self.text[start:end])

    def fits(self, start: int, end: int, room: int, prefix: str = "", suffix: str = "") -> bool:
        """Whether prefix + source + suffix is at most `room`.

        A long text is asked for from its beginning: where it does not fit, its rest is not read each time again.
        """
        length = _LONG * max(room, 1)
        while length < end - start:
            if self.function(prefix + self.text[start : start + length]) > room:
                return False
            length *= 4
        return self.function(prefix + self.text[start:end] + suffix) <= room

    def reach(self, start: int, end: int, room: int, prefix: str = "", suffix: str = "") -> int:
        """The furthest offset up to `end` that keeps within `room`; at least one character is taken."""
        low, step = start + 1, max(room, 1)
        while low < end and self.fits(start, min(low + step, end), room, prefix, suffix):
            low = min(low + step, end)
            step *= 2
        high = min(low + step, end)
        while low < high:
            middle = (low + high + 1) // 2
            if self.fits(start, middle, room, prefix, suffix):
                low = middle
            else:
                high = middle - 1
        return low


Measure = Characters | Counted


def measure_of(text: str, function: Callable[[str], int]) -> Measure:
    """The measure for `text`; `len` needs no calls at all."""
    return Characters() if function is len else Counted(text, function)
