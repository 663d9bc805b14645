"""What leaves a tool: which chunks, in which text form, and how much fits in one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import to_json

from markdown_chunker import Chunk
from markdown_chunker.render import LEAN_FIELDS, breadcrumb, lean_fields, metadata_block, path_text, render

#: A longer line kills the plugin in Dify (5,242,880 bytes); the rest is room for the message around it.
MESSAGE_LIMIT = 4_900_000

#: What the metadata block tells of a chunk's place in the tree.  `debug` adds children and siblings.
TREE_FIELDS = ("hierarchy_level", "parent_id", "is_leaf")
#: Long, so they stand last.
OVERLAP_FIELDS = ("previous_content", "next_content")
#: Names that `extra_metadata` may not take.
OWN_FIELDS = (*LEAN_FIELDS, *TREE_FIELDS)


@dataclass(frozen=True, slots=True)
class Style:
    """The text form of a chunk.

    With `metadata` the text is preceded by a block of JSON or, as `breadcrumb`, by one line `Title > A > B`;
    without, it stands alone.  `extra` goes into every block.  `debug` puts in all that is known of a chunk.
    `limit` is the most characters that the text and the overlap joined to it may have.
    """

    metadata: bool = True
    breadcrumb: bool = False
    title: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    debug: bool = False
    limit: int = 4096


def chunk_text(chunk: Chunk, style: Style) -> str:
    """One chunk as Dify gets it."""
    if style.metadata and not style.breadcrumb:
        return metadata_block(block_fields(chunk, style), chunk.content)
    text = render(chunk, "joined", limit=style.limit)
    return with_breadcrumb(chunk, text, style.title) if style.metadata else text


def with_breadcrumb(chunk: Chunk, text: str, title: str) -> str:
    """A text of the chunk under its title and heading path."""
    line = breadcrumb(chunk, title)
    return f"{line}\n\n{text}" if line else text


def block_fields(chunk: Chunk, style: Style) -> dict[str, Any]:
    """The fields of the metadata block, always in the same order; what says nothing is left out.

    The title is left out where the heading path begins with it.  What is known of the chunk stands against `extra`.
    """
    path = chunk.metadata.get("header_path") or [""]
    fields = lean_fields(chunk, style.title if path[0] != style.title else None)
    last = {name: fields.pop(name) for name in OVERLAP_FIELDS if name in fields}
    fields |= {name: chunk.metadata[name] for name in TREE_FIELDS if name in chunk.metadata}
    if style.debug:
        fields = _debug_fields(chunk, fields)
    return {**fields, **{name: value for name, value in style.extra.items() if name not in fields}, **last}


def _debug_fields(chunk: Chunk, fields: dict[str, Any]) -> dict[str, Any]:
    """The lean fields and after them all others; the heading path as a string, as everywhere."""
    others = {name: value for name, value in chunk.metadata.items() if name not in (*OVERLAP_FIELDS, *fields)}
    if "header_path" in others:
        others["header_path"] = path_text(others["header_path"])
    return {**fields, **others}


def without_root(nodes: Sequence[Chunk]) -> list[Chunk]:
    """The nodes of a tree below its root, and no mention of the root in them."""
    roots = {node.metadata["chunk_id"] for node in nodes if node.metadata.get("is_root")}
    return [_rootless(node, roots) for node in nodes if not node.metadata.get("is_root")]


def _rootless(node: Chunk, roots: set[str]) -> Chunk:
    if node.metadata.get("parent_id") not in roots:
        return node
    metadata = {name: value for name, value in node.metadata.items() if name != "parent_id"}
    return node.with_changes(metadata=metadata)


def message_bytes(value: object) -> int:
    """How many bytes the value takes in a message: compact JSON in UTF-8, as the SDK writes it."""
    return len(to_json(value))
