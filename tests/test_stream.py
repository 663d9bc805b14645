"""Chunking while reading: the chunks of the whole, early, in little memory."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed.documents import generated
from markdown_chunker import ChunkConfig, OptionError, chunk_file, chunk_file_streaming, chunk_markdown, iter_chunks
from markdown_chunker.strategies import BUILT_IN

SENTENCE = "The pump stands on its base, and the base stands on the floor. "
PARTS = [
    "## Pump {n}\n\n" + SENTENCE * 4 + "\n\n",
    "Setext {n}\n=========\n\nText {n} below it, 你好。\n\n",
    "```python\nx = {n}\n```\n\n**Output:**\n\n```\n{n}\n```\n\n",
    "- one {n}\n- two\n\n  more of two\n  - deep\n\n",
    "| a | b |\n|---|---|\n| {n} | x |\n| {n} | y |\n\n",
    "> quoted {n}\n> and more\n\n### Below {n}\n\nShort.\n\n",
    "<details>\n<summary>S {n}</summary>\n\nInside.\n\n## Not at the top\n\n</details>\n\n",
    ":::note\nA directive {n}.\n\n# In it\n:::\n\n",
    "[ref{n}]: https://example.com/{n} 'title'\n[^{n}]: A footnote.\n\n",
    "$$\nx_{n} = 1\n$$\n\n# Part {n}\n\nBefore:\n\n```js\na({n})\n```\n\nAfter:\n\n```js\nb({n})\n```\n\n",
]


def document(count: int = 60, front: str = "---\ntitle: The guide\n---\n\n# Guide\n\nPreamble.\n\n") -> str:
    return front + "".join(PARTS[n * 7 % len(PARTS)].replace("{n}", str(n)) for n in range(count))


def streams_as_whole(text: str, config: ChunkConfig | None = None, *buffers: int) -> None:
    expected = chunk_markdown(text, config)
    for size in buffers or (1, 7, 100, 1000, 100_000):
        assert list(iter_chunks(text, config, size)) == expected, f"with a buffer of {size}"


CONFIGS: dict[str, dict[str, Any]] = {
    "small": {"max_chunk_size": 120},
    "overlap": {"max_chunk_size": 400, "chunk_overlap": 90},
    "overlap in large chunks": {"max_chunk_size": 3000, "chunk_overlap": 1000},
    "adaptive": {"max_chunk_size": 900, "use_adaptive_sizing": True, "chunk_overlap": 50},
    "whole blocks": {"max_chunk_size": 60, "oversize": "keep"},
    "no minimum": {"max_chunk_size": 500, "min_chunk_size": 0},
    "related tables": {"max_chunk_size": 300, "group_related_tables": True},
    "a wide gap": {"max_chunk_size": 300, "related_block_max_gap": 40},
    "nothing bound": {"max_chunk_size": 300, "enable_code_context_binding": False},
    "a marker": {"max_chunk_size": 300, "split_marker": "Short."},
    "cleaned": {"max_chunk_size": 300, "remove_urls_emails": True, "strip_front_matter": True},
    "words": {"max_chunk_size": 60, "measure": lambda text: len(text.split())},
}


@pytest.mark.parametrize("options", CONFIGS.values(), ids=CONFIGS.keys())
@pytest.mark.parametrize("strategy", ["auto", *BUILT_IN])
def test_a_stream_gives_the_chunks_of_the_whole(strategy: str, options: dict[str, Any]) -> None:
    streams_as_whole(document(), ChunkConfig(strategy=strategy, **options), 1, 150, 2000)


TEXTS = {
    "nothing": "",
    "white space": " \n\t\n\n",
    "a byte order mark alone": "\ufeff",
    "a byte order mark": "\ufeff# A\n\ntext\n\n\ufeffmore\n",
    "no headings": SENTENCE * 100,
    "paragraphs without headings": (SENTENCE * 3 + "\n\n") * 60,
    "lines without headings": (SENTENCE + "\n") * 150,
    "a list without end": "# A\n\n" + "- item of a list\n" * 300 + "# B\n",
    "headings alone": "# A\n\n## B\n\n" * 100,
    "one section after a long one": "# A\n\n" + SENTENCE * 80 + "\n\n# B\n\nend",
    "front matter": "---\ntitle: x\n# no heading\n---\n\n" + document(20, ""),
    "front matter in TOML": "+++\ntitle = 'x'\n+++\n\n" + document(20, ""),
    "front matter that never closes": "---\ntitle: x\n\n" + document(20, ""),
    "front matter that closes late": "---\n" + "key: value\n" * 300 + "---\n\n" + document(20, ""),
    "an open fence": document(10) + "```\n" + document(20, ""),
    "an open tilde fence": document(10) + "~~~~\n~~~\n" + document(20, ""),
    "open details": document(10) + "<details>\n\n" + document(20, ""),
    "details that close late": document(5) + "<details>\n\n" + "text\n\n## H\n\n" * 60 + "</details>\n\n" + document(9),
    "an open directive": document(10) + ":::tip\n\n" + document(20, ""),
    "an open environment": document(10) + "\\begin{align}\n\n" + document(20, ""),
    "an open comment": document(10) + "<!-- \n\n" + document(20, ""),
    "an open formula": document(10) + "$$\nx\n\n" + document(20, ""),
    "an open quote": document(10) + "> ```\n> x\n\n" + document(20, ""),
    "a definition list": "Term\n: What it is\n\n" * 40 + "# A\n\nText\n: defined\n",
    "references that go on": "# A\n\n[a]: /u\n[b]:\n/v\n'title\n" + "goes on\n" * 90 + "'\n\n# B\n",
    "setext all the way": "A\n=\n\nB\n-\n\ntext\n" * 60,
    "a table that goes on": "# A\n\n| a |\n|---|\n" + "| cell |\n" * 200 + "\n# B\n\nx",
    "equal sections": "# A\n\nsame\n\n" * 60,
    "code on both sides of headings": "## Q\n\n```py\nx\n```\n\n## A\n\n```py\ny\n```\n\n" * 30,
    "before and after": "**Before:**\n\n```\na\n```\n\n## H\n\n**After:**\n\n```\nb\n```\n\n" * 20,
    "NUL and lone surrogates": document(20).replace(" x", " \0\ud800x"),
    "other line ends": document(20).replace(". ", ".\u2028\x0b\x85"),
    "levels going up": "###### A\n\na\n\n##### B\n\nb\n\n#### C\n\nc\n\n### D\n\nd\n\n## E\n\ne\n\n# F\n\nf\n\n" * 9,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("options", [{}, {"chunk_overlap": 60}, {"strategy": "structural", "min_chunk_size": 0}])
def test_odd_texts(text: str, options: dict[str, Any]) -> None:
    streams_as_whole(text, ChunkConfig(max_chunk_size=200, **options), 1, 3, 60, 700)


@pytest.mark.parametrize("opener", ["<details>\n\n", ":::tip\n", "\\begin{a}\n", "```\n", "<!--\n", "$$\n", "> ```\n"])
@pytest.mark.parametrize("length", [15_000, 30_000, 70_000])
def test_openers_with_and_without_a_closer_far_below(opener: str, length: int) -> None:
    """Also farther than a closer may be."""
    closers = {"<": "</details>", ":": ":::", "\\": "\\end{a}", "`": "```", "$": "$$", ">": "> ```"}
    closer = "-->" if opener.startswith("<!") else closers[opener[0]]
    middle = "## H\n\nSome text under a heading of its own.\n\n" * (length // 45)
    for end in ("", f"\n{closer}\n"):
        text = f"# A\n\nBefore.\n\n# B\n\n{opener}\nx\n\n{middle}{end}\n\n# C\n\nAfter.\n"
        streams_as_whole(text, ChunkConfig(max_chunk_size=300), 500, 20_000)


def test_metadata_stands_in_the_same_order() -> None:
    config = ChunkConfig(max_chunk_size=300, chunk_overlap=50)
    text = document()
    streamed = [list(chunk.metadata) for chunk in iter_chunks(text, config, 500)]
    assert streamed == [list(chunk.metadata) for chunk in chunk_markdown(text, config)]
    assert any("previous_content" in names and "next_content" in names for names in streamed)


# --- what is read ----------------------------------------------------------------------------------------


def test_lines_and_other_pieces() -> None:
    text = document()
    expected = chunk_markdown(text)
    for pieces in (text.splitlines(keepends=True), list(text), [text], ["", text[:50], "", text[50:], ""]):
        assert list(iter_chunks(pieces, buffer_size=300)) == expected
        assert list(iter_chunks(iter(pieces), buffer_size=300)) == expected
        assert list(iter_chunks((piece for piece in pieces), buffer_size=300)) == expected
    assert list(iter_chunks(io.StringIO(text), buffer_size=300)) == expected
    assert list(iter_chunks([])) == list(iter_chunks(iter([]))) == []


@pytest.mark.parametrize("ends", ["\r\n", "\r", "mixed"])
def test_line_ends_torn_between_reads(ends: str) -> None:
    text = document(20)
    text = text.replace("\n", ends) if ends != "mixed" else text.replace("\n\n", "\r\n\r").replace("x\n", "x\r\r\n")
    config = ChunkConfig(max_chunk_size=200)
    expected = chunk_markdown(text, config)
    for size in (1, 2, 3, 64, 65, 997):
        assert list(iter_chunks(text, config, size)) == expected
    for at in range(0, len(text), 7):
        assert list(iter_chunks([text[:at], text[at:]], config, 1)) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig", "shift_jis"])
def test_characters_torn_between_reads(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "document.md"
    text = (
        document(15).replace("floor", "床の上に立つ") if encoding != "shift_jis" else "# 文\n\n床の上に立つ。\n\n" * 40
    )
    text = text.replace("你好", "日本") + ("" if encoding == "shift_jis" else "👩‍👩‍👧 e\u0301")
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    config = ChunkConfig(max_chunk_size=200, chunk_overlap=30)
    expected = chunk_file(path, config, encoding)
    for size in (1, 2, 3, 50, 1001):
        assert list(chunk_file_streaming(path, config, buffer_size=size, encoding=encoding)) == expected


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "document.md"
    path.write_bytes(document(200).encode())
    assert (
        list(chunk_file_streaming(path)) == list(chunk_file_streaming(str(path), buffer_size=999)) == chunk_file(path)
    )
    path.write_bytes(b"# A\n\n" + b"text\n\n" * 900 + b"\xff\n")
    with pytest.raises(UnicodeDecodeError):
        list(chunk_file_streaming(path))
    assert list(chunk_file_streaming(path, encoding="latin-1")) == chunk_file(path, encoding="latin-1")
    with pytest.raises(FileNotFoundError):
        list(chunk_file_streaming(tmp_path / "missing.md"))
    path.write_bytes(b"")
    assert list(chunk_file_streaming(path)) == []


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: iter_chunks("x", buffer_size=0), "buffer_size"),
        (lambda: iter_chunks("x", buffer_size=True), "buffer_size"),
        (lambda: iter_chunks("x", buffer_size=1.5), "buffer_size"),  # type: ignore[arg-type]
        (lambda: chunk_file_streaming("x", buffer_size=-1), "buffer_size"),
        (lambda: chunk_file_streaming("x", max_memory_mb=0), "max_memory_mb"),
    ],
)
def test_wrong_options_are_refused_at_once(call: Callable[[], object], parameter: str) -> None:
    with pytest.raises(OptionError) as caught:
        call()
    assert caught.value.parameter == parameter


# --- when, and in how much memory ------------------------------------------------------------------------


DETAILS = "<details>\n\nMore.\n\n</details>\n\n"


@pytest.mark.parametrize(("opener", "most"), [("", 15_000), (DETAILS, 70_000)], ids=["plain", "with openers"])
def test_chunks_come_before_the_end_is_read(opener: str, most: int) -> None:
    """In the second reading.  What opens, such as a directive, is waited for as far down as its closer may be."""
    text = generated(200_000).replace("\n\n## ", f"\n\n{opener}## ")
    read = 0

    class Pieces:
        def __iter__(self) -> Iterator[str]:
            nonlocal read
            read = 0
            for at in range(0, len(text), 1000):
                read += 1000
                yield text[at : at + 1000]

    config = ChunkConfig(max_chunk_size=500, strategy="structural", chunk_overlap=50)
    stream = iter_chunks(Pieces(), config, 2000)
    first = next(stream)
    assert first == chunk_markdown(text, config)[0]
    assert read < most < len(text)
    waits = [read - chunk.start_offset for chunk in stream if read < len(text)]
    assert len(waits) > 100
    assert max(waits) < most


def test_progress_is_of_bytes_and_complete(tmp_path: Path) -> None:
    path = tmp_path / "document.md"
    path.write_bytes(generated(100_000).replace("server", "床").encode())
    size = path.stat().st_size
    told: list[tuple[int, int]] = []
    config = ChunkConfig(strategy="structural", max_chunk_size=500)
    chunks = list(chunk_file_streaming(path, config, buffer_size=3000, progress=lambda *now: told.append(now)))
    assert len(chunks) > 50
    assert {total for _, total in told} == {size}
    done = [done for done, _ in told]
    assert done == sorted(done)
    assert done[0] < size // 4
    assert done[-1] == size
    assert len(set(done)) > 10


@pytest.mark.parametrize("content", [b"", b"\n\n", b"text"])
def test_progress_reaches_the_end_of_little(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "document.md"
    path.write_bytes(content)
    told: list[tuple[int, int]] = []
    list(chunk_file_streaming(path, progress=lambda *now: told.append(now)))
    assert told[-1] == (len(content), len(content))


def peak_of(path: Path, config: ChunkConfig, buffer: int, limit: int = 50) -> int:
    """Bytes in use at most while a file is streamed and its chunks are dropped."""
    tracemalloc.start()
    assert sum(1 for _ in chunk_file_streaming(path, config, buffer_size=buffer, max_memory_mb=limit)) > 100
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("strategy", ["auto", "structural"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, strategy: str) -> None:
    path = tmp_path / "document.md"
    config = ChunkConfig(strategy=strategy, chunk_overlap=100)
    peaks = []
    for size in (150_000, 1_500_000):
        path.write_text(generated(size), encoding="utf-8")
        peaks.append(peak_of(path, config, 20_000))
    assert peaks[1] < 1.3 * peaks[0] + 200_000  # the ids given so far are kept
    assert peaks[1] < 1_500_000


def test_max_memory_bounds_the_buffer(tmp_path: Path) -> None:
    path = tmp_path / "document.md"
    path.write_text(generated(700_000), encoding="utf-8")
    small, large = (peak_of(path, ChunkConfig(strategy="structural"), 10**9, limit) for limit in (1, 50))
    assert small < 2_000_000 < large


def test_memory_does_not_grow_where_all_sections_are_alike(tmp_path: Path) -> None:
    """Two of them fill a chunk: whether the first, third, … begin one, or the others, costs the same."""
    path = tmp_path / "document.md"
    path.write_text("".join(f"## Section {i:04}\n\n{SENTENCE * 5}\n\n" for i in range(2000)), encoding="utf-8")
    assert peak_of(path, ChunkConfig(strategy="structural"), 20_000) < 1_500_000


# --- defects of an older chunker -------------------------------------------------------------------------


def test_x63_no_section_twice_and_numbers_go_on() -> None:
    text = "".join(f"## Section {i}\n\n{SENTENCE * 5}\n\n" for i in range(60))
    chunks = list(iter_chunks(text, ChunkConfig(max_chunk_size=1000), 3000))
    assert [chunk.metadata["chunk_index"] for chunk in chunks] == list(range(len(chunks)))
    assert [text.count(f"## Section {i}\n") for i in range(60)] == [
        sum(chunk.content.count(f"## Section {i}\n") for chunk in chunks) for i in range(60)
    ]
    assert chunks[-1].end_line == text.rstrip().count("\n") + 1
    assert [c.start_line for c in chunks] == sorted({c.start_line for c in chunks})
    assert chunks == chunk_markdown(text, ChunkConfig(max_chunk_size=1000))


def test_x64_fences_are_not_torn() -> None:
    code = "\n".join(f"value_{i} = {i}" for i in range(100))
    text = f"# A\n\ntext\n\n```python\n{code}\n```\n\n# B\n\n{SENTENCE * 40}\n"
    for config in (ChunkConfig(), ChunkConfig(max_chunk_size=400, chunk_overlap=40)):
        chunks = list(iter_chunks(text, config, 800))
        assert chunks == chunk_markdown(text, config)
        assert all(chunk.content.count("```") % 2 == 0 for chunk in chunks)
        assert [c.metadata["header_path"] for c in chunks if "# B" in c.content] == [["B"]]


def test_x65_a_line_of_800_kilobytes(tmp_path: Path) -> None:
    path = tmp_path / "document.md"
    path.write_bytes("# Füße\n\n".encode("latin-1") + b"word " * 160_000 + b"\n\n## B\n\n" + SENTENCE.encode() * 60)
    config = ChunkConfig(max_chunk_size=2000)
    chunks = list(chunk_file_streaming(path, config, buffer_size=10_000, encoding="latin-1"))
    assert chunks == chunk_file(path, config, "latin-1")
    assert max(chunk.size for chunk in chunks) <= 2000
    assert chunks[-1].metadata["header_path"] == ["Füße", "B"]


def test_x65_paths_know_the_headings_of_earlier_windows() -> None:
    text = "# Top\n\n## Chapter\n\n" + "".join(f"### S{i}\n\n{SENTENCE * 9}\n\n" for i in range(90))
    chunks = list(iter_chunks(text, ChunkConfig(max_chunk_size=700), 1000))
    assert chunks[-1].metadata["header_path"] == ["Top", "Chapter", "S89"]
    assert all(chunk.metadata["header_path"][:1] == ["Top"] for chunk in chunks)


def test_text_right_below_a_reference_is_not_read_alone() -> None:
    text = "[x]: /u\n1234. x\n2. y\n"
    whole = chunk_markdown(text)
    assert [chunk.to_dict() for chunk in iter_chunks(text, buffer_size=7)] == [chunk.to_dict() for chunk in whole]
