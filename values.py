"""One loose value in, one plain value out: the readers that the requests in `adapter.py` are made of.

Each is a pydantic validator that names its parameter, and never quotes a document, in what it raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pydantic import BeforeValidator, ValidationInfo

from markdown_chunker import OptionError

_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{0,15})?", re.ASCII)
_WORDS = {"true": True, "yes": True, "y": True, "on": True, "1": True}
_WORDS |= {"false": False, "no": False, "n": False, "off": False, "0": False}
_ESCAPE = re.compile(r"\\([ntr\\])")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
#: What PostgreSQL or UTF-8 cannot hold.
_UNTEXT = re.compile("[\0\ud800-\udfff]")


class InputError(ValueError):
    """The document cannot be chunked: it is missing, empty, not text, or its chunks are too much for Dify."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """Where Dify keeps a file, and what it says of it.  The address is signed: it must not be shown."""

    url: str = field(repr=False)
    name: str = ""
    extension: str = ""
    size: int = 0


def whole_number(least: int, most: int) -> BeforeValidator:
    """Reads 1000, 1000.0, "1000" and "1000.0"; refuses fractions, other text and what is out of range."""

    def read(value: object, info: ValidationInfo) -> int:
        number = _as_number(value)
        if number is None or not number.is_integer() or not least <= number <= most:
            raise OptionError(_name(info), value, f"a whole number from {least} to {most}")
        return int(number)

    return BeforeValidator(read)


def yes_or_no() -> BeforeValidator:
    """Reads true and false, 1 and 0, and the usual words for them in any case."""

    def read(value: object, info: ValidationInfo) -> bool:
        answer = _WORDS.get(str(value).strip().lower().removesuffix(".0"))
        if answer is None or not isinstance(value, bool | int | float | str):
            raise OptionError(_name(info), value, "true or false")
        return answer

    return BeforeValidator(read)


def one_of(*choices: str, also: Mapping[str, str] | None = None) -> BeforeValidator:
    """Reads one of the words, in any case; `also` are other spellings of them."""
    spellings = {**{choice: choice for choice in choices}, **(also or {})}

    def read(value: object, info: ValidationInfo) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word not in spellings:
            raise OptionError(_name(info), value, "one of " + ", ".join(choices))
        return spellings[word]

    return BeforeValidator(read)


def document_text() -> BeforeValidator:
    """Reads a text.  It never appears in an error."""

    def read(value: object, info: ValidationInfo) -> str:
        if not isinstance(value, str):
            raise InputError(f"{_name(info)} must be text; got {type(value).__name__}")
        return value

    return BeforeValidator(read)


def uploaded_file() -> BeforeValidator:
    """Reads a file as the SDK hands it over, or a list that holds one; an empty list is no file."""

    def read(value: object, info: ValidationInfo) -> UploadedFile | None:
        files = value if isinstance(value, list) else [value]
        if len(files) > 1:
            raise InputError(f"{_name(info)} must be one file; got {len(files)}: use an Iteration node for several")
        return _file(files[0], _name(info)) if files else None

    return BeforeValidator(read)


def _file(value: Any, name: str) -> UploadedFile:
    url = getattr(value, "url", None)
    if not isinstance(url, str):
        raise InputError(f"{name} must be a file; got {type(value).__name__}: text belongs in input_text")
    size = getattr(value, "size", None)
    return UploadedFile(
        url=url,
        name=_text_of(value, "filename"),
        extension=_text_of(value, "extension").lower(),
        size=size if isinstance(size, int) else 0,
    )


def _text_of(value: object, attribute: str) -> str:
    text = getattr(value, attribute, None)
    return text.strip() if isinstance(text, str) else ""


def short_line(longest: int) -> BeforeValidator:
    """Reads a text as one line without NUL and lone surrogates, at most `longest` characters."""

    def read(value: object, info: ValidationInfo) -> str:
        line = one_line(value) if isinstance(value, str) else None
        if line is None or len(line) > longest:
            raise OptionError(_name(info), value, f"one line of at most {longest} characters")
        return line

    return BeforeValidator(read)


def one_line(text: str) -> str:
    """A text on one line, without what cannot be stored."""
    return " ".join(_UNTEXT.sub("", text).split())


def marker_line() -> BeforeValidator:
    r"""Reads a line of text in which `\n`, `\t` and `\\` may be written as escapes.

    White space around it is dropped: a marker stands on a line of its own, however that is indented.
    """

    def read(value: object, info: ValidationInfo) -> str:
        text = _ESCAPE.sub(lambda found: _ESCAPED[found[1]], value) if isinstance(value, str) else ""
        line = _UNTEXT.sub("", text).strip()
        if not line or "\n" in line or "\r" in line:
            raise OptionError(_name(info), value, "the text of one line, for example <!-- split -->")
        return line

    return BeforeValidator(read)


def json_object(longest: int) -> BeforeValidator:
    """Reads a JSON object, as text of at most `longest` characters or as an object of that length."""

    def read(value: object, info: ValidationInfo) -> dict[str, Any]:
        try:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
            if len(text) > longest:
                raise OverflowError
            # Surrogates may hide in escapes; once written out they can be taken away.
            plain = json.dumps(json.loads(text, parse_constant=_refuse), ensure_ascii=False, allow_nan=False)
            parsed = json.loads(_UNTEXT.sub("", plain))
        except OverflowError:
            raise OptionError(_name(info), value, f"a JSON object of at most {longest} characters") from None
        except (ValueError, TypeError, RecursionError):
            parsed = None
        if not isinstance(parsed, dict):
            raise OptionError(_name(info), value, 'a JSON object, for example {"source": "handbook"}')
        return parsed

    return BeforeValidator(read)


def _refuse(constant: str) -> NoReturn:
    """Python reads NaN and Infinity, JSON does not."""
    raise ValueError(constant)


def _as_number(value: object) -> float | None:
    """The number that a loose value stands for; None if it stands for none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _NUMBER.fullmatch(text) else None
    if isinstance(value, int):
        return float(value) if abs(value) < 10**15 else None
    return value if isinstance(value, float) else None


def _name(info: ValidationInfo) -> str:
    return info.field_name or "parameter"
