"""Dify's loose values: what is taken, what is refused, and in which words."""

from __future__ import annotations

import math
from typing import Any

import jsonschema
import pytest
from asking import DOCUMENT, chunk_texts, read
from structures import OUR_TEXTS

import output_filter
from adapter import LARGEST_CHUNK, SMALLEST_CHUNK, ChunkRequest, InputError, ParentChildRequest, read_request
from markdown_chunker import OptionError
from markdown_chunker.options import STRATEGIES
from tools.chunking import Document, chunks_of, sendable

SETTINGS = [name for name in ChunkRequest.model_fields if name not in ("input_text", "input_file")]


@pytest.mark.parametrize("blank", [None, "", " ", "\n"])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_blank_value_means_the_default(name: str, blank: object) -> None:
    assert read(**{name: blank}) == read()


def test_the_defaults() -> None:
    shared = {
        "input_file": None,
        "strategy": "auto",
        "document_title": "",
        "min_chunk_size": 512,
        "oversize": "split",
        "split_marker": "",
        "remove_urls_emails": False,
        "collapse_whitespace": False,
        "remove_images": False,
        "strip_front_matter": False,
        "strip_html_comments": False,
    }
    assert read().model_dump(exclude={"input_text"}) == shared | {
        "max_chunk_size": 4096,
        "chunk_overlap": 0,
        "overlap_unit": "characters",
        "include_metadata": True,
        "metadata_format": "json",
        "extra_metadata": None,
        "enable_hierarchy": False,
        "leaf_only": False,
        "debug": False,
    }
    of_parents = read_request(ParentChildRequest, {"input_text": DOCUMENT}).model_dump(exclude={"input_text"})
    assert of_parents == shared | {
        "parent_mode": "paragraph",
        "parent_max_size": 2048,
        "child_max_size": 512,
        "child_context": "none",
    }


@pytest.mark.parametrize("given", [1000, 1000.0, "1000", "1000.0", "1000.", " 1000 ", "+1000", "01000"])
def test_numbers(given: object) -> None:
    size = read(max_chunk_size=given).max_chunk_size
    assert size == 1000
    assert type(size) is int


@pytest.mark.parametrize("given", [SMALLEST_CHUNK, LARGEST_CHUNK])
def test_the_ends_of_the_range_are_allowed(given: int) -> None:
    assert read(max_chunk_size=given).chunk_config().max_chunk_size == given


@pytest.mark.parametrize(
    "given",
    [
        0,
        -1,
        SMALLEST_CHUNK - 1,
        LARGEST_CHUNK + 1,
        10**400,
        1000.5,
        "1000.5",
        math.nan,
        math.inf,
        -math.inf,
        "nan",
        "inf",
        "1e3",
        "1_000",
        "1,000",
        "0x10",
        "ten",
        "9" * 5000,
        True,
        False,
        [],
        [1000],
        {},
        b"1000",
    ],
)
def test_what_is_no_size_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match=r"max_chunk_size must be a whole number from 50 to 100000; got ") as refused:
        read(max_chunk_size=given)
    assert refused.value.parameter == "max_chunk_size"


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (True, True),
        (1, True),
        (1.0, True),
        ("true", True),
        ("True", True),
        (" YES ", True),
        ("1", True),
        ("on", True),
        (False, False),
        (0, False),
        (0.0, False),
        ("false", False),
        ("False", False),
        ("no", False),
        ("0", False),
    ],
)
def test_switches(given: object, taken: bool) -> None:
    assert read(include_metadata=given).include_metadata is taken


@pytest.mark.parametrize("given", [2, -1, "perhaps", "truth", [], [True], {}, math.nan])
def test_what_is_no_switch_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match="include_metadata must be true or false; got "):
        read(include_metadata=given)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategies_in_any_case(strategy: str) -> None:
    assert read(strategy=f" {strategy.upper()} ").chunk_config().strategy == strategy


@pytest.mark.parametrize("given", ["code", "automatic", 1, True, ["auto"], {}])
def test_other_strategies_are_refused_with_the_choice(given: object) -> None:
    with pytest.raises(OptionError, match=r"strategy must be one of auto, structural, .*; got "):
        read(strategy=given)


@pytest.mark.parametrize(("overlap", "size"), [(1000, 1000), (1001, "1000"), (-1, 1000), (4096, None)])
def test_overlap_must_be_less_than_the_size(overlap: int, size: object) -> None:
    with pytest.raises(OptionError, match="chunk_overlap must be "):
        chunk_texts({"input_text": DOCUMENT, "chunk_overlap": overlap, "max_chunk_size": size})


def test_a_small_size_alone_is_fine() -> None:
    assert chunk_texts({"input_text": DOCUMENT, "max_chunk_size": 150})


@pytest.mark.parametrize("given", [None, "", " ", "\n\t\r\n", "\u3000"])
def test_an_empty_document_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="input_text is empty: "):
        chunk_texts({"input_text": given})


def test_a_missing_document_is_refused() -> None:
    with pytest.raises(InputError, match="input_text is empty: "):
        chunk_texts({})


@pytest.mark.parametrize("given", [5, True, ["# secret"], {"text": "# secret"}, b"# secret"])
def test_a_document_that_is_no_text_is_refused_without_quoting_it(given: object) -> None:
    with pytest.raises(InputError, match="input_text must be text; got ") as refused:
        chunk_texts({"input_text": given})
    assert "secret" not in str(refused.value)


def test_unknown_parameters_are_ignored() -> None:
    assert read(removed_in_2=None, model="gpt", self=1, **{"two words": 2}) == read()


def test_the_result_is_the_general_structure() -> None:
    for metadata in (True, False):
        for overlap in (0, 40):
            texts = chunk_texts(
                {
                    "input_text": DOCUMENT,
                    "max_chunk_size": 50,
                    "include_metadata": metadata,
                    "chunk_overlap": overlap,
                }
            )
            jsonschema.validate(texts, OUR_TEXTS)


def test_metadata_and_overlap_do_not_move_the_cuts() -> None:
    def contents(**parameters: Any) -> list[str]:
        return [chunk.content for chunk in chunks_of(read(max_chunk_size=50, **parameters), Document(DOCUMENT))]

    plain = contents(include_metadata=False)
    for other in (
        {},
        {"chunk_overlap": 10},
        {"debug": True},
        {"document_title": "T"},
        {"metadata_format": "breadcrumb"},
    ):
        assert contents(**other) == plain


def test_with_overlap_and_no_metadata_the_limit_still_holds() -> None:
    text = "\n\n".join(f"Paragraph {number} has a few words to say." for number in range(40))
    for size in (50, 60, 100, 333):
        texts = chunk_texts(
            {"input_text": text, "max_chunk_size": size, "chunk_overlap": size - 1, "include_metadata": False}
        )
        assert max(map(len, texts)) <= size


def test_leading_indentation_is_kept() -> None:
    [text] = chunk_texts({"input_text": "    indented code\n", "include_metadata": False})
    assert text.startswith("    indented")


def test_too_large_a_result_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_filter, "MESSAGE_LIMIT", 100)
    document = Document("", "input_file")
    assert sendable(["x" * 96], document, "wait") == ["x" * 96]
    with pytest.raises(InputError, match=r"^input_file gives .*Split the document into smaller files, or wait"):
        sendable(["x" * 97], document, "wait")
