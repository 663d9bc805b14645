"""Text → blocks with the lines they cover: CommonMark, GFM tables, and what documentation sites add to them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from . import containers, leaves
from .grammar import LAZY, LEADING_TABS
from .model import Block
from .scan import Rule, Scan

#: Who takes what `grammar.BLOCK` has found.  (Headings, and what is `scan.WHOLE`, are taken by `Scan.read` itself.)
RULES: Mapping[str, Rule] = {
    "plain": leaves.text_block,
    "text": leaves.text_block,
    "fence": leaves.fence,
    "hr": leaves.thematic_break,
    "code": leaves.indented_code,
    "html1": leaves.html,
    "html2": leaves.html,
    "html3": leaves.html,
    "html4": leaves.html,
    "html5": leaves.html,
    "html6": leaves.html_to_blank_line,
    "html7": leaves.html_to_blank_line,
    "jsx": leaves.html_to_blank_line,
    "export": leaves.html_to_blank_line,
    "imports": leaves.imports,
    "link": leaves.references,
    "formula": leaves.formula,
    "definition": leaves.loose_definition,
    "quote": containers.quote,
    "list": containers.list_,
    "footnote": containers.footnote,
    "details": containers.details,
    "directive": containers.directive,
    "admonition": containers.admonition,
}


def read_blocks(text: str, line: int = 0, at_start: bool = True) -> list[Block]:
    """The top-level blocks of a normalised text, in order, with half-open line spans.

    They cover every line that is not blank exactly once.  Lines, those of children too, count from the start of the
    document, of which the text begins at `line`; front matter stands only at its very start.
    """
    scan = Scan(parse_copy(text), RULES, line)
    if at_start and not line:
        leaves.front_matter(scan)
    scan.read(len(scan.text))
    return scan.out


def parse_copy(text: str) -> str:
    """The text with leading tabs as spaces (CM 2.2) and a line end at its end, on the same lines."""
    if LAZY in text:
        text = text.replace(LAZY, "\ufffd")
    if "\t" in text:
        text = LEADING_TABS.sub(_expand, f"\n{text}")[1:]
    return text if text.endswith("\n") or not text else text + "\n"


def _expand(tabs: re.Match[str]) -> str:
    return tabs[0].expandtabs(4)
