"""What stands around a chunk's text: the title, the metadata block or breadcrumb, extra fields, overlap."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import SdkFile, chunk_texts, families, plain, read

from adapter import InputError
from markdown_chunker import OptionError

DOCUMENT = "# Guide\n\nIntro.\n\n## Install\n\nRun it.\n\n## Use\n\nUse it.\n"
TWO_TOPS = "# One\n\nText.\n\n# Two\n\nText.\n"
SMALL = {"max_chunk_size": 50, "min_chunk_size": 0}


def block_of(text: str) -> dict[str, Any]:
    start, line, end, _ = text.split("\n", 3)
    assert (start, end) == ("<metadata>", "</metadata>")
    fields: dict[str, Any] = json.loads(line)
    return fields


def blocks(**parameters: Any) -> list[dict[str, Any]]:
    return [block_of(text) for text in chunk_texts(SMALL | parameters)]


def first_lines(**parameters: Any) -> list[str]:
    return [text.split("\n")[0] for text in chunk_texts(SMALL | {"metadata_format": "breadcrumb"} | parameters)]


# --- title ---


@pytest.mark.parametrize(
    ("text", "file", "given", "title"),
    [
        ("---\ntitle: From the top\n---\n\n" + TWO_TOPS, "notes.md", "Given", "Given"),
        ("---\ntitle: From the top\n---\n\n" + TWO_TOPS, "notes.md", None, "From the top"),
        (TWO_TOPS, "notes.md", None, "notes"),
        (TWO_TOPS, "notes.md", "  Given \n on two lines ", "Given on two lines"),
        (TWO_TOPS, None, None, None),
    ],
)
def test_where_the_title_comes_from(text: str, file: str | None, given: str | None, title: str | None) -> None:
    parameters = {"input_file": SdkFile(filename=file), "document_title": given} | SMALL
    fields = [block_of(each) for each in chunk_texts(parameters, text.encode())]
    assert {each.get("title") for each in fields} == {title}


def test_the_only_top_heading_is_the_title_and_stands_once() -> None:
    assert [each["header_path"] for each in blocks(input_text=DOCUMENT)] == ["Guide", "Guide > Install", "Guide > Use"]
    assert not any("title" in each for each in blocks(input_text=DOCUMENT))
    assert first_lines(input_text=DOCUMENT) == ["Guide", "Guide > Install", "Guide > Use"]


def test_another_title_stands_before_the_path() -> None:
    parameters = {"input_text": DOCUMENT, "document_title": "Manual"}
    assert {each["title"] for each in blocks(**parameters)} == {"Manual"}
    assert first_lines(**parameters) == ["Manual > Guide", "Manual > Guide > Install", "Manual > Guide > Use"]


def test_front_matter_that_is_stripped_still_gives_the_title() -> None:
    text = "---\ntitle: Manual\n---\n\n" + TWO_TOPS
    assert first_lines(input_text=text, strip_front_matter=True) == ["Manual > One", "Manual > Two"]


def test_a_long_title_is_refused_if_given_and_shortened_if_found() -> None:
    with pytest.raises(OptionError, match="document_title must be one line of at most 200 characters"):
        read(document_title="x" * 201)
    [title] = {each["title"] for each in blocks(input_text=f"---\ntitle: {'long ' * 100}\n---\n\n{TWO_TOPS}")}
    assert len(title) <= 200
    assert title.endswith("…")


def test_nul_and_surrogates_in_a_title_are_left_out() -> None:
    assert read(document_title="a\0b\ud800c").document_title == "abc"


# --- format ---


def test_a_breadcrumb_is_one_line_a_blank_one_and_the_content() -> None:
    contents = plain(DOCUMENT, **SMALL)
    texts = chunk_texts({"input_text": DOCUMENT, "metadata_format": "breadcrumb", **SMALL})
    lines = ["Guide", "Guide > Install", "Guide > Use"]
    assert texts == [f"{line}\n\n{content}" for line, content in zip(lines, contents, strict=True)]


def test_without_title_and_path_there_is_no_breadcrumb() -> None:
    assert chunk_texts({"input_text": "Just text.", "metadata_format": "breadcrumb"}) == ["Just text."]


def test_without_metadata_the_format_does_not_count() -> None:
    for form in ("json", "breadcrumb"):
        assert plain(DOCUMENT, metadata_format=form, document_title="T") == plain(DOCUMENT)


def test_the_block_has_few_fields_in_a_fixed_order() -> None:
    parameters: dict[str, Any] = {"input_text": DOCUMENT, "document_title": "T", "extra_metadata": '{"source": "s"}'}
    order = ["title", "header_path", "content_type", "start_line", "end_line", "chunk_id", "source"]
    assert {tuple(each) for each in blocks(**parameters)} == {tuple(order)}
    for each in blocks(**parameters, chunk_overlap=20, enable_hierarchy=True):
        tree = [name for name in ("hierarchy_level", "parent_id", "is_leaf") if name in each]
        overlap = [name for name in ("previous_content", "next_content") if name in each]
        assert list(each) == [*order[:-1], *tree, "source", *overlap]


def test_a_heading_cannot_close_the_block() -> None:
    [text] = chunk_texts({"input_text": "# A `</metadata>` B\n\nText.\n"})
    assert block_of(text)["header_path"] == "A </metadata> B"


# --- extra_metadata ---


@pytest.mark.parametrize("given", ['{"document_id": 42, "tags": ["a", "b"]}', {"document_id": 42, "tags": ["a", "b"]}])
def test_extra_fields_are_in_every_block(given: object) -> None:
    for parameters in ({}, {"enable_hierarchy": True}, {"enable_hierarchy": True, "debug": True}):
        for each in blocks(input_text=DOCUMENT, extra_metadata=given, **parameters):
            assert (each["document_id"], each["tags"]) == (42, ["a", "b"])


def test_what_is_known_of_a_chunk_stands_against_extra_fields() -> None:
    extra = {"strategy": "mine", "document_id": 42}
    for each in blocks(input_text=DOCUMENT, extra_metadata=extra, debug=True):
        assert each["strategy"] != "mine"
        assert each["document_id"] == 42


@pytest.mark.parametrize("given", [None, "", " ", "{}", " {} "])
def test_no_extra_fields(given: object) -> None:
    assert blocks(input_text=DOCUMENT, extra_metadata=given) == blocks(input_text=DOCUMENT)


@pytest.mark.parametrize(
    "given",
    ["source: x", "[1]", "1", '"x"', "null", "{", '{"a": NaN}', '{"a": Infinity}', [1], 5, True, "[" * 999, b"{}"],
)
def test_what_is_no_object_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match="extra_metadata must be a JSON object, for example"):
        read(extra_metadata=given)


@pytest.mark.parametrize("given", [f'{{"a": "{"x" * 1000}"}}', {"a": "x" * 1000}, "[" * 5000])
def test_too_long_an_object_is_refused(given: object) -> None:
    with pytest.raises(OptionError, match="extra_metadata must be a JSON object of at most 1000 characters"):
        read(extra_metadata=given)


def test_the_longest_object_is_taken() -> None:
    text = f'{{"a": "{"x" * 990}"}}'
    assert len(text) == 999
    assert read(extra_metadata=text).extra_metadata == {"a": "x" * 990}


@pytest.mark.parametrize("name", ["title", "header_path", "chunk_id", "parent_id", "next_content"])
def test_extra_fields_may_not_replace_our_own(name: str) -> None:
    with pytest.raises(OptionError, match="extra_metadata must be without the names title, "):
        chunk_texts({"input_text": DOCUMENT, "extra_metadata": json.dumps({name: "x"})})


def test_surrogates_in_extra_fields_do_not_reach_dify() -> None:
    [text] = chunk_texts({"input_text": "x", "extra_metadata": '{"a": "b\\ud800c"}'})
    assert block_of(text)["a"] == "bc"
    text.encode()


# --- overlap ---

PROSE = " ".join(f"Sentence number {number} has a few words." for number in range(60))


def test_percent_of_the_maximum_is_the_same_as_characters() -> None:
    of_percent = chunk_texts(
        {"input_text": PROSE, "max_chunk_size": 400, "chunk_overlap": 10, "overlap_unit": "percent"}
    )
    assert of_percent == chunk_texts({"input_text": PROSE, "max_chunk_size": 400, "chunk_overlap": 40})
    assert of_percent != chunk_texts({"input_text": PROSE, "max_chunk_size": 400})


@pytest.mark.parametrize("overlap", [100, 4000, "100"])
def test_percent_ends_at_99(overlap: object) -> None:
    allowed = "chunk_overlap must be a whole number from 0 to 99 while overlap_unit is percent"
    with pytest.raises(OptionError, match=allowed):
        chunk_texts({"input_text": "x", "chunk_overlap": overlap, "overlap_unit": "percent"})
    assert read(chunk_overlap=99, overlap_unit="percent").chunk_config().chunk_overlap == 4096 * 99 // 100


def test_under_a_breadcrumb_the_overlap_is_joined_within_the_limit() -> None:
    parameters = {"input_text": "# T\n\n" + PROSE, "max_chunk_size": 300, "chunk_overlap": 60}
    texts = chunk_texts(parameters | {"metadata_format": "breadcrumb"})
    assert texts == [f"T\n\n{text}" for text in chunk_texts(parameters | {"include_metadata": False})]
    assert max(map(len, texts)) <= 300 + len("T\n\n")


def test_families_take_the_title_as_well() -> None:
    parameters = {"input_text": TWO_TOPS, "document_title": "Manual", "child_context": "breadcrumb"}
    children = [child for each in families(parameters)["parent_child_chunks"] for child in each["child_contents"]]
    assert all(child.startswith("Manual") for child in children)


def test_a_refusal_never_quotes_the_document() -> None:
    with pytest.raises(InputError) as refused:
        chunk_texts({"input_text": ["secret"]})
    assert "secret" not in str(refused.value)


def test_a_split_marker_makes_no_title() -> None:
    """A row of `=` below a line of text would make a heading of it."""
    for each in blocks(input_text="Some text\n=====\nMore text\n", split_marker="====="):
        assert "title" not in each
