"""The pipeline as one straight line, and the ways to call it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from .analysis import Shape, adapt, choose, shape_of
from .annotate import annotate, common_section, ranges
from .blocks import read_blocks
from .clean import blank_lines, clean, marker_lines
from .document import Document
from .measure import measure_of
from .model import Block, Chunk, Piece, Section
from .nest import divide, force
from .normalise import normalise
from .options import ChunkConfig
from .pack import pack
from .plan import Strategy
from .sections import read_sections
from .source import Source
from .split import split
from .strategies import BUILT_IN

_DEFAULT = ChunkConfig()


@dataclass(slots=True)
class Run:
    """All that chunking one document gives; `cuts` are the indexes of the pieces that begin a chunk."""

    document: Document
    strategy: str
    chunks: list[Chunk]
    pieces: list[Piece]
    cuts: list[int]

    def owners(self) -> list[Section | None]:
        """For each chunk the section that holds all its text."""
        return [common_section(self.pieces[first:after]) for first, after in ranges(self.cuts, len(self.pieces))]


def chunk_markdown(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """Cut Markdown into chunks, in order.  Text of white space alone has none.

    Offsets and lines in the chunks point into the normalised text: no byte order mark, LF line ends, no NUL.
    Any text chunks; raises StrategyError only where a borrowed strategy refuses the text.
    """
    with collecting_later():
        return run(text, config or _DEFAULT).chunks


@contextmanager
def collecting_later() -> Iterator[None]:
    """No garbage collection while a document is chunked.

    Its blocks, pieces and chunks are many objects and no garbage: on a large document the collector would look through
    them again and again, for up to 15 % of the time.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def run(text: str, config: ChunkConfig, strategy: Strategy | None = None, within: Run | None = None) -> Run:
    """The pipeline: text → blocks → sections → pieces → costs → cuts → chunks.

    `strategy` stands in for the one that the options name.  With `within`, an earlier run on the
    same text, no chunk reaches across the start of one of its chunks.
    """
    document = within.document.under(config) if within else read(text, config)
    source, sections = document.source, document.sections
    shape = shape_of(document, config.use_adaptive_sizing)
    strategy = strategy or built_in(shape, config)
    config, sizing = adapt(shape, config)
    if sizing:
        document = document.under(config)
    measure = measure_of(source.text, config.measure)
    pieces = split(source, sections, config, measure, strategy.whole)
    if within:
        pieces = divide(pieces, within.chunks, source, measure, config.max_chunk_size)
    costs = strategy.costs(pieces, document)
    if within:
        costs = force(costs, pieces, within.chunks)
    cuts = pack(pieces, costs, source, config, measure)
    chunks = annotate(document, pieces, cuts, {"strategy": strategy.name, **sizing})
    return Run(document, strategy.name, chunks, pieces, cuts)


def built_in(shape: Shape, config: ChunkConfig) -> Strategy:
    """The built-in strategy that the options name, or that fits the document."""
    return BUILT_IN[choose(shape, config).strategy]


def read(text: str, config: ChunkConfig) -> Document:
    """The document: normalised, cleaned as the options ask, read into blocks and sections.

    Lines keep their numbers.  A line that is the split marker is emptied, and what follows it is read on its own; it
    is looked for before cleaning, which might take it for a comment.
    """
    text = normalise(text)
    forced = marker_lines(text, config.split_marker)
    source = Source(clean(blank_lines(text, forced), config))
    blocks: list[Block] = []
    for start, end in pairwise((0, *forced, len(source.at) - 1)):
        blocks += read_blocks(source.text[source.at[start] : source.at[end]] if forced else source.text, start)
    return Document(source, read_sections(source, blocks, forced), config)
