"""The rules in scripts/plugin_rules.py notice what they are for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from plugin_process import ROOT

from scripts.plugin_rules import check_manifest, check_parameter, check_requirements, check_tool


def load(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


TOOL = load("tools/markdown_chunk.yaml")
FILES = {"_assets/icon.svg", "_assets/icon_dark.svg", "PRIVACY.md", "tools/markdown_chunk.py"}
GENERAL = {"type": "array", "items": {"type": "string"}}


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
        ("input_file", "required", True, "agents"),
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
