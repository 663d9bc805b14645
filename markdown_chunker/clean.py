"""Cleaning that does no harm: it leaves code alone and every line where it was."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .blocks import read_blocks
from .model import CONTAINERS, Block

#: Blocks in which every character counts.
_LITERAL = frozenset({"fence", "code", "math", "html", "front_matter"})
#: Obsidian's block identifier: a caret and letters, digits or dashes at the end of a line or alone on it.
_BLOCK_ID = re.compile(r"(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$")


def strip_block_ids(text: str) -> str:
    """Remove Obsidian's ` ^id` at line ends, outside code and formulas."""
    if "^" not in text:
        return text
    lines = text.split("\n")
    for number in _open_lines(lines, text):
        if "^" in lines[number]:
            lines[number] = _BLOCK_ID.sub("", lines[number])
    return "\n".join(lines)


def _open_lines(lines: list[str], text: str) -> Iterator[int]:
    """The numbers of the lines that are not code, formula, HTML or front matter."""
    literal = {n for block in _literal_blocks(read_blocks(text)) for n in range(block.start, block.end)}
    return (n for n in range(len(lines)) if n not in literal)


def _literal_blocks(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind in _LITERAL:
            yield block
        elif block.kind in CONTAINERS:
            yield from _literal_blocks(block.children)
