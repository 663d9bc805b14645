"""Fixtures: a title, a document, then options and what its chunks must be.  tests/fixtures/README.md has the words.

title
.
document
.
options
expectation
…
.

Whatever a fixture expects, the laws hold for it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.laws import violations
from markdown_chunker import Chunk, ChunkConfig, chunk_hierarchical, chunk_markdown
from markdown_chunker.clean import clean
from markdown_chunker.strategies import BUILT_IN

FIXTURES = Path(__file__).parent / "fixtures" / "chunks"
SENTENCE = "Lorem ipsum dolor sit amet consectetur. "
SHORT_NAMES = {"max": "max_chunk_size", "min": "min_chunk_size", "overlap": "chunk_overlap"}

_CASE = re.compile(r"(?ms)^([^\n]+)\n\.\n(.*?)^\.\n([^\n]*)\n(.*?)^\.$")
_REPEATED = re.compile(r"\{(\d+) x\} (.*)")
_FILLER = re.compile(r"\{P(?:\*(\d+))?\}")
_LINES = re.compile(r"\{lines\*(\d+)\}")
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\S+')


def expanded(document: str) -> str:
    """The document with its placeholders filled in."""
    lines = []
    for line in document.removesuffix("\n").split("\n"):
        repeated = _REPEATED.fullmatch(line)
        count, body = (int(repeated[1]), repeated[2]) if repeated else (1, line)
        lines += [body.replace("{i}", str(i)).replace("{n}", "\n" if repeated else "{n}") for i in range(count)]
    text = "\n".join(lines) + "\n"
    text = _FILLER.sub(lambda match: (SENTENCE * int(match[1] or 1)).rstrip(), text)
    return _LINES.sub(lambda match: "\n".join(f"line {n}" for n in range(int(match[1]))), text).replace(
        "{BOM}", "\ufeff"
    )


def cases() -> Iterator[object]:
    """Each case of each fixture file, named by file and line; `strategy=each` stands for a case for every one."""
    for path in sorted(FIXTURES.glob("*.md")):
        source = path.read_text(encoding="utf-8")
        for match in _CASE.finditer(source):
            where = f"{path.name}:{source.count('\n', 0, match.start()) + 1}"
            names = [name for name in BUILT_IN if name != "chunkana"] if "strategy=each" in match[3] else [""]
            for name in names:
                options = match[3].replace("strategy=each", f"strategy={name}")
                yield pytest.param(match[2], options, match[4], id=f"{where} {match[1]} {name}".rstrip())


def config_of(options: str) -> ChunkConfig:
    """`max=300 strategy=fallback …`, or `default`."""
    values: dict[str, Any] = {}
    for word in options.split() if options != "default" else ():
        name, _, value = word.partition("=")
        values[SHORT_NAMES.get(name, name)] = json.loads(value) if re.match(r"[\d{]|true|false", value) else value
    return ChunkConfig.from_dict(values)


class Result:
    """The chunks of a document; each method that begins with `expect_` is a word of the expectations."""

    def __init__(self, text: str, config: ChunkConfig) -> None:
        self.text = text
        self.config = config
        self.chunks = chunk_markdown(text, config)

    def holding(self, text: str) -> list[Chunk]:
        """The chunks that hold a text; there are some."""
        found = [chunk for chunk in self.chunks if text in chunk.content]
        assert found, f"no chunk holds {text!r}"
        return found

    def expect_count(self, number: str) -> None:
        assert len(self.chunks) == int(number)

    def expect_lines(self, *ranges: str) -> None:
        assert [f"{chunk.start_line}-{chunk.end_line}" for chunk in self.chunks] == list(ranges)

    def expect_whole(self, *texts: str) -> None:
        for text in texts:
            self.holding(text)

    def expect_together(self, *texts: str) -> None:
        assert any(all(text in chunk.content for text in texts) for chunk in self.chunks)

    def expect_apart(self, *texts: str) -> None:
        self.expect_whole(*texts)
        assert not any(all(text in chunk.content for text in texts) for chunk in self.chunks)

    def expect_once(self, *texts: str) -> None:
        for text in texts:
            assert sum(chunk.content.count(text) for chunk in self.chunks) == 1

    def expect_absent(self, *texts: str) -> None:
        for text in texts:
            assert not any(text in chunk.content for chunk in self.chunks)

    def expect_starts(self, text: str, opening: str) -> None:
        assert all(chunk.content.startswith(opening) for chunk in self.holding(text))

    def expect_ends(self, text: str, ending: str) -> None:
        assert all(chunk.content.endswith(ending) for chunk in self.holding(text))

    def expect_path(self, text: str, *titles: str) -> None:
        assert [chunk.metadata["header_path"] for chunk in self.holding(text)] == [list(titles)] * len(
            self.holding(text)
        )

    def expect_field(self, text: str, name: str, value: str) -> None:
        for chunk in self.holding(text):
            assert chunk.metadata.get(name) == json.loads(value)

    def expect_no_field(self, text: str, name: str) -> None:
        assert not any(name in chunk.metadata for chunk in self.holding(text))

    def expect_above(self, text: str, *titles: str) -> None:
        """The node above the leaf with this text has this path; the root has none."""
        tree = chunk_hierarchical(self.text, self.config)
        [leaf] = [chunk for chunk in tree.get_flat_chunks() if text in chunk.content]
        node = tree.get_parent(leaf.metadata["chunk_id"])
        assert node is not None
        assert node.metadata["header_path"] == list(titles)


@pytest.mark.parametrize(("document", "options", "expectations"), list(cases()))
def test_fixture(document: str, options: str, expectations: str) -> None:
    text, config = expanded(document), config_of(options)
    result = Result(text, config)
    for line in expectations.splitlines():
        name, *words = _WORD.findall(line)
        arguments = [json.loads(word) if word.startswith('"') else word for word in words]
        getattr(result, "expect_" + name.replace("-", "_"))(*arguments)
    if clean(text, config) == text:  # the laws compare with the text as it came
        assert violations(text, config) == []


def test_every_file_is_read_to_its_end() -> None:
    """A case with a missing dot would be skipped in silence."""
    for path in FIXTURES.glob("*.md"):
        assert not _CASE.sub("", path.read_text(encoding="utf-8")).strip(), path.name


def test_the_list_of_defects_is_true() -> None:
    """Each is listed once, and each file that the list names has it."""
    listed: dict[str, str] = {}
    for row in re.finditer(
        r"(?m)^\| ([XZ]\d+(?:, [XZ]\d+)*) \| (.*) \|$", (FIXTURES.parent / "README.md").read_text(encoding="utf-8")
    ):
        for defect in row[1].split(", "):
            assert defect not in listed
            listed[defect] = row[2]
            for name in row[2].split(", ") if re.fullmatch(r"[\w/.]+(?:, [\w/.]+)*", row[2]) else ():
                path = FIXTURES.parent / name if "/" in name else FIXTURES.parents[1] / name
                assert re.search(rf"\b{defect}\b", path.read_text(encoding="utf-8")), f"{defect} is not in {name}"
    assert set(listed) == {*(f"X{n}" for n in range(1, 72)), *(f"Z{n}" for n in range(1, 10))}
