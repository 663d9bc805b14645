"""README.md says what is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from plugin_process import ROOT

from adapter import (
    CHILD_CONTEXTS,
    LARGEST_CHUNK,
    LONGEST_METADATA,
    LONGEST_TITLE,
    METADATA_FORMATS,
    OVERLAP_UNITS,
    PARENT_MODES,
    SMALLEST_CHUNK,
    ChunkRequest,
    ParentChildRequest,
    Request,
)
from markdown_chunker.options import OVERSIZE, STRATEGIES
from tools.download import EXTENSIONS, FILE_LIMIT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def parameter_rows(heading: str) -> dict[str, list[str]]:
    """The cells of the table under a heading, by parameter."""
    section = README[README.index(f"\n### {heading}") :].split("\n### ")[1]
    rows = re.findall(r"^\| `(\w+)` *\|(.*)\|$", section, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split(" | ")] for name, cells in rows}


TABLES = {"Both tools": Request, "Chunk Markdown (`": ChunkRequest, "Chunk Markdown (P": ParentChildRequest}


@pytest.mark.parametrize(("heading", "kind"), TABLES.items(), ids=TABLES)
def test_every_parameter_is_in_its_table_with_its_default(heading: str, kind: type[Request]) -> None:
    own = kind.model_fields if kind is Request else set(kind.model_fields) - set(Request.model_fields)
    defaults = {name: kind.model_fields[name].default for name in own}
    shown = {name: "" if value is None else str(value).lower() for name, value in defaults.items()}
    assert {name: row[0] for name, row in parameter_rows(heading).items()} == shown


def test_the_tables_give_every_choice_and_the_true_ranges() -> None:
    rows = {name: row[1] for heading in TABLES for name, row in parameter_rows(heading).items()}
    for name, choices in {
        "strategy": STRATEGIES,
        "oversize": OVERSIZE,
        "overlap_unit": OVERLAP_UNITS,
        "metadata_format": METADATA_FORMATS,
        "parent_mode": PARENT_MODES,
        "child_context": CHILD_CONTEXTS,
        "input_file": EXTENSIONS,
    }.items():
        assert rows[name] == ", ".join(f"`{choice}`" for choice in choices)
    for name in ("max_chunk_size", "parent_max_size", "child_max_size"):
        assert rows[name].startswith(f"{SMALLEST_CHUNK} to {LARGEST_CHUNK}")
    assert rows["document_title"] == f"one line of at most {LONGEST_TITLE} characters"
    assert rows["extra_metadata"] == f"a JSON object of at most {LONGEST_METADATA} characters"
    assert f"at most {FILE_LIMIT // 1_000_000} MB" in README


def test_the_translation_has_the_same_parameters_and_defaults() -> None:
    translated = (ROOT / "readme/README_zh_Hans.md").read_text(encoding="utf-8")
    rows = r"^\| `(\w+)` *\| *([\w-]*) *\|"
    assert re.findall(rows, translated, re.MULTILINE) == re.findall(rows, README, re.MULTILINE)


def test_the_example_is_what_the_program_prints() -> None:
    """If it is not: run the command named above the example and put its output in."""
    [limit] = re.findall(r"make run DOC=examples/pump.md MAX=(\d+) METADATA=false", README)
    command = ["-m", "scripts.run", "examples/pump.md", f"max_chunk_size={limit}", "include_metadata=false"]
    printed = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed in README


def test_the_other_half_of_the_example_is_a_plain_cut() -> None:
    source = (ROOT / "examples/pump.md").read_text(encoding="utf-8")
    assert source in README
    [limit] = map(int, re.findall(r"examples/pump.md MAX=(\d+)", README))
    for start in range(0, len(source), limit):
        assert source[start : start + limit].rstrip("\n") in README


def test_the_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "Some text." in capsys.readouterr().out


def test_the_command_runs() -> None:
    command, folders = re.findall(r"^\.venv/bin/python (-m markdown_chunker [^#\n]*)", README, re.MULTILINE)
    assert folders.split()[-2:] == ["-o", "chunks.jsonl"]
    printed = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert all(json.loads(line)["content"] for line in printed.splitlines())
