"""The command over folders: what it asks for, the progress it shows, and the report at its end."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from .options import ChunkConfig

#: What the optional libraries are needed for, and how to get them.
EXTRAS = {
    "pathspec": ("folders", "pathspec>=1,<2"),
    "tqdm": ("folders", "tqdm>=4.66,<5"),
    "pyarrow": ("Parquet", "pyarrow>=17,<30"),
}
_SUFFIXES = (".jsonl", ".parquet")
_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that go with -o."""
    group = parser.add_argument_group("whole folders")
    group.add_argument("-o", "--output", metavar="OUTPUT", help="chunk files and folders into a .jsonl or .parquet")
    group.add_argument("--jobs", type=int, metavar="N", help="how many processes; default: one a core")
    group.add_argument("--include", action="append", metavar="GLOB", help="which files of a folder; may be repeated")
    group.add_argument("--resume", action="store_true", help="leave out files that are in the output already")


def complaint(options: argparse.Namespace) -> str:
    """What is wrong with the options, for a line of text; empty if nothing is."""
    if options.output is None:
        alone = {"--jobs": options.jobs, "--include": options.include, "--resume": options.resume or None}
        given = [name for name, value in alone.items() if value is not None]
        if given:
            return f"{given[0]} goes with -o OUTPUT"
        return "several FILEs need -o OUTPUT" if len(options.file) > 1 else ""
    if not options.output.endswith(_SUFFIXES):
        return f"OUTPUT must end in {' or '.join(_SUFFIXES)}; got {options.output!r}"
    if options.format is not None:
        return "--format does not go with -o; the name of OUTPUT says it"
    if "-" in options.file:
        return "standard input does not go with -o"
    if options.jobs is not None and options.jobs < 1:
        return f"--jobs must be 1 or more; got {options.jobs}"
    wanted = ["pathspec", "tqdm", *(["pyarrow"] if options.output.endswith(".parquet") else [])]
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        packages = " ".join(f'"{EXTRAS[name][1]}"' for name in missing)
        return f"{EXTRAS[missing[0]][0]} need{'s' * (missing == ['pyarrow'])} more: pip install {packages}"
    return ""


def run(options: argparse.Namespace, config: ChunkConfig, name: str) -> int:
    """Chunk all that is named; returns the exit code: 0, or 1 if a file or the output failed."""
    from tqdm import tqdm

    from .finding import find
    from .folders import chunk_folders

    output = Path(options.output)
    files = [f for f in find(map(Path, options.file), options.include or ()) if f.resolve() != output.resolve()]
    try:
        with tqdm(total=len(files), unit="file", file=sys.stderr, disable=None, leave=False) as bar:
            report = chunk_folders(
                files,
                output,
                config,
                jobs=options.jobs or _cores(),
                resume=options.resume,
                with_metadata=not options.no_metadata,
                step=bar.update,
            )
    except OSError as error:
        print(f"{name}: cannot write {output}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{name}: interrupted; with --resume the same command goes on", file=sys.stderr)
        return _INTERRUPTED
    for file, problem in report.failed.items():
        print(f"{name}: cannot chunk {file}: {problem}", file=sys.stderr)
    done = f"{report.chunked + report.known} files" + f" ({report.known} known)" * bool(report.known)
    failed = f", {len(report.failed)} failed" * bool(report.failed)
    print(f"{name}: {done}, {report.chunks} chunks{failed}: {output}", file=sys.stderr)
    return 1 if report.failed else 0


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
