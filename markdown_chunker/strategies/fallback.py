"""Text without much structure: full chunks, cut between paragraphs, then between sentences."""

from __future__ import annotations

from ..document import Document
from ..model import Piece
from ..plan import FLAT_SECTION_COSTS, CostTable, seam_costs

TABLE = CostTable(sections=FLAT_SECTION_COSTS, introduction=1.0)


def costs(pieces: list[Piece], document: Document) -> list[float]:
    return seam_costs(pieces, document, TABLE)
