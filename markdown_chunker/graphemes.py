"""Grapheme clusters: what a reader takes for one character."""

from __future__ import annotations

import unicodedata


def is_grapheme_boundary(text: str, at: int, start: int) -> bool:
    """Whether a cut at `at` splits no grapheme cluster; `start` is a known boundary before it.

    Follows UAX #29 for what occurs in practice: combining marks, joiners, variation selectors, emoji modifiers,
    tags, flag pairs, Hangul jamo.
    """
    if at <= start or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if _extends(after) or before == "\u200d":
        return False
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        run = at
        while run > start and "\U0001f1e6" <= text[run - 1] <= "\U0001f1ff":
            run -= 1
        return (at - run) % 2 == 0
    return not ("\u1100" <= before <= "\u11ff" and "\u1160" <= after <= "\u11ff") and not (
        "\uac00" <= before <= "\ud7a3" and "\u1160" <= after <= "\u11ff"
    )


def _extends(char: str) -> bool:
    if char < "\u0300":
        return False
    return (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or char in "\u200c\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )
