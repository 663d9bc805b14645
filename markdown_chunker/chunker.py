"""The pipeline as one straight line, and the ways to call it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .annotate import annotate
from .blocks import read_blocks
from .measure import measure_of
from .model import Chunk, Section
from .normalise import normalise
from .options import ChunkConfig
from .overlap import add_overlap
from .pack import pack
from .sections import read_sections
from .source import Source
from .split import split
from .strategies import BUILT_IN, choose

_DEFAULT = ChunkConfig()


@dataclass(frozen=True, slots=True)
class Run:
    """All that chunking one document gives; `owners[i]` is the section that holds all the text of `chunks[i]`."""

    source: Source
    sections: list[Section]
    strategy: str
    chunks: list[Chunk]
    owners: list[Section | None]


def chunk_markdown(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """Cut Markdown into chunks, in order.  Text of white space alone has none.

    Offsets and lines in the chunks point into the normalised text: no byte order mark, LF line ends, no NUL.
    Any text chunks; raises StrategyError only where a borrowed strategy refuses the text.
    """
    return run(text, config or _DEFAULT).chunks


def run(text: str, config: ChunkConfig) -> Run:
    """The pipeline: text → blocks → sections → pieces → costs → cuts → chunks."""
    source = Source(normalise(text))
    blocks = read_blocks(source.text)
    sections = read_sections(source, blocks)
    strategy = choose(sections, config)
    measure = measure_of(source.text, config.measure)
    pieces = split(source, sections, config, measure, whole=strategy != "chunkana")
    costs = BUILT_IN[strategy](pieces, source, config)
    cuts = pack(pieces, costs, source, config, measure)
    chunks, owners = annotate(source, sections, pieces, cuts, strategy)
    add_overlap(chunks, source, sections, config)
    return Run(source, sections, strategy, chunks, owners)


def chunk_text(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """The same as chunk_markdown, by the name that other chunkers use."""
    return chunk_markdown(text, config)


def chunk_file(path: str | Path, config: ChunkConfig | None = None, encoding: str = "utf-8") -> list[Chunk]:
    """Chunk a file.  Raises OSError if it cannot be read, UnicodeDecodeError if it is not in `encoding`."""
    return chunk_markdown(Path(path).read_bytes().decode(encoding), config)


class MarkdownChunker:
    """A configuration to chunk many documents with; it keeps no state between calls."""

    def __init__(self, config: ChunkConfig | None = None) -> None:
        self.config = config or _DEFAULT

    def chunk(self, text: str) -> list[Chunk]:
        """The chunks of one document."""
        return chunk_markdown(text, self.config)
