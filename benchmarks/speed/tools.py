"""The chunkers side by side: each a function from a document to its chunks, at a limit of 4096 characters.

Each stands as its own documentation has it for Markdown; where it takes an overlap, 200 characters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sized
from importlib.metadata import version
from typing import NamedTuple

LIMIT, OVERLAP = 4096, 200

type Chunker = Callable[[str], Sized]


class Tool(NamedTuple):
    """`package` is whose version is shown; `note` says what it does and does not do."""

    package: str
    note: str
    make: Callable[[], Chunker]

    @property
    def version(self) -> str:
        """The version that is installed; of the engine, the one here."""
        from markdown_chunker import __version__

        return version(self.package) if self.package else __version__


def _ours(overlap: int = 0, reads_metadata: bool = False) -> Chunker:
    from markdown_chunker import ChunkConfig, chunk_markdown

    config = ChunkConfig(max_chunk_size=LIMIT, chunk_overlap=overlap)
    if not reads_metadata:
        return lambda text: chunk_markdown(text, config)
    return lambda text: [chunk for chunk in chunk_markdown(text, config) if chunk.metadata]


def _chunkana() -> Chunker:
    from chunkana import ChunkerConfig, chunk_markdown

    config = ChunkerConfig(max_chunk_size=LIMIT)
    return lambda text: chunk_markdown(text, config)


def _langchain() -> Chunker:
    from langchain_text_splitters import Language, MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    by_headers = MarkdownHeaderTextSplitter([("#" * i, f"h{i}") for i in range(1, 7)], strip_headers=False)
    by_size = RecursiveCharacterTextSplitter.from_language(Language.MARKDOWN, chunk_size=LIMIT, chunk_overlap=OVERLAP)
    return lambda text: by_size.split_documents(by_headers.split_text(text))


def _llama_index() -> Chunker:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    parser = MarkdownNodeParser()
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


def _semantic_text_splitter() -> Chunker:
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter(LIMIT)
    return lambda text: splitter.chunks(text)


def _chonkie() -> Chunker:
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    levels = [
        RecursiveLevel(delimiters=[f"\n{'#' * i} " for i in range(1, 7)], include_delim="next"),
        RecursiveLevel(delimiters=["\n\n"]),
        RecursiveLevel(delimiters=["\n"]),
        RecursiveLevel(delimiters=[". ", "! ", "? "]),
        RecursiveLevel(whitespace=True),
        RecursiveLevel(),
    ]
    chunker = RecursiveChunker(tokenizer="character", chunk_size=LIMIT, rules=RecursiveRules(levels))
    return lambda text: chunker.chunk(text)


def _markdown_it() -> Chunker:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return lambda text: parser.parse(text)


OURS = "markdown-chunker"
TOOLS = {
    OURS: Tool("", "structure; text and place of each chunk", _ours),
    "with metadata": Tool(
        "", "the same, and all metadata: heading path, id, contents", lambda: _ours(reads_metadata=True)
    ),
    "with overlap": Tool("", f"the same, and {OVERLAP} characters of overlap", lambda: _ours(OVERLAP, True)),
    "chunkana": Tool("chunkana", "structure, metadata", _chunkana),
    "LangChain": Tool("langchain-text-splitters", "splits by headings, then by size", _langchain),
    "LlamaIndex": Tool("llama-index-core", "splits by headings; no limit of size", _llama_index),
    "semantic-text-splitter": Tool("semantic-text-splitter", "structure; text only; in Rust", _semantic_text_splitter),
    "chonkie": Tool("chonkie", "splits by separators; reads no Markdown; native core", _chonkie),
    "markdown-it-py": Tool("markdown-it-py", "reads blocks; no chunks, its tokens are counted", _markdown_it),
}


def quiet() -> None:
    """Peers warn of this and that while they are loaded."""
    warnings.filterwarnings("ignore")
