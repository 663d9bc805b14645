"""What a stretch of source is made of: content type, languages, code roles, lists, tables, formulas."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from .document import Document, label_key
from .grammar import MARKER
from .model import CONTAINERS, Block, Piece
from .relations import HOLDING_CODE, CodeBlock, language_of
from .source import Source
from .tables import extent, is_table, kind_of

#: What kind of content a block is; the rest is text.
CONTENT_TYPES = {
    "fence": "code",
    "code": "code",
    "list": "list",
    "table": "table",
    "math": "math",
    "html": "html",
    "details": "html",
}
#: A chunk has the type that fills at least this share of it; below, it is mixed.
DOMINANT_SHARE = 2 / 3
#: What code blocks can be to each other, the strongest tie first.
RELATIONSHIPS = ("before_after", "code_output", "setup_example", "sequential")

_first_of = attrgetter("first")
_LOOKED_INTO = CONTAINERS | {"table"}
#: What may refer to a definition: brackets without a target of their own.
_LABEL = re.compile(r"\[([^\[\]\\\n]{1,999})\](?![(:])")
_BULLETS = ("-", "+", "*")
#: A line that begins an item, or shows one: its margin, its task box, a marker right behind its own.
_ITEM_LINE = re.compile(
    rf"^(?P<margin>[ \t>]*){MARKER}(?:[ \t]+(?:\[(?P<box>[ xX])\](?=[ \t])|(?P<nested>{MARKER}(?=[ \t\n])))?|$)",
    re.M,
)


class ContentReader:
    """Describes the chunks of a document one after the other; they must come in order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.source = document.source
        self._code = 0
        self._is_flat: dict[Block, bool] = {}

    def describe(self, pieces: list[Piece]) -> dict[str, Any]:
        """The metadata that a run of pieces gives rise to; only fields that say something."""
        start, end = pieces[0].start, pieces[-1].end
        sizes = _sizes_of(pieces, self.source)
        found: dict[str, Any] = {"content_type": _content_type(sizes)}
        kinds = sizes.keys()
        codes = [] if kinds.isdisjoint(HOLDING_CODE) else self._codes(start, end)
        languages = dict.fromkeys(code.language for code in codes)
        blocks = [] if kinds.isdisjoint(_LOOKED_INTO) else _blocks_of(pieces)
        if blocks and not kinds.isdisjoint(CONTAINERS):
            languages |= dict.fromkeys(self._nested_languages(blocks, start, end))
        languages.pop("", None)
        if languages:
            found["languages"] = list(languages)
        if codes:
            found |= self._code_fields(codes, start)
        if "list" in kinds:
            found |= self._list_fields(blocks, start, end)
        if "table" in kinds:
            found |= _table_fields(self.document, blocks, start, end)
        if "math" in kinds:
            found["has_math"] = True
        if self.document.definitions and (definitions := self._definitions(start, end)):
            found["definitions"] = definitions
        return found

    def _definitions(self, start: int, end: int) -> list[str]:
        """The link references and footnotes that the text uses and that stand elsewhere in the document."""
        text, known = self.source.text, self.document.definitions
        used = dict.fromkeys(label_key(label[1]) for label in _LABEL.finditer(text, start, end))
        return [known[label] for label in used if label in known and known[label] not in text[start:end]]

    def _codes(self, start: int, end: int) -> list[CodeBlock]:
        codes, first = self.document.codes, self._code
        while first < len(codes) and codes[first].end <= start:
            first += 1
        after = first
        while after < len(codes) and codes[after].start < end:
            after += 1
        self._code = first
        return codes[first:after]

    def _nested_languages(self, blocks: list[Block], start: int, end: int) -> Iterator[str]:
        """The languages of fences inside lists, quotes and the like."""
        at, text = self.source.at, self.source.text
        for block in blocks:
            if block.kind in CONTAINERS:
                span = max(at[block.start], start), min(at[block.end], end)
                if text.find("```", *span) >= 0 or text.find("~~~", *span) >= 0:
                    yield from (language_of(f.info) for f in _fences(block, at, start, end))

    def _code_fields(self, codes: list[CodeBlock], start: int) -> dict[str, Any]:
        found: dict[str, Any] = {"code_roles": list(dict.fromkeys(code.role for code in codes))}
        first, after = self._code, self._code + len(codes)
        links = self.document.links if len(codes) > 1 else []
        among = links[bisect_left(links, first, key=_first_of) : bisect_left(links, after, key=_first_of)]
        held = [link for link in among if link.last < after]
        if held:
            found["code_relationship"] = min((link.relationship for link in held), key=RELATIONSHIPS.index)
            found["has_related_code"] = True
            found["related_code_count"] = len({n for link in held for n in (link.first, link.last)})
        if all(code.explanation > start for code in codes):
            found["explanation_bound"] = True
        return found

    def _list_fields(self, blocks: list[Block], start: int, end: int) -> dict[str, Any]:
        count = _ListCount()
        for block in blocks:
            if block.kind != "list":
                continue
            if self._has_one_margin(block):
                _count_lines(self.source, block, start, end, count)
            else:
                _count_items(self.source, block, start, end, 1, count)
        if not count.items:
            return {}
        found: dict[str, Any] = {
            "list_depth": count.depth,
            "list_item_count": count.items,
            "list_types": list(count.types),
        }
        if count.done or count.open:
            found["task_items"] = {"done": count.done, "open": count.open}
        return found

    def _has_one_margin(self, block: Block) -> bool:
        """Whether all markers in a list stand in line: then each begins an item of its own; none is nested."""
        if (known := self._is_flat.get(block)) is None:
            lines = [*_item_lines(self.source, block, 0, len(self.source.text))]
            margins = {line["margin"] for line in lines}
            known = self._is_flat[block] = len(margins) == 1 and not any(line["nested"] for line in lines)
        return known


def _sizes_of(pieces: list[Piece], source: Source) -> dict[str, int]:
    """The characters of each kind of block in the pieces."""
    at = source.at
    sizes: dict[str, int] = {}
    for piece in pieces:
        block = piece.block
        if block is not None:
            kind = kind_of(source, block)
            sizes[kind] = sizes.get(kind, 0) + piece.end - max(piece.start, at[block.start])
            continue
        for block in piece.section.blocks:
            kind = kind_of(source, block)
            sizes[kind] = sizes.get(kind, 0) + at[block.end] - at[block.start]
    return sizes


def _blocks_of(pieces: list[Piece]) -> list[Block]:
    """The blocks that the pieces are cut from, each once."""
    blocks: dict[Block, None] = {}
    for piece in pieces:
        blocks |= dict.fromkeys(piece.section.blocks if piece.block is None else (piece.block,))
    return list(blocks)


def _content_type(sizes: dict[str, int]) -> str:
    shares: dict[str, int] = {}
    for kind, size in sizes.items():
        name = CONTENT_TYPES.get(kind, "text")
        shares[name] = shares.get(name, 0) + size
    if len(shares) < 2:
        return next(iter(shares), "text")
    name = max(shares, key=shares.__getitem__)
    return name if shares[name] >= DOMINANT_SHARE * sum(shares.values()) else "mixed"


def _reached(block: Block, at: list[int], start: int, end: int) -> Iterator[Block]:
    """The children of a block that overlap source[start:end], found without a look at the others."""
    children = block.children
    for i in range(bisect_right(children, start, key=lambda child: at[child.end]), len(children)):
        if at[children[i].start] >= end:
            break
        yield children[i]


def _fences(block: Block, at: list[int], start: int, end: int) -> Iterator[Block]:
    """The fences at any depth of a block that begin in source[start:end]."""
    for child in _reached(block, at, start, end):
        if child.kind == "fence" and at[child.start] >= start:
            yield child
        elif child.kind in CONTAINERS:
            yield from _fences(child, at, start, end)


@dataclass(slots=True)
class _ListCount:
    depth: int = 0
    items: int = 0
    done: int = 0
    open: int = 0
    types: dict[str, None] = field(default_factory=dict)

    def add(self, block: Block, depth: int, box: str | None) -> None:
        """Count an item of a list at a depth; `box` is what stands in its task box, None without one."""
        self.items += 1
        self.depth = max(self.depth, depth)
        if box is None:
            self.types["bullet" if block.info in _BULLETS else "ordered"] = None
        else:
            self.types["task"] = None
            self.done += box != " "
            self.open += box == " "


def _count_lines(source: Source, block: Block, start: int, end: int, count: _ListCount) -> None:
    """Count the items that begin in the span by their lines, without opening the list."""
    for line in _item_lines(source, block, start, end):
        count.add(block, 1, line["box"])


def _item_lines(source: Source, block: Block, start: int, end: int) -> Iterator[re.Match[str]]:
    at = source.at
    return _ITEM_LINE.finditer(source.text, max(at[block.start], start), min(at[block.end], end))


def _count_items(source: Source, block: Block, start: int, end: int, depth: int, count: _ListCount) -> None:
    """Count the items that begin in the span, at every depth."""
    at, text = source.at, source.text
    for item in _reached(block, at, start, end):
        if start <= at[item.start]:
            line = _ITEM_LINE.match(text, at[item.start])
            count.add(block, depth, line["box"] if line else None)
        if at[item.end] > start:
            for child in item.children:
                if child.kind == "list":
                    _count_items(source, child, start, end, depth + 1, count)


def _table_fields(document: Document, blocks: list[Block], start: int, end: int) -> dict[str, Any]:
    source, at = document.source, document.source.at
    extents = [extent(source, block, start, end) for block in blocks if is_table(source, block)]
    columns, rows = max(columns for columns, _ in extents), sum(rows for _, rows in extents)
    found = {name: count for name, count in (("table_columns", columns), ("table_rows", rows)) if count}
    groups = document.table_groups
    for group in groups[bisect_right(groups, start, key=lambda group: at[group[-1].end]) :]:
        if at[group[0].start] >= end:
            break
        together = sum(1 for table in group if start <= at[table.start] and at[table.end] <= end + 1)
        if together > 1:
            found["is_table_group"] = True
            found["table_group_count"] = together
    return found
