"""The ways to call the engine besides chunk_markdown: files, a chunker with strategies of one's own, analysis."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, overload

from .analysis import ContentAnalysis, analyze
from .chunker import Run, chunk_markdown, read, run
from .document import Document
from .errors import OptionError, StrategyError
from .hierarchy import HierarchicalChunkingResult, chunk_hierarchical
from .model import Chunk, Piece
from .options import STRATEGIES, ChunkConfig
from .plan import CostFunction, Strategy
from .strategies import BUILT_IN
from .titles import document_title


def chunk_text(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """The same as chunk_markdown, by the name that other chunkers use."""
    return chunk_markdown(text, config)


def chunk_file(path: str | Path, config: ChunkConfig | None = None, encoding: str = "utf-8") -> list[Chunk]:
    """Chunk a file.  Raises OSError if it cannot be read, UnicodeDecodeError if it is not in `encoding`."""
    return chunk_markdown(Path(path).read_bytes().decode(encoding), config)


def analyze_markdown(text: str, config: ChunkConfig | None = None) -> ContentAnalysis:
    """What a document is made of, the strategy that `auto` takes for it, and why."""
    config = config or ChunkConfig()
    return analyze(read(text, config), config)


def document_title_of(text: str, split_marker: str = "") -> str:
    """The title in the front matter, else the only heading of level 1; empty if there is neither.

    A line that is the `split_marker` of the options underlines no heading.
    """
    document = read(text, ChunkConfig(split_marker=split_marker))
    return document_title(document.source, document.sections)


@dataclass(frozen=True, slots=True)
class ChunkingResult:
    """Chunks with the account of how they came about.  `processing_time` is in seconds."""

    chunks: list[Chunk]
    strategy_used: str
    reason: str
    processing_time: float
    analysis: ContentAnalysis
    warnings: list[str] = field(default_factory=list)

    @property
    def chunk_count(self) -> int:
        """The number of chunks."""
        return len(self.chunks)

    @property
    def total_output_size(self) -> int:
        """Characters in all chunks together."""
        return sum(chunk.size for chunk in self.chunks)


#: Costs beyond this are a mistake; a thousand times the sum of them all still is an exact number to the packer.
LARGEST_COST = 1e9


class MarkdownChunker:
    """Options to chunk many documents with, and strategies of one's own; nothing is kept of a document."""

    def __init__(self, config: ChunkConfig | None = None) -> None:
        self.config = config or ChunkConfig()
        self._strategies: dict[str, Strategy] = dict(BUILT_IN)

    @overload
    def chunk(
        self, text: str, strategy: str | None = None, include_analysis: Literal[False] = False
    ) -> list[Chunk]: ...

    @overload
    def chunk(self, text: str, strategy: str | None = None, *, include_analysis: Literal[True]) -> ChunkingResult: ...

    def chunk(
        self, text: str, strategy: str | None = None, include_analysis: bool = False
    ) -> list[Chunk] | ChunkingResult:
        """The chunks of one document; with `include_analysis`, a ChunkingResult.

        `strategy` stands in for the one in the options.  Raises OptionError if there is none of that name.
        """
        began = time.perf_counter()
        chosen = self._strategy(strategy)
        config = self.config if strategy is None else self.config.with_changes(strategy="auto")
        done = run(text, config, chosen)
        if not include_analysis:
            return done.chunks
        spent = time.perf_counter() - began
        analysis = analyze(done.document, config)
        reason = "asked for by name" if chosen or config.strategy != "auto" else analysis.reason
        return ChunkingResult(done.chunks, done.strategy, reason, spent, analysis, _warnings(done))

    def chunk_hierarchical(self, text: str) -> HierarchicalChunkingResult:
        """The chunks as the leaves of a tree of sections."""
        return chunk_hierarchical(text, self.config)

    def chunk_file(self, path: str | Path, encoding: str = "utf-8") -> list[Chunk]:
        """The chunks of a file; see the function chunk_file."""
        return self.chunk(Path(path).read_bytes().decode(encoding))

    def analyze(self, text: str) -> ContentAnalysis:
        """What a document is made of, without chunking it."""
        return analyze_markdown(text, self.config)

    def get_available_strategies(self) -> list[str]:
        """`auto` and the names that `chunk` takes."""
        return ["auto", *self._strategies]

    def add_strategy(self, name: str, cost_function: CostFunction) -> None:
        """Add a strategy: a function from pieces and document to what a cut costs before each piece.

        Raises OptionError for a name that a built-in strategy has, or a value that is no function.  Chunking raises
        StrategyError if the function does not give a number from -1e9 to 1e9 for each piece.
        """
        if not isinstance(name, str) or not name or name in STRATEGIES:
            raise OptionError("name", name, "a text that is not one of " + ", ".join(STRATEGIES))
        if not callable(cost_function):
            raise OptionError("cost_function", cost_function, "a function of pieces and document")
        self._strategies[name] = Strategy(name, _checked(name, cost_function))

    def remove_strategy(self, name: str) -> None:
        """Take back a strategy that was added.  Raises OptionError if there is none of that name."""
        added = [known for known in self._strategies if known not in BUILT_IN]
        if name not in added:
            raise OptionError("name", name, "one of the added strategies: " + (", ".join(added) or "there are none"))
        del self._strategies[name]

    def _strategy(self, name: str | None) -> Strategy | None:
        if name is None or name == "auto":
            return None
        if name not in self._strategies:
            raise OptionError("strategy", name, "one of " + ", ".join(self.get_available_strategies()))
        return self._strategies[name]


def _checked(name: str, cost_function: CostFunction) -> CostFunction:
    """The cost function, held to what the packer needs."""

    def costs(pieces: list[Piece], document: Document) -> list[float]:
        found = cost_function(pieces, document)
        if not isinstance(found, Sequence) or len(found) != len(pieces):
            given = f"{len(found)} costs" if isinstance(found, Sequence) else f"a {type(found).__name__}"
            raise StrategyError(
                f"strategy {name} must give a list with a cost for each of {len(pieces)} pieces; got {given}"
            )
        for cost in found:
            if not isinstance(cost, (int, float)) or not -LARGEST_COST <= cost <= LARGEST_COST:
                given = "a larger one" if isinstance(cost, int) else repr(cost)
                raise StrategyError(f"strategy {name} must give numbers from -1e9 to 1e9; got {given}")
        return list(found)

    return costs


def _warnings(done: Run) -> list[str]:
    """What a user might want to know about the chunks."""
    return [
        f"chunk {chunk.metadata['chunk_index']} (lines {chunk.start_line}-{chunk.end_line}) is over the limit: "
        f"{chunk.metadata['oversize_reason']}"
        for chunk in done.chunks
        if chunk.is_oversize
    ]
