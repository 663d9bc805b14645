"""The plugin over HTTP on loopback, as Dify Cloud and the marketplace's start test run it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from plugin_process import LINE_LIMIT, ROOT, error_of, request_for, result_of

from scripts.marketplace import free_port, patience


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()


def invoke(port: int, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    request = request_for(parameters)
    status, body = ask(port, "POST", "/invoke", json.dumps(request).encode())
    assert status == 200
    lines = [line for line in body.split(b"\n") if line.strip()]
    assert all(len(line) < LINE_LIMIT for line in lines)
    messages = [json.loads(line) for line in lines]
    assert {message["session_id"] for message in messages} == {request["session_id"]}
    return [message["data"] for message in messages]


def wait_until_healthy(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + patience()
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            if ask(port, "GET", "/health") == (200, b"OK"):
                return
        time.sleep(0.1)
    raise AssertionError("not ready in the time that the marketplace gives")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = free_port()
    environment = dict(os.environ, INSTALL_METHOD="serverless", SERVERLESS_HOST="127.0.0.1", SERVERLESS_PORT=str(port))
    with subprocess.Popen(
        [sys.executable, "-m", "main"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            wait_until_healthy(process, port)
            yield port
        finally:
            process.kill()
            output = process.communicate()[0]
    assert b"Serving Flask app" in output


def test_chunks_a_document(port: int) -> None:
    text = (ROOT / "examples/sample.md").read_text(encoding="utf-8")
    chunks = result_of(invoke(port, {"input_text": text, "max_chunk_size": 500}))
    assert len(chunks) > 3


@pytest.mark.parametrize("wrong", [{"max_chunk_size": "big"}, {"strategy": "code"}, {"input_text": ""}])
def test_bad_input_is_an_error_and_the_server_lives_on(port: int, wrong: dict[str, Any]) -> None:
    assert next(iter(wrong)) in error_of(invoke(port, {"input_text": "x", **wrong}))
    assert result_of(invoke(port, {"input_text": "still there"}))


def test_too_much_output_is_refused_with_advice(port: int) -> None:
    message = error_of(invoke(port, {"input_text": "Some words, again and again.\n\n" * 200_000}))
    assert "smaller files" in message
