"""The tree over the chunks: what stands where, and the ways through it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from markdown_chunker import Chunk, ChunkConfig, HierarchicalChunkingResult, chunk_hierarchical, chunk_markdown

P = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. "

MANUAL = f"""# Pump manual

Read this first.

## Install

{P * 6}

### On a wall

{P * 6}

## Operate

{P * 6}
"""


def tree(text: str, size: int = 300, least: int = 10, **options: Any) -> HierarchicalChunkingResult:
    return chunk_hierarchical(text, ChunkConfig(max_chunk_size=size, min_chunk_size=least, **options))


def drawn(result: HierarchicalChunkingResult) -> list[str]:
    """One line a node: indented by depth, `*` for a leaf, the path, the source lines."""

    def draw(chunk: Chunk, depth: int) -> None:
        metadata = chunk.metadata
        mark = "*" if "is_leaf" in metadata else "-"
        where = f"{chunk.start_line}-{chunk.end_line}"
        lines.append(f"{'  ' * depth}{mark} {'/'.join(metadata['header_path'])} {where}")
        for child in result.get_children(metadata["chunk_id"]):
            draw(child, depth + 1)

    lines: list[str] = []
    if result.chunks:
        draw(result.chunks[0], 0)
    return lines


def leaf_with(result: HierarchicalChunkingResult, text: str) -> Chunk:
    [leaf] = [chunk for chunk in result.chunks if "is_leaf" in chunk.metadata and text in chunk.content]
    return leaf


def parent_of(result: HierarchicalChunkingResult, chunk: Chunk) -> Chunk:
    parent = result.get_parent(chunk.metadata["chunk_id"])
    assert parent is not None
    return parent


# --- shape -----------------------------------------------------------------------------------------------


def test_the_tree_follows_the_headings() -> None:
    assert drawn(tree(MANUAL, 400)) == [
        "-  1-15",
        "  - Pump manual 1-15",
        "    * Pump manual 1-3",
        "    - Pump manual/Install 5-11",
        "      * Pump manual/Install 5-7",
        "      * Pump manual/Install/On a wall 9-11",
        "    * Pump manual/Operate 13-15",
    ]


def test_section_nodes_say_what_is_below_them() -> None:
    result = tree(MANUAL, 400)
    root, manual, install = (chunk for chunk in result.chunks if "is_leaf" not in chunk.metadata)
    assert root.content == "# Pump manual\n\n- Install\n  - On a wall\n- Operate"
    assert manual.content == "# Pump manual\n\n- Install\n  - On a wall\n- Operate"
    assert install.content == "## Install\n\n- On a wall"


def test_every_field_of_every_kind_of_node() -> None:
    result = tree(MANUAL, 400)
    root, manual, first, install, *_ = (chunk.metadata for chunk in result.chunks)
    assert root == {
        "chunk_id": result.root_id,
        "content_type": "text",
        "strategy": result.strategy_used,
        "start_line": 1,
        "end_line": 15,
        "header_path": [],
        "header_level": 0,
        "is_root": True,
        "hierarchy_level": 0,
        "children_ids": [manual["chunk_id"]],
    }
    assert install == {
        "chunk_id": install["chunk_id"],
        "content_type": "text",
        "strategy": result.strategy_used,
        "start_line": 5,
        "end_line": 11,
        "header_path": ["Pump manual", "Install"],
        "header_level": 2,
        "indexable": True,
        "hierarchy_level": 2,
        "parent_id": manual["chunk_id"],
        "prev_sibling_id": first["chunk_id"],
        "next_sibling_id": manual["children_ids"][2],
        "children_ids": install["children_ids"],
    }
    flat = chunk_markdown(MANUAL, ChunkConfig(max_chunk_size=400, min_chunk_size=10))[0]
    assert first == {
        **flat.metadata,
        "is_leaf": True,
        "indexable": True,
        "hierarchy_level": 2,
        "parent_id": manual["chunk_id"],
        "next_sibling_id": install["chunk_id"],
    }


def test_levels_stop_at_three() -> None:
    text = "".join(f"{'#' * n} H{n}\n\n{P * 5}\n\n" for n in range(1, 7)) + P * 5
    levels = [chunk.metadata["hierarchy_level"] for chunk in tree(text).chunks]
    assert levels[0] == 0
    assert max(levels) == 3
    assert set(levels) == {0, 1, 2, 3}


def test_leaves_are_the_flat_chunks() -> None:
    config = ChunkConfig(max_chunk_size=400, min_chunk_size=10)
    result = chunk_hierarchical(MANUAL, config)
    flat = chunk_markdown(MANUAL, config)
    assert result.get_flat_chunks() == flat
    leaves = [chunk for chunk in result.chunks if "is_leaf" in chunk.metadata]
    assert [leaf.content for leaf in leaves] == [chunk.content for chunk in flat]
    assert all(chunk.metadata.items() <= leaf.metadata.items() for chunk, leaf in zip(flat, leaves, strict=True))


def test_a_chunk_of_two_small_sections_hangs_on_what_is_above_both() -> None:
    text = f"# Doc\n\n{P * 5}\n\n## A\n\ntiny\n\n## B\n\ntiny\n\n## C\n\n{P * 5}\n"
    result = tree(text, 300, 100)
    merged = leaf_with(result, "## A")
    assert "## B" in merged.content
    assert merged.metadata["header_path"] == ["Doc"]
    assert parent_of(result, merged).metadata["header_path"] == ["Doc"]


def test_text_before_the_first_heading_hangs_on_the_root() -> None:
    result = tree(f"{P * 5}\n\n{P * 5}\n\n# A\n\n{P * 5}\n\n{P * 5}\n")
    assert drawn(result) == ["-  1-9", "  *  1-1", "  *  3-3", "  - A 5-9", "    * A 5-7", "    * A 9-9"]


def test_a_document_of_one_chunk() -> None:
    result = tree("# A\n\ntext\n")
    assert drawn(result) == ["-  1-3", "  * A 1-3"]


def test_white_space_alone_gives_an_empty_result() -> None:
    result = tree(" \n\t\n")
    assert (result.chunks, result.root_id, result.get_flat_chunks()) == ([], "", [])
    assert result.to_tree_dict() == {}
    assert result.get_by_level(0) == []


# --- what the root is called ------------------------------------------------------------------------------

ROOTS = {
    "---\ntitle: The guide\n---\n\n# One\n\ntext\n\n# Two\n\ntext\n": "# The guide\n\n- One\n- Two",
    "# Only\n\n## A\n\n### B\n\ntext\n\n## C\n\ntext\n": "# Only\n\n- A\n  - B\n- C",
    "# One\n\ntext\n\n# Two\n\ntext\n": "# One\n\n- One\n- Two",
    "## Low\n\ntext\n\n# Top\n\ntext\n": "# Top\n\n- Low\n- Top",
    "## Low\n\ntext\n\n## Other\n\ntext\n": "# Low\n\n- Low\n- Other",
    "---\ntitle: Only\n---\n\n# Only\n\n## A\n\ntext\n": "# Only\n\n- A",
    "No heading here.  But two sentences.\nAnd more.": "No heading here.  But two sentences.",
    f"{P * 20}": P.strip() + " " + P.strip() + " " + P.strip(),
    "```python\nprint(1)\n```\n": "print(1)",
    "---\nauthor: x\n---\n\nHello.\n": "Hello.",
    "---\nauthor: x\n---\n": "---\nauthor: x\n---",
    "***\n": "***",
    "#\n\n- a\n": "- a",
    "#\n": "#",
}


@pytest.mark.parametrize(("text", "content"), ROOTS.items())
def test_the_root_says_what_the_document_is(text: str, content: str) -> None:
    assert tree(text, 1000).chunks[0].content == content


def test_an_outline_that_is_too_long_loses_its_deepest_level_first() -> None:
    text = "# Doc\n\n" + "".join(f"## Chapter {n}\n\n### Detail {n}\n\ntext\n\n" for n in range(5))
    contents = [tree(text, size).chunks[0].content for size in (400, 100, 40, 10, 3)]
    assert contents[0].count("\n  - Detail") == 5
    assert contents[1] == "# Doc\n\n" + "\n".join(f"- Chapter {n}" for n in range(5))
    assert contents[2] == "# Doc\n\n- Chapter 0\n- Chapter 1"
    assert contents[3] == "# Doc"
    assert contents[4] == "Doc"


def test_a_heading_over_the_limit_is_cut_in_a_node() -> None:
    text = f"# {'word ' * 40}\n\n{P}\n\n{P}\n"
    result = tree(text, 60)
    assert result.chunks[1].content == ("word " * 12).strip()


def test_nodes_are_measured_as_chunks_are() -> None:
    text = "# Doc\n\n" + "".join(f"## Chapter {n}\n\n{P * 4}\n\n" for n in range(40))
    result = tree(text, 30, measure=lambda text: len(text.split()))
    assert all(len(chunk.content.split()) <= 30 for chunk in result.chunks)
    assert result.chunks[0].content.endswith("- Chapter 8")


def test_a_setext_heading_stands_as_in_the_source() -> None:
    result = tree(f"Two\nlines\n=====\n\n{P * 5}\n\n{P * 5}\n")
    assert result.chunks[1].content == "Two\nlines\n====="


def test_a_section_cut_at_markers_is_one_section() -> None:
    text = f"# Only\n\n{P * 3}\n\n***\n\n{P * 3}\n\n## A\n\n{P}\n"
    result = tree(text, 250, split_marker="***")
    assert result.chunks[0].content == "# Only\n\n- A"
    assert drawn(result) == ["-  1-11", "  - Only 1-11", "    * Only 1-3", "    * Only 7-7", "    * Only/A 9-11"]


# --- ways through the tree --------------------------------------------------------------------------------


def test_navigation() -> None:
    result = tree(MANUAL, 400)
    root, manual, first, install, on_top, wall, operate = result.chunks

    def ids(chunks: list[Chunk]) -> list[str]:
        return [chunk.metadata["chunk_id"] for chunk in chunks]

    wall_id = wall.metadata["chunk_id"]
    assert result.get_chunk(wall_id) is wall
    assert result.get_parent(wall_id) is install
    assert ids(result.get_ancestors(wall_id)) == ids([install, manual, root])
    assert ids(result.get_siblings(wall_id)) == ids([on_top, wall])
    assert result.get_children(wall_id) == []
    assert ids(result.get_children(manual.metadata["chunk_id"])) == ids([first, install, operate])
    assert ids(result.get_by_level(2)) == ids([first, install, operate])
    assert ids(result.get_by_level(0)) == [result.root_id]
    assert result.get_by_level(4) == []
    assert result.get_parent(result.root_id) is None
    assert result.get_ancestors(result.root_id) == []
    assert ids(result.get_siblings(result.root_id)) == [result.root_id]


@pytest.mark.parametrize("method", ["get_chunk", "get_children", "get_parent", "get_ancestors", "get_siblings"])
def test_an_unknown_id_is_named(method: str) -> None:
    with pytest.raises(KeyError, match="no node has the chunk_id 'nowhere'"):
        getattr(tree(MANUAL), method)("nowhere")


def test_tree_dict_is_plain_data() -> None:
    result = tree(MANUAL, 400)
    values = result.to_tree_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["id"] == result.root_id
    install = values["children"][0]["children"][1]
    assert install["header_path"] == ["Pump manual", "Install"]
    assert (install["level"], len(install["children"])) == (2, 2)
    preview = install["children"][0]["content_preview"]
    assert preview == result.get_chunk(install["children"][0]["id"]).content[:100]


# --- ids --------------------------------------------------------------------------------------------------


def test_an_edit_changes_no_id_elsewhere() -> None:
    before, after = (
        tree(MANUAL, 400),
        tree("Something new above.\n\n" + MANUAL.replace("Read this", "Do read that"), 400),
    )
    kept = {chunk.metadata["chunk_id"] for chunk in before.chunks[3:]}
    assert len(kept) == 4
    assert kept <= {chunk.metadata["chunk_id"] for chunk in after.chunks}


def test_equal_sections_have_ids_of_their_own() -> None:
    text = f"# Doc\n\n{f'## Same{chr(10)}{chr(10)}{P * 5}{chr(10)}{chr(10)}{P * 5}{chr(10)}{chr(10)}' * 3}"
    result = tree(text)
    ids = [chunk.metadata["chunk_id"] for chunk in result.chunks]
    assert len(set(ids)) == len(ids)
    assert len(result.get_by_level(2)) == 3


# --- defects of the older plugin --------------------------------------------------------------------------


def test_a_parent_with_a_short_text_keeps_it() -> None:
    sentence = "Switch the pump off and pull the plug before you open the housing, or you may be badly hurt.  ok"
    title = "Safety and maintenance of the submersible pump, all models, v2"
    text = f"# {title}\n\n{sentence}\n\n## A\n\n{P * 20}\n\n## B\n\n{P * 20}\n"
    result = tree(text, 1500)
    assert sum(sentence in chunk.content for chunk in result.get_flat_chunks()) == 1


def test_code_does_not_flatten_the_tree() -> None:
    text = f"# M\n\n{P * 5}\n\n## A\n\n{P * 5}\n\n### A1\n\n{P}\n\n```python\nx = 1\n```\n\n## B\n\n{P * 5}\n"
    assert drawn(tree(text)) == [
        "-  1-19",
        "  - M 1-19",
        "    * M 1-3",
        "    - M/A 5-15",
        "      * M/A 5-7",
        "      * M/A/A1 9-15",
        "    * M/B 17-19",
    ]


def test_a_slash_in_a_heading_is_no_step_in_the_path() -> None:
    text = f"# Net\n\n{P * 5}\n\n## TCP\n\n{P * 5}\n\n{P * 5}\n\n## TCP/IP\n\n{P * 5}\n\n{P * 5}\n"
    result = tree(text)
    nodes = [chunk for chunk in result.chunks if "is_leaf" not in chunk.metadata]
    assert [node.metadata["header_path"] for node in nodes] == [[], ["Net"], ["Net", "TCP"], ["Net", "TCP/IP"]]
    assert parent_of(result, nodes[3]) is nodes[1]


def test_of_two_equal_headings_a_child_hangs_on_its_own() -> None:
    text = f"# Doc\n\n{P * 5}\n\n## API\n\n{P * 5}\n\n# Doc\n\n{P * 5}\n\n## CLI\n\n{P * 5}\n"
    result = tree(text)
    api, cli = leaf_with(result, "## API"), leaf_with(result, "## CLI")
    assert (parent_of(result, api).start_line, parent_of(result, cli).start_line) == (1, 9)


def test_parts_of_a_section_are_children_of_one_node_in_order() -> None:
    paragraphs = "\n\n".join(P * 5 for _ in range(4))
    result = tree(f"# Doc\n\n{paragraphs}\n\n## API\n\n{P * 5}\n")
    [doc] = result.get_by_level(1)
    children = result.get_children(doc.metadata["chunk_id"])
    assert [child.start_line for child in children] == [1, 5, 7, 9, 11]
    assert all("is_leaf" in child.metadata for child in children)


def test_the_first_section_is_not_swallowed_by_the_title() -> None:
    result = tree(f"# Manual\n\n## Install\n\n{P * 20}\n\n## Use\n\n{P * 20}\n\n## Tune\n\n{P * 20}\n", 4096)
    [manual] = result.get_by_level(1)
    children = result.get_children(manual.metadata["chunk_id"])
    assert [child.metadata["header_path"][-1] for child in children] == ["Install", "Use", "Tune"]
    assert all("is_leaf" in child.metadata for child in children)


def test_deep_headings_reach_the_path() -> None:
    text = f"# M\n\n## Part\n\n### Alpha\n\n{P * 6}\n\n### Beta\n\n{P * 6}\n\n## Other\n\nx\n"
    result = tree(text, 400)
    assert leaf_with(result, "### Alpha").metadata["header_path"] == ["M", "Part", "Alpha"]
    assert leaf_with(result, "### Beta").metadata["header_path"] == ["M", "Part", "Beta"]
    assert parent_of(result, leaf_with(result, "### Beta")).metadata["header_path"] == ["M", "Part"]


def test_a_list_chunk_is_in_its_own_section() -> None:
    items = "\n".join(f"- change number {n} of this version" for n in range(9))
    changes = f"The following items changed:\n\n{items}"
    text = f"# Rel\n\n## 2.0\n\n{changes}\n\n## 1.0\n\n{changes}\n"
    result = tree(text, 400, strategy="auto")
    older = [
        chunk for chunk in result.get_flat_chunks() if chunk.start_line >= text[: text.index("## 1.0")].count("\n")
    ]
    assert {tuple(chunk.metadata["header_path"]) for chunk in older} == {("Rel", "1.0")}
    assert sum("## 1.0" in chunk.content for chunk in older) == 1


def test_no_id_points_outside_the_result() -> None:
    result = tree(MANUAL, 400)
    ids = {chunk.metadata["chunk_id"] for chunk in result.chunks}
    for chunk in result.chunks:
        named = [chunk.metadata.get(name) for name in ("parent_id", "prev_sibling_id", "next_sibling_id")]
        assert {name for name in named if name} | set(chunk.metadata.get("children_ids", ())) <= ids
    for chunk in result.get_flat_chunks():  # flat chunks carry no links that could dangle
        assert not {"parent_id", "children_ids", "prev_sibling_id", "next_sibling_id"} & set(chunk.metadata)
