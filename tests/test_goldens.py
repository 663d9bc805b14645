"""Golden files: what the engine makes of documents of our own.  `make goldens` writes them anew for review."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import golden_runs as runs
import pytest

from benchmarks.laws import violations
from markdown_chunker import ChunkConfig
from markdown_chunker.chunker import read

#: Set to write the golden files instead of comparing with them.
UPDATE = bool(os.environ.get("UPDATE_GOLDENS"))
SHOWN_LINES = 80
#: Options that change the text before it is chunked; the laws hold for the text that they leave.
CLEANING = (
    "strip_obsidian_block_ids",
    "strip_front_matter",
    "strip_html_comments",
    "remove_images",
    "remove_urls_emails",
    "split_marker",
)
DOCUMENTS = pytest.mark.parametrize("document", runs.DOCUMENTS, ids=lambda path: path.stem)


@DOCUMENTS
def test_golden(document: Path) -> None:
    path = runs.FOLDER / f"{document.stem}.json"
    got = runs.golden(document)
    if UPDATE:
        path.write_text(got, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    if got != expected:
        diff = list(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "got", lineterm="", n=2))
        more = f"\n… {len(diff) - SHOWN_LINES} more lines" if len(diff) > SHOWN_LINES else ""
        note = f"{path.name} differs; if the change is meant, run `make goldens` and review the diff"
        pytest.fail("\n".join([note, *diff[:SHOWN_LINES]]) + more, pytrace=False)


@DOCUMENTS
def test_laws(document: Path) -> None:
    """Beside each golden stand the laws."""
    text = document.read_text(encoding="utf-8")
    found = []
    for options in runs.runs_of(document):
        given = {
            name: value for name, value in options.items() if name not in ("form", "parent_max_size", "child_max_size")
        }
        config = ChunkConfig(**given)
        plain = config.with_changes(**{name: getattr(ChunkConfig(), name) for name in CLEANING})
        source = read(text, config).source.text if plain != config else text
        found += [f"{given}: {violation}" for violation in violations(source, plain, again=False)]
    assert found == []


def test_no_golden_without_document() -> None:
    assert {path.stem for path in runs.FOLDER.glob("*.json")} == {path.stem for path in runs.DOCUMENTS}
