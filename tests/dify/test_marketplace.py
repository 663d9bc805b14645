"""The package passes the marketplace's rules, and the rules notice what they are for."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from plugin_process import ROOT

from scripts.marketplace import check_start, contents, main
from scripts.marketplace_rules import MANIFEST_FIELDS, check_file, check_names, check_package, warnings_for
from scripts.package import build


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return contents(build(ROOT, tmp_path_factory.mktemp("dist")))


def test_make_marketplace_check_is_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert "nothing to complain of" in capsys.readouterr().out


def test_the_plugin_layer_earns_no_warning(package: dict[str, bytes]) -> None:
    assert [each for each in warnings_for(package) if not each.startswith("markdown_chunker/")] == []


def test_both_tools_and_all_translations_are_in_the_package(package: dict[str, bytes]) -> None:
    assert {"tools/markdown_chunk.yaml", "tools/markdown_parent_child_chunk.yaml"} <= set(package)
    assert {"README.md", "readme/README_zh_Hans.md", "PRIVACY.md", "CHANGELOG.md", "LICENSE"} <= set(package)


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("tools/__pycache__/a.txt", b"", "not allowed in a package"),
        (".env", b"A=1", "not allowed in a package"),
        (".DS_Store", b"", "not allowed in a package"),
        ("a.pem", b"", "files of this kind"),
        ("a.zip", b"", "files of this kind"),
        ("notes.txt", b"\0\1", "binary"),
        ("notes.txt", b"ghp_" + b"a" * 36, "secret"),
        ("big.txt", b" " * 53_000_000, "more than"),
        ("PRIVACY.md", b"Please fill in your policy.", "PRIVACY.md"),
        ("PRIVACY.md", b"", "PRIVACY.md"),
        ("_assets/icon.svg", b"<!-- DIFY_MARKETPLACE_TEMPLATE_ICON_DO_NOT_USE -->", "icon"),
        ("requirements.txt", b"dify_plugin>=0.7.0,<1\n", "differ"),
    ],
)
def test_a_broken_package_is_noticed(package: dict[str, bytes], name: str, data: bytes, complaint: str) -> None:
    assert any(complaint in each for each in check_package({**package, name: data}))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("torch>=2,<3", "large dependency"),
        ("x @ git+https://example.org/x", "bound"),
        ("pyyaml>=6", "bound"),
        ("dify-plugin>=0.8,<1", "0.9.0 or later"),
    ],
)
@pytest.mark.parametrize("place", ["[dependency-groups]\ndev", "[project.optional-dependencies]\ndev"])
def test_dependencies_anywhere_are_noticed(package: dict[str, bytes], place: str, line: str, complaint: str) -> None:
    lines = package["requirements.txt"].decode().splitlines()
    project = f'[project]\ndependencies = {json.dumps(lines)}\n{place} = ["{line}"]\n'.encode()
    assert any(complaint in each for each in check_package({**package, "pyproject.toml": project}))


@pytest.mark.parametrize("path", MANIFEST_FIELDS)
def test_a_missing_field_is_noticed(package: dict[str, bytes], path: str) -> None:
    manifest: Any = yaml.safe_load(package["manifest.yaml"])
    *steps, last = path.split(".")
    holder = manifest
    for step in steps:
        holder = holder[step]
    del holder[last]
    found = check_package({**package, "manifest.yaml": yaml.safe_dump(manifest).encode()})
    assert f"manifest.yaml: {path} is missing" in found


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "from pickle import loads",
        "eval('1')",
        "import os\nos.system('ls')",
        "import httpx\nhttpx.get('https://example.org')",
    ],
)
def test_sensitive_sources_are_noticed(source: str) -> None:
    assert list(check_file("a.py", source.encode()))
    assert not list(check_file("a.txt", source.encode()))


def test_names_of_secrets_are_noticed() -> None:
    assert list(check_names(ast.parse("def f(x):\n    return x.token_count")))
    assert not list(check_names(ast.parse("def f(x):\n    token = x\n    return 1")))


def test_a_package_that_does_not_start_is_noticed(tmp_path: Path) -> None:
    for each in ("manifest.yaml", "requirements.txt", "pyproject.toml"):
        (tmp_path / each).write_bytes((ROOT / each).read_bytes())
    (tmp_path / ".difyignore").write_text("dist\n")
    (tmp_path / "main.py").write_text("raise SystemExit('no')\n")
    broken = build(tmp_path, tmp_path / "dist")
    [complaint] = check_start(broken, tmp_path / "installed")
    assert "does not answer" in complaint
