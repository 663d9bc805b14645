"""What the code blocks of a document are to each other: roles, and pairs that belong together.

A role is given only where a label, an info string or the code itself says so; everything else is an example.
Two blocks are related only if at most `related_block_max_gap` lines lie between them, in one section, or under
headings that are a pair or number steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .cues import (
    ERROR_LANGUAGES,
    ERROR_TEXT,
    INSTALL_COMMAND,
    LABELS,
    OUTPUT_LANGUAGES,
    PRINTED_LANGUAGES,
    PROMPT,
    SHELL_LANGUAGES,
    STEP,
    step_number,
)
from .model import Block, Section
from .options import ChunkConfig
from .source import Source

#: A label is a line of at most this many characters.
LABEL_LENGTH = 120
#: Kinds of blocks that are code or may hold some.
HOLDING_CODE = frozenset({"fence", "code", "list"})
_DECORATION = re.compile(r"^[\s>#*_\-+]+|[\s*_]+$")
_EMPHASISED = re.compile(r"(\*\*|__|\*|_).+?\1[:：]?\Z")
_LANGUAGE = re.compile(r"[\s{.]*([^\s{},:]*)")
_LABEL_ENDS = ":：*_ "
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])(?=\S)")
_RESULTS = ("output", "error")
#: Info strings from which, or from the text under which, a role may follow without a label.
_TELLING_LANGUAGES = ERROR_LANGUAGES | OUTPUT_LANGUAGES | PRINTED_LANGUAGES | SHELL_LANGUAGES


class Step(NamedTuple):
    """A place in a numbered list: an item by its position."""

    list: Block
    number: int


class Place(NamedTuple):
    """Where a code block stands: what is above it and, in a list, its item and the step it belongs to."""

    block: Block
    above: Block | None
    item: Block | None = None
    step: Step | None = None


class CodeBlock(NamedTuple):
    """A fenced or indented block of a section, or a fence in an item of its lists, with what is known of it."""

    block: Block
    section: Section
    start: int
    end: int
    role: str
    language: str
    is_step: bool
    is_command: bool
    labelled_by_heading: bool
    place: Place
    explanation: int  # the offset after the paragraph right above, -1 if there is none


class Link(NamedTuple):
    """Two code blocks that belong together; `first` and `last` index the list of code blocks."""

    first: int
    last: int
    relationship: str


def read_code(source: Source, sections: list[Section], config: ChunkConfig) -> list[CodeBlock]:
    """The code blocks that stand directly in a section or in its lists, in order, with their roles."""
    found: list[CodeBlock] = []
    for section in sections:
        for place in _places(source, section.blocks):
            found.append(_describe(source, section, place, found[-1] if found else None, config))
    return found


def _places(
    source: Source, blocks: list[Block], item: Block | None = None, step: Step | None = None
) -> Iterator[Place]:
    for i, block in enumerate(blocks):
        if block.kind == "fence" or (block.kind == "code" and item is None):
            yield Place(block, blocks[i - 1] if i else None, item, step)
        elif block.kind == "list" and _may_hold_fence(source, block):
            is_numbered = block.children[0].info not in ("-", "+", "*")
            for number, child in enumerate(block.children):
                if _may_hold_fence(source, child):
                    yield from _places(source, child.children, child, Step(block, number) if is_numbered else step)


def _may_hold_fence(source: Source, block: Block) -> bool:
    text, start, end = source.text, source.at[block.start], source.at[block.end]
    return text.find("```", start, end) >= 0 or text.find("~~~", start, end) >= 0


def link_code(codes: list[CodeBlock], config: ChunkConfig) -> list[Link]:
    """The pairs of neighbouring blocks that are related."""
    links = []
    for i in range(len(codes) - 1):
        first, last = codes[i], codes[i + 1]
        if last.block.start - first.block.end > config.related_block_max_gap:
            continue
        if relationship := _relationship(first, last, config):
            links.append(Link(i, i + 1, relationship))
    return links


def _relationship(first: CodeBlock, last: CodeBlock, config: ChunkConfig) -> str:
    if first.section is not last.section:
        headed = first.labelled_by_heading and last.labelled_by_heading and first.section.level == last.section.level
        if not (headed and first.role == "before" and last.role == "after"):
            return "sequential" if _is_next_step(first.section, last.section) else ""
    if first.role == "before" and last.role == "after":
        return "before_after" if config.preserve_before_after_pairs else ""
    if last.role in _RESULTS and first.role not in _RESULTS:
        return "code_output" if config.bind_output_blocks else ""
    if first.role == "setup" and last.role == "example":
        return "setup_example"
    return "sequential" if (first.is_step and last.is_step) or _follows(first.place.step, last.place.step) else ""


def _is_next_step(first: Section, last: Section) -> bool:
    """Whether the headings of two sections number one step and the next."""
    if not first.heading or not last.heading or first.level != last.level or first.parent is not last.parent:
        return False
    number = step_number(last.path[-1].lower())
    return number > 1 and step_number(first.path[-1].lower()) == number - 1


def _follows(first: Step | None, last: Step | None) -> bool:
    """Whether the two are one item or neighbouring ones of a numbered list."""
    if first is None or last is None or first.list is not last.list:
        return False
    return last.number - first.number <= 1


def _describe(
    source: Source, section: Section, place: Place, previous: CodeBlock | None, config: ChunkConfig
) -> CodeBlock:
    at, block, above = source.at, place.block, place.above
    start, end = at[block.start], at[block.end]
    language = language_of(block.info) if block.info else ""
    body_start = at[block.start + 1] if block.kind == "fence" else start
    explained = above is not None and above.kind == "paragraph" and block.start - above.end <= 2
    explanation = at[above.end] if explained and above else -1
    by_heading = above is None and section.heading is not None and place.item is None
    label = (section.path[-1] if by_heading else _label(source, above) if explained and above else "").lower()
    if not label and language not in _TELLING_LANGUAGES:  # the usual case: nothing says that it is anything special
        is_command = source.text.startswith("$ ", body_start)
        return CodeBlock(
            block, section, start, end, "example", language, False, is_command, by_heading, place, explanation
        )
    body = source.text[body_start : min(end, body_start + 400)]
    role = _role(language, label, body, _is_printed_by(previous, section, place, language, config))
    return CodeBlock(
        block,
        section,
        start,
        end,
        role,
        language,
        bool(label) and STEP.match(label) is not None,
        role not in _RESULTS and (language in SHELL_LANGUAGES or PROMPT.match(body) is not None),
        by_heading,
        place,
        explanation,
    )


def _is_printed_by(
    previous: CodeBlock | None, section: Section, place: Place, language: str, config: ChunkConfig
) -> bool:
    """Whether a block of printed text may be what the code before it prints: a command, or code right above it."""
    if previous is None or previous.section is not section or previous.place.step != place.step:
        return False
    if previous.is_command:
        return place.block.start - previous.block.end <= config.related_block_max_gap
    return bool(language) and place.above is previous.block and previous.language not in PRINTED_LANGUAGES


def _label(source: Source, above: Block) -> str:
    """The words of a paragraph that announce the code: its last line, if it ends in a colon or is all emphasis."""
    text, end = source.text, source.at[above.end]
    if text[max(0, end - 2)] not in _LABEL_ENDS:
        return ""
    line = source.line(above.end - 1).strip()
    bare = _DECORATION.sub("", line)
    if len(line) > LABEL_LENGTH or not (bare.endswith((":", "：")) or _EMPHASISED.match(line)):
        return ""
    return bare


def _role(language: str, label: str, body: str, is_printed: bool) -> str:
    if language in ERROR_LANGUAGES:
        return "error"
    if language in OUTPUT_LANGUAGES:
        return "output"
    if label:
        label = _DECORATION.sub("", _SENTENCE_END.split(label)[-1])
        for role, cue in LABELS.items():
            if cue.match(label) and not (role in _RESULTS and PROMPT.match(body)):
                return role
    if language in PRINTED_LANGUAGES:
        if ERROR_TEXT.match(body):
            return "error"
        if is_printed and not PROMPT.match(body):
            return "output"
    if (language in SHELL_LANGUAGES or not language) and INSTALL_COMMAND.match(body.lstrip()):
        return "setup"
    return "example"


def language_of(info: str) -> str:
    """The language in a fence's info string, such as `python title="a.py"` or `{.python}`; lower case."""
    word = _LANGUAGE.match(info)
    return word[1].lower() if word else ""
