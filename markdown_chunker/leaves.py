"""Blocks that hold text, one rule per construct.  A rule is called at `scan.pos`, and takes at least one line."""

from __future__ import annotations

import re

from .grammar import (
    DEFINED,
    DEFINITION_BODY,
    DELIMITER_ROW,
    EOL_AFTER_FORMULA,
    FORMULA_END,
    FORMULA_LINE,
    FRONT_MATTER,
    HTML_END,
    HTML_SEAM,
    INTERRUPT,
    LAZY_LINES,
    PERHAPS,
    REFERENCE,
    TABLE_ROWS,
    TEXT,
    fence_end,
)
from .scan import Scan


def front_matter(scan: Scan) -> None:
    """Metadata at the start of a document."""
    if m := FRONT_MATTER.match(scan.text):
        scan.take("front_matter", m.end())


def thematic_break(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.1."""
    scan.take("hr", m.end())


def indented_code(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.4."""
    scan.take_opaque("code", m.end())


def fence(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.5.  An unclosed fence runs to the end of its container."""
    closer = fence_end(m["fence"]).search(scan.text, m.end() - 1)
    end = closer.end() + 1 if closer else scan.last_text_end(m.end())
    scan.take_opaque("fence", end, scan.text[m.end("fence") : m.end() - 1].strip())


def html(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.6, types 1 to 5: to the line that holds the end marker, or to the end of the container."""
    closer = HTML_END[m.lastgroup or ""].search(scan.text, scan.pos)
    scan.take_opaque("html", scan.text.index("\n", closer.end()) + 1 if closer else scan.last_text_end(m.end()))


def html_to_blank_line(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.6, types 6 and 7; and MDX components and exports.

    Beyond CommonMark it ends before a `<details>` element, which is a block of its own.
    """
    text = scan.text
    line_end = text.index("\n", m.end() - 1)
    seam = HTML_SEAM.search(text, line_end)
    while seam and seam["details"] and not scan.closed("details", seam.end("details")):
        seam = HTML_SEAM.search(text, seam.end())
    scan.take_opaque("html", seam.start() + 1 if seam else scan.last_text_end(line_end + 1))


def imports(scan: Scan, m: re.Match[str]) -> None:
    """MDX: a run of import statements."""
    scan.take_opaque("html", m.end())


def references(scan: Scan, m: re.Match[str]) -> None:
    """CM 4.7: definitions of link targets at the start of what is otherwise a paragraph."""
    text = scan.text
    end = text_end(text, m.end())
    while scan.pos < end and (reference := REFERENCE.match(text, scan.pos, end)):
        scan.take("reference", reference.end())
    if scan.pos < end:
        paragraph(scan, end)


def formula(scan: Scan, m: re.Match[str]) -> None:
    """`$$ … $$`, `\\[ … \\]` or `\\begin{name} … \\end{name}`; one that is not closed is text."""
    if end := formula_end(scan, m):
        scan.take_opaque("math", end)
    else:
        text_block(scan, m)


def formula_end(scan: Scan, m: re.Match[str]) -> int:
    """Where the formula that `m` opens ends, or 0 if it does not close.

    `$$` and `\\[` close before a blank line, at the end of a line; an environment may hold blank lines.
    """
    text, opener, start = scan.text, m["formula"], m.start("formula")
    if opener not in FORMULA_LINE:
        closed = scan.closed("formula", m.end("formula"))
        rest = EOL_AFTER_FORMULA.match(text, closed) if closed else None
        return rest.end() if rest else 0
    if whole := FORMULA_LINE[opener].match(text, start):
        return whole.end()
    line_end = text.index("\n", start)
    hopeless = scan.hopeless or {}
    if start < hopeless.get(opener, 0) or _CLOSER[opener] in text[start + 2 : line_end]:
        return 0
    closer = FORMULA_END[opener].search(text, line_end)
    if closer and closer["end"]:
        return closer.end()
    # What closes no formula here closes none that opens before the same blank line: unclosed ones stay linear.
    scan.hopeless = {**hopeless, opener: closer.start() if closer else len(text)}
    return 0


_CLOSER = {"$$": "$$", "\\[": "\\]"}


def loose_definition(scan: Scan, m: re.Match[str]) -> None:
    """A definition one blank line below its term, which was read as a paragraph; without a term it is text."""
    term = scan.out[-1] if scan.out else None
    if not term or term.kind != "paragraph" or term.end != scan.line - 1 or term.end - term.start != 1:
        return text_block(scan, m)
    scan.out.pop()
    scan.take("definition", definition_end(scan.text, scan.pos))
    scan.out[-1].start = term.start
    return None


def definition_end(text: str, pos: int) -> int:
    """The end of the definitions whose first line is at `pos`."""
    while m := DEFINED.match(text, pos):
        body = DEFINITION_BODY.match(text, m.end())
        pos = body.end() if body else m.end()
    return pos


def text_block(scan: Scan, m: re.Match[str]) -> None:
    """A paragraph, or what starts like one (a table, a setext heading, a definition list)."""
    paragraph(scan, m.end() if m.lastgroup in ("plain", "text") else text_end(scan.text, m.start(m.lastgroup or 0)))


def text_end(text: str, pos: int) -> int:
    """The end of the lines of text from the one at `pos` on, that one being text whatever it looks like."""
    m = TEXT.match(text, text.index("\n", pos) + 1)
    return m.end() if m else pos


def paragraph(scan: Scan, end: int) -> None:
    """A paragraph that goes on to `end` at least, or what the line at `end` makes of it (CM 4.3, 4.8; GFM 4.10)."""
    text = scan.text
    while m := PERHAPS.match(text, end):
        if (table_row := table_header(text, scan.pos, end, m)) is not None:
            if table_row > scan.pos:
                scan.take("paragraph", table_row)
            return take_table(scan, end)
        if m.lastgroup == "setext":
            return scan.take("heading", m.end(), 1 if "=" in m["setext"] else 2)
        if m.lastgroup == "definition":
            return scan.take("definition", definition_end(text, end))
        if interrupts(scan, m) or INTERRUPT.match(text, end):
            break
        end = text_end(text, end)
    scan.take("paragraph", end)
    return None


def interrupts(scan: Scan, m: re.Match[str]) -> bool:
    """Whether a line that may open a formula or a directive does."""
    match m.lastgroup:
        case "formula":
            return formula_end(scan, m) > 0
        case "directive":
            return scan.closed("directive", m.end("directive")) is not None
        case kind:
            return kind == "admonition"


def end_of_lazy_lines(scan: Scan, pos: int) -> int:
    """The end of the lines from `pos` on that may lazily continue a paragraph; a formula may not, unless unclosed."""
    text = scan.text
    while True:
        if m := LAZY_LINES.match(text, pos):
            pos = m.end()
        m = PERHAPS.match(text, pos)
        if not m or m.lastgroup != "formula" or formula_end(scan, m):
            return pos
        pos = text.index("\n", m.start("formula")) + 1


def table_header(text: str, start: int, end: int, m: re.Match[str]) -> int | None:
    """Where the header row starts, if the line at `end` is a delimiter row for the line before it (GFM 4.10)."""
    row = max(start, text.rfind("\n", start, end - 1) + 1)
    if m.lastgroup not in ("delimiter", "setext") or (m.lastgroup == "setext" and "|" not in text[row:end]):
        return None
    delimiter = DELIMITER_ROW.match(text, end)
    return row if delimiter and columns(text[row:end]) == columns(delimiter[0]) else None


def take_table(scan: Scan, delimiter: int) -> None:
    """The header row at `scan.pos`, the delimiter row, and the rows below."""
    rows = TABLE_ROWS.match(scan.text, scan.text.index("\n", delimiter) + 1)
    scan.take("table", rows.end() if rows else delimiter)


def columns(row: str) -> int:
    """How many cells a table row has; the outer pipes are optional, an escaped one is text."""
    bare = row.strip().replace("\\|", "")
    return bare.count("|") + 1 - bare.startswith("|") - bare.endswith("|")
