"""Options: what is allowed, what a refusal says, profiles, and the way to plain values and back."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from markdown_chunker import AdaptiveSizeConfig, ChunkConfig, MarkdownChunkerError, OptionError, TableGroupingConfig
from markdown_chunker.options import PROFILES

FLAGS = (
    "enable_code_context_binding bind_output_blocks preserve_before_after_pairs group_related_tables "
    "use_adaptive_sizing strip_obsidian_block_ids strip_front_matter strip_html_comments remove_images "
    "remove_urls_emails collapse_whitespace"
).split()
#: Whole numbers with the least that is allowed.
LEAST = {
    "max_chunk_size": 1,
    "chunk_overlap": 0,
    "min_chunk_size": 0,
    "structure_threshold": 1,
    "list_count_threshold": 1,
    "max_context_chars_before": 0,
    "max_context_chars_after": 0,
    "related_block_max_gap": 0,
}
SHARES = ("code_threshold", "list_ratio_threshold", "overlap_cap_ratio")
OTHERS = {"strategy", "oversize", "measure", "table_grouping_config", "adaptive_config", "split_marker"}


def in_words(text: str) -> int:
    return len(text.split())


def refusal(**options: Any) -> OptionError:
    with pytest.raises(OptionError) as caught:
        ChunkConfig(**options)
    return caught.value


def test_every_option_is_covered_here() -> None:
    assert {f.name for f in fields(ChunkConfig)} == {*FLAGS, *LEAST, *SHARES, *OTHERS}


def test_defaults() -> None:
    config = ChunkConfig()
    assert (config.max_chunk_size, config.chunk_overlap, config.min_chunk_size) == (4096, 0, 512)
    assert (config.strategy, config.oversize, config.measure) == ("auto", "split", len)
    assert not any(getattr(config, flag) for flag in FLAGS[3:])
    assert all(getattr(config, flag) for flag in FLAGS[:3])


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("value", ["1000", 1000.0, None, True, [1]], ids=repr)
def test_whole_numbers_take_nothing_else(name: str, value: object) -> None:
    error = refusal(**{name: value})
    assert (error.parameter, error.given) == (name, value)
    assert str(error) == f"{name} must be a whole number, {LEAST[name]} or more; got {value!r}"


@pytest.mark.parametrize("name", LEAST)
def test_whole_numbers_have_a_least(name: str) -> None:
    assert getattr(ChunkConfig(**{name: LEAST[name]}), name) == LEAST[name]
    assert refusal(**{name: LEAST[name] - 1}).parameter == name


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf"), "0.5", None, True], ids=repr)
def test_shares_lie_between_0_and_1(name: str, value: object) -> None:
    error = refusal(**{name: value})
    assert error.parameter == name
    assert "number" in error.allowed
    assert repr(value) in str(error)


@pytest.mark.parametrize("name", SHARES)
def test_shares_may_be_whole(name: str) -> None:
    assert getattr(ChunkConfig(**{name: 1}), name) == 1
    if name != "overlap_cap_ratio":
        assert getattr(ChunkConfig(**{name: 0}), name) == 0


def test_no_overlap_is_chunk_overlap_0_not_a_ratio_of_0() -> None:
    assert refusal(overlap_cap_ratio=0).allowed == "a number over 0, up to 1"


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", ["false", "True", 0, 1, None], ids=repr)
def test_flags_are_true_or_false(name: str, value: object) -> None:
    assert str(refusal(**{name: value})) == f"{name} must be True or False; got {value!r}"


@pytest.mark.parametrize("value", ["code", "", "AUTO", None, 3, ["auto"]], ids=repr)
def test_strategies_by_name(value: object) -> None:
    error = refusal(strategy=value)
    assert error.parameter == "strategy"
    assert error.allowed == "one of auto, structural, code_aware, list_aware, fallback, chunkana"


@pytest.mark.parametrize("value", ["cut", None, True], ids=repr)
def test_oversize(value: object) -> None:
    assert str(refusal(oversize=value)) == f"oversize must be one of split, keep; got {value!r}"


def test_overlap_is_less_than_the_size() -> None:
    """Z8: nothing that would never come to an end is taken."""
    assert ChunkConfig(max_chunk_size=10, chunk_overlap=9).chunk_overlap == 9
    assert str(refusal(max_chunk_size=10, chunk_overlap=10)) == (
        "chunk_overlap must be less than max_chunk_size (10); got 10"
    )


def test_a_small_size_alone_is_fine() -> None:
    """X10: no default stands in its way."""
    assert ChunkConfig(max_chunk_size=1).least_size == 0


@pytest.mark.parametrize("value", ["a\nb", None, 7], ids=repr)
def test_split_marker_is_one_line(value: object) -> None:
    assert refusal(split_marker=value).parameter == "split_marker"


@pytest.mark.parametrize("name", ["measure", "table_grouping_config", "adaptive_config"])
def test_objects_of_the_wrong_kind(name: str) -> None:
    error = refusal(**{name: "characters"})
    assert error.parameter == name
    assert "got 'characters'" in str(error)


def test_the_message_stays_short() -> None:
    message = str(refusal(strategy="x" * 10_000))
    assert len(message) < 250
    assert message.endswith("...")


def test_errors_are_value_errors_of_one_family() -> None:
    assert isinstance(refusal(oversize=""), ValueError)
    assert isinstance(refusal(oversize=""), MarkdownChunkerError)


def test_options_are_frozen_and_hash() -> None:
    config = ChunkConfig()
    with pytest.raises(FrozenInstanceError):
        config.max_chunk_size = 5  # type: ignore[misc]
    assert {ChunkConfig(), ChunkConfig(max_chunk_size=4096)} == {config}


@pytest.mark.parametrize(
    ("minimum", "maximum", "least"), [(512, 4096, 512), (512, 1024, 512), (512, 1023, 511), (512, 100, 50), (0, 100, 0)]
)
def test_the_minimum_is_at_most_half_the_maximum(minimum: int, maximum: int, least: int) -> None:
    assert ChunkConfig(min_chunk_size=minimum, max_chunk_size=maximum).least_size == least


def test_with_changes_checks_again() -> None:
    config = ChunkConfig(max_chunk_size=300, chunk_overlap=100)
    assert config.with_changes(chunk_overlap=0).max_chunk_size == 300
    with pytest.raises(OptionError, match="chunk_overlap must be less than max_chunk_size"):
        config.with_changes(max_chunk_size=100)


# --- profiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "overlap"),
    [
        ("default", 4096, 0),
        ("code_heavy", 8192, 100),
        ("structured", 4096, 200),
        ("minimal", 1024, 50),
        ("changelog", 6144, 100),
        ("rag", 1500, 0),
    ],
)
def test_profiles(name: str, size: int, overlap: int) -> None:
    config = ChunkConfig.profile(name)
    assert (config.max_chunk_size, config.chunk_overlap) == (size, overlap)


def test_these_are_all_profiles() -> None:
    assert set(PROFILES) == {"default", "code_heavy", "structured", "minimal", "changelog", "rag"}


def test_a_profile_keeps_its_thresholds() -> None:
    changelog = ChunkConfig.profile("changelog")
    assert (changelog.list_ratio_threshold, changelog.list_count_threshold) == (0.35, 4)
    assert ChunkConfig.profile("code_heavy").code_threshold == 0.2
    assert ChunkConfig.profile("structured").structure_threshold == 2


def test_changes_are_laid_over_a_profile() -> None:
    config = ChunkConfig.profile("minimal", max_chunk_size=900, strategy="structural")
    assert (config.max_chunk_size, config.chunk_overlap, config.strategy) == (900, 50, "structural")


def test_an_unknown_profile() -> None:
    with pytest.raises(OptionError, match=r"^profile must be one of default, code_heavy, .*; got 'dify'$"):
        ChunkConfig.profile("dify")


# --- plain values ----------------------------------------------------------------------------------------

UNUSUAL = ChunkConfig(
    max_chunk_size=700,
    chunk_overlap=30,
    min_chunk_size=0,
    strategy="list_aware",
    oversize="keep",
    overlap_cap_ratio=0.5,
    group_related_tables=True,
    table_grouping_config=TableGroupingConfig(1, 2, 300, False),
    use_adaptive_sizing=True,
    adaptive_config=AdaptiveSizeConfig(900, 0.25, 2.0, 0.1, 0.2, 0.3, 0.4),
    split_marker="<!-- split -->",
    remove_images=True,
)


def test_there_and_back() -> None:
    values = UNUSUAL.to_dict()
    assert ChunkConfig.from_dict(json.loads(json.dumps(values))) == UNUSUAL
    assert "measure" not in values
    assert set(values) | {"measure"} == {f.name for f in fields(ChunkConfig)}


def test_from_dict_takes_a_part_and_a_measure() -> None:
    config = ChunkConfig.from_dict({"max_chunk_size": 9, "measure": in_words})
    assert (config.max_chunk_size, config.measure, config.strategy) == (9, in_words, "auto")


def test_from_dict_leaves_its_argument_alone() -> None:
    values = {"table_grouping_config": {"max_grouped_tables": 2}}
    assert ChunkConfig.from_dict(values).table_grouping_config.max_grouped_tables == 2
    assert values == {"table_grouping_config": {"max_grouped_tables": 2}}


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"overlap": 20}, "overlap"),
        ({"table_grouping_config": {"distance": 3}}, "table_grouping_config.distance"),
        ({"adaptive_config": {"min_size": 3}}, "adaptive_config.min_size"),
    ],
)
def test_from_dict_names_what_is_no_option(values: dict[str, Any], name: str) -> None:
    with pytest.raises(OptionError, match=rf"^{name} must be left out: it is not an option; got") as caught:
        ChunkConfig.from_dict(values)
    assert caught.value.parameter == name


# --- the two groups of options ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "least"), [("max_distance_lines", 0), ("max_grouped_tables", 1), ("max_group_size", 100)]
)
@pytest.mark.parametrize("value", [-1, 1.5, "9", None, True], ids=repr)
def test_table_grouping_numbers(name: str, least: int, value: object) -> None:
    assert getattr(TableGroupingConfig(**{name: least}), name) == least
    with pytest.raises(OptionError, match=rf"^{name} must be a whole number, {least} or more; got"):
        TableGroupingConfig(**{name: value})  # type: ignore[arg-type]


def test_table_grouping_flag() -> None:
    with pytest.raises(OptionError, match=r"^require_same_section must be True or False; got 'no'"):
        TableGroupingConfig(require_same_section="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (1, 1), (2, 1), ("a", 1), (0.5, None), (float("nan"), 1)])
def test_scales_ascend(low: Any, high: Any) -> None:
    with pytest.raises(OptionError, match=r"^min_scale must be over 0 and less than max_scale"):
        AdaptiveSizeConfig(min_scale=low, max_scale=high)


@pytest.mark.parametrize("weights", [(1, 0, 0, 0.01), (0.5, 0.5, 0.5, -0.5), (0.1, 0.1, 0.1, 0.1), ("a", 1, 0, 0)])
def test_weights_sum_to_1(weights: Any) -> None:
    code, table, list_, sentence = weights
    with pytest.raises(OptionError, match=r"^weights must be 0 or more and sum to 1; got"):
        AdaptiveSizeConfig(code_weight=code, table_weight=table, list_weight=list_, sentence_length_weight=sentence)


def test_weights_may_sum_to_nearly_1() -> None:
    assert AdaptiveSizeConfig(code_weight=0.4004).code_weight == 0.4004


def test_base_size() -> None:
    with pytest.raises(OptionError, match=r"^base_size must be a whole number, 1 or more; got 0"):
        AdaptiveSizeConfig(base_size=0)
