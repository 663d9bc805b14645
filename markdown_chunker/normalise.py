"""Text as it came → text as every later step sees it."""

from __future__ import annotations

import re

# NUL is not text (CommonMark 2.3), and a lone surrogate cannot be encoded.
_UNTEXT = re.compile("[\0\ud800-\udfff]")


def normalise(text: str) -> str:
    """The text without a leading BOM, with LF line ends, and without NUL and lone surrogates.

    Lines keep their numbers.  Only CRLF, CR and LF end a line: not \\x0b, \\x0c, \\x85 or U+2028.
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text or _has_surrogates(text):
        return _UNTEXT.sub("", text)
    return text


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()  # twice as fast as a search
    except UnicodeEncodeError:
        return True
    return False
