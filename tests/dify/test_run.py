"""`make run` shows what Dify would get."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import chunk_texts
from plugin_process import ROOT

from scripts.run import main

SAMPLE = ROOT / "examples/sample.md"


def test_it_prints_what_the_tool_gives_with_path_lines_and_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SAMPLE), "max_chunk_size=500"]) == 0
    printed = capsys.readouterr().out
    texts = chunk_texts({"input_text": SAMPLE.read_text(encoding="utf-8"), "max_chunk_size": 500})
    assert all(text in printed for text in texts)
    assert printed.count("\n=== ") == len(texts) - 1
    assert "Field Station Handbook > Setting up > Read the values from a program | lines " in printed
    assert f"{len(texts)} chunks, " in printed


def test_a_bad_setting_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SAMPLE), "max_chunk_size=none"]) == 2
    assert capsys.readouterr().err == "max_chunk_size must be a whole number from 50 to 100000; got 'none'\n"


def test_an_unreadable_document_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfa")
    for name in ("missing.md", "binary"):
        assert main([str(tmp_path / name)]) == 1
        assert capsys.readouterr().err.startswith("cannot read ")
