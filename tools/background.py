"""How a tool runs the engine: beside the event loop, with refusals in Dify's own error type.

The SDK turns threads into greenlets of one event loop, which also sends the heartbeats that keep the
plugin alive.  Plain computing on that loop would silence it, so the work goes to a real thread: Python
then hands the interpreter back to the loop every few milliseconds.  Waiting for a download does not hold
the loop up, so that stays on it.  gevent comes with the SDK, which is built on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dify_plugin.errors.model import InvokeBadRequestError
from gevent.threadpool import ThreadPool

from adapter import InputError, Request, read_request
from markdown_chunker import OptionError, StrategyError
from tools.download import download

#: Documents chunked at the same time; further calls wait.  It bounds memory, and a short document need
#: not wait for a long one.  The SDK reads and writes through a pool of its own, so neither is held up.
DOCUMENTS_AT_ONCE = 4

_threads = ThreadPool(DOCUMENTS_AT_ONCE)


def answer[R: Request, T](kind: type[R], work: Callable[[R, bytes], T], parameters: Mapping[str, Any]) -> T:
    """What `work` makes of the request in the parameters and of its file's bytes, while the event loop goes on.

    Raises InvokeBadRequestError, which Dify shows to the user word for word, for anything refused.
    """
    with refusals():
        request = read_request(kind, parameters)
        data = download(request.input_file) if request.input_file else b""
        return in_background(work, request, data)


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what the engine and the adapter refuse into the error that Dify shows; bugs stay what they are."""
    try:
        yield
    except (InputError, OptionError, StrategyError) as error:
        raise InvokeBadRequestError(str(error)) from None


def in_background[**P, T](work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The outcome of work done in a thread of its own; what it raises is raised here."""
    outcome: T | _Failure = _threads.apply(_attempt, (work, arguments, named))
    if isinstance(outcome, _Failure):
        raise outcome.error
    return outcome


@dataclass(frozen=True)
class _Failure:
    """An error on its way back to the loop; one that escaped in the thread would be printed there."""

    error: Exception


def _attempt[T](work: Callable[..., T], arguments: tuple[Any, ...], named: dict[str, Any]) -> T | _Failure:
    try:
        return work(*arguments, **named)
    except Exception as error:
        return _Failure(error)
