"""`normalise` changes line ends and what is not text, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker.normalise import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("a\nb\n", "a\nb\n"),
        ("\ufeff# T", "# T"),
        ("a\ufeffb", "a\ufeffb"),
        ("a\r\nb\rc\n\r", "a\nb\nc\n\n"),
        ("a\0b", "ab"),
        ("a\ud800b\udfff", "ab"),
        ("\tcode  \n", "\tcode  \n"),
        ("a\x0bb\x0c\x85\u2028\u2029\n", "a\x0bb\x0c\x85\u2028\u2029\n"),
        ("𝄞\U0001f600\n", "𝄞\U0001f600\n"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_clean_text_is_not_copied() -> None:
    text = "clean\n" * 3
    assert normalise(text) is text


_TEXT = st.text(st.one_of(st.sampled_from("\r\n\0\ufeff\ud800 a"), st.characters()))


@given(_TEXT)
def test_twice_is_once(text: str) -> None:
    once = normalise(text).removeprefix("\ufeff")
    assert normalise(once) == once


@given(_TEXT)
def test_lines_keep_their_numbers(text: str) -> None:
    line_ends = text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    assert normalise(text).count("\n") == line_ends
    assert normalise(text).isprintable() or normalise(text).encode("utf-8") is not None
