"""The laws on real documents, where there are any: a fixed sample here, all of them by `python -m benchmarks.laws`."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from zlib import crc32

import pytest

from benchmarks.laws import documents, violations
from markdown_chunker import ChunkConfig

SHARED = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED", Path(__file__).parents[3] / "shared"))
CORPUS = SHARED / "corpus"
#: Of the small documents one in so many; of the large ones, and the hard ones, one configuration each.
SAMPLE = 5
CONFIGS = [
    ChunkConfig(max_chunk_size=size, strategy=strategy, oversize=oversize)
    for size, strategy, oversize in product(
        (300, 1000, 4096), ("auto", "structural", "fallback"), ("split", "split", "keep")
    )
]


def _sample() -> list[Path]:
    found = documents(CORPUS) if CORPUS.exists() else []
    return [p for p in found if p.parent.name == "hard" or _number(p) % SAMPLE == 0]


def _number(path: Path) -> int:
    return crc32(path.relative_to(CORPUS).as_posix().encode())


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpus at hand")
def test_there_is_a_corpus() -> None:
    assert len(_sample()) > 100


@pytest.mark.parametrize("part", range(8))
def test_documents(part: int) -> None:
    found = []
    for path in _sample()[part::8]:
        text = path.read_bytes().decode("utf-8", "replace")
        first = _number(path) // SAMPLE % len(CONFIGS)
        configs = (
            [CONFIGS[first]] if len(text) > 40_000 else [CONFIGS[(first + 4 * i) % len(CONFIGS)] for i in range(3)]
        )
        for config in configs:
            found += [f"{path.relative_to(CORPUS)}: {line}" for line in violations(text, config)]
    assert found == []
