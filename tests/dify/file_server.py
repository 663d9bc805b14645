"""A server on loopback that behaves well or badly, in place of the files of a Dify."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NOTES = "# Notes\n\nSome text from a file.\n"


class Files(BaseHTTPRequestHandler):
    """/notes.md is a document; /404, /500, /slow, /drip, /huge, /binary and /moved are what their names say."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].strip("/")
        with contextlib.suppress(OSError):  # the client may have had enough
            getattr(self, f"send_{name.replace('.', '_')}", self.send_nothing)()

    def send_notes_md(self) -> None:
        self.send_bytes(NOTES.encode())

    def send_empty(self) -> None:
        self.send_bytes(b"")

    def send_binary(self) -> None:
        self.send_bytes(b"%PDF-1.7 secret words")

    def send_404(self) -> None:
        self.send_bytes(b"not here", 404)

    def send_403(self) -> None:
        self.send_bytes(b"not yours", 403)

    def send_500(self) -> None:
        self.send_bytes(b"broken", 500)

    def send_moved(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/notes.md")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def send_slow(self) -> None:
        time.sleep(4)
        self.send_notes_md()

    def send_drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b"a")
            self.wfile.flush()
            time.sleep(0.1)

    def send_huge(self) -> None:
        """30 MB in parts, without saying so before."""
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        for _ in range(30):
            self.wfile.write(b"many words \n" * 83_334)

    def send_nothing(self) -> None:
        self.send_bytes(b"", 404)

    def send_bytes(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@contextlib.contextmanager
def file_server() -> Iterator[str]:
    """The address of a running server, without a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
