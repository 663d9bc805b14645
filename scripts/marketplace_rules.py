"""The marketplace's stricter rules for a package, as checks on its files that return their complaints.

They go beyond `plugin_rules.py`, which holds what Dify itself demands.  Nearly all that the marketplace only
warns of counts as a complaint here; names that sound like secrets stay warnings.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from scripts.plugin_rules import check_requirements

#: A package: its files' names and contents.
type Package = Mapping[str, bytes]

MANIFEST_FIELDS = ["author", "name", "version", "type", "icon", "plugins", "privacy", "repo", "contact"]
MANIFEST_FIELDS += ["label.en_US", "description.en_US", "meta.version", "meta.arch", "meta.minimum_dify_version"]
MANIFEST_FIELDS += ["meta.runner.language", "meta.runner.version", "meta.runner.entrypoint", "created_at"]

BLOCKED_FOLDERS = {".git", ".hg", ".svn", ".venv", "venv", "env", "__pycache__", ".pytest_cache", ".ruff_cache"}
BLOCKED_FOLDERS |= {".mypy_cache", ".tox", ".nox", ".idea", ".vscode", "node_modules", "build", "dist"}
BLOCKED_SUFFIXES = (".key", ".pem", ".p12", ".pfx", ".pyc", ".pyo", ".log", ".tmp", ".swp", ".bak")
ARCHIVES = (".zip", ".tar", ".gz", ".7z", ".rar", ".whl", ".difypkg")
SIZE_LIMIT, FILE_LIMIT = 50 * 1024 * 1024, 5000

TEMPLATE_ICON = b"DIFY_MARKETPLACE_TEMPLATE_ICON_DO_NOT_USE"
TEMPLATE_PRIVACY = ("please fill in", "lorem ipsum", "todo", "your privacy policy")
LARGE = {"transformers", "torch", "tensorflow", "spacy", "pandas", "scipy", "opencv_python", "playwright"}
SECRET_NAMES = ("token", "secret", "password", "credential", "api_key")
SECRETS = re.compile(
    rb"sk-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    rb"|xox[baprs]-[A-Za-z0-9-]{10,}"
)
#: Modules and calls that a package may only use with an explanation; a chunker needs none of them.
SENSITIVE_MODULES = {"subprocess", "ctypes", "pickle", "shelve", "marshal", "socket", "pty"}
SENSITIVE_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen"}


def check_package(package: Package) -> list[str]:
    """Everything that the marketplace would say about a package."""
    manifest = yaml.safe_load(package["manifest.yaml"])
    return [
        *check_fields(manifest),
        *check_icons(manifest, package),
        *check_privacy(package),
        *check_contents(package),
        *check_dependencies(package),
        *(f"{name}: {each}" for name in sorted(package) for each in check_file(name, package[name])),
    ]


def warnings_for(package: Package) -> list[str]:
    """What the marketplace notes without refusing the package."""
    sources = {name: ast.parse(package[name]) for name in sorted(package) if name.endswith(".py")}
    return [f"{name}: {each}" for name, tree in sources.items() for each in check_names(tree)]


def check_fields(manifest: Mapping[str, Any]) -> Iterator[str]:
    """The fields of manifest.yaml that must be there, each with something in it."""
    for path in MANIFEST_FIELDS:
        value: Any = manifest
        for step in path.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if not value:
            yield f"manifest.yaml: {path} is missing"


def check_icons(manifest: Mapping[str, Any], package: Package) -> Iterator[str]:
    """Icons of our own, which are really there."""
    for key in ("icon", "icon_dark"):
        icon = package.get(f"_assets/{manifest.get(key)}", b"")
        if not icon or TEMPLATE_ICON in icon:
            yield f"manifest.yaml: {key} must be a picture of its own in _assets"


def check_privacy(package: Package) -> Iterator[str]:
    """A privacy policy that was really written."""
    text = package.get("PRIVACY.md", b"").decode().lower()
    if len(text) < 200 or any(each in text for each in TEMPLATE_PRIVACY):
        yield "PRIVACY.md must say what happens to the data"
    if "collect" not in text or "third party" not in text:
        yield "PRIVACY.md must say what is collected and who gets it"


def check_contents(package: Package) -> Iterator[str]:
    """No caches, keys, archives or left-overs, and not too much."""
    for name in sorted(package):
        *folders, last = name.split("/")
        if BLOCKED_FOLDERS & set(folders) or last == ".DS_Store" or last.startswith(".env"):
            yield f"{name}: not allowed in a package"
        if last.endswith((*BLOCKED_SUFFIXES, *ARCHIVES)):
            yield f"{name}: files of this kind are not allowed"
    if sum(map(len, package.values())) > SIZE_LIMIT or len(package) > FILE_LIMIT:
        yield f"more than {SIZE_LIMIT} bytes or {FILE_LIMIT} files"


def check_dependencies(package: Package) -> Iterator[str]:
    """Bounded on both sides, from the registry, small, and the same in both places."""
    project = tomllib.loads(package["pyproject.toml"].decode())
    lines = package["requirements.txt"].decode().splitlines()
    declared = list(project["project"].get("dependencies", []))
    if declared != lines:
        yield "requirements.txt and pyproject.toml differ"
    more = [*project["project"].get("optional-dependencies", {}).values()]
    more += [*project.get("dependency-groups", {}).values()]
    for line in [*declared, *(each for group in more for each in group)]:
        yield from check_requirements(line)
        if re.split(r"[<>=!~ ]", line)[0].lower().replace("-", "_") in LARGE:
            yield f"{line}: a large dependency"


def check_file(name: str, data: bytes) -> Iterator[str]:
    """No secrets, no binaries, and in Python nothing that asks for an explanation."""
    if SECRETS.search(data):
        yield "looks like a secret"
    if b"\0" in data:
        yield "a binary file"
    if name.endswith(".py"):
        yield from check_source(ast.parse(data))


def check_source(tree: ast.AST) -> Iterator[str]:
    """What the marketplace's scan of Python sources stumbles over."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for module in SENSITIVE_MODULES & _modules(node):
                yield f"line {node.lineno}: {module} is a sensitive module"
        elif isinstance(node, ast.Call):
            yield from _check_call(node)


def check_names(tree: ast.AST) -> Iterator[str]:
    """Names in what is returned, yielded or raised that sound like secrets, whatever they hold."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Raise):
            for name in dict.fromkeys(_names(node)):
                if any(part in name.lower() for part in SECRET_NAMES):
                    yield f"line {node.lineno}: a name that sounds like a secret is given out: {name}"


def _check_call(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    holder = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
    if name in SENSITIVE_CALLS and holder in ("", "os"):
        yield f"line {call.lineno}: {name}() is a sensitive call"
    if holder in ("requests", "httpx") and not any(keyword.arg == "timeout" for keyword in call.keywords):
        yield f"line {call.lineno}: {holder}.{name}() without a timeout"


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        name = getattr(part, "id", None) or getattr(part, "attr", None)
        if isinstance(name, str):
            yield name


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    return {name.split(".")[0] for name in names}
