"""How a tool runs the engine: beside the event loop, with refusals in Dify's own error type.

The SDK turns threads into greenlets of one event loop, which also sends the heartbeats that keep the
plugin alive.  Plain computing on that loop would silence it, so the work goes to a real thread: Python
then hands the interpreter back to the loop every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dify_plugin.errors.model import InvokeBadRequestError
from gevent.threadpool import ThreadPool

from adapter import InputError
from markdown_chunker import OptionError, StrategyError

#: Documents chunked at the same time; further calls wait.  It bounds memory, and a short document need
#: not wait for a long one.  The SDK reads and writes through a pool of its own, so neither is held up.
DOCUMENTS_AT_ONCE = 4

_threads = ThreadPool(DOCUMENTS_AT_ONCE)


def answer[T](work: Callable[[Mapping[str, Any]], T], parameters: Mapping[str, Any]) -> T:
    """What `work` makes of the parameters, while the event loop goes on.

    Raises InvokeBadRequestError, which Dify shows to the user word for word, for anything refused.
    """
    outcome: T | _Failure = _threads.apply(_attempt, (work, parameters))
    if not isinstance(outcome, _Failure):
        return outcome
    if isinstance(outcome.error, InputError | OptionError | StrategyError):
        raise InvokeBadRequestError(str(outcome.error)) from None
    raise outcome.error


@dataclass(frozen=True)
class _Failure:
    """An error on its way back to the loop; one that escaped in the thread would be printed there."""

    error: Exception


def _attempt[T](work: Callable[[Mapping[str, Any]], T], parameters: Mapping[str, Any]) -> T | _Failure:
    try:
        return work(parameters)
    except Exception as error:
        return _Failure(error)
