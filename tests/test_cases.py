"""The cases built from public bug reports, run through their own checker.  Skipped where they are not at hand."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from markdown_chunker import ChunkConfig, chunk_markdown

SHARED = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED", Path(__file__).parents[2] / "shared"))
CASES = SHARED / "cases" / "cases.json"
#: Cases that do not pass in full, and why that is right.
MISSED: dict[str, str] = {}


def _checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("case_checker", CASES.with_name("check.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def engine(text: str, params: dict[str, Any]) -> list[dict[str, Any]]:
    """Our chunks in the shape that the checker reads."""
    options = {name: params[name] for name in ("max_chunk_size", "chunk_overlap", "strategy") if name in params}
    return [
        {"content": c.content, "start_line": c.start_line, "end_line": c.end_line, "metadata": c.metadata}
        for c in chunk_markdown(text, ChunkConfig(**options))
    ]


def _cases() -> list[dict[str, Any]]:
    return list(json.loads(CASES.read_text(encoding="utf-8"))) if CASES.exists() else []


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not at hand")
def test_there_are_cases() -> None:
    assert len(_cases()) >= 76
    assert set(MISSED) <= {case["id"] for case in _cases()}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the checker leaves files open
@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["id"]))
def test_case(case: dict[str, Any]) -> None:
    if case["id"] in MISSED:
        pytest.skip(MISSED[case["id"]])
    result = _checker().run_case(case, engine)
    assert result["fails"] + result["lossless"] + result["exact"] == []
