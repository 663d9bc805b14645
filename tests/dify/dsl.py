"""The nodes of Dify's workflow files that we use: the fields without which Dify's own models refuse a node.

Taken from what its importer, its workflow engine and its Knowledge Base node demand; fields that Dify fills in
itself are not listed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictBool, StrictStr, TypeAdapter, model_validator

Selector = Annotated[list[StrictStr], Field(min_length=2)]


class NodeData(BaseModel):
    title: StrictStr
    type: StrictStr


class Input(BaseModel):
    """A value of a tool node: text with variables in it, one variable, or a constant.  None is not allowed."""

    type: Literal["mixed", "variable", "constant"]
    value: StrictStr | StrictBool | int | float | list[StrictStr]

    @model_validator(mode="after")
    def _fits(self) -> Input:
        assert isinstance(self.value, str) or self.type != "mixed"
        assert isinstance(self.value, list) == (self.type == "variable")
        return self


class Start(NodeData):
    class Variable(BaseModel):
        variable: StrictStr
        label: StrictStr
        type: Literal["file"]
        required: StrictBool
        allowed_file_types: list[Literal["document"]]
        allowed_file_upload_methods: list[Literal["local_file", "remote_url"]]

    type: Literal["start"]
    variables: list[Variable]


class Datasource(NodeData):
    type: Literal["datasource"]
    plugin_id: Literal["langgenius/file"]
    provider_name: StrictStr
    provider_type: Literal["local_file"]
    datasource_name: StrictStr
    datasource_configurations: dict[str, Any]
    datasource_parameters: dict[str, Any]
    fileExtensions: list[StrictStr]


class Extractor(NodeData):
    type: Literal["document-extractor"]
    variable_selector: Selector
    is_array_file: StrictBool


class Tool(NodeData):
    type: Literal["tool"]
    provider_id: Literal["structural-markdown/markdown_chunker/markdown_chunker"]
    provider_type: Literal["builtin"]
    provider_name: StrictStr
    tool_name: StrictStr
    tool_label: StrictStr
    tool_configurations: dict[str, Input]
    tool_parameters: dict[str, Input]
    tool_node_version: Literal["2"]


class KnowledgeBase(NodeData):
    class Retrieval(BaseModel):
        search_method: Literal["semantic_search", "full_text_search", "hybrid_search", "keyword_search"]
        top_k: int
        score_threshold_enabled: StrictBool
        reranking_enable: StrictBool

    type: Literal["knowledge-index"]
    chunk_structure: Literal["text_model", "hierarchical_model"]
    index_chunk_variable_selector: Selector
    indexing_technique: Literal["high_quality"]
    embedding_model: StrictStr
    embedding_model_provider: StrictStr
    keyword_number: int
    retrieval_model: Retrieval


class End(NodeData):
    class Output(BaseModel):
        variable: StrictStr
        value_selector: Selector
        value_type: Literal["array[string]"]

    type: Literal["end"]
    outputs: list[Output]


AnyNode: TypeAdapter[Start | Datasource | Extractor | Tool | KnowledgeBase | End] = TypeAdapter(
    Annotated[Start | Datasource | Extractor | Tool | KnowledgeBase | End, Field(discriminator="type")]
)
