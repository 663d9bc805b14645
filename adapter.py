"""From Dify's loose values to checked options, and from chunks back to what Dify takes.

The only place that knows how Dify hands parameters over: a setting that was never touched is missing or
None, one that was cleared is "", and one bound to a variable arrives as whatever that variable holds,
often as text.  Defaults in the tool's YAML are only what the editor shows, so every default is applied
here.  Unknown keys are ignored: old workflows keep sending parameters that no longer exist.

    InputError (a ValueError)    the document itself cannot be used
    OptionError (a ValueError)   a setting is wrong
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo, model_validator

import output_filter
from markdown_chunker import Chunk, ChunkConfig, OptionError, chunk_markdown
from markdown_chunker.options import STRATEGIES

#: Dify's own chunker takes nothing below 50 characters either; less than that is not a passage.
SMALLEST_CHUNK = 50
#: About 32,000 tokens of English, the longest text that today's embedding models read.
LARGEST_CHUNK = 100_000

_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{0,15})?", re.ASCII)
_WORDS = {"true": True, "yes": True, "y": True, "on": True, "1": True}
_WORDS |= {"false": False, "no": False, "n": False, "off": False, "0": False}


class InputError(ValueError):
    """The document cannot be chunked: it is missing, empty, not text, or its chunks are too much for Dify."""


# --- readers: one loose value in, one plain value out ---------------------------------------------------


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


def one_of(*choices: str) -> BeforeValidator:
    """Reads one of the words, in any case."""

    def read(value: object, info: ValidationInfo) -> str:
        word = value.strip().lower() if isinstance(value, str) else None
        if word not in choices:
            raise OptionError(_name(info), value, "one of " + ", ".join(choices))
        return word

    return BeforeValidator(read)


def document_text() -> BeforeValidator:
    """Reads a text that holds more than white space.  The text never appears in an error."""

    def read(value: object, info: ValidationInfo) -> str:
        if not isinstance(value, str):
            raise InputError(f"{_name(info)} must be text; got {type(value).__name__}")
        return value

    return BeforeValidator(read)


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


# --- the parameters of the tools: types to share, one model per tool -------------------------------------

Text = Annotated[str, document_text()]
ChunkSize = Annotated[int, whole_number(SMALLEST_CHUNK, LARGEST_CHUNK)]
Overlap = Annotated[int, whole_number(0, LARGEST_CHUNK - 1)]
Strategy = Annotated[str, one_of(*STRATEGIES)]
Switch = Annotated[bool, yes_or_no()]


class Request(BaseModel):
    """What every tool is asked: the document, and how to cut it.  Blank values count as not given."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    input_text: Text = ""
    strategy: Strategy = "auto"

    @model_validator(mode="before")
    @classmethod
    def _drop_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if not _is_blank(value)}

    @model_validator(mode="after")
    def _has_text(self) -> Self:
        if not self.input_text:
            raise InputError("input_text is empty: connect it to a variable that holds the Markdown text")
        return self


class ChunkRequest(Request):
    """The parameters of `markdown_chunk`."""

    max_chunk_size: ChunkSize = 4096
    chunk_overlap: Overlap = 0
    include_metadata: Switch = True

    def config(self) -> ChunkConfig:
        """The engine's options.  Raises OptionError where two settings contradict each other."""
        return ChunkConfig(
            max_chunk_size=self.max_chunk_size,
            chunk_overlap=self.chunk_overlap,
            strategy=self.strategy,
        )


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def read_request[R: Request](kind: type[R], parameters: Mapping[str, Any]) -> R:
    """The tool's parameters, checked.  Raises InputError or OptionError for the first that is wrong."""
    try:
        return kind.model_validate(dict(parameters))
    except ValidationError as error:
        raise _first_cause(error) from None


def _first_cause(error: ValidationError) -> Exception:
    """The reader's own error: pydantic's wording names models and types, not what a user can change."""
    for detail in error.errors(include_url=False, include_input=False):
        cause = detail.get("ctx", {}).get("error")
        if isinstance(cause, Exception):
            return cause
    return error


# --- the tools ------------------------------------------------------------------------------------------


def chunks_of(request: ChunkRequest) -> list[Chunk]:
    """The document's chunks.  Raises OptionError, or InputError when nothing is left to chunk."""
    chunks = chunk_markdown(request.input_text, request.config())
    if not chunks:
        raise InputError("input_text holds no text to chunk")
    return chunks


def text_of(chunk: Chunk, request: ChunkRequest) -> str:
    """One chunk in the form that was asked for."""
    return output_filter.chunk_text(chunk, request.include_metadata, request.max_chunk_size)


def chunk_texts(parameters: Mapping[str, Any]) -> list[str]:
    """The whole of `markdown_chunk`: Dify's general structure, a list of texts."""
    request = read_request(ChunkRequest, parameters)
    texts = [text_of(chunk, request) for chunk in chunks_of(request)]
    return sendable(texts)


def sendable[V](value: V) -> V:
    """The value, if it fits in one message to Dify.  Raises InputError with advice otherwise."""
    size = output_filter.message_bytes(value)
    if size > output_filter.MESSAGE_LIMIT:
        raise InputError(
            f"input_text gives {size / 1e6:.1f} MB of chunks, more than the "
            f"{output_filter.MESSAGE_LIMIT / 1e6:.1f} MB that Dify takes from a tool at once. "
            "Split the document into smaller files, set chunk_overlap to 0 or turn include_metadata off."
        )
    return value
