"""What a run has finished, kept beside its output, so that a run that was stopped can go on.

An entry is a line of JSON, the key of a document and the number of bytes that follow, and the rows of the document.
An entry that is not all there ends the journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self


class Journal:
    """Rows of finished documents by key, in a file that only grows.  With `fresh`, what is in it is dropped."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self._path = path
        self._file = path.open("w+b" if fresh or not path.exists() else "r+b")
        self._places: dict[str, tuple[int, int]] = {}
        self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def __contains__(self, key: object) -> bool:
        return key in self._places

    @property
    def keys(self) -> frozenset[str]:
        """The documents in it."""
        return frozenset(self._places)

    def add(self, key: str, rows: Iterable[bytes]) -> None:
        """Keep the rows of a document, each a line without its end."""
        body = b"".join(row + b"\n" for row in rows)
        head = json.dumps([key, len(body)]).encode() + b"\n"
        at = self._file.seek(0, 2)
        self._file.write(head + body)
        self._file.flush()
        self._places[key] = (at + len(head), len(body))

    def rows(self, key: str) -> list[bytes]:
        """The rows of a document."""
        at, length = self._places[key]
        self._file.seek(at)
        return self._file.read(length).splitlines()

    def remove(self) -> None:
        """The run is over: nothing is left to go on with."""
        self._file.close()
        self._path.unlink()

    def _read(self) -> None:
        size = self._file.seek(0, 2)
        at = self._file.seek(0)
        while head := self._file.readline():
            try:
                key, length = json.loads(head)
            except ValueError:
                break
            begin = at + len(head)
            if not head.endswith(b"\n") or begin + length > size:
                break
            self._places[key] = (begin, length)
            at = self._file.seek(begin + length)
        self._file.truncate(at)
