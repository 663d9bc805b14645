"""Cut at headings, at the highest for preference, and below them as little as the limit allows."""

from __future__ import annotations

from ..model import Piece
from ..options import ChunkConfig
from ..plan import CostTable, seam_costs
from ..source import Source

TABLE = CostTable()


def costs(pieces: list[Piece], source: Source, config: ChunkConfig) -> list[float]:
    return seam_costs(pieces, source, TABLE)
