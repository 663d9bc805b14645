"""Whatever Dify hands over, the tools answer rightly or refuse in words that name a parameter."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
from asking import chunk_texts, families
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structures import OUR_PARENT_CHILD, OUR_TEXTS

from adapter import SMALLEST_CHUNK, ChunkRequest, InputError, ParentChildRequest
from markdown_chunker import OptionError

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
#: A busy machine is no reason to fail.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ALL_NAMES = [*ChunkRequest.model_fields, *ParentChildRequest.model_fields]
NAMES = st.sampled_from([*ALL_NAMES, "unknown", ""])


@PATIENT
@given(st.dictionaries(NAMES, JUNK))
def test_any_junk_gives_chunks_or_a_refusal(parameters: dict[str, Any]) -> None:
    texts, refusal = outcome(chunk_texts, parameters)
    if not refusal:
        jsonschema.validate(texts, OUR_TEXTS)
        json.dumps(texts, ensure_ascii=False).encode()


@PATIENT
@given(st.dictionaries(NAMES, JUNK))
def test_any_junk_gives_parents_or_a_refusal(parameters: dict[str, Any]) -> None:
    found, refusal = outcome(families, parameters)
    if not refusal:
        jsonschema.validate(found, OUR_PARENT_CHILD)
        json.dumps(found, ensure_ascii=False).encode()


def outcome(tool: Callable[[dict[str, Any]], Any], parameters: dict[str, Any]) -> tuple[Any, str]:
    """What the tool gives, or a refusal, which must name a parameter."""
    try:
        return tool(parameters), ""
    except (InputError, OptionError) as error:
        refusal = str(error)
    assert any(name in refusal for name in ALL_NAMES)
    return None, refusal


@PATIENT
@given(st.text(min_size=1).filter(str.strip), st.integers(SMALLEST_CHUNK, 200))
def test_any_text_gives_chunks_within_the_limit(text: str, size: int) -> None:
    try:
        texts = chunk_texts({"input_text": text, "max_chunk_size": size, "include_metadata": False})
    except InputError:  # nothing but characters that cannot be kept
        return
    assert all(0 < len(chunk) <= size for chunk in texts)
