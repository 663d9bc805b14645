"""Fetches an uploaded file from Dify.

The SDK's own `File.blob` reads without bound and with a short time limit; this stops at a size and at a
time, and says what an administrator has to set when the file cannot be had.  The address is signed, so
it is never shown.  httpx comes with the SDK, which fetches files with it as well.
"""

from __future__ import annotations

import os
import time
from pathlib import PurePosixPath

import httpx

from values import InputError, UploadedFile

EXTENSIONS = (".md", ".markdown", ".mkd", ".mdx", ".txt")
#: Dify takes uploads of 15 MB unless it is set up otherwise.  Bytes.
FILE_LIMIT = 20_000_000
#: The whole download may take so many times the time limit of one step.
PATIENCE = 4
DEFAULT_TIMEOUT = 30

_FILES_URL = "the administrator must set FILES_URL (or INTERNAL_FILES_URL) in Dify's .env to an address of the API "
_FILES_URL += "that the plugin daemon can reach, such as http://api:5001, without a slash at the end"


def download(file: UploadedFile) -> bytes:
    """The bytes of a file.  Raises InputError, naming input_file, if they cannot be had or are too many."""
    _check_extension(file)
    if file.size > FILE_LIMIT:
        raise _too_large()
    try:
        return _read(file.url, _timeout())
    except (httpx.UnsupportedProtocol, httpx.InvalidURL):
        raise InputError(f"input_file has no usable address: {_FILES_URL}") from None
    except httpx.HTTPStatusError as error:
        raise InputError(_status_text(error.response.status_code)) from None
    except (httpx.TimeoutException, TimeoutError):
        raise InputError(
            f"input_file did not arrive in time ({_timeout():g} s for each step): {_FILES_URL}; "
            "for slow storage, raise HTTPX_TIMEOUT (seconds) for the plugin daemon"
        ) from None
    except httpx.HTTPError as error:
        raise InputError(f"input_file could not be fetched ({type(error).__name__}): {_FILES_URL}") from None


def stem(file: UploadedFile) -> str:
    """The file's name without its folder and its Markdown ending; empty if Dify did not say it."""
    name = PurePosixPath(file.name.replace("\\", "/"))
    return name.stem if name.suffix.lower() in EXTENSIONS else name.name


def extension(file: UploadedFile) -> str:
    """`.md` and so on, in small letters: what the name says or what Dify says; empty if neither says anything."""
    said = [PurePosixPath(file.name).suffix.lower(), f".{file.extension.lstrip('.')}" if file.extension else ""]
    return next((each for each in said if each in EXTENSIONS), said[0] or said[1])


def _check_extension(file: UploadedFile) -> None:
    found = extension(file)
    if found and found not in EXTENSIONS:
        raise InputError(
            f"input_file must end in {', '.join(EXTENSIONS)}; got {found[:20]}: put a Document Extractor node "
            "before this one and connect its text to input_text"
        )


def _read(url: str, timeout: float) -> bytes:
    """The answer's body.  Proxies of the environment apply, redirects are not followed, as in the SDK."""
    end = time.monotonic() + PATIENCE * timeout
    body = bytearray()
    with httpx.stream("GET", url, timeout=timeout) as response:
        response.raise_for_status()
        for part in response.iter_bytes():
            body += part
            if len(body) > FILE_LIMIT:
                raise _too_large()
            if time.monotonic() > end:
                raise TimeoutError
    return bytes(body)


def _timeout() -> float:
    """HTTPX_TIMEOUT, the SDK's own setting, in seconds."""
    try:
        return max(1.0, float(os.environ.get("HTTPX_TIMEOUT", DEFAULT_TIMEOUT)))
    except ValueError:
        return DEFAULT_TIMEOUT


def _status_text(status: int) -> str:
    if status in (401, 403, 404, 410):
        return (
            f"input_file could not be fetched (HTTP {status}): its link may have run out "
            f"(FILES_ACCESS_TIMEOUT, 300 s unless set), so upload it again; otherwise {_FILES_URL}"
        )
    return f"input_file could not be fetched (HTTP {status}): {_FILES_URL}"


def _too_large() -> InputError:
    return InputError(f"input_file is larger than {FILE_LIMIT / 1e6:.0f} MB: split it into smaller files")
