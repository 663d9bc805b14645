"""The files under examples/ have what Dify asks of an import, and their settings do what they say.

`dsl.py` lists the fields of each node.
"""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
import yaml
from asking import chunk_texts, families
from dsl import AnyNode
from plugin_process import ROOT
from structures import OUR_PARENT_CHILD, OUR_TEXTS

EXAMPLES = {path.name: path for path in sorted((ROOT / "examples").glob("*.yml"))}
WORKFLOW = "workflow.yml"
PIPELINES = {"general.pipeline.yml": "text_model", "parent-child.pipeline.yml": "hierarchical_model"}
PROVIDER = "structural-markdown/markdown_chunker/markdown_chunker"
each_example = pytest.mark.parametrize("name", EXAMPLES)
each_pipeline = pytest.mark.parametrize("name", PIPELINES)


def load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(EXAMPLES[name].read_text(encoding="utf-8"))
    return loaded


def nodes(name: str) -> dict[str, dict[str, Any]]:
    found = load(name)["workflow"]["graph"]["nodes"]
    assert len({node["id"] for node in found}) == len(found)
    return {node["id"]: node["data"] for node in found}


def node(name: str, kind: str) -> dict[str, Any]:
    [found] = [data for data in nodes(name).values() if data["type"] == kind]
    return found


def test_one_workflow_and_two_pipelines() -> None:
    assert set(EXAMPLES) == {WORKFLOW, *PIPELINES}


def test_the_workflow_is_an_app() -> None:
    top = load(WORKFLOW)
    assert (top["kind"], top["app"]["mode"], top["version"]) == ("app", "workflow", "0.4.0")
    assert {"name", "description", "icon", "icon_background"} <= set(top["app"])
    assert top["dependencies"] == []
    assert {"features", "graph", "environment_variables", "conversation_variables"} <= set(top["workflow"])


@each_pipeline
def test_a_pipeline_is_a_pipeline(name: str) -> None:
    top = load(name)
    assert (top["kind"], top["version"]) == ("rag_pipeline", "0.1.0")
    assert {"name", "description", "icon", "icon_type", "icon_background"} <= set(top["rag_pipeline"])
    assert {"graph", "rag_pipeline_variables", "environment_variables"} <= set(top["workflow"])


@each_example
def test_every_node_has_what_dify_demands(name: str) -> None:
    for data in nodes(name).values():
        AnyNode.validate_python(data)
    for each in load(name)["workflow"]["graph"]["nodes"]:
        assert each["type"] == "custom"
        assert isinstance(each["id"], str)
        assert {"x", "y"} == set(each["position"])


@each_example
def test_the_edges_join_the_nodes_in_one_line(name: str) -> None:
    found = nodes(name)
    edges = load(name)["workflow"]["graph"]["edges"]
    assert [(edge["source"], edge["target"]) for edge in edges] == list(zip(list(found), list(found)[1:], strict=False))
    for edge in edges:
        assert edge["id"] == f"{edge['source']}-source-{edge['target']}-target"
        assert (edge["type"], edge["sourceHandle"], edge["targetHandle"]) == ("custom", "source", "target")
        ends = found[edge["source"]]["type"], found[edge["target"]]["type"]
        assert (edge["data"]["sourceType"], edge["data"]["targetType"]) == ends


#: What the nodes give to those after them.
OUTPUTS = {"start": {"file"}, "datasource": {"file"}, "document-extractor": {"text"}, "tool": {"result"}}


@each_example
def test_every_selector_names_an_output_of_an_earlier_node(name: str) -> None:
    known: set[tuple[str, ...]] = {
        ("rag", "shared", each["variable"]) for each in load(name)["workflow"].get("rag_pipeline_variables", [])
    }
    for identifier, data in nodes(name).items():
        assert set(selectors(data)) <= known
        known |= {(identifier, output) for output in OUTPUTS.get(data["type"], ())}


def selectors(value: Any) -> list[tuple[str, ...]]:
    """Every reference to a variable in a node, as a list or inside a text."""
    if isinstance(value, dict):
        named = [tuple(part) for key, part in value.items() if key.endswith("selector")]
        bound = [tuple(value["value"])] if value.get("type") == "variable" else []
        return named + bound + [each for part in value.values() for each in selectors(part)]
    if isinstance(value, list):
        return [each for part in value for each in selectors(part)]
    return [tuple(found.split(".")) for found in re.findall(r"\{\{#(.+?)#\}\}", str(value))]


@each_pipeline
def test_the_knowledge_base_takes_the_result_of_the_tool_that_fits(name: str) -> None:
    base, tool = node(name, "knowledge-index"), node(name, "tool")
    assert base["chunk_structure"] == PIPELINES[name]
    assert base["index_chunk_variable_selector"][1] == "result"
    structure = {"text_model": "general_structure", "hierarchical_model": "parent_child_structure"}
    [reference] = tool["output_schema"]["properties"]["result"].values()
    assert reference.endswith(f"/{structure[base['chunk_structure']]}.json")


@each_example
def test_every_parameter_is_one_of_the_tool_and_stands_in_its_group(name: str) -> None:
    tool = node(name, "tool")
    declared = yaml.safe_load((ROOT / f"tools/{tool['tool_name']}.yaml").read_text(encoding="utf-8"))
    forms = {each["name"]: each["form"] for each in declared["parameters"]}
    assert declared["output_schema"] == tool["output_schema"]
    assert tool["tool_label"] == declared["identity"]["label"]["en_US"]
    assert {forms[key] for key in tool["tool_parameters"]} == {"llm"}
    assert {forms[key] for key in tool["tool_configurations"]} == {"form"}


@each_pipeline
def test_what_the_user_is_asked_has_what_dify_demands(name: str) -> None:
    asked = load(name)["workflow"]["rag_pipeline_variables"]
    for each in asked:
        assert {"belong_to_node_id", "type", "label", "variable", "required", "default_value"} <= set(each)
        assert (each["belong_to_node_id"], each["type"]) == ("shared", "number")
    used = {path[2] for data in nodes(name).values() for path in selectors(data) if path[:2] == ("rag", "shared")}
    assert used == {each["variable"] for each in asked}


@each_example
def test_the_settings_run(name: str) -> None:
    """With the values that Dify would hand over on a run in which the user changes nothing."""
    tool = node(name, "tool")
    asked = load(name)["workflow"].get("rag_pipeline_variables", [])
    answers = {("rag", "shared", each["variable"]): each["default_value"] for each in asked}
    parameters = {
        key: answers[tuple(each["value"])] if each["type"] == "variable" else each["value"]
        for key, each in tool["tool_configurations"].items()
    }
    parameters["input_text"] = (ROOT / "examples/sample.md").read_text(encoding="utf-8")
    if tool["tool_name"] == "markdown_chunk":
        jsonschema.validate(chunk_texts(parameters), OUR_TEXTS)
    else:
        jsonschema.validate(families(parameters), OUR_PARENT_CHILD)


def test_the_provider_is_ours() -> None:
    manifest = yaml.safe_load((ROOT / "manifest.yaml").read_text(encoding="utf-8"))
    provider = yaml.safe_load((ROOT / manifest["plugins"]["tools"][0]).read_text(encoding="utf-8"))
    assert "/".join((manifest["author"], manifest["name"], provider["identity"]["name"])) == PROVIDER
