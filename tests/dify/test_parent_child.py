"""The tool `markdown_parent_child_chunk`: parents to read, and the children of each, which are searched."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asking import families
from plugin_process import ROOT

from markdown_chunker import OptionError

SAMPLE = (ROOT / "examples/sample.md").read_text(encoding="utf-8")
ROWS = "".join(f"| row {number} | what it means in a few words |\n" for number in range(60))
TABLE = "# Codes\n\n| Code | Meaning |\n| ---- | ------- |\n" + ROWS
CODE = "# Program\n\n```python\n" + "".join(f"value_{number} = compute({number})\n" for number in range(80)) + "```\n"
DOCUMENTS = {"sample": SAMPLE, "table": TABLE, "code": CODE, "words": "Some words. " * 500}
SMALL = {"parent_max_size": 900, "child_max_size": 200}


def pairs(text: str, **parameters: Any) -> list[tuple[str, list[str]]]:
    result = families({"input_text": text, **parameters})
    return [(each["parent_content"], each["child_contents"]) for each in result["parent_child_chunks"]]


def words(text: str) -> list[str]:
    """The words without what a cut repeats: fences, and the header of a table."""
    return re.sub(r"^(```.*|\| (?:Code|Sensor|-+) .*)$", "", text, flags=re.MULTILINE).split()


@pytest.mark.parametrize("settings", [{}, SMALL, {"parent_mode": "full_doc"}], ids=repr)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_children_cover_their_parent_without_loss(name: str, settings: dict[str, Any]) -> None:
    found = pairs(DOCUMENTS[name], **settings)
    for parent, children in found:
        assert children
        assert [word for child in children for word in words(child)] == words(parent)
    assert [word for parent, _ in found for word in words(parent)] == words(DOCUMENTS[name])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_sizes_hold(name: str) -> None:
    for parent, children in pairs(DOCUMENTS[name], **SMALL):
        assert len(parent) <= 900
        assert all(0 < len(child) <= 200 for child in children)


def test_a_table_split_across_children_repeats_its_header() -> None:
    found = pairs(TABLE, parent_max_size=5000, child_max_size=300)
    [(_, children)] = found
    assert len(children) > 3
    for child in children:
        assert "| Code | Meaning |\n| ---- | ------- |\n| row " in child


def test_a_fence_split_across_children_is_closed_and_opened_again() -> None:
    for _, children in pairs(CODE, parent_max_size=5000, child_max_size=300):
        assert len(children) > 3
        for child in children:
            assert child.count("```python\n") == 1
            assert child.endswith("\n```")


@pytest.mark.parametrize("given", ["full_doc", "full-doc", " FULL_DOC "])
def test_the_whole_document_is_one_parent_spelt_as_dify_does(given: str) -> None:
    result = families({"input_text": SAMPLE, "parent_mode": given, "parent_max_size": 50})
    assert list(result) == ["parent_mode", "parent_child_chunks"]
    assert result["parent_mode"] == "full-doc"
    [only] = result["parent_child_chunks"]
    assert list(only) == ["parent_content", "child_contents"]
    assert only["parent_content"] == SAMPLE.strip("\n")
    assert len(only["child_contents"]) > 3


def test_passages_are_the_default() -> None:
    assert families({"input_text": SAMPLE})["parent_mode"] == "paragraph"


def test_a_breadcrumb_before_each_child_and_nowhere_else() -> None:
    bare = pairs(SAMPLE, **SMALL)
    led = pairs(SAMPLE, **SMALL, child_context="breadcrumb")
    assert [parent for parent, _ in led] == [parent for parent, _ in bare]
    for (_, plain_children), (_, children) in zip(bare, led, strict=True):
        for content, child in zip(plain_children, children, strict=True):
            line, blank, rest = child.split("\n", 2)
            assert (blank, rest) == ("", content)
            assert line.startswith("Field Station Handbook")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"parent_mode": "document"}, "parent_mode must be one of paragraph, full_doc"),
        ({"parent_max_size": 49}, "parent_max_size must be a whole number from 50 to 100000"),
        ({"parent_max_size": "large"}, "parent_max_size must be a whole number"),
        ({"child_max_size": 0}, "child_max_size must be a whole number from 50 to 100000"),
        ({"child_max_size": 3000}, r"child_max_size must be at most parent_max_size \(2048\)"),
        ({"child_context": "all"}, "child_context must be one of none, breadcrumb"),
        ({"strategy": "best"}, "strategy must be one of "),
    ],
)
def test_refusals_name_the_parameter(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        families({"input_text": SAMPLE, **wrong})


def test_the_size_of_parents_does_not_count_for_a_whole_document() -> None:
    assert families({"input_text": SAMPLE, "parent_mode": "full_doc", "child_max_size": 3000})


def test_shared_settings_work_here_too() -> None:
    text = "---\ntitle: T\n---\n\n# A\n\nSee [the site](https://example.org/x).\n\n<!-- cut -->\n\nMore.\n"
    found = pairs(text, strip_front_matter=True, remove_urls_emails=True, split_marker="<!-- cut -->")
    assert [parent for parent, _ in found] == ["# A\n\nSee the site.", "More."]
