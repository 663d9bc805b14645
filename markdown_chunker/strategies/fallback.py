"""Text without much structure: full chunks, cut between paragraphs, then between sentences."""

from __future__ import annotations

from ..model import Piece
from ..options import ChunkConfig
from ..plan import FLAT_SECTION_COSTS, CostTable, seam_costs
from ..source import Source

TABLE = CostTable(sections=FLAT_SECTION_COSTS, introduction=1.0)


def costs(pieces: list[Piece], source: Source, config: ChunkConfig) -> list[float]:
    return seam_costs(pieces, source, TABLE)
