"""Four times the input takes at most five times as long, on the hostile shapes of every construct."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from markdown_chunker.blocks import read_blocks

type Shape = Callable[[int], str]

_OPENED = [
    "> a\nb\n",
    "> a\nb\n> # h\nc\n",
    "> # h\nb\n",
    "- a\nb\n",
    "- ```\nx\n",
    "1. a\n1) b\n",
    "-\n\n",
    "a\n-\n",
    "\n",
]
_OPENED += ["[a]: /u\n", "[a\n", "[a]: /u 'x\n", "a\n:-|-\n", "a\n:-\n", "    a\n\n", "<pre>\n", "<a>\n", "~~~\n~~~~\n"]
_OPENED += ["$$\nx\n\n", "$$a\n\n", "$$a\n", "$$a\n$$\n", "$$a $$ b\n", "> a\n$$\n", "\\[a\n", "\\[a\n\n"]
_OPENED += ["\\begin{a}\n", "\\begin{a}\n\n", "\\begin{b}\n\\begin{a}\n\\end{a}\n", "\\begin{"]
_OPENED += ["<details>\n", "<details>\n\n", "<div>\n<details>\n</details>\n", "- <details>\n", "> <details>\n> a\n\n"]
_OPENED += [":::a\n", ":::a\nx\n:::\n", ":::a ", "> a\n:::a\n", "!!! note\n    x\n", "!!! note\n\n", "??? "]
_OPENED += ["[^a]: x\n", "[^a]: x\ny\n", "[^a]: x\n\n    y\n\n", "[^", "[^a]: ", "> [^a]: "]
_OPENED += ["a\n: b\n", "a\n\n: b\n\n", "a\n: b\n\n\n\n", ": b\n\n", ": b\n"]
_OPENED += ["import {\n", "import {\n\n", "import a from 'b'\n", "export {\n\n", "export const a = 1\n\n"]
_OPENED += ["<Card a\n", "<Card a\n\n", "<Card {\n\n", '<Card a="\n', "<Card a='\n<Card b=\"\n", "<Card a={{\n"]
_OPENED += [">", "- ", "-\t", "* ", "[", "|", "-|", "\\|", " ", "\t", "`", ":", "\\", "word "]
_OPENED += [">" * 30 + " a\nb\n", "> [!NOTE]\n> x\n\n"]

SHAPES: dict[str, Shape] = {repr(unit): (lambda n, unit=unit: unit * n) for unit in _OPENED}  # type: ignore[misc]
SHAPES |= {
    "stairs of lists": lambda n: "".join("  " * (i % 30) + "- a\n" for i in range(n)),
    "stairs of quotes with lazy lines": lambda n: "".join(">" * (i % 20 + 1) + " a\nb\n" for i in range(n)),
    "stairs of admonitions": lambda n: "".join("    " * (i % 40) + "!!! note\n" for i in range(n)),
    "unclosed fence": lambda n: "```\n" + "x\n" * n,
    "fences of many lengths": lambda n: "".join("`" * (3 + i % 40) + "\nx\n" for i in range(n)),
    "unclosed comment": lambda n: "<!--\n" + "x\n" * n,
    "attributes": lambda n: "<a " + "b " * n + "\n",
    "attributes with values": lambda n: "<a " + "b=c " * n + "\n",
    "delimiter row": lambda n: "a|b\n" + "-|" * n + "\n",
    "almost a thematic break": lambda n: "* " * n + "a\n",
    "unclosed front matter": lambda n: "---\n" + "x: y\n" * n,
    "unclosed TOML": lambda n: "+++\n" + "x\n" * n,
    "blank lines in code": lambda n: "    a\n" + "\n" * n + "b\n",
    "dollars and spaces": lambda n: "$$" + " $" * n + "\n",
    "labels": lambda n: "$$ x" + "$$ (" * n + "\n",
    "environments of many names": lambda n: "".join(f"\\begin{{a{i}}}\n" for i in range(n)),
    "nested environments": lambda n: "\\begin{a}\n" * n + "\\end{a}\n" * n,
    "nested details": lambda n: "<details>\n\n" * n + "</details>\n\n" * n,
    "nested details without blank lines": lambda n: "<details>\n" * n + "</details>\n" * n,
    "comments in details": lambda n: "<details>\n\n" + "x <!-- \n\n" * n,
    "nested directives": lambda n: ":::a\n" * n + ":::\n" * n,
    "directives of many lengths": lambda n: "".join(":" * (3 + i % 50) + "a\n" for i in range(n)),
    "closers too short": lambda n: "::::a\n" * n + ":::\n" * n,
    "words of an admonition": lambda n: "!!! " + "a " * n + "\n",
    "definitions of one term": lambda n: "a\n" + ": b\n" * n,
    "imported names": lambda n: "import {" + "a," * n + "\n",
    "braces": lambda n: "<Card " + "{" * n + "\n",
    "pairs of braces": lambda n: "<Card " + "{}" * n + "\n",
    "almost closed component": lambda n: "<Card>" + "</a" * n + "\n",
}


def read_all(text: str) -> None:
    """Read a document and everything in it."""
    blocks = read_blocks(text)
    while blocks:
        blocks.extend(blocks.pop().children)


def seconds(text: str) -> float:
    """The best of three readings, in seconds of this thread (others may be busy)."""
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        read_all(text)
        best = min(best, time.thread_time() - start)
    return best


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_linear(shape: Shape) -> None:
    """Small times say nothing, so the input grows until a reading takes some.

    A reading may leave a cache or an arena of the allocator once, between two sizes: so a second pair of sizes
    counts as well, and both get more tries against noise.  What is quadratic fails them all.
    """
    n = 500
    while seconds(shape(n)) < 0.003 and n < 32_000:
        n *= 2
    gc.collect()
    gc.disable()
    try:
        ratios = []
        for size in (n, 4 * n, n, 4 * n, 2 * n, n):
            short, long = seconds(shape(size)), seconds(shape(4 * size))
            ratios.append(round(long / short, 1))
            if ratios[-1] <= 5 or long < 0.01:
                return
    finally:
        gc.enable()
    raise AssertionError(f"four times the input takes {ratios} times as long")
