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
#: Many single-byte encodings give words that look alike; where this one is close to the best, it is the likeliest.
_WESTERN = "cp1252"
_CLOSE_CHAOS, _CLOSE_COHERENCE = 0.1, 0.04


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
    return _as_utf16(data) or _in("utf-8", data) or _guessed(data)


def _as_utf16(data: bytes) -> str | None:
    """The text in the byte order that finds more line ends and spaces; None if there are no NUL bytes to speak of."""
    if len(data) % 2 or data.count(0) <= len(data) * _NUL_SHARE:
        return None
    texts = filter(None, (_in(encoding, data) for encoding in ("utf-16-le", "utf-16-be")))
    best = max(texts, key=_white_space, default="")
    return best if _white_space(best) else None


def _white_space(text: str) -> int:
    return text.count("\n") + text.count(" ") + text.count("\r")


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
    found = from_bytes(sample)
    best = found.best()
    if best is None:
        return None
    western = any(
        match.encoding == _WESTERN
        and match.chaos <= best.chaos + _CLOSE_CHAOS
        and match.coherence >= best.coherence - _CLOSE_COHERENCE
        for match in found
    )
    return data.decode(_WESTERN if western else best.encoding, errors="replace")


def _is_binary(text: str) -> bool:
    length = max(len(text), 1)
    return text.count("\0") > length * _NUL_SHARE or len(_CONTROL.findall(text)) > length * _CONTROL_SHARE


def _refusal(kind: str) -> str:
    return (
        f"input_file is {kind}, not Markdown: put a Document Extractor node before this one "
        "and connect its text to input_text"
    )
