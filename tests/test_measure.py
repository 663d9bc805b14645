"""Sizes: characters by arithmetic, anything else by counting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from markdown_chunker.measure import Characters, Counted, Measure, measure_of

TEXT = "one two three four"


def words(text: str) -> int:
    return len(text.split())


def in_bytes(text: str) -> int:
    return len(text.encode())


def test_len_is_never_called() -> None:
    assert isinstance(measure_of(TEXT, len), Characters)
    assert isinstance(measure_of(TEXT, words), Counted)


def test_characters() -> None:
    measure = measure_of(TEXT, len)
    assert (measure.of("日本"), measure.size(4, 7)) == (2, 3)
    assert measure.fits(0, 7, 7)
    assert not measure.fits(0, 8, 7)


def test_prefix_and_suffix_count() -> None:
    for measure in (measure_of(TEXT, len), measure_of(TEXT, in_bytes)):
        assert measure.fits(0, 3, 6, "> ", "\n")
        assert not measure.fits(0, 3, 5, "> ", "\n")
        assert measure.reach(0, 18, 6, "> ", "\n") == 3


def test_counted() -> None:
    measure = measure_of(TEXT, words)
    assert (measure.of("a b"), measure.of(""), measure.size(0, 8)) == (2, 0, 2)
    assert measure.fits(0, 18, 4)
    assert not measure.fits(0, 18, 3)


def test_an_empty_text_has_size_0_even_if_the_function_adds_a_start_token() -> None:
    assert measure_of("", lambda text: len(text) + 1).of("") == 0


def test_reach_in_words() -> None:
    assert measure_of(TEXT, words).reach(0, 18, 2) == 8  # "one two ", the third word not begun
    assert measure_of(TEXT, words).reach(0, 18, 9) == 18


def test_reach_takes_at_least_one_character() -> None:
    assert measure_of(TEXT, len).reach(3, 18, 0, "a long prefix") == 4
    assert measure_of(TEXT, words).reach(3, 18, 0, "a long prefix") == 4
    assert measure_of("日本", in_bytes).reach(0, 2, 2) == 1


@given(
    st.text(alphabet="ab c日👍\n", min_size=1, max_size=60), st.integers(0, 80), st.sampled_from([len, words, in_bytes])
)
def test_reach_is_the_furthest_that_fits(text: str, room: int, function: object) -> None:
    measure: Measure = measure_of(text, function)  # type: ignore[arg-type]
    reached = measure.reach(0, len(text), room)
    fitting = [end for end in range(1, len(text) + 1) if measure.fits(0, end, room)]
    assert reached == max(fitting, default=1)
