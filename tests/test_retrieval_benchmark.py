"""The retrieval benchmark's own arithmetic, and its questions: no models, no peers, no numpy needed.

The one test that runs the benchmark needs its environment and the documents, and is skipped without them.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.retrieval.constants import ALONE, FAMILIES, constants, scaled, setting_of
from benchmarks.retrieval.corpus import (
    KINDS,
    QUESTIONS,
    GoldError,
    Question,
    Span,
    checked_gold,
    corpus_folder,
    digest,
    gold_spans,
    own_pool,
    read_document,
    read_questions,
)
from benchmarks.retrieval.locate import Locator
from benchmarks.retrieval.report import against_best, best_of, matrix, overall, plot, scores_of
from benchmarks.retrieval.results import Key, together
from benchmarks.retrieval.scores import BUDGET, METRICS, Found, Gold, bootstrap, ink, paired, score, tokens
from benchmarks.retrieval.seal import seal, split
from markdown_chunker import ChunkConfig, chunk_markdown
from markdown_chunker.strategies import structural

ROOT = Path(__file__).parents[1]
BENCH_PYTHON = ROOT / ".bench-venv" / "bin" / "python"

#: Ten characters of ink and a gold part of four.
TEXT = "ab cd efgh ij"
GOLD = Gold("d", (Span(6, 10),), TEXT)


def found(start: int, end: int, document: str = "d", size: float = 10) -> Found:
    return Found(document, (Span(start, end),), len(ink(TEXT, Span(start, end))), size)


class TestScores:
    def test_the_whole_answer_first(self) -> None:
        scores = score([found(6, 10), found(0, 5)], GOLD)
        assert scores["recall@1"] == scores["hit@1"] == scores["mrr"] == scores["ndcg@5"] == scores["budget"] == 1
        assert scores["precision@5"] == 4 / 8
        assert scores["iou@5"] == 4 / 8

    def test_a_part_of_the_answer_second(self) -> None:
        # "ab cd", then "cd ef": half of the answer, which is enough to be relevant.
        scores = score([found(0, 5), found(3, 8)], GOLD)
        assert scores["recall@1"] == 0
        assert scores["recall@3"] == scores["recall@5"] == 0.5
        assert (scores["hit@1"], scores["hit@5"], scores["mrr"]) == (0, 1, 0.5)
        assert scores["ndcg@5"] == pytest.approx((2 / math.log2(3)) / 2)
        assert scores["precision@5"] == 2 / 8
        assert scores["iou@5"] == 2 / (4 - 2 + 8)

    def test_less_than_half_is_not_relevant(self) -> None:
        scores = score([found(3, 7)], GOLD)
        assert scores["recall@1"] == 0.25
        assert scores["hit@1"] == scores["hit@5"] == scores["mrr"] == 0

    def test_another_document_holds_nothing(self) -> None:
        scores = score([found(6, 10, "other")], GOLD)
        assert scores["recall@5"] == scores["mrr"] == scores["ndcg@5"] == scores["budget"] == 0

    def test_text_found_twice_counts_once_for_recall_and_twice_for_precision(self) -> None:
        scores = score([found(6, 8), found(6, 8)], GOLD)
        assert scores["recall@5"] == 0.5
        assert scores["ndcg@5"] == 1
        assert scores["precision@5"] == 1
        assert scores["iou@5"] == 2 / (4 - 2 + 4)

    def test_one_part_of_two_is_a_hit(self) -> None:
        gold = Gold("d", (Span(0, 2), Span(6, 10)), TEXT)
        scores = score([found(0, 2)], gold)
        assert scores["hit@1"] == 1
        assert scores["recall@1"] == pytest.approx(2 / 6)

    def test_the_ideal_order_takes_the_most_first(self) -> None:
        # One character, then all four: 1 + 3 / log2(3), where 4 were possible at once.
        scores = score([found(6, 7), found(6, 10)], GOLD)
        assert scores["ndcg@5"] == pytest.approx((1 + 3 / math.log2(3)) / 4)

    def test_the_passage_that_passes_the_budget_counts_by_its_beginning(self) -> None:
        first = found(0, 2, size=BUDGET - 5)
        assert score([first, found(6, 10, size=5)], GOLD)["budget"] == 1
        assert score([first, found(6, 10, size=10)], GOLD)["budget"] == 0.5
        assert score([found(0, 2, size=BUDGET), found(6, 10)], GOLD)["budget"] == 0

    def test_only_the_first_passages_count(self) -> None:
        scores = score([found(0, 2)] * 5 + [found(6, 10)], GOLD)
        assert scores["recall@5"] == 0
        assert scores["mrr"] == pytest.approx(1 / 6)

    def test_nothing_found(self) -> None:
        assert set(score([], GOLD).values()) == {0}

    def test_tokens_by_rule(self) -> None:
        assert tokens("four") == 1
        assert tokens("三个字") == 2
        assert tokens("三个字four") == 3


class TestHowSure:
    VALUES = (0.0, 1.0, 1.0, 0.5, 0.0, 1.0)

    def test_the_same_values_give_the_same_interval(self) -> None:
        assert bootstrap(self.VALUES) == bootstrap(list(self.VALUES))
        assert bootstrap(self.VALUES, seed=7) != bootstrap(self.VALUES, seed=8)

    def test_the_mean_lies_inside(self) -> None:
        mean, low, high = bootstrap(self.VALUES)
        assert mean == pytest.approx(3.5 / 6)
        assert 0 <= low < mean < high <= 1

    def test_no_spread_no_width(self) -> None:
        assert bootstrap([0.25] * 8) == (0.25, 0.25, 0.25)
        assert bootstrap([]) == (0, 0, 0)

    def test_differences_are_paired(self) -> None:
        shifted = [value + 0.5 for value in self.VALUES]
        assert paired(shifted, self.VALUES) == (0.5, 0.5, 0.5)
        with pytest.raises(ValueError, match="longer"):
            paired([1.0], [1.0, 2.0])


class TestLocate:
    def test_white_space_does_not_matter(self) -> None:
        assert Locator("one  two\n\nthree").find("two three") == (Span(5, 15),)

    def test_repeated_text_is_found_after_the_chunk_before(self) -> None:
        locator = Locator("same\nother\nsame")
        assert [locator.find(chunk) for chunk in ("same", "other", "same")] == [
            (Span(0, 4),),
            (Span(5, 10),),
            (Span(11, 15),),
        ]

    def test_a_chunk_with_a_repeated_header_has_two_spans(self) -> None:
        locator = Locator("| head |\n| row1 |\n| row2 |\n| row3 |")
        locator.find("| head |\n| row1 |")
        assert locator.find("| head |\n| row3 |") == (Span(0, 8), Span(27, 35))

    def test_what_is_not_there_has_no_span(self) -> None:
        assert Locator("some text").find("nothing of it") == ()
        assert Locator("some text").find("  ") == ()


class TestGold:
    def test_lines_are_counted_from_one_and_inclusive(self) -> None:
        assert gold_spans("a\nbc\n\nd", [(2, 2), (2, 4)]) == (Span(2, 4), Span(2, 7))

    @pytest.mark.parametrize("lines", [(0, 1), (2, 1), (1, 3)])
    def test_lines_that_are_not_there(self, lines: tuple[int, int]) -> None:
        with pytest.raises(GoldError):
            gold_spans("a\nb", [lines])

    def test_a_changed_text_is_noticed(self) -> None:
        question = Question("q1", "en", "section", "?", "d.md", ((1, 1),), digest("a"), "tune")
        assert checked_gold(question, "a\nb") == (Span(0, 1),)
        with pytest.raises(GoldError, match=r"q1: lines .* have changed"):
            checked_gold(question, "A\nb")

    def test_sealing_fills_in_hash_and_half(self, tmp_path: Path) -> None:
        (tmp_path / "d.md").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
        bare = Question("q1", "en", "section", "?", "d.md", ((1, 2),), "", "")
        (sealed,) = seal([bare], tmp_path)
        assert sealed == replace(bare, sha256=digest("a\nb"), split="tune")


SCORES = {
    ("en", "ours"): [0.5, 0.5],
    ("en", "worse"): [0.25, 0.25],
    ("en", "better"): [1.0, 1.0],
    ("zh", "ours"): [0.75],
    ("zh", "worse"): [0.0],
    ("zh", "better"): [0.25],
}
RESULTS = together(
    {
        Key(lang, engine, size, ranker): dict.fromkeys(METRICS, values)
        for (lang, engine), values in SCORES.items()
        for size in (1000, 256)
        for ranker in ("vectors", "bm25")
    }
)


class TestReport:
    """On two languages, with two questions and one, and on ours and two others."""

    def test_all_questions_together(self) -> None:
        assert RESULTS[Key("all", "ours", 256, "bm25")]["recall@1"] == [0.5, 0.5, 0.75]

    def test_a_question_counts_once_whatever_its_language(self) -> None:
        assert scores_of(RESULTS, "ours") == [0.5, 0.5, 0.75]
        alone = {key: rows for key, rows in RESULTS.items() if key.lang == "zh"}
        assert scores_of(alone, "ours") == [0.75]

    def test_the_best_of_the_others(self) -> None:
        assert best_of(RESULTS, Key("zh", "ours", 256, "bm25"), ["worse", "better"], "mrr") == "better"
        table = against_best(RESULTS, "en", "ours", ["worse", "better"], ["recall@1"]).split("\n")
        assert table[0] == "| ours, en | recall@1 |"
        assert [line.split(" | ")[0] for line in table[2:]] == [
            "| 256, vectors",
            "| 256, bm25",
            "| 1000, vectors",
            "| 1000, bm25",
        ]
        assert table[2].endswith("**-0.500 [-0.500, -0.500]** |")

    def test_everyone_against_the_first(self) -> None:
        lines = overall(RESULTS, "ours").split("\n")
        assert lines[2].startswith("| ours | 0.583 |")
        assert lines[3].startswith("| worse | 0.167 |")
        assert "**-0.417 [" in lines[3]

    def test_the_best_of_a_column_is_bold(self) -> None:
        lines = matrix(RESULTS, "zh", "recall@1").split("\n")
        assert lines[0] == "| zh, recall@1 | vectors 256 | vectors 1000 | bm25 256 | bm25 1000 |"
        assert lines[2] == "| ours |" + " **0.750** |" * 4
        assert lines[4] == "| better |" + " 0.250 |" * 4

    def test_the_picture_has_every_chunker(self) -> None:
        assert all(f">{name}</text>" in plot(RESULTS) for name in ("ours", "worse", "better"))


class TestConstants:
    TEXT = "\n".join(f"## Part {n}\n\n{'Some words. ' * n}\n" for n in range(1, 30))

    def _cuts(self) -> list[int]:
        return [chunk.start_line for chunk in chunk_markdown(self.TEXT, ChunkConfig(max_chunk_size=300))]

    def test_other_constants_cut_elsewhere_and_only_inside_the_block(self) -> None:
        before = self._cuts()
        with constants({"sections": 0, "emptiness": 4}):
            assert self._cuts() != before
        assert self._cuts() == before

    def test_they_come_back_after_a_failure(self) -> None:
        before = self._cuts()
        with pytest.raises(RuntimeError), constants(dict.fromkeys(FAMILIES, 0)):
            raise RuntimeError
        assert self._cuts() == before

    @pytest.mark.parametrize("name", FAMILIES)
    def test_every_family_has_its_constants(self, name: str) -> None:
        for module, constant, part in FAMILIES[name]:
            value = getattr(module, constant)
            assert scaled(value, 1, part) == value

    def test_scaling(self) -> None:
        assert scaled(1.5, 2) == 3
        assert scaled((0.0, -2.0), 2) == (0, -4)
        assert scaled({"a": 1.0}, 0.5) == {"a": 0.5}
        assert scaled(structural.TABLE, 2, "introduction").introduction == 2 * structural.TABLE.introduction

    def test_settings_as_they_are_written(self) -> None:
        assert setting_of("emptiness=2 minimum=128") == {"emptiness": 2, "minimum": 128}
        assert {name for setting in ALONE for name in setting} == set(FAMILIES)
        with pytest.raises(ValueError, match="no family 'emptyness'"):
            setting_of("emptyness=2")


@pytest.mark.skipif(not (BENCH_PYTHON.exists() and corpus_folder().is_dir()), reason="the benchmark is not set up")
def test_running_again_gives_the_same_numbers(tmp_path: Path) -> None:
    outputs = []
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.json"
        command = [BENCH_PYTHON, "-m", "benchmarks.retrieval", "--lexical", "--sizes", "1000", "--json", file]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [*command, "--engines", "ours, title+path"], cwd=ROOT, env=environment, check=True, capture_output=True
        )
        outputs.append(file.read_text(encoding="utf-8"))
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["results"]


class TestQuestions:
    """The project's own questions."""

    def test_they_are_well_formed(self) -> None:
        questions = read_questions()
        assert len(questions) >= 200
        assert len({q.id for q in questions}) == len({q.question for q in questions}) == len(questions)
        assert {q.kind for q in questions} == set(KINDS)
        assert {q.lang for q in questions} == {"en", "zh"}
        assert all(len(q.sha256) == 64 and q.lines and q.question.strip() == q.question for q in questions)

    def test_each_language_has_about_half(self) -> None:
        counts = Counter(q.lang for q in read_questions())
        assert abs(counts["en"] - counts["zh"]) <= 0.1 * counts.total()

    def test_their_halves_are_as_drawn(self) -> None:
        questions = read_questions()
        assert {q.id: q.split for q in questions} == split(questions)
        groups = Counter((q.lang, q.kind, q.split) for q in questions)
        for lang, kind, _ in groups:
            assert abs(groups[lang, kind, "tune"] - groups[lang, kind, "test"]) <= 1

    def test_they_are_asked_of_documents_in_the_pool(self) -> None:
        for lang in ("en", "zh"):
            pool = own_pool(lang)
            assert len(set(pool)) == len(pool)
            assert {q.document for q in read_questions() if q.lang == lang} <= set(pool)

    def test_they_store_no_text_of_documents(self) -> None:
        fields = {"id", "lang", "kind", "question", "document", "lines", "sha256", "split"}
        for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
            assert set(json.loads(line)) == fields

    @pytest.mark.skipif(not corpus_folder().is_dir(), reason="the documents are not here")
    def test_their_gold_is_in_the_documents(self) -> None:
        texts: dict[str, str] = {}
        for question in read_questions():
            if question.document not in texts:
                texts[question.document] = read_document(corpus_folder() / question.document)
            spans = checked_gold(question, texts[question.document])
            assert all(texts[question.document][start:end].strip() for start, end in spans)
