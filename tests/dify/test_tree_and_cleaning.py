"""The hierarchy, debug and leaf_only settings; cleaning; split markers; sizes: as the tool shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import chunk_texts, plain, read
from plugin_process import ROOT

from markdown_chunker import OptionError, chunk_hierarchical, chunk_markdown
from tools.chunking import Document, chunks_of

SAMPLE = (ROOT / "examples/sample.md").read_text(encoding="utf-8")
SIZE = {"max_chunk_size": 500}


def ask(**parameters: Any) -> list[str]:
    return chunk_texts({"input_text": SAMPLE, **SIZE, **parameters})


def blocks(**parameters: Any) -> list[dict[str, Any]]:
    return [json.loads(text.split("\n")[1]) for text in ask(**parameters)]


# --- hierarchy, leaf_only, debug ---


def test_the_tree_without_its_root() -> None:
    tree = chunk_hierarchical(SAMPLE, read(**SIZE).chunk_config())
    assert [each["chunk_id"] for each in blocks(enable_hierarchy=True)] == [
        node.metadata["chunk_id"] for node in tree.chunks[1:]
    ]
    assert len(blocks(enable_hierarchy=True)) > len(blocks())


def test_no_id_points_at_a_chunk_that_is_not_there() -> None:
    """The same with the root shown."""
    for debug in (False, True):
        found = blocks(enable_hierarchy=True, debug=debug)
        ids = {each["chunk_id"] for each in found}
        for each in found:
            named = [each.get(key) for key in ("parent_id", "prev_sibling_id", "next_sibling_id")]
            assert ids.issuperset(filter(None, [*named, *each.get("children_ids", [])]))
        assert any("parent_id" in each for each in found)


def test_leaf_only_gives_exactly_the_flat_result() -> None:
    for other in ({}, {"debug": True}, {"chunk_overlap": 30}, {"include_metadata": False}):
        flat = ask(**other)
        assert ask(enable_hierarchy=True, leaf_only=True, **other) == flat
        assert ask(leaf_only=True, **other) == flat
        assert ask(enable_hierarchy=True, **other) != flat


def test_overviews_keep_within_the_limit() -> None:
    assert max(map(len, ask(enable_hierarchy=True, include_metadata=False))) <= 500


def test_debug_shows_the_root_and_every_field() -> None:
    found = blocks(enable_hierarchy=True, debug=True)
    assert found[0]["is_root"] is True
    assert "children_ids" in found[0]
    tree = chunk_hierarchical(SAMPLE, read(**SIZE).chunk_config())
    for shown, node in zip(found, tree.chunks, strict=True):
        path = " > ".join(node.metadata["header_path"])
        assert {name: shown[name] for name in node.metadata if name != "header_path"} == {
            name: value for name, value in node.metadata.items() if name != "header_path"
        }
        assert shown.get("header_path", "") == path


def test_debug_adds_to_the_flat_block_and_changes_nothing_else() -> None:
    flat, shown = blocks(), blocks(debug=True)
    assert [{name: each[name] for name in lean} for lean, each in zip(flat, shown, strict=True)] == flat
    assert all({"chunk_index", "strategy"} <= set(each) for each in shown)
    assert ask(debug=True, include_metadata=False) == ask(include_metadata=False)


def test_code_keeps_its_path_and_the_tree_its_sections() -> None:
    found = blocks(enable_hierarchy=True, strategy="code_aware")
    assert all(each["header_path"] for each in found if "python" in each.get("languages", []))
    assert len(found) > len(blocks(strategy="code_aware"))


# --- cleaning ---

DIRTY = """---
title: Dirty
---

# Dirty

See [the   site](https://example.org/a), <https://example.org/b> or mail to me@example.org.

![A red pump](pump.png)

<!-- a comment -->

¿Qué? naïve ¾ ï ¿ ¾.  Two  spaces   between  words.


Hard line break  
here.

```python
url = "https://example.org/c"   # me@example.org <!-- code -->


image = "![x](y.png)"
```

| A   | B    |
| --- | ---- |
| 1   | 2    |

- item
    - nested
"""  # noqa: W291
CODE = DIRTY[DIRTY.index("```python") : DIRTY.index("\n\n| A")]
CLEANING = ["remove_urls_emails", "collapse_whitespace", "remove_images", "strip_front_matter", "strip_html_comments"]


def cleaned(*switches: str) -> str:
    return "\n\n".join(plain(DIRTY, **dict.fromkeys(switches, True)))


def test_nothing_is_cleaned_unless_asked() -> None:
    assert cleaned() == DIRTY.strip("\n")


@pytest.mark.parametrize(
    ("switch", "gone", "kept"),
    [
        ("remove_urls_emails", ["example.org/a", "example.org/b", "to me@example.org"], ["the   site"]),
        ("remove_images", ["![A red pump]", "pump.png"], ["A red pump"]),
        ("strip_front_matter", ["title: Dirty"], ["# Dirty"]),
        ("strip_html_comments", ["<!-- a comment -->"], ["<!-- code -->"]),
        (
            "collapse_whitespace",
            ["Two  spaces", "words.\n\n\nHard"],
            ["break  \nhere", "| A   | B    |", "    - nested"],
        ),
    ],
)
def test_each_switch_removes_its_own_and_nothing_else(switch: str, gone: list[str], kept: list[str]) -> None:
    text = cleaned(switch)
    assert not [each for each in gone if each in text]
    assert not [each for each in kept if each not in text]


def test_cleaning_leaves_code_and_letters_alone() -> None:
    text = cleaned(*CLEANING)
    assert CODE in text
    assert "¿Qué? naïve ¾ ï ¿ ¾." in text


@pytest.mark.parametrize("switch", CLEANING)
def test_line_numbers_still_point_at_the_source(switch: str) -> None:
    lines = DIRTY.split("\n")
    [number] = [number for number, line in enumerate(lines, 1) if line == "- item"]
    request = read(input_text=DIRTY, max_chunk_size=100, min_chunk_size=0, **{switch: True})
    [chunk] = [each for each in chunks_of(request, Document(DIRTY)) if "- item" in each.content]
    assert chunk.start_line <= number <= chunk.end_line
    assert lines[chunk.end_line - 1].strip() == chunk.content.split("\n")[-1].strip()


# --- split_marker, min_chunk_size, oversize ---


@pytest.mark.parametrize("marker", ["<!-- split -->", "---8<---", "。分割。", "=== ✂ ==="])
def test_a_marker_cuts_and_is_dropped(marker: str) -> None:
    assert plain(f"One.\n\n{marker}\n\nTwo.\n{marker}\nThree {marker} three.\n", split_marker=marker) == [
        "One.",
        "Two.",
        f"Three {marker} three.",
    ]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (r"a\tb", "a\tb"),
        (r"\n---8<---\n", "---8<---"),
        ("\n§§§\n", "§§§"),
        (r"C:\\new", r"C:\new"),
        ("\\d+", "\\d+"),
        ("。", "。"),
        ("ï¿¾", "ï¿¾"),
        ("  ### cut  ", "### cut"),
    ],
)
def test_escapes_are_read_and_other_letters_left_alone(given: str, line: str) -> None:
    assert read(split_marker=given).split_marker == line


@pytest.mark.parametrize("given", [r"\n\n", r"\n", r"a\nb", "a\nb", 5, ["x"], True])
def test_what_is_no_line_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match="split_marker must be the text of one line, for example"):
        read(split_marker=given)


def test_a_marker_in_code_is_code() -> None:
    text = "Text.\n\n```\na\n=cut=\nb\n```\n"
    assert plain(text, split_marker="=cut=") == [text.strip("\n")]


SECTIONS = "".join(f"## Part {number}\n\nA few words.\n\n" for number in range(6))


def test_the_minimum_joins_small_sections() -> None:
    assert len(plain(SECTIONS, min_chunk_size=0)) == 6
    assert len(plain(SECTIONS, min_chunk_size=1000)) < 6


def test_oversize_keeps_a_block_whole() -> None:
    code = "```\n" + "a line of code\n" * 50 + "```"
    assert len(plain(code, max_chunk_size=200)) > 3
    assert plain(code, max_chunk_size=200, oversize="keep") == [code]


def test_the_engine_and_the_tool_agree() -> None:
    contents = [chunk.content for chunk in chunk_markdown(SAMPLE, read(**SIZE).chunk_config())]
    assert ask(include_metadata=False) == contents
