"""Every kind of block inside an item, a quote or a note, too long for one chunk: its parts parse as what they were."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.laws import violations
from markdown_chunker import ChunkConfig

SENTENCE = "Lorem ipsum dolor sit amet consectetur. "
COMMAND = "run it with all of the options --a --b"
BLOCKS = {
    "paragraph": [SENTENCE * 9],
    "html": ["<div>", *[f"<p>{SENTENCE * 2}</p>"] * 6, "</div>"],
    "html table": ["<table>", "<tr><th>a</th></tr>", *[f"<tr><td>{SENTENCE}</td></tr>"] * 7, "</table>"],
    "fence": ["```sh", *[COMMAND] * 9, "```"],
    "fence of one line": ["```sh", "x=1;" * 110, "```"],
    "code": [f"    {COMMAND}"] * 9,
    "code that shows a fence": ["    ```sh", *[f"    {COMMAND}"] * 9, "    ```"],
    "table": ["| a | b |", "|---|---|", *[f"| {SENTENCE} | x |"] * 8],
    "quote": [f"> {SENTENCE * 3}", ">", f"> {SENTENCE * 4}"],
    "formula": ["$$", *["x = y + z + a + b + c + d"] * 14, "$$"],
    "list": [f"- {SENTENCE * 2}"] * 5,
    "numbered list": [f"{i}. {SENTENCE * 2}" for i in range(7, 12)],
    "short": ["short text"],
    "heading": ["### Title"],
}
CODE = ("code", "code that shows a fence")


def below(mark: str, *names: str) -> str:
    """A document in which blocks hang on a marker; what stands before its last space is repeated if it is a `>`."""
    lines = "\n\n".join("\n".join(BLOCKS[name]) for name in names).split("\n")
    margin = "".join(">" if char == ">" else " " for char in mark)
    return "\n".join((mark if i == 0 else margin) + line for i, line in enumerate(lines)) + "\n"


@pytest.mark.parametrize("mark", ["- ", "10. ", "1. ", "> - ", "- - ", "-    ", "> ", "[^1]: "])
@pytest.mark.parametrize("first", [name for name in BLOCKS if name not in CODE])
def test_parts_parse(mark: str, first: str) -> None:
    found = []
    for i, (second, third) in enumerate(product(BLOCKS, ("short", "code", "fence"))):
        config = ChunkConfig(max_chunk_size=(300, 430)[i % 2], min_chunk_size=10, strategy="fallback")
        text = below(mark, first, second, third)
        found += [f"{second}, {third}: {line}" for line in violations(text, config, again=False)]
    assert found == []
