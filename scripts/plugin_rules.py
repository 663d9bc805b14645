"""What Dify and its marketplace demand of a plugin, as checks that return their complaints.

Dify ignores keys that it does not know and texts in languages that it does not show, without a word.
Both are complaints here, since they mean that something written down has no effect.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

type Found = Iterable[str]

LOCALES = {"en_US", "zh_Hans", "ja_JP", "pt_BR"}
PARAMETER_TYPES = {"string", "number", "boolean", "select", "secret-input", "file", "files", "app-selector"}
PARAMETER_TYPES |= {"model-selector", "any", "dynamic-select", "array", "object", "checkbox", "date", "date-range"}
PARAMETER_KEYS = {"name", "label", "human_description", "type", "scope", "form", "llm_description", "required"}
PARAMETER_KEYS |= {"auto_generate", "template", "default", "min", "max", "multiple", "precision", "options"}
#: The tags that both Dify and the SDK know.
TAGS = {"search", "image", "videos", "weather", "finance", "design", "travel", "social", "news", "medical"}
TAGS |= {"productivity", "education", "business", "entertainment", "utilities", "rag", "other"}
MANIFEST_KEYS = {"version", "type", "author", "name", "label", "description", "icon", "icon_dark", "created_at"}
MANIFEST_KEYS |= {"resource", "plugins", "meta", "tags", "privacy", "repo", "contact", "verified"}
RESERVED_OUTPUTS = {"text", "json", "files"}
CHUNK_STRUCTURES = {
    f"https://dify.ai/schemas/v1/{name}.json"
    for name in ("general_structure", "parent_child_structure", "qa_structure")
}
SOURCE_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "gitee.com", "codeberg.org", "git.sr.ht")
README_WORDS = {"setup": "install", "usage": "parameters", "credentials": "api key", "connection": "network"}

#: Everything that belongs in the package; a file elsewhere is there by mistake.
PACKAGED = re.compile(
    r"(manifest\.yaml|main\.py|adapter\.py|values\.py|output_filter\.py|requirements\.txt|pyproject\.toml"
    r"|README\.md|PRIVACY\.md|LICENSE|CHANGELOG\.md|readme/README_[a-z]{2}_[A-Za-z]{2,}\.md|_assets/[\w-]+\.svg"
    r"|(provider|tools)/[\w-]+\.(py|yaml)|markdown_chunker/([\w-]+/)*[\w-]+\.(py|typed))"
)
PACKAGE_LIMIT = 1_000_000

_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){2}(-\w{1,16})?")
_CJK = re.compile(r"[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[\w,]+\])?>=([\d.]+),<([\d.]+)")


def complaints(root: Path, files: Iterable[str]) -> list[str]:
    """Everything that is wrong with the plugin in `root` if it were packaged with these files."""
    names = set(files)
    manifest = _load(root / "manifest.yaml")
    found = [*check_manifest(manifest, names), *check_texts(root, manifest), *check_files(root, names)]
    for path in manifest["plugins"]["tools"]:
        provider = _load(root / path)
        found += [f"{path}: {each}" for each in check_provider(provider, names)]
        for tool in provider["tools"]:
            found += [f"{tool}: {each}" for each in check_tool(_load(root / tool), names)]
    return found


def check_manifest(manifest: Mapping[str, Any], files: set[str]) -> Found:
    """The rules for manifest.yaml."""
    meta, runner = manifest["meta"], manifest["meta"]["runner"]
    yield from _unless(not set(manifest) - MANIFEST_KEYS, f"unknown keys {set(manifest) - MANIFEST_KEYS}")
    yield from _unless(manifest["type"] == "plugin", "type must be plugin")
    yield from _unless(re.fullmatch(r"[a-z0-9_-]{1,64}", manifest["author"]), "author")
    yield from _unless(not re.search("dify|langgenius", manifest["author"]), "author must not look like Dify's own")
    yield from _unless(re.fullmatch(r"[a-z0-9_-]{1,128}", manifest["name"]), "name")
    for version in (manifest["version"], meta["version"]):
        yield from _unless(_VERSION.fullmatch(str(version)), f"version {version}")
    yield from check_i18n("label", manifest["label"])
    yield from check_i18n("description", manifest["description"])
    yield from _check_icons(manifest, files)
    yield from _unless(isinstance(manifest["created_at"], datetime.datetime), "created_at must be a full date and time")
    memory = manifest["resource"]["memory"]
    yield from _unless(isinstance(memory, int) and memory > 0, "resource.memory must be a number of bytes")
    yield from _unless(manifest["resource"].get("permission") == {}, "a chunker needs no permission")
    yield from _unless(len(manifest["plugins"]["tools"]) == 1, "exactly one provider")
    yield from _unless(set(meta["arch"]) <= {"amd64", "arm64"} and meta["arch"], "meta.arch")
    yield from _unless(runner == {"language": "python", "version": "3.12", "entrypoint": "main"}, "meta.runner")
    yield from _unless("minimum_dify_version" in meta, "meta.minimum_dify_version is missing")
    yield from _unless(set(manifest["tags"]) <= TAGS and "rag" in manifest["tags"], "tags")
    yield from _unless(manifest["privacy"] in files, "privacy must name a file of the package")
    yield from _unless(manifest["repo"].split("/")[2] in SOURCE_HOSTS, "repo must be on a known host")
    yield from _unless(re.fullmatch(r"[^@\s]+@[^@\s]+\.\w+", manifest["contact"]), "contact must be an e-mail address")


def check_provider(provider: Mapping[str, Any], files: set[str]) -> Found:
    """The rules for a provider's YAML."""
    identity = provider["identity"]
    yield from _check_name(identity["name"])
    yield from check_i18n("label", identity["label"])
    yield from check_i18n("description", identity["description"])
    yield from _check_icons(identity, files)
    yield from _unless(set(identity["tags"]) <= TAGS, "tags")
    yield from _unless(set(provider["tools"]) <= files, "a tool's YAML is not packaged")
    yield from _unless(provider["extra"]["python"]["source"] in files, "the provider's source is not packaged")


def check_tool(tool: Mapping[str, Any], files: set[str]) -> Found:
    """The rules for a tool's YAML."""
    yield from _check_name(tool["identity"]["name"])
    yield from check_i18n("label", tool["identity"]["label"])
    yield from check_i18n("description", tool["description"]["human"])
    yield from _unless(tool["description"]["llm"], "description.llm is missing")
    yield from _unless(tool["extra"]["python"]["source"] in files, "the tool's source is not packaged")
    names = [parameter["name"] for parameter in tool["parameters"]]
    yield from _unless(len(names) == len(set(names)), "two parameters share a name")
    for parameter in tool["parameters"]:
        yield from (f"{parameter['name']}: {each}" for each in check_parameter(parameter))
    outputs = tool["output_schema"]["properties"]
    yield from _unless(not set(outputs) & RESERVED_OUTPUTS, f"outputs may not be called {RESERVED_OUTPUTS}")
    yield from _unless(outputs["result"].get("$ref") in CHUNK_STRUCTURES, "result must refer to a chunk structure")


def check_parameter(parameter: Mapping[str, Any]) -> Found:
    """The rules for one parameter of a tool."""
    kind, form = parameter["type"], parameter["form"]
    yield from _unless(not set(parameter) - PARAMETER_KEYS, f"keys without effect {set(parameter) - PARAMETER_KEYS}")
    yield from check_i18n("label", parameter["label"])
    yield from check_i18n("human_description", parameter["human_description"])
    yield from _unless(kind in PARAMETER_TYPES, f"type {kind}")
    yield from _unless(form in {"llm", "form"}, f"form {form}")
    yield from _unless(form == "form" or parameter.get("llm_description"), "llm_description is missing")
    yield from _unless(not (kind == "file" and parameter.get("required")), "a required file shuts agents out")
    options = parameter.get("options", [])
    values = [option["value"] for option in options]
    yield from _unless(bool(options) == (kind == "select"), "options belong to select, and select needs them")
    yield from _unless(all(isinstance(value, str) for value in values), "option values must be text")
    yield from _unless(kind != "select" or parameter.get("default") in values, "the default must be an option")
    for option in options:
        yield from check_i18n(f"option {option['value']}", option["label"])


def check_i18n(what: str, texts: Mapping[str, str]) -> Found:
    """All four languages that Dify shows, and no other: it would drop the rest silently."""
    yield from _unless(set(texts) == LOCALES, f"{what} must be in {sorted(LOCALES)}")
    yield from _unless(all(1 <= len(text) < 1024 for text in texts.values()), f"{what} must have 1 to 1023 characters")


def check_texts(root: Path, manifest: Mapping[str, Any]) -> Found:
    """The rules for README.md, PRIVACY.md and .difyignore."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    yield from _unless(manifest["repo"] in readme, "README.md must link to the source repository")
    prose = re.sub(r"^```.*?^```", "", readme, flags=re.MULTILINE | re.DOTALL)
    yield from _unless(not _CJK.search(prose), "README.md must be in English outside of fences")
    for topic, word in README_WORDS.items():
        yield from _unless(word in readme.lower(), f"README.md must speak of {topic}")
    privacy = (root / "PRIVACY.md").read_text(encoding="utf-8").lower()
    for word in ("collect", "store", "log", "third party"):
        yield from _unless(word in privacy, f"PRIVACY.md must speak of {word!r}")
    ignored = (root / ".difyignore").read_text(encoding="utf-8").splitlines()
    yield from _unless(not any(line.startswith("!") for line in ignored), ".difyignore: '!' has no effect in Dify")


def check_files(root: Path, files: set[str]) -> Found:
    """The rules for what is in the package: what is needed, nothing else, and not too much."""
    for needed in ("manifest.yaml", "main.py", "README.md", "PRIVACY.md", "LICENSE", "requirements.txt"):
        yield from _unless(needed in files, f"{needed} is missing")
    for name in sorted(files):
        yield from _unless(PACKAGED.fullmatch(name), f"{name} does not belong in the package; see .difyignore")
    size = sum((root / name).stat().st_size for name in files)
    yield from _unless(size <= PACKAGE_LIMIT, f"{size} bytes of files, more than {PACKAGE_LIMIT}")
    yield from check_requirements((root / "requirements.txt").read_text(encoding="utf-8"))


def check_requirements(text: str) -> Found:
    """Each dependency bounded on both sides, and an SDK that the marketplace takes."""
    for line in text.splitlines():
        match = _REQUIREMENT.fullmatch(line.strip())
        yield from _unless(match, f"requirements.txt: {line} needs a lower and an upper bound")
        if match and match[1].replace("-", "_") == "dify_plugin":
            lowest = tuple(map(int, match[2].split(".")))
            yield from _unless(lowest >= (0, 9), "requirements.txt: dify_plugin must be 0.9.0 or later")


def _check_name(name: str) -> Found:
    yield from _unless(re.fullmatch(r"[a-zA-Z0-9_-]+", name), f"name {name}")


def _check_icons(holder: Mapping[str, Any], files: set[str]) -> Found:
    for key in ("icon", "icon_dark"):
        yield from _unless(f"_assets/{holder.get(key)}" in files, f"{key} must be a file in _assets")


def _unless(holds: object, complaint: str) -> Found:
    if not holds:
        yield complaint


def _load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
