"""The tool `markdown_parent_child_chunk`: Markdown in, parents with their children out."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from adapter import ParentChildRequest
from tools.background import answer
from tools.chunking import families


class MarkdownParentChildChunkTool(Tool):
    """Emits exactly one variable, `result`, in Dify's parent-child chunk structure."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage, None, None]:
        yield self.create_variable_message("result", answer(ParentChildRequest, families, tool_parameters))
