"""In the real process: every bad call is answered by an error that names the parameter, and the plugin lives on."""

from __future__ import annotations

import json
import math
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from file_server import NOTES, file_server
from plugin_process import LINE_LIMIT, PARENT_CHILD_TOOL, TOOL, PluginProcess, error_of, file_at, result_of

SECRET = "the-quick-brown-secret"
TEXT = f"# Title\n\n{SECRET} in a sentence.\n"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with file_server() as address:
        yield address


@pytest.fixture(scope="module")
def plugin() -> Iterator[PluginProcess]:
    with PluginProcess(HTTPX_TIMEOUT="1") as running:
        yield running
        output = b"".join(running.lines)
        assert all(len(line) < LINE_LIMIT for line in running.lines)
        assert all(json.loads(line) for line in running.lines)
        assert running.stderr == b""
        assert SECRET.encode() not in output
        assert b"sign=" not in output


#: The tool, what is wrong in the call, and the parameter that the answer has to name.
WRONG: list[tuple[str, dict[str, Any], str]] = [
    (TOOL, {"input_text": None}, "input_text"),
    (TOOL, {"input_text": ""}, "input_text"),
    (TOOL, {"input_text": [SECRET]}, "input_text"),
    (TOOL, {"input_text": {"text": SECRET}}, "input_text"),
    (TOOL, {"input_text": 5}, "input_text"),
    (TOOL, {"max_chunk_size": 49}, "max_chunk_size"),
    (TOOL, {"max_chunk_size": "large"}, "max_chunk_size"),
    (TOOL, {"max_chunk_size": 1000.5}, "max_chunk_size"),
    (TOOL, {"max_chunk_size": 10**40}, "max_chunk_size"),
    (TOOL, {"max_chunk_size": math.nan}, "max_chunk_size"),
    (TOOL, {"chunk_overlap": -1}, "chunk_overlap"),
    (TOOL, {"chunk_overlap": 4096}, "chunk_overlap"),
    (TOOL, {"chunk_overlap": 100, "overlap_unit": "percent"}, "chunk_overlap"),
    (TOOL, {"overlap_unit": "words"}, "overlap_unit"),
    (TOOL, {"strategy": "code"}, "strategy"),
    (TOOL, {"include_metadata": "perhaps"}, "include_metadata"),
    (TOOL, {"metadata_format": "xml"}, "metadata_format"),
    (TOOL, {"document_title": "x" * 300}, "document_title"),
    (TOOL, {"document_title": ["x"]}, "document_title"),
    (TOOL, {"extra_metadata": "source: x"}, "extra_metadata"),
    (TOOL, {"extra_metadata": '{"a": "' + "x" * 1000 + '"}'}, "extra_metadata"),
    (TOOL, {"extra_metadata": '{"chunk_id": 1}'}, "extra_metadata"),
    (TOOL, {"enable_hierarchy": "maybe"}, "enable_hierarchy"),
    (TOOL, {"debug": 2}, "debug"),
    (TOOL, {"min_chunk_size": -1}, "min_chunk_size"),
    (TOOL, {"oversize": "drop"}, "oversize"),
    (TOOL, {"split_marker": r"\n\n"}, "split_marker"),
    (TOOL, {"remove_images": "some"}, "remove_images"),
    (TOOL, {"input_file": "notes.md", "input_text": None}, "input_file"),
    (PARENT_CHILD_TOOL, {"input_text": None}, "input_text"),
    (PARENT_CHILD_TOOL, {"parent_mode": "document"}, "parent_mode"),
    (PARENT_CHILD_TOOL, {"parent_max_size": 0}, "parent_max_size"),
    (PARENT_CHILD_TOOL, {"child_max_size": 5000}, "child_max_size"),
    (PARENT_CHILD_TOOL, {"child_context": True}, "child_context"),
]


@pytest.mark.parametrize(("tool", "wrong", "named"), WRONG, ids=lambda value: str(value)[:40])
def test_a_bad_value(plugin: PluginProcess, tool: str, wrong: dict[str, Any], named: str) -> None:
    assert named in error_of(plugin.invoke({"input_text": TEXT, **wrong}, tool))
    assert plugin.process.poll() is None


@pytest.mark.parametrize("tool", [TOOL, PARENT_CHILD_TOOL])
def test_nothing_given(plugin: PluginProcess, tool: str) -> None:
    assert "input_text" in error_of(plugin.invoke({}, tool))


@pytest.mark.parametrize("tool", [TOOL, PARENT_CHILD_TOOL])
def test_a_file_arrives(plugin: PluginProcess, server: str, tool: str) -> None:
    file = file_at(f"{server}/notes.md?sign=x")
    expected = result_of(plugin.invoke({"input_text": NOTES}, tool))
    for given in (file, [file]):
        assert result_of(plugin.invoke({"input_file": given, "input_text": ""}, tool)) == expected


def test_both_inputs(plugin: PluginProcess, server: str) -> None:
    message = error_of(plugin.invoke({"input_text": TEXT, "input_file": file_at(f"{server}/notes.md")}))
    assert message.startswith("input_text and input_file are both given")


@pytest.mark.parametrize(
    ("path", "known", "part"),
    [
        ("404", {}, "FILES_ACCESS_TIMEOUT"),
        ("500", {}, "HTTP 500"),
        ("slow", {}, "HTTPX_TIMEOUT"),
        ("huge", {}, "larger than 20 MB"),
        ("binary", {}, "a PDF"),
        ("empty", {}, "is empty"),
        ("notes.md", {"filename": "notes.pdf", "extension": ".pdf"}, "must end in .md"),
        ("notes.md", {"size": 10**9}, "larger than 20 MB"),
    ],
)
def test_a_bad_file(plugin: PluginProcess, server: str, path: str, known: dict[str, Any], part: str) -> None:
    message = error_of(plugin.invoke({"input_file": file_at(f"{server}/{path}?sign=x", **known)}))
    assert message.startswith("input_file ")
    assert part in message


@pytest.mark.parametrize("url", ["/files/1/file-preview?sign=x", "http://127.0.0.1:{closed}/x?sign=x"])
def test_an_unreachable_file(plugin: PluginProcess, url: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        message = error_of(plugin.invoke({"input_file": file_at(url.format(closed=probe.getsockname()[1]))}))
    assert message.startswith("input_file ")
    assert "must set FILES_URL" in message


def test_a_file_of_a_kind_unknown_to_the_sdk_is_an_error_too(plugin: PluginProcess) -> None:
    error, end = plugin.invoke({"input_file": file_at("http://127.0.0.1:9/x", type="weird")})
    assert (error["type"], end["type"]) == ("error", "end")


def test_a_text_of_20_mb(plugin: PluginProcess) -> None:
    message = error_of(plugin.invoke({"input_text": "Some words, again and again.\n\n" * 700_000}))
    assert message.startswith("input_text has 21,000,000 characters, more than 15,000,000")


def test_an_unknown_tool(plugin: PluginProcess) -> None:
    error, end = plugin.invoke({"input_text": TEXT}, "markdown_chunks")
    assert (error["type"], end["type"]) == ("error", "end")


def test_a_slow_file_does_not_hold_up_other_calls(plugin: PluginProcess, server: str) -> None:
    slow = plugin.send({"input_file": file_at(f"{server}/slow")})
    assert result_of(plugin.invoke({"input_text": "meanwhile", "include_metadata": False})) == ["meanwhile"]
    assert not any(json.loads(line).get("session_id") == slow for line in plugin.lines)
    error_of(plugin.reply(slow))


def test_200_calls_none_lost(plugin: PluginProcess) -> None:
    """Good and bad ones of both tools, all sent before the first answer is read."""
    sessions = {}
    for number in range(200):
        tool = (TOOL, PARENT_CHILD_TOOL)[number % 2]
        text = f"call {number}" if number % 5 else ""
        sessions[plugin.send({"input_text": text, "include_metadata": False}, tool)] = (tool, text)
    for session, (tool, text) in sessions.items():
        reply = plugin.reply(session)
        if not text:
            assert "input_text" in error_of(reply)
        elif tool == TOOL:
            assert result_of(reply) == [text]
        else:
            assert result_of(reply)["parent_child_chunks"] == [{"parent_content": text, "child_contents": [text]}]


def test_three_large_calls_at_once_answer_rightly(plugin: PluginProcess) -> None:
    documents = [f"# Document {letter}\n\n" + f"Sentence of {letter}. " * 20_000 for letter in "ABC"]
    parameters = {"include_metadata": False, "max_chunk_size": 2000}
    sessions = [plugin.send({"input_text": text, **parameters}) for text in documents]
    for session, text in zip(sessions, documents, strict=True):
        assert "".join(result_of(plugin.reply(session))).split() == text.split()


def test_it_is_still_alive_after_all_that(plugin: PluginProcess) -> None:
    assert result_of(plugin.invoke({"input_text": "still there", "include_metadata": False})) == ["still there"]
