"""Bytes of a file → text.

Tried in this order: a byte order mark, UTF-8, UTF-16 without a mark, then what charset-normalizer finds.
charset-normalizer comes with the SDK (through requests), so it is not a dependency of our own.
"""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from values import InputError

#: The longer marks first: UTF-16's is the beginning of UTF-32's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: How files begin that people upload by mistake.
_KINDS = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x1f\x8b", "a gzip archive"),
)
#: Control characters that no text has; the others are white space, escape sequences of terminals and NUL.
_CONTROL = re.compile("[\x01-\x06\x0e-\x1a\x1c-\x1f]")
#: A text may have so many of them, for instance where it quotes a terminal.
_CONTROL_SHARE = 0.002
_NUL_SHARE = 0.001
#: As much as charset-normalizer needs to see; it slows down on more.
_SAMPLE = 200_000


def decode(data: bytes) -> str:
    """The text of a file.  Raises InputError if it is none, and never quotes it."""
    for beginning, kind in _KINDS:
        if data.startswith(beginning):
            raise InputError(_refusal(kind))
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = _in(encoding, data[len(mark) :])
            break
    else:
        text = _without_mark(data)
    if text is None or _is_binary(text):
        raise InputError(_refusal("not text"))
    return text


def _without_mark(data: bytes) -> str | None:
    wide = _utf16_order(data) if b"\0" in data else ""
    return (wide and _in(wide, data)) or _in("utf-8", data) or _guessed(data)


def _utf16_order(data: bytes) -> str:
    """The UTF-16 in which every NUL byte is the upper half of a character; empty if there is none."""
    if len(data) % 2:
        return ""
    low, high = data[::2].count(0), data[1::2].count(0)
    return "utf-16-le" if high and not low else "utf-16-be" if low and not high else ""


def _in(encoding: str, data: bytes) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _guessed(data: bytes) -> str | None:
    """What an older encoding gives, or None.  The sample ends at a line, so that no character is torn."""
    if b"\0" in data:
        return None
    sample = data if len(data) <= _SAMPLE else data[: data.rfind(b"\n", 0, _SAMPLE) + 1 or _SAMPLE]
    best = from_bytes(sample).best()
    return data.decode(best.encoding, errors="replace") if best else None


def _is_binary(text: str) -> bool:
    length = max(len(text), 1)
    return text.count("\0") > length * _NUL_SHARE or len(_CONTROL.findall(text)) > length * _CONTROL_SHARE


def _refusal(kind: str) -> str:
    return (
        f"input_file is {kind}, not Markdown: put a Document Extractor node before this one "
        "and connect its text to input_text"
    )
