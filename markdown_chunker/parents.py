"""Parents to read and children to find: two plans of one document, one inside the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from .annotate import annotate, identity
from .chunker import Run, run
from .errors import OptionError
from .model import Chunk, Piece, Section
from .options import ChunkConfig

ParentMode = Literal["paragraph", "full_doc"]


@dataclass(slots=True)
class ParentChunk:
    """A passage to read, and the parts of it that are searched; the children's spans are the parent's, cut up."""

    parent: Chunk
    children: list[Chunk]


def chunk_parent_child(
    text: str,
    config: ChunkConfig | None = None,
    *,
    parent_max_size: int = 2048,
    child_max_size: int = 512,
    parent_mode: ParentMode = "paragraph",
) -> list[ParentChunk]:
    """Cut Markdown into parents, and each of them into children.  Text of white space alone has none.

    With parent_mode "paragraph", parents are the chunks of at most `parent_max_size`; with "full_doc", one parent is
    the whole document and `parent_max_size` does not count.  The sizes replace max_chunk_size, in the same unit, and
    there is no overlap: the parent is the context.  Raises OptionError for a size or mode that is not allowed.
    """
    _check(parent_max_size, child_max_size, parent_mode)
    config = config or ChunkConfig()
    small = replace(config, max_chunk_size=child_max_size, chunk_overlap=0)
    if parent_mode == "full_doc":
        inner = run(text, small)
        parents = [_whole(inner)] if inner.chunks else []
    else:
        outer = run(text, replace(small, max_chunk_size=parent_max_size))
        inner = run(text, small, within=outer)
        parents = outer.chunks
    return _families(parents, inner.chunks)


def _check(parent_max_size: object, child_max_size: object, parent_mode: object) -> None:
    if parent_mode not in get_args(ParentMode):
        raise OptionError("parent_mode", parent_mode, "one of " + ", ".join(get_args(ParentMode)))
    for name, value in (("parent_max_size", parent_max_size), ("child_max_size", child_max_size)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise OptionError(name, value, "a whole number, 1 or more")
    if parent_mode == "paragraph" and child_max_size > parent_max_size:  # type: ignore[operator]
        raise OptionError("child_max_size", child_max_size, f"at most parent_max_size ({parent_max_size})")


def _whole(inner: Run) -> Chunk:
    """The document as one chunk, without the blank lines around it."""
    source, sections = inner.document.source, inner.document.sections
    tops = [section for section in sections if section.parent is None]
    section = tops[0] if len(tops) == 1 else Section(None, 0, (), None, 0, 0)
    start = source.at[inner.chunks[0].start_line - 1]
    end = source.trim(start, len(source.text))
    piece = Piece(start, end, "block", 0, section, suffix=inner.chunks[-1].suffix)
    return annotate(inner.document, [piece], [0], {"strategy": inner.strategy})[0]


def _families(parents: list[Chunk], children: list[Chunk]) -> list[ParentChunk]:
    """The children by their parents, each with its parent's id.

    A parent has an id of its own kind, so that it is never taken for a child with the same text.
    """
    seen: dict[str, int] = {}
    families = []
    waiting = children[::-1]
    for parent in _with_text(parents):
        parent.metadata["chunk_id"] = identity(("\x1dparent",), parent.metadata["chunk_id"], seen)
        family = ParentChunk(parent, [])
        while waiting and waiting[-1].start_offset < parent.end_offset:
            child = waiting.pop()
            child.metadata["parent_id"] = parent.metadata["chunk_id"]
            family.children.append(child)
        family.children = _with_text(family.children)
        families.append(family)
    return families


def _with_text(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks that are not just white space; the span of one that is goes to the one before, else to the next.

    A run of spaces longer than the limit makes a chunk of its own, and nothing can be found in it.
    """
    kept: list[Chunk] = []
    for chunk in chunks:
        if not chunk.content[len(chunk.prefix) : len(chunk.content) - len(chunk.suffix)].isspace():
            start = chunk.start_offset if kept else chunks[0].start_offset
            kept.append(chunk if start == chunk.start_offset else chunk.with_changes(start_offset=start))
        elif kept:
            kept[-1] = kept[-1].with_changes(end_offset=chunk.end_offset)
    return kept
