"""Passages of a pool → a ranking for each question: by vectors, by words, and by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .embed import Embedder
from .engines import Chunker, Passage
from .lexical import Lexical
from .scores import DEPTH, Found, tokens

RANKERS = ("vectors", "bm25", "fusion")
#: Reciprocal rank fusion: 1 / (RRF + rank) in each of the two, over the first REACH.
RRF = 60
REACH = 100


class Index:
    """The passages of one chunker over a pool of documents."""

    def __init__(self, chunker: Chunker, size: int, pool: Mapping[str, str], embedder: Embedder | None) -> None:
        self.passages: list[tuple[str, Passage]] = []
        for name, text in pool.items():
            self.passages += [(name, passage) for passage in chunker(text, size)]
        texts = [passage.text for _, passage in self.passages]
        self._found = [_found(name, passage, pool[name]) for name, passage in self.passages]
        self._lexical = Lexical(texts)
        self._embedder = embedder
        self._vectors = embedder.passages(texts) if embedder else None

    def rankings(self, questions: Sequence[str]) -> list[dict[str, list[Found]]]:
        """For each question, the best passages by each ranker; only "bm25" without an embedder."""
        vectors = self._embedder.queries(questions) if self._embedder else None
        return [self._rank(question, None if vectors is None else vectors[i]) for i, question in enumerate(questions)]

    def _rank(self, question: str, vector: np.ndarray | None) -> dict[str, list[Found]]:
        by_words = _order(self._lexical.scores(question))
        if vector is None or self._vectors is None:
            return {"bm25": self._top(by_words)}
        by_vectors = _order(self._vectors @ vector)
        fused = np.zeros(len(self.passages))
        for order in (by_words, by_vectors):
            first = order[:REACH]
            fused[first] += 1 / (RRF + 1 + np.arange(len(first)))
        return {
            "vectors": self._top(by_vectors),
            "bm25": self._top(by_words),
            "fusion": self._top(_order(fused)),
        }

    def _top(self, order: np.ndarray) -> list[Found]:
        """The first passages; of those that are given as one unit, the first."""
        best: list[Found] = []
        given: set[tuple[str, int]] = set()
        for i in order.tolist():
            name, passage = self.passages[i]
            if passage.unit >= 0:
                if (name, passage.unit) in given:
                    continue
                given.add((name, passage.unit))
            best.append(self._found[i])
            if len(best) == DEPTH:
                break
        return best


def _found(name: str, passage: Passage, text: str) -> Found:
    ink = sum(len("".join(text[start:end].split())) for start, end in passage.spans)
    return Found(name, passage.spans, ink, tokens(passage.read or passage.text))


def _order(scores: np.ndarray) -> np.ndarray:
    """Indexes by falling score; equal scores keep their order."""
    return np.argsort(-scores, kind="stable")
