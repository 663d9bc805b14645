"""A plan inside another: where the outer chunks begin, an inner one begins too, whatever it costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from .measure import Measure
from .model import Chunk, Piece
from .plan import FORCED
from .source import Source


def divide(pieces: list[Piece], outer: list[Chunk], source: Source, measure: Measure, limit: int) -> list[Piece]:
    """The pieces, those that reach across the start of an outer chunk divided there.

    Afterwards every outer chunk but the first begins with a piece.  A part takes over what the outer chunk repeats
    around the cut, such as a table's header rows, where that fits.
    """
    divided: list[Piece] = []
    seams = list(pairwise(outer))[::-1]
    for piece in pieces:
        while seams and (at := seams[-1][1].start_offset) < piece.end:
            above, below = seams.pop()
            if at > piece.start:
                suffix = above.suffix or piece.suffix
                head = replace(piece, end=source.trim(piece.start, at), suffix=suffix)
                divided.append(head if _fits(head, measure, limit) else replace(head, suffix=""))
                piece = replace(piece, prefix=below.prefix)
            piece = replace(piece, start=at)
            if not _fits(piece, measure, limit):
                piece = replace(piece, prefix="")
        divided.append(piece)
    return divided


def force(costs: list[float], pieces: list[Piece], outer: list[Chunk]) -> list[float]:
    """The costs, with a cut where an outer chunk begins made certain."""
    starts = {chunk.start_offset for chunk in outer}
    return [FORCED if piece.start in starts else cost for piece, cost in zip(pieces, costs, strict=True)]


def _fits(piece: Piece, measure: Measure, limit: int) -> bool:
    return measure.fits(piece.start, piece.end, limit, piece.prefix, piece.suffix)
