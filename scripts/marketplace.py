"""`make marketplace-check`: all rules of Dify and of its marketplace that can be checked on this machine.

The package is built, looked through, and started from an empty folder as the marketplace starts it.  Not
checked, since it needs the marketplace itself: that the version is not there yet, and the signature.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from scripts.marketplace_rules import check_package, warnings_for
from scripts.package import ROOT, build, packaged_files
from scripts.plugin_rules import complaints

#: The marketplace waits so long for a plugin to answer, on a machine with nothing else to do.  Seconds.
READY_WITHIN = 20


def main() -> int:
    """Print what is wrong; exit code 1 if anything is."""
    found = complaints(ROOT, packaged_files(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        package = build(ROOT, Path(folder))
        files = contents(package)
        found += check_package(files)
        found += check_start(package, Path(folder) / "installed")
    for warning in warnings_for(files):
        print("warning:", warning)
    print(*(found or [f"{package.name}: nothing to complain of"]), sep="\n")
    return 1 if found else 0


def contents(package: Path) -> dict[str, bytes]:
    """The files of a built package."""
    with zipfile.ZipFile(package) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def check_start(package: Path, folder: Path) -> list[str]:
    """Whether the package, unpacked, serves within the time that the marketplace gives it."""
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
    port = free_port()
    environment = {**os.environ, "INSTALL_METHOD": "serverless", "SERVERLESS_PORT": str(port)}
    environment |= {"SERVERLESS_HOST": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "main"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        ready = _answers(port, process)
        process.kill()
        output = process.communicate()[0]
    if not ready:
        return [f"the plugin does not answer within {READY_WITHIN} s: {output[-500:]!r}"]
    return [] if b"Serving Flask app" in output else ["the plugin does not say that it serves"]


def free_port() -> int:
    """A port on loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def patience() -> float:
    """How long to wait on this machine: as much longer than the marketplace as it is busier, in seconds."""
    return READY_WITHIN * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + patience()
    while time.monotonic() < end and process.poll() is None:
        with (
            contextlib.suppress(OSError),
            contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection,
        ):
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return True
        time.sleep(0.1)
    return False


if __name__ == "__main__":
    sys.exit(main())
