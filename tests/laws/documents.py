"""Random Markdown as hostile as it comes, but built from whole constructs; and configurations to chunk it with."""

from __future__ import annotations

from hypothesis import strategies as st

from markdown_chunker import ChunkConfig
from markdown_chunker.strategies import BUILT_IN

WORDS = (
    "alpha beta gamma delta server the a of to configuration e.g. Dr. Smith 3.14 v2.0.1 `code span` **bold** *em* "
    "[link](https://example.com/a) ![image](img/a.png) <span> </span> $x^2$ \\* & end. stop! why? so; well, "
    "知识库检索质量。 日本語の文章、 한국어 ภาษาไทยไม่มีช่องว่าง 👨‍👩‍👧‍👦 🇩🇪🇫🇷 e\u0301te\u0301 नमस्ते "
    "| ``` $$ # - > 1. 2) [x] :::"
).split()
LONG = ["x" * 60, "https://example.com/" + "path/" * 9, "长" * 30, "data:image/png;base64," + "QUJD" * 12]

word = st.sampled_from([*WORDS * 4, *LONG])
line = st.lists(word, min_size=1, max_size=14).map(" ".join)
plain_line = st.lists(st.sampled_from([*WORDS[:8], "end.", "stop!"]), min_size=1, max_size=12).map(" ".join)
paragraph = st.lists(st.one_of(line, plain_line), min_size=1, max_size=5).map("\n".join)
blank = st.sampled_from(["\n\n", "\n\n", "\n\n", "\n", "\n\n\n\n", "\n \t\n"])


def indent(text: str, by: str, first: str | None = None) -> str:
    """Every line of a text that is not blank behind `by`, the first behind `first`."""
    lines = text.split("\n")
    return "\n".join(
        (first if first is not None and i == 0 else by if row or by.strip() else "") + row
        for i, row in enumerate(lines)
    )


@st.composite
def heading(draw: st.DrawFn) -> str:
    title = draw(plain_line | line | st.just(""))
    if draw(st.integers(0, 4)) == 0 and title.strip():
        return f"{title}\n{draw(st.sampled_from(['===', '---', '-']))}"
    closing = draw(st.sampled_from(["", "", " #", " ##"]))
    return f"{'#' * draw(st.integers(1, 6))} {title}{closing}"


@st.composite
def fence(draw: st.DrawFn) -> str:
    marker = draw(st.sampled_from(["```", "~~~", "````", "`````"]))
    info = draw(st.sampled_from(["", "python", "c++", 'py title="x.py"', "{.sh}"]))
    body = "\n".join(draw(st.lists(line | st.sampled_from(["", "    indented", "# not a heading", "```"]), max_size=9)))
    closer = draw(st.sampled_from([marker, marker, marker, marker + "`" if marker[0] == "`" else marker, ""]))
    return f"{marker}{info}\n{body}\n{closer}".rstrip("\n")


@st.composite
def table(draw: st.DrawFn) -> str:
    width = draw(st.integers(1, 4))
    cell = st.one_of(plain_line, st.just(""), st.just("a \\| b"), st.just("$$x$$"), st.just("长文本。" * 12))
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


@st.composite
def list_(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    bullet = draw(st.sampled_from(["-", "*", "+", "1.", "3)", "10."]))
    loose = draw(st.booleans())
    items = []
    for number in range(draw(st.integers(1, 5))):
        mark = f"{int(bullet[:-1]) + number}{bullet[-1]}" if bullet[0].isdigit() else bullet
        parts = [draw(st.sampled_from(["", "", "[ ] "])) + draw(paragraph)]
        parts += draw(st.lists(inner, max_size=2))
        gap = "\n\n" if loose else "\n"
        items.append(indent(gap.join(parts), " " * (len(mark) + 1), f"{mark} "))
    return ("\n\n" if loose else "\n").join(items)


@st.composite
def quote(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    alert = draw(st.sampled_from(["", "", "[!NOTE]\n"]))
    parts = draw(st.lists(inner, min_size=1, max_size=3))
    return indent(alert + "\n\n".join(parts), "> ")


html = st.sampled_from(
    [
        "<div>\n<p>some html</p>\n# not a heading\n</div>",
        "<!--\n## hidden\n\nstill hidden\n-->",
        "<pre>\n# make\n\nrun\n</pre>",
        "<details>\n<summary>More</summary>\n\nInside of it.\n\n## Deep\n\n- a\n- b\n\n</details>",
        "<table>\n" + "<tr><td>cell</td></tr>\n" * 12 + "</table>",
        "<Steps>\n  <Step>\n\nDo this.\n\n  </Step>\n</Steps>",
    ]
)
extras = st.sampled_from(
    [
        "$$\nE = mc^2\n\\alpha\n$$",
        "$$ a + b $$",
        "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}",
        "[^1]: A footnote with text.\n    And more of it.",
        "[ref]: https://example.com 'title'",
        "Term\n: Its definition, at some length.",
        ":::note\nInside a directive.\n\nMore of it.\n:::",
        "***",
        "---",
        "    code by indentation\n\n    more = of(it)",
        "import X from './x'",
        "```\nnever closed",
    ]
)
leaf = st.one_of(paragraph, paragraph, fence(), table(), html, extras, heading())
block = st.recursive(leaf, lambda inner: st.one_of(list_(inner), quote(inner)), max_leaves=6)
any_block = st.one_of(block, list_(block), heading(), heading())

noise = st.text(
    alphabet=st.sampled_from(list("#-*+>|`~$:[]()<>!&\\ \t\n\nab1.。é\u0301\u200d👍\U0001f1e6\x0b\x0c\u2028\x85\xa0")),
    max_size=60,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A whole document."""
    text = draw(st.sampled_from(["", "", "", "---\ntitle: x\n# owner: bob\n---\n\n"]))
    for part in draw(st.lists(st.one_of(any_block, any_block, any_block, any_block, noise), max_size=7)):
        text += part + draw(blank)
    text = text if draw(st.booleans()) else text.rstrip("\n")
    match draw(st.integers(0, 12)):
        case 0:
            text = text.replace("\n", "\r\n")
        case 1:
            text = "\ufeff" + text
        case 2:
            text = text.replace(" a ", " \0\ud800a ")
        case 3:
            text = text.replace("\n", "\r")
    return text


def words(text: str) -> int:
    """Size in words."""
    return len(text.split())


def lines_and_bytes(text: str) -> int:
    """A measure that is not additive, and counts several for one character."""
    return len(text.encode("utf-8", "replace")) // 3 + text.count("\n") + 1 if text else 0


@st.composite
def configs(draw: st.DrawFn) -> ChunkConfig:
    """A configuration that is allowed."""
    measure = draw(st.sampled_from([len, len, len, words, lines_and_bytes]))
    return ChunkConfig(
        max_chunk_size=draw(st.sampled_from([20, 30, 50, 80, 120, 200, 300, 500, 1000, 5000])),
        min_chunk_size=draw(st.sampled_from([0, 1, 50, 512])),
        strategy=draw(st.sampled_from(["auto", *(name for name in BUILT_IN if name != "chunkana")])),
        oversize=draw(st.sampled_from(["split", "split", "keep"])),
        measure=measure,
    )
