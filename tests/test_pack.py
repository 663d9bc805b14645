"""The packer finds the cheapest legal segmentation: compared with all of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker import ChunkConfig, Piece, Section
from markdown_chunker.measure import Measure, measure_of
from markdown_chunker.pack import EMPTINESS, GRAIN, SMALLNESS, pack, size_charges
from markdown_chunker.source import Source

SECTION = Section(None, 0, (), None, 0, 1)


def pieces_of(words: list[str], prefixes: list[str], suffixes: list[str]) -> tuple[str, list[Piece]]:
    """A text of these words, each a piece, with a line end between."""
    pieces, at = [], 0
    for word, prefix, suffix in zip(words, prefixes, suffixes, strict=True):
        pieces.append(Piece(at, at + len(word), "block", 0, SECTION, None, prefix, suffix))
        at += len(word) + 1
    return "\n".join(words), pieces


def content_of(text: str, pieces: list[Piece], first: int, after: int) -> str:
    """The chunk of pieces [first, after)."""
    return pieces[first].prefix + text[pieces[first].start : pieces[after - 1].end] + pieces[after - 1].suffix


def charge(size: int, limit: int, least: int) -> float:
    """The charge for a chunk by its size, in the steps that the packer counts in; its table is in thousandths."""
    charges = size_charges(limit, least)
    return charges[min(size, limit) * (len(charges) - 1) // limit] / 1000


def cost_of(cuts: list[int], sizes: dict[tuple[int, int], int], costs: list[float], config: ChunkConfig) -> float:
    """What a segmentation costs; infinite if a chunk of several pieces is over the limit."""
    total = sum(costs[cut] for cut in cuts[1:])
    for first, after in pairwise([*cuts, len(costs)]):
        size = sizes[first, after]
        if size > config.max_chunk_size and after - first > 1:
            return float("inf")
        total += charge(size, config.max_chunk_size, config.least_size)
    return total


def all_segmentations(count: int) -> list[list[int]]:
    return [[0, *cuts] for many in range(count) for cuts in combinations(range(1, count), many)]


@st.composite
def instances(draw: st.DrawFn) -> tuple[str, list[Piece], list[float], ChunkConfig]:
    """A few pieces with costs, gains among them, and a limit that some of them are over."""
    words = draw(st.lists(st.text("ab ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=8))
    around = st.lists(st.sampled_from(["", "", "> ", "head\n"]), min_size=len(words), max_size=len(words))
    text, pieces = pieces_of(words, draw(around), draw(around))
    costs = draw(
        st.lists(st.integers(-3000, 9000).map(lambda cost: cost / 1000), min_size=len(words), max_size=len(words))
    )
    config = ChunkConfig(max_chunk_size=draw(st.integers(4, 60)), min_chunk_size=draw(st.sampled_from([0, 3, 10])))
    return text, pieces, costs, config


def packed_and_best(
    text: str, pieces: list[Piece], costs: list[float], config: ChunkConfig, measure: Measure
) -> tuple[float, float]:
    """What the packer's segmentation costs, and the least of all."""
    count = len(pieces)
    sizes = {(i, j): measure.of(content_of(text, pieces, i, j)) for i in range(count) for j in range(i + 1, count + 1)}
    cuts = pack(pieces, costs, Source(text), config, measure)
    best = min(cost_of(cuts, sizes, costs, config) for cuts in all_segmentations(count))
    return cost_of(cuts, sizes, costs, config), best


@given(instances())
def test_no_segmentation_is_cheaper(instance: tuple[str, list[Piece], list[float], ChunkConfig]) -> None:
    """Limits here are under 64, so that no seam is thinned out."""
    text, pieces, costs, config = instance
    assert config.max_chunk_size // GRAIN == 0
    found, best = packed_and_best(text, pieces, costs, config, measure_of(text, len))
    assert found == pytest.approx(best)


def in_words(text: str) -> int:
    return len(text.split())


def with_line_ends(text: str) -> int:
    """Not additive: joining two pieces costs more than their sum."""
    return len(text) + 3 * text.count("\n")


def in_pairs(text: str) -> int:
    """Not additive the other way: joining can cost less."""
    return (len(text) + 1) // 2


@given(instances(), st.sampled_from([in_words, with_line_ends, in_pairs]))
def test_counted_sizes_keep_the_limit(
    instance: tuple[str, list[Piece], list[float], ChunkConfig], function: Callable[[str], int]
) -> None:
    text, pieces, costs, config = instance
    cuts = pack(pieces, costs, Source(text), config, measure_of(text, function))
    for first, after in pairwise([*cuts, len(pieces)]):
        assert function(content_of(text, pieces, first, after)) <= config.max_chunk_size or after - first == 1


@given(instances())
def test_characters_counted_one_by_one_give_a_legal_result_too(
    instance: tuple[str, list[Piece], list[float], ChunkConfig],
) -> None:
    text, pieces, costs, config = instance
    found, _ = packed_and_best(text, pieces, costs, config, measure_of(text, lambda text: len(text)))
    assert found < float("inf")


@given(st.lists(st.integers(1, 30), min_size=1, max_size=60), st.integers(0, 1000))
def test_thinned_out_seams_are_legal(lengths: list[int], seed: int) -> None:
    """At a limit of 640 the grain is 10: short pieces run together, and the limit holds all the same."""
    text, pieces = pieces_of(["x" * length for length in lengths], [""] * len(lengths), [""] * len(lengths))
    costs = [((seed + 7 * i) % 11) - 2.0 for i in range(len(lengths))]
    cuts = pack(pieces, costs, Source(text), ChunkConfig(max_chunk_size=640), measure_of(text, len))
    assert cuts[0] == 0
    assert cuts == sorted(set(cuts))
    for first, after in pairwise([*cuts, len(pieces)]):
        assert len(content_of(text, pieces, first, after)) <= 640


def test_gains_are_never_thinned_out() -> None:
    text, pieces = pieces_of(["a"] * 40, [""] * 40, [""] * 40)
    costs = [5.0] * 40
    costs[17] = -50.0
    cuts = pack(pieces, costs, Source(text), ChunkConfig(max_chunk_size=6400, min_chunk_size=0), measure_of(text, len))
    assert cuts == [0, 17]


def test_nothing_to_pack() -> None:
    assert pack([], [], Source(""), ChunkConfig(), measure_of("", len)) == []


def test_a_piece_over_the_limit_stands_alone() -> None:
    text, pieces = pieces_of(["aa", "b" * 50, "cc"], [""] * 3, [""] * 3)
    assert pack(pieces, [1.0] * 3, Source(text), ChunkConfig(max_chunk_size=20), measure_of(text, len)) == [0, 1, 2]


def test_a_suffix_that_does_not_fit_is_no_bar_to_what_follows() -> None:
    """`aa`, `b` and a suffix of 5 are 9 characters; with `c`, after which nothing is closed, they are 6."""
    text, pieces = pieces_of(["aa", "b", "c"], [""] * 3, ["", "head\n", ""])
    assert pack(pieces, [9.0] * 3, Source(text), ChunkConfig(max_chunk_size=6), measure_of(text, len)) == [0]


def test_a_piece_set_apart_begins_a_chunk() -> None:
    text, pieces = pieces_of(["aa", "bb", "cc"], [""] * 3, [""] * 3)
    pieces[1].apart = True
    assert pack(pieces, [9.0] * 3, Source(text), ChunkConfig(max_chunk_size=20), measure_of(text, len)) == [0, 1]


# --- the charge for size ---------------------------------------------------------------------------------


def test_an_empty_chunk_is_charged_in_full_and_a_full_one_not_at_all() -> None:
    charges = size_charges(1000, 200)
    assert charges[0] == 1000 * (EMPTINESS + SMALLNESS)
    assert charges[-1] == 0


def test_the_charge_falls_over_the_whole_range() -> None:
    charges = size_charges(1000, 200)
    assert all(left >= right for left, right in pairwise(charges))
    assert all(left > right for left, right in pairwise(charges[::16]))


def test_half_full_by_hand() -> None:
    """Half full, above the minimum: a quarter of the charge for an empty chunk."""
    assert size_charges(512, 100)[256] == 1000 * EMPTINESS / 4
    # at 64 of 512 with a minimum of 128: (7/8)² for emptiness, half of the charge for smallness
    assert size_charges(512, 128)[64] == round(1000 * (EMPTINESS * 49 / 64 + SMALLNESS / 2))


def test_no_minimum_no_charge_for_smallness() -> None:
    assert size_charges(512, 0)[0] == 1000 * EMPTINESS
