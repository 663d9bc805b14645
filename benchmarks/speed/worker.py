"""A process that holds one chunker and one set of documents, and times it whenever it is asked.

Reads the name of the tool and a file of documents from the command line; answers each line on standard input with a
line of JSON: seconds of process time, chunks, bytes of memory above those before the first run, and the number of
documents that it raised on.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Sized
from pathlib import Path

from benchmarks.speed.memory import peak
from benchmarks.speed.tools import TOOLS, Chunker, quiet

_WARM_UP = "# A\n\nText with `code`.\n\n- b\n- c\n\n```py\nx = 1\n```\n\n| a |\n|---|\n| b |\n"


def main(name: str, documents: str) -> None:
    """Make the tool, run it on a little text, and wait for lines."""
    quiet()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a peer prints is no answer
    texts = json.loads(Path(documents).read_text(encoding="utf-8"))
    chunk = TOOLS[name].make()
    chunk(_WARM_UP)
    base = peak()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for _ in sys.stdin:
        gc.collect()
        began = time.process_time()
        found = [_or_none(chunk, text) for text in texts]
        seconds = time.process_time() - began
        count, failed = sum(len(chunks or ()) for chunks in found), found.count(None)
        del found
        answer = {"seconds": seconds, "chunks": count, "memory": peak() - base, "failed": failed}
        print(json.dumps(answer), file=answers, flush=True)


def _or_none(chunk: Chunker, text: str) -> Sized | None:
    try:
        return chunk(text)
    except Exception:  # some give up on valid documents
        return None


if __name__ == "__main__":
    main(*sys.argv[1:])
