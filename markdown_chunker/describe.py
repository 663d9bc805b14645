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

_NESTED_ITEM = re.compile(r"\n[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]")
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
        blocks = self._blocks(start, end)
        kinds = {block.kind for block in blocks}
        found: dict[str, Any] = {"content_type": _content_type(self.source, blocks, start, end)}
        codes = self._codes(start, end) if "fence" in kinds or "code" in kinds else []
        languages = dict.fromkeys(code.language for code in codes)
        if not kinds.isdisjoint(CONTAINERS):
            languages |= dict.fromkeys(self._nested_languages(blocks, start, end))
        languages.pop("", None)
        if languages:
            found["languages"] = list(languages)
        if codes:
            found |= self._code_fields(codes, start)
        if "list" in kinds:
            found |= _list_fields(self.source, blocks, start, end)
        if "table" in kinds:
            found |= _table_fields(self.document, blocks, start, end)
        if "math" in kinds:
            found["has_math"] = True
        return found

    def _blocks(self, start: int, end: int) -> list[Block]:
        at, blocks, first = self.source.at, self.document.blocks, self._block
        while first < len(blocks) and at[blocks[first].end] <= start:
            first += 1
        after = first
        while after < len(blocks) and at[blocks[after].start] < end:
            after += 1
        self._block = first
        return blocks[first:after]

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
                span = at[block.start], at[block.end]
                if text.find("```", *span) >= 0 or text.find("~~~", *span) >= 0:
                    yield from (language_of(f.info) for f in _fences(block) if start <= at[f.start] < end)

    def _code_fields(self, codes: list[CodeBlock], start: int) -> dict[str, Any]:
        found: dict[str, Any] = {"code_roles": list(dict.fromkeys(code.role for code in codes))}
        first, after = self._code, self._code + len(codes)
        links = self.document.links if len(codes) > 1 else []
        held = [link for link in links if first <= link.first and link.last < after]
        if held:
            found["code_relationship"] = min((link.relationship for link in held), key=RELATIONSHIPS.index)
            found["has_related_code"] = True
            found["related_code_count"] = len({n for link in held for n in (link.first, link.last)})
        if all(code.explanation > start for code in codes):
            found["explanation_bound"] = True
        return found


def _content_type(source: Source, blocks: list[Block], start: int, end: int) -> str:
    at = source.at
    shares: dict[str, int] = {}
    for block in blocks:
        kind = CONTENT_TYPES.get(block.kind, "text")
        shares[kind] = shares.get(kind, 0) + at[block.end] - at[block.start]
    if len(shares) < 2:
        return next(iter(shares), "text")
    for block, outside in ((blocks[0], start - at[blocks[0].start]), (blocks[-1], at[blocks[-1].end] - end)):
        shares[CONTENT_TYPES.get(block.kind, "text")] -= max(0, outside)
    kind = max(shares, key=shares.__getitem__)
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
        if item.end - item.start > 1 and _NESTED_ITEM.search(source.text, at[item.start + 1] - 1, at[item.end]):
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
