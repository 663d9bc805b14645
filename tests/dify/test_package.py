"""The package: what is in it, that it is always the same, and that it runs where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from plugin_process import ROOT, PluginProcess, error_of, result_of

from scripts.package import build, packaged_files
from scripts.plugin_rules import PACKAGE_LIMIT, complaints

SAMPLE = (ROOT / "examples/sample.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("dist"))


def test_the_plugin_obeys_the_rules() -> None:
    assert complaints(ROOT, packaged_files(ROOT)) == []


def test_the_package_holds_what_is_needed_and_nothing_else(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    assert names == sorted(names) == packaged_files(ROOT)
    assert {"manifest.yaml", "main.py", "markdown_chunker/__init__.py", "readme/README_zh_Hans.md"} <= set(names)
    assert not [name for name in names if "tests" in name or name.startswith((".", "benchmarks", "scripts"))]
    assert package.stat().st_size < PACKAGE_LIMIT


def test_the_same_files_give_the_same_bytes(package: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for name in packaged_files(ROOT):
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
        target.chmod(0o600)
        os.utime(target, (1, 1))
    shutil.copy(ROOT / ".difyignore", copy)
    assert build(copy, tmp_path / "dist").read_bytes() == package.read_bytes()


def test_secrets_caches_and_leftovers_stay_out(tmp_path: Path) -> None:
    stray = [".env", ".git/config", "tools/__pycache__/a.pyc", "markdown_chunker/a.pyc", ".venv/bin/python", "x.log"]
    stray += ["tests/a.py", "tools/tests/a.py", "dist/a.difypkg", "uv.lock", ".mypy_cache/a.json", "node_modules/a"]
    for name in [*stray, "main.py", "tools/a.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    shutil.copy(ROOT / ".difyignore", tmp_path)
    assert packaged_files(tmp_path) == ["main.py", "tools/a.py"]


def find_uv() -> str | None:
    ours = ROOT / ".tools/bin/uv"
    return str(ours) if ours.exists() else shutil.which("uv")


def run(*command: str | Path, cwd: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def install_requirements(folder: Path, uv: str | None) -> None:
    """As the daemon does with a mirror: a fresh environment, filled from requirements.txt."""
    if uv:
        run(uv, "venv", "--python", sys.executable, ".venv", cwd=folder)
        run(uv, "pip", "install", "--python", ".venv/bin/python", "-r", "requirements.txt", cwd=folder)
    else:
        run(sys.executable, "-m", "venv", ".venv", cwd=folder)
        run(folder / ".venv/bin/python", "-m", "pip", "install", "-r", "requirements.txt", cwd=folder)


def install_project(folder: Path, uv: str | None) -> None:
    """As the daemon does without a mirror: the dependencies of pyproject.toml."""
    if not uv:
        pytest.skip("uv is not installed here")
    run(uv, "sync", "--no-dev", "--python", sys.executable, cwd=folder)


@pytest.mark.parametrize("install", [install_requirements, install_project])
def test_the_package_runs_from_a_fresh_environment(package: Path, tmp_path: Path, install) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "installed"
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
    install(folder, find_uv())
    with PluginProcess(folder, str(folder / ".venv/bin/python")) as plugin:
        chunks = result_of(plugin.invoke({"input_text": SAMPLE, "max_chunk_size": 500}))
        assert "max_chunk_size" in error_of(plugin.invoke({"input_text": SAMPLE, "max_chunk_size": "?"}))
    assert len(chunks) > 3
