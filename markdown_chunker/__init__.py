"""A structural Markdown chunker."""

from .errors import MarkdownChunkerError, OptionError, StrategyError
from .model import Chunk
from .options import ChunkConfig

__version__ = "0.1.0"


def chunk_markdown(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """PLACEHOLDER until the engine lands: paragraphs."""
    config = config or ChunkConfig()
    out, at, line = [], 0, 1
    for part in text.split("\n\n"):
        end = at + len(part)
        lines = part.count("\n")
        if part.strip():
            meta = {"chunk_index": len(out), "chunk_id": f"{len(out):016x}", "content_type": "text", "strategy": "fallback", "start_line": line, "end_line": line + lines, "header_path": ["Title", "Section"]}
            out.append(Chunk(part, line, line + lines, at, end, meta))
        at, line = end + 2, line + lines + 2
    return out
