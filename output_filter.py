"""What leaves a tool: which fields of a chunk, in which text form, and how much fits in one message."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic_core import to_json

from markdown_chunker import Chunk

#: The fields of the metadata block, in order.  Few on purpose: the block is embedded with the text.
FIELDS = (
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

#: A longer line kills the plugin in Dify (5,242,880 bytes); the rest is room for the message around it.
MESSAGE_LIMIT = 4_900_000

_PATH_SEPARATOR = " > "
_GAP = "\n\n"
#: What would be torn by a cut inside: such an overlap is left out rather than shortened.
_WHOLE = re.compile(r"```|~~~|\$\$|!\[|^ *\||^ *<", re.MULTILINE)
_SEAM = re.compile(r"\n|(?<=[。！？．!?；;])|(?<=[.])(?=\s)|(?<=\s)(?=\S)")


def message_bytes(value: object) -> int:
    """How many bytes the value takes in a message: compact JSON in UTF-8, as the SDK writes it."""
    return len(to_json(value))


def with_metadata(chunk: Chunk) -> str:
    """The metadata block, then the content."""
    block = json.dumps(shown_fields(chunk), ensure_ascii=False, separators=(",", ":"))
    block = block.replace("</metadata>", "<\\/metadata>")  # the same JSON, and the block still ends where it ends
    return f"<metadata>\n{block}\n</metadata>\n{chunk.content}"


def shown_fields(chunk: Chunk) -> dict[str, Any]:
    """The fields that help search and citing; nothing false, null or empty."""
    fields = dict(chunk.metadata, start_line=chunk.start_line, end_line=chunk.end_line)
    if isinstance(fields.get("header_path"), list):
        fields["header_path"] = _PATH_SEPARATOR.join(title for title in fields["header_path"] if title)
    return {name: fields[name] for name in FIELDS if fields.get(name)}


def plain(chunk: Chunk, limit: int) -> str:
    """The content between its overlaps, within the limit.  The content itself is never altered."""
    before = chunk.metadata.get("previous_content", "")
    after = chunk.metadata.get("next_content", "")
    room = limit - chunk.size
    if before and after:
        share = max((room - 2 * len(_GAP)) // 2, room - 2 * len(_GAP) - len(after))
        before = _end_of(before, share)
    before = _end_of(before, room - len(_GAP))
    if before:
        room -= len(before) + len(_GAP)
    after = _start_of(after, room - len(_GAP))
    return _GAP.join(part for part in (before, chunk.content, after) if part)


def _end_of(text: str, most: int) -> str:
    """The last characters of a text, from a line, sentence or word on; empty if none begins in time."""
    if len(text) <= most:
        return text
    if _WHOLE.search(text):
        return ""
    seams = (seam.end() for seam in _SEAM.finditer(text) if len(text) - seam.end() <= most)
    return text[next(seams, len(text)) :]


def _start_of(text: str, most: int) -> str:
    """The first characters of a text, up to a line, sentence or word; empty if none ends in time."""
    if len(text) <= most:
        return text
    if _WHOLE.search(text):
        return ""
    ends = [seam.start() for seam in _SEAM.finditer(text) if seam.start() <= most]
    return text[: ends[-1] if ends else 0].rstrip()
