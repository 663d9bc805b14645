"""Chunk a document as the Dify tool does and print the chunks for reading.

    python -m scripts.run DOCUMENT [parameter=value ...]

The parameters are the tool's own, for example max_chunk_size=1000 or strategy=structural.
Exit code 1: the document cannot be read; 2: a parameter or the document is refused.
"""

from __future__ import annotations

import sys
from pathlib import Path

from adapter import ChunkRequest, InputError, OptionError, read_request
from markdown_chunker import Chunk
from output_filter import chunk_text
from tools.chunking import Document, chunks_of, style_of


def main(arguments: list[str]) -> int:
    """Print the chunks of the document named first, with the parameters named after it."""
    document, *settings = arguments
    if unknown := [word for word in settings if word.partition("=")[0] not in ChunkRequest.model_fields]:
        return _fail(f"{unknown[0]}: not a parameter and its value, such as max_chunk_size=1000", 2)
    try:
        text = Path(document).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return _fail(f"cannot read {document}: {error}", 1)
    try:
        request = read_request(ChunkRequest, {**_parameters(settings), "input_text": text})
        chunks = chunks_of(request, Document(text))
        style = style_of(request, Document(text))
    except (InputError, OptionError) as refusal:
        return _fail(str(refusal), 2)
    for number, chunk in enumerate(chunks, 1):
        print(_headline(number, chunk), chunk_text(chunk, style), "", sep="\n")
    print(f"{len(chunks)} chunks, {len(text)} characters, longest {max(chunk.size for chunk in chunks)}")
    return 0


def _parameters(settings: list[str]) -> dict[str, str]:
    return {name: value for name, _, value in (setting.partition("=") for setting in settings)}


def _headline(number: int, chunk: Chunk) -> str:
    path = " > ".join(chunk.metadata.get("header_path") or []) or "(no heading)"
    return f"=== {number}. {path} | lines {chunk.start_line}-{chunk.end_line} | {chunk.size} characters ==="


def _fail(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(_fail("usage: python -m scripts.run DOCUMENT [parameter=value ...]", 2))
    sys.exit(main(sys.argv[1:]))
