"""A structural Markdown chunker: whole chunks, within the limit, each with its true heading path.

from markdown_chunker import ChunkConfig, chunk_markdown

for chunk in chunk_markdown(text, ChunkConfig(max_chunk_size=1000)):
    print(chunk.metadata["header_path"], chunk.content)
"""

from .analysis import ContentAnalysis
from .api import (
    ChunkingResult,
    MarkdownChunker,
    analyze_markdown,
    chunk_file,
    chunk_text,
    document_title_of,
)
from .chunker import chunk_markdown
from .document import Document
from .errors import MarkdownChunkerError, OptionError, StrategyError
from .hierarchy import HierarchicalChunkingResult, chunk_hierarchical
from .model import Block, Chunk, Piece, Section
from .options import AdaptiveSizeConfig, ChunkConfig, TableGroupingConfig
from .parents import ParentChunk, chunk_parent_child
from .plan import CostTable, seam_costs
from .render import embedding_text, render
from .stream import chunk_file_streaming, iter_chunks
from .version import __version__ as __version__

__all__ = [
    "AdaptiveSizeConfig",
    "Block",
    "Chunk",
    "ChunkConfig",
    "ChunkingResult",
    "ContentAnalysis",
    "CostTable",
    "Document",
    "HierarchicalChunkingResult",
    "MarkdownChunker",
    "MarkdownChunkerError",
    "OptionError",
    "ParentChunk",
    "Piece",
    "Section",
    "StrategyError",
    "TableGroupingConfig",
    "analyze_markdown",
    "chunk_file",
    "chunk_file_streaming",
    "chunk_hierarchical",
    "chunk_markdown",
    "chunk_parent_child",
    "chunk_text",
    "document_title_of",
    "embedding_text",
    "iter_chunks",
    "render",
    "seam_costs",
]
