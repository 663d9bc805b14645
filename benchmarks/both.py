"""chunkana and this engine behind one face, so that what is looked at is counted alike for both."""

from __future__ import annotations

import importlib.metadata
import logging
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import chunkana

import markdown_chunker
from markdown_chunker import ChunkConfig


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of either engine, by what both have; `depth` is the number of nodes above it in a tree."""

    text: str
    first: int
    last: int
    path: tuple[str, ...]
    fields: dict[str, Any]
    depth: int = 0


class Engine(Protocol):
    """Sizes and options by the names of this engine; anything may raise."""

    name: str

    def chunks(self, text: str, size: int, least: int, **options: Any) -> list[Piece]: ...

    def leaves(self, text: str, size: int, least: int) -> list[Piece]:
        """The flat chunks of a tree."""

    def stream(self, text: str, size: int, least: int) -> list[Piece]:
        """The chunks of a file that is read 3000 characters at a time."""

    def add_strategy(self) -> str:
        """What happens when a strategy is added."""


class Chunkana:
    """The library that the incumbent plugin uses."""

    name = f"chunkana {importlib.metadata.version('chunkana')}"

    def __init__(self) -> None:
        logging.getLogger("chunkana").setLevel(logging.ERROR)  # it warns of every heading that it cannot move

    def chunks(self, text: str, size: int, least: int, **options: Any) -> list[Piece]:
        return [_piece(chunk) for chunk in chunkana.chunk_markdown(text, self._config(size, least, **options))]

    def leaves(self, text: str, size: int, least: int) -> list[Piece]:
        tree = chunkana.chunk_hierarchical(text, self._config(size, least))
        return [_piece(chunk, len(tree.get_ancestors(chunk.metadata["chunk_id"]))) for chunk in tree.get_flat_chunks()]

    def stream(self, text: str, size: int, least: int) -> list[Piece]:
        with tempfile.TemporaryDirectory() as folder:
            streaming = chunkana.StreamingConfig(buffer_size=3000)
            found = chunkana.chunk_file_streaming(_file(folder, text), self._config(size, least), streaming)
            return [_piece(chunk) for chunk in found]

    def add_strategy(self) -> str:
        chunkana.MarkdownChunker().add_strategy("mine", lambda *_: None)
        return "added"

    def _config(self, size: int, least: int, **options: Any) -> Any:
        given = {"overlap_size": options.pop("chunk_overlap", 0), **options}
        return chunkana.ChunkerConfig(max_chunk_size=size, min_chunk_size=least, **given)


class ThisEngine:
    """markdown_chunker."""

    name = "this engine"

    def chunks(self, text: str, size: int, least: int, **options: Any) -> list[Piece]:
        config = ChunkConfig(max_chunk_size=size, min_chunk_size=least, **options)
        return [_piece(chunk) for chunk in markdown_chunker.chunk_markdown(text, config)]

    def leaves(self, text: str, size: int, least: int) -> list[Piece]:
        tree = markdown_chunker.chunk_hierarchical(text, ChunkConfig(max_chunk_size=size, min_chunk_size=least))
        return [
            _piece(chunk, len(tree.get_ancestors(chunk.metadata["chunk_id"])))
            for chunk in tree.chunks
            if "is_leaf" in chunk.metadata
        ]

    def stream(self, text: str, size: int, least: int) -> list[Piece]:
        read = getattr(markdown_chunker, "chunk_file_streaming", None)
        if read is None:
            raise NotImplementedError("coming; files are read as a whole")
        with tempfile.TemporaryDirectory() as folder:
            config = ChunkConfig(max_chunk_size=size, min_chunk_size=least)
            return [_piece(chunk) for chunk in read(_file(folder, text), config, buffer_size=3000)]

    def add_strategy(self) -> str:
        chunker = markdown_chunker.MarkdownChunker()
        chunker.add_strategy("mine", lambda pieces, document: [0.0] * len(pieces))
        return "added"


def _piece(chunk: Any, depth: int = 0) -> Piece:
    path = chunk.metadata.get("header_path") or []
    parts: Iterable[str] = path.strip("/").split("/") if isinstance(path, str) else path
    return Piece(
        chunk.content,
        chunk.start_line,
        chunk.end_line,
        tuple(part for part in parts if part),
        chunk.metadata,
        depth,
    )


def _file(folder: str, text: str) -> Path:
    path = Path(folder) / "document.md"
    path.write_text(text, encoding="utf-8")
    return path
