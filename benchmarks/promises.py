"""python -m benchmarks.promises: what chunkana's documents promise, and what both engines do.

Prints docs/promises.md.  Each promise is run on one small input by both, with the same sizes; what is looked at is
counted from the chunks, for both by the same function.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.both import Chunkana, Engine, Piece, ThisEngine
from benchmarks.looks import Promise
from benchmarks.promised import PROMISES

ENGINES: tuple[Engine, ...] = (Chunkana(), ThisEngine())
_MOST_CHUNKS, _WIDEST = 8, 60
_FENCE = "~" * 6

HEAD = """# Promises and what becomes of them

People who come from the plugin around chunkana know its README. This page lists what that README and the library's
documents promise, and what {0} and this engine do on one small input each. It is written by
`python -m benchmarks.promises`, which runs both, and a test holds it to that. Speed and memory are measured elsewhere,
since they differ from run to run.

Sizes are `max_chunk_size` and `min_chunk_size`, the same for both; overlap is off where nothing is said of it. The
inputs and the chunks stand below the table, each chunk with its lines, its size, and its first and last line.
"""


def page() -> str:
    """The whole page."""
    lines = [HEAD.format(ENGINES[0].name), "| | promise | " + " | ".join(engine.name for engine in ENGINES) + " |"]
    lines.append("|---|---|---|---|")
    lines += (_row(number, promise) for number, promise in enumerate(PROMISES, 1))
    for number, promise in enumerate(PROMISES, 1):
        lines += _details(number, promise)
    return "\n".join(lines) + "\n"


def phrase(engine: Engine, promise: Promise) -> str:
    """What an engine does, or what it raises."""
    try:
        return promise.look(engine, promise)
    except NotImplementedError as error:
        return str(error)
    except Exception as error:
        return f"raises {_told(error)}"


def _row(number: int, promise: Promise) -> str:
    cells = [f"{promise.title}. {promise.promise}", *(phrase(engine, promise) for engine in ENGINES)]
    return f"| {number} | " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in cells) + " |"


def _details(number: int, promise: Promise) -> Iterator[str]:
    yield f"\n## {number}. {promise.title}\n"
    options = "".join(f", `{name}={value}`" for name, value in promise.options.items())
    yield f"Sizes {promise.size} and {promise.least}{options}.\n"
    yield f"{_FENCE}markdown\n{(promise.shown or promise.text).rstrip()}\n{_FENCE}"
    if promise.listed:
        for engine in ENGINES:
            yield f"\n{engine.name}:\n\n{_FENCE}text\n{_listing(engine, promise)}\n{_FENCE}"


def _listing(engine: Engine, promise: Promise) -> str:
    try:
        chunks = promise.chunks(engine)
    except Exception as error:
        return _told(error)
    rows = [_line(chunk) for chunk in chunks[:_MOST_CHUNKS]]
    if len(chunks) > _MOST_CHUNKS:
        rows.append(f"… {len(chunks) - _MOST_CHUNKS} more")
    return "\n".join(rows)


def _told(error: Exception) -> str:
    """The first sentence of an error; chunkana's go on with sets, whose order differs from run to run."""
    return f"{type(error).__name__}: {str(error).split('. ')[0]}"


def _line(chunk: Piece) -> str:
    rows = [row.strip() for row in chunk.text.strip().split("\n") if row.strip()]
    ends = _short(rows[0]) if len(rows) == 1 else f"{_short(rows[0])} … {_short(rows[-1])}"
    return f"lines {chunk.first}-{chunk.last}, {len(chunk.text)}: {ends}"


def _short(row: str) -> str:
    return row if len(row) <= _WIDEST else f"{row[:_WIDEST].rstrip()}…"


if __name__ == "__main__":
    sys.stdout.write(page())
