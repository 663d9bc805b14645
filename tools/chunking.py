"""From a checked request to the value of the variable `result`; knows nothing of the SDK."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import output_filter
from adapter import ChunkRequest, ParentChildRequest, Request
from markdown_chunker import (
    Chunk,
    OptionError,
    chunk_hierarchical,
    chunk_markdown,
    chunk_parent_child,
    document_title_of,
)
from output_filter import Style, chunk_text, with_breadcrumb, without_root
from tools.decode import decode
from tools.download import stem
from values import InputError, one_line

#: Far more than the chunks of any document may have together; refused before the work, not after.  Characters.
TEXT_LIMIT = 15_000_000
#: A title that nobody typed is cut here.  Characters.
TITLE_LIMIT = 200

#: How Dify spells the modes.
_PARENT_MODES = {"paragraph": "paragraph", "full_doc": "full-doc"}


@dataclass(frozen=True, slots=True)
class Document:
    """What is chunked, and the name of the parameter that it came from."""

    text: str
    parameter: str = "input_text"


def document_of(request: Request, data: bytes = b"") -> Document:
    """The request's text, or that of its file, whose bytes are `data`.  Raises InputError if it is unusable."""
    document = Document(decode(data), "input_file") if request.input_file else Document(request.input_text)
    if not document.text.strip():
        raise InputError(f"{document.parameter} is empty")
    if len(document.text) > TEXT_LIMIT:
        raise InputError(
            f"{document.parameter} has {len(document.text):,} characters, more than {TEXT_LIMIT:,}: "
            "split the document into smaller files"
        )
    return document


def title_of(request: Request, document: Document) -> str:
    """The title that was given, else that of the front matter, the only top heading, or the file's name."""
    if request.document_title:
        return request.document_title
    found = document_title_of(document.text, request.split_marker)
    title = found or (stem(request.input_file) if request.input_file else "")
    return shortened(one_line(title))


def shortened(title: str) -> str:
    """A title of at most TITLE_LIMIT characters."""
    return title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1].rstrip() + "…"


# --- markdown_chunk: Dify's general structure --------------------------------------------------------------


def chunk_texts(request: ChunkRequest, data: bytes = b"") -> list[str]:
    """A list of texts, one for each chunk.  Raises InputError or OptionError."""
    check_names(request.extra_metadata or {})
    document = document_of(request, data)
    style = style_of(request, document)
    texts = [chunk_text(chunk, style) for chunk in chunks_of(request, document)]
    return sendable(texts, document, "set chunk_overlap to 0 or turn include_metadata off")


def chunks_of(request: ChunkRequest, document: Document) -> list[Chunk]:
    """The chunks that leave: the flat ones or, with enable_hierarchy, those of the tree above them as well."""
    config = request.chunk_config()
    if not request.enable_hierarchy or request.leaf_only:
        return some(chunk_markdown(document.text, config), document)
    nodes = some(chunk_hierarchical(document.text, config).chunks, document)
    return nodes if request.debug else without_root(nodes)


def style_of(request: ChunkRequest, document: Document) -> Style:
    """The text form that the request asks for."""
    return Style(
        metadata=request.include_metadata,
        breadcrumb=request.metadata_format == "breadcrumb",
        title=title_of(request, document) if request.include_metadata else "",
        extra=request.extra_metadata or {},
        debug=request.debug,
        limit=request.max_chunk_size,
    )


def check_names(extra: dict[str, Any]) -> None:
    """Raises OptionError if a name in extra_metadata is one of the block's own."""
    taken = sorted(set(extra) & set(output_filter.OWN_FIELDS))
    if taken:
        raise OptionError("extra_metadata", taken[0], f"without the names {', '.join(output_filter.OWN_FIELDS)}")


# --- markdown_parent_child_chunk: Dify's parent-child structure -------------------------------------------


def families(request: ParentChildRequest, data: bytes = b"") -> dict[str, Any]:
    """Parents with their children, as Dify spells it.  Raises InputError or OptionError."""
    document = document_of(request, data)
    parents = chunk_parent_child(
        document.text,
        request.config(),
        parent_max_size=request.parent_max_size,
        child_max_size=request.child_max_size,
        parent_mode=request.parent_mode,  # type: ignore[arg-type]  # checked by the reader
    )
    title = title_of(request, document) if request.child_context == "breadcrumb" else None
    result = {
        "parent_mode": _PARENT_MODES[request.parent_mode],
        "parent_child_chunks": [
            {
                "parent_content": family.parent.content,
                "child_contents": [child_text(child, title) for child in family.children],
            }
            for family in some(parents, document)
        ],
    }
    return sendable(result, document, "set child_context to none")


def child_text(child: Chunk, title: str | None) -> str:
    """A child, under its breadcrumb if there is a title to begin it with, even an empty one."""
    return child.content if title is None else with_breadcrumb(child, child.content, title)


# --- both -----------------------------------------------------------------------------------------------


def some[T](found: list[T], document: Document) -> list[T]:
    """What was found, if it is anything: Dify fails on an empty result, and far from the cause."""
    if not found:
        raise InputError(f"{document.parameter} holds no text to chunk")
    return found


def sendable[V](value: V, document: Document, advice: str) -> V:
    """The value, if it fits in one message to Dify.  Raises InputError with advice otherwise."""
    size = output_filter.message_bytes(value)
    if size > output_filter.MESSAGE_LIMIT:
        raise InputError(
            f"{document.parameter} gives {size / 1e6:.1f} MB of chunks, more than the "
            f"{output_filter.MESSAGE_LIMIT / 1e6:.1f} MB that Dify takes from a tool at once. "
            f"Split the document into smaller files, or {advice}."
        )
    return value
