"""The command: see the package."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import engines as chunkers
from .corpus import QUESTIONS, GoldError, Question, corpus_folder, own_pool, read_pool, read_questions
from .embed import KINDS
from .report import HEADLINES, OURS, against_best, as_json, matrix, overall, plot
from .results import TOGETHER, together
from .run import evaluate, tasks_of

GROUPS = {
    "default": list(chunkers.DEFAULTS),
    "peers": list(chunkers.PEERS),
    "ablations": ["ours", *chunkers.ABLATIONS],
    "all": list(chunkers.ENGINES),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark and print its tables; 1 if the questions do not fit the documents."""
    options = _options(arguments)
    questions = [q for q in read_questions(options.questions) if options.split in ("all", q.split)]
    names = _engines(options.engines)
    own = options.docs is None
    folder = corpus_folder() if own else options.docs
    langs = sorted({question.lang for question in questions})
    try:
        everything = None if own else read_pool(folder)
        pools = {lang: read_pool(folder, own_pool(lang)) if everything is None else everything for lang in langs}
        tasks = tasks_of(questions, pools)
    except (GoldError, OSError, KeyError) as error:
        print(f"The questions do not fit the documents in {folder}: {error}", file=sys.stderr)
        return 1
    chosen = {name: chunkers.ENGINES[name] for name in names}
    results = together(evaluate(tasks, chosen, options.sizes, options.model, not options.lexical))
    print(_head(options.split, questions, {task.lang: len(task.pool) for task in tasks}))
    print("### All languages, sizes and rankers together\n\n" + overall(results, names[0]))
    whole = TOGETHER if len(langs) > 1 else langs[0]
    peers = [name for name in names if name in chunkers.PEERS]
    mine = [name for name in names if name.startswith(OURS)] if peers else []
    for name in mine:
        print("\n### Against the best of the others, chosen anew for each cell\n")
        print(against_best(results, whole, name, peers))
    print("\n### Means")
    for lang in dict.fromkeys(key.lang for key in results):
        for metric in HEADLINES:
            print("\n" + matrix(results, lang, metric))
    if options.json:
        settings = {
            "split": options.split,
            "sizes": options.sizes,
            "engines": names,
            "questions": [q.id for q in questions],
        }
        options.json.write_text(json.dumps(as_json(results, settings)) + "\n", encoding="utf-8")
    if options.plot:
        options.plot.write_text(plot(results, options.metric), encoding="utf-8")
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description="How well chunks are found.")
    add = parser.add_argument
    add("--docs", type=Path, help="a folder of Markdown files; left out, the project's own documents")
    add("--questions", type=Path, default=QUESTIONS, help="one JSON object a line; see docs/retrieval.md")
    add("--sizes", type=_numbers, default=[256, 512, 1000, 2000], help="chunk sizes in characters (%(default)s)")
    add(
        "--split", choices=("tune", "test", "all"), help="which half of the questions; left out, test, or all of --docs"
    )
    add("--engines", default="default", help=f"names with ; between, or {', '.join(GROUPS)} (%(default)s)")
    add("--model", choices=tuple(KINDS), help="the embedding model; left out, the one that fits the language")
    add("--lexical", action="store_true", help="BM25 alone: seconds instead of minutes")
    add("--json", type=Path, help="where to write all results")
    add("--plot", type=Path, help="where to write an SVG")
    add("--metric", default="recall@1", help="what the SVG shows (%(default)s)")
    options = parser.parse_args(arguments)
    if options.docs is not None and options.questions == QUESTIONS:
        parser.error("--docs needs --questions")
    options.split = options.split or ("test" if options.docs is None else "all")
    return options


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _engines(text: str) -> list[str]:
    names = [name for part in text.split(";") for name in GROUPS.get(part, [part])]
    if unknown := [name for name in names if name not in chunkers.ENGINES]:
        sys.exit(f"no engine {unknown[0]!r}; there are {', '.join(chunkers.ENGINES)}")
    return list(dict.fromkeys(names))


def _head(split: str, questions: list[Question], pools: dict[str, int]) -> str:
    counts = [
        f"{sum(q.lang == lang for q in questions)} questions in {lang} over {documents} documents"
        for lang, documents in pools.items()
    ]
    return f"## Retrieval, {'both halves' if split == 'all' else f'{split} half'}: {'; '.join(counts)}\n"


if __name__ == "__main__":
    sys.exit(main())
