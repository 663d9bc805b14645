"""Laws 1 to 9 on random documents; every document that once broke one stays as an example."""

from __future__ import annotations

import os

import pytest
from documents import configs, documents, words
from hypothesis import HealthCheck, given, settings

from benchmarks.laws import violations
from markdown_chunker import ChunkConfig, chunk_markdown

#: How many documents; MARKDOWN_CHUNKER_EXAMPLES=5000 makes a long run of it, with new documents each time.
#: Below this limit there is no room for the context that laws 4, 5 and 7 need, such as the markers of nested lists.
ROOMY = 300
EXAMPLES = int(os.environ.get("MARKDOWN_CHUNKER_EXAMPLES", "0"))


@settings(
    max_examples=EXAMPLES or 150,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(documents(), configs())
def test_random_documents(text: str, config: ChunkConfig) -> None:
    found = violations(text, config)
    if config.max_chunk_size < ROOMY or config.measure is not len:
        found = [line for line in found if not line.startswith(("law 4,", "law 5,", "law 7,"))]
    assert found == []


#: Name, text, options.
EXAMPLES_KEPT: list[tuple[str, str, dict[str, object]]] = [
    ("blanks at the end of a paragraph", "word " * 8 + "end." + " " * 60 + "\n\nb", {"max_chunk_size": 50}),
    ("a cut inside blanks", "aaa aaaaa aaaaaaaa." + " " * 20, {"max_chunk_size": 20}),
    ("a long closing line", "::: note\ntext\n" + ":" * 30 + "\n", {"max_chunk_size": 20}),
    ("nothing", "", {}),
    ("white space", " \n\t\n", {}),
    ("a heading alone", "# A", {}),
    ("headings alone", "# A\n\n## B\n\n### C", {"max_chunk_size": 8}),
    ("a heading and a wide gap", "# A\n\n\n\n\n\n\ntext that just does not fit", {"max_chunk_size": 30}),
    ("a heading longer than the limit", "# " + "long " * 30 + "\n\ntext", {"max_chunk_size": 40}),
    ("one character a chunk", "# A\n\n- b\n\n> c", {"max_chunk_size": 1}),
    ("a clause before what would open a list", "one two three four so; 1. five six", {"max_chunk_size": 25}),
    (
        "a heading that leaves no room for a fence",
        f"# {'h' * 39}\n\n   ```\n{'x' * 300}\n   ```",
        {"max_chunk_size": 50},
    ),
    (
        "a heading that leaves no room for an open fence",
        f"# {'h' * 39}\n\n```py\n{'x = 1 ' * 90}",
        {"max_chunk_size": 50},
    ),
    ("combining marks past the limit", "a" + "\u0301" * 90, {"max_chunk_size": 20}),
]


@pytest.mark.parametrize(("text", "options"), [e[1:] for e in EXAMPLES_KEPT], ids=[e[0] for e in EXAMPLES_KEPT])
def test_examples(text: str, options: dict[str, object]) -> None:
    for strategy in ("structural", "fallback"):
        assert violations(text, ChunkConfig(**{"strategy": strategy, **options})) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("10. alpha\n    - alpha\n\n      alpha", id="indentation at a cut"),
        pytest.param("alpha\n===\n\n> alpha\n> \n> # \n> \n> ```python\n> \n> ```", id="a mark below a heading"),
        pytest.param("1. a\n   2. b\n      alpha\n\n      stop! alpha beta", id="a space that does not fit"),
    ],
)
def test_chunks_are_their_source_at_a_tiny_limit(text: str) -> None:
    found = violations(text, ChunkConfig(max_chunk_size=20, min_chunk_size=0))
    assert [line for line in found if not line.startswith(("law 4,", "law 5,", "law 7,"))] == []


def test_the_checker_sees_what_is_wrong() -> None:
    """Chunks of another limit break the law on sizes, and a lost one the law on losses."""
    from benchmarks.laws import Check, partition, read

    text = "# A\n\n" + "One sentence of some length. " * 20 + "\n\n```py\nx = 1\n```\n"
    chunks = chunk_markdown(text, ChunkConfig(max_chunk_size=200))
    assert list(partition(text, chunks)) == []
    assert list(partition(text, chunks[1:])) != []
    check = Check(read(text), chunks, ChunkConfig(max_chunk_size=50))
    assert len(list(check.sizes())) == len(chunks)
    assert list(Check(read(text), chunks, ChunkConfig(max_chunk_size=5000)).whole()) != []


def test_words_are_a_measure() -> None:
    chunks = chunk_markdown("one two three four. five six seven eight.", ChunkConfig(max_chunk_size=4, measure=words))
    assert [words(chunk.content) for chunk in chunks] == [4, 4]
