"""The version, also in manifest.yaml and pyproject.toml."""

__version__ = "0.1.0"
