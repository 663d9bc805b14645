"""What the YAML files declare: the rules of Dify, and agreement with the code."""

from __future__ import annotations

import ast
import copy
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from plugin_process import ROOT

import markdown_chunker
from adapter import LARGEST_CHUNK, SMALLEST_CHUNK, ChunkRequest, read_request
from markdown_chunker.options import STRATEGIES
from scripts.package import packaged_files
from scripts.plugin_rules import check_manifest, check_parameter, check_requirements, check_tool


def load(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


TOOL = load("tools/markdown_chunk.yaml")
FILES = {"_assets/icon.svg", "_assets/icon_dark.svg", "PRIVACY.md", "tools/markdown_chunk.py"}


# --- the declarations agree with the code ---


def test_the_defaults_in_the_yaml_are_the_adapters_defaults() -> None:
    applied = read_request(ChunkRequest, {"input_text": "x"}).model_dump()
    declared = {each["name"]: each["default"] for each in TOOL["parameters"] if "default" in each}
    assert {name: applied[name] for name in declared} == declared


def test_every_parameter_is_declared_and_read() -> None:
    assert {each["name"] for each in TOOL["parameters"]} == set(ChunkRequest.model_fields)


def test_every_strategy_of_the_engine_can_be_chosen() -> None:
    [strategy] = [each for each in TOOL["parameters"] if each["name"] == "strategy"]
    assert [option["value"] for option in strategy["options"]] == list(STRATEGIES)


def test_the_help_gives_the_true_range() -> None:
    [size] = [each for each in TOOL["parameters"] if each["name"] == "max_chunk_size"]
    for text in size["human_description"].values():
        assert [str(SMALLEST_CHUNK), str(LARGEST_CHUNK)] == re.findall(r"\b(?:50|100000)\b", text, re.ASCII)


def test_limits_in_the_yaml_would_be_the_adapters() -> None:
    for parameter in TOOL["parameters"]:
        assert not {"min", "max"} & set(parameter), "Dify does not check them on the workflow path"


def test_one_version_everywhere() -> None:
    manifest, project = load("manifest.yaml"), tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    versions = {manifest["version"], manifest["meta"]["version"], project["project"]["version"]}
    assert versions == {markdown_chunker.__version__}
    assert f"## {markdown_chunker.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_requirements_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8").split() == project["dependencies"]
    assert project["requires-python"] == ">=3.12"


def test_every_development_requirement_is_bounded() -> None:
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").split("\n", 1)
    assert lines[0] == "-r requirements.txt"
    assert list(check_requirements(lines[1].strip())) == []


# --- Dify finds the structure of `result` by its types alone ---

GENERAL = {"type": "array", "items": {"type": "string"}}
FILE = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "number"}}}
PARENT_CHILD = {
    "type": "object",
    "properties": {
        "parent_mode": {"type": "string"},
        "parent_child_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "parent_content": {"type": "string"},
                    "child_contents": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
QA = {
    "type": "object",
    "properties": {
        "qa_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"question": {"type": "string"}, "answer": {"type": "string"}},
            },
        }
    },
}
STRUCTURES = {
    "file": FILE,
    "general_structure": GENERAL,
    "parent_child_structure": PARENT_CHILD,
    "qa_structure": QA,
}


def same_types(schema: object, definition: object) -> bool:
    """Whether every typed node of a schema has the same type at the same place of a definition."""
    if not isinstance(schema, dict) or not isinstance(definition, dict):
        return True
    if isinstance(schema.get("type"), str) and schema["type"] != definition.get("type"):
        return False
    return all(same_types(part, definition.get(name, {})) for name, part in schema.items() if isinstance(part, dict))


def structure_of(schema: dict[str, Any]) -> str | None:
    """The name of the first structure that fits, as Dify's editor chooses it."""
    reference = re.fullmatch(r"https://dify\.ai/schemas/v\d+/(.+)\.json", schema.get("$ref", ""))
    resolved = STRUCTURES.get(reference[1], {}) if reference else schema
    return next((name for name, known in STRUCTURES.items() if same_types(resolved, known)), None)


@pytest.mark.parametrize(
    ("schema", "structure"),
    [
        (GENERAL, "general_structure"),
        ({**GENERAL, "description": "chunks", "minItems": 1}, "general_structure"),
        ({"type": "array", "items": {"type": "object"}}, None),
        (PARENT_CHILD, "parent_child_structure"),
        ({**PARENT_CHILD, "properties": {**PARENT_CHILD["properties"], "stats": {"type": "object"}}}, None),  # type: ignore[dict-item]
    ],
)
def test_the_match_behaves_as_difys(schema: dict[str, Any], structure: str | None) -> None:
    assert structure_of(schema) == structure


def test_result_can_be_selected_as_general_chunks() -> None:
    assert {name: structure_of(schema) for name, schema in TOOL["output_schema"]["properties"].items()} == {
        "result": "general_structure"
    }


# --- the rules themselves notice what they are for ---


def parameter(name: str) -> dict[str, Any]:
    [found] = [each for each in TOOL["parameters"] if each["name"] == name]
    return copy.deepcopy(found)


def changed(original: dict[str, Any], *path: str, to: object) -> dict[str, Any]:
    result = copy.deepcopy(original)
    holder = result
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = to
    return result


@pytest.mark.parametrize(
    ("check", "path", "to", "complaint"),
    [
        (check_manifest, ("author",), "dify-fan", "author must not"),
        (check_manifest, ("author",), "Some One", "author"),
        (check_manifest, ("version",), "1.0", "version"),
        (check_manifest, ("minimum_dify_version",), "1.9.0", "unknown keys"),
        (check_manifest, ("label",), {"en_US": "x", "ru_RU": "x"}, "label"),
        (check_manifest, ("icon",), "missing.svg", "icon"),
        (check_manifest, ("created_at",), "yesterday", "created_at"),
        (check_manifest, ("resource", "memory"), 0, "memory"),
        (check_manifest, ("tags",), ["markdown", "rag"], "tags"),
        (check_manifest, ("repo",), "https://example.org/x", "repo"),
        (check_manifest, ("contact",), "somebody", "contact"),
        (check_manifest, ("meta", "runner", "version"), "3.13", "runner"),
    ],
)
def test_a_broken_manifest_is_noticed(check: Callable[..., Any], path: tuple[str], to: object, complaint: str) -> None:
    manifest = load("manifest.yaml")
    assert list(check(manifest, FILES)) == []
    assert any(complaint in each for each in check(changed(manifest, *path, to=to), FILES))


@pytest.mark.parametrize(
    ("name", "key", "value", "complaint"),
    [
        ("max_chunk_size", "type", "integer", "type"),
        ("max_chunk_size", "placeholder", "4096", "without effect"),
        ("max_chunk_size", "form", "settings", "form"),
        ("max_chunk_size", "label", {"en_US": "Size"}, "label"),
        ("strategy", "default", "code", "default"),
        ("strategy", "options", [], "options"),
        ("input_text", "llm_description", "", "llm_description"),
        ("input_text", "type", "file", "agents"),
    ],
)
def test_a_broken_parameter_is_noticed(name: str, key: str, value: object, complaint: str) -> None:
    assert list(check_parameter(parameter(name))) == []
    assert any(complaint in each for each in check_parameter({**parameter(name), key: value}))


@pytest.mark.parametrize(
    ("path", "to", "complaint"),
    [
        (("identity", "name"), "markdown chunk", "name"),
        (("extra", "python", "source"), "tools/other.py", "source"),
        (("output_schema", "properties"), {"text": {}, "result": GENERAL}, "may not be called"),
        (("output_schema", "properties", "result"), {"type": "array"}, "chunk structure"),
    ],
)
def test_a_broken_tool_is_noticed(path: tuple[str], to: object, complaint: str) -> None:
    assert list(check_tool(TOOL, FILES)) == []
    assert any(complaint in each for each in check_tool(changed(TOOL, *path, to=to), FILES))


@pytest.mark.parametrize("line", ["pyyaml", "pyyaml>=6", "dify_plugin>=0.7.0,<0.11", "x @ git+https://example.org/x"])
def test_a_broken_requirement_is_noticed(line: str) -> None:
    assert list(check_requirements(line))


# --- dependencies ---


#: Where a module is not called like its distribution.
MODULES = {"markdown-it-py": "markdown_it"}


def imported_by(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    absolute = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return {name.split(".")[0] for name in (*absolute, *plain) if name}


def test_what_the_package_imports_is_required_and_nothing_else() -> None:
    shipped = [ROOT / name for name in packaged_files(ROOT) if name.endswith(".py")]
    imported = set().union(*map(imported_by, shipped)) - sys.stdlib_module_names
    required = re.findall(r"^[\w-]+", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    own = {"adapter", "output_filter", "markdown_chunker", "tools"}
    # pydantic_core comes with pydantic, in the version that it needs.
    modules = {MODULES.get(name, name) for name in required} | own | {"pydantic_core"}
    assert imported <= modules
    # The strategy of that name imports it; until then it may be idle.
    assert modules - imported <= {"chunkana"}
