"""What can go wrong, as one tree.

    MarkdownChunkerError
    ├── OptionError (also a ValueError)    an option is wrong: which one, what was given, what is allowed
    └── StrategyError                      chunkana refused the text or failed on it, or an added strategy gave no costs

Any text chunks; only options and strategies that are not ours raise.
"""

from __future__ import annotations


class MarkdownChunkerError(Exception):
    """Base of every error that this package raises on purpose."""


class OptionError(MarkdownChunkerError, ValueError):
    """An option with a value that is not allowed.

    `parameter` is its name, `given` the value, `allowed` a phrase that completes "must be …".
    """

    def __init__(self, parameter: str, given: object, allowed: str) -> None:
        shown = repr(given)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{parameter} must be {allowed}; got {shown}")
        self.parameter = parameter
        self.given = given
        self.allowed = allowed


class StrategyError(MarkdownChunkerError):
    """A strategy that leans on another library, or that was added, did not work on this text."""
