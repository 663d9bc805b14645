"""What to look at in the chunks of either engine, as phrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.both import Engine, Piece

NEW = "A new section with a sentence of its own, and with another. It is put before all others."

Look = Callable[[Engine, "Promise"], str]


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise in a sentence, an input that shows it, and a look at the result as a phrase.

    `shown` stands for an input that is too long to show; `listed` is off where the chunks show nothing.
    """

    title: str
    promise: str
    text: str
    look: Look
    size: int = 200
    least: int = 20
    options: dict[str, Any] = field(default_factory=dict)
    shown: str = ""
    listed: bool = True

    def chunks(self, engine: Engine) -> list[Piece]:
        return engine.chunks(self.text, self.size, self.least, **self.options)


# ---------------------------------------------------------------------- looks


def together(*words: str) -> Look:
    """Whether one chunk holds all these words."""

    def look(engine: Engine, promise: Promise) -> str:
        chunks = promise.chunks(engine)
        if any(all(word in chunk.text for word in words) for chunk in chunks):
            return "in one chunk"
        gone = [word for word in words if not any(word in chunk.text for chunk in chunks)]
        return f"missing: {gone[0]!r}" if gone else "in different chunks"

    return look


def sizes(engine: Engine, promise: Promise) -> str:
    found = [len(chunk.text) for chunk in promise.chunks(engine)]
    over = sum(size > promise.size for size in found)
    ends = " to ".join(str(size) for size in dict.fromkeys((min(found), max(found))))
    return f"{_chunks(len(found))} of {ends} characters" + (f", {over} over the limit" if over else "")


def _chunks(count: int) -> str:
    return "1 chunk" if count == 1 else f"{count} chunks"


def texts(engine: Engine, promise: Promise) -> str:
    return "; ".join(repr(chunk.text) for chunk in promise.chunks(engine))


def lost(engine: Engine, promise: Promise) -> str:
    """How many lines of the source are in no chunk."""
    whole = "\n".join(chunk.text for chunk in promise.chunks(engine))
    rows = [row for row in promise.text.split("\n") if row.strip()]
    gone = [row for row in rows if row.strip() not in whole]
    return f"{len(gone)} of {len(rows)} lines missing, the first {gone[0]!r}" if gone else "all lines are there"


def paths(engine: Engine, promise: Promise) -> str:
    return "; ".join(" > ".join(chunk.path) or "(none)" for chunk in promise.chunks(engine))


def path_of(word: str) -> Look:
    def look(engine: Engine, promise: Promise) -> str:
        chunk = next(chunk for chunk in promise.chunks(engine) if word in chunk.text)
        return f"path of {word!r}: " + (" > ".join(chunk.path) or "(none)")

    return look


def fields(*names: str) -> Look:
    """The values of metadata fields that any chunk has."""

    def look(engine: Engine, promise: Promise) -> str:
        found = [
            f"{name} {chunk.fields[name]}" for chunk in promise.chunks(engine) for name in names if name in chunk.fields
        ]
        return "; ".join(dict.fromkeys(found)) or "no such fields"

    return look


def both(*looks: Look) -> Look:
    return lambda engine, promise: "; ".join(look(engine, promise) for look in looks)


def chosen(engine: Engine, promise: Promise) -> str:
    return f"takes {promise.chunks(engine)[0].fields['strategy']}"


def true_lines(engine: Engine, promise: Promise) -> str:
    """How many chunks begin and end with the lines that they report."""
    rows = [*promise.text.split("\n"), *[""] * 9]
    chunks = promise.chunks(engine)
    right = 0
    for chunk in chunks:
        lines = chunk.text.strip().split("\n")
        right += (lines[0], lines[-1]) == (rows[chunk.first - 1].strip(), rows[chunk.last - 1].strip())
    return f"{right} of {_chunks(len(chunks))} begin and end at the lines that they report"


def split_tables(engine: Engine, promise: Promise) -> str:
    chunks = [chunk for chunk in promise.chunks(engine) if "| " in chunk.text]
    headed = sum("|---|" in chunk.text for chunk in chunks)
    return f"{sizes(engine, promise)}; {headed} of {len(chunks)} with the header row"


def kept_ids(engine: Engine, promise: Promise) -> str:
    """How many chunks keep their id when a section is put before them."""
    before = {leaf.fields["chunk_id"] for leaf in engine.leaves(promise.text, promise.size, promise.least)}
    edited = promise.text.replace("# Guide\n\n", f"# Guide\n\n## New\n\n{NEW}\n\n", 1)
    after = {leaf.fields["chunk_id"] for leaf in engine.leaves(edited, promise.size, promise.least)}
    return f"{len(before & after)} of {len(before)} ids kept after a section was put before them"


def tree_depths(engine: Engine, promise: Promise) -> str:
    leaves = engine.leaves(promise.text, promise.size, promise.least)
    return "nodes above the chunks: " + ", ".join(str(leaf.depth) for leaf in leaves)


def tree_holds(word: str) -> Look:
    def look(engine: Engine, promise: Promise) -> str:
        leaves = engine.leaves(promise.text, promise.size, promise.least)
        return f"{word!r} is " + ("there" if any(word in leaf.text for leaf in leaves) else "missing")

    return look


def streamed(engine: Engine, promise: Promise) -> str:
    whole = promise.chunks(engine)
    parts = engine.stream(promise.text, promise.size, promise.least)
    same = [part.text for part in parts] == [chunk.text for chunk in whole]
    lines = [part.first for part in parts]
    order = "ascend" if lines == sorted(lines) else "restart"
    same_or_not = "the same texts" if same else "other texts"
    return f"{len(whole)} chunks in one go, {len(parts)} by stream; {same_or_not}, line numbers {order}"


def overlap(engine: Engine, promise: Promise) -> str:
    second = promise.chunks(engine)[1]
    kept = second.fields.get("previous_content", "")
    return f"{len(kept)} characters, {kept.split(chr(10))[-1]!r}; the content is " + (
        "untouched" if kept not in second.text else "changed"
    )


def adding(engine: Engine, promise: Promise) -> str:
    return engine.add_strategy()
