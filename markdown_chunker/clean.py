"""Cleaning that does no harm: code stays as it is, and every line keeps its number.

What is removed across lines leaves its line ends behind.  Nothing here is on unless it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .blocks import read_blocks
from .model import CONTAINERS, Block
from .options import ChunkConfig
from .source import Source

#: Blocks in which every character counts.
_LITERAL = frozenset({"fence", "code", "math"})
_VERBATIM = _LITERAL | {"table", "html", "front_matter"}

_CODE_SPAN = r"(?P<code>(?<!`)(`+)(?!`)[^\n]{1,2000}?(?<!`)\2(?!`))"
#: Obsidian's block identifier: a caret and letters, digits or dashes at the end of a line or alone on it.
_BLOCK_ID = re.compile(r"(?:^|(?<![ \t])[ \t]+)\^[A-Za-z0-9-]+[ \t]*$", re.M)
_COMMENT = re.compile(rf"{_CODE_SPAN}|<!--(?:>|->|[\s\S]*?-->)")
#: One line end is inside a paragraph, two end it.
_LINE_END = r"\n(?![ \t>]*\n)"
_BRACKETED = rf"(?:[^\[\]\\\n]|{_LINE_END}|\\.|\[(?:[^\[\]\\\n]|\\.)*+\])*+"
_TARGET = r"\((?:[^()\\\n]|\\.|\((?:[^()\\\n]|\\.)*+\))*+\)|\[[^\[\]\n]*+\]"
#: Not behind one backslash, nor three; two are a backslash.
_UNESCAPED = r"(?<!^\\)(?<!^\\\\\\)(?<![^\\]\\)(?<![^\\]\\\\\\)"
_IMAGE = re.compile(
    rf"{_CODE_SPAN}|{_UNESCAPED}!\[(?P<alt>{_BRACKETED})\](?:{_TARGET})|<img\b(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+>"
    # as Obsidian embeds a file: ![[name|caption]], ![[name|width]]
    r"|!\[\[[^\[\]|\n]+\.(?:avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp)(?:\|(?P<caption>[^\[\]\n]*+))?\]\]",
    re.I | re.M,
)
_WIDTH = re.compile(r"\d+(?:x\d+)?")
_IMAGE_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)
_ADDRESS = (
    r"(?:https?|ftp)://[^\s<>()\[\]\"'`\u3000-\u9fff\uff00-\uffef]*[^\s<>()\[\]\"'`.,;:!?\u3000-\u9fff\uff00-\uffef]"
)
#: Looked for at the first of the letters that may belong to it only: what has no @ is read once.
_EMAIL = r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]++@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
_MAILTO = rf"(?i:mailto:){_EMAIL}(?:\?[^\s<>()\[\]\"'`]*)?"
_LINK = re.compile(
    rf"{_CODE_SPAN}|(?P<image>{_UNESCAPED}!\[{_BRACKETED}\](?:{_TARGET}))"
    rf"|{_UNESCAPED}\[(?P<text>(?:!\[{_BRACKETED}\](?:{_TARGET})|[^\[\]\\\n]|{_LINE_END}|\\.)*+)\](?:{_TARGET})"
    rf"|^ {{0,3}}\[(?!\^)[^\[\]\n]+\]:[ \t]*\S+[^\n]*$"
    rf"|<(?:{_ADDRESS}|{_MAILTO}|{_EMAIL})>|{_ADDRESS}|{_MAILTO}|{_EMAIL}",
    re.M,
)
#: Two or more spaces or tabs between words: not indentation, not a hard line break at the end (CommonMark 6.7).
_SPACES = re.compile(rf"{_CODE_SPAN}|(?<=\S)(?P<between>[ \t]{{2,}})(?=\S)|(?<=\S)(?:[ \t]|[ \t]*\t)$", re.M)
_BLANK_RUN = re.compile(r"\n(?:[ \t]*\n){2,}")


def clean(text: str, config: ChunkConfig) -> str:
    """The text without what the options say to leave out; unchanged, and not read, if they say nothing."""
    for name, step in _STEPS.items():
        if getattr(config, name):
            text = step(text)
    return text


def cleans(config: ChunkConfig) -> bool:
    """Whether the options leave anything out."""
    return any(getattr(config, name) for name in _STEPS)


def collapse_blank_lines(text: str) -> str:
    """Two or more blank lines as one, outside code."""
    if not _BLANK_RUN.search(text):
        return text
    return _rewrite(text, _BLANK_RUN, lambda match: "\n\n", _VERBATIM, keep_lines=False)


def marker_lines(text: str, marker: str) -> list[int]:
    """The lines that equal the marker, white space around it aside, outside code, formulas, tables and HTML.

    A line between the rows of a table is a row of it; one that would underline a heading is a marker all the same.
    """
    if not marker or marker not in text:
        return []
    inside = {
        line
        for block in _blocks_of(read_blocks(text), _LITERAL | {"html", "table"})
        for line in range(block.start + 1, block.end)
    }
    return [n for n, line in enumerate(text.split("\n")) if line.strip() == marker and n not in inside]


def blank_lines(text: str, numbers: list[int]) -> str:
    """The text with these lines emptied."""
    if not numbers:
        return text
    lines = text.split("\n")
    for number in numbers:
        lines[number] = ""
    return "\n".join(lines)


def _one_space(spaces: re.Match[str]) -> str:
    return " " if spaces["between"] else ""


def _alternative(image: re.Match[str]) -> str:
    if image["alt"] is not None:
        return str(image["alt"])
    if image["caption"]:
        return "" if _WIDTH.fullmatch(image["caption"].strip()) else str(image["caption"])
    alt = _IMAGE_ALT.search(image[0])
    return (alt[1] or alt[2] or "") if alt else ""


def _link_text(link: re.Match[str]) -> str:
    return str(link["image"] or link["text"] or "")


def _without_front_matter(text: str) -> str:
    blocks = read_blocks(text)
    if not blocks or blocks[0].kind != "front_matter":
        return text
    return blank_lines(text, list(range(blocks[0].start, blocks[0].end)))


def _rewrite(
    text: str,
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str]], str],
    kept: frozenset[str],
    keep_lines: bool = True,
    closer: str = "",
) -> str:
    """Replace matches outside the kept kinds of blocks and outside code spans; line ends in a match stay.

    Every match ends in `closer`, if one is given: below the last of them nothing is searched, so that openers without
    a closer cost no time.
    """

    def replace(match: re.Match[str]) -> str:
        if match.groupdict().get("code"):
            return match[0]
        new = replacement(match)
        return new + "\n" * (match[0].count("\n") - new.count("\n")) if keep_lines else new

    def rewritten(part: str) -> str:
        last = part.rfind(closer) if closer else len(part)
        end = part.find("\n", last) if last >= 0 else 0
        end = len(part) if end < 0 else end
        return pattern.sub(replace, part[:end]) + part[end:]

    source = Source(text)
    parts, at = [], 0
    for block in _blocks_of(read_blocks(text), kept):
        start, end = source.at[block.start], source.at[block.end]
        parts += [rewritten(text[at:start]), text[start:end]]
        at = end
    parts.append(rewritten(text[at:]))
    return "".join(parts)


def _without_comments(text: str) -> str:
    return _rewrite(text, _COMMENT, lambda match: "", _LITERAL, closer="-->") if "<!--" in text else text


def _without_block_ids(text: str) -> str:
    kept = _LITERAL | {"html", "front_matter"}
    return _rewrite(text, _BLOCK_ID, lambda match: "", kept) if "^" in text else text


#: What each option leaves out, in this order.
_STEPS: dict[str, Callable[[str], str]] = {
    "strip_front_matter": _without_front_matter,
    "strip_html_comments": _without_comments,
    "remove_images": lambda text: _rewrite(text, _IMAGE, _alternative, _LITERAL),
    "remove_urls_emails": lambda text: _rewrite(text, _LINK, _link_text, _LITERAL),
    "strip_obsidian_block_ids": _without_block_ids,
    "collapse_whitespace": lambda text: _rewrite(text, _SPACES, _one_space, _VERBATIM),
}


def _blocks_of(blocks: list[Block], kinds: frozenset[str]) -> Iterator[Block]:
    """The blocks of these kinds at any depth, in order."""
    for block in blocks:
        if block.kind in kinds:
            yield block
        elif block.kind in CONTAINERS:
            yield from _blocks_of(block.children, kinds)
