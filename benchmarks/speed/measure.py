"""All chunkers on the same documents, in turn, round after round."""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from select import select
from statistics import median
from typing import Any, NamedTuple

from benchmarks.speed.documents import generated, markdown_files
from benchmarks.speed.tools import OURS, TOOLS

SIZES = {"1 KB": 1_000, "10 KB": 10_000, "100 KB": 100_000, "1 MB": 1_000_000, "4 MB": 4_000_000, "16 MB": 16_000_000}
#: A workload has documents of a size until they come to so many bytes together, or to so many.
_TOGETHER, _MOST = 400_000, 200
_START = 120  # seconds until a tool must be loaded

type Workload = list[str]
type Results = dict[str, Any]


def workloads(corpus: Path | None, sizes: list[str]) -> Iterator[tuple[str, Workload]]:
    """By name: documents as they are, and documents of each size, cut at line ends."""
    if corpus:
        texts = [file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n") for file in markdown_files(corpus)]
        text = "\n\n".join(texts)
    else:
        texts = [generated(round(800 * 1.02**i), seed=i) for i in range(200)]
        text = generated(8_000_000)
    yield "documents", texts
    for name in sizes:
        yield name, cut(text, SIZES[name])


def cut(text: str, size: int) -> Workload:
    """Documents of about `size` bytes from a text, spread over it; if it is too short, it is repeated."""
    data = text.encode("utf-8", "replace")
    data *= size // len(data) + 1
    count = max(1, min(_MOST, _TOGETHER // size, len(data) // size))
    stride = len(data) // count
    found = []
    for i in range(count):
        begin = data.rfind(b"\n", 0, i * stride) + 1
        found.append(data[begin : data.rfind(b"\n", begin, begin + size) + 1 or begin + size].decode("utf-8", "ignore"))
    return found


class Answer(NamedTuple):
    """One run of one tool on one workload."""

    seconds: float
    chunks: int
    memory: int
    failed: int


class Worker:
    """A tool in a process of its own; None for an answer that does not come in time."""

    def __init__(self, tool: str, documents: Path, timeout: float) -> None:
        self._timeout = timeout
        call = [sys.executable, "-m", "benchmarks.speed.worker", tool, str(documents)]
        self._process = subprocess.Popen(
            call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._ready = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self) -> Answer | None:
        """One run; the first waits for the tool to be loaded."""
        if not self._ready and self._read(_START) is None:
            return None
        self._ready = True
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found = self._read(self._timeout)
        return None if found is None else Answer(**found)

    def _read(self, seconds: float) -> dict[str, Any] | None:
        out = self._process.stdout
        assert out
        if not select([out], [], [], seconds)[0]:
            self._process.kill()
            return None
        line = out.readline()
        if not line:
            assert self._process.stderr
            last = self._process.stderr.read().strip().splitlines()[-1:]
            print(f"  a tool failed: {''.join(last)}", file=sys.stderr)
            return None
        return dict(json.loads(line))


def measure(corpus: Path | None, sizes: list[str], tools: list[str], rounds: int, timeout: float) -> Results:
    """Run everything; a tool sits out a size that by its growth so far it would not finish in time."""
    results: Results = {"machine": machine(), "rounds": rounds, "timeout": timeout, "corpus": corpus is not None}
    results["tools"] = {name: {"version": TOOLS[name].version, "note": TOOLS[name].note} for name in tools}
    results["workloads"] = {}
    for name, texts in workloads(corpus, sizes):
        size = sum(len(text.encode("utf-8", "replace")) for text in texts)
        print(f"{name}: {len(texts)} documents, {size / 1e6:.2f} MB", file=sys.stderr, flush=True)
        able = [tool for tool in tools if expected(results, tool, size / len(texts)) < timeout]
        runs = {tool: [answer._asdict() for answer in found] for tool, found in _run(texts, able, rounds, timeout)}
        results["workloads"][name] = {"documents": len(texts), "bytes": size, "runs": runs}
    results["growth"] = {tool: growth(points(results, tool)) for tool in tools}
    return results


def _run(texts: Workload, tools: list[str], rounds: int, timeout: float) -> list[tuple[str, list[Answer]]]:
    """The answers of each tool.  One that takes long sits out later rounds; ours is in all of them."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        documents = Path(folder) / "documents.json"
        documents.write_text(json.dumps(texts), encoding="utf-8")
        workers = {tool: stack.enter_context(Worker(tool, documents, timeout)) for tool in tools}
        answers: dict[str, list[Answer]] = {tool: [] for tool in tools}
        out: set[str] = set()
        for _ in range(rounds):
            for tool, worker in workers.items():
                if tool in out or sum(answer.seconds for answer in answers[tool]) > timeout / 2:
                    continue
                answer = worker.run()
                if answer is None:
                    out.add(tool)
                else:
                    answers[tool].append(answer)
        return [(tool, found) for tool, found in answers.items() if found]


def machine() -> str:
    """The machine and the interpreter in a line."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return f"{cpu}, {os.cpu_count()} cores; {platform.system()}; Python {platform.python_version()}"


def points(results: Results, tool: str) -> list[tuple[float, float]]:
    """(bytes, best seconds) of a document, for the workloads of one size that the tool has run."""
    found = []
    for name, entry in results["workloads"].items():
        if name in SIZES and (runs := entry["runs"].get(tool)):
            best = min(run["seconds"] for run in runs)
            found.append((entry["bytes"] / entry["documents"], best / entry["documents"]))
    return found


def growth(found: list[tuple[float, float]]) -> float | None:
    """The exponent b of time ~ size^b, from documents of 100 KB and more: 1 is linear, 2 quadratic."""
    large = [(math.log(size), math.log(max(seconds, 1e-9))) for size, seconds in found if size > 50_000]
    if len(large) < 2:
        return None
    x0, y0 = (sum(values) / len(large) for values in zip(*large, strict=True))
    spread = sum((x - x0) ** 2 for x, _ in large)
    return sum((x - x0) * (y - y0) for x, y in large) / spread


def expected(results: Results, tool: str, size: float) -> float:
    """Seconds for a document of a size, by how the last two sizes grew."""
    known = [point for point in points(results, tool) if point[0] < size]
    if len(known) < 2:
        skipped = any(tool not in entry["runs"] for name, entry in results["workloads"].items() if name in SIZES)
        return math.inf if skipped and size > 50_000 else 0.0
    (size1, seconds1), (size2, seconds2) = known[-2:]
    exponent = max(1.0, math.log(max(seconds2, 1e-9) / max(seconds1, 1e-9)) / math.log(size2 / size1))
    return seconds2 * (size / size2) ** exponent


def ratio(entry: Results, tool: str, ours: str = OURS) -> tuple[float, float, float] | None:
    """How many times as long as ours a tool takes: the median over the rounds, the least and the most."""
    runs, base = entry["runs"].get(tool), entry["runs"].get(ours)
    if not runs or not base:
        return None
    found = [run["seconds"] / max(own["seconds"], 1e-9) for run, own in zip(runs, base, strict=False)]
    return median(found), min(found), max(found)
