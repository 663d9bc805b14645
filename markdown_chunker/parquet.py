"""Rows of JSON ↔ Parquet.  The metadata is a column of JSON, and its most used fields have columns of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import batched
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_ROWS_A_GROUP = 10_000
_TEXT, _NUMBER = ("source", "source_hash", "content"), ("start_line", "end_line", "start_offset", "end_offset")
SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in _TEXT),
        *(pa.field(name, pa.int64()) for name in _NUMBER),
        pa.field("prefix", pa.string()),
        pa.field("suffix", pa.string()),
        pa.field("chunk_id", pa.string()),
        pa.field("header_path", pa.list_(pa.string())),
        pa.field("content_type", pa.string()),
        pa.field("metadata", pa.string()),
    ]
)
_FROM_METADATA = ("chunk_id", "header_path", "content_type")


def write_parquet(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write rows in their order; a row without metadata leaves those columns empty."""
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for some in batched(rows, _ROWS_A_GROUP):
            writer.write_table(pa.Table.from_pylist([_flat(row) for row in some], schema=SCHEMA))


def read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """The rows as they were given to write_parquet."""
    with pq.ParquetFile(path) as file:
        for some in file.iter_batches():
            yield from (_deep(row) for row in some.to_pylist())


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    if "metadata" not in row:
        return row
    metadata = row["metadata"]
    columns = {name: metadata.get(name) for name in _FROM_METADATA}
    return {**row, **columns, "metadata": json.dumps(metadata, ensure_ascii=False)}


def _deep(row: dict[str, Any]) -> dict[str, Any]:
    if row["metadata"] is None:
        return {name: row[name] for name in _TEXT}
    names = ("source", "source_hash", "content", *_NUMBER, "metadata", "prefix", "suffix")
    return {**{name: row[name] for name in names}, "metadata": json.loads(row["metadata"])}
