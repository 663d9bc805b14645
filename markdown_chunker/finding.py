"""Which files a run over folders takes: Markdown by its suffix or by patterns, less what .gitignore leaves out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx"})


class _Ignored:
    """The .gitignore files that hold in a folder, the outermost first."""

    def __init__(self, specs: list[tuple[Path, GitIgnoreSpec]]) -> None:
        self._specs = specs

    @classmethod
    def above(cls, folder: Path) -> _Ignored:
        """What holds on the way down from the root of the repository, if there is one, to `folder` itself."""
        parents = [folder, *folder.parents]
        root = next((i for i, parent in enumerate(parents) if (parent / ".git").exists()), 0)
        ignored = cls([])
        for parent in reversed(parents[1 : root + 1]):
            ignored = ignored.below(parent)
        return ignored

    def below(self, folder: Path) -> _Ignored:
        """The same with the .gitignore of one more folder."""
        try:
            lines = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return self
        return _Ignored([*self._specs, (folder, GitIgnoreSpec.from_lines(lines))])

    def holds(self, path: Path, is_folder: bool = False) -> bool:
        """Whether a path is left out: the innermost file that speaks of it decides."""
        for folder, spec in reversed(self._specs):
            verdict = spec.check_file(path.relative_to(folder).as_posix() + "/" * is_folder).include
            if verdict is not None:
                return verdict
        return False


def find(paths: Iterable[Path], include: Iterable[str] = ()) -> list[Path]:
    """The files to chunk, each once: a file that is named, and of a folder those below it, sorted by their paths.

    `include` are patterns as in .gitignore, from the folder that is named; without any, SUFFIXES decides.
    """
    patterns = GitIgnoreSpec.from_lines(include) if include else None
    found: dict[str, Path] = {}
    for path in paths:
        below = sorted(_walk(path, patterns), key=lambda p: p.parts) if path.is_dir() else [path]
        for file in below:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _walk(top: Path, patterns: GitIgnoreSpec | None) -> Iterator[Path]:
    """The files below a folder.  Links to folders are not followed; pipes and devices are no files."""
    base = Path(os.path.realpath(top))
    ignored = {base: _Ignored.above(base)}
    for name, folders, files in os.walk(base):
        here = Path(name)
        rules = ignored.pop(here).below(here)
        folders[:] = [f for f in folders if f != ".git" and not rules.holds(here / f, is_folder=True)]
        ignored.update((here / f, rules) for f in folders)
        for file in files:
            path = here / file
            inside = path.relative_to(base)
            wanted = patterns.match_file(inside) if patterns else path.suffix.lower() in SUFFIXES
            if wanted and not rules.holds(path) and (path.is_file() or not path.exists()):
                yield top / inside
