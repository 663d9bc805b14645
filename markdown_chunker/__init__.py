"""A structural Markdown chunker: whole chunks, within the limit, each with its true heading path.

    from markdown_chunker import ChunkConfig, chunk_markdown

    for chunk in chunk_markdown(text, ChunkConfig(max_chunk_size=1000)):
        print(chunk.metadata["header_path"], chunk.content)
"""

from .chunker import MarkdownChunker, chunk_file, chunk_markdown, chunk_text
from .errors import MarkdownChunkerError, OptionError, StrategyError
from .hierarchy import HierarchicalChunkingResult, chunk_hierarchical
from .model import Chunk
from .options import ChunkConfig
from .parents import ParentChunk, chunk_parent_child

__version__ = "0.1.0"

__all__ = [
    "Chunk",
    "ChunkConfig",
    "HierarchicalChunkingResult",
    "MarkdownChunker",
    "MarkdownChunkerError",
    "OptionError",
    "ParentChunk",
    "StrategyError",
    "chunk_file",
    "chunk_hierarchical",
    "chunk_markdown",
    "chunk_parent_child",
    "chunk_text",
]
