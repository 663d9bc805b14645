"""Headings, rules, code, quotes, lists, items and tables start where cmark-gfm sees them start."""

from __future__ import annotations

import pytest
from commonmark_terms import SHARED, by_cmark, by_us, corpus, spec_examples, visible_to_cmark

from markdown_chunker.blocks import read_blocks
from markdown_chunker.normalise import normalise


def _without_front_matter(text: str) -> str:
    """The text with its front matter, which cmark-gfm does not know, blanked out."""
    blocks = read_blocks(text)
    end = blocks[0].end if blocks and blocks[0].kind == "front_matter" else 0
    return "\n" * end + "\n".join(text.split("\n")[end:])


def _but_for_cut_paragraphs(theirs: list[tuple[str, int]], ours: list[tuple[str, int]]) -> bool:
    """Whether they differ only in the first lines of tables and setext headings.

    cmark-gfm gives those the first line of the paragraph they were cut from (text above a table's header row,
    reference definitions above a heading); we give the line of the header row or of the heading's text.
    """
    cut = {"table", "h1", "h2"}
    if [x for x in theirs if x[0] not in cut] != [x for x in ours if x[0] not in cut]:
        return False
    pairs = list(zip((x for x in theirs if x[0] in cut), (x for x in ours if x[0] in cut), strict=False))
    return len(theirs) == len(ours) and all(a[0] == b[0] and a[1] <= b[1] for a, b in pairs)


def test_the_specification() -> None:
    examples = spec_examples()
    if not examples:
        pytest.skip(f"no specification in {SHARED}")
    wrong = []
    for text in map(_without_front_matter, examples):
        theirs, ours = by_cmark(text), visible_to_cmark(by_us(text))
        if theirs != ours and not _but_for_cut_paragraphs(theirs, ours):
            wrong.append((text, theirs, ours))
    assert wrong == []


def test_real_documents() -> None:
    seen = 0
    wrong = []
    for name, raw in corpus():
        text = _without_front_matter(normalise(raw))
        theirs, ours = by_cmark(text), visible_to_cmark(by_us(text))
        seen += 1
        if theirs != ours and not _but_for_cut_paragraphs(theirs, ours):
            wrong.append((name, sorted(set(theirs) ^ set(ours))[:4]))
    if not seen:
        pytest.skip(f"no documents in {SHARED}")
    assert wrong == []
