"""python -m benchmarks.streaming [PATH] [--mb 50] [--buffer 100000] [--overlap 0] [--strategy auto]

Chunks one large file while reading it, and compares with chunking it as a whole: the chunks, in all their fields,
the memory above that of the interpreter with the engine loaded, and the time.  The file is the Markdown below PATH,
repeated up to the size; without PATH documents are generated.  Exit code 1 if a chunk differs.

Each way runs in a process of its own, because the memory that counts is the process's highest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from benchmarks.speed.documents import generated, markdown_files
from benchmarks.speed.memory import peak
from markdown_chunker import Chunk, ChunkConfig, chunk_file, chunk_file_streaming


def corpus_text(path: Path | None, size: int) -> str:
    """The documents below `path`, or generated ones, one after the other and again up to `size` bytes of UTF-8."""
    if path is None:
        return generated(size)
    once = "\n\n".join(file.read_bytes().decode("utf-8", "replace") for file in markdown_files(path))
    once = once.replace("\r\n", "\n")
    encoded = (once + "\n\n").encode("utf-8", "replace")
    return (encoded * (size // len(encoded) + 1))[:size].decode("utf-8", "ignore")


def chunks_of(way: str, path: Path, config: ChunkConfig, buffer: int) -> Iterable[Chunk]:
    """The chunks, one way or the other."""
    if way == "whole":
        return chunk_file(path, config)
    return chunk_file_streaming(path, config, buffer_size=buffer)


def measure(way: str, path: Path, config: ChunkConfig, buffer: int) -> dict[str, Any]:
    """Run one way and say what it took; the digest is of all fields of all chunks."""
    list(chunks_of(way, Path(os.devnull), config, buffer))
    base, digest, count, first = peak(), blake2b(), 0, 0.0
    began = time.process_time()
    for chunk in chunks_of(way, path, config, buffer):
        first = first or time.process_time() - began
        count += 1
        digest.update(json.dumps(chunk.to_dict()).encode())
    seconds = time.process_time() - began
    return {
        "chunks": count,
        "seconds": seconds,
        "first": first,
        "memory": peak() - base,
        "digest": digest.hexdigest(),
    }


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each way, and whether they agree."""
    parser = argparse.ArgumentParser(prog="benchmarks.streaming", description="Streaming against the whole.")
    parser.add_argument("path", type=Path, nargs="?", help="a folder of Markdown; default: generated documents")
    parser.add_argument("--mb", type=float, default=50)
    parser.add_argument("--buffer", type=int, default=100_000)
    parser.add_argument("--overlap", type=int, default=0)
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--way", choices=("whole", "stream"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.way:
        config = ChunkConfig(chunk_overlap=options.overlap, strategy=options.strategy)
        print(json.dumps(measure(options.way, options.path, config, options.buffer)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.md"
        path.write_text(corpus_text(options.path, round(options.mb * 1e6)), encoding="utf-8", newline="")
        settings = ["--buffer", str(options.buffer), "--overlap", str(options.overlap), "--strategy", options.strategy]
        results = {}
        for way in ("whole", "stream"):
            call = [sys.executable, "-m", "benchmarks.streaming", str(path), "--way", way, *settings]
            results[way] = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
        size = path.stat().st_size / 1e6
    for way, found in results.items():
        print(
            f"{way:7}{size:6.1f} MB  {found['chunks']:8,} chunks  {found['seconds']:6.2f} s of process time, "
            f"the first after {found['first']:6.3f} s  peak {found['memory'] / 1e6:6.1f} MB above the base"
        )
    same = results["whole"]["digest"] == results["stream"]["digest"]
    print("equal in all fields" if same else "DIFFERENT")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
