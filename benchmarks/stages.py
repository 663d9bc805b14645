"""python -m benchmarks.stages [PATH] [--mb 1]: how the time of chunking one document is shared between the steps.

The document is the Markdown below PATH in one, or a generated one.  Each step is timed on what the one before it gave;
the share of the garbage collector is the difference to a run without it.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.streaming import corpus_text
from markdown_chunker import ChunkConfig, Document, chunk_markdown
from markdown_chunker.analysis import shape_of
from markdown_chunker.annotate import annotate
from markdown_chunker.blocks import read_blocks
from markdown_chunker.chunker import built_in
from markdown_chunker.measure import measure_of
from markdown_chunker.normalise import normalise
from markdown_chunker.pack import pack
from markdown_chunker.sections import read_sections
from markdown_chunker.source import Source
from markdown_chunker.split import split

ROUNDS = 5


def stages(text: str, config: ChunkConfig) -> dict[str, float]:
    """Seconds of process time by step, for one run."""
    spent: dict[str, float] = {}

    def timed[T](name: str, step: Callable[..., T], *arguments: Any, **options: Any) -> T:
        began = time.process_time()
        found = step(*arguments, **options)
        spent[name] = time.process_time() - began
        return found

    text = timed("normalise", normalise, text)
    source = timed("find the lines", Source, text)
    blocks = timed("read blocks", read_blocks, text)
    sections = timed("read sections", read_sections, source, blocks)
    document = Document(source, sections, config)
    shape = timed("look at the make-up", shape_of, document)
    strategy = built_in(shape, config)
    measure = measure_of(text, config.measure)
    pieces = timed("split", split, source, sections, config, measure, whole=True)
    costs = timed("price the cuts", strategy.costs, pieces, document)
    cuts = timed("pack", pack, pieces, costs, source, config, measure)
    chunks = timed("write the chunks", annotate, document, pieces, cuts, {"strategy": strategy.name})
    timed("their metadata", lambda: [chunk.metadata for chunk in chunks])
    return spent


def least(runs: list[dict[str, float]]) -> dict[str, float]:
    """The best of some runs, step by step."""
    return {name: min(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    """Print a table of the steps."""
    parser = argparse.ArgumentParser(prog="benchmarks.stages", description="Where the time goes.")
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--mb", type=float, default=1)
    parser.add_argument("--overlap", type=int, default=200)
    parser.add_argument("--max-chunk-size", type=int, default=4096)
    options = parser.parse_args()
    config = ChunkConfig(max_chunk_size=options.max_chunk_size, chunk_overlap=options.overlap)
    text = corpus_text(options.path, round(options.mb * 1e6))
    size = len(text.encode("utf-8", "replace")) / 1e6
    runs, whole, without = [], [], []
    for _ in range(ROUNDS):
        gc.collect()
        runs.append(stages(text, config))
        whole.append(_seconds(text, config))
        gc.disable()
        without.append(_seconds(text, config))
        gc.enable()
    found = least(runs)
    total = sum(found.values())
    for name, seconds in found.items():
        print(f"{name:22}{1000 * seconds / size:8.1f} ms/MB  {seconds / total:6.1%}")
    print(f"{'together':22}{1000 * total / size:8.1f} ms/MB")
    print(f"{'in one call':22}{1000 * min(whole) / size:8.1f} ms/MB  {size / min(whole):6.1f} MB/s")
    print(f"{'without collector':22}{1000 * min(without) / size:8.1f} ms/MB  {size / min(without):6.1f} MB/s")


def _seconds(text: str, config: ChunkConfig) -> float:
    gc.collect()
    began = time.process_time()
    chunk_markdown(text, config)
    return time.process_time() - began


if __name__ == "__main__":
    main()
