"""Fill in what a file of questions needs and a person need not write: the hash of the gold text and the half.

    python -m benchmarks.retrieval.seal FILE [--docs PATH]

Rewrites the file.  Halves are drawn by language and kind: questions of a group, in the order of the hash of their
id, go to tune and test in turn.  A question that has a hash keeps it, and is reported if the text has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import asdict, replace
from pathlib import Path

from .corpus import GoldError, Question, checked_gold, corpus_folder, digest, gold_text, read_document, read_questions


def seal(questions: list[Question], folder: Path) -> list[Question]:
    """The questions with hash and half, in their order.  Raises GoldError for one that does not fit its document."""
    sealed = []
    halves = split(questions)
    for question in questions:
        text = read_document(folder / question.document)
        checked_gold(question, text)
        sha = question.sha256 or digest(gold_text(text, question.lines))
        sealed.append(replace(question, sha256=sha, split=halves[question.id]))
    return sealed


def split(questions: list[Question]) -> dict[str, str]:
    """Each question's half by its id, even in every language and kind."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for question in questions:
        groups[question.lang, question.kind].append(question.id)
    halves = {}
    for names in groups.values():
        for i, name in enumerate(sorted(names, key=digest)):
            halves[name] = "test" if i % 2 else "tune"
    return halves


def main(arguments: list[str] | None = None) -> int:
    """The command; 1 if a question does not fit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval.seal", description=__doc__.split("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--docs", type=Path, default=corpus_folder())
    options = parser.parse_args(arguments)
    try:
        sealed = seal(read_questions(options.questions), options.docs)
    except GoldError as error:
        print(error, file=sys.stderr)
        return 1
    lines = (json.dumps(asdict(question), ensure_ascii=False) for question in sealed)
    options.questions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
