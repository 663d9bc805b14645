"""Chunking while reading: the chunks of the whole document, with a window of it in memory.

A window is chunked like a document.  Its chunks are given out up to the last cut that no later text can change:

* the blocks around it cannot change: the last block may still grow, and an opener without its closer, such as
  `<details>`, may still find it, so what is at or below these waits;
* the packer proves the cut: it lies on the cheapest path to every place where the next chunk may begin;
* it lies before a heading, and no tie reaches across, so that the rest can be chunked by itself, given the headings
  above it.

The next window begins at that cut.  Where there is none, the window grows until there is.  What `auto` and adaptive
sizing need to know of the whole document, and its link references and footnotes, come from a first reading.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .analysis import Shape, Tally, adapt
from .blocks import read_blocks
from .chunker import built_in, run
from .clean import cleans
from .document import read_definitions
from .errors import OptionError
from .model import Chunk
from .normalise import normalise
from .options import ChunkConfig
from .sections import read_sections
from .source import Source
from .window import Window, settled_blocks

#: Peak memory for a character of the window: its text, blocks, pieces and chunks.
_BYTES_PER_CHARACTER = 16

Progress = Callable[[int, int], None]


def iter_chunks(
    text_or_lines: str | Iterable[str], config: ChunkConfig | None = None, buffer_size: int = 100_000
) -> Iterator[Chunk]:
    """Yield the chunks of a text, or of lines or other pieces of it, as they become certain.

    They are the chunks that chunk_markdown gives for the whole.  What can be read only once, such as a generator, is
    kept in memory, because there is a first reading.
    """
    config = config or ChunkConfig()
    _check("buffer_size", buffer_size)
    if isinstance(text_or_lines, str):
        text = text_or_lines
        return _stream(
            lambda: (text[i : i + buffer_size] for i in range(0, len(text), buffer_size)), config, buffer_size
        )
    pieces = list(text_or_lines) if iter(text_or_lines) is text_or_lines else text_or_lines
    return _stream(lambda: pieces, config, buffer_size)


def chunk_file_streaming(
    path: str | Path,
    config: ChunkConfig | None = None,
    *,
    buffer_size: int = 100_000,
    max_memory_mb: int = 50,
    encoding: str = "utf-8",
    progress: Progress | None = None,
) -> Iterator[Chunk]:
    """Yield the chunks of a file while reading it; they are those of chunk_file.

    `buffer_size` is how much is read at a time, in characters, at most what `max_memory_mb` has room for.  A window
    grows beyond that only where the text has no place to cut for so long: a section with no end in sight, or an
    option that looks at all of the text at once (a split marker, cleaning, tables grouped across sections, the
    chunkana strategy, a measure other than characters).
    `progress` is called with the bytes done and the bytes in all.  Raises as chunk_file does, when it gets there.
    """
    config = config or ChunkConfig()
    _check("buffer_size", buffer_size)
    _check("max_memory_mb", max_memory_mb)
    buffer_size = min(buffer_size, max_memory_mb * 1_000_000 // _BYTES_PER_CHARACTER)
    return _stream_file(Path(path), config, buffer_size, encoding, progress)


def _check(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(name, value, "a whole number, 1 or more")


def _stream_file(
    path: Path, config: ChunkConfig, buffer_size: int, encoding: str, progress: Progress | None
) -> Iterator[Chunk]:
    total, done = path.stat().st_size, 0

    def pieces() -> Iterator[str]:
        nonlocal done
        done = 0
        decoder = codecs.getincrementaldecoder(encoding)()
        with path.open("rb") as file:
            while data := file.read(buffer_size):
                done += len(data)
                yield decoder.decode(data)
            yield decoder.decode(b"", final=True)

    for chunk in _stream(pieces, config, buffer_size):
        if progress:
            progress(done, total)
        yield chunk
    if progress:
        progress(total, total)


def _stream(pieces: Callable[[], Iterable[str]], config: ChunkConfig, buffer_size: int) -> Iterator[Chunk]:
    if _needs_whole_text(config):
        yield from run("".join(pieces()), config).chunks
        return
    shape, definitions = _first_reading(pieces, config, buffer_size)
    strategy = built_in(shape, config)
    config, sizing = adapt(shape, config)
    window = Window(strategy.costs, config, {"strategy": strategy.name, **sizing}, definitions)
    for text, is_last in _stretches(pieces(), buffer_size):
        yield from window.take(text, is_last)


def _needs_whole_text(config: ChunkConfig) -> bool:
    """Whether something is asked for that looks at all of the text at once."""
    across = config.group_related_tables and not config.table_grouping_config.require_same_section
    borrowed = config.strategy == "chunkana" or config.measure is not len
    return cleans(config) or across or borrowed or bool(config.split_marker)


def _first_reading(pieces: Callable[[], Iterable[str]], config: ChunkConfig, size: int) -> tuple[Shape, dict[str, str]]:
    """What is asked of the whole document: its shape for `auto` and adaptive sizing, and its definitions."""
    tally = Tally(config.use_adaptive_sizing)
    definitions: dict[str, str] = {}
    text, at_start, wanted = "", True, 0
    for part, is_last in _stretches(pieces(), size):
        text += part
        if len(text) < wanted and not is_last:
            continue
        blocks = read_blocks(text, at_start=at_start)
        count = len(blocks) if is_last else settled_blocks(text, blocks, at_start)
        wanted = 0 if count else 2 * len(text)
        if count or is_last:
            source = Source(text)
            end = len(text) if is_last else source.at[blocks[count].start]
            sections = read_sections(source, blocks[:count])
            tally.add(source, sections, end)
            definitions = read_definitions(source, sections) | definitions
            text, at_start = text[end:], False
    return tally.shape(), definitions


def _stretches(pieces: Iterable[str], size: int) -> Iterator[tuple[str, bool]]:
    """Normalised text in stretches of complete lines, at least `size` characters but for the last: (text, is last)."""
    waiting: list[str] = []
    length = 0
    at_start = True
    for piece in pieces:
        waiting.append(piece)
        length += len(piece)
        if length < size:
            continue
        text = "".join(waiting)
        cut = max(text.rfind("\n"), text.rfind("\r", 0, len(text) - 1)) + 1  # a CR at the end may be half a line end
        if cut:
            yield _normalised(text[:cut], at_start), False
            at_start = False
        waiting, length = [text[cut:]], len(text) - cut
    yield _normalised("".join(waiting), at_start), True


def _normalised(text: str, at_start: bool) -> str:
    """A stretch, normalised; a byte order mark is one only at the start of the document."""
    return normalise(text) if at_start else normalise("\n" + text)[1:]
