"""python -m benchmarks.blocks [PATH]: the block reader against markdown-it-py's block pass, interleaved in one run.

PATH is a Markdown file or a folder of them; without it documents are generated.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from markdown_chunker.blocks import read_blocks
from markdown_chunker.model import Block
from markdown_chunker.normalise import normalise

ROUNDS = 5

_PARTS = [
    "## Section {n}\n\n",
    "A paragraph of some sentences about part {n}. It goes on,\nover two lines, with `code` and [links](/u).\n\n",
    "```python\ndef f{n}(x):\n    return x + {n}\n\n# a comment\n```\n\n",
    "- item {n}\n- another with\n  two lines\n  - nested\n\n1. first\n2. second\n\n",
    "| a | b |\n|---|---|\n| {n} | 2 |\n| 3 | 4 |\n\n",
    "> A quote {n}\n> of two lines.\n\n",
]


def documents(path: Path | None) -> list[str]:
    """The documents to read, normalised."""
    if path is None:
        r = random.Random(0)
        return ["# Title\n\n" + "".join(r.choice(_PARTS).format(n=n) for n in range(400)) for _ in range(20)]
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix in (".md", ".mdx"))
    return [normalise(f.read_text(encoding="utf-8", errors="replace")) for f in files if f.is_file()]


def read_all(text: str) -> None:
    """Read a document, and inside all containers."""
    blocks: list[Block] = read_blocks(text)
    while blocks:
        blocks.extend(blocks.pop().children)


def _seconds(read: Callable[[str], object], texts: list[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        read(text)
    return time.perf_counter() - start


def main(path: Path | None = None) -> None:
    """Print the best of some rounds for each reader, and its ratio to markdown-it-py's."""
    md = MarkdownIt("commonmark").enable("table")
    md.core.ruler.enableOnly(["normalize", "block"])
    readers: dict[str, Callable[[str], object]] = {
        "markdown-it-py, block pass": md.parse,
        "read_blocks, top level": read_blocks,
        "read_blocks, all levels": read_all,
    }
    texts = documents(path)
    size = sum(map(len, texts)) / 1e6
    best = dict.fromkeys(readers, float("inf"))
    for _ in range(ROUNDS):
        for name, read in readers.items():
            best[name] = min(best[name], _seconds(read, texts))
    base = best["markdown-it-py, block pass"]
    print(f"{len(texts)} documents, {size:.2f} million characters")
    for name, seconds in best.items():
        print(f"{name:28} {size / seconds:7.1f} M/s   x{base / seconds:.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
