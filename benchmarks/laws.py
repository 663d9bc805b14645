"""The laws that every result of the chunker obeys, as a checker that shares as little with it as it can.

    python -m benchmarks.laws PATH [--sizes 300,1000,4096] [--strategies auto,structural] [--oversize split,keep]
        [--trees]

Walks a folder of Markdown (or takes one file), prints each violation and a summary; exit code 1 if there are any.
With `--trees` it looks at the tree of each document as well (benchmarks/tree_laws.py).
`violations(text, config)` is the core; tests/laws calls it too.  Where two laws meet, this holds:

- A thing that fits the limit alone, but not below the headings directly above it, may be cut: law 5 before law 4.
- A table row that fits alone, but not below its header, stands without the header: law 4 before law 7.
- A heading that leaves no room for a fence below it, with one character of code, stands without: law 3 before law 5.
- Headings in a row that fill more than half a chunk may be cut between each other: law 3 before law 5.
- What a part needs around it to parse as before (markers of items, fence lines, a table header) may fill half a
  chunk; a part that needs more stands as text: law 3 before law 7.
- Text of HTML that is cut, and of constructs beyond CommonMark that are cut, need not parse as before.
"""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

from benchmarks import prose_laws, tree_laws
from benchmarks.reading import DEPTH, Reading, Thing, read
from markdown_chunker import Chunk, ChunkConfig, chunk_markdown

SUFFIXES = (".md", ".mdx", ".markdown")
#: Blocks that hold together at any depth, and those that do at the top level only.
ATOMS = frozenset({"fence", "code", "row", "item", "html", "math"})
TOP_ATOMS = ATOMS | {"paragraph", "quote", "table", "front_matter", "footnote", "definition", "details", "directive"}
#: `oversize="keep"` leaves these whole.
KEPT = frozenset({"fence", "code", "table", "html", "math"})
#: Headings from the outermost to the innermost: line and title.
type Trail = tuple[tuple[int, str], ...]
_OUTER = re.compile(r"\A(?:[ \t]*\n)*(.*?)(?:\n[ \t]*)*\Z", re.S)


def violations(text: str, config: ChunkConfig, *, again: bool = True) -> list[str]:
    """What is wrong with the chunks of `text`, one line each: `law N, line L: what`.

    With `again` the text is chunked more often, for the laws that compare one call with another.
    """
    chunks = chunk_markdown(text, config)
    source = normalised(text)
    found = list(partition(source, chunks))
    if found or not chunks:
        return found
    check = Check(read(source), chunks, config)
    for law in (check.places, check.sizes, check.whole, check.headings, check.paths, check.parses, check.ids):
        found.extend(law())
    if again:
        found.extend(same_again(text, source, config, chunks, check.document))
    return found


def normalised(text: str) -> str:
    """What the offsets count in: no byte order mark, LF, no NUL, no lone surrogates."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return re.sub("[\0\ud800-\udfff]", "", text)


def partition(source: str, chunks: list[Chunk]) -> Iterator[str]:
    """Law 1: joined, the spans are the document."""
    if not chunks:
        if source.strip():
            yield "law 1, line 1: no chunks of a text"
        return
    if not source.strip(" \t\n"):
        yield "law 1, line 1: chunks of white space"
    at = 0
    for i, chunk in enumerate(chunks):
        if chunk.start_offset != at or chunk.end_offset <= at:
            yield f"law 1, line {chunk.start_line}: chunk {i} spans {chunk.start_offset}-{chunk.end_offset} after {at}"
        at = chunk.end_offset
    if at != len(source):
        yield f"law 1, line {chunks[-1].end_line}: the chunks end at {at} of {len(source)}"


class Check:
    """The laws for one result; each method yields the violations of one."""

    def __init__(self, document: Reading, chunks: list[Chunk], config: ChunkConfig) -> None:
        self.document = document
        self.chunks = chunks
        self.config = config
        self.limit = config.max_chunk_size
        self.text = document.text
        self.all_headings = [t for t in document.things if t.kind == "heading"]
        self.runs = self._heading_runs()

    def _heading_runs(self) -> dict[int, int]:
        """For each line with text directly below headings: the offset at which those headings begin."""
        rows, runs = self.document.rows, {}
        begin = -1
        for heading in self.all_headings:
            begin = runs.get(heading.start, self.document.at[heading.start])
            below = heading.end
            while below < len(rows) and not rows[below].strip(" \t>"):
                below += 1
            runs[below] = begin
        return runs

    def line(self, offset: int) -> int:
        return bisect_right(self.document.at, offset) - 1

    def fits(self, start: int, end: int, prefix: str = "") -> bool:
        return self.config.measure(prefix + self.text[start:end].rstrip("\n")) <= self.limit

    def fits_below_heading(self, start: int, end: int) -> bool:
        """Whether text[start:end] fits together with the headings directly above it."""
        return self.fits(self.runs.get(self.line(start), start), end)

    # ------------------------------------------------------------------ law 2

    def places(self) -> Iterator[str]:
        """Content is prefix, trimmed source and suffix; lines are where it stands.

        White space that does not fit at a cut inside a line is left out too.
        """
        for i, chunk in enumerate(self.chunks):
            raw = self.text[chunk.start_offset : chunk.end_offset]
            m = _OUTER.match(raw)
            core = m[1] if m else raw
            if chunk.content not in (chunk.prefix + core + chunk.suffix, chunk.prefix + core.rstrip() + chunk.suffix):
                yield f"law 2, line {chunk.start_line}: chunk {i} is not its source"
            first = chunk.start_offset + (m.start(1) if m else 0)
            lines = self.line(first) + 1, self.line(first + max(len(core) - 1, 0)) + 1
            if lines != (chunk.start_line, chunk.end_line):
                yield f"law 2, line {lines[0]}: chunk {i} says lines {chunk.start_line}-{chunk.end_line}, not {lines}"
            if chunk.metadata.get("repeated_prefix", "") != chunk.prefix:
                yield f"law 2, line {lines[0]}: chunk {i} hides its prefix"

    # ------------------------------------------------------------------ law 3

    def sizes(self) -> Iterator[str]:
        """Within the limit, but for one character, or a block kept whole on request that says why."""
        for i, chunk in enumerate(self.chunks):
            size, reason = self.config.measure(chunk.content), chunk.metadata.get("oversize_reason")
            if size <= self.limit:
                if reason:
                    yield f"law 3, line {chunk.start_line}: chunk {i} gives a reason to be oversize, and is not"
            elif self.config.oversize == "keep":
                if not reason or not self._is_one_kept_block(chunk):
                    yield f"law 3, line {chunk.start_line}: chunk {i} of {size} is not one atomic block ({reason})"
            elif len(chunk.content) > 1:
                yield f"law 3, line {chunk.start_line}: chunk {i} measures {size}"

    def _is_one_kept_block(self, chunk: Chunk) -> bool:
        inside = [t for t in self.document.things if chunk.start_line - 1 < t.end and t.start < chunk.end_line]
        top = [t for t in inside if t.level == 0 and t.kind != "heading"]
        return len(top) == 1 and top[0].kind in KEPT

    # ------------------------------------------------------------------ law 4

    def whole(self) -> Iterator[str]:
        """No cut inside anything that fits."""
        things = self.document.things
        starts = [self.document.at[t.start] for t in things]
        above = self.chunks[0]
        for chunk in self.chunks[1:]:
            cut = chunk.start_offset
            seen = set()
            for thing in self._around(cut, things, starts):
                start, end = self.document.span(thing)
                names = TOP_ATOMS if thing.level == 0 else ATOMS
                if thing.kind in names and thing.kind not in seen and self._should_be_whole(thing, start, end):
                    seen.add(thing.kind)
                    what = f"a {thing.kind} that fits (line {thing.start + 1})"
                    yield f"law 4, line {self.line(cut) + 1}: cut inside {what}"
            yield from prose_laws.cuts(self, above, chunk)
            above = chunk

    def _should_be_whole(self, thing: Thing, start: int, end: int) -> bool:
        if thing.level > DEPTH or (thing.level and self.document.murky(thing.start, thing.end)):
            return False
        row = self.document.rows[thing.start]
        deep = len(row.expandtabs(4)) - len(row.expandtabs(4).lstrip(" >")) > 3
        marks = "".join(self._marks(thing)) if deep and thing.level else ""
        return self.fits(self.runs.get(thing.start, start), end, marks)

    def _marks(self, thing: Thing) -> Iterator[str]:
        """The markers of the items around a thing, without which it would not parse as what it is."""
        for t in self.document.things:
            if t.kind == "item" and t.start < thing.start and thing.end <= t.end and t.level < thing.level:
                row = self.document.rows[t.start]
                yield row[: len(row) - len(row.lstrip(" >")) + 4] + "\n"

    def _around(self, offset: int, things: list[Thing], starts: list[int]) -> Iterator[Thing]:
        """The things strictly inside which an offset lies, outermost first."""
        stop = bisect_right(starts, offset - 1)
        line = self.line(offset)
        top = stop - 1
        while top >= 0 and things[top].level:
            top -= 1
        for thing in things[max(top, 0) : stop]:
            start, end = self.document.span(thing)
            if thing.start <= line and start < offset < end:
                yield thing

    # ------------------------------------------------------------------ law 5

    def headings(self) -> Iterator[str]:
        """No chunk ends in a heading that has something below it."""
        ends = {t.end: t for t in self.all_headings if t.level <= DEPTH}
        for chunk in self.chunks[:-1]:
            heading = ends.get(chunk.end_line)
            if heading is None or chunk.end_offset < self.document.at[heading.end] - 1:
                continue
            below = heading.end
            while below < len(self.document.rows) and not self.document.rows[below].strip(" \t>"):
                below += 1
            if heading.level and not self._share_a_container(heading, below):
                continue
            begin = self.runs[below]
            following = next((t for t in self.all_headings if t.start == below), None)
            until = self.document.at[following.end] - 1 if following else 0
            if following and self.config.measure(self.text[begin:until]) > self.limit // 2:
                continue
            room = self.limit // 2 if heading.level else self.limit - 3 - self._frame_of(below)
            if self.config.measure(self.text[begin : chunk.end_offset].rstrip("\n")) > room:
                continue
            yield f"law 5, line {heading.start + 1}: a chunk ends in this heading"

    def _frame_of(self, line: int) -> int:
        """What the fence that begins on a line takes in each of its parts: its opening and closing line."""
        fence = next((t for t in self.document.things if t.kind == "fence" and t.start == line), None)
        if fence is None:
            return 0
        row = self.document.rows[line]
        return self.config.measure(f"{row}\n\n{row[: row.index(fence.info[0])]}{fence.info[0]}")

    def _share_a_container(self, heading: Thing, line: int) -> bool:
        around = [t for t in self.document.things if t.level < heading.level and t.start <= heading.start < t.end]
        return bool(around) and line < max(around, key=lambda t: t.level).end

    # ------------------------------------------------------------------ law 6

    def paths(self) -> Iterator[str]:
        """The path of a chunk is that of the deepest section that holds all its text."""
        sections = self._sections()
        stops = [start for start, _, _ in sections[1:]] + [len(self.document.rows)]
        for i, chunk in enumerate(self.chunks):
            held: list[Trail] = []
            named: list[Trail] = []
            for (start, body, path), stop in zip(sections, stops, strict=True):
                if stop <= chunk.start_line - 1 or start >= chunk.end_line:
                    continue
                rows = self.document.rows[max(body, chunk.start_line - 1) : min(chunk.end_line, stop)]
                if any(row.strip(" \t") for row in rows):
                    held.append(path)
                named.append(path)
            allowed = [_titles(p) for p in ([_common(held)] if held else [*named, _common(named)])]
            got = tuple(chunk.metadata.get("header_path", ()))
            if got not in allowed:
                yield f"law 6, line {chunk.start_line}: chunk {i} has path {got}, not {allowed[0]}"

    def _sections(self) -> list[tuple[int, int, Trail]]:
        """Start line, first line below the heading or the front matter, path: of every section."""
        front = next((thing.end for thing in self.document.things if thing.kind == "front_matter"), 0)
        sections: list[tuple[int, int, Trail]] = [(0, front, ())]
        above: list[tuple[int, int, str]] = []
        for heading in self.document.headings():
            level, title = heading.info
            above = [a for a in above if a[0] < level]
            above.append((level, heading.start, title))
            sections.append((heading.start, heading.end, tuple((line, title) for _, line, title in above)))
        return sections

    # ------------------------------------------------------------------ law 7

    def parses(self) -> Iterator[str]:
        """What a line was in the document it is in its chunk."""
        for i, chunk in enumerate(self.chunks):
            got = read(chunk.content, whole=chunk.start_offset == 0)
            lead = chunk.prefix.count("\n")
            torn = self._torn(chunk)
            shift = chunk.start_line - 1 - lead
            fences = [
                t
                for t in got.things
                if t.kind == "fence" and not t.info[1] and not torn & set(range(t.start + shift, t.end + shift))
            ]
            if len(fences) > self._left_open(chunk):
                yield f"law 7, line {chunk.start_line}: chunk {i} leaves a fence open"
            yield from self._lines(i, chunk, got, lead, torn)

    def _left_open(self, chunk: Chunk) -> int:
        """How many fences that end in this chunk are open in the document too."""
        return sum(
            1
            for t in self.document.things
            if t.kind == "fence" and not t.info[1] and chunk.start_line <= t.end <= chunk.end_line and not chunk.suffix
        )

    def _lines(self, i: int, chunk: Chunk, got: Reading, lead: int, torn: set[int]) -> Iterator[str]:
        rows = self.document.rows
        for number in range(chunk.start_line - 1, chunk.end_line):
            was = self.document.lines[number]
            here = number - chunk.start_line + 1 + lead
            if number in torn or was.murky or here >= len(got.lines) or not rows[number].strip(" \t>"):
                continue
            if not got.rows[here].endswith(rows[number]) and not rows[number].startswith(got.rows[here]):
                continue
            now = got.lines[here]
            partial = got.rows[here] != rows[number]
            if now.murky or max(was.lists, was.quotes) > DEPTH // 2 or partial:
                continue
            if was.quotes and ">" not in rows[number][:4]:  # continues a quote lazily
                continue
            if was.leaf != now.leaf:
                yield f"law 7, line {number + 1}: a line of {was.leaf or 'nothing'} reads as {now.leaf or 'nothing'}"
                return
            if was.item and not now.item:
                yield f"law 7, line {number + 1}: a list item is none in chunk {i}"
                return
            if bool(was.quotes) > bool(now.quotes):
                yield f"law 7, line {number + 1}: a quoted line is not quoted in chunk {i}"
                return

    def _torn(self, chunk: Chunk) -> set[int]:
        """Lines of things that are cut and cannot parse as before: HTML, and rows too big for their header."""
        begin, until = chunk.start_line - 1, chunk.end_line
        torn: set[int] = set()
        for t in self.document.things:
            if t.end <= begin or t.start >= until:
                continue
            outside = t.start < begin or t.end > until
            framed = t.kind in ("item", "quote", "fence", "code")
            if outside and (t.kind in ("html", "heading") or (framed and not self._affordable(t))):
                torn.update(range(t.start, t.end))
            elif t.kind == "table":
                end = self.document.at[t.start + 2]
                header = "".join(self._marks(t)) + self.text[self.document.at[t.start] : end]
                for row in range(t.start, t.end):
                    start, stop = self.document.at[row], self.document.at[row + 1] - 1
                    if not self.fits(start, stop, header if row > t.start + 1 else "") or (
                        row < t.start + 2
                        and not self.fits(
                            self.runs.get(t.start, self.document.at[t.start]), end, "".join(self._marks(t))
                        )
                    ):
                        torn.add(row)
        return torn

    def _affordable(self, thing: Thing) -> bool:
        """Whether the context that parts of a thing need fits into half a chunk."""
        row = self.document.rows[thing.start]
        around = "".join(self._marks(thing)) + row[: len(row) - len(row.lstrip(" >-+*")) + 4]
        if thing.kind == "fence":
            around += f"{row}\n{row}"
        return self.config.measure(around) <= self.limit // 2

    # ------------------------------------------------------------------ law 8

    def ids(self) -> Iterator[str]:
        counts = Counter(chunk.metadata["chunk_id"] for chunk in self.chunks)
        for chunk in self.chunks:
            if counts[chunk.metadata["chunk_id"]] > 1:
                yield f"law 8, line {chunk.start_line}: an id given twice"
        for i, chunk in enumerate(self.chunks):
            if chunk.metadata["chunk_index"] != i:
                yield f"law 8, line {chunk.start_line}: chunk {i} is numbered {chunk.metadata['chunk_index']}"


def _titles(path: Trail) -> tuple[str, ...]:
    return tuple(title for _, title in path)


def _common(paths: list[Trail]) -> Trail:
    first, last = min(paths), max(paths)
    size = 0
    while size < min(len(first), len(last)) and first[size] == last[size]:
        size += 1
    return first[:size]


def same_again(text: str, source: str, config: ChunkConfig, chunks: list[Chunk], document: Reading) -> Iterator[str]:
    """Laws 8 and 9: the same call gives the same; overlap moves no cut; an edit elsewhere changes no id."""
    if chunk_markdown(text, config) != chunks:
        yield "law 8, line 1: the same call gives another result"
    overlap = replace(config, chunk_overlap=config.max_chunk_size // 5)
    for a, b in zip(chunks, _all(chunk_markdown(text, overlap), len(chunks)), strict=False):
        if b is None or (a.content, a.start_offset, a.end_offset) != (b.content, b.start_offset, b.end_offset):
            yield f"law 9, line {a.start_line}: overlap changes the chunk"
            break
    edited = _edited(source, document)
    if edited is None:
        return
    at, other = edited
    for a, b in zip(chunks, _all(chunk_markdown(other, config), len(chunks)), strict=False):
        if a.start_offset <= at < a.end_offset:
            continue
        same = sum(
            1 for c in chunks if c.content == a.content and c.metadata["header_path"] == a.metadata["header_path"]
        )
        if same == 1 and (b is None or a.metadata["chunk_id"] != b.metadata["chunk_id"]):
            yield f"law 8, line {a.start_line}: an edit at {at} changes the id of another chunk"
            break


def _all(chunks: list[Chunk], count: int) -> list[Chunk | None]:
    return [*chunks, None] if len(chunks) > count else [*chunks, *[None] * (count - len(chunks))]


def _edited(source: str, document: Reading) -> tuple[int, str] | None:
    """The text with one letter of a plain word of a paragraph exchanged, near the middle, and where."""
    plain = [
        t for t in document.things if t.kind == "paragraph" and t.level == 0 and not document.murky(t.start, t.end)
    ]
    for thing in plain[len(plain) // 2 :]:
        start, end = document.span(thing)
        if m := re.compile(r"(?<=[a-z]{3})[a-z](?=[a-z]{3,} [a-z])").search(source, start, end):
            return m.start(), source[: m.start()] + ("o" if m[0] == "e" else "e") + source[m.end() :]
    return None


# ---------------------------------------------------------------------- the command


def documents(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())


def check_file(path: Path, configs: list[ChunkConfig], trees: bool = False) -> list[str]:
    text = path.read_bytes().decode("utf-8", "replace")
    found = []
    for i, config in enumerate(configs):
        name = f"{path}: {config.max_chunk_size} {config.strategy} {config.oversize}"
        try:
            found.extend(f"{name}: {line}" for line in violations(text, config, again=i % 3 == 0))
            if trees:
                tree_laws.check(text, config)
        except AssertionError as error:
            found.append(f"{name}: law 8, line 1: the tree: {error or _place(error)}")
        except Exception as error:
            found.append(f"{name}: law 10, line 1: {type(error).__name__}: {error}")
    return found


def _place(error: AssertionError) -> str:
    return str(traceback.extract_tb(error.__traceback__)[-1].line)


class _Run:
    def __init__(self, configs: list[ChunkConfig], trees: bool) -> None:
        self.configs = configs
        self.trees = trees

    def __call__(self, path: Path) -> list[str]:
        return check_file(path, self.configs, self.trees)


def _each(run: Callable[[Path], list[str]], paths: list[Path], jobs: int) -> Iterator[list[str]]:
    if jobs < 2:
        yield from map(run, paths)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(run, paths, chunksize=8)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.laws", description="Check the laws on real documents.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--sizes", default="300,1000,4096")
    parser.add_argument("--strategies", default="auto,structural,fallback")
    parser.add_argument("--oversize", default="split")
    parser.add_argument("--trees", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    configs = [
        ChunkConfig(max_chunk_size=int(size), strategy=strategy, oversize=oversize)
        for size, strategy, oversize in product(
            given.sizes.split(","), given.strategies.split(","), given.oversize.split(",")
        )
    ]
    paths = documents(given.path)
    laws: Counter[str] = Counter()
    for found in _each(_Run(configs, given.trees), paths, given.jobs):
        for line in found:
            print(line)
            law = re.search(r": (law \d+), line", line)
            laws[law[1] if law else "?"] += 1
    for law, count in sorted(laws.items(), key=lambda item: int(item[0][4:] or 0)):
        print(f"{law}: {count}")
    total = sum(laws.values())
    print(f"{len(paths)} documents, {len(paths) * len(configs)} runs, {total} violations")
    return 1 if total or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
