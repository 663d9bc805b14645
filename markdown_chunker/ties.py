"""Ties: what makes a cut dearer because the two sides belong together."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from .document import Document
from .model import Piece

#: Parting two related code blocks, by what they are to each other.
RELATED = {"before_after": 6.0, "code_output": 5.0, "setup_example": 3.0, "sequential": 2.5}
#: Parting code from the paragraph right above it, from earlier text within reach, from the paragraph right below.
EXPLANATION = 3.0
EARLIER = 0.5
FOLLOW_UP = 1.0
#: Parting tables of one group.
GROUPED_TABLES = 8.0
#: Parting a formula, list or table from the paragraph right above it.
LEADS_TO_FORMULA = 3.0
LEADS_TO_LIST = 3.0
LEADS_TO_TABLE = 2.0
#: A paragraph of at most this many characters right above a list or table introduces it.
INTRODUCTION_LENGTH = 200


class Tie(NamedTuple):
    """A cut at an offset in (start, end] costs `cost` more."""

    start: int
    end: int
    cost: float


def tighten(costs: list[float], pieces: list[Piece], ties: list[Tie]) -> list[float]:
    """The costs with every tie laid over the seams that it spans."""
    offsets = [piece.start for piece in pieces]
    for tie in ties:
        for i in range(bisect_right(offsets, tie.start), bisect_right(offsets, tie.end)):
            costs[i] += tie.cost
    return costs


def code_ties(document: Document) -> list[Tie]:
    """Code with its explanation, and related blocks with each other and what stands between them."""
    config, codes = document.config, document.codes
    if not config.enable_code_context_binding:
        return []
    ties = []
    for code in codes:
        if code.explanation >= 0:
            if config.max_context_chars_before:
                ties.append(Tie(code.explanation, code.start, EXPLANATION))
            floor = max(code.start - config.max_context_chars_before, document.source.at[code.section.start])
            ties.append(Tie(floor, code.explanation, EARLIER))
    ties += _follow_ups(document)
    for link in document.links:
        ties.append(Tie(codes[link.first].start, codes[link.last].start, RELATED[link.relationship]))
    return ties


def _follow_ups(document: Document) -> list[Tie]:
    """The paragraph below code, if it is short and does not lead to something else."""
    source, most = document.source, document.config.max_context_chars_after
    ties = []
    for section in document.sections:
        for block, below in zip(section.blocks, section.blocks[1:], strict=False):
            if block.kind == "fence" and below.kind == "paragraph":
                start, end = source.span(below.start, below.end)
                if end - start <= most and source.text[end - 1] not in ":：":
                    ties.append(Tie(source.at[block.end] - 1, start, FOLLOW_UP))
    return ties


def introduction_ties(document: Document, costs: dict[str, float]) -> list[Tie]:
    """Blocks of the given kinds with a short paragraph right above them."""
    source = document.source
    ties = []
    for section in document.sections:
        for above, block in zip(section.blocks, section.blocks[1:], strict=False):
            if block.kind in costs and above.kind == "paragraph":
                start, end = source.span(above.start, above.end)
                if end - start <= INTRODUCTION_LENGTH:
                    ties.append(Tie(end, source.at[block.start], costs[block.kind]))
    return ties


def table_ties(document: Document) -> list[Tie]:
    """Tables of one group, with what stands between them."""
    at = document.source.at
    return [Tie(at[group[0].start], at[group[-1].start], GROUPED_TABLES) for group in document.table_groups]
