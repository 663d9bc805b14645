"""What a document and each of its sections say of themselves: a title or heading, and the outline below it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from .graphemes import is_grapheme_boundary
from .measure import measure_of
from .model import Section
from .options import ChunkConfig
from .prose import head_end
from .source import Source
from .titles import document_title

#: At most this much of a document without headings stands for it, in characters.
OPENING = 200
#: A line that says something: no fence, no comment, and a letter or digit in it.
_SAYS = re.compile(r"(?![ \t>]*(?:```|~~~|<!--)).*[^\W_]")


class Overviews:
    """Texts within `max_chunk_size` for the nodes above the chunks."""

    def __init__(self, source: Source, sections: list[Section], config: ChunkConfig) -> None:
        self.source = source
        self.sections = sections
        self.config = config
        self.below: dict[int, list[Section]] = {}
        for section in sections:
            if section.heading:
                self.below.setdefault(id(section.parent), []).append(section)

    def of_section(self, section: Section) -> str:
        """The heading as it stands in the source, or its title where that is too long, and the outline below."""
        if section.heading is None:
            return ""
        start, end = self.source.span(section.heading.start, section.heading.end)
        heading = self.source.text[start:end].strip()
        return self._outlined(heading, section.path[-1], self._below(section))

    def of_document(self) -> str:
        """The title and the outline; a document without headings and title is known by its opening line."""
        titled = [section for section in self.sections if section.heading and section.path[-1]]
        highest = min(titled, key=lambda section: section.level).path[-1] if titled else ""
        title = document_title(self.source, self.sections) or highest
        if not title:
            return self._fitting(self._opening())
        tops = self._below(None)
        if len(tops) == 1 and tops[0].path[-1] == title:
            tops = self._below(tops[0])
        return self._outlined(f"# {title}", title, tops)

    def _below(self, section: Section | None) -> list[Section]:
        return self.below.get(id(section), [])

    def _outlined(self, heading: str, title: str, sections: list[Section]) -> str:
        """The heading and as many levels of the outline as fit; of a single level too long for that, the beginning."""
        if not self._fits(heading):
            return self._fitting(title or heading)
        lines = list(self._outline(sections, 0))
        for deepest in sorted({depth for depth, _ in lines}, reverse=True):
            text = _joined(heading, [line for depth, line in lines if depth <= deepest])
            if self._fits(text):
                return text
        top = [line for depth, line in lines if depth == 0]
        texts = range(len(top) + 1)
        count = bisect_right(texts, self.config.max_chunk_size, key=lambda n: self._size_with(heading, top[:n]))
        return _joined(heading, top[: count - 1])

    def _size_with(self, heading: str, lines: list[str]) -> int:
        return self.config.measure(_joined(heading, lines))

    def _outline(self, sections: list[Section], depth: int) -> Iterator[tuple[int, str]]:
        """The titles as a nested list, with the depth of each."""
        for section in sections:
            title = section.path[-1]
            if title:
                yield depth, f"{'  ' * depth}- {title}"
            yield from self._outline(self._below(section), depth + bool(title))

    def _opening(self) -> str:
        """The first line of text that says something, at most its first sentence or words."""
        lines = (
            self.source.line(number)
            for section in self.sections
            for block in section.blocks
            if block.kind != "front_matter"
            for number in range(block.start, block.end)
        )
        line = next(filter(_SAYS.match, lines), self.source.text).strip()
        if len(line) > OPENING:
            line = line[: head_end(line, 0, len(line), OPENING) or OPENING].rstrip()
        return line

    def _fits(self, text: str) -> bool:
        return self.config.measure(text) <= self.config.max_chunk_size

    def _fitting(self, text: str) -> str:
        """The text, or as much of its beginning as fits: sentences, else words, else characters."""
        if self._fits(text):
            return text
        reach = measure_of(text, self.config.measure).reach(0, len(text), self.config.max_chunk_size)
        end = head_end(text, 0, len(text), reach) or reach
        while end > 1 and not is_grapheme_boundary(text, end, 0):
            end -= 1
        return text[:end].rstrip()


def _joined(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, "", *lines]) if lines else heading
