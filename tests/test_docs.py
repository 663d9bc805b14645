"""Every Python example in README.md and docs/ runs, alone, and prints what it says.

What an example prints stands in it as comments, one `# -> ` for each line, at the place where it is printed.
An example in docs/ that prints shows all of it; README.md may leave it out altogether.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_SHOWN = re.compile(r"# -> ?(.*)$", re.MULTILINE)


def examples() -> Iterator[tuple[str, str]]:
    """The code of each fence that is marked `python`, named by its page and line."""
    for page in PAGES:
        for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
            if token.type == "fence" and token.info.strip() == "python" and token.map:
                yield f"{page.relative_to(ROOT)}:{token.map[0] + 1}", token.content


@pytest.mark.parametrize(("where", "code"), [pytest.param(*example, id=example[0]) for example in examples()])
def test_example(where: str, code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, where, "exec"), {"__name__": "__main__"})
    printed = [line.rstrip() for line in capsys.readouterr().out.split("\n")[:-1]]
    shown = [line.rstrip() for line in _SHOWN.findall(code)]
    if shown or not where.startswith("README"):
        assert printed == shown


def test_there_are_examples() -> None:
    assert any(where.startswith("docs") for where, _ in examples())
