"""Runs the plugin as Dify's daemon does and talks to it: JSON lines over stdin and stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
LINE_LIMIT = 5_242_880
TOOL = "markdown_chunk"
PARENT_CHILD_TOOL = "markdown_parent_child_chunk"


def request_for(parameters: dict[str, Any], tool: str = TOOL) -> dict[str, Any]:
    """A call of a tool as the daemon words it."""
    return {
        "session_id": str(uuid.uuid4()),
        "conversation_id": None,
        "message_id": None,
        "app_id": None,
        "endpoint_id": None,
        "context": {},
        "event": "request",
        "data": {
            "type": "tool",
            "action": "invoke_tool",
            "user_id": "tester",
            "provider": "markdown_chunker",
            "tool": tool,
            "credentials": {},
            "credential_type": "unauthorized",
            "tool_parameters": parameters,
        },
    }


def file_at(url: str, **known: Any) -> dict[str, Any]:
    """A file parameter as Dify sends it."""
    described = {
        "mime_type": "text/markdown",
        "filename": "notes.md",
        "extension": ".md",
        "size": 30,
        "type": "document",
    }
    return {"dify_model_identity": "__dify__file__", "url": url} | described | known


def result_of(reply: list[dict[str, Any]]) -> Any:
    """The value of a reply that holds exactly one message, the variable `result`."""
    stream, end = reply
    assert end["type"] == "end"
    assert stream["type"] == "stream", stream
    assert stream["data"]["type"] == "variable"
    assert stream["data"]["message"]["variable_name"] == "result"
    return stream["data"]["message"]["variable_value"]


def error_of(reply: list[dict[str, Any]]) -> str:
    """The message of a reply that refuses: an error of the kind that Dify shows word for word, then the end."""
    error, end = reply
    assert (error["type"], end["type"]) == ("error", "end"), reply
    assert error["data"]["error_type"] == "InvokeBadRequestError", error
    message: str = error["data"]["message"]
    return message


class PluginProcess:
    """A running plugin.  Leaving the `with` block always ends it."""

    def __init__(
        self, folder: Path = ROOT, python: str = sys.executable, heartbeat: float = 10, **environment: str
    ) -> None:
        environment = {**os.environ, **environment, "INSTALL_METHOD": "local", "HEARTBEAT_INTERVAL": str(heartbeat)}
        self.process = subprocess.Popen(
            [python, "-m", "main"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: list[bytes] = []
        self.heartbeats: list[float] = []
        self.stderr = b""
        self._replies: dict[str, list[dict[str, Any]]] = {}
        self._news = threading.Condition()
        self._readers = [threading.Thread(target=self._read_stdout), threading.Thread(target=self._read_stderr)]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        try:
            self._wait(lambda: bool(self.heartbeats), 60)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process and its readers, whatever state they are in."""
        self.process.kill()
        self.process.wait(10)
        for reader in self._readers:
            reader.join(10)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def send(self, parameters: dict[str, Any], tool: str = TOOL) -> str:
        """Start a call; gives its session."""
        request = request_for(parameters, tool)
        self.send_line(json.dumps(request).encode())
        return str(request["session_id"])

    def send_line(self, line: bytes) -> None:
        """Write one raw line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def reply(self, session: str, timeout: float = 120) -> list[dict[str, Any]]:
        """All messages of a call, up to its end."""
        self._wait(lambda: any(each["type"] == "end" for each in self._replies.get(session, [])), timeout)
        return self._replies[session]

    def invoke(self, parameters: dict[str, Any], tool: str = TOOL) -> list[dict[str, Any]]:
        """Call a tool and wait for the whole reply."""
        return self.reply(self.send(parameters, tool))

    def wait_for_line(self, part: bytes, timeout: float = 10) -> bytes:
        """The first line that holds `part`."""
        self._wait(lambda: any(part in line for line in self.lines), timeout)
        return next(line for line in self.lines if part in line)

    def _wait(self, happened: Any, timeout: float) -> None:
        with self._news:
            if not self._news.wait_for(lambda: happened() or self.process.poll() is not None, timeout):
                raise TimeoutError(f"nothing in {timeout} s; stderr: {self.stderr[-2000:]!r}")
            assert happened(), f"the plugin ended: {self.stderr[-2000:]!r}"

    def _read_stdout(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip():
                with self._news:
                    self._take(line.strip())
                    self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _take(self, line: bytes) -> None:
        self.lines.append(line)
        try:
            message = json.loads(line)
        except ValueError:
            return  # the tests look at `lines` for it
        if message.get("event") == "heartbeat":
            self.heartbeats.append(time.monotonic())
        elif message.get("event") == "session":
            self._replies.setdefault(message["session_id"], []).append(message["data"])

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.stderr += line
