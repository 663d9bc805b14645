"""Pieces and cuts → chunks: the exact text, where it stands, and what it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from hashlib import blake2b
from threading import Lock
from typing import Any

from .clean import collapse_blank_lines
from .describe import ContentReader
from .document import Document
from .model import Chunk, Piece, Section
from .overlap import overlaps


def ranges(cuts: list[int], count: int) -> list[tuple[int, int]]:
    """The runs [cut, next cut) of `count` pieces."""
    return list(zip(cuts, [*cuts[1:], count][: len(cuts)], strict=True))


def spans_of(pieces: list[Piece], cuts: list[int]) -> list[tuple[int, int]]:
    """Where the text of each chunk stands in the source, without the context repeated around it."""
    return [(pieces[first].start, pieces[after - 1].end) for first, after in ranges(cuts, len(pieces))]


def annotate(
    document: Document,
    pieces: list[Piece],
    cuts: list[int],
    common: dict[str, Any],
    seen: dict[str, int] | None = None,
    end: int | None = None,
) -> list[Chunk]:
    """The chunks in order, each with its text and place; its metadata is worked out when somebody asks.

    `common` is what every chunk's metadata carries: the strategy, and the size under adaptive sizing.  `seen` counts
    the ids given so far; `end` is where the last chunk ends, if not with the text.
    """
    source = document.source
    text, at, collapses = source.text, source.at, document.config.collapse_whitespace
    contents = Contents((document, pieces, cuts, common, seen))
    chunks: list[Chunk] = []
    ends = [*(pieces[cut].start for cut in cuts[1:]), len(text) if end is None else end]
    start = 0
    for index, (first, after) in enumerate(ranges(cuts, len(pieces))):
        head, tail = pieces[first], pieces[after - 1]
        content = text[head.start : tail.end]
        if head.prefix or tail.suffix:
            content = f"{head.prefix}{content}{tail.suffix}"
        if collapses:
            content = collapse_blank_lines(content)
        lines = (bisect_right(at, head.start), bisect_left(at, tail.end))  # they count from 1
        contents.known.append((content, *lines))
        chunks.append(Chunk(content, *lines, start, ends[index], None, head.prefix, tail.suffix, contents.of, index))
        start = ends[index]
    return chunks


#: Document, pieces, cuts, what all metadata carries, and the ids given so far.
type _Given = tuple[Document, list[Piece], list[int], dict[str, Any], dict[str, int] | None]


class Contents:
    """What the chunks of a document are made of: worked out for all of them when one of them is asked.

    It does not hold the chunks, which hold it: so all is freed with the last of them, without a collector.
    """

    def __init__(self, given: _Given) -> None:
        self.known: list[tuple[str, int, int]] = []  # content, first and last line of each chunk
        self._given: _Given | None = given
        self._metadata: list[dict[str, Any]] = []
        self._lock = Lock()

    def of(self, index: int) -> dict[str, Any]:
        """The metadata of a chunk.  Once it is worked out nothing holds the document any more."""
        with self._lock:
            if self._given:
                self._metadata = list(self._described(*self._given))
                self._given = None
        return self._metadata[index]

    def _described(
        self,
        document: Document,
        pieces: list[Piece],
        cuts: list[int],
        common: dict[str, Any],
        seen: dict[str, int] | None,
    ) -> Iterator[dict[str, Any]]:
        seen = {} if seen is None else seen
        reader = ContentReader(document)
        titles = _Titles(document)
        parts = _parts(pieces, cuts)
        spans = spans_of(pieces, cuts)
        neighbours = overlaps(document, [content for content, *_ in self.known], spans)
        for index, (first, after) in enumerate(ranges(cuts, len(pieces))):
            inside = pieces[first:after]
            head, tail = inside[0], inside[-1]
            content, start_line, end_line = self.known[index]
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
                **reader.describe(inside),
            }
            headings = titles.within(*spans[index])
            if headings and tuple(headings) != path[-1:]:
                metadata["headings"] = headings
            if index in parts:
                metadata |= parts[index]
            if head.prefix:
                metadata["repeated_prefix"] = head.prefix
            if tail.oversize_reason:
                metadata["oversize_reason"] = tail.oversize_reason
            yield metadata | neighbours[index]


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
