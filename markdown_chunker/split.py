"""Sections → pieces: what fits stays whole, what does not is cut at its own seams (see kinds.py).

A section that fits is one piece.  In a larger one every block is a piece, lists by their items, and a block that
is larger than the limit, less the heading above it, is cut by the rule of its kind.
"""

from __future__ import annotations

from .kinds import RULES, fence_closer
from .leads import Place
from .measure import Measure
from .model import Block, Piece, Seam, Section
from .options import ChunkConfig
from .source import Source
from .tables import kind_of

#: Blocks that `oversize="keep"` does not cut, and the reason that their chunks give.
KEPT_WHOLE = {
    "fence": "code_block_integrity",
    "code": "code_block_integrity",
    "table": "table_integrity",
    "math": "latex_integrity",
    "html": "html_integrity",
}


def split(
    source: Source, sections: list[Section], config: ChunkConfig, measure: Measure, whole: bool, ends: bool = True
) -> list[Piece]:
    """The pieces of the document, in order; each fits the limit, except blocks kept whole on request.

    With `whole`, a section that fits is not looked into.  `ends` says that the document ends here.  Headings are the
    beginning of the piece that follows them, so that no chunk can end in one.
    """
    splitter = Splitter(source, config, measure)
    for section in sections:
        splitter.take(section, whole, is_last=ends and section is sections[-1])
    return splitter.pieces


class Splitter:
    """Emits pieces in order.  Headings wait for the text below them, and count as the beginning of the next piece."""

    def __init__(self, source: Source, config: ChunkConfig, measure: Measure) -> None:
        self.source = source
        self.measure = measure
        self.limit = config.max_chunk_size
        self.keeps = KEPT_WHOLE if config.oversize == "keep" else {}
        self.pieces: list[Piece] = []
        #: What ends here was torn, and does not parse: nothing may follow in the same "block", or without a blank
        #: "line".
        self.torn = ""
        self._heading: Piece | None = None
        self._section: Section
        self._block: Block | None = None

    def take(self, section: Section, whole: bool, is_last: bool) -> None:
        """Emit the pieces of a section."""
        self._section, self._block = section, None
        if whole and not (self._heading or is_last or section.forced) and self._fits_whole(section):
            return
        if section.forced:
            self._release()
        if section.heading:
            self._await_text(section.heading, "marker" if section.forced else "section")
        first: Seam = "marker" if section.continues else "block"
        blocks = section.blocks
        if blocks:
            start, end = self.source.span(blocks[0].start, blocks[-1].end)
            closing = fence_closer(self.source, blocks[-1]) if is_last else ""
            if whole and self.fits(start, end, "", closing):
                self.put(start, end, Place(first), closing)
            else:
                for block in blocks:
                    self._take_block(block, Place(first), closing if block is blocks[-1] else "")
                    first = "block"
        elif is_last:
            self._release()

    def _fits_whole(self, section: Section) -> bool:
        """The usual case, taken the short way: nothing waits, and the section fits as it stands."""
        if not section.heading or not section.blocks:
            return False
        start, end = self.source.span(section.start, section.blocks[-1].end)
        if not self.measure.fits(start, end, self.limit):
            return False
        self.pieces.append(Piece(start, end, "section", section.level, section))
        return True

    def _take_block(self, block: Block, place: Place, closing: str) -> None:
        self._block = block
        start, end = self.source.span(block.start, block.end)
        if block.kind in self.keeps or (block.kind != "list" and self.fits(start, end, "", closing)):
            self.put(start, end, place, closing)
        else:
            self.cut(block, place._replace(closing=closing))

    def cut(self, block: Block, place: Place) -> None:
        """Cut a block by the rule of its kind."""
        RULES[block.kind](self, block, place)

    def put(self, start: int, end: int, place: Place, suffix: str = "") -> None:
        """Emit a piece, unless it is blank; headings that wait become its beginning."""
        end = self.source.trim(start, end)
        if end == start and not self._heading:
            return
        text = self.source.text
        if text[end - 1] in " \t" and (
            text[end : end + 1] in (" ", "\t") or not self.fits(start, end, place.lead, suffix)
        ):
            end = start + len(text[start:end].rstrip(" \t"))  # blanks at a line's end need not fit: all or none
        seam, depth = place.seam, place.depth
        if self._heading:
            start, seam, depth = self._heading.start, self._heading.seam, self._heading.depth
            self._heading = None
        piece = Piece(start, end, seam, depth, self._section, self._block, place.lead, suffix)
        if self.keeps and self._block and not self.measure.fits(start, end, self.limit, place.lead, suffix):
            piece.oversize_reason = self.keeps.get(kind_of(self.source, self._block), "")
        if self.torn:
            piece.apart = self.torn == "block" or "\n\n" not in self.source.text[self.pieces[-1].end : start]
            self.torn = ""
        self.pieces.append(piece)

    def origin(self, start: int) -> int:
        """Where the piece really begins whose own text begins at `start`: at the headings that wait for it."""
        return self._heading.start if self._heading else start

    def fits(self, start: int, end: int, prefix: str = "", suffix: str = "") -> bool:
        """Whether source[start:end] between prefix and suffix may be the next piece."""
        return self.measure.fits(self.origin(start), end, self.limit, prefix, suffix)

    def is_affordable(self, *repeated: str) -> bool:
        """Repeated context may take up to half of a chunk."""
        return sum(map(self.measure.of, repeated)) <= self.limit // 2

    def cover(self, line: int, lead: str = "") -> None:
        """Take in text before `line` that no inner block holds: a quote's empty marks, a closing `:::`.

        `lead` is that of what follows, which may stand below it in one chunk.
        """
        piece = self.pieces[-1]
        end = self.source.trim(piece.end, self.source.at[line])
        text = self.source.text
        start = text.find("\n", piece.end, end) + 1
        if not start:
            return
        while (below := text.find("\n", start, end) + 1) and not text[start:below].strip():
            start = below  # a piece begins with text
        if not piece.suffix and self.measure.fits(piece.start, end, self.limit, piece.prefix):
            piece.end = end
        elif self.fits(start, end):
            self.put(start, end, Place("line", lead=lead if self.fits(start, end, lead) else ""))
        else:
            self.cut(Block("paragraph", self.source.line_of(start), line), Place("line", lead=lead))

    # ------------------------------------------------------------- headings wait for the text below them

    def hold(self, heading: Block, place: Place) -> bool:
        """Let a heading inside a container wait for what is below it, unless it is too long for that."""
        start, end = self.source.span(heading.start, heading.end)
        if not self.measure.fits(self.origin(start), end, self.limit // 2, place.lead):
            return False
        if not self._heading:
            self._heading = Piece(start, end, place.seam, place.depth, self._section, self._block)
        return True

    def make_room(self, start: int, least: int, prefix: str, suffix: str) -> None:
        """Headings that leave no room for the text from `start` even up to the first character behind `least`, with
        what stands around it, do without their text.
        """
        if self._heading:
            indented = self.source.text[least : least + self.limit]
            first = least + len(indented) - len(indented.lstrip(" \t")) + 1
            if not self.fits(start, first, prefix, suffix):
                self._release()
                self.cover(self.source.line_of(start), prefix)

    def _await_text(self, heading: Block, seam: Seam) -> None:
        start, end = self.source.span(heading.start, heading.end)
        level = heading.level
        if self._heading and not self.measure.fits(self._heading.start, end, self.limit // 2):
            self._release()
        if self._heading:
            start, seam, level = self._heading.start, self._heading.seam, min(self._heading.depth, level)
        elif not self.measure.fits(start, end, self.limit - 2):
            self._block = heading
            RULES["paragraph"](self, heading, Place("section", level))
            last = self.pieces.pop()
            start, seam = last.start, last.seam
            self._block = None
        self._heading = Piece(start, end, seam, level, self._section, heading)

    def _release(self) -> None:
        """Headings without text: at the end of the document, or more of them than half a chunk holds."""
        if self._heading:
            self.pieces.append(self._heading)
            self._heading = None
