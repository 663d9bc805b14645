"""Scores of a ranking against gold spans, and how sure they are.  Standard library only.

Everything is counted in characters that are not white space.  A passage is *relevant* if it holds at least half of
one of the question's gold parts.

    recall@k    share of the gold text that the first k passages hold together
    hit@k       1 if one of the first k passages is relevant
    mrr         1 / rank of the first relevant passage, 0 below rank 50
    ndcg@5      gain of a passage: the gold text it holds that no passage above it does, as a share; the ideal order
                takes the most first
    iou@5       |gold ∩ retrieved| / |gold ∪ retrieved| over the first 5; text retrieved twice counts twice
    precision@5 |gold ∩ retrieved| / |retrieved| over the first 5
    budget      share of the gold text in the first BUDGET tokens; of the passage that passes the budget, its beginning
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean
from typing import NamedTuple

from .corpus import Span

BUDGET = 2000
DEPTH = 50
METRICS = (
    "recall@1",
    "recall@3",
    "recall@5",
    "hit@1",
    "hit@5",
    "mrr",
    "ndcg@5",
    "iou@5",
    "precision@5",
    "budget",
)
_CJK = re.compile(r"[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


class Found(NamedTuple):
    """A retrieved passage: its spans in its document, their characters that are not white space, and the tokens
    that a reader spends on it."""

    document: str
    spans: tuple[Span, ...]
    ink: int
    tokens: float


class Gold(NamedTuple):
    """The answer: its parts in the document, and the offsets of the document's characters that are not white space."""

    document: str
    parts: tuple[Span, ...]
    text: str


def tokens(text: str) -> float:
    """Tokens by a rule that needs no tokeniser: 2 for every 3 CJK characters, 1 for every 4 others."""
    cjk = len(_CJK.findall(text))
    return cjk * 2 / 3 + (len(text) - cjk) / 4


def ink(text: str, span: Span) -> set[int]:
    """The offsets in a span that are not white space."""
    return {i for i in range(span.start, span.end) if not text[i].isspace()}


def score(ranking: Sequence[Found], gold: Gold) -> dict[str, float]:
    """All METRICS of one ranking."""
    parts = [ink(gold.text, part) for part in gold.parts]
    wanted = set().union(*parts)
    ranking = ranking[:DEPTH]
    held = [_held(found, gold, wanted) for found in ranking]
    relevant = [any(2 * len(part & own) >= len(part) for part in parts) for own in held]
    first = relevant.index(True) + 1 if True in relevant else 0
    overlap = len(set().union(*held[:5]))
    retrieved = sum(found.ink for found in ranking[:5])
    doubled = sum(map(len, held[:5])) - overlap
    return {
        "recall@1": _share(held[:1], wanted),
        "recall@3": _share(held[:3], wanted),
        "recall@5": _share(held[:5], wanted),
        "hit@1": float(first == 1),
        "hit@5": float(1 <= first <= 5),
        "mrr": 1 / first if first else 0.0,
        "ndcg@5": ndcg(held, wanted, 5),
        "iou@5": overlap / (len(wanted) - overlap + retrieved) if retrieved else 0.0,
        "precision@5": (overlap + doubled) / retrieved if retrieved else 0.0,
        "budget": _share(_within(ranking, held, gold, wanted), wanted),
    }


def _held(found: Found, gold: Gold, wanted: set[int]) -> set[int]:
    if found.document != gold.document:
        return set()
    return {i for span in found.spans for i in wanted if span.start <= i < span.end}


def _share(held: Sequence[set[int]], wanted: set[int]) -> float:
    return len(set().union(*held)) / len(wanted)


def ndcg(held: Sequence[set[int]], wanted: set[int], k: int) -> float:
    """Normalised discounted cumulative gain.  The ideal is greedy over the same passages."""
    return _dcg(held[:k]) / ideal if (ideal := _dcg(_greedy(held, k))) else 0.0


def _dcg(held: Sequence[set[int]]) -> float:
    seen: set[int] = set()
    total = 0.0
    for rank, own in enumerate(held, 1):
        total += len(own - seen) / math.log2(rank + 1)
        seen |= own
    return total


def _greedy(held: Sequence[set[int]], k: int) -> list[set[int]]:
    left = [own for own in held if own]
    seen: set[int] = set()
    best: list[set[int]] = []
    while left and len(best) < k:
        most = max(left, key=lambda own: len(own - seen))
        left.remove(most)
        best.append(most)
        seen |= most
    return best


def _within(ranking: Sequence[Found], held: Sequence[set[int]], gold: Gold, wanted: set[int]) -> list[set[int]]:
    """What is held within the budget."""
    kept = []
    left = float(BUDGET)
    for found, own in zip(ranking, held, strict=True):
        if found.tokens > left:
            kept.append(own & _beginning(found, left / found.tokens))
            break
        kept.append(own)
        left -= found.tokens
    return kept


def _beginning(found: Found, part: float) -> set[int]:
    """The offsets of the first part of a passage's text."""
    room = int(part * sum(span.end - span.start for span in found.spans))
    offsets: set[int] = set()
    for span in found.spans:
        offsets.update(range(span.start, min(span.end, span.start + room)))
        room = max(0, room - (span.end - span.start))
    return offsets


# --- how sure -------------------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


def bootstrap(values: Sequence[float], draws: int = 1000, seed: int = 6) -> Estimate:
    """The mean of the values, with the percentile bootstrap's interval.  The same values give the same interval."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    means = sorted(sum(map(values.__getitem__, draw)) / len(values) for draw in _draws(len(values), draws, seed))
    return Estimate(fmean(values), means[int(draws * 0.025)], means[int(draws * 0.975) - 1])


@lru_cache(8)
def _draws(size: int, draws: int, seed: int) -> list[list[int]]:
    """Which of so many values are drawn, each time."""
    choose = random.Random(seed).choices
    return [choose(range(size), k=size) for _ in range(draws)]


def paired(ours: Sequence[float], theirs: Sequence[float], draws: int = 1000, seed: int = 6) -> Estimate:
    """The mean difference, question by question, with its interval."""
    return bootstrap([a - b for a, b in zip(ours, theirs, strict=True)], draws, seed)
