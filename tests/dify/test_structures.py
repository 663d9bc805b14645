"""Everything the tools emit has one of Dify's chunk structures, and Dify's editor offers it for that structure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from asking import chunk_texts, families
from plugin_process import ROOT
from structures import GENERAL, OFFERED, OUR_PARENT_CHILD, OUR_TEXTS, PARENT_CHILD, structure_of

from markdown_chunker import ChunkConfig, chunk_markdown
from values import InputError

CORPUS = ROOT.parent / "shared/corpus"
#: Every so manieth document of the corpus; 1 with WHOLE_CORPUS=1, as `make test-corpus` runs it.
STEP = 1 if os.environ.get("WHOLE_CORPUS") else 12
SUFFIXES = {".md", ".mdx", ".markdown", ".txt"}


def outputs_of(tool: str) -> dict[str, dict[str, Any]]:
    declared = yaml.safe_load((ROOT / f"tools/{tool}.yaml").read_text(encoding="utf-8"))
    outputs: dict[str, dict[str, Any]] = declared["output_schema"]["properties"]
    return outputs


@pytest.mark.parametrize(
    ("schema", "structure"),
    [
        (GENERAL, "general_structure"),
        ({**GENERAL, "description": "chunks", "minItems": 1}, "general_structure"),
        ({"type": "array"}, "general_structure"),
        ({"type": "array", "items": {"type": "object"}}, None),
        (PARENT_CHILD, "multimodal_parent_child_structure"),
        ({**PARENT_CHILD, "properties": {**PARENT_CHILD["properties"], "stats": {"type": "object"}}}, None),  # type: ignore[dict-item]
    ],
)
def test_the_match_behaves_as_difys(schema: dict[str, Any], structure: str | None) -> None:
    assert structure_of(schema) == structure


@pytest.mark.parametrize(
    ("tool", "structure"), [("markdown_chunk", "General"), ("markdown_parent_child_chunk", "Parent-child")]
)
def test_result_is_offered_for_its_structure_and_for_no_other(tool: str, structure: str) -> None:
    assert list(outputs_of(tool)) == ["result"]
    matched = structure_of(outputs_of(tool)["result"])
    assert [name for name, accepted in OFFERED.items() if matched in accepted] == [structure]


# --- over real documents ---

#: Together they reach every form of output.
FLAT_SETTINGS: list[dict[str, Any]] = [
    {},
    {"max_chunk_size": 500, "include_metadata": False, "chunk_overlap": 20, "overlap_unit": "percent"},
    {"max_chunk_size": 1000, "metadata_format": "breadcrumb", "remove_urls_emails": True, "remove_images": True},
    {"max_chunk_size": 800, "enable_hierarchy": True, "extra_metadata": '{"source": "corpus"}'},
    {"enable_hierarchy": True, "debug": True, "strip_front_matter": True, "strip_html_comments": True},
]
FAMILY_SETTINGS: list[dict[str, Any]] = [
    {},
    {"child_max_size": 200, "parent_max_size": 700, "child_context": "breadcrumb", "collapse_whitespace": True},
    {"parent_mode": "full_doc", "oversize": "keep"},
]


def documents() -> list[Path]:
    files = sorted(path for path in CORPUS.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return files[::STEP]


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    found = [text for text in map(text_of, documents()) if text.strip() and len(text) < 1_000_000]
    if not found:
        pytest.skip("no corpus beside the project")
    return found


@pytest.mark.parametrize("settings", FLAT_SETTINGS, ids=repr)
def test_flat_output_has_the_general_structure_on_the_corpus(texts: list[str], settings: dict[str, Any]) -> None:
    cleans = any(name.startswith("strip_") for name in settings)
    for text in texts:
        if cleans and not chunk_markdown(text, ChunkConfig(strip_front_matter=True, strip_html_comments=True)):
            with pytest.raises(InputError):  # nothing is left of it: Dify refuses an empty list, and so do we before
                chunk_texts({"input_text": text, **settings})
            continue
        result = chunk_texts({"input_text": text, **settings})
        jsonschema.validate(result, GENERAL)
        jsonschema.validate(result, OUR_TEXTS)


@pytest.mark.parametrize("settings", FAMILY_SETTINGS, ids=repr)
def test_families_have_the_parent_child_structure_on_the_corpus(texts: list[str], settings: dict[str, Any]) -> None:
    for text in texts:
        result = families({"input_text": text, **settings})
        jsonschema.validate(result, PARENT_CHILD)
        jsonschema.validate(result, OUR_PARENT_CHILD)


def test_the_schemas_tell_the_structures_apart() -> None:
    """A schema that everything fits would show nothing."""
    good = {"parent_mode": "paragraph", "parent_child_chunks": [{"parent_content": "a", "child_contents": ["a"]}]}
    jsonschema.validate(good, OUR_PARENT_CHILD)
    broken: list[Any] = [
        ["a"],
        {**good, "parent_mode": "full_doc"},
        {**good, "stats": 1},
        {**good, "parent_child_chunks": []},
        {**good, "parent_child_chunks": [{"parent_content": "a", "child_contents": []}]},
        {**good, "parent_child_chunks": [{"parent_content": " ", "child_contents": ["a"]}]},
    ]
    for each in broken:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(each, OUR_PARENT_CHILD)
    for chunks in ([], [""], ["\n"], [1], "a", {"general_chunks": ["a"]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(chunks, OUR_TEXTS)
