"""Engines × sizes × languages → scores of every question by every ranker."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .corpus import Question, Span, checked_gold
from .embed import BY_LANGUAGE, Embedder
from .engines import Chunker
from .rank import Index
from .results import Key, Results
from .scores import Gold, score


@dataclass(frozen=True, slots=True)
class Task:
    """The questions of one language, and the documents that they are asked of."""

    lang: str
    questions: list[Question]
    gold: list[Gold]
    pool: Mapping[str, str]


def tasks_of(questions: Sequence[Question], pools: Mapping[str, Mapping[str, str]]) -> list[Task]:
    """The questions by language.  Raises GoldError for one that does not fit its document."""
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for question in questions:
        groups[question.lang].append(question)
    tasks = []
    for lang, group in sorted(groups.items()):
        pool = pools[lang]
        gold = [Gold(q.document, _spans(q, pool), pool[q.document]) for q in group]
        tasks.append(Task(lang, group, gold, pool))
    return tasks


def _spans(question: Question, pool: Mapping[str, str]) -> tuple[Span, ...]:
    return checked_gold(question, pool[question.document])


def evaluate(
    tasks: Iterable[Task],
    engines: Mapping[str, Chunker],
    sizes: Sequence[int],
    model: str | None = None,
    vectors: bool = True,
) -> Results:
    """Run everything.  `model` stands in for the one that fits the language; without `vectors`, BM25 alone."""
    results: Results = {}
    for task in tasks:
        embedder = Embedder(model or BY_LANGUAGE.get(task.lang, "e5")) if vectors else None
        for size in sizes:
            for name, chunker in engines.items():
                index = Index(chunker, size, task.pool, embedder)
                for ranker, rows in _scored(index, task).items():
                    results[Key(task.lang, name, size, ranker)] = rows
                print(f"{task.lang} {size} {name}: {len(index.passages)} passages", file=sys.stderr, flush=True)
    return results


def _scored(index: Index, task: Task) -> dict[str, dict[str, list[float]]]:
    rows: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    rankings = index.rankings([question.question for question in task.questions])
    for by_ranker, gold in zip(rankings, task.gold, strict=True):
        for ranker, ranking in by_ranker.items():
            for metric, value in score(ranking, gold).items():
                rows[ranker][metric].append(value)
    return {ranker: dict(metrics) for ranker, metrics in rows.items()}
