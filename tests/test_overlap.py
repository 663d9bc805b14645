"""Overlap: real text of the neighbours, cut at whole things, in fields of its own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker import Chunk, ChunkConfig, chunk_markdown, render

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
SENTENCE = "The pump is off and cold now. "  # 30 characters


def chunked(text: str, overlap: int, size: int = 200, **options: Any) -> list[Chunk]:
    return chunk_markdown(text, ChunkConfig(max_chunk_size=size, min_chunk_size=10, chunk_overlap=overlap, **options))


def before(chunk: Chunk) -> str:
    return str(chunk.metadata.get("previous_content", ""))


def after(chunk: Chunk) -> str:
    return str(chunk.metadata.get("next_content", ""))


def sections(*bodies: str) -> str:
    """One section a body, each of them a chunk."""
    return "\n\n".join(f"# Section {number}\n\n{body}" for number, body in enumerate(bodies))


def test_none_by_default() -> None:
    chunks = chunk_markdown(sections(SENTENCE * 5, SENTENCE * 5), ChunkConfig(max_chunk_size=200))
    assert len(chunks) == 2
    assert not any({"previous_content", "next_content", "overlap_size"} & chunk.metadata.keys() for chunk in chunks)


def test_a_single_chunk_has_no_neighbours() -> None:
    [chunk] = chunked("# A\n\ntext", 50)
    assert not before(chunk) + after(chunk)


def test_whole_sentences_of_both_neighbours() -> None:
    """Neighbours of 161 characters lend at most 56 of them: the last sentence, not the last two."""
    body = SENTENCE * 5
    first, middle, last = chunked(sections(body, body, body), 100)
    assert (before(first), after(last)) == ("", "")
    assert before(middle) == before(last) == SENTENCE.strip()
    assert middle.metadata["overlap_size"] == 29
    assert "overlap_size" not in first.metadata


def test_content_and_lines_stay_as_they_are() -> None:
    text = sections(SENTENCE * 5, SENTENCE * 5, SENTENCE * 5)
    plain, lapped = chunked(text, 0), chunked(text, 60)
    fields = [(c.content, c.start_line, c.end_line, c.metadata["chunk_id"]) for c in plain]
    assert fields == [(c.content, c.start_line, c.end_line, c.metadata["chunk_id"]) for c in lapped]


def test_at_most_what_was_asked_for() -> None:
    body = f"{WORDS}. {WORDS}."
    chunks = chunked(sections(body, body), 20)
    assert before(chunks[1]) == "theta iota kappa."
    assert after(chunks[0]) == "# Section 1\n\nalpha"  # the heading takes 13 of the 20


@pytest.mark.parametrize(("ratio", "kept"), [(0.1, "here."), (0.2, "It ends here."), (1.0, f"{WORDS}. It ends here.")])
def test_at_most_a_share_of_the_neighbour(ratio: float, kept: str) -> None:
    """The first chunk is 84 characters: a tenth of it is 8, a fifth 16."""
    text = sections(f"{WORDS}. It ends here.", "Another text of some length stands here.")
    chunks = chunked(text, 79, size=90, overlap_cap_ratio=ratio)
    assert len(chunks[0].content) == 84
    assert before(chunks[1]) == kept


def test_lists_are_cut_between_items() -> None:
    items = "\n".join(f"- item {number} of the list" for number in range(6))
    chunks = chunked(sections(items, "text"), 50, size=160)
    assert before(chunks[1]) == "- item 4 of the list\n- item 5 of the list"


@pytest.mark.parametrize(
    "whole",
    [
        "```py\nfirst = 1\nsecond = 2\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        "$$\na = b + c\n$$",
        "<div>\nsome text of it\nand more\n</div>",
    ],
    ids=["fence", "table", "formula", "html"],
)
def test_what_would_be_torn_is_left_out(whole: str) -> None:
    chunks = chunked(sections(f"{SENTENCE * 4}\n\n{whole}", f"{whole}\n\n{SENTENCE * 4}"), len(whole) - 1)
    assert before(chunks[1]) == ""
    assert after(chunks[0]) == ""
    assert before(chunked(sections(f"{SENTENCE * 4}\n\n{whole}", SENTENCE * 4), len(whole))[1]) == whole


def test_images_are_not_torn() -> None:
    image = "![a picture of the pump](images/pump.png)"
    chunks = chunked(sections(f"{SENTENCE * 3}See {image}", SENTENCE * 4), 42)
    assert before(chunks[1]) == image
    assert before(chunked(sections(f"{SENTENCE * 3}See {image}", SENTENCE * 4), 40)[1]) == ""


def test_a_head_never_ends_in_a_heading_nor_in_a_torn_word_or_two() -> None:
    chunks = chunked(sections(SENTENCE * 5, "short\n\n" + SENTENCE * 5), 25)
    assert after(chunks[0]) == "# Section 1\n\nshort"  # what is left has room for "The", which says nothing
    assert after(chunked(sections(SENTENCE * 5, "short\n\n" + SENTENCE * 5), 15)[0]) == ""


def test_chinese_is_cut_at_sentences() -> None:
    body = "知识库检索质量取决于切分。" * 8  # 13 characters each
    chunks = chunked(f"# 甲\n\n{body}\n\n# 乙\n\n{body}", 30, size=120)
    assert before(chunks[1]) == "知识库检索质量取决于切分。" * 2


def test_repeated_context_is_not_taken_for_text_of_the_neighbour() -> None:
    """Of a table cut in two, the header stands in the source once: rows alone are no table, so nothing is lent."""
    rows = "\n".join(f"| row {number} | value of it |" for number in range(20))
    chunks = chunked(f"| a | b |\n|---|---|\n{rows}", 60)
    assert len(chunks) > 1
    assert not any(before(chunk) + after(chunk) for chunk in chunks)


def test_a_fence_cut_in_two_lends_nothing() -> None:
    body = "\n".join(f"line_{number} = {number}" for number in range(40))
    chunks = chunked(f"```py\n{body}\n```", 60)
    assert len(chunks) > 1
    assert not any(before(chunk) + after(chunk) for chunk in chunks)


def test_another_measure_counts_in_its_own_unit() -> None:
    def in_words(text: str) -> int:
        return len(text.split())

    chunks = chunked(sections(SENTENCE * 5, SENTENCE * 5), 9, size=40, measure=in_words)
    assert len(chunks) == 2
    assert before(chunks[1]) == SENTENCE.strip()  # 7 words; two sentences would be 14


blocks = st.lists(
    st.sampled_from(
        [
            SENTENCE * 3,
            "- one\n- two\n- three",
            "```\ncode\n```",
            "知识库检索质量。" * 6,
            "![i](i.png) text",
            "> quote\n> it",
        ]
    ),
    min_size=1,
    max_size=12,
)


@given(blocks, st.integers(1, 90), st.sampled_from([0.1, 0.35, 1.0]))
def test_overlap_is_real_text_and_bounded(parts: list[str], overlap: int, ratio: float) -> None:
    text = "\n\n".join(parts)
    chunks = chunked(text, overlap, size=120, overlap_cap_ratio=ratio)
    for i, chunk in enumerate(chunks):
        neighbours = [(before(chunk), chunks[i - 1] if i else None), (after(chunk), (*chunks[i + 1 :], None)[0])]
        for lent, neighbour in neighbours:
            if lent:
                assert neighbour is not None
                assert lent in neighbour.content
                assert len(lent) <= min(overlap, ratio * len(neighbour.content))
        assert len(render(chunk, "joined", limit=120)) <= 120
