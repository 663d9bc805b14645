"""What a cut costs at each seam.  A strategy is a table of such costs and a few lines on ties.

One unit is what it costs to cut between two ordinary paragraphs of a section.  A negative cost is a gain: there
the chunk would otherwise hold text of two sections, the dearer the higher the heading.  The packer (pack.py) adds
a charge for chunks that are small or far from full, and takes the segmentation with the least sum.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .document import Document
from .model import Block, Piece, Seam
from .source import Source

#: A gain that no other segmentation can make up for: the cut is certain.
FORCED = -1e6
#: Cost of a cut by the seam it is made at; `depth` adds DEEPER for each level of nesting or indentation.
BASE_COSTS: dict[Seam, float] = {
    "marker": FORCED,
    "block": 1.0,
    "item": 1.3,
    "child": 1.8,
    "row": 1.8,
    "gap": 2.0,
    "sentence": 2.2,
    "line": 3.0,
    "clause": 4.0,
    "lead": 5.0,
    "word": 6.0,
    "grapheme": 9.0,
}
DEEPER: dict[Seam, float] = {"item": 0.3, "child": 0.3, "gap": 0.25, "line": 0.25}

#: Cost of a cut before a heading of level 1 to 6; index 0 is unused.
SECTION_COSTS = (0.0, -2.9, -2.2, -1.7, -1.4, -1.25, -1.15)
#: The same for text without much structure: headings are just good places.
FLAT_SECTION_COSTS = (0.0, -1.3, -1.1, -0.9, -0.7, -0.6, -0.6)

#: Parting an introduction ("…:"), a caption or a bold line from what it introduces.
INTRODUCTION = 3.0
INTRODUCED = frozenset({"list", "fence", "code", "table", "math", "quote", "html", "details"})
_COLONS = ":："
#: A line that is one bold run, a colon behind it allowed.
_ALL_BOLD = re.compile(r"[ \t]*(\*\*|__)(?=\S)(?:(?!\1).)+\1[:：]?[ \t]*$", re.M)
#: A numbered line of at most this many characters can be a title.
TITLE_LENGTH = 80
#: "Table 3: …", "Listing 2", "表 1 …": a paragraph that names what stands next to it.
_CAPTION = re.compile(
    r"[*_]{0,2}(?:Table|Tab\.|Figure|Fig\.|Listing|Example|Code|Algorithm|Tabelle|Abbildung|Abb\.|Tableau|Tabla|Figura|"
    r"Tabela|Quadro|Таблица|Рисунок|Листинг|表|图|圖|図|代码|コード)[ \t]*\d",
    re.I,
)


@dataclass(frozen=True, slots=True)
class CostTable:
    """What a strategy changes of the base costs."""

    sections: tuple[float, ...] = SECTION_COSTS
    seams: dict[Seam, float] = field(default_factory=dict)
    deeper: dict[Seam, float] = field(default_factory=dict)
    introduction: float = INTRODUCTION


CostFunction = Callable[[list[Piece], Document], list[float]]


class Strategy(NamedTuple):
    """A strategy by name and function.

    `whole` says that a section that fits the limit is one piece to it, and is not looked into.
    """

    name: str
    costs: CostFunction
    whole: bool = True


def seam_costs(pieces: list[Piece], document: Document, table: CostTable) -> list[float]:
    """The cost of a cut before each piece; the first is never paid."""
    seams = {**BASE_COSTS, **table.seams}
    deeper = {**DEEPER, **table.deeper}
    sections, introduction = table.sections, table.introduction
    costs: list[float] = []
    above: Piece | None = None
    for piece in pieces:
        seam = piece.seam
        if seam == "section":
            cost = sections[piece.depth]
        else:
            cost = seams[seam]
            if piece.depth:
                cost += deeper.get(seam, 0.0) * piece.depth
            if seam == "block" and above and introduces(above, piece, document.source):
                cost += introduction
        costs.append(cost)
        above = piece
    return costs


def introduces(above: Piece, piece: Piece, source: Source) -> bool:
    """Whether the block above leads to this one: by a colon, as a caption, or as a heading in all but name."""
    block, before = piece.block, above.block
    if block is None or before is None or before is block:
        return False
    if before.kind == "list":
        return block.kind == "paragraph" and _is_numbered_title(before, source)
    if before.kind != "paragraph":
        return False
    if source.text[above.end - 1] in _COLONS or is_label(before, source):
        return True
    return block.kind in INTRODUCED and _CAPTION.match(source.text, above.start) is not None


def is_label(block: Block, source: Source) -> bool:
    """Whether a paragraph is one line all in bold: the heading of those who do not use headings."""
    if block.kind != "paragraph" or block.end - block.start != 1:
        return False
    return _ALL_BOLD.match(source.text, source.at[block.start], source.at[block.end]) is not None


def _is_numbered_title(block: Block, source: Source) -> bool:
    """Whether a list is one short line, such as `2. Methods` in text that came out of a PDF."""
    return block.end - block.start == 1 and source.at[block.end] - source.at[block.start] <= TITLE_LENGTH
