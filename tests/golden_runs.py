"""What is run on each golden document, and how the chunks are written down for a reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_chunker import (
    Chunk,
    ChunkConfig,
    StrategyError,
    chunk_hierarchical,
    chunk_markdown,
    chunk_parent_child,
)

FOLDER = Path(__file__).parent / "golden"
DOCUMENTS = sorted((FOLDER / "documents").glob("*.md"))
#: Every document is chunked with these by `auto` and by each strategy that it did not choose.
SIZES = {"max_chunk_size": 600, "min_chunk_size": 150}
STRATEGIES = ("structural", "code_aware", "list_aware", "fallback")
SMALL = {"max_chunk_size": 250, "min_chunk_size": 60}
#: Further runs of one document each.  `form` says which function is called, if not chunk_markdown.
MORE: dict[str, list[dict[str, Any]]] = {
    "academic-formulas": [SMALL, {"max_chunk_size": 160, "min_chunk_size": 40, "oversize": "keep"}],
    "api-reference": [{"form": "hierarchy", **SIZES}, {**SMALL, "strategy": "structural"}],
    "before-after": [SMALL, {**SMALL, "enable_code_context_binding": False}],
    "changelog": [{"form": "hierarchy", **SMALL}, {**SMALL, "strategy": "chunkana"}],
    "cjk-unpunctuated": [{"max_chunk_size": 60, "min_chunk_size": 20}],
    "config-reference": [{"form": "hierarchy", **SMALL}, {**SIZES, "strategy": "chunkana"}],
    "data-uri": [SMALL],
    "definition-lists": [SMALL],
    "directives": [SMALL],
    "emoji-newsletter": [SMALL],
    "faq-details": [SMALL],
    "feature-list": [SMALL, {"max_chunk_size": 120, "min_chunk_size": 30}],
    "footnotes": [{**SMALL, "chunk_overlap": 80}],
    "front-matter-toml": [SMALL],
    "front-matter-yaml": [{**SIZES, "strip_front_matter": True}, SMALL],
    "guide-chinese": [{"max_chunk_size": 200, "min_chunk_size": 40}, {"max_chunk_size": 80, "min_chunk_size": 20}],
    "guide-french": [SMALL],
    "guide-german": [{"form": "parents", "parent_max_size": 600, "child_max_size": 200, "min_chunk_size": 60}],
    "guide-japanese": [{"max_chunk_size": 200, "min_chunk_size": 40}],
    "guide-korean": [{"max_chunk_size": 120, "min_chunk_size": 40}],
    "guide-russian": [SMALL],
    "html-comments": [{**SIZES, "strip_html_comments": True}, SMALL],
    "html-tables": [SMALL, {**SMALL, "oversize": "keep"}],
    "interview": [{**SIZES, "chunk_overlap": 120}],
    "legal-terms": [SMALL, {"form": "hierarchy", **SMALL}],
    "long-table": [{"max_chunk_size": 900, "min_chunk_size": 200}, {**SIZES, "oversize": "keep"}],
    "mdx-page": [SMALL],
    "meeting-minutes": [{"form": "parents", "parent_max_size": 700, "child_max_size": 250, "min_chunk_size": 60}],
    "nested-fences": [{"max_chunk_size": 120, "min_chunk_size": 30}],
    "notebook-export": [{"use_adaptive_sizing": True}, SMALL, {**SMALL, "bind_output_blocks": False}],
    "obsidian-note": [{**SIZES, "strip_obsidian_block_ids": True}],
    "ordered-procedure": [SMALL],
    "pdf-pages": [{**SIZES, "strip_html_comments": True}],
    "pdf-running-text": [{**SIZES, "split_marker": "Page 2"}, SMALL],
    "plain-prose": [SMALL, {"use_adaptive_sizing": True}],
    "poems": [{"max_chunk_size": 120, "min_chunk_size": 30}],
    "postmortem": [{"form": "hierarchy", **SIZES}, SMALL],
    "quotes-alerts": [SMALL],
    "recipe": [SMALL],
    "related-tables": [
        {"max_chunk_size": 1000, "min_chunk_size": 150, "group_related_tables": True},
        {**SMALL, "group_related_tables": True},
        SMALL,
    ],
    "release-notes": [{"form": "hierarchy", **SMALL}],
    "runbook": [SMALL, {"form": "parents", "parent_max_size": 600, "child_max_size": 200, "min_chunk_size": 60}],
    "setext-headings": [SMALL],
    "skipped-levels": [{"form": "hierarchy", **SMALL}],
    "task-list-nested": [SMALL, {"form": "hierarchy", **SMALL}],
    "terminal-session": [SMALL, {**SIZES, "strategy": "chunkana"}],
    "thai-notes": [{"max_chunk_size": 120, "min_chunk_size": 40}],
    "wide-table": [SMALL, {**SMALL, "oversize": "keep"}],
}
#: Fields that stand in the headline of a chunk, or are the same all over the run.
_IN_HEADLINE = frozenset(
    {"chunk_index", "start_line", "end_line", "header_path", "content_type", "strategy", "parent_id"}
)
_LONGEST, _ENDS, _WIDEST, _LONGEST_LINE = 7, 3, 125, 200


def runs_of(document: Path) -> list[dict[str, Any]]:
    """The options of all runs of a document."""
    return [SIZES, *({**SIZES, "strategy": name} for name in STRATEGIES), *MORE.get(document.stem, [])]


def golden(document: Path) -> str:
    """What the golden file of a document should hold."""
    text = document.read_text(encoding="utf-8")
    runs: list[dict[str, Any]] = []
    chosen: list[list[str]] = []
    for options in runs_of(document):
        run = result(text, dict(options))
        if chosen and run.get("strategy") == runs[0]["strategy"] and options == {**SIZES, "strategy": run["strategy"]}:
            continue  # what `auto` has shown
        ids = [chunk["id"] for chunk in run.get("chunks", [])]
        if ids and ids in chosen:
            same = runs[chosen.index(ids)]
            run = {"options": run["options"], "same_as": same["options"]}
        chosen.append(ids)
        runs.append(run)
    return pretty({"document": document.name, "runs": runs}) + "\n"


def result(text: str, options: dict[str, Any]) -> dict[str, Any]:
    """One run, written down."""
    shown = dict(options)
    form = options.pop("form", "chunks")
    if form == "parents":
        sizes = {name: options.pop(name) for name in ("parent_max_size", "child_max_size")}
        families = chunk_parent_child(text, ChunkConfig(**options), **sizes)
        return {
            "options": shown,
            "parents": [
                {**written(family.parent), "children": [written(child) for child in family.children]}
                for family in families
            ],
        }
    config = ChunkConfig(**options)
    if form == "hierarchy":
        tree = chunk_hierarchical(text, config)
        depths = {"": -1}
        lines = []
        for node in tree.chunks:
            meta = node.metadata
            depth = depths[meta["chunk_id"]] = depths[meta.get("parent_id", "")] + 1
            kind = f"level {meta['hierarchy_level']}{' leaf' if meta.get('is_leaf') else ''}"
            opening = " ⏎ ".join(line for line in node.content.split("\n") if line)[:60]
            lines.append(f"{'    ' * depth}{kind}, lines {node.start_line}-{node.end_line}: {opening}")
        return {"options": shown, "tree": lines}
    try:
        chunks = chunk_markdown(text, config)
    except StrategyError as error:
        return {"options": shown, "error": str(error)}
    return {
        "options": shown,
        "strategy": chunks[0].metadata["strategy"] if chunks else "",
        "chunks": [written(chunk) for chunk in chunks],
    }


def written(chunk: Chunk) -> dict[str, Any]:
    """A chunk as a reader wants to see it: where it is, what is known of it, and its text or the ends of it."""
    meta = chunk.metadata
    path = " > ".join(meta["header_path"]) or "(no heading)"
    return {
        "chunk": f"{meta['chunk_index']}: lines {chunk.start_line}-{chunk.end_line}, {chunk.size} characters, "
        f"{chunk.content_type}, {path}",
        "id": meta["chunk_id"],
        "fields": {name: value for name, value in meta.items() if name not in _IN_HEADLINE and name != "chunk_id"},
        "text": abridged(chunk.content),
    }


def pretty(value: Any, indent: int = 0) -> str:
    """JSON in which what fits on a line stands on one, but for the lines of a text."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or (len(flat) + indent <= _LONGEST_LINE and '"text": [' not in flat):
        return flat
    begin = " " * (indent + 1)
    if isinstance(value, dict):
        items = [f"{json.dumps(name)}: {_member(name, item, indent + 1)}" for name, item in value.items()]
        return "{\n" + ",\n".join(begin + item for item in items) + f"\n{' ' * indent}}}"
    return "[\n" + ",\n".join(begin + pretty(item, indent + 1) for item in value) + f"\n{' ' * indent}]"


def _member(name: str, value: Any, indent: int) -> str:
    if name != "text":
        return pretty(value, indent)
    begin = " " * (indent + 1)
    return "[\n" + ",\n".join(begin + json.dumps(line, ensure_ascii=False) for line in value) + f"\n{' ' * indent}]"


def abridged(content: str) -> list[str]:
    """The lines of a text; of a long one the first and last few, of wide lines both ends."""
    lines = content.split("\n")
    if len(lines) > _LONGEST:
        lines = [*lines[:_ENDS], f"… {len(lines) - 2 * _ENDS} lines …", *lines[-_ENDS:]]
    half = _WIDEST // 2
    return [line if len(line) <= _WIDEST else f"{line[:half]} … {line[-half:]}" for line in lines]
