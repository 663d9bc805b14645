"""docs/dify.md speaks of what is there: files, pictures, settings, messages."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from plugin_process import ROOT

from scripts.pictures import IMAGES, LETTER, pictures

GUIDE = (ROOT / "docs/dify.md").read_text(encoding="utf-8")
PAGES = ["docs/dify.md", "docs/official-chunkers.md", "README.md", "CONTRIBUTING.md", "readme/README_zh_Hans.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        own = "https://github.com/structural-markdown/markdown-chunker/"
        path = re.sub(rf"^{own}(blob|tree)/main/", f"{'../' * page.count('/')}", path)
        if path.startswith("http"):
            continue
        found = (ROOT / page).parent / path if path else ROOT / page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), target


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", pictures())
def test_every_picture_is_current_shown_and_readable(name: str) -> None:
    """If one is not current: `make pictures`."""
    drawing = pictures()[name]
    assert (IMAGES / name).read_text(encoding="utf-8") == drawing
    assert f"(images/{name})" in GUIDE
    root = ElementTree.fromstring(drawing)
    width = int(root.attrib["viewBox"].split()[2])
    texts = [each for each in root.iter() if each.tag.endswith("}text")]
    assert texts
    for each in texts:
        size = int(each.attrib["font-size"])
        assert size >= 13
        assert int(each.attrib["x"]) + len(each.text or "") * size * LETTER <= width


def test_every_example_is_named() -> None:
    for path in (ROOT / "examples").glob("*.yml"):
        assert f"../examples/{path.name}" in GUIDE


def test_the_names_in_the_guide_are_those_that_dify_shows() -> None:
    shown = set()
    for tool in (ROOT / "tools").glob("*.yaml"):
        declared = yaml.safe_load(tool.read_text(encoding="utf-8"))
        shown |= {declared["identity"]["label"]["en_US"]}
        shown |= {each["label"]["en_US"] for each in declared["parameters"]}
    for name in ("Chunk Markdown", "Chunk Markdown (Parent-child)", "Markdown text", "Markdown file", "Overlap"):
        assert name in shown
    for name in ("Maximum chunk size", "Metadata format", "Parents", "Maximum parent size", "Context of a child"):
        assert name in shown
        assert f"*{name}*" in GUIDE


@pytest.mark.parametrize("message", ["Index chunk variable is required.", "Chunks is required.", "FILES_URL"])
def test_difys_own_messages_are_explained(message: str) -> None:
    assert message in GUIDE[GUIDE.index("## When Dify says") :]


def test_the_plugins_messages_are_quoted_as_they_are() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in [*ROOT.glob("*.py"), *(ROOT / "tools").glob("*.py")])
    table = GUIDE[GUIDE.index("## When Dify says") :]
    for message in re.findall(r'"(input_\w+ [\w ]+?)(?: \(|:|"| \.)', table):
        assert message.removeprefix("input_text ").removeprefix("input_file ") in sources, message
