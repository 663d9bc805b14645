"""What holds for the tree of every document: `check` raises AssertionError where it does not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from markdown_chunker import Chunk, ChunkConfig, HierarchicalChunkingResult, chunk_hierarchical, chunk_markdown


def id_of(chunk: Chunk) -> str:
    return str(chunk.metadata["chunk_id"])


def check(text: str, config: ChunkConfig) -> None:
    result = chunk_hierarchical(text, config)
    flat = chunk_markdown(text, config)
    if not flat:
        assert not result.chunks
        return
    links_agree(result)
    leaves_are_the_chunks(result, flat)
    nodes_are_sound(result, config)
    ways_agree(result)


def links_agree(result: HierarchicalChunkingResult) -> None:
    """One root; parents and children name each other; siblings chain in order; levels grow by one, up to 3."""
    by_id = {id_of(chunk): chunk.metadata for chunk in result.chunks}
    assert len(by_id) == len(result.chunks)
    assert [name for name, metadata in by_id.items() if "parent_id" not in metadata] == [result.root_id]
    assert [name for name, metadata in by_id.items() if "is_root" in metadata] == [result.root_id]
    assert by_id[result.root_id]["hierarchy_level"] == 0
    for name, metadata in by_id.items():
        children = metadata.get("children_ids", [])
        assert bool(children) != ("is_leaf" in metadata)
        for child in children:
            assert by_id[child]["parent_id"] == name
            assert by_id[child]["hierarchy_level"] == min(metadata["hierarchy_level"] + 1, 3)
        for left, right in pairwise([None, *children, None]):
            assert left is None or by_id[left].get("next_sibling_id") == right
            assert right is None or by_id[right].get("prev_sibling_id") == left
    assert len(by_id) == 1 + sum(len(metadata.get("children_ids", ())) for metadata in by_id.values())
    assert not [
        name for metadata in by_id.values() for name in TREE_FIELDS if metadata.get(name, True) in ("", None, [])
    ]


TREE_FIELDS = ("parent_id", "children_ids", "prev_sibling_id", "next_sibling_id", "is_root", "is_leaf", "indexable")


def leaves_are_the_chunks(result: HierarchicalChunkingResult, flat: list[Chunk]) -> None:
    """In the same order, with the same text and place; and the nodes stand depth first."""
    assert result.get_flat_chunks() == flat
    leaves = [chunk for chunk in result.chunks if "is_leaf" in chunk.metadata]
    assert [bare(leaf) for leaf in leaves] == [bare(chunk) for chunk in flat]
    for leaf, chunk in zip(leaves, flat, strict=True):
        assert chunk.metadata.items() <= leaf.metadata.items()
    assert [id_of(chunk) for chunk in result.chunks] == list(depth_first(result, result.root_id))


def bare(chunk: Chunk) -> dict[str, Any]:
    return {**chunk.to_dict(), "metadata": id_of(chunk)}


def depth_first(result: HierarchicalChunkingResult, name: str) -> list[str]:
    return [name] + [below for child in result.get_children(name) for below in depth_first(result, id_of(child))]


def nodes_are_sound(result: HierarchicalChunkingResult, config: ChunkConfig) -> None:
    """Every node above the chunks says something within the limit, and stands where its section does."""
    for chunk in result.chunks:
        if "is_leaf" in chunk.metadata:
            continue
        assert chunk.content.strip() or not result.chunks[-1].content.strip()
        assert config.measure(chunk.content) <= config.max_chunk_size or len(chunk.content) == 1
        assert (chunk.start_line, chunk.end_line) == (chunk.metadata["start_line"], chunk.metadata["end_line"])
        path = chunk.metadata["header_path"]
        assert ("is_root" in chunk.metadata) == (not path)
        for child in result.get_children(id_of(chunk)):
            assert child.metadata["header_path"][: len(path)] == path
            if "is_leaf" in child.metadata:  # may begin or end with a heading without text of its own
                assert child.start_offset < chunk.end_offset
                assert chunk.start_offset < child.end_offset
            else:
                assert len(child.metadata["header_path"]) > len(path)
                assert chunk.start_line <= child.start_line <= child.end_line <= chunk.end_line
                assert chunk.start_offset <= child.start_offset < child.end_offset <= chunk.end_offset
    sections = [chunk for chunk in result.chunks if not {"is_leaf", "is_root"} & set(chunk.metadata)]
    assert all(len(leaves_below(result, section)) > 1 for section in sections)


def leaves_below(result: HierarchicalChunkingResult, chunk: Chunk) -> list[str]:
    below = depth_first(result, id_of(chunk))
    return [name for name in below if "is_leaf" in result.get_chunk(name).metadata]


def ways_agree(result: HierarchicalChunkingResult) -> None:
    """The methods of navigation tell the same story."""
    levels: list[Chunk] = []
    for level in range(5):
        levels += result.get_by_level(level)
    assert sorted(map(id_of, levels)) == sorted(map(id_of, result.chunks))
    for chunk in result.chunks:
        name = id_of(chunk)
        assert result.get_chunk(name) is chunk
        parent = result.get_parent(name)
        above = result.get_ancestors(name)
        siblings = result.get_siblings(name)
        assert siblings.count(chunk) == 1
        if parent is None:
            assert (name, above, siblings) == (result.root_id, [], [chunk])
            continue
        assert siblings == result.get_children(id_of(parent))
        assert above == [parent, *result.get_ancestors(id_of(parent))]
        assert id_of(above[-1]) == result.root_id
        at = siblings.index(chunk)
        assert chunk.metadata.get("next_sibling_id") == (id_of(siblings[at + 1]) if at + 1 < len(siblings) else None)
