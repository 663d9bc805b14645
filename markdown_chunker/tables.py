"""Tables, whether in pipes or in HTML: which blocks they are, and how many columns and rows they have."""

from __future__ import annotations

import re
from bisect import bisect_left

from .model import Block, Kind
from .source import Source

_TABLE = re.compile(r"[ \t]*<table\b", re.I)
_ROW_START = re.compile(r"<!--|<tr\b", re.I)
_ROW = re.compile(r"<tr\b[^<>]*+>(?:[^<]|<(?!/?(?:tr|table)\b))*+(?P<nested><table\b)?", re.I)
_CELL = re.compile(r"<t([dh])\b([^<>]*+)>", re.I)
_SPANNED = re.compile(r"\bcolspan\s*=\s*[\"']?(\d{1,3})\b", re.I)


def is_table(source: Source, block: Block) -> bool:
    """Whether a block is a table; an HTML block is one if it begins with the tag."""
    if block.kind != "html":
        return block.kind == "table"
    return _TABLE.match(source.text, source.at[block.start]) is not None


def kind_of(source: Source, block: Block) -> Kind:
    """The kind of a block, HTML tables taken for tables."""
    kind = block.kind
    return "table" if kind == "html" and is_table(source, block) else kind


def extent(source: Source, table: Block, start: int, end: int) -> tuple[int, int]:
    """The columns of a table, and the rows without headers of it that begin in source[start:end].

    Those of an HTML table are counted as far as its rows begin there; (0, 0) where tables lie inside others.
    """
    if table.kind == "html":
        return _html_extent(source, table, start, end)
    at = source.at
    rows = min(table.end, bisect_left(at, end)) - max(table.start + 2, bisect_left(at, start))
    return source.line(table.start + 1).strip(" \t>").strip("|").count("|") + 1, max(0, rows)


def _html_extent(source: Source, table: Block, start: int, end: int) -> tuple[int, int]:
    text, stop = source.text, source.at[table.end]
    pos, end = max(start, source.at[table.start]), min(end, stop)
    columns = rows = 0
    while opening := _ROW_START.search(text, pos, end):
        pos = opening.end()
        if opening[0] == "<!--":
            closed = text.find("-->", pos, stop)
            pos = closed if closed >= 0 else stop
            continue
        row = _ROW.match(text, opening.start(), stop)
        if row is None:
            continue
        if row["nested"]:
            return 0, 0
        cells = _CELL.findall(row[0])
        columns = max(columns, sum(_span(attributes) for _, attributes in cells))
        rows += any(kind in "dD" for kind, _ in cells)
    return columns, rows


def _span(attributes: str) -> int:
    spanned = _SPANNED.search(attributes) if attributes else None
    return max(1, int(spanned[1])) if spanned else 1
