"""The chunkers under test: a document → passages.  Sizes are characters, overlap is none unless the name says so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from markdown_chunker import (
    Chunk,
    ChunkConfig,
    StrategyError,
    chunk_markdown,
    chunk_parent_child,
    document_title_of,
    ties,
)
from markdown_chunker.chunker import Strategy, run
from markdown_chunker.document import Document
from markdown_chunker.model import Piece
from markdown_chunker.plan import CostTable, seam_costs
from markdown_chunker.render import lean_fields, metadata_block, path_text, render
from markdown_chunker.strategies import code_aware, list_aware

from .corpus import Span
from .locate import Locator


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to embed and rank.  `spans` and `read` are what a reader is given when it is found; passages with the
    same `unit` are given once, at the best of their ranks."""

    text: str
    spans: tuple[Span, ...]
    read: str = ""
    unit: int = -1


Chunker = Callable[[str, int], list[Passage]]


# --- ours -----------------------------------------------------------------------------------------------


def _json_all(chunk: Chunk, title: str) -> str:
    fields = {"title": title, "header_path": path_text(chunk.metadata.get("header_path", ()))}
    fields |= {name: value for name, value in chunk.metadata.items() if name != "header_path"}
    return metadata_block({**fields, "start_line": chunk.start_line, "end_line": chunk.end_line}, chunk.content)


def _json_of(*names: str) -> Callable[[Chunk, str], str]:
    """The metadata block with some of its fields."""

    def text(chunk: Chunk, title: str) -> str:
        fields = lean_fields(chunk, title)
        return metadata_block({name: fields[name] for name in names if name in fields}, chunk.content)

    return text


#: Text forms, of a chunk and the title of its document.
FORMS: dict[str, Callable[[Chunk, str], str]] = {
    "plain": lambda chunk, title: render(chunk, "plain"),
    "path": lambda chunk, title: render(chunk, "breadcrumb"),
    "title+path": lambda chunk, title: render(chunk, "breadcrumb", title),
    "json": lambda chunk, title: render(chunk, "json"),
    "json+title": lambda chunk, title: render(chunk, "json", title),
    "json-no-id": _json_of("title", "header_path", "content_type", "languages", "start_line", "end_line"),
    "json-lines": _json_of("title", "header_path", "start_line", "end_line"),
    "json-short": _json_of("title", "header_path"),
    "json-all": _json_all,
}


def ours(form: str = "json", **options: Any) -> Chunker:
    """This project, with a text form and any options of ChunkConfig."""
    text_of = FORMS[form]

    def chunk(text: str, size: int) -> list[Passage]:
        config = ChunkConfig(max_chunk_size=size, **options)
        try:
            chunks = chunk_markdown(text, config)
        except StrategyError:  # only the strategy chunkana, where chunkana itself fails
            chunks = chunk_markdown(text, config.with_changes(strategy="auto"))
        title = document_title_of(text)
        return [Passage(text_of(c, title), _spans(c)) for c in chunks]

    return chunk


def ours_blended(form: str) -> Chunker:
    """One table of costs for all documents: what each strategy makes dear is dear, whatever the document is like."""
    table = CostTable(
        seams={**list_aware.TABLE.seams, **code_aware.TABLE.seams},
        deeper=list_aware.TABLE.deeper,
    )
    leads = {"list": ties.LEADS_TO_LIST, "table": ties.LEADS_TO_TABLE, "math": ties.LEADS_TO_FORMULA}

    def costs(pieces: list[Piece], document: Document) -> list[float]:
        found = ties.code_ties(document, pieces) + ties.table_ties(document)
        found += ties.introduction_ties(document, pieces, leads)
        return ties.tighten(seam_costs(pieces, document, table), pieces, found)

    def chunk(text: str, size: int) -> list[Passage]:
        chunks = run(text, ChunkConfig(max_chunk_size=size), Strategy("blended", costs)).chunks
        title = document_title_of(text)
        return [Passage(FORMS[form](c, title), _spans(c)) for c in chunks]

    return chunk


def ours_joined(overlap: int) -> Chunker:
    """Overlap as text around the chunk, within the limit, as the plugin does without metadata."""

    def chunk(text: str, size: int) -> list[Passage]:
        chunks = chunk_markdown(text, ChunkConfig(max_chunk_size=size, chunk_overlap=min(overlap, size - 1)))
        return [Passage(render(c, "joined", limit=size), _spans(c)) for c in chunks]

    return chunk


def ours_parent_child(form: str = "title+path", child: int = 4) -> Chunker:
    """Children of a `child`th of the size are searched, their parents of the full size are read."""

    def chunk(text: str, size: int) -> list[Passage]:
        passages = []
        title = document_title_of(text)
        families = chunk_parent_child(text, parent_max_size=size, child_max_size=max(50, size // child))
        for unit, family in enumerate(families):
            given, spans = FORMS["title+path"](family.parent, title), _spans(family.parent)
            passages += [Passage(FORMS[form](c, title), spans, given, unit) for c in family.children]
        return passages

    return chunk


def _spans(chunk: Chunk) -> tuple[Span, ...]:
    return (Span(chunk.start_offset, chunk.end_offset),)


# --- peers ----------------------------------------------------------------------------------------------


def _located(text: str, chunks: Iterable[tuple[str, str]]) -> list[Passage]:
    """Passages of (text to embed, text that stands in the document)."""
    locator = Locator(text)
    return [Passage(embedded, locator.find(own)) for embedded, own in chunks]


def langchain_recursive(text: str, size: int) -> list[Passage]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return _located(text, ((c, c) for c in splitter.split_text(text)))


def langchain_headers(text: str, size: int) -> list[Passage]:
    """Headings stay in the text, which is what helps this peer."""
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    sections = MarkdownHeaderTextSplitter(levels, strip_headers=False).split_text(text)
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return _located(text, ((c, c) for s in sections for c in splitter.split_text(s.page_content)))


def llamaindex_markdown(text: str, size: int) -> list[Passage]:
    """Its header_path is embedded with the text, as LlamaIndex does by default."""
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter

    splitter = SentenceSplitter(chunk_size=size, chunk_overlap=0, tokenizer=list)
    chunks: list[tuple[str, str]] = []
    for node in MarkdownNodeParser().get_nodes_from_documents([Document(text=text)]):
        path = node.metadata.get("header_path", "")
        head = f"header_path: {path}\n\n" if path else ""
        chunks += [(head + piece, piece) for piece in splitter.split_text(node.get_content())]
    return _located(text, chunks)


def semantic_markdown(text: str, size: int) -> list[Passage]:
    from semantic_text_splitter import MarkdownSplitter

    return [Passage(c, (Span(at, at + len(c)),)) for at, c in MarkdownSplitter(size).chunk_indices(text)]


def chonkie_recursive(text: str, size: int) -> list[Passage]:
    from chonkie import RecursiveChunker

    chunks = RecursiveChunker(tokenizer="character", chunk_size=size).chunk(text)
    return _located(text, ((c.text, c.text) for c in chunks if c.text.strip()))


def chunkana_block(overlap: int) -> Chunker:
    """chunkana with its metadata block, as the incumbent plugin writes it (there with an overlap of 200).

    Some documents make it raise; those it is given again with its simplest strategy.
    """

    def chunk(text: str, size: int) -> list[Passage]:
        import chunkana
        from chunkana.renderers import render_dify_style

        logging.getLogger("chunkana").setLevel(logging.ERROR)
        sizes = {"max_chunk_size": size, "min_chunk_size": min(512, size // 2), "overlap_size": min(overlap, size // 4)}
        try:
            chunks = chunkana.chunk_markdown(text, chunkana.ChunkerConfig(**sizes))
        except ValueError:
            chunks = chunkana.chunk_markdown(text, chunkana.ChunkerConfig(**sizes, strategy_override="fallback"))
        return _located(text, zip(render_dify_style(chunks), (c.content for c in chunks), strict=True))

    return chunk


PEERS: dict[str, Chunker] = {
    "langchain-recursive": langchain_recursive,
    "langchain-headers": langchain_headers,
    "llamaindex": llamaindex_markdown,
    "semantic-text-splitter": semantic_markdown,
    "chonkie": chonkie_recursive,
    "chunkana": chunkana_block(0),
}
#: The plugin's default, and the same chunks behind a line of title and heading path.
DEFAULTS: dict[str, Chunker] = {"ours": ours(), "ours, title+path": ours("title+path"), **PEERS}

#: Chunks are found by their best form here, so that what is under test is not hidden by the block's own text.
_BEST = "title+path"
ABLATIONS: dict[str, Chunker] = {
    **{f"form={form}": ours(form) for form in FORMS},
    **{f"overlap={n} as text": ours_joined(n) for n in (0, 100, 200)},
    **{f"overlap={n} in metadata": ours(chunk_overlap=n) for n in (100, 200)},
    **{f"min={n}": ours(_BEST, min_chunk_size=n) for n in (0, 128, 256, 512, 1024)},
    **{
        f"strategy={name}": ours(_BEST, strategy=name)
        for name in ("auto", "structural", "code_aware", "list_aware", "fallback", "chunkana")
    },
    "strategy=blended": ours_blended(_BEST),
    "parent-child": ours_parent_child(),
    "parent-child, plain children": ours_parent_child("plain"),
    "chunkana, overlap=200": chunkana_block(200),
}
ENGINES: dict[str, Chunker] = {**DEFAULTS, **ABLATIONS}
