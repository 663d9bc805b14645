"""Engines × sizes × languages → scores of every question by every ranker."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .corpus import Question, Span, checked_gold
from .embed import BY_LANGUAGE, Embedder
from .engines import Chunker
from .rank import Index
from .scores import Gold, score


class Key(NamedTuple):
    """What one list of scores belongs to."""

    lang: str
    engine: str
    size: int
    ranker: str


#: The language of the results of all questions together.
TOGETHER = "all"
#: For each key and metric, a score for each question, in the order of the questions of that language.
Results = dict[Key, dict[str, list[float]]]


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


def together(results: Results) -> Results:
    """The results, and with more than one language those of all questions together."""
    langs = list(dict.fromkeys(key.lang for key in results))
    everything = dict(results)
    for key in results:
        parts = [results.get(key._replace(lang=lang)) for lang in langs]
        if len(langs) > 1 and key.lang == langs[0] and all(parts):
            rows = {metric: [value for part in parts if part for value in part[metric]] for metric in results[key]}
            everything[key._replace(lang=TOGETHER)] = rows
    return everything
