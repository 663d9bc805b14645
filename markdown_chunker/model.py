"""What flows through the pipeline: Block → Section → Piece → Chunk.

Lines are 0-based and half-open here; `Chunk` counts them from 1, inclusive.
Offsets are characters of the normalised text, half-open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal[
    "heading",
    "paragraph",
    "list",
    "item",
    "quote",
    "fence",
    "code",
    "table",
    "html",
    "math",
    "hr",
    "reference",
    "front_matter",
    "footnote",
    "definition",
    "details",
    "directive",
]

#: Kinds that hold other blocks.
CONTAINERS = frozenset({"list", "item", "quote", "footnote", "details", "directive"})


@dataclass(slots=True, eq=False)
class Block:
    """A block of the document and the lines it covers (0-based, half-open).

    `level` is a heading's level, 1 to 6.  `info` is a fence's info string, a list's or item's
    marker, an alert's or directive's name.  A container reads its children when first asked.
    """

    kind: Kind
    start: int
    end: int
    level: int = 0
    info: str = ""
    _open: Callable[[], list[Block]] | None = None
    _children: list[Block] | None = None

    @property
    def children(self) -> list[Block]:
        """The blocks inside a container, in order; empty for a leaf."""
        if self._children is None:
            self._children = self._open() if self._open else []
            self._open = None
        return self._children


@dataclass(slots=True, eq=False)
class Section:
    """A heading with the blocks below it, up to the next heading; the first may have no heading.

    `path` is the chain of titles from the outermost real ancestor down to this heading, as plain text.
    `start` and `end` are lines; `level` is 0 without a heading.  `sizes` are the characters of its blocks by kind.
    `forced` says that a chunk begins here, come what
    may; without a heading it is then the rest of its parent, under the same path.
    """

    heading: Block | None
    level: int
    path: tuple[str, ...]
    parent: Section | None
    start: int
    end: int
    blocks: list[Block] = field(default_factory=list)
    forced: bool = False
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def continues(self) -> bool:
        """Whether this is the rest of its parent, below a forced cut."""
        return self.forced and self.heading is None


#: What lies before a piece, from the place where a cut hurts least to where it hurts most.
Seam = Literal[
    "section",  # a heading; depth is its level
    "marker",  # a line that the user chose as a forced cut: always cut
    "block",  # between two blocks of a section
    "item",  # between list items; depth is the nesting
    "child",  # between the inner blocks of a container
    "gap",  # at a blank line inside code; depth is the indentation
    "row",  # between table rows, or rows and items of HTML
    "sentence",
    "line",  # between lines; depth is the indentation
    "lead",  # between an item's first line and what hangs on it
    "clause",
    "word",
    "grapheme",
]


@dataclass(slots=True, eq=False)
class Piece:
    """A run of source that is not cut further: [start, end) in offsets, without trailing blank lines.

    A chunk that starts with this piece starts with `prefix`; one that ends with it ends with `suffix`.
    `block` is the top-level block it is cut from, None when it holds a whole section.
    `depth` belongs to `seam`, the seam before the piece.
    """

    start: int
    end: int
    seam: Seam
    depth: int
    section: Section
    block: Block | None = None
    prefix: str = ""
    suffix: str = ""
    oversize_reason: str = ""
    #: Nothing may stand above it in its chunk.
    apart: bool = False


@dataclass(slots=True, frozen=True)
class Chunk:
    """A finished chunk.

    `content` is `prefix` + the source from `start_offset` to `end_offset` + `suffix`; prefix and suffix are
    empty except for repeated context (a table's header rows, a fence opened or closed again).
    `start_line` and `end_line` are 1-based and inclusive; offsets are characters of the normalised text.
    """

    content: str
    start_line: int
    end_line: int
    start_offset: int
    end_offset: int
    metadata: dict[str, Any] = field(default_factory=dict)
    prefix: str = ""
    suffix: str = ""

    @property
    def size(self) -> int:
        """Length of the content in characters."""
        return len(self.content)

    @property
    def line_count(self) -> int:
        """How many source lines the chunk covers."""
        return self.end_line - self.start_line + 1

    @property
    def content_type(self) -> str:
        """text, code, list, table, math, html or mixed."""
        return str(self.metadata.get("content_type", "text"))

    @property
    def strategy(self) -> str:
        """The strategy that cut it."""
        return str(self.metadata.get("strategy", ""))

    @property
    def is_oversize(self) -> bool:
        """Whether it holds a block that was kept whole over the limit."""
        return "oversize_reason" in self.metadata

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values; the inverse of from_dict."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Chunk:
        """A chunk from what to_dict gave; unknown keys are ignored."""
        return cls(**{name: values[name] for name in cls.__slots__ if name in values})
