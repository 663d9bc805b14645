"""What a stretch of source is made of: the content type and the languages of its code."""

from __future__ import annotations

from .model import Block
from .source import Source

#: What kind of content a block is; the rest is text.
CONTENT_TYPES = {
    "fence": "code",
    "code": "code",
    "list": "list",
    "table": "table",
    "math": "math",
    "html": "html",
    "details": "html",
}
#: A chunk has the type that fills at least this share of it; below, it is mixed.
DOMINANT_SHARE = 2 / 3


class ContentReader:
    """Walks the blocks once, chunk after chunk."""

    def __init__(self, source: Source, blocks: list[Block]) -> None:
        self.source = source
        self.blocks = blocks
        self.next = 0

    def describe(self, start: int, end: int) -> tuple[str, list[str]]:
        """The content type and the code languages of source[start:end]."""
        at, blocks = self.source.at, self.blocks
        shares: dict[str, int] = {}
        languages: list[str] = []
        i = self.next
        while i < len(blocks) and at[blocks[i].end] <= start:
            i += 1
        self.next = i
        while i < len(blocks) and at[blocks[i].start] < end:
            block = blocks[i]
            kind = CONTENT_TYPES.get(block.kind, "text")
            shares[kind] = shares.get(kind, 0) + min(at[block.end], end) - max(at[block.start], start)
            if block.kind == "fence" and block.info:
                language = language_of(block.info)
                if language and language not in languages:
                    languages.append(language)
            i += 1
        return _dominant(shares), languages


def _dominant(shares: dict[str, int]) -> str:
    if len(shares) < 2:
        return next(iter(shares), "text")
    kind = max(shares, key=lambda name: shares[name])
    return kind if shares[kind] >= DOMINANT_SHARE * sum(shares.values()) else "mixed"


def language_of(info: str) -> str:
    """The language in a fence's info string, such as `python title="a.py"` or `{.python}`; lower case."""
    word = info.strip().lstrip("{").lstrip(".").split(None, 1)
    return word[0].rstrip("}").split("{")[0].split(",")[0].split(":")[0].lower() if word else ""
