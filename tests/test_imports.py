"""Imports point one way, and the engine leans on as little as it can."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "markdown_chunker"
#: Every module of the engine; each imports only from earlier lines, or from modules before it on its own line.
LAYERS = """
    version errors model grammar cues graphemes
    options source measure normalise
    scan
    leaves containers
    blocks
    sections inline prose titles
    relations clean tables
    document
    leads kinds split
    plan
    ties
    strategies.structural strategies.code_aware strategies.list_aware strategies.fallback strategies.chunkana
    strategies
    pack describe
    analysis overlap annotate nest
    chunker
    overview
    hierarchy parents render
    window
    stream
    api
    finding journal parquet
    folders folder_command
    cli
    __init__
    __main__
"""
#: The border: plugin modules use the engine, never the other way round.
OUTSIDE = ("adapter", "output_filter", "values", "tools", "provider", "main", "scripts", "benchmarks", "tests")
#: Optional: loaded when whole folders are asked for.
EXTRAS = {"finding": {"pathspec"}, "parquet": {"pyarrow"}, "folder_command": {"tqdm"}}
THIRD_PARTY = {"sections": {"markdown_it"}, "strategies.chunkana": {"chunkana"}, **EXTRAS}


def name_of(path: Path) -> str:
    parts = path.relative_to(ENGINE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> Iterator[tuple[str, bool]]:
    """What a module imports, at run time: the name, and whether it is part of the engine."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    skipped = {id(node) for check in checks for node in ast.walk(check)}
    package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    package = "" if package == "__init__" else package
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, False) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or "", False
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".") if package else []
            base = base[: len(base) - node.level + 1]
            if node.module:
                yield ".".join([*base, node.module]), True
            else:
                yield from ((".".join([*base, alias.name]), True) for alias in node.names)


MODULES = {name_of(path): path for path in sorted(ENGINE.rglob("*.py"))}
ORDER = LAYERS.split()


def test_the_order_names_every_module_once() -> None:
    assert sorted(ORDER) == sorted(MODULES)


@pytest.mark.parametrize("module", ORDER)
def test_imports_point_one_way(module: str) -> None:
    above = ORDER[: ORDER.index(module)]
    upward = [name for name, ours in imports_of(MODULES[module]) if ours and name not in above]
    assert not upward, f"{module} imports {upward}, which stand at its side or below"


@pytest.mark.parametrize("module", ORDER)
def test_the_engine_leans_on_the_standard_library(module: str) -> None:
    names = {name.partition(".")[0] for name, ours in imports_of(MODULES[module]) if not ours}
    assert names - sys.stdlib_module_names == THIRD_PARTY.get(module, set())


def test_nothing_of_the_plugin_is_in_the_engine() -> None:
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import markdown_chunker, sys; print(*{name.partition('.')[0] for name in sys.modules})",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout.split()
    assert "markdown_chunker" in loaded
    assert not {"pydantic", "gevent", "dify_plugin", "chunkana", *OUTSIDE} & set(loaded)


def test_modules_stay_short() -> None:
    """Design 3: under about 250 lines; the rules of all kinds of blocks are the one exception."""
    lengths = {name: path.read_text(encoding="utf-8").count("\n") for name, path in MODULES.items()}
    assert not {name: length for name, length in lengths.items() if length > 300 and name != "kinds"}
