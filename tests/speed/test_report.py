"""The benchmark of speed: its documents, its arithmetic, and that docs/performance.md says what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed import report
from benchmarks.speed.documents import generated
from benchmarks.speed.measure import cut, expected, growth, ratio
from benchmarks.speed.tools import OURS, TOOLS

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks/speed/results.json"


def entry(size: int, **seconds: list[float]) -> dict[str, Any]:
    runs = {
        name: [{"seconds": s, "chunks": 3, "memory": 2_000_000, "failed": 0} for s in found]
        for name, found in seconds.items()
    }
    return {"documents": 1, "bytes": size, "runs": runs}


def test_documents_are_of_the_size_and_always_the_same() -> None:
    for size in (1_000, 50_000):
        assert 0.8 * size < len(generated(size)) <= size
        assert generated(size) == generated(size) != generated(size, seed=1)
    text = generated(50_000)
    assert len(cut(text, 1_000)) == len(text) // 1_000
    assert all(500 < len(document) <= 1_000 for document in cut(text, 1_000))
    [repeated] = cut(text, 200_000)
    assert 190_000 < len(repeated) <= 200_000


def test_growth_is_the_exponent() -> None:
    sizes = (1e5, 1e6, 4e6)
    assert growth([(size, size / 1e7) for size in sizes]) == pytest.approx(1)
    assert growth([(size, size**2 / 1e12) for size in sizes]) == pytest.approx(2)
    assert growth([(1e5, 1.0)]) is None


def test_ratios_are_of_the_same_round() -> None:
    found = entry(10, **{OURS: [1.0, 2.0, 1.0], "chunkana": [3.0, 8.0, 5.0]})
    assert ratio(found, "chunkana") == (4, 3, 5)
    assert ratio(found, "LangChain") is None


def test_what_would_not_finish_is_not_begun() -> None:
    results = {"workloads": {"100 KB": entry(100_000, a=[1.0]), "1 MB": entry(1_000_000, a=[100.0])}}
    assert expected(results, "a", 4e6) == pytest.approx(1600)
    assert expected(results, "b", 4e6) == float("inf")


@pytest.mark.skipif(not RESULTS.exists(), reason="make bench has not run")
def test_the_page_says_what_was_measured() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert report.markdown(results) in (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    assert set(results["tools"]) == set(TOOLS)
    assert (ROOT / "docs/images/speed.svg").exists()
    assert OURS in report.text(results)
