"""Results as Markdown tables, as JSON and as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean
from typing import Any

from .run import Key, Results
from .scores import METRICS, bootstrap, paired

#: What the summary compares.
HEADLINES = ("recall@1", "recall@5", "ndcg@5", "mrr", "budget")
OURS = "ours"
_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#5d4037", "#455a64")


def _values(results: Results, part: int) -> list[Any]:
    return list(dict.fromkeys(key[part] for key in results))


def tables(results: Results) -> str:
    """A table for each language, size and ranker: means, with the interval of the first metric."""
    parts = []
    for lang, size, ranker in dict.fromkeys((k.lang, k.size, k.ranker) for k in results):
        lines = [f"### {lang}, {size} characters, {ranker}", ""]
        lines += [f"| chunker | {' | '.join(METRICS)} |", "| --- |" + " ---: |" * len(METRICS)]
        for engine in _values(results, 1):
            rows = results.get(Key(lang, engine, size, ranker))
            if rows:
                lines.append(f"| {engine} | " + " | ".join(f"{fmean(rows[m]):.3f}" for m in METRICS) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def grid(results: Results, metric: str) -> str:
    """One metric for every language, ranker and chunker, with the sizes across; in bold the best of each column."""
    sizes = sorted(_values(results, 2))
    lines = [f"| {metric} | | {' | '.join(map(str, sizes))} |", "| --- | --- |" + " ---: |" * len(sizes)]
    for lang, ranker in dict.fromkeys((k.lang, k.ranker) for k in results):
        means = {
            (engine, size): fmean(rows[metric])
            for engine in _values(results, 1)
            for size in sizes
            if (rows := results.get(Key(lang, engine, size, ranker)))
        }
        best = {size: max(mean for (_, at), mean in means.items() if at == size) for _, size in means}
        for engine in _values(results, 1):
            cells = [_cell(means.get((engine, size)), best.get(size)) for size in sizes]
            lines.append(f"| {lang}, {ranker} | {engine} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(mean: float | None, best: float | None) -> str:
    if mean is None:
        return ""
    return f"**{mean:.3f}**" if mean == best else f"{mean:.3f}"


def best_peer(results: Results, key: Key, metric: str) -> str:
    """The engine other than ours with the highest mean there; the first in the order of the engines if several."""
    others = [
        k.engine
        for k in results
        if not k.engine.startswith(OURS) and (k.lang, k.size, k.ranker) == (key.lang, key.size, key.ranker)
    ]
    return max(others, key=lambda engine: fmean(results[key._replace(engine=engine)][metric]))


def summary(results: Results, metrics: Sequence[str] = HEADLINES) -> str:
    """Ours against the best peer of each metric: both means, and the paired difference with its 95 % interval."""
    lines = [
        "| where | chunker | metric | mean | best peer | its mean | difference |",
        "| --- | --- | --- | ---: | --- | ---: | --- |",
    ]
    for key in results:
        if not key.engine.startswith(OURS):
            continue
        for metric in metrics:
            peer = best_peer(results, key, metric)
            mine, theirs = results[key][metric], results[key._replace(engine=peer)][metric]
            where = f"{key.lang} {key.size} {key.ranker} | {key.engine} | {metric}"
            means = f"{fmean(mine):.3f} | {peer} | {fmean(theirs):.3f}"
            lines.append(f"| {where} | {means} | {difference(mine, theirs)} |")
    return "\n".join(lines)


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
        colour, heavy = _COLOURS[i % len(_COLOURS)], 3 if engine == OURS else 1.5
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{heavy}"/>'
