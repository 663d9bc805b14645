"""The chunks under the sections they stand in, as a tree with one root.

Leaves are exactly the chunks of `chunk_markdown`.  Above them stands one node for each section that holds more than
one of them, and the root.  Parents go by the sections themselves, never by their titles.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from .annotate import identity
from .chunker import Run, run
from .model import Chunk, Section
from .options import ChunkConfig
from .overview import Overviews

#: Levels are 0 document, 1 section, 2 subsection, and 3 for all that lies deeper.
DEEPEST_LEVEL = 3
_PREVIEW = 100


def chunk_hierarchical(text: str, config: ChunkConfig | None = None) -> HierarchicalChunkingResult:
    """The tree of a document.  Text of white space alone has no nodes and no root."""
    config = config or ChunkConfig()
    done = run(text, config)
    if not done.chunks:
        return HierarchicalChunkingResult([], [], done.strategy)
    return _Tree(done, config).result()


class HierarchicalChunkingResult:
    """A tree of chunks and the ways through it.

    `chunks` are the root, then all nodes depth first in reading order; `root_id` is "" when there are none.
    A method that takes an id raises KeyError for one that is not in the tree.
    """

    __slots__ = ("_by_id", "_by_level", "_flat", "chunks", "root_id", "strategy_used")

    def __init__(self, chunks: list[Chunk], flat: list[Chunk], strategy: str) -> None:
        self.chunks = chunks
        self.root_id: str = chunks[0].metadata["chunk_id"] if chunks else ""
        self.strategy_used = strategy
        self._flat = flat
        self._by_id = {chunk.metadata["chunk_id"]: chunk for chunk in chunks}
        self._by_level: dict[int, list[Chunk]] = {}
        for chunk in chunks:
            self._by_level.setdefault(chunk.metadata["hierarchy_level"], []).append(chunk)

    def get_chunk(self, chunk_id: str) -> Chunk:
        """The node with this id."""
        if (chunk := self._by_id.get(chunk_id)) is None:
            raise KeyError(f"no node has the chunk_id {chunk_id!r}")
        return chunk

    def get_children(self, chunk_id: str) -> list[Chunk]:
        """The nodes right below, in reading order; none for a leaf."""
        return [self._by_id[child] for child in self.get_chunk(chunk_id).metadata.get("children_ids", ())]

    def get_parent(self, chunk_id: str) -> Chunk | None:
        """The node right above; None for the root."""
        parent = self.get_chunk(chunk_id).metadata.get("parent_id")
        return self._by_id[parent] if parent else None

    def get_ancestors(self, chunk_id: str) -> list[Chunk]:
        """The nodes above, from the parent to the root."""
        ancestors = []
        above = self.get_parent(chunk_id)
        while above:
            ancestors.append(above)
            above = self.get_parent(above.metadata["chunk_id"])
        return ancestors

    def get_siblings(self, chunk_id: str) -> list[Chunk]:
        """All nodes with the same parent, the node itself included, in reading order."""
        parent = self.get_parent(chunk_id)
        return self.get_children(parent.metadata["chunk_id"]) if parent else [self.get_chunk(chunk_id)]

    def get_flat_chunks(self) -> list[Chunk]:
        """What `chunk_markdown` gives: every chunk, without the fields that place it in the tree."""
        return list(self._flat)

    def get_by_level(self, level: int) -> list[Chunk]:
        """The nodes of one hierarchy_level, in reading order."""
        return list(self._by_level.get(level, ()))

    def to_tree_dict(self) -> dict[str, Any]:
        """The tree as nested plain values, for a look at it; {} if there is none."""
        return self._tree_of(self.chunks[0]) if self.chunks else {}

    def _tree_of(self, chunk: Chunk) -> dict[str, Any]:
        chunk_id = chunk.metadata["chunk_id"]
        return {
            "id": chunk_id,
            "content_preview": chunk.content[:_PREVIEW],
            "header_path": list(chunk.metadata["header_path"]),
            "level": chunk.metadata["hierarchy_level"],
            "children": [self._tree_of(child) for child in self.get_children(chunk_id)],
        }


class _Tree:
    """Grows the tree leaf by leaf; a node is known by its position in `nodes`."""

    def __init__(self, done: Run, config: ChunkConfig) -> None:
        self.run = done
        self.source = done.document.source
        self.sections = done.document.sections
        self.overviews = Overviews(self.source, self.sections, config)
        self.ends = _ends(self.sections, len(self.source.at) - 1)
        self.owners = done.owners()
        self.shares = _shares(self.owners)
        self.seen: dict[str, int] = {}
        self.nodes: list[Chunk] = []
        self.parents: list[int] = []
        self.children: list[list[int]] = []
        self.places: dict[int, int] = {}

    def result(self) -> HierarchicalChunkingResult:
        """The whole tree."""
        self._add(self._root(), -1)
        for chunk, owner in zip(self.run.chunks, self.owners, strict=True):
            parent = self._place(owner)
            self._add(chunk.with_changes(metadata={**chunk.metadata, "is_leaf": True, "indexable": True}), parent)
        self._link()
        return HierarchicalChunkingResult(self.nodes, self.run.chunks, self.run.strategy)

    def _place(self, section: Section | None) -> int:
        """The nearest node at or above a section; what is not there yet is added."""
        while section and (section.heading is None or self.shares[id(section)] < 2):
            section = section.parent
        if section is None:
            return 0
        if (place := self.places.get(id(section))) is None:
            parent = self._place(section.parent)
            place = self.places[id(section)] = self._add(self._section(section), parent)
        return place

    def _add(self, node: Chunk, parent: int) -> int:
        position = len(self.nodes)
        level = min(self.nodes[parent].metadata["hierarchy_level"] + 1, DEEPEST_LEVEL) if position else 0
        node.metadata["hierarchy_level"] = level
        self.nodes.append(node)
        self.parents.append(parent)
        self.children.append([])
        if position:
            self.children[parent].append(position)
        return position

    def _link(self) -> None:
        """Write parent, children and neighbours into the metadata; what a node does not have is left out."""
        metadata = [node.metadata for node in self.nodes]
        ids = [values["chunk_id"] for values in metadata]
        for parent, children in enumerate(self.children):
            if children:
                metadata[parent]["children_ids"] = [ids[child] for child in children]
            for child in children:
                metadata[child]["parent_id"] = ids[parent]
            for left, right in pairwise(children):
                metadata[left]["next_sibling_id"] = ids[right]
                metadata[right]["prev_sibling_id"] = ids[left]

    def _root(self) -> Chunk:
        return self._node("document", None, self.overviews.of_document(), 0, len(self.source.at) - 1)

    def _section(self, section: Section) -> Chunk:
        content = self.overviews.of_section(section)
        return self._node("section", section, content, section.start, self.ends[id(section)])

    def _node(self, role: str, section: Section | None, content: str, start: int, end: int) -> Chunk:
        """A node that stands for the lines [start, end)."""
        source, path = self.source, section.path if section else ()
        last = max(start, source.line_of(source.trim(source.at[start], source.at[end]) - 1))
        metadata: dict[str, Any] = {
            "chunk_id": identity(path, f"\x1d{role}\x1d{content}", self.seen),
            "content_type": "text",
            "strategy": self.run.strategy,
            "start_line": start + 1,
            "end_line": last + 1,
            "header_path": list(path),
            "header_level": section.level if section else 0,
            **({"indexable": True} if section else {"is_root": True}),
        }
        return Chunk(content, start + 1, last + 1, source.at[start], source.at[end], metadata)


def _shares(owners: list[Section | None]) -> Counter[int]:
    """How many chunks stand wholly in each section and the sections below it."""
    shares: Counter[int] = Counter()
    for owner in owners:
        while owner:
            shares[id(owner)] += 1
            owner = owner.parent
    return shares


def _ends(sections: list[Section], last: int) -> dict[int, int]:
    """For each section the line after the last of those below it; `last` is the line after the document's last."""
    ends = {id(section): last for section in sections[-1:]}
    for section in reversed(sections):
        end = ends.setdefault(id(section), section.end)
        if section.parent:
            ends[id(section.parent)] = max(ends.get(id(section.parent), section.parent.end), end)
    return ends
