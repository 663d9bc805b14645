"""The boundaries of chunkana as proposals, for those who move an index over.

The lines where chunkana begins a chunk become cheap seams and everything else dear.  Sections, splitting and
packing are ours, so the laws hold whatever it proposes.
"""

from __future__ import annotations

import logging

from ..document import Document
from ..errors import StrategyError
from ..model import Piece
from ..plan import CostTable, seam_costs

#: chunkana's time grows with the square of a document's size; beyond this it would run for many minutes.
LARGEST_TEXT = 1_000_000
#: The cost of a cut where chunkana proposes one, and what any other cut costs on top.
PROPOSED = -4.0
NOT_PROPOSED = 5.0
TABLE = CostTable(sections=(0.0,) * 7)

# It warns about what it could not mend in its own chunks, which are not what we give out: unless a program has set up
# logging, that is for nobody to read.
logging.getLogger("chunkana").addHandler(logging.NullHandler())


def costs(pieces: list[Piece], document: Document) -> list[float]:
    proposed = _proposed_lines(document)
    line_of = document.source.line_of
    base = seam_costs(pieces, document, TABLE)
    return [
        PROPOSED if line_of(piece.start) in proposed else cost + NOT_PROPOSED
        for piece, cost in zip(pieces, base, strict=True)
    ]


def _proposed_lines(document: Document) -> set[int]:
    """The lines of the source at which chunkana's chunks begin, found by their text: its line numbers drift."""
    text, line_of = document.source.text, document.source.line_of
    lines: set[int] = set()
    at = 0
    for content in _chunk_with_chunkana(document):
        opening = next((line for line in content.split("\n") if line.strip()), "").strip()
        found = text.find(opening, at) if opening else -1
        if found >= 0:
            lines.add(line_of(found))
            at = found + 1
    return lines


def _chunk_with_chunkana(document: Document) -> list[str]:
    text, config = document.source.text, document.config
    if len(text) > LARGEST_TEXT:
        raise StrategyError(
            f"strategy chunkana takes at most {LARGEST_TEXT:,} characters, because its time grows with the square of "
            f"the size; this text has {len(text):,}. Use strategy auto, or cut the document into files first"
        )
    import chunkana  # only here: no other strategy needs it

    least = max(1, config.least_size)
    options = chunkana.ChunkerConfig(max_chunk_size=config.max_chunk_size, min_chunk_size=least, overlap_size=0)
    try:
        return [chunk.content for chunk in chunkana.chunk_markdown(text, options)]
    except Exception as error:
        raise StrategyError(f"chunkana failed on this text ({type(error).__name__}: {error})") from error
