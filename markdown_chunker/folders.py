"""Whole folders into one file of chunks: on all cores, past bad files, and able to go on where a run was stopped.

The output is the same for any number of jobs and however often the run was stopped: files in the order of `find`,
chunks in theirs.  It is put in place in one step, at the end.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import groupby
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from .chunker import chunk_markdown
from .journal import Journal
from .options import ChunkConfig
from .version import __version__

#: Files handed to a process at a time.
_HANDFUL = 4


type _Work = Callable[[Path], _Done]
#: In a process of the pool: what it does with a file.
_work: _Work | None = None


@dataclass(slots=True)
class Report:
    """How a run went: files that were chunked now, that were done before, and that failed, with the reason."""

    chunked: int = 0
    known: int = 0
    chunks: int = 0
    failed: dict[str, str] = field(default_factory=dict)


class _Done(NamedTuple):
    """A file: its key, and its rows, or None if they are known, or why there are none."""

    key: str = ""
    rows: list[bytes] | None = None
    problem: str = ""


def chunk_folders(
    files: Sequence[Path],
    output: Path,
    config: ChunkConfig | None = None,
    *,
    jobs: int = 1,
    resume: bool = False,
    with_metadata: bool = True,
    step: Callable[[], object] = lambda: None,
) -> Report:
    """Chunk files into `output`: JSON Lines, or Parquet if it is named so.  `step` is called after each file.

    A row is `source`, `source_hash` and the fields of the chunk.  The hash is that of the file's bytes under these
    options and this version, so `resume` leaves out exactly the files that would give the same again: those of an
    earlier output, and those of a run that was stopped.  Raises OSError if the output cannot be written.
    """
    config = config or ChunkConfig()
    report = Report()
    with Journal(output.with_name(output.name + ".part"), fresh=not resume) as journal:
        if resume and output.exists():
            _take_over(output, journal)
        keys: list[tuple[Path, str]] = []
        work = partial(_chunk, config, with_metadata, _salt(config, with_metadata), journal.keys)
        for file, done in zip(files, _each(work, files, jobs), strict=True):
            if done.problem:
                report.failed[file.as_posix()] = done.problem
            else:
                keys.append((file, done.key))
                report.known += done.rows is None
                report.chunked += done.rows is not None
                if done.rows is not None and done.key not in journal:
                    journal.add(done.key, done.rows)
            step()
        with _in_one_step(output) as temporary:
            report.chunks = _write(_rows(keys, journal), temporary, is_parquet=output.suffix == ".parquet")
        journal.remove()
    return report


def _salt(config: ChunkConfig, with_metadata: bool) -> bytes:
    """What the rows depend on besides the text."""
    measure = getattr(config.measure, "__qualname__", "")
    return json.dumps([config.to_dict(), measure, with_metadata, __version__], sort_keys=True).encode()


def _chunk(config: ChunkConfig, with_metadata: bool, salt: bytes, known: frozenset[str], file: Path) -> _Done:
    try:
        data = file.read_bytes()
        key = blake2b(data, digest_size=16, key=blake2b(salt).digest()).hexdigest()
        if key in known:
            return _Done(key)
        chunks = chunk_markdown(data.decode("utf-8"), config)
    except Exception as error:  # whatever it is, the other files go on
        return _Done(problem=str(error) or type(error).__name__)
    rows = [chunk.to_dict() if with_metadata else {"content": chunk.content} for chunk in chunks]
    return _Done(key, [_line({"source_hash": key, **row}) for row in rows])


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def _each(work: _Work, files: Sequence[Path], jobs: int) -> Iterator[_Done]:
    """What comes of each file, in their order."""
    jobs = min(jobs, -(-len(files) // _HANDFUL))
    if jobs < 2:
        yield from map(work, files)
        return
    count = 0
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (work,)) as pool:
        try:
            for done in pool.map(_at_work, files, chunksize=_HANDFUL):
                count += 1
                yield done
        except BrokenProcessPool:
            yield from (_Done(problem="a process died, perhaps for want of memory") for _ in files[count:])
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(work: _Work) -> None:
    """Make a process ready; it leaves interrupts to its parent, and ends with it."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(1)


def _at_work(file: Path) -> _Done:
    assert _work
    return _work(file)


def _take_over(output: Path, journal: Journal) -> None:
    """Put the documents of an earlier output into the journal."""
    for key, rows in groupby(_read(output), key=lambda row: str(row["source_hash"])):
        if key not in journal:
            first, *rest = rows
            same = (row for row in rest if row["source"] == first["source"])  # the next file may be its twin
            journal.add(key, (_line({k: v for k, v in row.items() if k != "source"}) for row in (first, *same)))


def _read(output: Path) -> Iterator[dict[str, Any]]:
    if output.suffix == ".parquet":
        from .parquet import read_parquet

        yield from read_parquet(output)
        return
    with output.open("rb") as file:
        yield from (json.loads(line) for line in file)


def _rows(keys: list[tuple[Path, str]], journal: Journal) -> Iterator[bytes]:
    for file, key in keys:
        name = b'{"source": ' + _name(file) + b", "
        yield from (name + row[1:] for row in journal.rows(key))


def _name(file: Path) -> bytes:
    """The path as a JSON string; what is no text in it, as Python shows it."""
    return json.dumps(file.as_posix().encode("utf-8", "backslashreplace").decode(), ensure_ascii=False).encode()


@contextmanager
def _in_one_step(output: Path) -> Iterator[Path]:
    """A file to write, which takes the place of `output` once it is whole."""
    temporary = output.with_name(output.name + ".tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)


def _write(rows: Iterator[bytes], path: Path, is_parquet: bool) -> int:
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    if is_parquet:
        from .parquet import write_parquet

        write_parquet(map(json.loads, counted()), path)
    else:
        with path.open("wb") as file:
            file.writelines(row + b"\n" for row in counted())
    return count
