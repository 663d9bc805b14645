"""Pieces and cuts → chunks: the exact text, where it stands, and what it is."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

from .clean import collapse_blank_lines
from .describe import ContentReader
from .document import Document
from .model import Chunk, Piece, Section


class Span(NamedTuple):
    """A chunk in the making: pieces [first, after), and its place in the source, blank lines below included."""

    first: int
    after: int
    start: int
    end: int


def ranges(cuts: list[int], count: int) -> list[tuple[int, int]]:
    """The runs [cut, next cut) of `count` pieces."""
    return list(zip(cuts, [*cuts[1:], count][: len(cuts)], strict=True))


def spans_of(pieces: list[Piece], cuts: list[int], end: int) -> list[Span]:
    """The spans of the chunks; joined, they are the text before `end`."""
    starts = [0, *(pieces[cut].start for cut in cuts[1:]), end]
    return [Span(cut, after, starts[i], starts[i + 1]) for i, (cut, after) in enumerate(ranges(cuts, len(pieces)))]


def annotate(
    document: Document,
    pieces: list[Piece],
    cuts: list[int],
    common: dict[str, Any],
    seen: dict[str, int] | None = None,
    end: int | None = None,
) -> tuple[list[Chunk], list[Section | None]]:
    """The chunks in order, each with its metadata, and the section that holds all the text of each.

    `common` is what every chunk's metadata carries: the strategy, and the size under adaptive sizing.  `seen` counts
    the ids given so far; `end` is where the last chunk ends, if not with the text.
    """
    source = document.source
    seen = {} if seen is None else seen
    contents = _Contents(document, pieces, cuts)
    chunks = contents.chunks
    owners: list[Section | None] = []
    for index, span in enumerate(spans_of(pieces, cuts, len(source.text) if end is None else end)):
        inside = pieces[span.first : span.after]
        head, tail = inside[0], inside[-1]
        content = f"{head.prefix}{source.text[head.start : tail.end]}{tail.suffix}"
        if document.config.collapse_whitespace:
            content = collapse_blank_lines(content)
        start_line, end_line = source.line_of(head.start) + 1, source.line_of(tail.end - 1) + 1
        owner = common_section(inside)
        path = owner.path if owner else ()
        metadata: dict[str, Any] = {
            "chunk_index": index,
            "chunk_id": identity(path, content, seen),
            "start_line": start_line,
            "end_line": end_line,
            "header_path": list(path),
            "header_level": owner.level if owner else 0,
            **common,
        }
        place = (start_line, end_line, span.start, span.end)
        chunks.append(Chunk(content, *place, metadata, head.prefix, tail.suffix, contents.describe))
        owners.append(owner)
    return chunks, owners


class _Contents:
    """What the chunks of a document are made of: worked out for all of them when one of them is asked."""

    def __init__(self, document: Document, pieces: list[Piece], cuts: list[int]) -> None:
        self.document = document
        self.pieces = pieces
        self.cuts = cuts
        self.chunks: list[Chunk] = []

    def describe(self) -> None:
        """Complete the metadata of every chunk; after that nothing holds the document any more."""
        reader = ContentReader(self.document)
        titles = _Titles(self.document)
        parts = _parts(self.pieces, self.cuts)
        for index, (first, after) in enumerate(ranges(self.cuts, len(self.pieces))):
            chunk, inside = self.chunks[index], self.pieces[first:after]
            fields = reader.describe(inside)
            headings = titles.within(inside[0].start, inside[-1].end)
            if headings and headings != chunk.path[-1:]:
                fields["headings"] = headings
            if index in parts:
                fields |= parts[index]
            if chunk.prefix:
                fields["repeated_prefix"] = chunk.prefix
            if inside[-1].oversize_reason:
                fields["oversize_reason"] = inside[-1].oversize_reason
            chunk.settle(fields)


def common_section(pieces: list[Piece]) -> Section | None:
    """The section that holds all the text of these pieces; None if no heading stands above it all.

    Headings without text do not count, nor does front matter, which is about the document: the text besides decides.
    """
    section: Section | None = pieces[0].section
    if len(pieces) == 1:
        return section
    sections = list(dict.fromkeys(piece.section for piece in pieces))
    speaking = [section for section in sections if _has_text(section)] or sections
    section = speaking[0]
    for other in speaking[1:]:
        section = _common(section, other)
    return section


def _has_text(section: Section) -> bool:
    blocks = section.blocks
    return bool(blocks) and not (section.heading is None and len(blocks) == 1 and blocks[0].kind == "front_matter")


def _common(a: Section | None, b: Section | None) -> Section | None:
    """The nearest section that is, or stands above, both."""
    above = set()
    while a is not None:
        above.add(id(a))
        a = a.parent
    while b is not None and id(b) not in above:
        b = b.parent
    return b


def identity(path: tuple[str, ...], content: str, seen: dict[str, int]) -> str:
    """16 hexadecimal digits from the path and the content; equal chunks are told apart by their order."""
    digest = blake2b("\x1f".join((*path, content)).encode(), digest_size=8)
    found = digest.hexdigest()
    count = seen[found] = seen.get(found, 0) + 1
    if count > 1:
        digest.update(b"\x1e%d" % count)
        found = digest.hexdigest()
    return found


def _parts(pieces: list[Piece], cuts: list[int]) -> dict[int, dict[str, int]]:
    """For each chunk that holds a part of a block cut in several: which part, of how many.

    A chunk can end one such block and begin another, of which it holds the first part.
    """
    holders: dict[int, list[int]] = {}
    for index, (cut, after) in enumerate(ranges(cuts, len(pieces))):
        for piece in (pieces[cut], pieces[after - 1]):
            if piece.block is not None:
                chunks = holders.setdefault(id(piece.block), [])
                if not chunks or chunks[-1] != index:
                    chunks.append(index)
    parts: dict[int, dict[str, int]] = {}
    for chunks in holders.values():
        if len(chunks) > 1:
            for number, index in enumerate(chunks, 1):
                if index in parts:
                    parts[index]["begins_parts"] = len(chunks)
                else:
                    parts[index] = {"part": number, "parts": len(chunks)}
    return parts


class _Titles:
    """The headings in reading order; `within` gives those that stand in a span of source."""

    def __init__(self, document: Document) -> None:
        at = document.source.at
        self.items = [(at[section.start], section.path[-1]) for section in document.sections if section.heading]
        self.next = 0

    def within(self, start: int, end: int) -> list[str]:
        items, i = self.items, self.next
        while i < len(items) and items[i][0] < start:
            i += 1
        first = i
        while i < len(items) and items[i][0] < end:
            i += 1
        self.next = i
        return [title for _, title in items[first:i] if title]
