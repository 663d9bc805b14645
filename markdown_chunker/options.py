"""The options of a run: one frozen object, checked once, in the user's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, Self

from .errors import OptionError

STRATEGIES = ("auto", "structural", "code_aware", "list_aware", "fallback", "chunkana")
OVERSIZE = ("split", "keep")


@dataclass(frozen=True, slots=True)
class TableGroupingConfig:
    """Which tables count as related when `group_related_tables` is on.

    Tables at most `max_distance_lines` apart are grouped, at most `max_grouped_tables` of them and
    `max_group_size` characters of table; `require_same_section` keeps a group under one heading.
    """

    max_distance_lines: int = 10
    max_grouped_tables: int = 5
    max_group_size: int = 5000
    require_same_section: bool = True

    def __post_init__(self) -> None:
        _whole("max_distance_lines", self.max_distance_lines, 0)
        _whole("max_grouped_tables", self.max_grouped_tables, 1)
        _whole("max_group_size", self.max_group_size, 100)
        _flag("require_same_section", self.require_same_section)


@dataclass(frozen=True, slots=True)
class AdaptiveSizeConfig:
    """How `use_adaptive_sizing` turns the make-up of a document into a chunk size.

    size = base_size × (min_scale + complexity × (max_scale - min_scale)).  Complexity, from 0 to 1, is the sum of
    the shares of code, tables and lists and of the sentence length (1 at 100 characters), by the four weights,
    which sum to 1.
    """

    base_size: int = 1500
    min_scale: float = 0.5
    max_scale: float = 1.5
    code_weight: float = 0.4
    table_weight: float = 0.3
    list_weight: float = 0.2
    sentence_length_weight: float = 0.1

    def __post_init__(self) -> None:
        _whole("base_size", self.base_size, 1)
        weights = (self.code_weight, self.table_weight, self.list_weight, self.sentence_length_weight)
        if not (_is_number(self.min_scale) and _is_number(self.max_scale) and 0 < self.min_scale < self.max_scale):
            raise OptionError("min_scale", self.min_scale, f"over 0 and less than max_scale ({self.max_scale!r})")
        if not all(_is_number(weight) and weight >= 0 for weight in weights) or abs(sum(weights) - 1) > 0.001:
            raise OptionError("weights", weights, "0 or more and sum to 1")


@dataclass(frozen=True, slots=True)
class ChunkConfig:
    """How to chunk.  Sizes are in units of `measure`: characters by default.

    Raises OptionError for a value of the wrong type or out of range.  docs/parameters.md explains each one.
    """

    max_chunk_size: int = 4096
    chunk_overlap: int = 0
    min_chunk_size: int = 512
    strategy: str = "auto"
    oversize: Literal["split", "keep"] = "split"
    measure: Callable[[str], int] = len
    overlap_cap_ratio: float = 0.35

    # what `auto` goes by
    code_threshold: float = 0.3
    structure_threshold: int = 3
    list_ratio_threshold: float = 0.4
    list_count_threshold: int = 5

    # code and what explains it; distances in characters, the gap in lines
    enable_code_context_binding: bool = True
    max_context_chars_before: int = 500
    max_context_chars_after: int = 300
    related_block_max_gap: int = 5
    bind_output_blocks: bool = True
    preserve_before_after_pairs: bool = True

    group_related_tables: bool = False
    table_grouping_config: TableGroupingConfig = field(default_factory=TableGroupingConfig)

    use_adaptive_sizing: bool = False
    adaptive_config: AdaptiveSizeConfig = field(default_factory=AdaptiveSizeConfig)

    # a line equal to this forces a cut and is dropped
    split_marker: str = ""

    # cleaning, see clean.py
    strip_obsidian_block_ids: bool = False
    strip_front_matter: bool = False
    strip_html_comments: bool = False
    remove_images: bool = False
    remove_urls_emails: bool = False
    collapse_whitespace: bool = False

    def __post_init__(self) -> None:
        for name, least in _WHOLE_NUMBERS.items():
            _whole(name, getattr(self, name), least)
        for name in ("code_threshold", "list_ratio_threshold", "overlap_cap_ratio"):
            _share(name, getattr(self, name))
        if not self.overlap_cap_ratio:
            raise OptionError("overlap_cap_ratio", self.overlap_cap_ratio, "a number over 0, up to 1")
        if self.chunk_overlap >= self.max_chunk_size:
            raise OptionError("chunk_overlap", self.chunk_overlap, f"less than max_chunk_size ({self.max_chunk_size})")
        _one_of("strategy", self.strategy, STRATEGIES)
        _one_of("oversize", self.oversize, OVERSIZE)
        for f in fields(self):
            if f.type == "bool":
                _flag(f.name, getattr(self, f.name))
        if not isinstance(self.split_marker, str) or "\n" in self.split_marker:
            raise OptionError("split_marker", self.split_marker, "a text without line ends")
        if not callable(self.measure):
            raise OptionError("measure", self.measure, "a function from text to its size")
        if not isinstance(self.table_grouping_config, TableGroupingConfig):
            raise OptionError("table_grouping_config", self.table_grouping_config, "a TableGroupingConfig")
        if not isinstance(self.adaptive_config, AdaptiveSizeConfig):
            raise OptionError("adaptive_config", self.adaptive_config, "an AdaptiveSizeConfig")

    @property
    def least_size(self) -> int:
        """The minimum in force: min_chunk_size, but at most half the maximum."""
        return min(self.min_chunk_size, self.max_chunk_size // 2)

    @classmethod
    def profile(cls, name: str, **changes: Any) -> Self:
        """A named set of options; `changes` are laid over it.  Raises OptionError for an unknown name."""
        _one_of("profile", name, tuple(PROFILES))
        return cls(**{**PROFILES[name], **changes})

    def with_changes(self, **changes: Any) -> Self:
        """The same options but for `changes`, checked again."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """All options as plain values but for `measure`, which is code; from_dict takes them back."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "measure"}
        for name in ("table_grouping_config", "adaptive_config"):
            values[name] = asdict(values[name])
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Options from what to_dict gave.  Raises OptionError for a name that is not an option."""
        _known(cls, values)
        given = dict(values)
        for name, kind in (("table_grouping_config", TableGroupingConfig), ("adaptive_config", AdaptiveSizeConfig)):
            if isinstance(given.get(name), dict):
                _known(kind, given[name], f"{name}.")
                given[name] = kind(**given[name])
        return cls(**given)


#: Named profiles, each for a kind of document or use.
PROFILES: dict[str, dict[str, Any]] = {
    "default": {},
    "code_heavy": {"max_chunk_size": 8192, "chunk_overlap": 100, "min_chunk_size": 1024, "code_threshold": 0.2},
    "structured": {"max_chunk_size": 4096, "chunk_overlap": 200, "structure_threshold": 2},
    "minimal": {"max_chunk_size": 1024, "chunk_overlap": 50, "min_chunk_size": 256},
    "changelog": {
        "max_chunk_size": 6144,
        "chunk_overlap": 100,
        "min_chunk_size": 256,
        "list_ratio_threshold": 0.35,
        "list_count_threshold": 4,
    },
    "rag": {"max_chunk_size": 1500, "min_chunk_size": 300},
}

_WHOLE_NUMBERS = {
    "max_chunk_size": 1,
    "chunk_overlap": 0,
    "min_chunk_size": 0,
    "structure_threshold": 1,
    "list_count_threshold": 1,
    "max_context_chars_before": 0,
    "max_context_chars_after": 0,
    "related_block_max_gap": 0,
}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


def _whole(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(name, value, f"a whole number, {least} or more")


def _share(name: str, value: object) -> None:
    if not _is_number(value) or not 0 <= value <= 1:  # type: ignore[operator]
        raise OptionError(name, value, "a number from 0 to 1")


def _flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise OptionError(name, value, "True or False")


def _known(kind: type[Any], values: dict[str, Any], inside: str = "") -> None:
    if unknown := sorted(set(values) - {f.name for f in fields(kind)}):
        raise OptionError(inside + unknown[0], values[unknown[0]], "left out: it is not an option")


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise OptionError(name, value, "one of " + ", ".join(allowed))
