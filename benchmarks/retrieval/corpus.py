"""Documents, and questions with the lines that answer them.

A question names its document and its gold lines (1-based, inclusive) and carries the hash of their text; the text
of documents is never stored.  The lines are those of the document as read here: UTF-8, no byte order mark, LF.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions.jsonl"
POOL = HERE / "pool.json"
SUFFIXES = (".md", ".mdx", ".markdown")
KINDS = ("section", "code", "table", "list", "formula", "comparison")


class Span(NamedTuple):
    """Characters of a document, half-open."""

    start: int
    end: int


class GoldError(ValueError):
    """The gold lines of a question are not in its document, or their text has changed."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a user asks, and where the answer stands: `lines` of `document`, each range a part of the answer."""

    id: str
    lang: str
    kind: str
    question: str
    document: str
    lines: tuple[tuple[int, int], ...]
    sha256: str
    split: str


def corpus_folder() -> Path:
    """Where the project's own questions find their documents."""
    shared = os.environ.get("MARKDOWN_CHUNKER_SHARED")
    return (Path(shared) if shared else HERE.parents[2] / "shared") / "corpus"


def read_questions(path: Path = QUESTIONS) -> list[Question]:
    """The questions of a file, one JSON object a line.

    `id`, `question`, `document` and `lines` must be there; the rest may be left out: without `sha256` the gold text
    is not checked, and without `split` a question belongs to the half that its id falls into.
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    return [_question(json.loads(line)) for line in lines if line.strip()]


def _question(raw: dict[str, object]) -> Question:
    name = str(raw["id"])
    lines = tuple((int(first), int(last)) for first, last in raw["lines"])  # type: ignore[attr-defined]
    return Question(
        id=name,
        lang=str(raw.get("lang", "any")),
        kind=str(raw.get("kind", "section")),
        question=str(raw["question"]),
        document=str(raw["document"]),
        lines=lines,
        sha256=str(raw.get("sha256", "")),
        split=str(raw.get("split") or half_of(name)),
    )


def half_of(name: str) -> str:
    """ "tune" or "test", by the hash of a name."""
    return "test" if digest(name)[0] in "89abcdef" else "tune"


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_document(path: Path) -> str:
    """The text of a document, with LF line ends and no byte order mark."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_pool(folder: Path, names: Iterable[str] | None = None) -> dict[str, str]:
    """The documents to search in, by their path below the folder; all Markdown files if no names are given."""
    if names is None:
        files = (file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        names = sorted(file.relative_to(folder).as_posix() for file in files)
    return {name: read_document(folder / name) for name in names}


def own_pool(lang: str) -> list[str]:
    """The fixed list of documents that the project's own questions of a language are asked of."""
    return list(json.loads(POOL.read_text(encoding="utf-8"))[lang])


def gold_spans(text: str, lines: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """The characters of line ranges, less the line end of the last.  Raises GoldError where there is no such line."""
    at = [0]
    for line in text.split("\n"):
        at.append(at[-1] + len(line) + 1)
    spans = []
    for first, last in lines:
        if not 1 <= first <= last < len(at):
            raise GoldError(f"lines {first} to {last} of {len(at) - 1}")
        spans.append(Span(at[first - 1], at[last] - 1))
    return tuple(spans)


def gold_text(text: str, lines: Iterable[tuple[int, int]]) -> str:
    """The text of the line ranges, with a line end between ranges."""
    return "\n".join(text[start:end] for start, end in gold_spans(text, lines))


def checked_gold(question: Question, text: str) -> tuple[Span, ...]:
    """The gold spans of a question.  Raises GoldError if the text there is not the one that the question means."""
    try:
        spans = gold_spans(text, question.lines)
    except GoldError as error:
        raise GoldError(f"{question.id}: {question.document} has no {error}") from None
    if question.sha256 and digest(gold_text(text, question.lines)) != question.sha256:
        raise GoldError(f"{question.id}: lines {question.lines} of {question.document} have changed")
    return spans
