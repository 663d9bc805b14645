"""What is chunked: real documents below a path, or generated ones with the make-up of real ones."""

from __future__ import annotations

import random
from pathlib import Path

SUFFIXES = (".md", ".mdx", ".markdown")

_WORDS = (
    "the a of to in and is for with on that as are by from this it be or an at can when which not will all if use more "
    "server request response token index query document model cluster node value setting file folder cache buffer user "
    "password role policy version release build deploy container image network port address storage volume snapshot "
    "returns creates updates removes checks holds reads writes opens closes starts stops waits retries fails succeeds"
).split()
_LINKS = ("[the guide](https://example.com/guide)", "`max_retries`", "**required**", "*optional*", "`config.yaml`")
_LANGUAGES = ("python", "bash", "json", "yaml", "javascript", "")


def markdown_files(path: Path) -> list[Path]:
    """The Markdown files below a path, sorted; the path itself if it is a file."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())


def generated(size: int, seed: int = 0) -> str:
    """A document of about `size` bytes: sections of paragraphs, lists, code, tables and quotes; always the same."""
    r = random.Random(seed)
    parts = ["# Handbook\n\n"]
    length, number = len(parts[0]), 0
    while length < size:
        number += 1
        part = _section(r, number)
        parts.append(part)
        length += len(part)
    text = "".join(parts)
    return text[: text.rfind("\n", 0, size) + 1 or size]


def _section(r: random.Random, number: int) -> str:
    parts = [f"{'#' * r.choice((2, 2, 3, 3, 3, 4))} {_words(r, 2, 5).capitalize()} {number}\n\n", _paragraph(r)]
    makers = (_paragraph, _paragraph, _paragraph, _list, _list, _code, _table, _quote, _steps)
    parts += [r.choice(makers)(r) for _ in range(r.randrange(5))]
    return "".join(parts)


def _words(r: random.Random, least: int, most: int) -> str:
    return " ".join(r.choices(_WORDS, k=r.randint(least, most)))


def _sentence(r: random.Random) -> str:
    text = _words(r, 6, 22).capitalize()
    return f"{text} {r.choice(_LINKS)}." if r.random() < 0.3 else f"{text}."


def _paragraph(r: random.Random) -> str:
    return " ".join(_sentence(r) for _ in range(r.randint(1, 6))) + "\n\n"


def _list(r: random.Random) -> str:
    items = []
    for _ in range(r.randint(2, 8)):
        items.append(f"- {_sentence(r)}\n")
        if r.random() < 0.15:
            items += [f"  - {_words(r, 3, 9)}\n"] * r.randint(1, 3)
    return "".join(items) + "\n"


def _steps(r: random.Random) -> str:
    steps = range(1, r.randint(3, 6))
    return "".join(f"{i}. {_sentence(r)}\n\n   ```bash\n   {_words(r, 2, 6)}\n   ```\n\n" for i in steps)


def _code(r: random.Random) -> str:
    lines = [f"{'    ' * r.randrange(3)}{'_'.join(r.choices(_WORDS, k=2))} = {r.randrange(999)}" for _ in range(9)]
    return f"{_sentence(r)[:-1]}:\n\n```{r.choice(_LANGUAGES)}\n" + "\n".join(lines[: r.randint(2, 9)]) + "\n```\n\n"


def _table(r: random.Random) -> str:
    rows = "".join(
        f"| `{r.choice(_WORDS)}` | {_words(r, 1, 3)} | {_words(r, 4, 12)} |\n" for _ in range(r.randint(2, 9))
    )
    return f"| Name | Type | Meaning |\n| --- | --- | --- |\n{rows}\n"


def _quote(r: random.Random) -> str:
    return f"> **Note**\n> {_sentence(r)}\n> {_sentence(r)}\n\n"
