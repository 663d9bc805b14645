"""docs/promises.md is what `python -m benchmarks.promises` prints."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from benchmarks.promises import page

PAGE = Path(__file__).parents[1] / "docs" / "promises.md"


def test_the_page_is_what_the_script_prints() -> None:
    written, printed = PAGE.read_text(encoding="utf-8"), page()
    if written != printed:
        diff = difflib.unified_diff(written.splitlines(), printed.splitlines(), "docs", "printed", lineterm="", n=1)
        pytest.fail(
            "run `python -m benchmarks.promises > docs/promises.md` and review it\n" + "\n".join(list(diff)[:60]),
            pytrace=False,
        )
