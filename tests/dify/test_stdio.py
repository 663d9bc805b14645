"""The plugin in its real process, over stdin and stdout, as Dify's daemon runs it."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from plugin_process import LINE_LIMIT, PluginProcess, error_of, result_of

SAMPLE = (Path(__file__).resolve().parents[2] / "examples/sample.md").read_text(encoding="utf-8")
SECRET = "the-quick-brown-secret"


@pytest.fixture(scope="module")
def plugin() -> Iterator[PluginProcess]:
    with PluginProcess() as running:
        yield running
        assert all(len(line) < LINE_LIMIT for line in running.lines)
        for line in running.lines:
            json.loads(line)
        assert running.stderr == b""


def test_first_line_is_the_manifest(plugin: PluginProcess) -> None:
    manifest = json.loads(plugin.lines[0])
    assert (manifest["author"], manifest["name"]) == ("structural-markdown", "markdown_chunker")
    assert manifest["meta"]["minimum_dify_version"] == "1.9.0"


def test_chunks_a_document(plugin: PluginProcess) -> None:
    chunks = result_of(plugin.invoke({"input_text": SAMPLE, "max_chunk_size": "500", "chunk_overlap": None}))
    assert len(chunks) > 3
    assert all(chunk.startswith("<metadata>\n{") for chunk in chunks)
    assert "station status --port /dev/ttyUSB0" in "".join(chunks)


def test_every_line_of_the_document_arrives_without_metadata(plugin: PluginProcess) -> None:
    chunks = result_of(plugin.invoke({"input_text": SAMPLE, "include_metadata": "False"}))
    arrived = [line for chunk in chunks for line in chunk.split("\n") if line.strip()]
    assert arrived == [line for line in SAMPLE.split("\n") if line.strip()]


def test_a_line_that_is_not_json_does_no_harm(plugin: PluginProcess) -> None:
    plugin.send_line(b"not json")
    assert json.loads(plugin.wait_for_line(b'"error"'))["event"]
    assert result_of(plugin.invoke({"input_text": "still there"}))


def test_nul_surrogates_and_line_ends_arrive_clean(plugin: PluginProcess) -> None:
    chunks = result_of(plugin.invoke({"input_text": "\ufeff# a\x00b\r\n\r\nc\rd\r\n", "include_metadata": False}))
    assert "\x00" not in "".join(chunks)


def test_several_calls_at_once_get_their_own_answers(plugin: PluginProcess) -> None:
    sessions = {plugin.send({"input_text": f"text {i}", "include_metadata": False}): f"text {i}" for i in range(20)}
    for session, text in sessions.items():
        assert result_of(plugin.reply(session)) == [text]


def test_too_much_output_is_refused_with_advice(plugin: PluginProcess) -> None:
    text = f"# 标题\n\n{'每一行都有中文。' * 10}\n\n" * 30_000
    message = error_of(plugin.invoke({"input_text": text, "include_metadata": False}))
    assert "input_text gives" in message
    assert "4.9 MB" in message
    assert "smaller files" in message
    assert result_of(plugin.invoke({"input_text": "still there"}))


def test_nearly_too_much_output_arrives(plugin: PluginProcess) -> None:
    text = ("A line of plain text in a long document.\n" * 20 + "\n") * 5_500
    chunks = result_of(plugin.invoke({"input_text": text, "include_metadata": False}))
    assert sum(map(len, chunks)) > 4_400_000


def test_the_document_is_never_logged(plugin: PluginProcess) -> None:
    before = len(plugin.lines)
    error_of(plugin.invoke({"input_text": SECRET, "max_chunk_size": "tiny"}))
    error_of(plugin.invoke({"input_text": [SECRET]}))
    assert SECRET.encode() not in b"".join(plugin.lines[before:])
    assert SECRET.encode() not in plugin.stderr


def test_heartbeats_go_on_during_a_large_document() -> None:
    text = SAMPLE * (6_000_000 // len(SAMPLE))
    with PluginProcess(heartbeat=0.1) as plugin:
        started = time.monotonic()
        message = error_of(plugin.invoke({"input_text": text}))
        ended = time.monotonic()
        beats = [started, *(beat for beat in plugin.heartbeats if started < beat < ended), ended]
    longest = max(later - earlier for earlier, later in itertools.pairwise(beats))
    print(f"{ended - started:.2f} s, {len(beats) - 2} heartbeats, longest silence {longest:.2f} s")
    assert "MB of chunks" in message
    # Dify warns after 60 s of silence and kills after 120; the daemon's own interval is 10 s.
    assert longest < 5


def test_closing_stdin_does_not_leave_a_process_behind() -> None:
    with PluginProcess() as plugin:
        assert plugin.process.stdin is not None
        plugin.process.stdin.close()
    assert plugin.process.poll() is not None
