"""Results as Markdown tables, as JSON and as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean
from typing import Any

from .results import TOGETHER, Key, Results
from .scores import METRICS, bootstrap, paired

#: What the tables show.
HEADLINES = ("recall@1", "recall@5", "ndcg@5", "budget")
#: A question's score is the mean of these: how well chunks are ranked, and how much of the answer equally many tokens
#: hold.
SCORED = ("ndcg@5", "budget")
OURS = "ours"
_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#5d4037", "#455a64")


def _values(results: Results, part: int) -> list[Any]:
    return list(dict.fromkeys(key[part] for key in results))


def matrix(results: Results, lang: str, metric: str) -> str:
    """One metric in one language: a row a chunker, a column for each ranker and size; in bold the best of a column."""
    columns = list(dict.fromkeys((k.ranker, k.size) for k in sorted(results, key=lambda k: k.size)))
    columns.sort(key=lambda column: _values(results, 3).index(column[0]))
    engines = _values(results, 1)
    means = {
        (engine, *column): fmean(results[Key(lang, engine, column[1], column[0])][metric])
        for engine in engines
        for column in columns
    }
    best = {column: max(means[engine, *column] for engine in engines) for column in columns}
    lines = [
        f"| {lang}, {metric} | {' | '.join(f'{ranker} {size}' for ranker, size in columns)} |",
        "| --- |" + " ---: |" * len(columns),
    ]
    for engine in engines:
        cells = [_cell(means[engine, *column], best[column]) for column in columns]
        lines.append(f"| {engine} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(mean: float, best: float) -> str:
    return f"**{mean:.3f}**" if mean == best else f"{mean:.3f}"


def best_of(results: Results, key: Key, engines: Sequence[str], metric: str) -> str:
    """The engine with the highest mean there; the first of them if several."""
    return max(engines, key=lambda engine: fmean(results[key._replace(engine=engine)][metric]))


def against_best(
    results: Results, lang: str, engine: str, others: Sequence[str], metrics: Sequence[str] = HEADLINES
) -> str:
    """A chunker against the best of others, chosen anew for each cell: the paired differences."""
    lines = [f"| {engine}, {lang} | {' | '.join(metrics)} |", "| --- |" + " --- |" * len(metrics)]
    for key in sorted((k for k in results if (k.lang, k.engine) == (lang, engine)), key=lambda k: k.size):
        cells = []
        for metric in metrics:
            best = key._replace(engine=best_of(results, key, others, metric))
            cells.append(difference(results[key][metric], results[best][metric]))
        lines.append(f"| {key.size}, {key.ranker} | {' | '.join(cells)} |")
    return "\n".join(lines)


def overall(results: Results, first: str) -> str:
    """Every chunker over all languages, sizes and rankers: means, score, and the paired difference to the first."""
    lines = [f"| | {' | '.join(HEADLINES)} | score | against {first} |", "| --- |" + " ---: |" * 5 + " --- |"]
    base = scores_of(results, first)
    for engine in _values(results, 1):
        means = [f"{fmean(per_question(results, engine, [metric])):.3f}" for metric in HEADLINES]
        scores = scores_of(results, engine)
        against = "" if engine == first else difference(scores, base)
        lines.append(f"| {engine} | {' | '.join(means)} | {fmean(scores):.4f} | {against} |")
    return "\n".join(lines)


def scores_of(results: Results, engine: str) -> list[float]:
    """One score a question, over all sizes and rankers."""
    return per_question(results, engine, SCORED)


def per_question(results: Results, engine: str, metrics: Sequence[str]) -> list[float]:
    """For each question, language by language, the mean of the metrics over all sizes and rankers of a chunker."""
    found: list[float] = []
    langs = [lang for lang in _values(results, 0) if lang != TOGETHER]
    for lang in langs or [TOGETHER]:
        keys = [key for key in results if (key.lang, key.engine) == (lang, engine)]
        rows = [results[key][metric] for key in keys for metric in metrics]
        found += [fmean(column) for column in zip(*rows, strict=True)]
    return found


def difference(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The paired difference with its interval; bold where the interval leaves out zero."""
    estimate = paired(ours, theirs)
    text = f"{estimate.mean:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"
    return f"**{text}**" if estimate.low > 0 or estimate.high < 0 else text


def as_json(results: Results, settings: dict[str, Any]) -> dict[str, Any]:
    """Everything: settings, means with intervals, and the scores of each question."""
    entries = []
    for key, rows in results.items():
        means = {metric: [round(x, 6) for x in bootstrap(rows[metric])] for metric in METRICS}
        scores = {metric: [round(x, 6) for x in values] for metric, values in rows.items()}
        entries.append({**key._asdict(), "means": means, "scores": scores})
    return {"settings": settings, "results": entries}


def plot(results: Results, metric: str = "recall@1") -> str:
    """An SVG: one panel for each language and ranker, the sizes across, the mean of the metric upwards."""
    langs, sizes, rankers = _values(results, 0), sorted(_values(results, 2)), _values(results, 3)
    engines = _values(results, 1)
    width, height, left, top = 250, 210, 46, 34
    total = (left + len(rankers) * width + 10, top + len(langs) * height + 20 * (len(engines) // 4 + 1) + 12)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]} {total[1]}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="16" font-size="13">{escape(metric)} by chunk size in characters</text>',
    ]
    means = {key: fmean(rows[metric]) for key, rows in results.items()}
    scale = (math.floor(min(means.values()) * 10) / 10, math.ceil(max(means.values()) * 10) / 10)
    for row, lang in enumerate(langs):
        for column, ranker in enumerate(rankers):
            at = (left + column * width, top + row * height)
            parts += _panel(means, (lang, ranker), (engines, sizes), scale, at)
    base = top + len(langs) * height + 14
    for i, engine in enumerate(engines):
        x, y = left + i % 4 * 190, base + i // 4 * 20
        parts.append(f'<rect x="{x}" y="{y - 8}" width="14" height="4" fill="{_COLOURS[i % len(_COLOURS)]}"/>')
        parts.append(f'<text x="{x + 20}" y="{y}">{escape(engine)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(
    means: dict[Key, float],
    name: tuple[str, str],
    axes: tuple[list[str], list[int]],
    scale: tuple[float, float],
    at: tuple[int, int],
) -> Iterable[str]:
    (lang, ranker), (engines, sizes), (low, high), (left, top) = name, axes, scale, at
    width, height = 200, 150
    yield f'<text x="{left}" y="{top + 12}" font-weight="bold">{escape(lang)}, {escape(ranker)}</text>'
    top += 20
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#bbb"/>'

    def across(size: int) -> float:
        return left + (width * sizes.index(size) / (len(sizes) - 1) if len(sizes) > 1 else width / 2)

    def up(value: float) -> float:
        return top + height * (1 - (value - low) / (high - low))

    for tenth in range(round(low * 10), round(high * 10) + 1):
        y = up(tenth / 10)
        yield f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>'
        yield f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#777">{tenth / 10}</text>'
    for size in sizes:
        yield f'<text x="{across(size):.1f}" y="{top + height + 14}" text-anchor="middle" fill="#777">{size}</text>'
    for i, engine in reversed(list(enumerate(engines))):
        keys = [key for size in sizes if (key := Key(lang, engine, size, ranker)) in means]
        points = " ".join(f"{across(key.size):.1f},{up(means[key]):.1f}" for key in keys)
        colour, heavy = _COLOURS[i % len(_COLOURS)], 3 if engine.startswith(OURS) else 1.5
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{heavy}"/>'
