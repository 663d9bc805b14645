"""The Python interface: functions, the chunker with strategies of one's own, and no state between calls."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path

import pytest

import markdown_chunker
from markdown_chunker import (
    Chunk,
    ChunkConfig,
    CostTable,
    Document,
    MarkdownChunker,
    OptionError,
    Piece,
    StrategyError,
    chunk_file,
    chunk_hierarchical,
    chunk_markdown,
    chunk_text,
    document_title_of,
    seam_costs,
)
from markdown_chunker.strategies import BUILT_IN

P = "Lorem ipsum dolor sit amet consectetur. "
TEXT = f"# A\n\n{P * 3}\n\n## B\n\n{P * 3}\n\n## C\n\n{P * 3}\n"
SMALL = ChunkConfig(max_chunk_size=200, min_chunk_size=10)


def test_every_public_name_exists() -> None:
    assert all(hasattr(markdown_chunker, name) for name in markdown_chunker.__all__)
    assert list(markdown_chunker.__all__) == sorted(markdown_chunker.__all__)


def test_what_the_incumbent_promises_is_there() -> None:
    """X71: the names of its README that are no bookkeeping."""
    for name in "TableGroupingConfig AdaptiveSizeConfig chunk_file chunk_text chunk_hierarchical".split():
        assert hasattr(markdown_chunker, name)
    methods = "chunk chunk_file chunk_hierarchical get_available_strategies add_strategy remove_strategy".split()
    assert all(callable(getattr(MarkdownChunker, name)) for name in methods)
    result = MarkdownChunker().chunk(TEXT, strategy="auto", include_analysis=True)
    for name in "chunks strategy_used processing_time chunk_count total_output_size warnings analysis".split():
        assert hasattr(result, name)
    assert (result.chunks[0].content_type, result.chunks[0].strategy) == ("text", "structural")


def test_the_functions_agree(tmp_path: Path) -> None:
    path = tmp_path / "document.md"
    path.write_text(TEXT, encoding="utf-8")
    expected = chunk_markdown(TEXT, SMALL)
    chunker = MarkdownChunker(SMALL)
    assert chunk_text(TEXT, SMALL) == chunk_file(path, SMALL) == chunk_file(str(path), SMALL) == expected
    assert chunker.chunk(TEXT) == chunker.chunk_file(path) == expected
    assert chunker.chunk_hierarchical(TEXT).chunks == chunk_hierarchical(TEXT, SMALL).chunks


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes("Füße\r\n".encode("latin-1"))
    assert chunk_file(path, encoding="latin-1")[0].content == "Füße"
    with pytest.raises(UnicodeDecodeError):
        chunk_file(path)
    with pytest.raises(FileNotFoundError):
        chunk_file(tmp_path / "missing.md")


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\n", "\ufeff", "\0"])
def test_nothing_gives_nothing(text: str) -> None:
    assert chunk_markdown(text) == []
    result = MarkdownChunker().chunk(text, include_analysis=True)
    assert (result.chunks, result.chunk_count, result.total_output_size, result.warnings) == ([], 0, 0, [])


def test_titles() -> None:
    assert document_title_of("---\ntitle: T\n---\n\n# A") == "T"
    assert document_title_of("# A\n\n## B") == "A"
    assert document_title_of("# A\n\n# B") == ""
    assert document_title_of("A\n=====\n\ntext") == "A"
    assert document_title_of("A\n=====\n\ntext", "=====") == ""


# --- results ---------------------------------------------------------------------------------------------


def test_a_result_accounts_for_its_chunks() -> None:
    result = MarkdownChunker(SMALL).chunk(TEXT, include_analysis=True)
    assert result.chunks == chunk_markdown(TEXT, SMALL)  # X69
    assert (result.strategy_used, result.reason) == ("structural", "headings: 3 on 2 levels")
    assert (result.chunk_count, result.total_output_size) == (3, sum(chunk.size for chunk in result.chunks))
    assert result.processing_time > 0
    assert result.analysis.header_count == 3
    assert result.warnings == []


def test_a_strategy_asked_for_is_the_reason() -> None:
    result = MarkdownChunker(SMALL).chunk(TEXT, "fallback", include_analysis=True)
    assert (result.strategy_used, result.reason) == ("fallback", "asked for by name")
    assert result.analysis.strategy == "structural"


def test_a_strategy_in_the_options_is_asked_for_too() -> None:
    result = MarkdownChunker(ChunkConfig(strategy="fallback")).chunk(TEXT, include_analysis=True)
    assert (result.strategy_used, result.reason) == ("fallback", "asked for by name")


def test_warnings_name_what_is_over_the_limit() -> None:
    config = ChunkConfig(max_chunk_size=50, oversize="keep")
    result = MarkdownChunker(config).chunk(f"text\n\n```\n{'x' * 80}\n```\n", include_analysis=True)
    assert result.warnings == ["chunk 1 (lines 3-5) is over the limit: code_block_integrity"]


# --- strategies ------------------------------------------------------------------------------------------


def test_available_strategies() -> None:
    assert MarkdownChunker().get_available_strategies() == ["auto", *BUILT_IN]


def test_a_strategy_by_name_stands_in_for_the_options() -> None:
    chunker = MarkdownChunker(SMALL.with_changes(strategy="structural"))
    assert {chunk.strategy for chunk in chunker.chunk(TEXT, strategy="fallback")} == {"fallback"}
    assert {chunk.strategy for chunk in chunker.chunk(TEXT)} == {"structural"}


def test_auto_by_name_is_auto_even_if_the_options_name_another() -> None:
    chunker = MarkdownChunker(SMALL.with_changes(strategy="fallback"))
    assert {chunk.strategy for chunk in chunker.chunk(TEXT, strategy="auto")} == {"structural"}


def test_an_unknown_strategy() -> None:
    with pytest.raises(OptionError, match=r"^strategy must be one of auto, structural, .*; got 'code'$"):
        MarkdownChunker().chunk(TEXT, strategy="code")


def one_section_a_chunk(pieces: list[Piece], document: Document) -> list[float]:
    """Cuts before every heading and nowhere else."""
    return [-100.0 if piece.seam == "section" else 100.0 for piece in pieces]


def test_a_strategy_of_ones_own() -> None:
    chunker = MarkdownChunker(ChunkConfig())
    chunker.add_strategy("sections", one_section_a_chunk)
    assert chunker.get_available_strategies()[-1] == "sections"
    result = chunker.chunk(TEXT, "sections", include_analysis=True)
    assert [chunk.content.split("\n")[0] for chunk in result.chunks] == ["# A", "## B", "## C"]
    assert {chunk.strategy for chunk in result.chunks} == {result.strategy_used} == {"sections"}
    chunker.remove_strategy("sections")
    with pytest.raises(OptionError):
        chunker.chunk(TEXT, "sections")


def test_a_strategy_may_build_on_the_cost_table() -> None:
    def flat(pieces: list[Piece], document: Document) -> list[float]:
        return seam_costs(pieces, document, CostTable(sections=(5.0,) * 7))

    chunker = MarkdownChunker()
    chunker.add_strategy("flat", flat)
    assert len(chunker.chunk(TEXT, "flat")) == 1


def test_strategies_belong_to_one_chunker() -> None:
    first, second = MarkdownChunker(), MarkdownChunker()
    first.add_strategy("mine", one_section_a_chunk)
    assert "mine" not in second.get_available_strategies()
    assert "mine" not in BUILT_IN


def test_a_strategy_may_be_added_again() -> None:
    chunker = MarkdownChunker()
    chunker.add_strategy("mine", lambda pieces, document: [9.0] * len(pieces))
    chunker.add_strategy("mine", one_section_a_chunk)
    assert len(chunker.chunk(TEXT, "mine")) == 3


@pytest.mark.parametrize("name", ["auto", *BUILT_IN, "", None, 3])
def test_names_that_cannot_be_added(name: object) -> None:
    with pytest.raises(OptionError, match=r"^name must be") as caught:
        MarkdownChunker().add_strategy(name, one_section_a_chunk)  # type: ignore[arg-type]
    assert caught.value.given == name


def test_a_strategy_is_a_function() -> None:
    with pytest.raises(OptionError, match=r"^cost_function must be a function of pieces and document; got 'x'"):
        MarkdownChunker().add_strategy("mine", "x")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["structural", "mine", ""])
def test_names_that_cannot_be_removed(name: str) -> None:
    with pytest.raises(OptionError, match=r"^name must be one of the added strategies: there are none"):
        MarkdownChunker().remove_strategy(name)


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        (
            lambda pieces, document: [1.0] * (len(pieces) + 1),
            "must give a list with a cost for each of 3 pieces; got 4 costs",
        ),
        (lambda pieces, document: None, "got a NoneType"),
        (lambda pieces, document: ["dear"] * len(pieces), "must give numbers from -1e9 to 1e9; got 'dear'"),
        (lambda pieces, document: [1e308] * len(pieces), r"got 1e\+308"),
        (lambda pieces, document: [-float("inf")] * len(pieces), "got -inf"),
        (lambda pieces, document: [float("nan")] * len(pieces), "got nan"),
        (lambda pieces, document: [10**9999] * len(pieces), "got a larger one"),
    ],
)
def test_a_strategy_that_gives_no_costs(costs: object, said: str) -> None:
    chunker = MarkdownChunker()
    chunker.add_strategy("mine", costs)  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match=f"^strategy mine .*{said}$"):
        chunker.chunk(TEXT, "mine")


# --- no state --------------------------------------------------------------------------------------------

SECRET = f"# ACME payroll SECRET\n\n{P * 5}\n\n## Salaries\n\n{P * 5}\n\n## Bonus\n\n{P * 5}\n"
PUBLIC = f"# Public FAQ\n\n{P * 5}\n\n## Opening\n\n{P * 5}\n\n## Closing\n\n{P * 5}\n"


def test_nothing_of_one_document_is_in_the_next() -> None:
    """X11."""
    chunker = MarkdownChunker(ChunkConfig(max_chunk_size=300, min_chunk_size=1))
    chunker.chunk(SECRET)
    chunker.chunk_hierarchical(SECRET)
    second = chunker.chunk(PUBLIC)
    assert second == MarkdownChunker(chunker.config).chunk(PUBLIC)
    assert not any("SECRET" in str(chunk.to_dict()) for chunk in second)
    assert second[1].metadata["header_path"] == ["Public FAQ", "Opening"]


def test_the_same_call_gives_the_same_chunks() -> None:
    """Law 8."""
    assert chunk_markdown(TEXT, SMALL) == chunk_markdown(TEXT, SMALL)


def test_chunks_of_one_call_share_nothing_with_the_next() -> None:
    first = chunk_markdown(TEXT, SMALL)
    first[0].metadata["header_path"].append("mine")
    first[1].metadata.clear()
    assert chunk_markdown(TEXT, SMALL)[0].metadata["header_path"] == ["A"]


def test_one_chunker_in_many_threads() -> None:
    chunker = MarkdownChunker(SMALL)
    texts = [TEXT.replace("A", f"A{number}").replace(P, P * (number % 4 + 1)) for number in range(8)]
    expected = [chunk_markdown(text, SMALL) for text in texts]
    found: dict[int, list[list[Chunk]]] = {}

    def work(worker: int) -> None:
        found[worker] = [chunker.chunk(text) for text in texts for _ in range(3)]

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert all(chunks == [chunked for chunked in expected for _ in range(3)] for chunks in found.values())


def test_what_nobody_holds_is_freed_without_a_collector() -> None:
    text = "# A\n\ntext\n\n- a\n- b\n\n```py\nx\n```\n\n## B\n\n> q\n" * 20
    gc.collect()
    gc.disable()
    try:
        chunk_markdown(text, ChunkConfig(max_chunk_size=300, chunk_overlap=20))
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_threads_may_share_metadata() -> None:
    text = "# A\n\ntext\n\n" * 200
    config = ChunkConfig(max_chunk_size=50)
    expected = [chunk.metadata["chunk_id"] for chunk in chunk_markdown(text, config)]

    def note(chunk: Chunk, number: int) -> None:
        chunk.metadata[f"note {number}"] = number

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(10):
            chunks = chunk_markdown(text, config)
            threads = [threading.Thread(target=note, args=(chunks[i % 2], i)) for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert [chunk.metadata["chunk_id"] for chunk in chunks] == expected
            assert [chunks[i % 2].metadata[f"note {i}"] for i in range(4)] == [0, 1, 2, 3]
    finally:
        sys.setswitchinterval(interval)
