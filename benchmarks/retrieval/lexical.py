"""Words for BM25: lower-case words and numbers, and for Chinese, Japanese and Korean every pair of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import bm25s
import numpy as np

_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK = re.compile(f"[{_LETTERS}]")
_RUN = re.compile(r"[^\W_]+")
_PART = re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")


def words(text: str) -> list[str]:
    """The words of a text; `max_chunk_size` is three words, `分块大小` three pairs."""
    runs = _RUN.findall(text.lower())
    if not _CJK.search(text):
        return runs
    return [word for run in runs for part in _PART.findall(run) for word in _cut(part)]


def _cut(part: str) -> Iterator[str]:
    if len(part) > 1 and _CJK.match(part):
        yield from (part[i : i + 2] for i in range(len(part) - 1))
    else:
        yield part


class Lexical:
    """BM25 (Lucene's form, k1 1.5, b 0.75) over a list of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        self._vocabulary: dict[str, int] = {}
        ids = [[self._vocabulary.setdefault(w, len(self._vocabulary)) for w in words(t)] for t in texts]
        self._index.index(bm25s.tokenization.Tokenized(ids=ids, vocab=self._vocabulary), show_progress=False)
        self._size = len(texts)

    def scores(self, query: str) -> np.ndarray:
        """A score for each text."""
        known = [self._vocabulary[w] for w in words(query) if w in self._vocabulary]
        if not known:
            return np.zeros(self._size, np.float32)
        return np.asarray(self._index.get_scores(known))
