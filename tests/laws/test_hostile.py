"""Bad input and hostile shapes: right chunks in linear time, never a crash, a hang or a loss."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Callable

import pytest

from benchmarks.laws import normalised, partition, violations
from markdown_chunker import Chunk, ChunkConfig, OptionError, chunk_markdown

SENTENCE = "The pump stands on its base, and the base stands on the floor. "


def words(text: str) -> int:
    return len(text.split())


def check(text: str, config: ChunkConfig | None = None) -> list[Chunk]:
    """The chunks, after laws 1, 2 in part, and 3."""
    config = config or ChunkConfig()
    chunks = chunk_markdown(text, config)
    source = normalised(text)
    assert list(partition(source, chunks)) == []
    for chunk in chunks:
        body = chunk.content[len(chunk.prefix) : len(chunk.content) - len(chunk.suffix)]
        assert body in source[chunk.start_offset : chunk.end_offset]
        assert len(chunk.content) <= config.max_chunk_size
    return chunks


@pytest.mark.parametrize("text", ["", " ", "\n", "\n\n\n", " \t\n  \n", "\ufeff", "\0", "\ufeff\r\n\0\r\n", "\ud800"])
def test_nothing_gives_nothing(text: str) -> None:
    assert chunk_markdown(text) == []


ODD = {
    "NUL": "# A\0B\n\nte\0xt\n",
    "lone surrogates": "# A\ud800\n\nte\udfffxt\n",
    "byte order mark": "\ufeff# A\n\ntext\n",
    "CRLF": "# A\r\n\r\ntext\r\n\r\n```\r\ncode\r\n```\r\n",
    "CR": "# A\r\rtext\r\r## B\r\rmore\r",
    "mixed line ends": "# A\r\n\ntext\r## B\n\r\nmore",
    "no last newline": "# A\n\ntext",
    "other line ends": "# A\n\none\u2028two\x0bthree\x0cfour\x85five",
    "only punctuation": "***\n---\n===\n```",
    "unclosed everything": "[a](b ![c](d `e <f $$g \\begin{h} <!-- i\n\n```j",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("size", [1, 7, 4096])
def test_odd_text(text: str, size: int) -> None:
    assert violations(text, ChunkConfig(max_chunk_size=size)) == []


def test_odd_text_keeps_its_heading() -> None:
    for text in ("\ufeff# A\n\ntext\n", "# A\r\n\r\ntext", "# A\r\rtext", "# A\0\n\ntext"):
        assert chunk_markdown(text)[0].metadata["header_path"] == ["A"]


WRONG: list[dict[str, object]] = [
    {"max_chunk_size": 0},
    {"max_chunk_size": -5},
    {"max_chunk_size": "1000"},
    {"max_chunk_size": 10.5},
    {"max_chunk_size": True},
    {"max_chunk_size": None},
    {"min_chunk_size": -1},
    {"chunk_overlap": -1},
    {"max_chunk_size": 100, "chunk_overlap": 100},
    {"max_chunk_size": 100, "chunk_overlap": 5000},
    {"strategy": "code"},
    {"strategy": None},
    {"oversize": "drop"},
    {"measure": 7},
]


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError) as caught:
        ChunkConfig(**options)  # type: ignore[arg-type]
    assert caught.value.parameter in options
    assert isinstance(caught.value, ValueError)


def test_a_line_of_five_megabytes() -> None:
    chunks = check("x" * 5_000_000)
    assert len(chunks) == -(-5_000_000 // 4096)
    check("word " * 1_000_000)


@pytest.mark.parametrize("mark", ["> ", "- ", "> - ", "1. "])
def test_nested_a_hundred_thousand_deep(mark: str) -> None:
    check(mark * 100_000 + "text")


def test_fifty_megabytes() -> None:
    """A document of ordinary sections, far past what fits a request: whole, and in time."""
    section = f"## Section\n\n{SENTENCE * 20}\n\n- one\n- two\n\n{SENTENCE * 10}\n\n"
    text = "# Everything\n\n" + section * (50_000_000 // len(section))
    started = time.perf_counter()
    chunks = chunk_markdown(text)
    assert time.perf_counter() - started < 60
    assert chunks[0].start_offset == 0
    assert chunks[-1].end_offset == len(text)
    assert all(a.end_offset == b.start_offset for a, b in itertools.pairwise(chunks))


SHAPES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda n: (SENTENCE * 5 + "\n\n") * (n // 300),
    "one paragraph": lambda n: SENTENCE * (n // 60),
    "one sentence": lambda n: "pump " * (n // 5),
    "one line of letters": lambda n: "x" * n,
    "one line of CJK": lambda n: "知识库检索质量取决于切分" * (n // 12),
    "CJK sentences": lambda n: "知识库检索质量取决于切分。" * (n // 13),
    "full stops": lambda n: "." * n,
    "stops before a letter": lambda n: "." * n + "x",
    "question marks before a letter": lambda n: "?" * n + "x",
    "escaped brackets": lambda n: "word \\[ x " * (n // 10),
    "escaping brackets": lambda n: "[\\" * (n // 2),
    "code with its output": lambda n: "".join(
        f"## S{i}\n\nRun it:\n\n```sh\nls {i}\n```\n\nOutput:\n\n```\nx\n```\n\n" for i in range(n // 57)
    ),
    "tables two by two": lambda n: "## S\n\n| a |\n|---|\n| 1 |\n\ntext\n\n| a |\n|---|\n| 1 |\n\n" * (n // 52),
    "unclosed details and fences": lambda n: "<details>\n\n```\n\n" * (n // 16),
    "spaces before a caret": lambda n: "a" + " " * n + "^",
    "abbreviations": lambda n: "e.g. Dr. A. " * (n // 12),
    "combining marks": lambda n: "a" + "\u0301" * n,
    "flags": lambda n: "\U0001f1e9\U0001f1ea" * (n // 2),
    "headings": lambda n: "# A\n" * (n // 4),
    "deeper headings": lambda n: "".join("#" * (1 + i % 6) + " A\n\n" for i in range(n // 7)),
    "headings with text": lambda n: "## A\n\nb\n\n" * (n // 9),
    "a list": lambda n: "- item with some text\n" * (n // 22),
    "nested lists": lambda n: "".join("  " * (i % 20) + "- item\n" for i in range(n // 27)),
    "a list of long items": lambda n: ("- " + SENTENCE * 30 + "\n") * (n // 1900),
    "an item of many paragraphs": lambda n: "- a\n" + ("\n  " + SENTENCE * 3 + "\n") * (n // 190),
    "an endless fence": lambda n: "```py\n" + "x = 1\n" * (n // 6),
    "fences": lambda n: "```py\nx = 1\n```\n\n" * (n // 17),
    "a fence with a long line": lambda n: "```\n" + "x=1;" * (n // 4) + "\n```",
    "unclosed fences in quotes": lambda n: "> ```\n\n" * (n // 7),
    "a table": lambda n: "| a | b |\n|---|---|\n" + "| cell | cell |\n" * (n // 16),
    "a table with a huge row": lambda n: "| a | b |\n|---|---|\n| " + "cell " * (n // 5) + " | x |\n",
    "a quote": lambda n: "> quoted text of a line\n" * (n // 24),
    "quoted paragraphs": lambda n: "> quoted text of a line\n>\n" * (n // 26),
    "lazy quote": lambda n: "> start\n" + "lazy line\n" * (n // 10),
    "open brackets": lambda n: "[" * n,
    "bracket pairs": lambda n: "[a](" * (n // 4),
    "bracketed lines": lambda n: "[a\n" * (n // 3),
    "images": lambda n: "![a](b) " * (n // 8),
    "open backticks": lambda n: "".join("`" * (1 + i % 60) + " " for i in range(n // 31)),
    "open tags": lambda n: "<a " * (n // 3),
    "less-than signs": lambda n: "<" * n,
    "comments": lambda n: "<!-- a\n\n" * (n // 8),
    "html rows": lambda n: "<table>\n" + "<tr><td>a</td></tr>\n" * (n // 20) + "</table>",
    "html cells": lambda n: "<table><tr>" + "<td>a</td>" * (n // 10) + "</tr></table>",
    "open comments in a table": lambda n: "<table>\n" + "<tr><td>a</td></tr>\n<!--\n" * (n // 24),
    "open html rows": lambda n: "<table>\n" + "<tr " * (n // 4),
    "empty html rows": lambda n: "<table>\n" + "<tr>" * (n // 4),
    "numbered code": lambda n: "1. a\n   ```\n   x\n   ```\n" * (n // 25),
    "numbered headings": lambda n: "".join(f"## {i}. a\n\n```\nx\n```\n\n" for i in range(n // 20)),
    "details": lambda n: "<details>\n\na\n\n" * (n // 14),
    "dollars": lambda n: "$$a\n\n" * (n // 5),
    "environments": lambda n: "\\begin{a}\n" * (n // 10),
    "references": lambda n: "[a]: b\n" * (n // 7),
    "footnotes": lambda n: "[^a]: b\n\n    c\n\n" * (n // 16),
    "directives": lambda n: ":::note\n" * (n // 8),
    "blank lines": lambda n: "a\n" + "\n" * n + "b",
    "quote marks alone": lambda n: "a\n\n" + ">\n" * (n // 2) + "b",
    "spaces": lambda n: "a" + " " * n + "b",
    "hard breaks": lambda n: "a  \n" * (n // 4),
    "a data URI": lambda n: "![a](data:image/png;base64," + "QUJD" * (n // 4) + ")",
    "emphasis": lambda n: "**a " * (n // 4),
    "tabs": lambda n: "\t- a\n" * (n // 5),
    "thematic breaks": lambda n: "---\n\n" * (n // 5),
}


def seconds(text: str, config: ChunkConfig, runs: int = 3) -> float:
    """The best of some runs, without the garbage collector, which looks at all objects alive again and again."""
    best = float("inf")
    for _ in range(runs):
        gc.collect()
        gc.disable()
        started = time.process_time()
        for chunk in chunk_markdown(text, config)[:1]:
            assert chunk.metadata  # works out that of all
        best = min(best, time.process_time() - started)
        gc.enable()
    return best


PLAIN = ChunkConfig(max_chunk_size=1000)
#: With overlap, all cleaning, and a measure that reads the text.
LADEN = ChunkConfig(
    max_chunk_size=250,
    chunk_overlap=200,
    measure=words,
    remove_urls_emails=True,
    collapse_whitespace=True,
    remove_images=True,
    strip_obsidian_block_ids=True,
    group_related_tables=True,
    strip_front_matter=True,
    strip_html_comments=True,
)


@pytest.mark.parametrize("config", [PLAIN, LADEN], ids=["plain", "laden"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_time_is_linear(shape: Callable[[int], str], config: ChunkConfig) -> None:
    """Four times the input takes at most five times as long (law 10)."""
    n = 8_000
    while n < 250_000 and seconds(shape(n), config, 1) < 0.015:
        n *= 2
    for attempt in range(4):
        small, large = seconds(shape(n), config, 2 + attempt), seconds(shape(4 * n), config, 1 + attempt)
        if large <= 5 * small + 0.005:
            return
    pytest.fail(f"{n} characters take {small:.3f} s, {4 * n} take {large:.3f} s")


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_laws_on_hostile_shapes(shape: Callable[[int], str]) -> None:
    check(shape(9_000), ChunkConfig(max_chunk_size=300))
