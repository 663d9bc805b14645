"""What the YAML files and requirements declare agrees with the code."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from plugin_process import ROOT

import markdown_chunker
from adapter import (
    CHILD_CONTEXTS,
    LARGEST_CHUNK,
    METADATA_FORMATS,
    OVERLAP_UNITS,
    PARENT_MODES,
    SMALLEST_CHUNK,
    ChunkRequest,
    ParentChildRequest,
    Request,
    read_request,
)
from markdown_chunker.options import OVERSIZE, STRATEGIES
from scripts.package import packaged_files
from scripts.plugin_rules import check_requirements


def load(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


TOOLS = {"markdown_chunk": ChunkRequest, "markdown_parent_child_chunk": ParentChildRequest}
both = pytest.mark.parametrize(("name", "kind"), TOOLS.items(), ids=TOOLS)


def parameters_of(tool: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in load(f"tools/{tool}.yaml")["parameters"]}


# --- the declarations agree with the code ---


@both
def test_the_defaults_in_the_yaml_are_the_adapters_defaults(name: str, kind: type[Request]) -> None:
    applied = read_request(kind, {"input_text": "x"}).model_dump()
    declared = {key: each["default"] for key, each in parameters_of(name).items() if "default" in each}
    assert {key: applied[key] for key in declared} == declared


@both
def test_what_has_no_default_in_the_yaml_is_empty_by_default(name: str, kind: type[Request]) -> None:
    applied = read_request(kind, {"input_text": "x"}).model_dump()
    without = [key for key, each in parameters_of(name).items() if "default" not in each and key != "input_text"]
    assert not any(applied[key] for key in without)


@both
def test_every_parameter_is_declared_and_read(name: str, kind: type[Request]) -> None:
    assert set(parameters_of(name)) == set(kind.model_fields)


def test_what_the_tools_share_is_worded_the_same() -> None:
    flat, parents = (parameters_of(name) for name in TOOLS)
    shared = set(flat) & set(parents)
    assert shared == set(Request.model_fields)
    assert {name: flat[name] for name in shared} == {name: parents[name] for name in shared}


@both
def test_the_document_comes_first_and_nothing_is_demanded(name: str, kind: type[Request]) -> None:
    parameters = list(parameters_of(name).values())
    assert [each["name"] for each in parameters if each["form"] == "llm"] == ["input_text", "input_file"]
    assert [each["name"] for each in parameters[:2]] == ["input_text", "input_file"]
    # Either of the two will do, so the editor may demand neither.
    assert not any(each["required"] for each in parameters)


OPTIONS = {
    "strategy": STRATEGIES,
    "oversize": OVERSIZE,
    "overlap_unit": OVERLAP_UNITS,
    "metadata_format": METADATA_FORMATS,
    "parent_mode": PARENT_MODES,
    "child_context": CHILD_CONTEXTS,
}


@both
def test_every_choice_of_the_code_can_be_chosen_and_no_other(name: str, kind: type[Request]) -> None:
    selects = {key: each for key, each in parameters_of(name).items() if each["type"] == "select"}
    assert selects
    for key, each in selects.items():
        assert tuple(option["value"] for option in each["options"]) == OPTIONS[key]


@both
def test_the_help_gives_the_true_range(name: str, kind: type[Request]) -> None:
    for key in ("max_chunk_size", "parent_max_size", "child_max_size"):
        if size := parameters_of(name).get(key):
            for text in size["human_description"].values():
                assert [str(SMALLEST_CHUNK), str(LARGEST_CHUNK)] == re.findall(r"\b(?:50|100000)\b", text, re.ASCII)


@both
def test_limits_in_the_yaml_would_be_the_adapters(name: str, kind: type[Request]) -> None:
    for parameter in parameters_of(name).values():
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


# --- dependencies ---


#: Where a module is not called like its distribution.
MODULES = {"markdown-it-py": "markdown_it"}
#: Modules that the SDK itself cannot do without, so that they are there whenever the plugin runs.
WITH_THE_SDK = {"gevent", "httpx", "charset_normalizer"}


def needs_of(distribution: str) -> set[str]:
    """What a distribution always installs, by the names of modules."""
    needs = importlib.metadata.requires(distribution) or []
    return {re.match(r"[\w-]+", need)[0].replace("-", "_") for need in needs if "extra ==" not in need}  # type: ignore[index]


def test_what_comes_with_the_sdk_always_does() -> None:
    assert needs_of("dify_plugin") | needs_of("requests") >= WITH_THE_SDK
    assert "requests" in needs_of("dify_plugin")


def imported_by(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    absolute = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return {name.split(".")[0] for name in (*absolute, *plain) if name}


def test_what_the_package_imports_is_required_and_nothing_else() -> None:
    shipped = [ROOT / name for name in packaged_files(ROOT) if name.endswith(".py")]
    imported = set().union(*map(imported_by, shipped)) - sys.stdlib_module_names
    required = re.findall(r"^[\w-]+", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for group in project.get("optional-dependencies", {}).values() for line in group]
    optional = {re.match(r"[\w-]+", line)[0] for line in extras}  # type: ignore[index]
    own = {"adapter", "values", "output_filter", "markdown_chunker", "tools"}
    # pydantic_core comes with pydantic, in the version that it needs.
    modules = {MODULES.get(name, name) for name in required} | own | {"pydantic_core"} | WITH_THE_SDK
    assert imported - optional <= modules
    # The strategy of that name imports it; until then it may be idle.
    assert modules - imported <= {"chunkana"}
