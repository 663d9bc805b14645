"""Markdown in a folder or an object store → chunks in Parquet, on all machines of a Ray cluster.

    python -m integrations.ray_data s3://bucket/docs s3://bucket/chunks

The files are taken in parts.  Each part is a folder of Parquet files in the output, and a marker beside them says that
it is whole; a run that was stopped leaves out the parts that are, if their files and the options are as they were.
Rows are those of `python -m markdown_chunker … -o chunks.parquet`, but for `source_hash`, and in no order.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import batched
from pathlib import PurePosixPath
from typing import Any

import pyarrow.fs
import ray
import ray.data

from markdown_chunker import ChunkConfig, __version__, chunk_markdown

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
_WHOLE = "_SUCCESS"


@dataclass
class Outcome:
    """Parts that were written now, and that were whole before; files that are no UTF-8, with the reason."""

    written: int = 0
    known: int = 0
    failed: dict[str, str] | None = None


def chunk_files(source: str, output: str, config: ChunkConfig | None = None, files_a_part: int = 1000) -> Outcome:
    """Chunk the Markdown below `source` into Parquet below `output`; both are paths or URIs that pyarrow knows.

    Raises OSError where either cannot be reached.  A file that is no UTF-8 is left out and told in the outcome.
    """
    config = config or ChunkConfig()
    outcome = Outcome(failed={})
    store, root = pyarrow.fs.FileSystem.from_uri(_uri(source))
    target, folder = pyarrow.fs.FileSystem.from_uri(_uri(output))
    wanted = set()
    for files in batched(_markdown(store, root), files_a_part):
        part = f"{folder}/part-{_identity(files, config)}"
        wanted.add(part)
        if target.get_file_info(f"{part}/{_WHOLE}").type == pyarrow.fs.FileType.File:
            outcome.known += 1
            continue
        target.create_dir(part, recursive=True)
        target.delete_dir_contents(part)
        failed = _chunk_part([file.path for file in files], store, part, target, config)
        with target.open_output_stream(f"{part}/{_WHOLE}") as marker:
            marker.write(json.dumps(failed).encode())
        outcome.written += 1
    for part in wanted:
        with target.open_input_stream(f"{part}/{_WHOLE}") as marker:
            outcome.failed |= json.loads(marker.read())
    for info in target.get_file_info(pyarrow.fs.FileSelector(folder, allow_not_found=True)):
        if info.base_name.startswith("part-") and info.path not in wanted:
            target.delete_dir(info.path)  # of files that have changed since
    return outcome


def _uri(place: str) -> str:
    from pathlib import Path

    return place if "://" in place else Path(place).absolute().as_uri()


def _markdown(store: pyarrow.fs.FileSystem, root: str) -> Iterator[pyarrow.fs.FileInfo]:
    """The Markdown files below a folder, sorted by path."""
    found = store.get_file_info(pyarrow.fs.FileSelector(root, recursive=True))
    files = (info for info in found if info.type == pyarrow.fs.FileType.File)
    yield from sorted((f for f in files if f.path.lower().endswith(SUFFIXES)), key=lambda info: info.path)


def _identity(files: Iterable[pyarrow.fs.FileInfo], config: ChunkConfig) -> str:
    """16 digits that change with a part's files and with the options."""
    stamps = [[info.path, info.size, info.mtime_ns] for info in files]
    text = json.dumps([__version__, config.to_dict(), stamps], sort_keys=True)
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _chunk_part(
    paths: list[str], store: pyarrow.fs.FileSystem, part: str, target: pyarrow.fs.FileSystem, config: ChunkConfig
) -> dict[str, str]:
    """Write the rows of some files; gives those that failed."""
    rows = (
        ray.data.read_binary_files(paths, filesystem=store, include_paths=True)
        .flat_map(lambda row: chunk_row(row, config))
        .materialize()
    )
    failed = {row["source"]: row["problem"] for row in rows.filter(lambda row: bool(row["problem"])).take_all()}
    rows = rows.filter(lambda row: not row["problem"]).drop_columns(["problem"])
    if rows.count():
        rows.write_parquet(part, filesystem=target)
    return failed


def chunk_row(row: dict[str, Any], config: ChunkConfig) -> list[dict[str, Any]]:
    """A file, as Ray reads it, to the rows of its chunks; to one row with the problem if it is no UTF-8."""
    source = PurePosixPath(row["path"]).as_posix()
    try:
        text = row["bytes"].decode("utf-8")
    except UnicodeDecodeError as error:
        return [_row(source, str(error))]
    return [
        _row(source, "", **{**chunk.to_dict(), "metadata": json.dumps(chunk.metadata, ensure_ascii=False)})
        for chunk in chunk_markdown(text, config)
    ]


_EMPTY: dict[str, Any] = {
    "content": "",
    "start_line": 0,
    "end_line": 0,
    "start_offset": 0,
    "end_offset": 0,
    "metadata": "{}",
    "prefix": "",
    "suffix": "",
}


def _row(source: str, problem: str, **fields: Any) -> dict[str, Any]:
    return {"source": source, "problem": problem, **_EMPTY, **fields}


def main() -> None:
    """Chunk SOURCE into OUTPUT and say how it went."""
    parser = argparse.ArgumentParser(prog="integrations.ray_data", description="Chunk Markdown on a Ray cluster.")
    parser.add_argument("source", help="a folder, or a URI such as s3://bucket/docs")
    parser.add_argument("output", help="a folder, or a URI, for Parquet files")
    parser.add_argument("--max-chunk-size", type=int, default=ChunkConfig().max_chunk_size)
    parser.add_argument("--chunk-overlap", type=int, default=0)
    options = parser.parse_args()
    config = ChunkConfig(max_chunk_size=options.max_chunk_size, chunk_overlap=options.chunk_overlap)
    outcome = chunk_files(options.source, options.output, config)
    for file, problem in (outcome.failed or {}).items():
        print(f"cannot chunk {file}: {problem}")
    print(f"{outcome.written} parts written, {outcome.known} known, {len(outcome.failed or {})} files failed")


if __name__ == "__main__":
    main()
