"""Real text of the neighbours, for those who ask for overlap: cut at a block, item, sentence or word.

What would be torn by the cut, such as a fence, a table or an image, is left out instead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Any

from .blocks import read_blocks
from .document import Document
from .model import Block, Chunk
from .options import ChunkConfig
from .prose import head_end, tail_start
from .sections import read_sections
from .source import Source

_PROSE = frozenset({"paragraph", "quote", "footnote", "definition"})


def overlaps(document: Document, contents: list[str], spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """For each chunk the metadata with the end of the one before and the beginning of the one after.

    `spans` are where the chunks' own texts stand in the source, without the context repeated around them.
    Each overlap is at most `chunk_overlap`, and at most `overlap_cap_ratio` of the chunk that it is taken from.
    """
    fields: list[dict[str, Any]] = [{} for _ in spans]
    if document.config.chunk_overlap and len(spans) > 1:
        neighbours = Neighbours(document)
        texts = list(zip(contents, spans, strict=True))
        for i, (before, after) in enumerate(pairwise(texts)):
            if head := neighbours.head_of(*after):
                fields[i]["next_content"] = head
            if tail := neighbours.tail_of(*before):
                fields[i + 1] = _previous(tail)
    return fields


def join(before: Chunk, after: Chunk, tail: str, head: str) -> None:
    """Write the end of `before` and the beginning of `after` into each other's metadata, where it would stand."""
    if tail:
        below = after.metadata.pop("next_content", "")
        after.metadata.update(_previous(tail) | ({"next_content": below} if below else {}))
    if head:
        before.metadata["next_content"] = head


def _previous(tail: str) -> dict[str, Any]:
    return {"previous_content": tail, "overlap_size": len(tail)}


class Neighbours:
    """Takes heads and tails of spans of one document."""

    def __init__(self, document: Document) -> None:
        self.config = document.config
        self.source = document.source
        self.blocks = list(document.all_blocks)
        self._starts = [self.source.at[block.start] for block in self.blocks]

    def tail_of(self, content: str, span: tuple[int, int]) -> str:
        """The end of a chunk that the one after it may repeat."""
        return self.tail(*span, self._most(content, span))

    def head_of(self, content: str, span: tuple[int, int]) -> str:
        """The beginning of a chunk that the one before it may repeat."""
        return self.head(*span, self._most(content, span))

    def _most(self, content: str, span: tuple[int, int]) -> int:
        """How many characters of a neighbour may be repeated."""
        wanted, measure = self.config.chunk_overlap, self.config.measure
        if measure is not len:
            wanted = wanted * len(content) // max(1, measure(content))
        return min(wanted, int((span[1] - span[0]) * self.config.overlap_cap_ratio))

    def tail(self, start: int, end: int, most: int) -> str:
        """The last whole parts of source[start:end], at most `most` characters; may be empty."""
        begin = end
        for i in range(bisect_left(self._starts, end) - 1, -1, -1):
            block, at = self.blocks[i], max(self._starts[i], start)
            if self.source.at[block.end] <= start:
                break
            torn = self._starts[i] < start and block.kind != "list" and block.kind not in _PROSE
            if not torn and end - at <= most:
                begin = at
                continue
            if block.kind == "list":
                begin = self._item_from(block, max(end - most, start), begin)
            elif block.kind in _PROSE:
                inner_end = min(self.source.at[block.end], begin)
                begin = min(begin, self._tail_of_prose(at, inner_end, most - (end - inner_end)))
            break
        return self.source.text[begin:end].lstrip("\n").rstrip()

    def head(self, start: int, end: int, most: int) -> str:
        """The first whole parts of source[start:end], at most `most` characters; never ends in a heading."""
        stop = start
        for i in range(max(0, bisect_right(self._starts, start) - 1), len(self.blocks)):
            block, at = self.blocks[i], max(self._starts[i], start)
            close = self.source.trim(at, min(self.source.at[block.end], end))
            if close <= start:
                continue
            if at >= end:
                break
            torn = self._starts[i] < start or self.source.at[block.end] > end + 1
            if close - start <= most and not (torn and block.kind not in _PROSE and block.kind != "list"):
                stop = stop if block.kind == "heading" else close
                continue
            if block.kind == "list":
                stop = self._item_up_to(block, start, start + most, stop)
            elif block.kind in _PROSE and most > at - start:
                cut = head_end(self.source.text, at, close, most - (at - start))
                stop = cut if cut - at >= most // 4 else stop  # a word or two of a paragraph say nothing
            break
        return self.source.text[start:stop].lstrip("\n").rstrip()

    def _tail_of_prose(self, start: int, end: int, most: int) -> int:
        return tail_start(self.source.text, start, end, most) if most > 0 else end

    def _item_from(self, block: Block, offset: int, default: int) -> int:
        """Where the first item begins that begins at `offset` or below."""
        items, at = block.children, self.source.at
        i = bisect_left(items, offset, key=lambda item: at[item.start])
        return min(default, at[items[i].start]) if i < len(items) else default

    def _item_up_to(self, block: Block, start: int, most: int, default: int) -> int:
        """Where the last item ends that is followed by another, below `start` and up to `most`."""
        items, at = block.children, self.source.at
        i = bisect_right(items, most + 1, key=lambda item: at[item.start]) - 1
        return at[items[i].start] - 1 if i >= 0 and at[items[i].start] - 1 > start else default


def trimmed_tail(text: str, most: int) -> str:
    """The end of a text, at most `most` characters, nothing torn."""
    return text if len(text) <= most else _alone(text).tail(0, len(text), most)


def trimmed_head(text: str, most: int) -> str:
    """The beginning of a text, at most `most` characters, nothing torn."""
    return text if len(text) <= most else _alone(text).head(0, len(text), most)


def _alone(text: str) -> Neighbours:
    source = Source(text)
    return Neighbours(Document(source, read_sections(source, read_blocks(text)), ChunkConfig()))
