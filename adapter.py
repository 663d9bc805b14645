"""From Dify's loose values to checked requests, one model for each tool.

The only place that knows how Dify hands parameters over: a setting that was never touched is missing or
None, one that was cleared is "", and one bound to a variable arrives as whatever that variable holds,
often as text.  Defaults in the tools' YAML are only what the editor shows, so every default is applied
here.  Unknown keys are ignored: old workflows keep sending parameters that no longer exist.

    InputError (a ValueError)    the document itself cannot be used
    OptionError (a ValueError)   a setting is wrong
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from markdown_chunker import ChunkConfig, OptionError
from markdown_chunker.options import OVERSIZE, STRATEGIES
from values import (
    InputError,
    UploadedFile,
    document_text,
    json_object,
    marker_line,
    one_of,
    short_line,
    uploaded_file,
    whole_number,
    yes_or_no,
)

__all__ = ["ChunkRequest", "InputError", "OptionError", "ParentChildRequest", "Request", "UploadedFile", "read_request"]

#: Dify's own chunker takes nothing below 50 characters either; less than that is not a passage.
SMALLEST_CHUNK = 50
#: About 32,000 tokens of English, the longest text that today's embedding models read.
LARGEST_CHUNK = 100_000
#: A title stands before every chunk, so it has to be short.  Characters.
LONGEST_TITLE = 200
#: The same for what `extra_metadata` adds to every chunk.  Characters of JSON.
LONGEST_METADATA = 1000

OVERLAP_UNITS = ("characters", "percent")
METADATA_FORMATS = ("json", "breadcrumb")
PARENT_MODES = ("paragraph", "full_doc")
CHILD_CONTEXTS = ("none", "breadcrumb")

Text = Annotated[str, document_text()]
File = Annotated[UploadedFile | None, uploaded_file()]
Title = Annotated[str, short_line(LONGEST_TITLE)]
Size = Annotated[int, whole_number(SMALLEST_CHUNK, LARGEST_CHUNK)]
Least = Annotated[int, whole_number(0, LARGEST_CHUNK)]
Overlap = Annotated[int, whole_number(0, LARGEST_CHUNK - 1)]
Switch = Annotated[bool, yes_or_no()]


class Request(BaseModel):
    """What every tool is asked: the document, and how to cut it.  Blank values count as not given."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    input_text: Text = ""
    input_file: File = None
    strategy: Annotated[str, one_of(*STRATEGIES)] = "auto"
    document_title: Title = ""
    min_chunk_size: Least = 512
    oversize: Annotated[str, one_of(*OVERSIZE)] = "split"
    split_marker: Annotated[str, marker_line()] = ""
    remove_urls_emails: Switch = False
    collapse_whitespace: Switch = False
    remove_images: Switch = False
    strip_front_matter: Switch = False
    strip_html_comments: Switch = False

    @model_validator(mode="before")
    @classmethod
    def _drop_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if not _is_blank(value)}

    @model_validator(mode="after")
    def _has_one_document(self) -> Self:
        if self.input_text and self.input_file:
            raise InputError("input_text and input_file are both given: clear one of them")
        if not self.input_text and not self.input_file:
            raise InputError(
                "input_text is empty: connect it to a variable that holds the Markdown text, or input_file to a file"
            )
        return self

    def config(self, **changes: Any) -> ChunkConfig:
        """The engine's options, those that all tools share and `changes`.  Raises OptionError if they contradict."""
        shared = {name: getattr(self, name) for name in _SHARED_OPTIONS}
        return ChunkConfig(**shared, **changes)


_SHARED_OPTIONS = [name for name in Request.model_fields if name not in ("input_text", "input_file", "document_title")]


class ChunkRequest(Request):
    """The parameters of `markdown_chunk`."""

    max_chunk_size: Size = 4096
    chunk_overlap: Overlap = 0
    overlap_unit: Annotated[str, one_of(*OVERLAP_UNITS)] = "characters"
    include_metadata: Switch = True
    metadata_format: Annotated[str, one_of(*METADATA_FORMATS)] = "json"
    extra_metadata: Annotated[dict[str, Any] | None, json_object(LONGEST_METADATA)] = None
    enable_hierarchy: Switch = False
    leaf_only: Switch = False
    debug: Switch = False

    def chunk_config(self) -> ChunkConfig:
        """The engine's options.  Raises OptionError where two settings contradict each other."""
        return self.config(max_chunk_size=self.max_chunk_size, chunk_overlap=self._overlap_in_characters())

    def _overlap_in_characters(self) -> int:
        if self.overlap_unit == "characters":
            return self.chunk_overlap
        if self.chunk_overlap >= 100:
            allowed = "a whole number from 0 to 99 while overlap_unit is percent"
            raise OptionError("chunk_overlap", self.chunk_overlap, allowed)
        return self.max_chunk_size * self.chunk_overlap // 100


class ParentChildRequest(Request):
    """The parameters of `markdown_parent_child_chunk`."""

    # Dify itself writes full-doc in places, so both spellings are read.
    parent_mode: Annotated[str, one_of(*PARENT_MODES, also={"full-doc": "full_doc"})] = "paragraph"
    parent_max_size: Size = 2048
    child_max_size: Size = 512
    child_context: Annotated[str, one_of(*CHILD_CONTEXTS)] = "none"


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
