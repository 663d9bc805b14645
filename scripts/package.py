"""Build dist/NAME-VERSION.difypkg: the plugin as Dify installs it.

The same files always give the same bytes: entries are sorted, with fixed times and permissions.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from pathspec import GitIgnoreSpec

from scripts.plugin_rules import complaints

ROOT = Path(__file__).resolve().parent.parent
_EPOCH = (1980, 1, 1, 0, 0, 0)
_READABLE_FILE = 0o100644 << 16


def main() -> int:
    """Check the plugin and build its package; exit code 1 if a rule is broken."""
    found = complaints(ROOT, packaged_files(ROOT))
    if found:
        print(*found, sep="\n", file=sys.stderr)
        return 1
    package = build(ROOT, ROOT / "dist")
    print(f"{package.relative_to(ROOT)}  {package.stat().st_size / 1000:.0f} kB")
    return 0


def build(root: Path, folder: Path) -> Path:
    """Write the package of the plugin in `root` into a folder; gives its path."""
    manifest = yaml.safe_load((root / "manifest.yaml").read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / f"{manifest['name']}-{manifest['version']}.difypkg"
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in packaged_files(root):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = _READABLE_FILE
            archive.writestr(entry, (root / name).read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return package


def packaged_files(root: Path) -> list[str]:
    """The files that .difyignore leaves, sorted.

    As Dify's own packager reads it: a file or folder is out as soon as any one pattern matches it, and
    what is in such a folder is never looked at.
    """
    lines = (root / ".difyignore").read_text(encoding="utf-8").splitlines()
    patterns = GitIgnoreSpec.from_lines(line.strip() for line in lines if not line.startswith("!"))
    return sorted(_walk(root, "", patterns))


def _walk(root: Path, folder: str, ignored: GitIgnoreSpec) -> Iterator[str]:
    for entry in os.scandir(root / folder):
        name = folder + entry.name
        if entry.is_dir() and not ignored.match_file(name + "/"):
            yield from _walk(root, name + "/", ignored)
        elif entry.is_file() and not ignored.match_file(name):
            yield name


if __name__ == "__main__":
    sys.exit(main())
