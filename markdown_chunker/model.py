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
    `start` and `end` are lines; `level` is 0 without a heading.
    `forced` says that a chunk begins here, come what may; without a heading it is then the rest of its parent, under
    the same path.
    """

    heading: Block | None
    level: int
    path: tuple[str, ...]
    parent: Section | None
    start: int
    end: int
    blocks: list[Block] = field(default_factory=list)
    forced: bool = False

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


class Chunk:
    """A finished chunk.

    `content` is `prefix` + the source from `start_offset` to `end_offset` + `suffix`; prefix and suffix are
    empty except for repeated context (a table's header rows, a fence opened or closed again).
    `start_line` and `end_line` are 1-based and inclusive; offsets are characters of the normalised text.
    """

    __slots__ = (
        "_describe",
        "_index",
        "_metadata",
        "content",
        "end_line",
        "end_offset",
        "prefix",
        "start_line",
        "start_offset",
        "suffix",
    )

    def __init__(
        self,
        content: str,
        start_line: int,
        end_line: int,
        start_offset: int,
        end_offset: int,
        metadata: dict[str, Any] | None = None,
        prefix: str = "",
        suffix: str = "",
        describe: Callable[[int], dict[str, Any]] | None = None,
        index: int = 0,
    ) -> None:
        self.content = content
        self.start_line = start_line
        self.end_line = end_line
        self.start_offset = start_offset
        self.end_offset = end_offset
        self.prefix = prefix
        self.suffix = suffix
        self._metadata = {} if metadata is None else metadata
        self._describe = describe  # tells the metadata of chunk `_index`, until it was asked
        self._index = index

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known of the chunk, see docs/metadata.md.

        It is worked out when the metadata of any chunk of the document is first asked for, for all of them at once;
        until then they keep the document in memory.
        """
        if describe := self._describe:  # read once: another thread may be settling it
            self._metadata = describe(self._index)
            self._describe = None
        return self._metadata

    def with_changes(self, **changes: Any) -> Chunk:
        """The same chunk but for `changes`, by the names of to_dict."""
        return Chunk(**{**self.to_dict(), **changes})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunk) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Chunk({', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Chunk, tuple(self.to_dict().values()))

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
        return {name: getattr(self, name) for name in _CHUNK_FIELDS}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Chunk:
        """A chunk from what to_dict gave; unknown keys are ignored."""
        return cls(**{name: values[name] for name in _CHUNK_FIELDS if name in values})


_CHUNK_FIELDS = (
    "content",
    "start_line",
    "end_line",
    "start_offset",
    "end_offset",
    "metadata",
    "prefix",
    "suffix",
)
