"""What `auto` takes, and what each strategy keeps together that others part."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from benchmarks.laws import violations
from markdown_chunker import Chunk, ChunkConfig, MarkdownChunker, StrategyError, TableGroupingConfig, chunk_markdown
from markdown_chunker.api import analyze_markdown
from markdown_chunker.strategies import BUILT_IN
from markdown_chunker.strategies.chunkana import LARGEST_TEXT

P = "Lorem ipsum dolor sit amet consectetur. "  # 40 characters


def chunked(text: str, strategy: str, size: int, least: int = 10, **options: Any) -> list[Chunk]:
    return chunk_markdown(text, ChunkConfig(strategy=strategy, max_chunk_size=size, min_chunk_size=least, **options))


def together(chunks: list[Chunk], *texts: str) -> bool:
    """Whether one chunk holds all these texts."""
    assert all(any(text in chunk.content for chunk in chunks) for text in texts)
    return any(all(text in chunk.content for text in texts) for chunk in chunks)


def starts(chunks: list[Chunk]) -> list[str]:
    """The first line of each chunk."""
    return [chunk.content.split("\n")[0] for chunk in chunks]


def keepers(text: str, size: int, *texts: str, **options: Any) -> set[str]:
    """The strategies that keep these texts in one chunk."""
    names = [name for name in BUILT_IN if name != "chunkana"]
    return {name for name in names if together(chunked(text, name, size, **options), *texts)}


# --- auto ------------------------------------------------------------------------------------------------


def auto(text: str, **options: Any) -> str:
    chosen = analyze_markdown(text, ChunkConfig(**options)).strategy
    assert {chunk.strategy for chunk in chunk_markdown(text, ChunkConfig(**options))} == {chosen}
    return chosen


def with_list(share: int) -> str:
    """A text of 100 characters, `share` of them in one list."""
    return "- " + "x" * (share - 3) + "\n\n" + "y" * (99 - share)


def test_plain_text_falls_back() -> None:
    assert auto("Some text.") == "fallback"


@pytest.mark.parametrize(
    "block", ["```\nx\n```", "    x = 1", "| a |\n|---|", "a | b\n-|-\n1 | 2", "<table><tr><td>1", "- a\n\n  <table>"]
)
def test_any_code_or_table_is_enough(block: str) -> None:
    assert auto(f"# A\n\n## B\n\n## C\n\n{P * 20}\n\n{block}\n") == "code_aware"


def test_the_share_of_code_can_be_put_at_nothing() -> None:
    assert auto("Some text.", code_threshold=0) == "code_aware"


def test_code_in_a_sentence_is_no_code_block() -> None:
    assert auto("Use `x = 1` and ``` to open | close.") == "fallback"


def test_over_two_fifths_of_list() -> None:
    assert len(with_list(40)) == len(with_list(41)) == 100
    assert auto(with_list(40)) == "fallback"
    assert auto(with_list(41)) == "list_aware"
    assert auto(with_list(40), list_ratio_threshold=0.39) == "list_aware"


def lists(count: int) -> str:
    return "".join(f"- item\n\n{P * 3}\n\n" for _ in range(count))


def test_five_lists() -> None:
    assert auto(lists(4)) == "fallback"
    assert auto(lists(5)) == "list_aware"
    assert auto(lists(4), list_count_threshold=4) == "list_aware"


HEADINGS = "# A\n\ntext\n\n## B\n\ntext\n\n## C\n\ntext\n\n"


def test_three_headings_on_two_levels() -> None:
    assert auto("# A\n\ntext\n\n## B\n\ntext") == "fallback"
    assert auto("# A\n\ntext\n\n# B\n\ntext\n\n# C\n\ntext") == "fallback"
    assert auto(HEADINGS) == "structural"
    assert auto("# A\n\ntext\n\n## B\n\ntext", structure_threshold=2) == "structural"
    assert auto(HEADINGS, structure_threshold=4) == "fallback"


def test_with_structure_both_signs_of_lists_are_needed() -> None:
    long_list = "\n".join(f"- item {number}" for number in range(99))
    assert auto(HEADINGS + lists(5)) == "structural"
    assert auto(HEADINGS + long_list) == "structural"
    assert auto(HEADINGS + lists(5) + long_list + "\n" + "\n".join(f"- more {number}" for number in range(99))) == (
        "list_aware"
    )


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_name_overrides_auto(name: str) -> None:
    text = f"# A\n\n{P}\n"
    assert chunk_markdown(text, ChunkConfig(strategy=name))[0].strategy == name


def test_chunkana_is_never_chosen() -> None:
    texts = [HEADINGS, lists(9), "```\nx\n```", P]
    assert "chunkana" not in {auto(text) for text in texts}


# --- code_aware ------------------------------------------------------------------------------------------
# In each document, a cut in the middle would make two chunks of equal size, which is what the others take.

EXPLAINED = f"# Tool\n\n{P * 3}\n\nThis calls it, in the usual way of calling it.\n\n```py\ncall()\n```\n\n{P * 4}\n"
OUTPUT = f"# Tool\n\n{P * 3}\n\n```py\nprint(1)\n```\n\nOutput:\n\n```\n1\n```\n\n{P * 3}\n"
PAIR = f"# Tool\n\n{P * 2}\n\nBefore:\n\n```py\nold_way = 1\n```\n\nAfter:\n\n```py\nnew_way = 2\n```\n\n{P * 2}\n"
STEPS = f"# Tool\n\n{P * 2}\n\nStep 1:\n\n```py\none = 1\n```\n\nStep 2:\n\n```py\nanother = 2\n```\n\n{P * 2}\n"
SETUP = f"# Tool\n\n{P * 2}\n\n```sh\npip install tool\n```\n\nUse it so:\n\n```py\nimport tool\n```\n\n{P * 2}\n"


def test_code_stays_with_the_paragraph_above() -> None:
    assert keepers(EXPLAINED, 250, "This calls it", "call()") == {"code_aware"}


def test_code_stays_with_its_output() -> None:
    assert keepers(OUTPUT, 200, "print(1)", "```\n1\n```") == {"code_aware"}


def test_before_stays_with_after() -> None:
    assert keepers(PAIR, 180, "old_way", "new_way") == {"code_aware"}


def test_a_step_stays_with_the_next() -> None:
    assert keepers(STEPS, 180, "one = 1", "another = 2") == {"code_aware"}


def test_setup_stays_with_its_example() -> None:
    assert keepers(SETUP, 180, "pip install", "import tool") == {"code_aware"}


def test_a_table_stays_with_the_paragraph_above() -> None:
    for table in ("| a | b |\n|---|---|\n| 1 | 2 |", "<table>\n<tr><td>| 1 | 2 |</td></tr>\n</table>"):
        text = EXPLAINED.replace("```py\ncall()\n```", table)
        assert keepers(text, 250, "This calls it", "| 1 | 2 |") == {"code_aware"}


@pytest.mark.parametrize(
    ("text", "size", "texts", "off"),
    [
        (EXPLAINED, 250, ("This calls it", "call()"), {"enable_code_context_binding": False}),
        (EXPLAINED, 250, ("This calls it", "call()"), {"max_context_chars_before": 0}),
        (OUTPUT, 200, ("print(1)", "```\n1\n```"), {"bind_output_blocks": False}),
        (OUTPUT, 200, ("print(1)", "```\n1\n```"), {"related_block_max_gap": 2}),
        (PAIR, 180, ("old_way", "new_way"), {"preserve_before_after_pairs": False}),
        (PAIR, 180, ("old_way", "new_way"), {"enable_code_context_binding": False}),
    ],
)
def test_options_switch_ties_off(text: str, size: int, texts: tuple[str, ...], off: dict[str, Any]) -> None:
    assert keepers(text, size, *texts) == {"code_aware"}
    assert keepers(text, size, *texts, **off) == set()


def test_text_within_reach_above_the_explanation_is_held_a_little() -> None:
    """Equal halves lie above "This calls it", 31 characters above the code; one more paragraph is within 500."""
    text = f"# Tool\n\n{P * 3}\n\nOne more thing.\n\nThis calls it.\n\n```py\ncall()\n```\n\n{P * 3}\n"
    far = chunked(text, "code_aware", 200, max_context_chars_before=500)
    near = chunked(text, "code_aware", 200, max_context_chars_before=20)
    assert starts(far) == ["# Tool", "This calls it."]
    assert starts(near) == ["# Tool", "One more thing."]


def test_a_short_paragraph_below_stays_with_code() -> None:
    """43 characters: within a reach of 300, beyond one of 40.  Equal halves lie above it."""
    text = f"# Tool\n\n{P * 3}\n\n```py\ncall()\n```\n\nIt is done when this has come to an end now.\n\n{P * 3}\n"
    assert together(chunked(text, "code_aware", 200), "call()", "It is done")
    assert not together(chunked(text, "code_aware", 200, max_context_chars_after=40), "call()", "It is done")


def test_the_dearest_ties_hold_when_a_group_is_too_big() -> None:
    """Before and after fit one chunk, the introduction does not: the pair stays, the introduction goes."""
    introduction = "This changes it, in the usual way of changing such things."
    old, new = "old_way = 1 + 2 + 3 + 4", "new_way = 10"
    text = f"{introduction}\n\nBefore:\n\n```py\n{old}\n```\n\nAfter:\n\n```py\n{new}\n```\n"
    pair = len(text) - len(introduction) - 3
    chunks = chunked(text, "code_aware", pair)
    assert together(chunks, "Before:", old, "After:", new)
    assert not together(chunks, introduction, new)


def test_no_tie_goes_over_the_limit() -> None:
    for text in (EXPLAINED, OUTPUT, PAIR, STEPS, SETUP):
        assert all(chunk.size <= 60 for chunk in chunked(text, "code_aware", 60))


# --- list_aware ------------------------------------------------------------------------------------------


def test_a_list_stays_with_its_introduction() -> None:
    """Without a colon, so that it is no introduction for the others."""
    items = f"- one {P}\n  - inner {P}\n  - more {P}\n- two {P}\n  - last {P}"
    text = f"# Tool\n\n{P * 4}\n\nThe tool does all this\n\n{items}\n\n{P * 3}\n"
    assert keepers(text, 400, "The tool does all this", "one Lorem") == {"list_aware"}


def test_an_item_stays_with_its_children() -> None:
    """The middle of the list lies between a parent and its children, or close to it."""
    items = f"- one {P}\n- two {P}\n- parent\n  - child {P}\n  - last {P}"
    chunks = chunked(f"{items}\n", "list_aware", 150)
    assert together(chunks, "- parent", "child", "last")


def test_depths_are_kept_apart_from_each_other_last() -> None:
    text = f"- a {P}\n  - a1 {P}\n  - a2 {P}\n- b {P}\n  - b1 {P}\n  - b2 {P}\n"
    chunks = chunked(text, "list_aware", 160)
    assert [chunk.content[:3] for chunk in chunks] == ["- a", "- b"]


def test_items_fill_a_chunk() -> None:
    """X40: the introduction with the first items, each chunk packed to the limit."""
    items = "\n".join(f"- step {number} {P.strip()}" for number in range(10))  # 48 characters each
    chunks = chunked(f"The following steps apply:\n\n{items}\n", "list_aware", 300)
    assert len(chunks) == 2
    assert chunks[0].content.startswith("The following steps apply:\n\n- step 0")


def test_numbers_survive_a_cut() -> None:
    items = "\n".join(f"{number}. {P.strip()}" for number in range(1, 13))
    chunks = chunked(items, "list_aware", 200)
    assert len(chunks) > 2
    numbers = [line.split(".")[0] for chunk in chunks for line in chunk.content.split("\n")]
    assert numbers == [str(number) for number in range(1, 13)]


def test_a_changelog_keeps_versions_whole() -> None:
    versions = [f"## {n}.0\n\n### Added\n\n- new thing {n}\n\n### Fixed\n\n- old thing {n}" for n in (3, 2, 1)]
    text = "# Changelog\n\n" + "\n\n".join(versions) + "\n"
    chunks = chunked(text, "list_aware", 100, 50)
    assert [chunk.metadata["header_path"][:2] for chunk in chunks] == [["Changelog", f"{n}.0"] for n in (3, 2, 1)]
    assert chunks[0].content.startswith("# Changelog\n\n## 3.0\n\n### Added")


# --- structural and fallback -----------------------------------------------------------------------------

BALANCED = f"# A\n\n{P * 3}\n\n## B\n\n{P * 2}\n\n# C\n\n{P * 3}\n\n## D\n\n{P * 2}\n"


def test_structural_cuts_at_every_heading_above_the_minimum() -> None:
    assert starts(chunked(BALANCED, "structural", 300, 100)) == ["# A", "## B", "# C", "## D"]


def test_fallback_fills_chunks() -> None:
    assert starts(chunked(BALANCED, "fallback", 300, 100)) == ["# A", "# C"]


def test_structural_merges_what_is_tiny_below_one_heading() -> None:
    """X54: sections of 18 characters under a minimum of 100, all in one chunk of their parent."""
    text = "# M\n\n" + "\n\n".join(f"## S{number}\n\nshort text" for number in range(8))
    [chunk] = chunk_markdown(text, ChunkConfig(strategy="structural", max_chunk_size=300, min_chunk_size=100))
    assert chunk.metadata["header_path"] == ["M"]


@pytest.mark.parametrize("strategy", [name for name in BUILT_IN if name != "chunkana"])
def test_a_heading_never_swings_to_the_section_above(strategy: str) -> None:
    text = f"# A\n\n{P * 6}\n\n# B\n\n{P}\n\n## C\n\n{P * 6}\n"
    for size in (50, 100, 270, 300, 600):
        for chunk in chunked(text, strategy, size):
            assert not chunk.content.split("\n")[-1].startswith("#")


# --- what all strategies share ---------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["structural", "code_aware", "list_aware"])
def test_a_formula_stays_with_the_sentence_above(strategy: str) -> None:
    text = f"# Sum\n\n{P * 3}\n\nIt is the sum of all its parts, as anyone can see.\n\n$$\na = b + c\n$$\n\n{P * 4}\n"
    assert strategy in keepers(text, 250, "It is the sum", "a = b")
    assert "fallback" not in keepers(text, 250, "It is the sum", "a = b")


@pytest.mark.parametrize(
    "formula", ["$$\na = b\n\\\\ c\n$$", "\\[\na = b\n\\\\ c\n\\]", "\\begin{align}\na = b\n\\\\ c\n\\end{align}"]
)
@pytest.mark.parametrize("strategy", [name for name in BUILT_IN if name != "chunkana"])
def test_formulas_are_not_cut_while_they_fit(strategy: str, formula: str) -> None:
    """X48."""
    for filler in range(0, 60, 7):
        chunks = chunked(f"{'x' * filler}\n\n{formula}\n\n{P}\n", strategy, 50)
        assert together(chunks, formula)


# --- tables in groups ------------------------------------------------------------------------------------

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"  # 29 characters, 30 with its line end


def grouped(gap: str, count: int = 2, **rules: Any) -> list[int]:
    """The numbers of tables in the groups of a document with tables `gap` apart."""
    config = ChunkConfig(group_related_tables=True, table_grouping_config=TableGroupingConfig(**rules))
    chunks = chunk_markdown(f"# A\n\n{gap.join([TABLE] * count)}\n", config)
    return [chunk.metadata["table_group_count"] for chunk in chunks if "is_table_group" in chunk.metadata]


def test_tables_are_grouped_on_request() -> None:
    """X46: without any fence in the document."""
    assert grouped("\n\nBetween.\n\n") == [2]
    chunks = chunk_markdown(f"# A\n\n{TABLE}\n\nBetween.\n\n{TABLE}\n")
    assert "is_table_group" not in chunks[0].metadata


def test_html_tables_are_grouped_too() -> None:
    html = "<table>\n<tr><td>1</td></tr>\n</table>"
    config = ChunkConfig(group_related_tables=True)
    assert chunk_markdown(f"# A\n\n{TABLE}\n\n{html}\n", config)[0].metadata["table_group_count"] == 2


def test_lines_between_tables() -> None:
    """Between them: a blank line, a line of text, a blank line."""
    assert grouped("\n\nBetween.\n\n", max_distance_lines=3) == [2]
    assert grouped("\n\nBetween.\n\n", max_distance_lines=2) == []


def test_tables_in_a_group() -> None:
    assert grouped("\n\n", 5) == [5]
    assert grouped("\n\n", 4, max_grouped_tables=3) == [3]
    assert grouped("\n\n", 4, max_grouped_tables=1) == []


def test_size_of_a_group() -> None:
    assert grouped("\n\n", 4, max_group_size=120) == [4]
    assert grouped("\n\n", 4, max_group_size=119) == [3]


def test_sections_of_a_group() -> None:
    assert grouped("\n\n## B\n\n") == []
    assert grouped("\n\n## B\n\n", require_same_section=False) == [2]


@pytest.mark.parametrize("strategy", ["structural", "code_aware", "list_aware"])
def test_grouped_tables_stay_together(strategy: str) -> None:
    """Without a group the cut in the middle lies between the two."""
    text = f"# A\n\n{P * 3}\n\n{TABLE}\n\n{P.strip()}\n\n{TABLE.replace('1', '7')}\n\n{P * 3}\n"
    assert not together(chunked(text, strategy, 250), "| 1 | 2 |", "| 7 | 2 |")
    assert together(chunked(text, strategy, 250, group_related_tables=True), "| 1 | 2 |", "| 7 | 2 |")


def test_a_group_over_the_limit_is_cut() -> None:
    text = f"# A\n\n{TABLE}\n\n{P * 3}\n\n{TABLE}\n"
    chunks = chunked(text, "code_aware", 100, group_related_tables=True)
    assert all(chunk.size <= 100 for chunk in chunks)
    assert not any("is_table_group" in chunk.metadata for chunk in chunks)


# --- chunkana --------------------------------------------------------------------------------------------


def test_its_proposals_are_taken() -> None:
    """On a document where the installed chunkana breaks no law."""
    import chunkana

    text = f"# Tool\n\n{P * 3}\n\n## Use\n\n{P * 3}\n\n## Care\n\n{P * 3}\n"
    options = chunkana.ChunkerConfig(max_chunk_size=300, min_chunk_size=10, overlap_size=0)
    proposed = [chunk.content.split("\n")[0] for chunk in chunkana.chunk_markdown(text, options)]
    assert starts(chunked(text, "chunkana", 300)) == proposed


def stand_in(monkeypatch: pytest.MonkeyPatch, contents: list[str] | Exception) -> None:
    """A chunkana that gives these contents, or raises."""

    class StandIn(ModuleType):
        @staticmethod
        def ChunkerConfig(**options: Any) -> dict[str, Any]:
            return options

        @staticmethod
        def chunk_markdown(text: str, options: dict[str, Any]) -> list[Any]:
            if isinstance(contents, Exception):
                raise contents
            return [Chunk(content, 1, 1, 0, 1) for content in contents]

    monkeypatch.setitem(sys.modules, "chunkana", StandIn("chunkana"))


def test_any_proposal_is_honoured_within_the_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, ["# A\n\none", "two", "## B\n\nthree"])
    text = "# A\n\none\n\ntwo\n\n## B\n\nthree\n"
    assert starts(chunked(text, "chunkana", 100)) == ["# A", "two", "## B"]


def test_proposals_that_break_a_law_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk that begins inside a fence, one that is no text of the document, and a heading on its own."""
    stand_in(monkeypatch, ["# A", "```py\nx", "y = 2\n```", "nowhere to be found", "tail"])
    text = "# A\n\n```py\nx\ny = 2\n```\n\ntail\n"
    assert starts(chunked(text, "chunkana", 100)) == ["# A", "tail"]
    assert violations(text, ChunkConfig(strategy="chunkana", max_chunk_size=100)) == []


@pytest.mark.parametrize("text", [EXPLAINED, OUTPUT, PAIR, STEPS, BALANCED])
@pytest.mark.parametrize("size", [60, 200])
def test_the_laws_hold(text: str, size: int) -> None:
    assert violations(text, ChunkConfig(strategy="chunkana", max_chunk_size=size)) == []


def test_large_texts_are_refused_with_advice() -> None:
    with pytest.raises(
        StrategyError, match=r"takes at most 1,000,000 characters.*this text has 1,000,001\. Use strategy"
    ):
        chunk_markdown("x" * (LARGEST_TEXT + 1), ChunkConfig(strategy="chunkana"))


def test_its_exceptions_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """X8 as a user of the strategy meets it."""
    stand_in(monkeypatch, ValueError("Invalid oversize_reason"))
    with pytest.raises(StrategyError, match=r"^chunkana failed on this text \(ValueError: Invalid oversize_reason\)$"):
        chunk_markdown("# A\n\ntext", ChunkConfig(strategy="chunkana"))
    with pytest.raises(StrategyError):
        MarkdownChunker().chunk("# A\n\ntext", strategy="chunkana")


def test_a_bold_line_stays_with_the_text_below_it() -> None:
    """A line all in bold is a heading in all but name, and so is a lone numbered line out of a PDF."""
    for title in ("**Question {}?**", "__Question {}?__:", "{}. Question"):
        text = "\n\n".join(f"{title.format(n)}\n\n{'The answer takes some words. ' * 9}" for n in range(1, 6))
        for chunk in chunk_markdown(text, ChunkConfig(max_chunk_size=500, min_chunk_size=60)):
            assert "Question" not in chunk.content.rstrip().splitlines()[-1], title


def test_auto_counts_code_inside_lists_and_quotes() -> None:
    inside = "- one\n\n  ```sh\n  ls\n  ```\n\n- two\n"
    assert analyze_markdown(inside).strategy == "code_aware"
    assert analyze_markdown("> | a | b |\n> |---|---|\n> | 1 | 2 |\n").strategy == "code_aware"
    assert analyze_markdown("- one - two\n- three\n").strategy == "list_aware"


def test_the_head_of_an_html_table_is_repeated_above_its_rows() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>value of {n}</td></tr>\n" for n in range(12))
    head = "<table>\n<thead>\n<tr><th>Key</th><th>Value</th></tr>\n</thead>\n"
    chunks = chunk_markdown(f"{head}<tbody>\n{rows}</tbody>\n</table>\n", ChunkConfig(max_chunk_size=250))
    assert len(chunks) > 2
    assert all(chunk.content.startswith(head) for chunk in chunks)
    assert all(chunk.metadata["repeated_prefix"] == head for chunk in chunks[1:])


@pytest.mark.parametrize(
    "head", ["<table><tr><th>Key</th><th>Value</th></tr>", "<table>", "<table><thead><tr><td>K</td></tr></thead>"]
)
def test_an_html_table_on_one_line_is_cut_between_rows(head: str) -> None:
    """As programs write them that read PDF."""
    rows = "".join(f"<tr><td>{n}</td><td>value of {n}. And more</td></tr>" for n in range(20))
    text = f"Text above.\n\n{head}{rows}</table>\n\nText below.\n"
    config = ChunkConfig(max_chunk_size=250, min_chunk_size=50)
    chunks = chunk_markdown(text, config)
    assert len(chunks) > 4
    for chunk in chunks[1:]:
        assert chunk.content.startswith(f"{head}<tr><td>")
    assert all(chunk.content.endswith("</tr>") for chunk in chunks[:-1])
    assert violations(text, config) == []


def test_an_unbreakable_run_leaves_no_crumb() -> None:
    sizes = [chunk.size for chunk in chunk_markdown("x" * 205, ChunkConfig(max_chunk_size=100, min_chunk_size=0))]
    assert sum(sizes) == 205
    assert min(sizes) > 40
