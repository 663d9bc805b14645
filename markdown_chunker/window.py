"""The part of a streamed document that is in memory, and the cuts in it that no later text can change."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

from .annotate import annotate, spans_of
from .blocks import read_blocks
from .document import Document
from .measure import Characters
from .model import Block, Chunk, Piece, Section
from .options import ChunkConfig
from .overlap import Neighbours, join
from .pack import anchors, pack, settled_cuts
from .plan import CostFunction
from .scan import REACH
from .sections import read_sections
from .source import Source
from .split import split

#: Openers at the start of a line that may find their closer far below.
_OPENER = re.compile(r"^ {0,3}(?:<details|:::|\\begin\{)", re.M | re.I)


def settled_blocks(text: str, blocks: list[Block], at_start: bool) -> int:
    """How many of the blocks of a text no later text can change; there is always one after them."""
    if not blocks or (at_start and text.startswith(("---", "+++")) and blocks[0].kind != "front_matter"):
        return 0
    within_reach = text.rfind("\n", 0, len(text) - REACH) + 1 if len(text) > REACH else 0
    opener = _OPENER.search(text, within_reach)
    line = text.count("\n", 0, opener.start()) if opener else blocks[-1].start
    count = bisect_right(blocks, min(line, blocks[-1].start), key=lambda block: block.start) - 1
    while count and blocks[count - 1].kind == "reference" and blocks[count - 1].end == blocks[count].start:
        count -= 1  # text right below a reference is read as going on from it
    return count


class Window:
    """Text in, chunks out as soon as they are certain; the last call says that it is the last."""

    def __init__(
        self, costs: CostFunction, config: ChunkConfig, common: dict[str, Any], definitions: dict[str, str]
    ) -> None:
        self._costs = costs
        self._config = config
        self._common = common
        self._definitions = definitions
        self._text = ""
        self._wanted = 0  # the length at which it is worth looking again
        self._above: Section | None = None
        self._seen: dict[str, int] = {}
        self._lines = self._offset = self._count = 0  # lines, characters and chunks before the window
        self._since = 0  # characters between the last anchor and the window
        self._held: Chunk | None = None  # with overlap, the last chunk waits for the beginning of the next
        self._tail = ""

    def take(self, text: str, is_last: bool) -> Iterator[Chunk]:
        """Add text; yield the chunks that are certain with it."""
        self._text += text
        if len(self._text) < self._wanted and not is_last:
            return
        chunks = self._finish() if is_last else self._advance()
        self._wanted = 0 if chunks else 2 * len(self._text)
        if self._held:
            chunks.insert(0, self._held)
            self._held = None
        if chunks and not is_last and self._config.chunk_overlap:
            self._held = chunks.pop()
        yield from chunks

    def _finish(self) -> list[Chunk]:
        blocks = read_blocks(self._text, at_start=not self._offset)
        document = self._document(blocks)
        pieces, costs = self._plan(document, ends=True)
        cuts = pack(pieces, costs, document.source, self._config, Characters(), self._since)
        return self._chunks(document, pieces, cuts, len(self._text))

    def _advance(self) -> list[Chunk]:
        """The chunks before the last settled cut; the window moves on to it."""
        blocks = read_blocks(self._text, at_start=not self._offset)
        count = settled_blocks(self._text, blocks, not self._offset)
        known = blocks[:count]
        document = self._document(known)
        sections = document.sections
        while sections and not self._is_quiet(document, known, sections[-1].start):
            sections.pop()
        if not sections:
            return []
        sections.pop()  # it may go on
        pieces, costs = self._plan(document, ends=False)
        anchored = [pieces[i].start for i in anchors(pieces, costs, self._since)]
        cuts = settled_cuts(pieces, costs, self._config, Characters(), self._since)
        while len(cuts) > 1:
            cut = cuts.pop()
            offset = pieces[cut].start
            line = document.source.line_of(offset)
            if pieces[cut].seam == "section" and costs[cut] < 0 and self._is_quiet(document, known, line):
                chunks = self._chunks(document, pieces[:cut], cuts, offset)
                self._count += len(chunks)
                self._since = offset - max((at for at in anchored if at <= offset), default=-self._since)
                self._move(document, line, offset)
                return chunks
        return []

    def _document(self, blocks: list[Block]) -> Document:
        source = Source(self._text)
        return Document(source, read_sections(source, blocks, above=self._above), self._config, self._definitions)

    def _plan(self, document: Document, ends: bool) -> tuple[list[Piece], list[float]]:
        pieces = split(document.source, document.sections, self._config, Characters(), whole=True, ends=ends)
        return pieces, self._costs(pieces, document)

    def _is_quiet(self, document: Document, known: list[Block], line: int) -> bool:
        """Whether no tie reaches across the start of a line, nor can: the code that follows is known, or far off."""
        codes, reach = document.codes, self._config.related_block_max_gap
        after = bisect_left(codes, line, key=lambda code: code.block.start)
        if after == 0 or codes[after - 1].block.end < line - reach:
            return True
        if after == len(codes):
            return known[-1].end > line + reach
        return all(link.last != after for link in document.links)

    def _chunks(self, document: Document, pieces: list[Piece], cuts: list[int], end: int) -> list[Chunk]:
        """Finished chunks, their places counted from the start of the document."""
        chunks = annotate(document, pieces, cuts, self._common, self._seen, end)
        if self._config.chunk_overlap and chunks:
            neighbours = Neighbours(document)
            spans = spans_of(pieces, cuts)
            if self._held:
                join(self._held, chunks[0], self._tail, neighbours.head_of(chunks[0].content, spans[0]))
            self._tail = neighbours.tail_of(chunks[-1].content, spans[-1])
        return [self._placed(chunk) for chunk in chunks]

    def _placed(self, chunk: Chunk) -> Chunk:
        metadata = chunk.metadata
        metadata["chunk_index"] += self._count
        metadata["start_line"] += self._lines
        metadata["end_line"] += self._lines
        return chunk.with_changes(
            start_line=chunk.start_line + self._lines,
            end_line=chunk.end_line + self._lines,
            start_offset=chunk.start_offset + self._offset,
            end_offset=chunk.end_offset + self._offset,
        )

    def _move(self, document: Document, line: int, offset: int) -> None:
        """Begin the window at `offset`, on `line`, below the headings of the section before it."""
        before = [section for section in document.sections if section.start < line]
        self._above = _headings_only(before[-1]) if before else self._above
        self._text = self._text[offset:]
        self._lines += line
        self._offset += offset


def _headings_only(section: Section) -> Section:
    """The section and those above it, without their blocks."""
    parent = _headings_only(section.parent) if section.parent else None
    return Section(None, section.level, section.path, parent, 0, 0)
