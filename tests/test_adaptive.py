"""Adaptive sizing: the formula by hand, its bounds, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from markdown_chunker import AdaptiveSizeConfig, Chunk, ChunkConfig, analyze_markdown, chunk_markdown

P = "Lorem ipsum dolor sit amet consectetur. "


def chunked(text: str, **options: Any) -> list[Chunk]:
    return chunk_markdown(text, ChunkConfig(use_adaptive_sizing=True, **options))


def sizing(text: str, **options: Any) -> tuple[int, float, float]:
    """Size, complexity and scale, which all chunks agree on."""
    found = {
        tuple(chunk.metadata[name] for name in ("adaptive_size", "content_complexity", "size_scale_factor"))
        for chunk in chunked(text, **options)
    }
    assert len(found) == 1
    return found.pop()  # type: ignore[return-value]


def test_short_sentences_of_plain_text() -> None:
    """10 characters a sentence: complexity 0.1 × 0.1 = 0.01, scale 0.5 + 0.01, size 1500 × 0.51."""
    text = "It is so. " * 10
    assert len(text) == 100
    assert sizing(text) == (765, 0.01, 0.51)


def test_text_without_sentence_ends() -> None:
    """The sentence length counts up to 100 characters: complexity 0.1, scale 0.6, as in the incumbent's table."""
    assert sizing("word " * 100) == (900, 0.1, 0.6)


def test_code() -> None:
    """60 of 100 characters are code, the rest is one sentence of over 100: 0.4 × 0.6 + 0.1 = 0.34, scale 0.84."""
    code = "```\n" + "x" * 51 + "\n```\n"
    text = code + "\n" + "y" * 39
    assert (len(code), len(text)) == (60, 100)
    assert sizing(text) == (1260, 0.34, 0.84)


def test_table_and_list() -> None:
    """50 table, 40 list: 0.3 × 0.5 + 0.2 × 0.4 + 0.1 = 0.33."""
    table = "| a |\n|---|\n| " + "x" * 33 + " |\n"
    items = "- " + "y" * 37 + "\n"
    text = f"{table}\n{items}\n{'z' * 8}"
    assert (len(table), len(items), len(text)) == (50, 40, 100)
    assert sizing(text) == (1245, 0.33, 0.83)


def test_weights_base_and_scales_are_options() -> None:
    """All of it code, at a weight of 1: the largest scale."""
    rules = AdaptiveSizeConfig(
        base_size=1000,
        min_scale=0.25,
        max_scale=2.0,
        code_weight=1.0,
        table_weight=0.0,
        list_weight=0.0,
        sentence_length_weight=0.0,
    )
    assert sizing("```\nx\n```", adaptive_config=rules) == (2000, 1.0, 2.0)
    assert sizing("Plain text.", adaptive_config=rules) == (250, 0.0, 0.25)


def test_never_above_the_maximum() -> None:
    assert sizing("word " * 100, max_chunk_size=700) == (700, 0.1, 0.6)
    assert sizing("word " * 100, max_chunk_size=901)[0] == 900


def test_chunks_keep_within_the_size() -> None:
    """The split and the packer go by it, not by the maximum."""
    text = P * 100
    size = sizing(text)[0]
    chunks = chunked(text)
    assert size < len(text) < 4096
    assert max(chunk.size for chunk in chunks) <= size
    assert len(chunk_markdown(text)) == 1


@pytest.mark.parametrize("overlap", [800, 1500, 4095])
def test_overlap_shrinks_with_the_size(overlap: int) -> None:
    """X9."""
    chunks = chunked("# T\n\nplain text.", chunk_overlap=overlap)
    assert len(chunks) == 1
    lapped = chunked(P * 100, chunk_overlap=overlap)
    assert any("previous_content" in chunk.metadata for chunk in lapped)


def test_the_least_size_there_is() -> None:
    rules = AdaptiveSizeConfig(base_size=1, min_scale=0.1, max_scale=0.2)
    assert sizing("ab", adaptive_config=rules)[0] == 1


def test_other_options_stay() -> None:
    """X56: thresholds, binding and grouping do not go back to their defaults."""
    table = "| a |\n|---|\n| 1 |"
    text = f"# A\n\n{table}\n\n{table}\n"
    assert chunked(text, group_related_tables=True)[0].metadata["table_group_count"] == 2
    assert chunked(f"- a\n\n{P}", list_count_threshold=1)[0].strategy == "list_aware"


def test_off_by_default() -> None:
    [chunk] = chunk_markdown("word " * 100)
    assert not {"adaptive_size", "content_complexity", "size_scale_factor"} & chunk.metadata.keys()


def test_analysis_tells_the_complexity() -> None:
    assert analyze_markdown("It is so. " * 10).complexity == 0.01
