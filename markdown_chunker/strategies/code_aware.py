"""Code stays with what explains it, with its output, its counterpart and its sibling steps; tables with theirs."""

from __future__ import annotations

from ..document import Document
from ..model import Piece
from ..plan import CostTable, seam_costs
from ..ties import LEADS_TO_FORMULA, LEADS_TO_TABLE, code_ties, introduction_ties, table_ties, tighten

TABLE = CostTable(seams={"gap": 3.0, "line": 4.5, "row": 2.5})


def costs(pieces: list[Piece], document: Document) -> list[float]:
    ties = code_ties(document, pieces) + table_ties(document)
    ties += introduction_ties(document, pieces, {"table": LEADS_TO_TABLE, "math": LEADS_TO_FORMULA})
    return tighten(seam_costs(pieces, document, TABLE), pieces, ties)
