"""What a stretch of source is made of: content type, languages, code roles, lists, tables, formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .document import Document
from .model import CONTAINERS, Block
from .relations import CodeBlock, language_of
from .source import Source

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

_TASK = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\](?=[ \t]|\Z)")


class ContentReader:
    """Walks the document once, chunk after chunk; spans must come in order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.source = document.source
        self._block = 0
        self._code = 0

    def describe(self, start: int, end: int) -> dict[str, Any]:
        """The metadata that source[start:end] gives rise to; only fields that say something."""
        blocks = list(self._blocks(start, end))
        found: dict[str, Any] = {"content_type": _content_type(self.source, blocks, start, end)}
        kinds = {block.kind for block in blocks}
        if languages := self._languages(blocks, start, end):
            found["languages"] = languages
        if "fence" in kinds or "code" in kinds:
            found.update(self._codes(start, end))
        if "list" in kinds:
            found.update(_list_fields(self.source, blocks, start, end))
        if "table" in kinds:
            found.update(_table_fields(self.document, blocks, start, end))
        if "math" in kinds:
            found["has_math"] = True
        return found

    def _blocks(self, start: int, end: int) -> Iterator[Block]:
        at, blocks, i = self.source.at, self.document.blocks, self._block
        while i < len(blocks) and at[blocks[i].end] <= start:
            i += 1
        self._block = i
        while i < len(blocks) and at[blocks[i].start] < end:
            yield blocks[i]
            i += 1

    def _languages(self, blocks: list[Block], start: int, end: int) -> list[str]:
        names: dict[str, None] = {}
        for block in blocks:
            if block.kind == "fence":
                names[language_of(block.info)] = None
            elif block.kind in CONTAINERS and self._mentions_fence(block):
                for fence in _fences(block):
                    if start <= self.source.at[fence.start] < end:
                        names[language_of(fence.info)] = None
        names.pop("", None)
        return list(names)

    def _mentions_fence(self, block: Block) -> bool:
        text, start, end = self.source.text, self.source.at[block.start], self.source.at[block.end]
        return text.find("```", start, end) >= 0 or text.find("~~~", start, end) >= 0

    def _codes(self, start: int, end: int) -> dict[str, Any]:
        codes, links = self.document.codes, self.document.links
        first = self._code
        while first < len(codes) and codes[first].end <= start:
            first += 1
        after = first
        while after < len(codes) and codes[after].start < end:
            after += 1
        self._code = first
        inside = codes[first:after]
        found: dict[str, Any] = {"code_roles": list(dict.fromkeys(code.role for code in inside))}
        held = [link for link in links if first <= link.first and link.last < after] if len(inside) > 1 else []
        if held:
            found["code_relationship"] = min((link.relationship for link in held), key=RELATIONSHIPS.index)
            found["has_related_code"] = True
            found["related_code_count"] = len({n for link in held for n in (link.first, link.last)})
        if _is_explained(inside, start):
            found["explanation_bound"] = True
        return found


def _is_explained(codes: list[CodeBlock], start: int) -> bool:
    """Whether every code block here has the paragraph above it in the same chunk."""
    return bool(codes) and all(code.explanation > start for code in codes)


def _content_type(source: Source, blocks: list[Block], start: int, end: int) -> str:
    at = source.at
    shares: dict[str, int] = {}
    for block in blocks:
        kind = CONTENT_TYPES.get(block.kind, "text")
        shares[kind] = shares.get(kind, 0) + min(at[block.end], end) - max(at[block.start], start)
    if len(shares) < 2:
        return next(iter(shares), "text")
    kind = max(shares, key=lambda name: shares[name])
    return kind if shares[kind] >= DOMINANT_SHARE * sum(shares.values()) else "mixed"


def _fences(block: Block) -> Iterator[Block]:
    for child in block.children:
        if child.kind == "fence":
            yield child
        elif child.kind in CONTAINERS:
            yield from _fences(child)


@dataclass(slots=True)
class _ListCount:
    depth: int = 0
    items: int = 0
    done: int = 0
    open: int = 0
    types: dict[str, None] = field(default_factory=dict)


def _list_fields(source: Source, blocks: list[Block], start: int, end: int) -> dict[str, Any]:
    count = _ListCount()
    for block in blocks:
        if block.kind == "list":
            _count_items(source, block, start, end, 1, count)
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


def _count_items(source: Source, block: Block, start: int, end: int, depth: int, count: _ListCount) -> None:
    """Count the items that begin in the span, at every depth."""
    at = source.at
    for item in block.children:
        if at[item.start] >= end:
            break
        if at[item.end] <= start:
            continue
        if at[item.start] >= start:
            count.items += 1
            count.depth = max(count.depth, depth)
            task = _TASK.match(source.text, at[item.start], at[item.start + 1])
            if task:
                count.types["task"] = None
                count.done += task[1] != " "
                count.open += task[1] == " "
            else:
                count.types["bullet" if item.info[-1:] in ("-", "+", "*") else "ordered"] = None
        if item.end - item.start > 1:
            for child in item.children:
                if child.kind == "list":
                    _count_items(source, child, start, end, depth + 1, count)


def _table_fields(document: Document, blocks: list[Block], start: int, end: int) -> dict[str, Any]:
    source, at = document.source, document.source.at
    tables = [block for block in blocks if block.kind == "table"]
    rows = sum(sum(1 for line in range(table.start + 2, table.end) if start <= at[line] < end) for table in tables)
    found: dict[str, Any] = {"table_columns": max(_columns(source, table) for table in tables)}
    if rows:
        found["table_rows"] = rows
    for group in document.table_groups:
        together = sum(1 for table in group if start <= at[table.start] and at[table.end] <= end + 1)
        if together > 1:
            found["is_table_group"] = True
            found["table_group_count"] = together
    return found


def _columns(source: Source, table: Block) -> int:
    return source.line(table.start + 1).strip(" \t>").strip("|").count("|") + 1
