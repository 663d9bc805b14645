"""The title of a document: what its front matter says, else its only top heading."""

from __future__ import annotations

import re

from .model import Section
from .source import Source

_YAML_TITLE = re.compile(r"^(?:title|\"title\"|'title')[ \t]*:(?:[ \t]+|$)", re.I | re.M)
_TOML_TITLE = re.compile(
    r"^[ \t]*(?:title|\"title\"|'title')[ \t]*=[ \t]*"
    r"(?:\"\"\"(?P<long>(?:[^\\\"]|\\[\s\S]|\"(?!\"\"))*+)\"\"\"|'''(?P<raw>[\s\S]*?)'''"
    r"|\"(?P<double>(?:[^\\\"\n]|\\.)*+)\"|'(?P<single>[^'\n]*)')",
    re.M,
)
_TOML_TABLE = re.compile(r"^\[", re.M)
_DOUBLE_QUOTED = re.compile(r"\"((?:[^\\\"]|\\[\s\S])*+)\"")
_SINGLE_QUOTED = re.compile(r"'((?:[^']|'')*+)'")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|\n[ \t\n]*|([\s\S]))")
_BLOCK_SCALAR = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#[^\n]*)?\Z")
_TAGS = re.compile(r"(?:[!&][^ \t]*[ \t]+)*")
_COMMENT = re.compile(r"(?:^|[ \t])#[^\n]*", re.M)
#: Values that are no text: lists and mappings in a line, aliases, null.
_NO_TEXT = re.compile(r"(?:\[[\s\S]*\]|\{[\s\S]*\}|\*\S+|~|null|Null|NULL)\Z")
#: A list or mapping below the key.
_NESTED = re.compile(r"-(?:\s|\Z)|[\w-]+:(?:\s|\Z)")


def document_title(source: Source, sections: list[Section]) -> str:
    """The title in the front matter, else the only heading of level 1; one line of text, empty if there is neither."""
    return _in_front_matter(source, sections) or _only_top_heading(sections)


def _only_top_heading(sections: list[Section]) -> str:
    titles = [section.path[-1] for section in sections if section.heading and section.level == 1]
    return titles[0] if len(titles) == 1 else ""


def _in_front_matter(source: Source, sections: list[Section]) -> str:
    first = sections[0].blocks[0] if sections and sections[0].blocks else None
    if first is None or first.kind != "front_matter":
        return ""
    body = source.text[source.at[first.start + 1] : source.at[first.end - 1]]
    title = _in_toml(body) if source.line(first.start).startswith("+") else _in_yaml(body)
    return " ".join(title.split())


def _in_toml(body: str) -> str:
    table = _TOML_TABLE.search(body)
    found = _TOML_TITLE.search(body, 0, table.start() if table else len(body))
    if found is None:
        return ""
    escaped = found["long"] or found["double"]
    return _unescaped(escaped) if escaped else found["raw"] or found["single"] or ""


def _in_yaml(body: str) -> str:
    """Plain, quoted and block scalars; nested values, lists and null are no title."""
    found = _YAML_TITLE.search(body)
    if found is None:
        return ""
    value, *below = body[found.end() :].split("\n")
    value = value[_match_end(_TAGS, value) :].strip()
    hanging = "\n".join(_indented(below))
    if _BLOCK_SCALAR.match(value):
        return hanging
    whole = f"{value}\n{hanging}"
    if quoted := _DOUBLE_QUOTED.match(whole):
        return _unescaped(quoted[1])
    if quoted := _SINGLE_QUOTED.match(whole):
        return quoted[1].replace("''", "'")
    plain = _COMMENT.sub("", whole).strip()
    return "" if _NO_TEXT.match(plain) or (not value and _NESTED.match(plain)) else plain


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _indented(lines: list[str]) -> list[str]:
    """The lines that hang on a key: blank or indented, up to the next key."""
    hanging = []
    for line in lines:
        if line.strip() and line[0] not in " \t":
            break
        hanging.append(line)
    return hanging


def _unescaped(text: str) -> str:
    """The text of a double-quoted string, white space that is written as an escape being a space."""
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    if code := escape[1] or escape[2] or escape[3]:
        number = int(code, 16)
        return chr(number) if 31 < number < 0xD800 or 0xDFFF < number < 0x110000 else " "
    name = escape[4] or "e"  # an escaped line end joins the lines
    return " " if name in "ntrfvNLP_" else "" if name in "0abe" else name
