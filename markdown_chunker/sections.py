"""Blocks → sections: each heading with what stands below it, and its true path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from sys import maxsize

from markdown_it import MarkdownIt

from .model import Block, Section
from .source import Source

#: The usual heading: an ATX line without a character that could be markup, and without closing `#`s.
_SIMPLE_HEADING = re.compile(r" {0,3}#{1,6} ([^\\`*_\[\]<>&~#\n]+)\n")
#: Nothing here can be inline markup: plain characters, `&` that opens no entity, `_` inside a word, simple code spans.
_PLAIN = re.compile(
    r"(?:[^\\`*_\[\]<>&~\n]++|&(?![A-Za-z#]\S*;)|(?<=[^\W_])_(?=[^\W_])|`[^`\s](?:[^`\n]*[^`\s])?`(?!`))*+"
)
#: All of it in bold.
_BOLD = re.compile(r"\*\*(?![\s*])([^*]*[^\s*])\*\*")
#: A link with nothing in it but text and an address.
_LINK = re.compile(r"(?<!!)\[([^\[\]_]*)\]\((?!(?i:javascript|vbscript|file|data):)[^\s()<>\\;]*\)")
_CODE_SPAN = re.compile(r"`([^`]+)`")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_ATX_CLOSE = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")  # CommonMark 4.2: a closing sequence needs a space before it


def read_sections(
    source: Source, blocks: list[Block], forced: Sequence[int] = (), above: Section | None = None
) -> list[Section]:
    """Cut the document at its top-level headings; headings inside other blocks are no sections.

    A heading's ancestors are the nearest earlier headings of each lower level, so skipped levels and
    documents that start deep keep true paths.  At the `forced` lines a section is cut in two, under one path.
    `above` is the section that the text goes on from, if it is not the start of a document.
    """
    if forced:
        starts = _starts_of_sections(blocks, forced)
    else:
        starts = [i for i, block in enumerate(blocks) if block.kind == "heading"]
    last = blocks[-1].end if blocks else 0
    section = above or Section(None, 0, (), None, 0, last)
    section.blocks = blocks[: starts[0]] if starts else blocks
    sections = [section]
    cuts = [*forced, maxsize][::-1]
    for start, after in pairwise([*starts, len(blocks)]):
        block = blocks[start]
        is_forced = block.start > cuts[-1]
        while block.start > cuts[-1]:
            cuts.pop()
        section.end = block.start
        if block.kind == "heading":
            parent: Section | None = section
            while parent is not None and (parent.level >= block.level or parent.continues):
                parent = parent.parent
            path = (*(parent.path if parent else ()), title_of(source, block))
            outer = parent if parent and parent.level else None
            section = Section(block, block.level, path, outer, block.start, last, blocks[start + 1 : after], is_forced)
        else:
            whole = section.parent if section.continues else section
            inner = blocks[start:after]
            section = Section(None, section.level, section.path, whole, block.start, last, inner, forced=True)
        sections.append(section)
    return [section for section in sections if section.heading or section.blocks]


def _starts_of_sections(blocks: list[Block], forced: Sequence[int]) -> list[int]:
    """Where a section begins: at a heading, and at the first block below a forced line."""
    cuts, starts = [*forced, maxsize][::-1], []
    for i, block in enumerate(blocks):
        below = block.start > cuts[-1]
        while block.start > cuts[-1]:
            cuts.pop()
        if below or block.kind == "heading":
            starts.append(i)
    return starts


def title_of(source: Source, heading: Block) -> str:
    """The heading as a reader sees it: no markers, no markup, one line."""
    start, end = source.at[heading.start], source.at[heading.end]
    simple = _SIMPLE_HEADING.fullmatch(source.text, start, end)
    if simple:
        return " ".join(simple[1].split())
    raw = source.text[start:end].rstrip("\n")
    atx = _ATX.match(raw)
    if atx and heading.end == heading.start + 1:
        raw = _ATX_CLOSE.sub("", raw[atx.end() :])
    else:
        raw = raw[: raw.rfind("\n")]
    return plain_text(raw.strip())


def plain_text(markup: str) -> str:
    """Inline Markdown rendered as plain text.  Titles without real markup take a short way to the same result."""
    text = markup
    if bold := _BOLD.fullmatch(text):
        text = bold[1]
    if "](" in text and "`" not in text:
        text = _LINK.sub(r"\1", text)
    if _PLAIN.fullmatch(text) is None:
        text = _rendered(markup)
    elif "`" in text:
        text = _CODE_SPAN.sub(r"\1", text)
    return " ".join(text.split())


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("strikethrough")


def _rendered(markup: str) -> str:
    parts: list[str] = []
    for token in _inline_parser().parseInline(markup)[0].children or []:
        if token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif not token.type.startswith("html"):
            parts.append(token.content)
    return "".join(parts)
