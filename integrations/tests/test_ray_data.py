"""Ray Data on 1,000 documents: the chunks of one process, and going on after a stop.  `make test-ray` runs it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import ray

from benchmarks.speed.documents import generated
from integrations.ray_data import chunk_files
from markdown_chunker import ChunkConfig, chunk_markdown

ROOT = Path(__file__).parents[2]
CONFIG = ChunkConfig(max_chunk_size=1000, chunk_overlap=50)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}})
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    for i in range(1000):
        path = folder / f"{i % 10}" / f"{i:04}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(generated(500 + 3 * i, seed=i), encoding="utf-8")
    (folder / "bad.md").write_bytes(b"F\xfc\xdfe")
    (folder / "empty.md").write_text("")
    (folder / "other.txt").write_text("no Markdown")
    return folder


def expected(source: Path) -> list[dict[str, Any]]:
    rows = []
    for path in sorted(source.rglob("*.md")):
        if path.name != "bad.md":
            rows += [
                {"source": str(path), **chunk.to_dict()} for chunk in chunk_markdown(path.read_text("utf-8"), CONFIG)
            ]
    return rows


def written(output: Path) -> list[dict[str, Any]]:
    rows = [row for path in sorted(output.rglob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    for row in rows:
        row["metadata"] = json.loads(row["metadata"])
    return sorted(rows, key=lambda row: (row["source"], row["start_offset"]))


def test_as_in_one_process_and_restartable(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "chunks"
    outcome = chunk_files(str(source), str(output), CONFIG, files_a_part=400)
    assert (outcome.written, outcome.known) == (3, 0)
    assert [Path(name).name for name in outcome.failed or {}] == ["bad.md"]
    rows = sorted(expected(source), key=lambda row: (row["source"], row["start_offset"]))
    assert written(output) == rows

    part = sorted(output.iterdir())[1]  # as a run leaves it that was killed in this part
    (part / "_SUCCESS").unlink()
    next(part.glob("*.parquet")).write_bytes(b"half")
    again = chunk_files(str(source), output.as_uri(), CONFIG, files_a_part=400)
    assert (again.written, again.known, again.failed) == (1, 2, outcome.failed)
    assert written(output) == rows

    (source / "9/0999.md").write_text("# Changed\n\nafter all\n")
    changed = chunk_files(str(source), str(output), CONFIG, files_a_part=400)
    assert (changed.written, changed.known) == (1, 2)
    assert written(output) == sorted(expected(source), key=lambda row: (row["source"], row["start_offset"]))
