"""The command: forms of output, exit codes, and one clear line when something is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from markdown_chunker import chunk_markdown
from markdown_chunker.cli import main

ROOT = Path(__file__).parents[1]
TEXT = "# Übersicht\n\nErster Absatz.\n\n## Teil\n\n你好。\n"


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "document.md"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


#: An encoding that cannot hold the text, and output that is written in large blocks.
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUNBUFFERED": ""}


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "markdown_chunker", *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        cwd=ROOT,
        env=ENVIRONMENT,
    )


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int | str | None, str]:
    """Exit code and what stands on standard error, which is one line."""
    try:
        code: int | str | None = main(list(arguments))
    except SystemExit as exit_:
        code = exit_.code
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    assert err.startswith("markdown_chunker: ")
    return code, err


def test_text_for_readers(document: str) -> None:
    done = run(document)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode("utf-8")
    assert shown.startswith("──── 1 · lines 1-7 · ")
    assert "<metadata>\n{" in shown
    assert shown.endswith("你好。\n\n")


def test_text_without_metadata(document: str) -> None:
    shown = run(document, "--no-metadata").stdout.decode("utf-8")
    first, rest = shown.split("\n", 1)
    assert first.endswith("· Übersicht")
    assert rest == f"{TEXT}\n"


def test_a_line_of_json_a_chunk(document: str) -> None:
    shown = run(document, "--format", "jsonl", "--max-chunk-size", "30").stdout.decode("utf-8")
    rows = [json.loads(line) for line in shown.splitlines()]
    assert [row["metadata"]["header_path"] for row in rows] == [["Übersicht"], ["Übersicht", "Teil"]]
    assert rows[1] == chunk_markdown(TEXT)[0].from_dict(rows[1]).to_dict()
    assert "你好" in shown


def test_one_json_array(document: str) -> None:
    rows = json.loads(run(document, "--format", "json", "--no-metadata").stdout)
    assert rows == [{"content": TEXT.rstrip()}]


def test_options_reach_the_engine(document: str) -> None:
    arguments = "--max-chunk-size 40 --min-chunk-size 1 --chunk-overlap 20 --strategy structural --oversize keep"
    rows = json.loads(run(document, *arguments.split(), "--format", "json").stdout)
    assert {row["metadata"]["strategy"] for row in rows} == {"structural"}
    assert rows[1]["metadata"]["previous_content"]


def test_standard_input() -> None:
    done = run("-", "--format", "jsonl", stdin="\ufeff# Ä\r\n\r\nx\0".encode())
    assert json.loads(done.stdout)["content"] == "# Ä\n\nx"


def test_an_empty_document_has_no_chunks() -> None:
    assert run("-", stdin=b" \n").stdout == b""
    assert json.loads(run("-", "--format", "json", stdin=b"").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--max-chunk-size", "0"], "max_chunk_size must be a whole number, 1 or more; got 0"),
        (["--max-chunk-size", "many"], "argument --max-chunk-size: invalid int value: 'many'"),
        (["--chunk-overlap", "5000"], "chunk_overlap must be less than max_chunk_size (4096); got 5000"),
        (["--strategy", "code"], "strategy must be one of auto, structural, "),
        (["--oversize", "cut"], "oversize must be one of split, keep; got 'cut'"),
        (["--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["--verbose"], "unrecognized arguments: --verbose"),
    ],
)
def test_bad_options(document: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    code, line = refused(capsys, document, *arguments)
    assert code == 2
    assert said in line


def test_no_file_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, line = refused(capsys)
    assert code == 2
    assert "FILE" in line


def test_unreadable_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.md")
    code, line = refused(capsys, missing)
    assert code == 1
    assert f"cannot read {missing}" in line
    assert refused(capsys, str(tmp_path))[0] == 1
    latin = tmp_path / "latin.md"
    latin.write_bytes("Füße".encode("latin-1"))
    code, line = refused(capsys, str(latin))
    assert code == 1
    assert "utf-8" in line


def test_a_strategy_that_refuses_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = tmp_path / "large.md"
    large.write_text("word " * 200_001)
    code, line = refused(capsys, str(large), "--strategy", "chunkana")
    assert code == 1
    assert "at most 1,000,000 characters" in line


def test_what_chunkana_warns_of_is_not_shown() -> None:
    """X25: it cannot move a heading that stands before a fence over the limit, and logs that."""
    text = "# Doc\n\nSome text.\n\n## S0\n\n```\n" + "x = 1\n" * 60 + "```\n"
    done = run("-", "--strategy", "chunkana", "--max-chunk-size", "100", "--min-chunk-size", "1", stdin=text.encode())
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [2, 200_000], ids=["little", "much"])
@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_a_reader_who_has_seen_enough(tmp_path: Path, words: int, form: str) -> None:
    """`… | head`: no traceback, however much or little was written."""
    document = tmp_path / "document.md"
    document.write_text("word " * words)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "markdown_chunker", str(document), "--format", form],
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written(document: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "markdown_chunker", document],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"markdown_chunker: cannot write: ")
    assert done.stderr.count(b"\n") == 1
