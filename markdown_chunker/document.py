"""One document as the later steps see it: its source, its sections, and what is worked out once on demand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .model import Block, Section
from .options import ChunkConfig
from .relations import CodeBlock, Link, link_code, read_code
from .source import Source
from .tables import is_table

_DEFINING = frozenset({"reference", "footnote"})


class Document:
    """Sections over their source; `codes` and `links` say how its code blocks belong together."""

    def __init__(
        self, source: Source, sections: list[Section], config: ChunkConfig, definitions: dict[str, str] | None = None
    ) -> None:
        self.source = source
        self.sections = sections
        self.config = config
        self._definitions = definitions  # those of the whole document, where this is a window of it

    def under(self, config: ChunkConfig) -> Document:
        """The same document under other options."""
        return Document(self.source, self.sections, config, self._definitions)

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks of all sections in order, headings left out."""
        return [block for section in self.sections for block in section.blocks]

    @property
    def all_blocks(self) -> Iterator[Block]:
        """The headings and blocks of all sections, in order."""
        for section in self.sections:
            if section.heading:
                yield section.heading
            yield from section.blocks

    @cached_property
    def definitions(self) -> dict[str, str]:
        """The link references and footnotes by label, as they stand in the source; the first of a label counts."""
        return self._definitions if self._definitions is not None else read_definitions(self.source, self.sections)

    @cached_property
    def codes(self) -> list[CodeBlock]:
        """The code blocks that stand directly in a section, with their roles."""
        return read_code(self.source, self.sections, self.config)

    @cached_property
    def links(self) -> list[Link]:
        """Pairs of neighbouring code blocks that belong together."""
        return link_code(self.codes, self.config)

    @cached_property
    def table_groups(self) -> list[list[Block]]:
        """Runs of two or more related tables; empty unless they are asked for."""
        return list(_group_tables(self)) if self.config.group_related_tables else []


def read_definitions(source: Source, sections: list[Section]) -> dict[str, str]:
    """What `[label]: …` and `[^label]: …` say, by label."""
    found: dict[str, str] = {}
    for section in sections:
        for block in section.blocks:
            if block.kind not in _DEFINING:
                continue
            text = source.text[slice(*source.span(block.start, block.end))].strip()
            found.setdefault(label_key(text[1 : text.find("]:")]), text)
    return found


def label_key(label: str) -> str:
    """Labels match without regard to case and white space (CommonMark 4.7)."""
    return " ".join(label.casefold().split())


def _group_tables(document: Document) -> list[list[Block]]:
    rules, at = document.config.table_grouping_config, document.source.at
    groups: list[list[Block]] = []
    group: list[Block] = []
    home: Section | None = None
    size = 0
    for section in document.sections:
        for block in section.blocks:
            if not is_table(document.source, block):
                continue
            length = at[block.end] - at[block.start]
            joins = (
                bool(group)
                and (section is home or not rules.require_same_section)
                and block.start - group[-1].end <= rules.max_distance_lines
                and len(group) < rules.max_grouped_tables
                and size + length <= rules.max_group_size
            )
            if not joins:
                group, size = [], 0
                groups.append(group)
            group.append(block)
            size += length
            home = section
    return [group for group in groups if len(group) > 1]
