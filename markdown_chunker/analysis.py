"""What a document is made of, and which strategy fits it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .describe import ContentReader
from .document import Document
from .model import CONTAINERS, Block, Piece, Section
from .options import AdaptiveSizeConfig, ChunkConfig
from .source import Source
from .tables import is_table, kind_of
from .titles import document_title

_CODE_OR_TABLE = re.compile(r"```|~~~|\|[ \t:]*-|<table\b", re.I)
_COUNTED = frozenset({"fence", "code", "table", "list", "math"})
_SENTENCE_ENDS = re.compile(r"[.!?](?=\s)|[。！？]")


class Shape(NamedTuple):
    """Counts and shares of the document's own blocks; shares are of all characters, from 0 to 1."""

    chars: int
    code_ratio: float
    table_ratio: float
    list_ratio: float
    math_ratio: float
    code_count: int
    table_count: int
    list_count: int
    math_count: int
    heading_count: int
    heading_levels: int
    nested_code: bool  # code or a table inside a list, quote or the like, where none stands by itself
    sentence_ends: int


@dataclass(frozen=True, slots=True)
class ContentAnalysis:
    """What a document is made of.  Ratios are shares of all characters; depths count from 1.

    `strategy` is what `auto` takes and `reason` why; `complexity` is what adaptive sizing goes by.
    """

    total_chars: int
    total_lines: int
    title: str
    code_ratio: float
    table_ratio: float
    list_ratio: float
    math_ratio: float
    code_block_count: int
    table_count: int
    list_count: int
    list_item_count: int
    max_list_depth: int
    has_task_lists: bool
    math_block_count: int
    header_count: int
    max_header_depth: int
    has_front_matter: bool
    has_preamble: bool
    languages: list[str]
    avg_sentence_length: float
    complexity: float
    strategy: str
    reason: str


class Choice(NamedTuple):
    """A strategy and the reason for it, as a phrase."""

    strategy: str
    reason: str


class Tally:
    """Counts what a Shape says, a stretch of document at a time; containers are not opened."""

    def __init__(self, count_sentences: bool = False) -> None:
        self._count_sentences = count_sentences
        self._sizes = dict.fromkeys(_COUNTED, 0)
        self._counts = dict.fromkeys(_COUNTED, 0)
        self._levels: list[int] = []
        self._chars = 0
        self._holds_code = False
        self._sentence_ends = 0

    def add(self, source: Source, sections: list[Section], end: int) -> None:
        """Count the sections, and the characters of the source before `end`."""
        at, sizes, counts = source.at, self._sizes, self._counts
        for section in sections:
            if section.heading:
                self._levels.append(section.level)
            for block in section.blocks:
                kind = kind_of(source, block) if block.kind == "html" else block.kind
                if kind in _COUNTED:
                    sizes[kind] += at[block.end] - at[block.start]
                    counts[kind] += 1
        if not (self._holds_code or self._code_by_itself):
            self._holds_code = any(_holds_code(source, section) for section in sections)
        self._chars += end
        if self._count_sentences:
            self._sentence_ends += sum(1 for _ in _SENTENCE_ENDS.finditer(source.text, 0, end))

    @property
    def _code_by_itself(self) -> bool:
        return any(self._counts[kind] for kind in ("fence", "code", "table"))

    def shape(self) -> Shape:
        """All that was counted."""
        sizes, counts, chars = self._sizes, self._counts, self._chars or 1
        return Shape(
            chars=self._chars,
            code_ratio=(sizes["fence"] + sizes["code"]) / chars,
            table_ratio=sizes["table"] / chars,
            list_ratio=sizes["list"] / chars,
            math_ratio=sizes["math"] / chars,
            code_count=counts["fence"] + counts["code"],
            table_count=counts["table"],
            list_count=counts["list"],
            math_count=counts["math"],
            heading_count=len(self._levels),
            heading_levels=len(set(self._levels)),
            nested_code=self._holds_code and not self._code_by_itself,
            sentence_ends=self._sentence_ends,
        )


def _holds_code(source: Source, section: Section) -> bool:
    """Whether a list, quote or the like of the section has a fence or a table in it; the text is asked first."""
    return any(
        _CODE_OR_TABLE.search(source.text, source.at[block.start], source.at[block.end]) is not None
        and any(_is_or_holds(source, child) for child in block.children)
        for block in section.blocks
        if block.kind in CONTAINERS
    )


def _is_or_holds(source: Source, block: Block) -> bool:
    return block.kind == "fence" or is_table(source, block) or any(_is_or_holds(source, b) for b in block.children)


def shape_of(document: Document, count_sentences: bool = False) -> Shape:
    """The shape of a whole document.  Sentences are counted on request: it takes a pass over the text."""
    tally = Tally(count_sentences)
    tally.add(document.source, document.sections, len(document.source.text))
    return tally.shape()


def choose(shape: Shape, config: ChunkConfig) -> Choice:
    """The strategy that was asked for, or for `auto` the one that fits the document."""
    if config.strategy != "auto":
        return Choice(config.strategy, "asked for by name")
    if shape.code_count or shape.table_count or shape.nested_code or shape.code_ratio >= config.code_threshold:
        return Choice(
            "code_aware",
            f"code blocks: {shape.code_count} ({shape.code_ratio:.0%} of the text), tables: {shape.table_count}"
            + (", but some inside lists or quotes" if shape.nested_code else ""),
        )
    structured = shape.heading_count >= config.structure_threshold and shape.heading_levels > 1
    by_ratio = shape.list_ratio > config.list_ratio_threshold
    by_count = shape.list_count >= config.list_count_threshold
    if (by_ratio and by_count) if structured else (by_ratio or by_count):
        return Choice("list_aware", f"lists: {shape.list_count} ({shape.list_ratio:.0%} of the text)")
    if structured:
        return Choice("structural", f"headings: {shape.heading_count} on {shape.heading_levels} levels")
    return Choice("fallback", "no code, tables, many lists or headings on several levels")


def average_sentence_length(shape: Shape) -> float:
    """Characters from one sentence end to the next, on average; the whole text if it has none."""
    return shape.chars / max(1, shape.sentence_ends)


def complexity_of(shape: Shape, weights: AdaptiveSizeConfig) -> float:
    """From 0, plain short sentences, to 1: the weighted shares of code, tables, lists and sentence length."""
    score = (
        weights.code_weight * shape.code_ratio
        + weights.table_weight * shape.table_ratio
        + weights.list_weight * shape.list_ratio
        + weights.sentence_length_weight * min(1.0, average_sentence_length(shape) / 100)
    )
    return min(1.0, score)


class Sizing(NamedTuple):
    """The options with the size that fits the document, and the metadata that says so."""

    config: ChunkConfig
    metadata: dict[str, float]


def adapt(shape: Shape, config: ChunkConfig) -> Sizing:
    """Under `use_adaptive_sizing`, the options with a size by complexity; overlap shrinks with it if it must."""
    if not config.use_adaptive_sizing:
        return Sizing(config, {})
    rules = config.adaptive_config
    complexity = complexity_of(shape, rules)
    scale = rules.min_scale + complexity * (rules.max_scale - rules.min_scale)
    size = max(1, min(config.max_chunk_size, int(rules.base_size * scale)))
    overlap = min(config.chunk_overlap, size - 1)
    metadata = {
        "adaptive_size": size,
        "content_complexity": round(complexity, 4),
        "size_scale_factor": round(scale, 4),
    }
    return Sizing(config.with_changes(max_chunk_size=size, chunk_overlap=overlap), metadata)


def analyze(document: Document, config: ChunkConfig) -> ContentAnalysis:
    """Look at the whole document, the insides of its containers included."""
    source, sections = document.source, document.sections
    shape = shape_of(document, count_sentences=True)
    choice = choose(shape, config.with_changes(strategy="auto"))
    pieces = [Piece(source.at[s.start], source.at[s.end], "section", s.level, s) for s in sections]
    whole = ContentReader(document).describe(pieces) if pieces else {}
    front_matter = bool(document.blocks) and document.blocks[0].kind == "front_matter"
    first = sections[0].blocks[front_matter:] if sections and not sections[0].heading else []
    return ContentAnalysis(
        total_chars=shape.chars,
        total_lines=source.text.count("\n") + (not source.text.endswith("\n") and bool(source.text)),
        title=document_title(source, sections),
        code_ratio=round(shape.code_ratio, 4),
        table_ratio=round(shape.table_ratio, 4),
        list_ratio=round(shape.list_ratio, 4),
        math_ratio=round(shape.math_ratio, 4),
        code_block_count=shape.code_count,
        table_count=shape.table_count,
        list_count=shape.list_count,
        list_item_count=whole.get("list_item_count", 0),
        max_list_depth=whole.get("list_depth", 0),
        has_task_lists="task_items" in whole,
        math_block_count=shape.math_count,
        header_count=shape.heading_count,
        max_header_depth=max((section.level for section in sections), default=0),
        has_front_matter=front_matter,
        has_preamble=bool(first),
        languages=whole.get("languages", []),
        avg_sentence_length=round(average_sentence_length(shape), 1),
        complexity=round(complexity_of(shape, config.adaptive_config), 4),
        strategy=choice.strategy,
        reason=choice.reason,
    )
