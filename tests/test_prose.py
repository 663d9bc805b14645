"""Running text: where sentences end in eight languages, and what is never torn while it fits."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from markdown_chunker import ChunkConfig, chunk_markdown
from markdown_chunker.graphemes import is_grapheme_boundary
from markdown_chunker.measure import measure_of
from markdown_chunker.prose import Frame, cut_text, head_end, tail_start


def parts(text: str, limit: int) -> list[tuple[str, str]]:
    """The parts that fit, each with the seam before it."""
    cut = cut_text(text, 0, len(text), measure_of(text, len), limit, Frame(), 0)
    return [(text[begin:end], seam) for begin, end, seam in cut]


def sentences(text: str) -> list[str]:
    """The sentences, white space at their ends left out."""
    return [part.strip() for part, _ in parts(text, 10_000)]


def texts(text: str, limit: int) -> list[str]:
    """The parts, white space at their ends left out."""
    return [part.strip() for part, _ in parts(text, limit)]


# --- sentences -------------------------------------------------------------------------------------------

#: Texts with ` / ` where a sentence ends; without it, they read as written.
SENTENCES = {
    "en": "It starts. / It runs! / Does it stop? / Yes.",
    "en abbreviations": "See e.g. the Dr. Smith case vs. Jones in No. 5 of Vol. 2. / It was won.",
    "en initials": "J. R. R. Tolkien wrote it. / He was read.",
    "en times": "Come at 5 p.m. on Monday. / Bring Mr. and Mrs. Brown.",
    "en lower case goes on": "Use version 2. for this. / Then go.",
    "en i.e.": "The rest, i.e. all files, etc. are kept. / Nothing else is.",
    "en figures": "Fig. 3 shows it, cf. sec. 4. / Tab. 1 does not.",
    "en closing quotes": "“It works.” / He said “Stop!” / (It did.) / Then it ran.",
    "en markup": "**It is done.** / *Really?* / `x = 1.` / Yes.",
    "en ellipsis": "Wait… / It goes on... / There.",
    "decimals": "Pi is 3.14159 and e is 2.71. / Version 1.2.3 is out.",
    "file names": "Edit config.yaml and main.py. / Run node.js v2.0. / Visit example.com now.",
    "zh": "系统启动。/它会停止吗？/会的！/结束。",
    "zh quotes": "他说：“好。”/然后走了。/（完成。）/再见。",
    "zh decimals": "圆周率是3.14。/版本是1.2.3。",
    "ja": "起動します。/停止しますか？/「はい。」/終わり。",
    "ja half width": "起動します｡/終わり｡",
    "ru": "Запуск г. Москва, ул. Ленина, д. 5, т.е. здесь. / Готово! / Всё?",
    "ru initials": "А. С. Пушкин написал это. / Его читали.",
    "de": "Das gilt z. B. für Nr. 5 bzw. Abb. 2. / Es läuft! / Wirklich?",
    "de abbreviations": "Vgl. Kap. 3, d.h. den Teil usw. im Buch. / Ende.",
    "fr": "M. Dupont et Mme. Curie arrivent. / Est-ce fini ? / Oui !",
    "fr guillemets": "Il dit « Bonjour. » / Elle part.",
    "es": "El Sr. García y la Dra. López llegan. / ¿Funciona? / ¡Sí!",
    "pt": "O Sr. Silva e a Dra. Costa chegaram. / Funciona? / Sim!",
    "hi": "यह चलता है। / यह रुकता है। / ठीक।",
    "ar": "هل يعمل؟ / نعم.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences(language: str) -> None:
    marked = SENTENCES[language]
    wide = " / " not in marked
    text = marked.replace("/", "") if wide else marked.replace(" / ", " ")
    assert sentences(text) == marked.split("/" if wide else " / ")


def test_a_sentence_may_end_at_a_line_end() -> None:
    assert sentences("It starts.\nIt runs\non. It stops.") == ["It starts.", "It runs\non.", "It stops."]


def test_a_number_at_the_start_of_a_line_ends_no_sentence() -> None:
    assert sentences("1. Open it. Close it.") == ["1. Open it.", "Close it."]


@pytest.mark.parametrize("hard_break", ["  \n", "\\\n", "   \n"])
def test_hard_line_breaks_are_seams(hard_break: str) -> None:
    assert sentences(f"First line{hard_break}second line") == [f"First line{hard_break}".strip(), "second line"]


def test_parts_join_to_the_text() -> None:
    text = "One. Two two two,  three; four.\n\tFive 五。six"
    assert "".join(part for part, _ in parts(text, 7)) == text


# --- sentences too long: lines, clauses, words -----------------------------------------------------------


def test_the_seam_says_what_is_cut() -> None:
    assert parts("It is. Here it goes on, and on and on", 17) == [
        ("It is. ", "block"),
        ("Here it goes on, ", "sentence"),
        ("and on and on", "clause"),
    ]
    assert parts("one two three four", 9) == [("one two ", "block"), ("three ", "word"), ("four", "word")]
    assert parts("abcdefgh", 3) == [("abc", "block"), ("def", "grapheme"), ("gh", "grapheme")]
    assert parts("one two\nthree four", 12) == [("one two\n", "block"), ("three four", "line")]


def test_a_clause_in_the_first_half_does_not_make_a_crumb() -> None:
    assert texts("No, this goes on without any comma", 20) == ["No, this goes on", "without any comma"]


def test_a_dash_between_words_is_no_clause() -> None:
    assert texts("One two three—four five six", 18) == ["One two", "three—four five", "six"]
    assert texts("One two three four — five", 22) == ["One two three four —", "five"]
    assert texts("检索质量取决于切分——这是第二句话的开头", 14) == ["检索质量取决于切分——", "这是第二句话的开头"]


@pytest.mark.parametrize("opening", ["<!-- note -->", "<?php ?>", "<!DOCTYPE x>", "<div>", "</table>"])
def test_no_part_begins_with_what_would_open_html(opening: str) -> None:
    for limit in range(len(f"words {opening}"), 40):
        assert not [part for part in texts(f"Some words {opening} and others", limit)[1:] if part.startswith(opening)]


def test_a_comma_in_a_number_is_no_clause() -> None:
    assert texts("there were 1,000,000 of", 16) == ["there were", "1,000,000 of"]


@pytest.mark.parametrize("mark", "，、；：")
def test_full_width_clauses(mark: str) -> None:
    assert texts(f"知识库检索{mark}质量取决于切分", 8) == [f"知识库检索{mark}", "质量取决于切分"]


@pytest.mark.parametrize(
    "text",
    [
        "知识库检索质量取决于切分",
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
        "한국어문장은띄어쓰기가있다",
        "日本語の文章には空白がない",
    ],
)
@pytest.mark.parametrize("limit", [4, 5, 7])
def test_scripts_without_spaces_still_end_up_within_the_limit(text: str, limit: int) -> None:
    """X50, X51."""
    cut = texts(text, limit)
    assert "".join(cut) == text
    assert max(map(len, cut)) <= limit
    assert len(cut) <= 2 * len(text) // limit + 1


# --- grapheme clusters -----------------------------------------------------------------------------------

CLUSTERS = {
    "family": "👨‍👩‍👧‍👦",
    "skin tone": "👍🏽",
    "skin tone and profession": "👩🏾‍🚒",
    "flag": "🇩🇪",
    "flag of tags": "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "rainbow flag": "🏳️‍🌈",
    "keycap": "1️⃣",
    "combining acute": "e\u0301",
    "several marks": "a\u0323\u0302\u0301",
    "enclosing circle": "a\u20dd",
    "Hangul jamo": "\u1112\u1161\u11ab",
    "Hangul syllable and final": "가\u11a8",
    "Devanagari": "नि",
    "Thai vowel and tone": "กี่",
    "Tamil": "நி",
}


@pytest.mark.parametrize("name", CLUSTERS)
def test_clusters_hold_together(name: str) -> None:
    cluster = CLUSTERS[name]
    text = cluster * 5
    assert [at for at in range(len(text) + 1) if is_grapheme_boundary(text, at, 0)] == [
        number * len(cluster) for number in range(6)
    ]
    assert texts(text, 2 * len(cluster) + len(cluster) // 2) == [cluster * 2, cluster * 2, cluster]


def test_flags_are_counted_in_pairs_from_where_they_begin() -> None:
    text = "x🇩🇪🇫🇷🇧🇷"
    assert [at for at in range(len(text)) if is_grapheme_boundary(text, at, 0)] == [0, 1, 3, 5]


def test_plain_letters_are_clusters_of_their_own() -> None:
    assert all(is_grapheme_boundary("ab가나한글", at, 0) for at in range(7))


def test_a_cluster_over_the_limit_is_cut_at_the_limit() -> None:
    """There is no better place left; the limit is a law, the cluster holds only as long as it fits."""
    assert texts("👨‍👩‍👧‍👦", 4) == ["👨‍👩‍", "👧‍👦"]


# --- inline constructs -----------------------------------------------------------------------------------

INLINE = {
    "image": "![a small picture. With text](pictures/one two.png)",
    "link": "[a link. With text, and more](https://example.com/a,b)",
    "reference link": "[a link. With text][the ref. here]",
    "image in a link": "[![the badge. It](b.svg)](https://example.com/a b)",
    "code span": "`x = f(a, b). y = 2`",
    "code span of two ticks": "``a ` b. c, d``",
    "address": "https://example.com/a.b,c;d?e=f!g#h",
    "autolink": "<https://example.com/a.b,c>",
    "formula": "$a + b = c. d, e$",
    "tag": '<span class="a. b, c">',
}


@pytest.mark.parametrize("construct", INLINE)
@pytest.mark.parametrize("words", range(12))
def test_inline_constructs_are_never_torn_while_they_fit(construct: str, words: int) -> None:
    whole = INLINE[construct]
    text = "word " * words + whole + " and what follows it is text, as ever."
    assert any(whole in part for part in texts(text, len(whole) + 5))


@pytest.mark.parametrize("construct", INLINE)
def test_constructs_over_the_limit_are_cut(construct: str) -> None:
    cut = texts(INLINE[construct], 9)
    assert max(map(len, cut)) <= 9
    assert "".join(cut).replace(" ", "") == INLINE[construct].replace(" ", "")


def test_a_dollar_sign_is_no_formula() -> None:
    """X47, in a line."""
    assert texts("It costs $5. Then it cost $6. That is all", 20) == ["It costs $5.", "Then it cost $6.", "That is all"]


def test_single_ticks_are_no_code() -> None:
    assert texts("Use ``` to open. Use it again. And `", 20) == ["Use ``` to open.", "Use it again.", "And `"]


def test_a_part_does_not_begin_with_what_would_open_a_block() -> None:
    """A line of a paragraph that starts with `2.` is text there, and a list at the start of a chunk."""
    text = "The numbers are these, of which there are\n2. It goes on with them and ends."
    chunks = chunk_markdown(text, ChunkConfig(max_chunk_size=44))
    assert [chunk.content_type for chunk in chunks] == ["text"] * len(chunks)
    assert not any(chunk.content.startswith("2.") for chunk in chunks)


# --- heads and tails, for overlap ------------------------------------------------------------------------

TWO = "The first is here. The second one is longer than that. Third."


def test_tails() -> None:
    def tail(most: int) -> str:
        return TWO[tail_start(TWO, 0, len(TWO), most) :]

    assert tail(6) == "Third."
    assert tail(43) == "The second one is longer than that. Third."
    assert tail(42) == "The second one is longer than that. Third."
    assert tail(41) == "Third."
    assert tail(5) == ""


def test_heads() -> None:
    def head(most: int) -> str:
        return TWO[: head_end(TWO, 0, len(TWO), most)].rstrip()

    assert head(19) == "The first is here."
    assert head(54) == "The first is here."
    assert head(55) == "The first is here. The second one is longer than that."
    assert head(12) == "The first"
    assert head(2) == ""


@example(text=".\n\n", limit=1)
@given(
    st.text(alphabet="ab 。,\n\u0301👍\u200d🇩`[]()!.", max_size=50).filter(lambda text: " \n" not in text),
    st.integers(1, 12),
)
def test_any_text_is_cut_into_parts_that_fit(text: str, limit: int) -> None:
    cut = [part for part, _ in parts(text, limit)]
    assert "".join(cut) == text
    assert all(part and len(part.rstrip(" \n")) <= limit for part in cut)  # blank lines at an end are not content


def test_blanks_at_a_line_end_after_a_clause_count() -> None:
    text = "字" * 298 + "；  \n" + "后面的文字继续写下去，" * 5
    assert max(len(chunk.content) for chunk in chunk_markdown(text, ChunkConfig(max_chunk_size=300))) <= 300


def test_a_link_behind_an_escaped_backslash_is_not_cut() -> None:
    chunks = chunk_markdown("x \\\\[aa bb](u) y", ChunkConfig(max_chunk_size=15, min_chunk_size=0))
    assert any("[aa bb](u)" in chunk.content for chunk in chunks)
