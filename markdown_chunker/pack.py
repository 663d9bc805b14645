"""The cheapest legal segmentation: which pieces begin a chunk.

The cost of a segmentation is the sum of what its cuts cost (plan.py) and of a charge for each chunk by its size.
Dynamic programming over the seams finds the least; every chunk fits the limit, or is a single piece that cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .measure import Measure
from .model import Piece
from .options import ChunkConfig
from .source import Source

#: Charge for an empty chunk; falls with the square of how full it is, to nothing at the limit.
EMPTINESS = 1.0
#: Charge on top for a chunk under the minimum size; falls evenly to nothing at the minimum.
SMALLNESS = 3.0
#: Seams closer to each other than this part of the limit are thinned out to the cheapest.
GRAIN = 64
#: Gain of a cut that must be made.
FORCED = -1e6
_STEPS = 512


def pack(pieces: list[Piece], costs: list[float], source: Source, config: ChunkConfig, measure: Measure) -> list[int]:
    """The indexes of the pieces that begin a chunk, ascending; the first is 0."""
    if not pieces:
        return []
    limit = config.max_chunk_size
    costs = [FORCED if piece.apart else cost for piece, cost in zip(pieces, costs, strict=True)]
    extents = _extents(pieces, measure)
    firsts = _units(extents, costs, limit // GRAIN)
    charges = size_charges(limit, config.least_size)
    cuts = _cheapest(firsts, extents, costs, limit, charges)
    if not measure.additive:
        exact = _exact_sizes(pieces, source, measure)
        if any(exact(i, j) > limit for i, j in zip(cuts, [*cuts[1:], len(pieces)], strict=True)):
            cuts = _cheapest(firsts, extents, costs, limit, charges, exact)
    return cuts


@lru_cache(64)
def size_charges(limit: int, least: int) -> tuple[float, ...]:
    """The charge for a chunk by its size, in steps of limit / 512."""
    charges = []
    for step in range(_STEPS + 1):
        size = limit * step / _STEPS
        small = SMALLNESS * (1 - size / least) if size < least else 0.0
        charges.append(EMPTINESS * (1 - size / limit) ** 2 + small)
    return tuple(charges)


def _extents(pieces: list[Piece], measure: Measure) -> tuple[list[int], list[int]]:
    """Two numbers a piece, begins and ends: a chunk of pieces i to j measures ends[j] - begins[i].

    Exact for characters; for another measure an estimate, the sum of the pieces' sizes.
    """
    if measure.additive:
        return [p.start - len(p.prefix) for p in pieces], [p.end + len(p.suffix) for p in pieces]
    begins, ends, at = [], [], 0
    for piece in pieces:
        size = measure.size(piece.start, piece.end)
        begins.append(at - measure.of(piece.prefix))
        ends.append(at + size + measure.of(piece.suffix))
        at += size
    return begins, ends


def _exact_sizes(pieces: list[Piece], source: Source, measure: Measure) -> Callable[[int, int], int]:
    def size(first: int, after: int) -> int:
        head, tail = pieces[first], pieces[after - 1]
        return measure.of(head.prefix + source.text[head.start : tail.end] + tail.suffix)

    return size


def _units(extents: tuple[list[int], list[int]], costs: list[float], grain: int) -> list[int]:
    """The pieces that may begin a chunk, the first included.

    Pieces smaller than the grain run together, a run beginning at the cheapest of its seams; so the number of
    seams within reach of a cut is bounded however short the lines of the document are.
    """
    begins, ends = extents
    firsts = [0]
    begin, cost = begins[0], costs[0]
    for i in range(1, len(costs)):
        if costs[i] < cost or costs[i] < 0 or ends[i] - begin > grain:
            firsts.append(i)
            begin, cost = begins[i], costs[i]
    return firsts


def _cheapest(
    firsts: list[int],
    extents: tuple[list[int], list[int]],
    costs: list[float],
    limit: int,
    charges: tuple[float, ...],
    exact: Callable[[int, int], int] | None = None,
) -> list[int]:
    """Least-cost cuts.  Step i knows the best segmentation of units 0 to i - 1 and tries each beginning of the
    chunk that ends with unit i; `spent[j]` is the cost up to and including a cut before unit j."""
    begins = [extents[0][i] for i in firsts]
    after = [*firsts[1:], len(costs)]
    ends = [extents[1][i - 1] for i in after]
    reach = limit if exact is None else 2 * limit
    steps = _STEPS
    spent = [0.0]
    back: list[int] = []
    low = 0
    for i, end in enumerate(ends):
        while low < i and end - begins[low] > reach:
            low += 1
        least, choice = float("inf"), i
        for j in range(low, i + 1):
            size = end - begins[j]
            if exact is not None:
                size = exact(firsts[j], after[i])
            if size > limit:
                if j < i:
                    continue
                size = limit
            cost = spent[j] + charges[size * steps // limit]
            if cost < least:
                least, choice = cost, j
        back.append(choice)
        if i + 1 < len(ends):
            spent.append(least + costs[firsts[i + 1]])
    cuts = []
    unit = len(ends)
    while unit:
        unit = back[unit - 1]
        cuts.append(firsts[unit])
    return cuts[::-1]
