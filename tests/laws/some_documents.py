"""Random Markdown documents with a real structure, for laws about sections and sizes."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = [
    "pump",
    "valve",
    "a",
    "of",
    "Über",
    "日本語",
    "e.g.",
    "3.14",
    "**bold**",
    "`x = 1`",
    "![i](u.png)",
    "👩‍👩‍👧",
    "/",
]
TITLES = ["Install", "Use", "TCP/IP", "A > B", "`code`", "*On* a wall", "", "日本", "Install", "A"]

word = st.sampled_from(WORDS)
words = st.lists(word, min_size=1, max_size=40).map(" ".join)
sentences = st.lists(words, min_size=1, max_size=4).map(lambda parts: ". ".join(parts) + ".")
unbroken = st.integers(1, 400).map(lambda n: "x" * n)


def _heading(level: int, title: str) -> str:
    return f"{'#' * level} {title}".rstrip()


def _fence(lines: list[str]) -> str:
    return "\n".join(["```python", *lines, "```"])


def _table(rows: list[str]) -> str:
    return "\n".join(["| h | k |", "|---|---|", *(f"| {row} | x |" for row in rows)])


headings = st.builds(_heading, st.integers(1, 6), st.sampled_from(TITLES))
lists = st.lists(words, min_size=1, max_size=8).map(lambda items: "\n".join(f"- {item}" for item in items))
nested = st.lists(words, min_size=1, max_size=6).map(lambda items: "- top\n\n" + "\n".join(f"  - {i}" for i in items))
quotes = st.lists(sentences, min_size=1, max_size=3).map(lambda lines: "\n".join(f"> {line}" for line in lines))
fences = st.lists(st.sampled_from(["x = 1", "", "    return f(a, b)", "y" * 90]), max_size=20).map(_fence)
open_fences = fences.map(lambda fence: fence.removesuffix("\n```"))
tables = st.lists(words, min_size=1, max_size=10).map(_table)
formulas = st.just("$$\na^2 + b^2\n$$")
odd = st.sampled_from(["\n\n", "***", "<div>\n  text\n</div>", "[ref]: http://x.y", "Setext\n======", "\u3000", "- "])
front_matter = st.sampled_from(["---\ntitle: The guide\n---", "---\nauthor: x\n---", '+++\ntitle = "T"\n+++'])

blocks = st.one_of(headings, headings, headings, sentences, sentences, unbroken, lists, nested, quotes, fences, tables)
blocks = st.one_of(blocks, blocks, blocks, blocks, formulas, open_fences, odd)


def _document(front: str, parts: list[str], end: str) -> str:
    return "\n\n".join([front, *parts] if front else parts) + end


documents = st.builds(
    _document,
    st.one_of(st.just(""), st.just(""), front_matter),
    st.lists(blocks, max_size=25),
    st.sampled_from(["", "\n", "\n\n \n"]),
)
