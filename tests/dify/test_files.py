"""`input_file`: what is taken, what an administrator is told, and that the signed address is never shown."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from asking import SdkFile, chunk_texts, families
from file_server import NOTES, file_server
from plugin_process import ROOT

import tools.download
from adapter import ChunkRequest, ParentChildRequest, read_request
from tools.download import EXTENSIONS, download, extension, stem
from values import InputError, UploadedFile

SIGNED = "?sign=a-secret-signature"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with file_server() as address:
        yield address


@pytest.fixture(autouse=True)
def short_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPX_TIMEOUT", "1")
    monkeypatch.setattr(tools.download, "PATIENCE", 2)


def refusal(url: str, **known: object) -> str:
    with pytest.raises(InputError) as refused:
        download(UploadedFile(url + SIGNED, **known))  # type: ignore[arg-type]
    message = str(refused.value)
    assert message.startswith("input_file ")
    assert "secret" not in message
    assert "127.0.0.1" not in message
    return message


# --- which parameter ---


def test_a_file_takes_the_place_of_the_text() -> None:
    expected = chunk_texts({"input_text": NOTES})
    assert chunk_texts({"input_file": SdkFile()}, NOTES.encode()) == expected
    assert chunk_texts({"input_file": [SdkFile()], "input_text": " \n"}, NOTES.encode()) == expected
    assert families({"input_file": SdkFile()}, NOTES.encode()) == families({"input_text": NOTES})


@pytest.mark.parametrize("kind", [ChunkRequest, ParentChildRequest])
def test_exactly_one_of_the_two(kind: type[ChunkRequest]) -> None:
    with pytest.raises(InputError, match=r"^input_text and input_file are both given"):
        read_request(kind, {"input_text": "x", "input_file": SdkFile()})
    for nothing in ({}, {"input_file": None}, {"input_file": []}, {"input_file": "", "input_text": ""}):
        with pytest.raises(InputError, match=r"^input_text is empty: .* or input_file to a file"):
            read_request(kind, nothing)


@pytest.mark.parametrize("wrong", ["a text", 5, True, {"url": "x"}, [None], ["x"], object()])
def test_what_is_no_file_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match=r"^input_file must be a file; got "):
        read_request(ChunkRequest, {"input_file": wrong})


def test_several_files_are_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"^input_file must be one file; got 2: use an Iteration"):
        read_request(ChunkRequest, {"input_file": [SdkFile(), SdkFile()]})


def test_a_file_of_which_dify_says_nothing_but_where_it_is() -> None:
    bare = SdkFile(filename=None, extension=None, size=None)
    assert chunk_texts({"input_file": bare}, NOTES.encode()) == chunk_texts({"input_text": NOTES})


@pytest.mark.parametrize("data", [b"", b" \n\n", "\ufeff".encode()])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^input_file (is empty|holds no text)"):
        chunk_texts({"input_file": SdkFile()}, data)


# --- name and extension ---


@pytest.mark.parametrize("ending", EXTENSIONS)
def test_names_of_markdown_are_taken(server: str, ending: str) -> None:
    for name in (f"notes{ending}", f"NOTES{ending.upper()}"):
        assert download(UploadedFile(f"{server}/notes.md", name=name)) == NOTES.encode()


@pytest.mark.parametrize(
    ("name", "ending"), [("a.pdf", ".pdf"), ("a.md.docx", ".docx"), ("", ".xlsx"), ("noname", "html")]
)
def test_other_names_are_refused_before_anything_is_fetched(name: str, ending: str) -> None:
    message = refusal("http://127.0.0.1:9/never", name=name, extension=ending)
    assert ".md, .markdown, .mkd, .mdx, .txt" in message
    assert "Document Extractor" in message


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("notes.md", "notes"),
        ("Field guide v1.2.md", "Field guide v1.2"),
        ("Field guide v1.2", "Field guide v1.2"),
        ("维护.markdown", "维护"),
        ("folder/deep\\notes.txt", "notes"),
        ("notes", "notes"),
        ("", ""),
    ],
)
def test_the_name_without_its_ending(name: str, title: str) -> None:
    assert stem(UploadedFile("u", name=name)) == title


def test_the_extension_comes_from_the_name_or_from_dify() -> None:
    assert extension(UploadedFile("u", name="A.MD", extension=".pdf")) == ".md"
    assert extension(UploadedFile("u", extension=".md")) == extension(UploadedFile("u", extension="md")) == ".md"
    assert extension(UploadedFile("u", name="Version 1.2", extension=".md")) == ".md"
    assert extension(UploadedFile("u")) == ""


# --- what goes wrong on the way ---


def test_a_file_arrives_whole(server: str) -> None:
    assert download(UploadedFile(f"{server}/notes.md{SIGNED}", "notes.md")) == NOTES.encode()


@pytest.mark.parametrize("url", ["/files/1/file-preview", "", "api:5001/files/1", "file:///etc/hostname", "ftp://x/y"])
def test_without_files_url_the_administrator_is_told(url: str) -> None:
    message = refusal(url)
    assert "must set FILES_URL" in message
    assert "http://api:5001" in message


@pytest.mark.parametrize("status", ["404", "403"])
def test_a_link_that_ran_out(server: str, status: str) -> None:
    message = refusal(f"{server}/{status}")
    assert f"HTTP {status}" in message
    assert "FILES_ACCESS_TIMEOUT" in message
    assert "FILES_URL" in message


@pytest.mark.parametrize(("path", "status"), [("500", "HTTP 500"), ("moved", "HTTP 302")])
def test_other_answers(server: str, path: str, status: str) -> None:
    message = refusal(f"{server}/{path}")
    assert status in message
    assert "FILES_URL" in message


@pytest.mark.parametrize("path", ["slow", "drip"])
def test_too_slow(server: str, path: str) -> None:
    started = time.monotonic()
    message = refusal(f"{server}/{path}")
    assert time.monotonic() - started < 15
    assert "in time" in message
    assert "HTTPX_TIMEOUT" in message


def test_nobody_there() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}/x"
        message = refusal(address)
    assert "ConnectError" in message
    assert "FILES_URL" in message


def test_too_large_by_what_dify_says_or_by_what_comes(server: str) -> None:
    assert "larger than 20 MB" in refusal("http://127.0.0.1:9/never", size=20_000_001)
    assert "larger than 20 MB" in refusal(f"{server}/huge")


@pytest.mark.parametrize("setting", ["", "soon", "0", "-3"])
def test_a_bad_time_limit_in_the_environment_does_no_harm(
    server: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPX_TIMEOUT", setting)
    assert download(UploadedFile(f"{server}/notes.md")) == NOTES.encode()


def test_a_file_tells_nothing_of_its_address_in_a_traceback() -> None:
    file = SdkFile(url="http://127.0.0.1:9/x" + SIGNED)
    request = read_request(ChunkRequest, {"input_file": replace(file)})
    assert request.input_file
    assert "secret" not in repr(request.input_file)


def test_the_sdk_and_the_plugin_go_by_the_same_time_limit() -> None:
    """30 seconds where nothing is set, since the SDK reads its setting when it is imported."""
    code = "import main, tools.download, dify_plugin.file.file as f; print(f._plugin_config.HTTPX_TIMEOUT, "
    code += "tools.download._timeout())"
    for given, seen in ((None, "30 30.0"), ("7", "7 7.0")):
        environment = {name: value for name, value in os.environ.items() if name != "HTTPX_TIMEOUT"}
        environment |= {"HTTPX_TIMEOUT": given} if given else {}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split("\n")[-2] == seen
