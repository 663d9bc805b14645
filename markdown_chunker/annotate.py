"""Pieces and cuts → chunks: the exact text, where it stands, and what it is."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import Any, NamedTuple

from .model import Block, Chunk, Piece, Section
from .source import Source

#: What kind of content a block is; the rest is text.
CONTENT_TYPES = {
    "fence": "code",
    "code": "code",
    "list": "list",
    "table": "table",
    "math": "math",
    "html": "html",
    "details": "html",
}
#: A chunk has the type that fills at least this share of it; below, it is mixed.
DOMINANT_SHARE = 2 / 3


class Span(NamedTuple):
    """A chunk in the making: pieces [first, after), and its place in the source, blank lines below included."""

    first: int
    after: int
    start: int
    end: int


def spans_of(pieces: list[Piece], cuts: list[int], source: Source) -> list[Span]:
    """The spans of the chunks; joined, they are the document."""
    starts = [0, *(pieces[cut].start for cut in cuts[1:]), len(source.text)]
    return [
        Span(cut, after, starts[i], starts[i + 1])
        for i, (cut, after) in enumerate(zip(cuts, [*cuts[1:], len(pieces)], strict=True))
    ]


def annotate(
    source: Source, sections: list[Section], pieces: list[Piece], cuts: list[int], strategy: str
) -> list[Chunk]:
    """The chunks in order, each with its metadata."""
    blocks = [block for section in sections for block in section.blocks]
    parts = _parts(pieces, cuts)
    seen: Counter[bytes] = Counter()
    chunks: list[Chunk] = []
    reader = _BlockReader(source, blocks)
    titles = _Titles(source, sections)
    for index, span in enumerate(spans_of(pieces, cuts, source)):
        head, tail = pieces[span.first], pieces[span.after - 1]
        content = f"{head.prefix}{source.text[head.start : tail.end]}{tail.suffix}"
        start_line, end_line = source.line_of(head.start) + 1, source.line_of(tail.end - 1) + 1
        path, level = common_path(pieces[span.first : span.after])
        content_type, languages = reader.describe(head.start, tail.end)
        metadata: dict[str, Any] = {
            "chunk_index": index,
            "chunk_id": _identity(path, content, seen),
            "content_type": content_type,
            "strategy": strategy,
            "start_line": start_line,
            "end_line": end_line,
            "header_path": list(path),
            "header_level": level,
        }
        headings = titles.within(head.start, tail.end)
        if len(headings) > 1:
            metadata["headings"] = headings
        if languages:
            metadata["languages"] = languages
        if index in parts:
            metadata["part"], metadata["parts"] = parts[index]
        if head.prefix:
            metadata["repeated_prefix"] = head.prefix
        if tail.oversize_reason:
            metadata["oversize_reason"] = tail.oversize_reason
        chunks.append(
            Chunk(content, start_line, end_line, span.start, span.end, metadata, head.prefix, tail.suffix)
        )
    return chunks


def common_path(pieces: list[Piece]) -> tuple[tuple[str, ...], int]:
    """The path of the section that holds all the text of these pieces, and its level."""
    section: Section | None = pieces[0].section
    for piece in pieces[1:]:
        if piece.section is not section and piece.section.blocks:
            section = _common(section, piece.section)
    return (section.path, section.level) if section else ((), 0)


def _common(a: Section | None, b: Section | None) -> Section | None:
    """The nearest section that is, or stands above, both."""
    above = set()
    while a is not None:
        above.add(id(a))
        a = a.parent
    while b is not None and id(b) not in above:
        b = b.parent
    return b


def _identity(path: tuple[str, ...], content: str, seen: Counter[bytes]) -> str:
    """16 hexadecimal digits from the path and the content; equal chunks are told apart by their order."""
    key = "\x1f".join((*path, content)).encode()
    digest = blake2b(key, digest_size=8)
    seen[digest.digest()] += 1
    if (count := seen[digest.digest()]) > 1:
        digest.update(b"\x1e%d" % count)
    return digest.hexdigest()


def _parts(pieces: list[Piece], cuts: list[int]) -> dict[int, tuple[int, int]]:
    """For each chunk that holds a part of a block cut in several: which part, of how many."""
    holders: dict[int, list[int]] = {}
    for index, (cut, after) in enumerate(zip(cuts, [*cuts[1:], len(pieces)], strict=True)):
        for piece in (pieces[cut], pieces[after - 1]):
            if piece.block is not None:
                chunks = holders.setdefault(id(piece.block), [])
                if not chunks or chunks[-1] != index:
                    chunks.append(index)
    parts: dict[int, tuple[int, int]] = {}
    for chunks in holders.values():
        if len(chunks) > 1:
            for number, index in enumerate(chunks, 1):
                parts.setdefault(index, (number, len(chunks)))
    return parts


class _BlockReader:
    """Walks the blocks once, chunk after chunk."""

    def __init__(self, source: Source, blocks: list[Block]) -> None:
        self.source = source
        self.blocks = blocks
        self.next = 0

    def describe(self, start: int, end: int) -> tuple[str, list[str]]:
        """The content type and the code languages of source[start:end]."""
        at, blocks = self.source.at, self.blocks
        shares: dict[str, int] = {}
        languages: list[str] = []
        i = self.next
        while i < len(blocks) and at[blocks[i].end] <= start:
            i += 1
        self.next = i
        while i < len(blocks) and at[blocks[i].start] < end:
            block = blocks[i]
            kind = CONTENT_TYPES.get(block.kind, "text")
            shares[kind] = shares.get(kind, 0) + min(at[block.end], end) - max(at[block.start], start)
            if block.kind == "fence" and block.info:
                language = language_of(block.info)
                if language and language not in languages:
                    languages.append(language)
            i += 1
        return _dominant(shares), languages


def _dominant(shares: dict[str, int]) -> str:
    if len(shares) < 2:
        return next(iter(shares), "text")
    kind = max(shares, key=lambda name: shares[name])
    return kind if shares[kind] >= DOMINANT_SHARE * sum(shares.values()) else "mixed"


def language_of(info: str) -> str:
    """The language in a fence's info string, such as `python title="a.py"` or `{.python}`; lower case."""
    word = info.strip().lstrip("{").lstrip(".").split(None, 1)
    return word[0].rstrip("}").split("{")[0].split(",")[0].split(":")[0].lower() if word else ""


class _Titles:
    """The headings in reading order; `within` gives those that stand in a span of source."""

    def __init__(self, source: Source, sections: list[Section]) -> None:
        self.items = [(source.at[s.start], s.path[-1]) for s in sections if s.heading]
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
