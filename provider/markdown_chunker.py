"""The provider: it needs no credentials, so there is nothing to check."""

from typing import Any

from dify_plugin import ToolProvider


class MarkdownChunkerProvider(ToolProvider):
    """Groups the Markdown tools for Dify."""

    def _validate_credentials(self, credentials: dict[str, Any]) -> None:
        """Accept whatever is given: no tool here uses credentials."""
