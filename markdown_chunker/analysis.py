"""What a document is made of, and which strategy fits it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .document import Document
from .options import AdaptiveSizeConfig, ChunkConfig

_SENTENCE_ENDS = re.compile(r"[.!?](?=\s)|[。！？]")


@dataclass(frozen=True, slots=True)
class Shape:
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


class Choice(NamedTuple):
    """A strategy and the reason for it, as a phrase."""

    strategy: str
    reason: str


def shape_of(document: Document) -> Shape:
    """One pass over the blocks; containers are not opened."""
    at = document.source.at
    sizes = {"fence": 0, "code": 0, "table": 0, "list": 0, "math": 0}
    counts = dict.fromkeys(sizes, 0)
    for section in document.sections:
        for block in section.blocks:
            if block.kind in sizes:
                sizes[block.kind] += at[block.end] - at[block.start]
                counts[block.kind] += 1
    chars = len(document.source.text) or 1
    levels = [section.level for section in document.sections if section.heading]
    return Shape(
        chars=len(document.source.text),
        code_ratio=(sizes["fence"] + sizes["code"]) / chars,
        table_ratio=sizes["table"] / chars,
        list_ratio=sizes["list"] / chars,
        math_ratio=sizes["math"] / chars,
        code_count=counts["fence"] + counts["code"],
        table_count=counts["table"],
        list_count=counts["list"],
        math_count=counts["math"],
        heading_count=len(levels),
        heading_levels=len(set(levels)),
    )


def choose(shape: Shape, config: ChunkConfig) -> Choice:
    """The strategy that was asked for, or for `auto` the one that fits the document."""
    if config.strategy != "auto":
        return Choice(config.strategy, "asked for by name")
    if shape.code_count or shape.table_count or shape.code_ratio >= config.code_threshold:
        return Choice(
            "code_aware",
            f"{shape.code_count} code blocks ({shape.code_ratio:.0%} of the text), {shape.table_count} tables",
        )
    structured = shape.heading_count >= config.structure_threshold and shape.heading_levels > 1
    by_ratio = shape.list_ratio > config.list_ratio_threshold
    by_count = shape.list_count >= config.list_count_threshold
    if (by_ratio and by_count) if structured else (by_ratio or by_count):
        return Choice("list_aware", f"{shape.list_count} lists, {shape.list_ratio:.0%} of the text")
    if structured:
        return Choice("structural", f"{shape.heading_count} headings on {shape.heading_levels} levels")
    return Choice("fallback", "no code, tables, many lists or headings on several levels")


def average_sentence_length(text: str) -> float:
    """Characters from one sentence end to the next, on average; the whole text if it has none."""
    return len(text) / max(1, len(_SENTENCE_ENDS.findall(text)))


def complexity_of(shape: Shape, text: str, weights: AdaptiveSizeConfig) -> float:
    """From 0, plain short sentences, to 1: the weighted shares of code, tables, lists and sentence length."""
    score = (
        weights.code_weight * shape.code_ratio
        + weights.table_weight * shape.table_ratio
        + weights.list_weight * shape.list_ratio
        + weights.sentence_length_weight * min(1.0, average_sentence_length(text) / 100)
    )
    return min(1.0, score)


class Sizing(NamedTuple):
    """The options with the size that fits the document, and the metadata that says so."""

    config: ChunkConfig
    metadata: dict[str, float]


def adapt(shape: Shape, text: str, config: ChunkConfig) -> Sizing:
    """Under `use_adaptive_sizing`, the options with a size by complexity; overlap shrinks with it if it must."""
    if not config.use_adaptive_sizing:
        return Sizing(config, {})
    rules = config.adaptive_config
    complexity = complexity_of(shape, text, rules)
    scale = rules.min_scale + complexity * (rules.max_scale - rules.min_scale)
    size = max(1, min(config.max_chunk_size, int(rules.base_size * scale)))
    overlap = min(config.chunk_overlap, size - 1)
    metadata = {
        "adaptive_size": size,
        "content_complexity": round(complexity, 4),
        "size_scale_factor": round(scale, 4),
    }
    return Sizing(config.with_changes(max_chunk_size=size, chunk_overlap=overlap), metadata)
