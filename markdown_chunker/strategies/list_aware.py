"""A list stays with its introduction, an item with its children, one depth with another."""

from __future__ import annotations

from ..document import Document
from ..model import Piece
from ..plan import CostTable, seam_costs
from ..ties import LEADS_TO_FORMULA, LEADS_TO_LIST, introduction_ties, table_ties, tighten

TABLE = CostTable(seams={"item": 1.8, "child": 3.0, "lead": 9.0}, deeper={"item": 0.9, "child": 0.9})


def costs(pieces: list[Piece], document: Document) -> list[float]:
    ties = introduction_ties(document, pieces, {"list": LEADS_TO_LIST, "math": LEADS_TO_FORMULA}) + table_ties(document)
    return tighten(seam_costs(pieces, document, TABLE), pieces, ties)
