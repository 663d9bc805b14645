"""The scores of a run by what they belong to.  Standard library only."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """What one list of scores belongs to."""

    lang: str
    engine: str
    size: int
    ranker: str


#: The language of the results of all questions together.
TOGETHER = "all"
#: For each key and metric, a score for each question, in the order of the questions of that language.
Results = dict[Key, dict[str, list[float]]]


def together(results: Results) -> Results:
    """The results, and with more than one language those of all questions together."""
    langs = list(dict.fromkeys(key.lang for key in results))
    everything = dict(results)
    for key in results:
        parts = [results.get(key._replace(lang=lang)) for lang in langs]
        if len(langs) > 1 and key.lang == langs[0] and all(parts):
            rows = {metric: [value for part in parts if part for value in part[metric]] for metric in results[key]}
            everything[key._replace(lang=TOGETHER)] = rows
    return everything
