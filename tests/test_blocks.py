"""Fixtures: a title, a document, and its blocks with their lines (from 1, inclusive), children indented by two.

title
.
document
.
kind first-last [level=…] [info]
.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from markdown_chunker.blocks import read_blocks
from markdown_chunker.model import Block
from markdown_chunker.normalise import normalise
from markdown_chunker.scan import MAX_DEPTH

FIXTURES = Path(__file__).parent / "fixtures" / "blocks"


def outline(blocks: list[Block], indent: str = "") -> Iterator[str]:
    """One line per block, as in the fixtures."""
    for b in blocks:
        level = f" level={b.level}" if b.level else ""
        info = f" {b.info}" if b.info else ""
        yield f"{indent}{b.kind} {b.start + 1}-{b.end}{level}{info}"
        yield from outline(b.children, indent + "  ")


def cases() -> Iterator[object]:
    """Each case of each fixture file, named by file and line."""
    for path in sorted(FIXTURES.glob("*.md")):
        source = path.read_text(encoding="utf-8")
        for m in re.finditer(r"(?ms)^([^\n]+)\n\.\n(.*?)^\.\n(.*?)^\.$", source):
            line = source.count("\n", 0, m.start()) + 1
            yield pytest.param(m[2], m[3], id=f"{path.name}:{line} {m[1]}")


@pytest.mark.parametrize(("text", "expected"), list(cases()))
def test_fixture(text: str, expected: str) -> None:
    assert "\n".join(outline(read_blocks(normalise(text)))) == expected.rstrip("\n")


@pytest.mark.parametrize(
    "text", ["", "\n", " ", "\t", "\n \n\t\n", "\0", "\u3000", "a", "#", "```", "<!--", "\x0b\n\x0c"]
)
def test_next_to_nothing(text: str) -> None:
    """Text without a line end, and lines that look blank but are not."""
    blocks = read_blocks(text)
    assert bool(blocks) == bool(text.strip(" \t\n"))


def test_only_line_feeds_end_lines() -> None:
    assert [b.end for b in read_blocks("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n")] == [1]


@pytest.mark.parametrize("marker", [">", "> ", "- ", "1. ", "[^a]: "])
def test_nested_without_end(marker: str) -> None:
    """Containers nested beyond all measure are cut off at `MAX_DEPTH`, with the right lines."""
    blocks = read_blocks(marker * 100_000 + "a\nlazy\n\n# End\n")
    depth = 0
    inner = blocks[:1]
    while inner:
        depth += inner[0].kind != "list"
        inner = inner[0].children
    assert depth == MAX_DEPTH + 1
    assert (blocks[0].start, blocks[-1].kind, blocks[-1].start) == (0, "heading", 3)


def test_one_long_line() -> None:
    assert [(b.kind, b.end) for b in read_blocks("word " * 1_000_000)] == [("paragraph", 1)]


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
def test_an_opener_is_seen_wherever_a_search_for_closers_ends(shift: int) -> None:
    text = ("<details>\n" + "word word\n\n" * 4000)[: 40_000 + shift - 1] + "\n"
    blocks = read_blocks(f"{text}<details>\n\nx\n\n</details>\n")
    assert blocks[-1].kind == "details"
