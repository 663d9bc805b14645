"""docs/official-chunkers.md: every row of the table is shown by tests, and those exist."""

from __future__ import annotations

import ast
import re

import pytest
import yaml
from asking import families, plain
from plugin_process import ROOT

PAGE = (ROOT / "docs/official-chunkers.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
HEAD, FEATURES = ROWS[0], ROWS[2:]


def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests/dify" / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_the_table_is_a_table() -> None:
    assert HEAD == ["What", "General Chunker", "Parent-child Chunker", "Q&A Chunker", "This plugin", "Shown by"]
    assert len(FEATURES) > 20
    assert {len(row) for row in ROWS} == {6}


@pytest.mark.parametrize("row", FEATURES, ids=lambda row: row[0])
def test_every_row_is_shown_by_tests_that_exist(row: list[str]) -> None:
    assert row[4]
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", row[5])
    assert named
    for file, test in named:
        assert test in names_in(file)


MIXED = """# Pump

## Start

Open the valve first.

```bash
pump open V1
pump start
```

## Alarms

| Code | Meaning |
| ---- | ------- |
| A1   | No flow |
"""


def test_code_tables_and_headings_stay_whole() -> None:
    chunks = plain(MIXED, max_chunk_size=100, min_chunk_size=0)
    assert any("```bash\npump open V1\npump start\n```" in chunk for chunk in chunks)
    assert any("| Code | Meaning |\n| ---- | ------- |\n| A1   | No flow |" in chunk for chunk in chunks)
    assert not [chunk for chunk in chunks if chunk.split("\n")[-1].startswith("#")]


def test_a_whole_document_is_cleaned_too() -> None:
    text = "# A\n\nSee [here](https://example.org)   and   there.\n"
    both = {"remove_urls_emails": True, "collapse_whitespace": True}
    [only] = families({"input_text": text, "parent_mode": "full_doc", **both})["parent_child_chunks"]
    assert only["parent_content"] == "# A\n\nSee here and there."


def test_the_memory_in_the_table_is_that_of_the_manifest() -> None:
    manifest = yaml.safe_load((ROOT / "manifest.yaml").read_text(encoding="utf-8"))
    [row] = [row for row in FEATURES if row[0] == "Memory asked for"]
    assert row[4] == f"{manifest['resource']['memory'] // 1024**2} MB"
