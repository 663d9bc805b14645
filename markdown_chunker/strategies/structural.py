"""Cut at headings, at the highest for preference, and below them as little as the limit allows."""

from __future__ import annotations

from ..document import Document
from ..model import Piece
from ..plan import CostTable, seam_costs
from ..ties import LEADS_TO_FORMULA, introduction_ties, table_ties, tighten

TABLE = CostTable()


def costs(pieces: list[Piece], document: Document) -> list[float]:
    ties = introduction_ties(document, pieces, {"math": LEADS_TO_FORMULA}) + table_ties(document)
    return tighten(seam_costs(pieces, document, TABLE), pieces, ties)
