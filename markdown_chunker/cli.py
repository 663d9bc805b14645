"""The command: `python -m markdown_chunker FILE|-`, or `PATH… -o OUTPUT` for whole folders."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import NoReturn

from . import folder_command
from .chunker import chunk_markdown
from .errors import MarkdownChunkerError
from .model import Chunk
from .options import OVERSIZE, STRATEGIES, ChunkConfig
from .render import path_text, render

BAD_INPUT, BAD_OPTIONS = 1, 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_OPTIONS, f"{self.prog}: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit code: 0, 1 for input or output that fails, 2 for bad options."""
    parser = _arguments()
    options = parser.parse_args(arguments)
    try:
        config = ChunkConfig(
            max_chunk_size=options.max_chunk_size,
            min_chunk_size=options.min_chunk_size,
            chunk_overlap=options.chunk_overlap,
            strategy=options.strategy,
            oversize=options.oversize,
        )
    except MarkdownChunkerError as error:
        parser.error(str(error))
    if complaint := folder_command.complaint(options):
        parser.error(complaint)
    if options.output:
        return folder_command.run(options, config, parser.prog)
    [name] = options.file
    try:
        text = _read(name)
    except IsADirectoryError:
        print(f"{parser.prog}: cannot read {name}: it is a folder, and goes with -o OUTPUT", file=sys.stderr)
        return BAD_INPUT
    except (OSError, UnicodeDecodeError) as error:
        print(f"{parser.prog}: cannot read {name}: {error}", file=sys.stderr)
        return BAD_INPUT
    try:
        chunks = chunk_markdown(text, config)
    except MarkdownChunkerError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return BAD_INPUT
    try:
        _write(chunks, options.format or "text", not options.no_metadata, config)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left goes nowhere
        if not isinstance(error, BrokenPipeError):  # there the reader, such as `head`, has seen enough
            print(f"{parser.prog}: cannot write: {error}", file=sys.stderr)
            return BAD_INPUT
    return 0


def _arguments() -> _Parser:
    parser = _Parser(prog="markdown_chunker", description="Cut Markdown into chunks along its structure.")
    default = ChunkConfig()
    parser.add_argument("file", metavar="FILE", nargs="+", help="a Markdown file, or - for standard input")
    parser.add_argument("--max-chunk-size", type=int, default=default.max_chunk_size, metavar="N", help="characters")
    parser.add_argument("--min-chunk-size", type=int, default=default.min_chunk_size, metavar="N", help="characters")
    parser.add_argument("--chunk-overlap", type=int, default=default.chunk_overlap, metavar="N", help="characters")
    parser.add_argument("--strategy", default=default.strategy, help=", ".join(STRATEGIES))
    parser.add_argument("--oversize", default=default.oversize, help=", ".join(OVERSIZE))
    parser.add_argument("--no-metadata", action="store_true", help="the text alone")
    parser.add_argument("--format", choices=("text", "jsonl", "json"), help="default: text")
    folder_command.add_arguments(parser)
    return parser


def _read(name: str) -> str:
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("utf-8")


def _write(chunks: list[Chunk], form: str, with_metadata: bool, config: ChunkConfig) -> None:
    out = sys.stdout
    out.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    if form == "text":
        for chunk in chunks:
            body = render(chunk, "json" if with_metadata else "joined", limit=config.max_chunk_size)
            out.write(f"{_rule(chunk)}\n{body}\n\n")
        return
    rows = [chunk.to_dict() if with_metadata else {"content": chunk.content} for chunk in chunks]
    if form == "json":
        json.dump(rows, out, ensure_ascii=False, indent=2)
        out.write("\n")
    else:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _rule(chunk: Chunk) -> str:
    path = path_text(chunk.metadata["header_path"]) or "(no heading)"
    return (
        f"──── {chunk.metadata['chunk_index'] + 1} · lines {chunk.start_line}-{chunk.end_line} · {chunk.size} · {path}"
    )
