"""What a document is made of, counted by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from markdown_chunker import ChunkConfig, ContentAnalysis, analyze_markdown

DOCUMENT = """\
---
title: Pump manual
---

Preamble.

# One

Some text. And more!

## Two

- a
  - b
- [x] c

1. d

```py
x = 1
```

    y = 2

| a | b |
|---|---|
| 1 | 2 |

$$
x
$$

### Three

> ```go
> z
> ```
"""


def test_counts() -> None:
    found = dataclasses.asdict(analyze_markdown(DOCUMENT))
    ratios = {name: found.pop(name) for name in list(found) if name.endswith("_ratio")}
    reason = found.pop("reason")
    for name in ("avg_sentence_length", "complexity"):
        found.pop(name)
    assert found == {
        "total_chars": len(DOCUMENT),
        "total_lines": 37,
        "title": "Pump manual",
        "code_block_count": 2,
        "table_count": 1,
        "list_count": 2,
        "list_item_count": 4,
        "max_list_depth": 2,
        "has_task_lists": True,
        "math_block_count": 1,
        "header_count": 3,
        "max_header_depth": 3,
        "has_front_matter": True,
        "has_preamble": True,
        "languages": ["py", "go"],
        "strategy": "code_aware",
    }
    assert "code blocks: 2" in reason
    assert "tables: 1" in reason
    characters = {
        "code_ratio": "```py\nx = 1\n```\n    y = 2\n",
        "table_ratio": "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "list_ratio": "- a\n  - b\n- [x] c\n1. d\n",
        "math_ratio": "$$\nx\n$$\n",
    }
    assert ratios == {name: pytest.approx(len(text) / len(DOCUMENT), abs=0.0001) for name, text in characters.items()}


def test_nothing() -> None:
    found = analyze_markdown("")
    assert (found.total_chars, found.total_lines, found.strategy, found.complexity) == (0, 0, "fallback", 0.0)
    assert not found.has_preamble
    assert analyze_markdown("\n \n").list_item_count == 0


@pytest.mark.parametrize(("text", "lines"), [("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2), ("a\r\nb\r\n", 2)])
def test_lines(text: str, lines: int) -> None:
    assert analyze_markdown(text).total_lines == lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\ntext", {"has_preamble": False, "has_front_matter": False}),
        ("text\n\n# A", {"has_preamble": True}),
        ("---\na: 1\n---\n\n# A", {"has_preamble": False, "has_front_matter": True}),
        ("text", {"has_preamble": True, "max_header_depth": 0}),
        ("- a\n- b", {"has_task_lists": False}),
    ],
)
def test_front_matter_and_preamble(text: str, expected: dict[str, Any]) -> None:
    found = dataclasses.asdict(analyze_markdown(text))
    assert {name: found[name] for name in expected} == expected


def test_sentence_length() -> None:
    assert analyze_markdown("It is so. It was so. ").avg_sentence_length == 10.5
    assert analyze_markdown("它是这样。它是那样。").avg_sentence_length == 5
    assert analyze_markdown("Version 3.14 of it").avg_sentence_length == 18


@pytest.mark.parametrize(
    ("text", "strategy", "reason"),
    [
        ("```\nx\n```", "code_aware", "code blocks: 1 (100% of the text), tables: 0"),
        ("- a\n- b\n", "list_aware", "lists: 1 (100% of the text)"),
        ("# A\n\n## B\n\n## C\n\nx", "structural", "headings: 3 on 2 levels"),
        ("text", "fallback", "no code, tables, many lists or headings on several levels"),
    ],
)
def test_the_strategy_and_why(text: str, strategy: str, reason: str) -> None:
    found = analyze_markdown(text)
    assert (found.strategy, found.reason) == (strategy, reason)


def test_it_tells_what_auto_takes_whatever_the_options_name() -> None:
    assert analyze_markdown("text", ChunkConfig(strategy="list_aware")).strategy == "fallback"


def test_it_goes_by_the_thresholds_of_the_options() -> None:
    assert analyze_markdown("- a\n\ntext", ChunkConfig(list_count_threshold=1)).strategy == "list_aware"


def test_it_is_frozen() -> None:
    found = analyze_markdown("text")
    assert isinstance(found, ContentAnalysis)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.title = "x"  # type: ignore[misc]
