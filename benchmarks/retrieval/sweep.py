"""The constants of cutting, tried on the half of the questions that is for it.

    python -m benchmarks.retrieval.sweep
    python -m benchmarks.retrieval.sweep "emptiness=2 sections=2" "sections=0.5" --sizes 1000

A setting multiplies the constants of the families it names, and may name a `minimum`, which is the option
min_chunk_size.  Without any, every family is tried alone.  All are compared with the constants as they stand.

A question's score is the mean of nDCG@5 and of the share of the answer within the budget, over all sizes and rankers:
how well chunks are ranked, and how much of the answer equally many tokens hold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from .constants import ALONE, FAMILIES, MINIMUM, Setting, constants, setting_of
from .corpus import corpus_folder, own_pool, read_pool, read_questions
from .engines import FORMS, ours
from .report import HEADLINES, OURS, difference, per_question, scores_of
from .run import Task, evaluate, tasks_of


def sweep(
    tasks: Sequence[Task], settings: Iterable[Setting], sizes: Sequence[int], form: str, vectors: bool
) -> Iterator[str]:
    """The lines of a table, one a setting as soon as it is measured."""
    yield f"| setting | {' | '.join(HEADLINES)} | score | against the first |"
    yield "| --- |" + " ---: |" * (1 + len(HEADLINES)) + " --- |"
    first: list[float] = []
    for setting in ({}, *settings):
        with constants(setting):
            options = {"min_chunk_size": int(setting[MINIMUM])} if MINIMUM in setting else {}
            results = evaluate(tasks, {OURS: ours(form, **options)}, sizes, vectors=vectors)
        scores = scores_of(results, OURS)
        first = first or scores
        means = " | ".join(f"{fmean(per_question(results, OURS, [metric])):.3f}" for metric in HEADLINES)
        yield f"| {_named(setting)} | {means} | {fmean(scores):.4f} | {difference(scores, first)} |"


def _named(setting: Setting) -> str:
    return ", ".join(f"{name} {'' if name == MINIMUM else 'x'}{value:g}" for name, value in setting.items()) or "as is"


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval.sweep", description=__doc__.split("\n")[0])
    add = parser.add_argument
    add(
        "settings",
        nargs="*",
        type=setting_of,
        help=f"such as 'emptiness=2 sections=2'; families: {', '.join(FAMILIES)}",
    )
    add("--sizes", default="256,512,1000,2000", help="chunk sizes in characters (%(default)s)")
    add("--form", choices=tuple(FORMS), default="title+path", help="what chunks are embedded as (%(default)s)")
    add("--lang", choices=("en", "zh"), help="the questions of one language; left out, all")
    add("--lexical", action="store_true", help="BM25 alone")
    options = parser.parse_args(arguments)
    questions = [q for q in read_questions() if q.split == "tune" and options.lang in (None, q.lang)]
    pools = {lang: read_pool(corpus_folder(), own_pool(lang)) for lang in {q.lang for q in questions}}
    sizes = [int(size) for size in options.sizes.split(",")]
    settings = options.settings or ALONE
    for line in sweep(tasks_of(questions, pools), settings, sizes, options.form, not options.lexical):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
