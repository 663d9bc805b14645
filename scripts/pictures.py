"""`make pictures`: draws docs/images from the example files and the tools' own YAML.

They are diagrams, not screenshots: what a node is called, what it is connected to and what its settings are
comes from the files that Dify imports, so a picture cannot say something else than the plugin does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"
EXAMPLES = ("workflow", "general.pipeline", "parent-child.pipeline")
TOOLS = ("markdown_chunk", "markdown_parent_child_chunk")

INK, GREY, LINE, PAPER, SHEET = "#1d2939", "#475467", "#98a2b3", "#ffffff", "#f2f4f7"
GREEN, PALE = "#1f6f5c", "#e3f3ee"
#: How wide a letter of the font is, in parts of its size, on the safe side.
LETTER = 0.56
NODE_WIDTH, GAP, MARGIN = 300, 44, 28
FONT = "font-family='Helvetica, Arial, sans-serif'"


def main() -> None:
    """Write every picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, drawing in pictures().items():
        (IMAGES / name).write_text(drawing, encoding="utf-8")
        print(f"docs/images/{name}")


def pictures() -> dict[str, str]:
    """The files' names and what is in them."""
    flows = {f"{name}.svg": flow(_load(f"examples/{name}.yml")) for name in EXAMPLES}
    forms = {f"{name}.settings.svg": form(_load(f"tools/{name}.yaml")) for name in TOOLS}
    return flows | forms


# --- a workflow or pipeline: its nodes in a row --------------------------------------------------------


def flow(file: Mapping[str, Any]) -> str:
    """The nodes from left to right, each with its settings, ours in green."""
    nodes = [node["data"] for node in file["workflow"]["graph"]["nodes"]]
    titles = {node["id"]: node["data"]["title"] for node in file["workflow"]["graph"]["nodes"]}
    rows = [list(node_rows(node, titles)) for node in nodes]
    height = 64 + 40 * max(map(len, rows)) + 12
    parts = []
    for position, (node, lines) in enumerate(zip(nodes, rows, strict=True)):
        left = MARGIN + position * (NODE_WIDTH + GAP)
        parts.append(box(left, MARGIN, NODE_WIDTH, height, node["title"], node["type"] == "tool"))
        parts += [setting(left + 16, MARGIN + 74 + 40 * row, *line) for row, line in enumerate(lines)]
        if position:
            parts.append(arrow(left - GAP, left, MARGIN + 26))
    width = 2 * MARGIN + len(nodes) * (NODE_WIDTH + GAP) - GAP
    name = (file.get("app") or file["rag_pipeline"])["name"]
    return sheet(width, height + 2 * MARGIN, f"{name}: " + ", then ".join(node["title"] for node in nodes), parts)


def node_rows(node: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The settings of a node that matter: what to choose, and what."""
    match node["type"]:
        case "start":
            yield from (("Input field", f"{each['label']} ({each['type']})") for each in node["variables"])
        case "datasource":
            yield "File types", ", ".join(node["fileExtensions"])
        case "document-extractor":
            yield "Input variable", reference(node["variable_selector"], titles)
        case "tool":
            yield from tool_rows(node, titles)
        case "knowledge-index":
            structures = {"text_model": "General", "hierarchical_model": "Parent-child"}
            yield "Chunk structure", structures[node["chunk_structure"]]
            yield "Chunks", reference(node["index_chunk_variable_selector"], titles)
            yield "Index method", node["indexing_technique"].replace("_", " ").title()
            yield "Embedding model", "one of yours"
        case "end":
            for each in node["outputs"]:
                yield f"Output {each['variable']}", reference(each["value_selector"], titles)


def tool_rows(node: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The tool's inputs and the settings that the file sets, by the names that the editor shows."""
    declared = {each["name"]: each for each in _load(f"tools/{node['tool_name']}.yaml")["parameters"]}
    for name, given in {**node["tool_parameters"], **node["tool_configurations"]}.items():
        value = given["value"]
        if given["type"] == "variable":
            shown = reference(value, titles)
        elif isinstance(value, str) and value.startswith("{{#"):
            shown = reference(value.strip("{#}").split("."), titles)
        else:
            shown = choice(declared[name], value)
        yield declared[name]["label"]["en_US"], shown


def reference(selector: list[str], titles: Mapping[str, str]) -> str:
    """A variable as the editor shows it."""
    if selector[0] == "rag":
        return f"input field / {selector[-1]}"
    return f"{titles[selector[0]]} / {selector[-1]}"


# --- the settings of a tool: one row each --------------------------------------------------------------


def form(tool: Mapping[str, Any]) -> str:
    """The settings in the order of the editor, with what they are before anything is changed."""
    width, row = 760, 30
    parameters = tool["parameters"]
    height = 70 + row * len(parameters) + 16
    parts = [box(MARGIN, MARGIN, width, height, tool["identity"]["label"]["en_US"], True)]
    for number, each in enumerate(parameters):
        top = MARGIN + 66 + row * number
        shown = "a variable" if each["form"] == "llm" else choice(each, each.get("default", ""))
        parts.append(text(MARGIN + 20, top + 20, each["label"]["en_US"], 15, INK))
        parts.append(text(MARGIN + 300, top + 20, each["name"], 13, GREY, "monospace"))
        parts.append(rect(MARGIN + 500, top + 2, width - 516, row - 5, SHEET, LINE, 6))
        parts.append(
            text(MARGIN + 510, top + 19, fitting(shown or "empty", width - 536, 14), 14, INK if shown else GREY)
        )
    title = f"The settings of {tool['identity']['label']['en_US']} and their defaults"
    return sheet(width + 2 * MARGIN, height + 2 * MARGIN, title, parts)


def choice(parameter: Mapping[str, Any], value: object) -> str:
    """A value as the editor shows it: an option by its label, a switch as on or off."""
    if parameter["type"] == "boolean":
        return "on" if value else "off"
    labels = {option["value"]: option["label"]["en_US"] for option in parameter.get("options", [])}
    return str(labels.get(str(value), value))


# --- strokes -------------------------------------------------------------------------------------------


def box(left: int, top: int, width: int, height: int, title: str, ours: bool) -> str:
    """A node: a card with its name on a band."""
    band = rect(left, top, width, 52, GREEN if ours else "#344054", "none", 10)
    name = text(left + 16, top + 33, fitting(title, width - 32, 16), 16, PAPER, weight="bold")
    return rect(left, top, width, height, PALE if ours else PAPER, LINE, 10) + band + name


def setting(left: int, top: int, label: str, value: str) -> str:
    """A setting: its name in grey, its value below."""
    width = NODE_WIDTH - 32
    return text(left, top, label, 13, GREY) + text(left, top + 17, fitting(value, width, 15), 15, INK)


def arrow(start: int, end: int, top: int) -> str:
    """From one node to the next."""
    head = f"{end - 10},{top - 6} {end},{top} {end - 10},{top + 6}"
    return (
        f"<path d='M{start} {top}H{end - 8}' stroke='{LINE}' stroke-width='3'/><polygon points='{head}' fill='{LINE}'/>"
    )


def rect(left: int, top: int, width: int, height: int, fill: str, stroke: str, radius: int) -> str:
    """A rectangle with round corners."""
    place = f"x='{left}' y='{top}' width='{width}' height='{height}' rx='{radius}'"
    return f"<rect {place} fill='{fill}' stroke='{stroke}'/>"


def text(left: int, base: int, words: str, size: int, colour: str, family: str = "", weight: str = "normal") -> str:
    """A line of text."""
    font = f" font-family='{family}'" if family else ""
    style = f"font-size='{size}' font-weight='{weight}' fill='{colour}'{font}"
    return f"<text x='{left}' y='{base}' {style}>{escape(words)}</text>"


def fitting(words: str, width: int, size: int) -> str:
    """As much of a line as has room, with an ellipsis where something is left out; a variable keeps its name."""
    room = int(width / (size * LETTER))
    if len(words) <= room:
        return words
    node, slash, variable = words.rpartition(" / ")
    tail = slash + variable if node else ""
    return textwrap.shorten(node or words, room - len(tail), placeholder=" …") + tail


def sheet(width: int, height: int, title: str, parts: list[str]) -> str:
    """The whole picture, on white paper, so that it can be read on a dark page as well."""
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' role='img' {FONT}>"
    paper = rect(0, 0, width, height, SHEET, "none", 0)
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""])


def _load(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
