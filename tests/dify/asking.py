"""Asks the tools as Dify does, but for the SDK: loose parameters in, the value of `result` out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapter import ChunkRequest, ParentChildRequest, read_request
from tools import chunking

DOCUMENT = "# A\n\nSome text.\n\n## B\n\n    indented code\n\nMore text.\n"


@dataclass(frozen=True)
class SdkFile:
    """A file as far as the plugin looks at it; the SDK's own class patches the whole process when imported."""

    url: str = "http://127.0.0.1:9/file"
    filename: str | None = "notes.md"
    extension: str | None = ".md"
    size: int | None = None


def read(**parameters: Any) -> ChunkRequest:
    return read_request(ChunkRequest, {"input_text": DOCUMENT, **parameters})


def chunk_texts(parameters: dict[str, Any], data: bytes = b"") -> list[str]:
    return chunking.chunk_texts(read_request(ChunkRequest, parameters), data)


def families(parameters: dict[str, Any], data: bytes = b"") -> dict[str, Any]:
    return chunking.families(read_request(ParentChildRequest, parameters), data)


def plain(text: str, **parameters: Any) -> list[str]:
    """The chunks without metadata."""
    return chunk_texts({"input_text": text, "include_metadata": False, **parameters})
