"""The tool `markdown_chunk`: Markdown in, an array of chunk texts out."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from adapter import ChunkRequest
from tools.background import answer
from tools.chunking import chunk_texts


class MarkdownChunkTool(Tool):
    """Emits exactly one variable, `result`, in Dify's general chunk structure."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage, None, None]:
        yield self.create_variable_message("result", answer(ChunkRequest, chunk_texts, tool_parameters))
