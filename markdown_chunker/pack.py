"""The cheapest legal segmentation: which pieces begin a chunk.

The cost of a segmentation is the sum of what its cuts cost (plan.py) and of a charge for each chunk by its size.
Dynamic programming over the seams finds the least; every chunk fits the limit, or is a single piece that cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate, repeat
from operator import mul
from typing import NamedTuple

from .measure import Measure
from .model import Piece
from .options import ChunkConfig
from .plan import FORCED
from .source import Source

#: Charge for an empty chunk; falls with the square of how full it is, to nothing at the limit.
EMPTINESS = 1.0
#: Charge on top for a chunk under the minimum size; falls evenly to nothing at the minimum.
SMALLNESS = 3.0
#: Seams closer to each other than this part of the limit are thinned out to the cheapest.
GRAIN = 64
#: Characters after which a chunk begins with the next section at the latest.
ANCHOR = 50_000
#: Charges are kept for at most so many sizes.
_STEPS = 1 << 14
#: Costs are summed as whole thousandths: sums of floats would depend on where a document begins.
_SCALE = 1000
_NEVER = 1 << 62


class _Units(NamedTuple):
    """Runs of pieces [firsts[i], after[i]) that are not cut; a chunk of units i to j measures ends[j] - begins[i]."""

    firsts: list[int]
    after: list[int]
    begins: list[int]
    ends: list[int]
    costs: list[int]
    prefixed: list[bool]


def pack(
    pieces: list[Piece], costs: list[float], source: Source, config: ChunkConfig, measure: Measure, since: int = 0
) -> list[int]:
    """The indexes of the pieces that begin a chunk, ascending; the first is 0.

    `since` is how many characters lie between the last anchor and the first piece; see `anchors`.
    """
    if not pieces:
        return []
    costs = _anchored(pieces, costs, since)
    limit, least = config.max_chunk_size, config.least_size
    units = _units(pieces, costs, limit, measure)
    cuts = _trace(units, _cheapest(units, limit, least), len(units.firsts))
    if not measure.additive:
        exact = _exact_sizes(pieces, source, measure)
        if any(exact(i, j) > limit for i, j in zip(cuts, [*cuts[1:], len(pieces)], strict=True)):
            cuts = _trace(units, _cheapest_by(units, limit, least, exact), len(units.firsts))
    return cuts


def settled_cuts(
    pieces: list[Piece], costs: list[float], config: ChunkConfig, measure: Measure, since: int = 0
) -> list[int]:
    """The cuts that stand whatever pieces follow these: the first ones of `pack`, for a measure that adds up.

    The chunk that holds the last piece begins within the limit of it.  Whichever of those beginnings proves best,
    the cuts before it are known; the ones that all of them share are settled.
    """
    if not pieces:
        return []
    costs = _anchored(pieces, costs, since)
    limit, least = config.max_chunk_size, config.least_size
    units = _units(pieces, costs, limit, measure)
    back = _cheapest(units, limit, least)
    last = len(units.firsts) - 1  # this unit may grow
    open_starts = {j for j in range(last + 1) if units.begins[last] - units.begins[j] <= limit} | {last}
    while len(open_starts) > 1:
        latest = max(open_starts)
        open_starts.remove(latest)
        open_starts.add(back[latest - 1])
    settled = open_starts.pop()
    return [*_trace(units, back, settled), units.firsts[settled]]


def anchors(pieces: list[Piece], costs: list[float], since: int = 0) -> list[int]:
    """The pieces that begin a chunk whatever it costs: the first section after every ANCHOR characters.

    Where all sections are alike, the cheapest cuts at the start of a document depend on where it ends: an anchor lets
    a stream cut there all the same.
    """
    if not pieces or pieces[-1].start - pieces[0].start + since < ANCHOR:
        return []
    found = []
    last = pieces[0].start - since
    for i, piece in enumerate(pieces):
        if piece.seam == "section" and piece.start - last >= ANCHOR and costs[i] < 0:
            found.append(i)
            last = piece.start
    return found


def _anchored(pieces: list[Piece], costs: list[float], since: int) -> list[float]:
    for i in anchors(pieces, costs, since):
        costs[i] = FORCED
    return costs


@lru_cache(64)
def size_charges(limit: int, least: int) -> tuple[int, ...]:
    """The charge for a chunk in thousandths, by its size shifted right by _coarseness(limit)."""
    shift = _coarseness(limit)
    charges = []
    for step in range((limit >> shift) + 1):
        size = step << shift
        small = SMALLNESS * (1 - size / least) if size < least else 0.0
        charges.append(round(_SCALE * (EMPTINESS * (1 - size / limit) ** 2 + small)))
    return tuple(charges)


def _coarseness(limit: int) -> int:
    """How many low bits of a size do not matter to its charge."""
    return max(0, limit.bit_length() - _STEPS.bit_length() + 1)


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


def _units(pieces: list[Piece], costs: list[float], limit: int, measure: Measure) -> _Units:
    """Pieces smaller than the grain run together, a run beginning at the cheapest of its seams.

    So the number of seams within reach of a cut is bounded however short the lines of the document are.
    """
    begins, ends = _extents(pieces, measure)
    whole = [*map(round, map(mul, costs, repeat(_SCALE)))]
    for i, piece in enumerate(pieces):
        if piece.apart:
            whole[i] = round(_SCALE * FORCED)
    grain = limit // GRAIN
    firsts = [0]
    begin, cost = begins[0], whole[0]
    for i in range(1, len(whole)):
        if whole[i] < cost or whole[i] < 0 or ends[i] - begin > grain:
            firsts.append(i)
            begin, cost = begins[i], whole[i]
    after = [*firsts[1:], len(whole)]
    return _Units(
        firsts,
        after,
        [begins[i] for i in firsts],
        [ends[i - 1] for i in after],
        [whole[i] for i in firsts],
        [pieces[i].prefix != "" for i in firsts],
    )


def _cheapest(units: _Units, limit: int, least: int) -> list[int]:
    """For each unit, where the chunk that ends with it begins in the cheapest segmentation up to there.

    Step i knows the best segmentation of the units before it: `spent[j]` is what it costs up to and including a
    cut before unit j.  Of beginnings that cost the same the earliest is taken.

    A beginning is beaten by an earlier one within the limit for which no more is spent, since a larger chunk is not
    charged more.  So a step goes from the earliest to the next one for which less is spent, `lower`.  A unit with a
    prefix may make the larger chunk although it begins later: these are tried apart.
    """
    _, _, begins, ends, costs, prefixed = units
    charge = _charge_by_size(limit, least)
    nearest = list(accumulate(reversed(ends), min))[::-1]  # a later end may be nearer, for want of a suffix
    spent, lower = [0], [len(ends)] * len(ends)
    waiting: list[int] = []  # units without a prefix, and for which no later one has less spent
    apart: list[int] = []  # units with a prefix
    back: list[int] = []
    low = 0
    for i, end in enumerate(ends):
        while low < i and nearest[i] - begins[low] > limit:
            low += 1
        cheapest, choice = _NEVER, i
        j = low
        while j < i and (prefixed[j] or end - begins[j] > limit):
            j += 1
        while j < i:
            cost = spent[j] + charge(end - begins[j])
            if cost < cheapest:
                cheapest, choice = cost, j
            j = lower[j]
        for j in reversed(apart):
            if j < low:
                break
            cost = spent[j] + charge(end - begins[j])
            if cost < cheapest or (cost == cheapest and j < choice):
                cheapest, choice = cost, j
        here = spent[i]
        cost = here + charge(min(end - begins[i], limit))
        if cost < cheapest:
            cheapest, choice = cost, i
        back.append(choice)
        if i + 1 < len(ends):
            spent.append(cheapest + costs[i + 1])
        if prefixed[i]:
            apart.append(i)
            continue
        while waiting and spent[waiting[-1]] > here:
            lower[waiting.pop()] = i
        waiting.append(i)
    return back


def _cheapest_by(units: _Units, limit: int, least: int, exact: Callable[[int, int], int]) -> list[int]:
    """As `_cheapest`, by sizes that are not sums: all beginnings that may be within the limit are tried."""
    charges, shift = size_charges(limit, least), _coarseness(limit)
    spent = [0]
    back: list[int] = []
    low = 0
    for i, end in enumerate(units.ends):
        while low < i and end - units.begins[low] > 2 * limit:
            low += 1
        sizes = [exact(units.firsts[j], units.after[i]) for j in range(low, i + 1)]
        sizes[-1] = min(sizes[-1], limit)
        totals = [
            spent[low + k] + (charges[size >> shift] if size <= limit else _NEVER) for k, size in enumerate(sizes)
        ]
        back.append(low + totals.index(min(totals)))
        if i + 1 < len(units.ends):
            spent.append(min(totals) + units.costs[i + 1])
    return back


def _charge_by_size(limit: int, least: int) -> Callable[[int], int]:
    """What a chunk of a size is charged; over the limit, more than anything else costs.

    Sizes that are sums pass the limit by no more than the context repeated at both ends: a table holds them all.
    """
    shift = _coarseness(limit)
    if not shift:
        return _charges_beyond(limit, least).__getitem__
    charges = size_charges(limit, least)
    return lambda size: charges[size >> shift] if size <= limit else _NEVER


@lru_cache(16)
def _charges_beyond(limit: int, least: int) -> tuple[int, ...]:
    return (*size_charges(limit, least), *([_NEVER] * (2 * limit + 1)))


def _trace(units: _Units, back: list[int], upto: int) -> list[int]:
    """The first pieces of the chunks that hold the units before `upto`."""
    cuts = []
    while upto:
        upto = back[upto - 1]
        cuts.append(units.firsts[upto])
    return cuts[::-1]
