"""Streaming gives what the whole gives: on random documents, hostile shapes, and real documents in one."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
import some_documents
from documents import configs, documents
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_corpus import CORPUS
from test_hostile import SHAPES

from benchmarks.streaming import corpus_text
from markdown_chunker import ChunkConfig, chunk_markdown, iter_chunks

EXAMPLES = int(os.environ.get("MARKDOWN_CHUNKER_EXAMPLES", "0"))

several = st.lists(documents() | some_documents.documents, min_size=1, max_size=2).map("\n".join)


@st.composite
def streamed_configs(draw: st.DrawFn) -> ChunkConfig:
    config = draw(configs())
    return config.with_changes(
        measure=len,
        chunk_overlap=min(config.max_chunk_size - 1, draw(st.sampled_from([0, 0, 10, 100]))),
        use_adaptive_sizing=draw(st.sampled_from([False, False, True])),
        group_related_tables=draw(st.booleans()),
        related_block_max_gap=draw(st.sampled_from([5, 5, 0, 2, 20])),
    )


@settings(
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(several, streamed_configs(), st.sampled_from([1, 2, 7, 40, 150, 600, 3000]))
@example("# A\n\n```\nx\n```\n\n# B\n\n```\ny\n```\n", ChunkConfig(max_chunk_size=20), 1)
def test_random_documents(text: str, config: ChunkConfig, buffer: int) -> None:
    assert list(iter_chunks(text, config, buffer)) == chunk_markdown(text, config)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_hostile_shapes(shape: Callable[[int], str]) -> None:
    """Alone, and between sections that can be cut."""
    section = "# Head\n\nA short text below a heading.\n\n" * 40
    for text in (shape(30_000), section + shape(8_000) + "\n\n" + section):
        for config, buffer in ((ChunkConfig(max_chunk_size=300, chunk_overlap=40), 2000), (ChunkConfig(), 9000)):
            assert list(iter_chunks(text, config, buffer)) == chunk_markdown(text, config)


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpus at hand")
@pytest.mark.parametrize("config", [ChunkConfig(), ChunkConfig(max_chunk_size=500, chunk_overlap=80)])
def test_real_documents_in_one(config: ChunkConfig) -> None:
    text = corpus_text(CORPUS, 1_500_000)
    assert list(iter_chunks(text, config, 50_000)) == chunk_markdown(text, config)
