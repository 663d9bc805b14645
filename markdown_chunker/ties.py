"""Ties: what makes a cut dearer because the two sides belong together."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from .cues import PAIR, STEP_NUMBER
from .document import Document
from .model import Block, Piece, Section
from .relations import HOLDING_CODE, CodeBlock, Link, link_code, read_code
from .tables import kind_of

#: Parting two related code blocks, by what they are to each other.
RELATED = {"before_after": 6.0, "code_output": 5.0, "setup_example": 3.0, "sequential": 2.5}
#: The same for steps that stand under headings of their own: small ones share a chunk, chapters do not.
STEP_BY_HEADING = 1.5
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
#: Titles that may tie the code of two sections.
_TITLE = re.compile(f"{PAIR.pattern}|{STEP_NUMBER.pattern}")


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


def code_ties(document: Document, pieces: list[Piece]) -> list[Tie]:
    """Code with its explanation, and related blocks with each other and what stands between them."""
    config, opened = document.config, opened_sections(pieces)
    may_be_cut = set(opened)
    if not config.enable_code_context_binding:
        return []
    codes = read_code(document.source, _sections_with_ties(document, may_be_cut), config)
    ties = [
        Tie(codes[link.first].start, codes[link.last].start, _cost_of(link, codes)) for link in link_code(codes, config)
    ]
    for code in codes:
        if code.explanation >= 0 and code.section in may_be_cut and config.max_context_chars_before:
            reach = max(code.start - config.max_context_chars_before, document.source.at[_home_of(code).start])
            ties.append(Tie(code.explanation - 1, code.start, EXPLANATION))
            ties.append(Tie(reach, code.explanation - 1, EARLIER))
    return ties + _follow_ups(document, opened)


def _cost_of(link: Link, codes: list[CodeBlock]) -> float:
    across = codes[link.first].section is not codes[link.last].section
    return STEP_BY_HEADING if across and link.relationship == "sequential" else RELATED[link.relationship]


def _home_of(code: CodeBlock) -> Section | Block:
    """Where the text begins that leads to the code: its section, or its list item."""
    return code.place.item or code.section


def _sections_with_ties(document: Document, may_be_cut: set[Section]) -> list[Section]:
    """The sections in which code can be tied: those that may be cut, and those titled as one of a pair or as a step."""
    return [
        section
        for section in document.sections
        if any(block.kind in HOLDING_CODE for block in section.blocks)
        and (section in may_be_cut or (section.heading and _TITLE.match(section.path[-1].lower())))
    ]


def _follow_ups(document: Document, opened: list[Section]) -> list[Tie]:
    """The paragraph below code, if it is short and does not lead to something else."""
    source, most = document.source, document.config.max_context_chars_after
    ties = []
    for section in opened:
        for block, below in pairwise(section.blocks):
            if block.kind == "fence" and below.kind == "paragraph":
                start, end = source.span(below.start, below.end)
                if end - start <= most and source.text[end - 1] not in ":：":
                    ties.append(Tie(source.at[block.end] - 1, start, FOLLOW_UP))
    return ties


def introduction_ties(document: Document, pieces: list[Piece], costs: dict[str, float]) -> list[Tie]:
    """Blocks of the given kinds with a short paragraph right above them."""
    source = document.source
    ties = []
    for section in opened_sections(pieces):
        for above, block in pairwise(section.blocks):
            if above.kind != "paragraph":
                continue
            kind = kind_of(source, block)
            if kind in costs:
                start, end = source.span(above.start, above.end)
                if end - start <= INTRODUCTION_LENGTH:
                    ties.append(Tie(end, source.at[block.start], costs[kind]))
    return ties


def opened_sections(pieces: list[Piece]) -> list[Section]:
    """The sections that do not stand as one piece: only there can a tie between blocks matter."""
    return list(dict.fromkeys(piece.section for piece in pieces if piece.block is not None))


def table_ties(document: Document) -> list[Tie]:
    """Tables of one group, with what stands between them."""
    at = document.source.at
    return [Tie(at[group[0].start], at[group[-1].start], GROUPED_TABLES) for group in document.table_groups]
