"""Results as text, as Markdown for docs/performance.md, and as a plot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.speed.measure import SIZES, Results, points, ratio
from benchmarks.speed.tools import OURS

_BEGIN, _END = "<!-- make bench writes from here -->", "<!-- to here -->"
#: One colour a tool, told apart in any kind of sight; ours the strongest.
_COLOURS = ("#c1121f", "#f4978e", "#6a4c93", "#1982c4", "#2a9d8f", "#e09f3e", "#8a8a8a", "#444444")


def text(results: Results) -> str:
    """The results for a terminal: a table for each workload."""
    parts = [results["machine"], f"{results['rounds']} rounds, tools in turn, process time", ""]
    for name, entry in results["workloads"].items():
        parts.append(f"{name}: {entry['documents']} documents, {entry['bytes'] / 1e6:.2f} MB")
        parts.append(f"  {'':24}{'MB/s':>8}  {'time / ours (least-most)':>26}  {'memory MB':>9}  {'chunks':>8}")
        parts.extend(f"  {tool:24}{_row(results, entry, tool)}" for tool in results["tools"])
        parts.append("")
    grown = (f"{tool} {value:.2f}" for tool, value in results["growth"].items() if value is not None)
    parts.append("growth, time ~ size^b from 100 KB on, b: " + ", ".join(grown))
    return "\n".join(parts)


def _row(results: Results, entry: Results, tool: str) -> str:
    if not (runs := entry["runs"].get(tool)):
        return f"{'—':>8}  over {results['timeout']:g} s"
    speed = entry["bytes"] / 1e6 / min(run["seconds"] for run in runs)
    found = ratio(entry, tool)
    shown = f"{found[0]:.2f} ({found[1]:.2f}-{found[2]:.2f})" if found else ""
    memory = max(run["memory"] for run in runs) / 1e6
    return f"{speed:8.1f}  {shown:>26}  {memory:9.1f}  {runs[-1]['chunks']:8,}{failed(runs)}"


def failed(runs: list[Results]) -> str:
    """How many documents a tool gave up on, if any."""
    count = runs[-1]["failed"]
    return f" ({count} failed)" if count else ""


def markdown(results: Results) -> str:
    """The tables for docs/performance.md."""
    source = "real documents" if results["corpus"] else "generated documents"
    lines = [
        f"Measured on {results['machine']}; {source}; median of {results['rounds']} rounds. "
        f"“—” is over {results['timeout']:g} seconds.",
        "",
        "How many times as long as markdown-chunker each takes (in brackets the least and the most of the rounds); "
        "the row of markdown-chunker itself is its speed:",
        "",
        *_table(results, "", lambda entry, tool: _speed(entry) if tool == OURS else _times(entry, tool)),
        *_failures(results),
        "",
        "Growth is the exponent *b* in time ~ size^*b* from 100 KB on: 1 is linear, 2 quadratic. Memory and chunks are "
        f"those of the document of {_largest(results)}, or of the largest that was done in time:",
        "",
        "| | version | what it does | growth | memory, MB | chunks |",
        "| --- | --- | --- | ---: | ---: | ---: |",
        *_facts(results),
    ]
    return "\n".join(lines)


def _failures(results: Results) -> Iterator[str]:
    found = [
        f"{tool} raises on {runs[-1]['failed']} of {entry['documents']} ({name})"
        for name, entry in results["workloads"].items()
        for tool, runs in entry["runs"].items()
        if runs[-1]["failed"]
    ]
    if found:
        yield from ("", f"¹ {'; '.join(found)}. These count as done, in the time until it raises.")


def _largest(results: Results) -> str:
    return [name for name in results["workloads"] if name in SIZES][-1]


def _table(results: Results, head: str, cell: object) -> Iterator[str]:
    names = list(results["workloads"])
    shown = [f"{results['workloads'][n]['documents']} documents" if n == "documents" else n for n in names]
    yield f"| {head} | " + " | ".join(shown) + " |"
    yield "| --- |" + " ---: |" * len(names)
    for tool in results["tools"]:
        assert callable(cell)
        cells = [cell(results["workloads"][name], tool) for name in names]
        bold = "**" * (tool == OURS)
        yield f"| {bold}{tool}{bold} | " + " | ".join(f"{bold}{value}{bold}" for value in cells) + " |"


def _speed(entry: Results) -> str:
    seconds = median(run["seconds"] for run in entry["runs"][OURS])
    return f"{entry['bytes'] / 1e6 / seconds:.1f} MB/s"


def _times(entry: Results, tool: str) -> str:
    found = ratio(entry, tool)
    if not found:
        return "—"
    middle, least, most = (f"{value:.0f}" if value >= 10 else f"{value:.2g}" for value in found)
    return f"{middle} ({least}–{most})" + "¹" * bool(entry["runs"][tool][-1]["failed"])


def _facts(results: Results) -> Iterator[str]:
    for tool, about in results["tools"].items():
        done = [entry["runs"][tool] for entry in _by_size(results) if tool in entry["runs"]]
        largest = done[-1] if done else [{"memory": 0, "chunks": 0}]
        grown = results["growth"][tool]
        yield (
            f"| {tool} | {about['version']} | {about['note']} | {'—' if grown is None else f'{grown:.2f}'} | "
            f"{max(run['memory'] for run in largest) / 1e6:.0f} | {largest[-1]['chunks']:,} |"
        )


def _by_size(results: Results) -> list[Results]:
    return [entry for name, entry in results["workloads"].items() if name in SIZES]


def write_into(page: Path, results: Results) -> None:
    """Put the tables between the markers of a page."""
    text = page.read_text(encoding="utf-8")
    between = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.S)
    page.write_text(between.sub(lambda _: f"{_BEGIN}\n\n{markdown(results)}\n\n{_END}", text), encoding="utf-8")


def plot(results: Results, path: Path) -> None:
    """Speed against the size of the document, both in steps of ten; a line that falls is worse than linear."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams.update({"svg.hashsalt": "speed", "font.size": 11, "font.family": "DejaVu Sans"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 5.2), layout="constrained")
    ends = []
    for colour, tool in zip(_COLOURS, results["tools"], strict=False):
        found = [(size, size / 1e6 / seconds) for size, seconds in points(results, tool)]
        if found:
            ours = tool == OURS
            axes.plot(
                *zip(*found, strict=True), "o-", color=colour, linewidth=3 if ours else 1.6, markersize=5 if ours else 3
            )
            ends.append((found[-1][1], found[-1][0], tool, colour))
    axes.set(xscale="log", yscale="log", xlabel="size of the document", ylabel="MB per second")
    axes.set_xticks([SIZES[name] for name in results["workloads"] if name in SIZES])
    axes.set_xticklabels([name for name in results["workloads"] if name in SIZES])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(color="#e4e4e4")
    axes.spines[["top", "right"]].set_visible(False)
    _label(axes, ends)
    axes.set_title("Chunking Markdown at 4096 characters, on one core", loc="left", fontsize=13)
    figure.savefig(path, metadata={"Date": None}, facecolor="white")
    pyplot.close(figure)


def _label(axes: object, ends: list[tuple[float, float, str, str]]) -> None:
    """A name right of the end of each line; where they would meet, they are moved apart."""
    last = 0.0
    right = max(size for _, size, _, _ in ends)
    for speed, size, tool, colour in sorted(ends):
        at = speed if size < right else max(speed, last * 1.22)
        if size >= right:
            last = at
        axes.annotate(  # type: ignore[attr-defined]
            tool,
            (size, at),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontweight="bold" if tool == OURS else "normal",
            annotation_clip=False,
        )
