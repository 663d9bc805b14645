"""What holds for parents and children of every document."""

from __future__ import annotations

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from some_documents import documents

from markdown_chunker import ChunkConfig, chunk_markdown, chunk_parent_child
from markdown_chunker.model import Chunk
from markdown_chunker.normalise import normalise

SHARED = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED", Path(__file__).parents[3] / "shared"))

MEASURES = [len, lambda text: len(text.split()), lambda text: len(text.encode())]
configs = st.builds(
    ChunkConfig,
    min_chunk_size=st.sampled_from([0, 30, 512]),
    strategy=st.sampled_from(["auto", "structural", "code_aware", "list_aware", "fallback"]),
    oversize=st.sampled_from(["split", "keep"]),
    measure=st.sampled_from(MEASURES),
)
sizes = st.sampled_from([40, 100, 300, 2048]).flatmap(
    lambda parent: st.tuples(
        st.just(parent), st.sampled_from([30, max(30, parent // 2), parent - 7, parent - 1, parent])
    )
)
modes = st.sampled_from(["paragraph", "full_doc"])


def check(text: str, config: ChunkConfig, parent_size: int, child_size: int, mode: Any) -> None:
    families = chunk_parent_child(
        text, config, parent_max_size=parent_size, child_max_size=child_size, parent_mode=mode
    )
    source = normalise(text)
    parents = [family.parent for family in families]
    if not parents:
        assert not source.strip()
        return
    covers(parents, 0, len(source))
    if mode == "full_doc":
        assert len(parents) == 1
        assert parents[0].content.removesuffix(parents[0].suffix).strip() == source.strip(" \t\n").strip()
    else:
        assert all(fits(parent, config, parent_size) for parent in parents)
    for family in families:
        assert family.children
        covers(family.children, family.parent.start_offset, family.parent.end_offset)
        for child in family.children:
            assert fits(child, config, child_size)
            assert is_slice(child, source)
            assert child.metadata["parent_id"] == family.parent.metadata["chunk_id"]
    everyone = [chunk for family in families for chunk in (family.parent, *family.children)]
    assert all(chunk.content.strip() for chunk in everyone)
    assert len({chunk.metadata["chunk_id"] for chunk in everyone}) == len(everyone)


def covers(chunks: list[Chunk], start: int, end: int) -> None:
    """The spans of the chunks, joined, are the span from start to end."""
    assert (chunks[0].start_offset, chunks[-1].end_offset) == (start, end)
    assert all(left.end_offset == right.start_offset for left, right in pairwise(chunks))


def fits(chunk: Chunk, config: ChunkConfig, size: int) -> bool:
    return config.measure(chunk.content) <= size or "oversize_reason" in chunk.metadata


def is_slice(chunk: Chunk, source: str) -> bool:
    """Whether the content is the chunk's own source between what is repeated, blank lines around it left out."""
    inner = chunk.content.removeprefix(chunk.prefix).removesuffix(chunk.suffix)
    return inner.strip() == source[chunk.start_offset : chunk.end_offset].strip()


@settings(deadline=None, max_examples=200)
@given(documents, configs, sizes, modes)
def test_laws(text: str, config: ChunkConfig, size: tuple[int, int], mode: str) -> None:
    check(text, config, *size, mode)


@settings(deadline=None, max_examples=100)
@example(text="\u3000", config=ChunkConfig())
@given(documents, configs)
def test_parents_are_the_plan_at_their_size(text: str, config: ChunkConfig) -> None:
    families = chunk_parent_child(text, config, parent_max_size=300, child_max_size=100)
    plan = chunk_markdown(
        text, ChunkConfig.from_dict({**config.to_dict(), "max_chunk_size": 300, "measure": config.measure})
    )
    texts = [chunk.content for chunk in plan if not chunk.content.isspace()]
    assert [family.parent.content for family in families] == texts


CORPUS = sorted((SHARED / "corpus").rglob("*.md*")) if (SHARED / "corpus").is_dir() else []


@pytest.mark.skipif(not CORPUS, reason="no shared corpus here")
@pytest.mark.parametrize(("parent", "child"), [(2048, 512), (600, 500)])
def test_laws_on_real_documents(parent: int, child: int) -> None:
    for path in random.Random(7).sample(CORPUS, min(60, len(CORPUS))):
        if path.stat().st_size < 300_000:
            text = path.read_bytes().decode("utf-8", "replace")
            for mode in ("paragraph", "full_doc"):
                check(text, ChunkConfig(), parent, child, mode)
