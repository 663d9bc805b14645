"""The options of a run: one frozen object, checked once, in the user's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .errors import OptionError

STRATEGIES = ("auto", "structural", "code_aware", "list_aware", "fallback", "chunkana")
OVERSIZE = ("split", "keep")


@dataclass(frozen=True, slots=True)
class ChunkConfig:
    """How to chunk.  Sizes are in units of `measure`: characters by default.

    Raises OptionError for a value of the wrong type or out of range.
    """

    max_chunk_size: int = 4096
    chunk_overlap: int = 0
    overlap_cap_ratio: float = 0.35
    min_chunk_size: int = 512
    strategy: str = "auto"
    oversize: Literal["split", "keep"] = "split"
    measure: Callable[[str], int] = len

    def __post_init__(self) -> None:
        _whole("max_chunk_size", self.max_chunk_size, 1)
        _whole("min_chunk_size", self.min_chunk_size, 0)
        _whole("chunk_overlap", self.chunk_overlap, 0)
        if self.chunk_overlap >= self.max_chunk_size:
            raise OptionError("chunk_overlap", self.chunk_overlap, f"less than max_chunk_size ({self.max_chunk_size})")
        _ratio("overlap_cap_ratio", self.overlap_cap_ratio)
        if self.strategy not in STRATEGIES:
            raise OptionError("strategy", self.strategy, "one of " + ", ".join(STRATEGIES))
        if self.oversize not in OVERSIZE:
            raise OptionError("oversize", self.oversize, "one of " + ", ".join(OVERSIZE))
        if not callable(self.measure):
            raise OptionError("measure", self.measure, "a function from text to its size")

    @property
    def least_size(self) -> int:
        """The minimum in force: min_chunk_size, but at most half the maximum."""
        return min(self.min_chunk_size, self.max_chunk_size // 2)


def _whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(name, value, f"a whole number, {least} or more")


def _ratio(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        raise OptionError(name, value, "a number over 0, up to 1")
