"""python -m benchmarks.speed [--corpus PATH] [--sizes 1KB,1MB] [--rounds 5] …: the chunkers side by side.

`make bench` runs it in an environment with all of them, and writes benchmarks/speed/results.json, the plot and the
tables of docs/performance.md.  Ratios count: they hold from machine to machine, and a loaded machine slows all alike.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.speed import report
from benchmarks.speed.measure import SIZES, measure
from benchmarks.speed.tools import TOOLS


def main(arguments: list[str] | None = None) -> int:
    """Measure, or take earlier results, and write them in the forms that are asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description="The chunkers side by side.")
    parser.add_argument("--corpus", type=Path, help="Markdown files or a folder of them; default: generated documents")
    parser.add_argument("--sizes", default=",".join(SIZES), help=f"default: {', '.join(SIZES)}")
    parser.add_argument("--tools", default=",".join(TOOLS), help=f"default: {', '.join(TOOLS)}")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run of one tool")
    parser.add_argument("--results", type=Path, help="take these results instead of measuring")
    parser.add_argument("--json", type=Path, help="write the results")
    parser.add_argument("--plot", type=Path, help="draw them as SVG")
    parser.add_argument("--page", type=Path, help="put the tables between the markers of this page")
    options = parser.parse_args(arguments)
    if options.results:
        results = json.loads(options.results.read_text(encoding="utf-8"))
    else:
        sizes = [_named(name, SIZES, parser) for name in options.sizes.split(",")]
        tools = [_named(name, TOOLS, parser) for name in options.tools.split(",")]
        results = measure(options.corpus, sizes, tools, options.rounds, options.timeout)
    print(report.text(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if options.plot:
        report.plot(results, options.plot)
    if options.page:
        report.write_into(options.page, results)
    return 0


def _named(given: str, known: Iterable[str], parser: argparse.ArgumentParser) -> str:
    """The size or tool of that name; spaces do not count."""
    found = next((name for name in known if name.replace(" ", "") == given.replace(" ", "")), None)
    return found or parser.error(f"{given!r} is none of {', '.join(known)}")


if __name__ == "__main__":
    sys.exit(main())
