"""What holds for the tree of every document."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from some_documents import documents

from benchmarks.tree_laws import check, id_of
from markdown_chunker import Chunk, ChunkConfig, HierarchicalChunkingResult, chunk_hierarchical

SHARED = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED", Path(__file__).parents[3] / "shared"))

MEASURES = {"characters": len, "words": lambda text: len(text.split()), "bytes": lambda text: len(text.encode())}
TITLE = "A title that occurs nowhere else"
configs = st.builds(
    ChunkConfig,
    max_chunk_size=st.sampled_from([1, 20, 80, 200, 600, 4096]),
    min_chunk_size=st.sampled_from([0, 30, 512]),
    strategy=st.sampled_from(["auto", "structural", "code_aware", "list_aware", "fallback"]),
    oversize=st.sampled_from(["split", "keep"]),
    measure=st.sampled_from(list(MEASURES.values())),
)


@settings(deadline=None, max_examples=150)
@given(documents, configs)
def test_laws(text: str, config: ChunkConfig) -> None:
    check(text, config)


@settings(deadline=None)
@given(documents, documents, configs)
def test_ids_do_not_change_under_an_edit_elsewhere(above: str, text: str, config: ChunkConfig) -> None:
    """A section below keeps the ids of all its nodes, whatever stands above it."""
    marked = f"# {TITLE}\n\n{text}"
    before = chunk_hierarchical(f"# Above\n\ntext\n\n{marked}", config)
    after = chunk_hierarchical(f"# Above\n\ntext\n\nEdited.\n\n{marked}", config)
    [one, other] = (owned(result) for result in (before, after))
    same_cuts = [chunk.content for chunk in one] == [chunk.content for chunk in other]
    if same_cuts:
        assert [id_of(chunk) for chunk in one] == [id_of(chunk) for chunk in other]
    elif config.measure is len:  # sizes that add up: what stands above moves no cut below, unless it joins it
        joined = not all(any(TITLE in chunk.content for chunk in owned(result)) for result in (before, after))
        assert before.strategy_used != after.strategy_used or len(one) != len(other) or joined


def owned(result: HierarchicalChunkingResult) -> list[Chunk]:
    """The nodes of the marked section and all below."""
    return [c for c in result.chunks if c.metadata["header_path"][:1] == [TITLE]]


CORPUS = sorted((SHARED / "corpus").rglob("*.md*")) if (SHARED / "corpus").is_dir() else []


@pytest.mark.skipif(not CORPUS, reason="no shared corpus here")
@pytest.mark.parametrize("config", [ChunkConfig(), ChunkConfig(max_chunk_size=600, min_chunk_size=100)], ids=repr)
def test_laws_on_real_documents(config: ChunkConfig) -> None:
    for path in random.Random(7).sample(CORPUS, min(60, len(CORPUS))):
        if path.stat().st_size < 300_000:
            check(path.read_bytes().decode("utf-8", "replace"), config)
