"""README.md says what is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from plugin_process import ROOT

from adapter import LARGEST_CHUNK, SMALLEST_CHUNK, ChunkRequest, read_request
from markdown_chunker.options import STRATEGIES

README = (ROOT / "README.md").read_text(encoding="utf-8")


def parameter_rows() -> dict[str, list[str]]:
    rows = re.findall(r"^\| `(\w+)` *\|(.*)\|$", README, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}


def test_every_parameter_is_in_the_table_with_its_default() -> None:
    defaults = read_request(ChunkRequest, {"input_text": "x"}).model_dump() | {"input_text": ""}
    assert {name: row[0] for name, row in parameter_rows().items()} == {
        name: str(value).lower() for name, value in defaults.items()
    }


def test_every_strategy_and_the_range_are_in_the_table() -> None:
    rows = parameter_rows()
    assert rows["strategy"][1] == ", ".join(f"`{name}`" for name in STRATEGIES)
    assert rows["max_chunk_size"][1] == f"{SMALLEST_CHUNK} to {LARGEST_CHUNK}"


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
    [command] = re.findall(r"^python (-m markdown_chunker .*)$", README, re.MULTILINE)
    printed = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert all(json.loads(line)["content"] for line in printed.splitlines())
