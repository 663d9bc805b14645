"""What leaves a tool: which text form of a chunk, and how much fits in one message."""

from __future__ import annotations

from pydantic_core import to_json

from markdown_chunker import Chunk
from markdown_chunker.render import render

#: A longer line kills the plugin in Dify (5,242,880 bytes); the rest is room for the message around it.
MESSAGE_LIMIT = 4_900_000


def chunk_text(chunk: Chunk, include_metadata: bool, limit: int) -> str:
    """One chunk as Dify gets it: behind its metadata block, or between its overlaps and within the limit."""
    return render(chunk, "json" if include_metadata else "joined", limit=limit)


def message_bytes(value: object) -> int:
    """How many bytes the value takes in a message: compact JSON in UTF-8, as the SDK writes it."""
    return len(to_json(value))
