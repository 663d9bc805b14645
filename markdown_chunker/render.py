"""Chunk → text, in the form that a reader, an index or a training set wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from .model import Chunk
from .overlap import trimmed_head, trimmed_tail

Form = Literal["plain", "json", "breadcrumb", "joined"]

#: What the metadata block carries, in this order.  It is embedded with the text, so it is lean.
LEAN_FIELDS = (
    "title",
    "header_path",
    "content_type",
    "languages",
    "start_line",
    "end_line",
    "chunk_id",
    "previous_content",
    "next_content",
)
PATH_SEPARATOR = " > "
#: Characters of a title that the text forms show; the metadata keeps all of it.
LONGEST_TITLE = 200


def render(chunk: Chunk, form: Form = "json", title: str | None = None, limit: int | None = None) -> str:
    """The text of a chunk.

    plain: its content.  json: a `<metadata>` block with the lean fields, then the content.  breadcrumb: one line
    `Title > A > B`, a blank line, the content.  joined: previous_content, content and next_content, with blank
    lines between, the outer two trimmed so that the whole keeps within `limit` characters.
    """
    return _FORMS[form](chunk, title, limit)


def embedding_text(chunk: Chunk, title: str | None = None) -> str:
    """What to embed, where it may differ from what is stored: the title and heading path, then the content."""
    return render(chunk, "breadcrumb", title)


def metadata_block(fields: Mapping[str, Any], content: str) -> str:
    """`<metadata>`, one line of JSON, `</metadata>`, then the content."""
    line = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")  # the block ends once
    return f"<metadata>\n{line}\n</metadata>\n{content}"


def lean_fields(chunk: Chunk, title: str | None = None) -> dict[str, Any]:
    """The fields of the metadata block that say something, the heading path as one string."""
    values = {"title": title, **chunk.metadata, "header_path": path_text(chunk.metadata.get("header_path", ()))}
    return {name: values[name] for name in LEAN_FIELDS if values.get(name)}


def path_text(path: list[str] | tuple[str, ...]) -> str:
    """`A > B`, empty titles left out and endless ones shortened: it stands in every chunk's text."""
    return PATH_SEPARATOR.join(
        part if len(part) <= LONGEST_TITLE else f"{part[: LONGEST_TITLE - 1]}…" for part in path if part
    )


def breadcrumb(chunk: Chunk, title: str | None = None) -> str:
    """`Title > A > B`; a title that is also the first heading stands once."""
    path = list(chunk.metadata.get("header_path", ()))
    if title and path[:1] != [title]:
        path.insert(0, title)
    return path_text(path)


def _plain(chunk: Chunk, title: str | None, limit: int | None) -> str:
    return chunk.content


def _json(chunk: Chunk, title: str | None, limit: int | None) -> str:
    return metadata_block(lean_fields(chunk, title), chunk.content)


def _breadcrumb(chunk: Chunk, title: str | None, limit: int | None) -> str:
    line = breadcrumb(chunk, title)
    return f"{line}\n\n{chunk.content}" if line else chunk.content


def _joined(chunk: Chunk, title: str | None, limit: int | None) -> str:
    before = str(chunk.metadata.get("previous_content", ""))
    after = str(chunk.metadata.get("next_content", ""))
    if limit is not None:
        spare = max(0, limit - len(chunk.content) - 2 * bool(before) - 2 * bool(after))
        kept = trimmed_tail(before, max(spare // 2, spare - len(after)))
        after = trimmed_head(after, spare - len(kept))
        before = kept
    return "\n\n".join(part for part in (before, chunk.content, after) if part)


_FORMS: dict[str, Callable[[Chunk, str | None, int | None], str]] = {
    "plain": _plain,
    "json": _json,
    "breadcrumb": _breadcrumb,
    "joined": _joined,
}
