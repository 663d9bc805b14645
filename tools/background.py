"""How a tool runs the engine: beside the event loop, with refusals in Dify's own error type.

The SDK turns threads into greenlets of one event loop, which also sends the heartbeats that keep the
plugin alive.  Plain computing on that loop would silence it, so the work goes to a real thread: Python
then hands the interpreter back to the loop every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    try:
        result: T = _threads.apply(work, (parameters,))
    except (InputError, OptionError, StrategyError) as refusal:
        raise InvokeBadRequestError(str(refusal)) from None
    return result
