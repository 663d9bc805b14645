"""Dify's chunk structures, as schemas, and the rule by which its editor offers an output for one of them."""

from __future__ import annotations

import re
from typing import Any

TEXT = {"type": "string"}
GENERAL = {"type": "array", "items": TEXT}
PARENT_CHILD = {
    "type": "object",
    "properties": {
        "parent_mode": TEXT,
        "parent_child_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"parent_content": TEXT, "child_contents": GENERAL},
                "required": ["parent_content", "child_contents"],
            },
        },
    },
    "required": ["parent_mode", "parent_child_chunks"],
}
QA = {
    "type": "object",
    "properties": {
        "qa_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"question": TEXT, "answer": TEXT},
                "required": ["question", "answer"],
            },
        }
    },
    "required": ["qa_chunks"],
}
NUMBER = {"type": "number"}
FILE = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("name", "extension", "type", "mime_type", "transfer_method", "url", "related_id"), TEXT),
        "size": NUMBER,
    },
    "required": ["name"],
}
MULTIMODAL_GENERAL = {
    "type": "array",
    "properties": {
        "general_chunks": {
            "type": "array",
            "items": {"type": "object", "properties": {"content": TEXT, "files": {"type": "array", "items": FILE}}},
        }
    },
}
MULTIMODAL_PARENT_CHILD = {
    "type": "object",
    "properties": {
        "parent_mode": TEXT,
        "parent_child_chunks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "parent_content": TEXT,
                    "files": {"type": "array", "items": FILE},
                    "child_contents": GENERAL,
                },
            },
        },
    },
}
#: The order decides where several fit.
STRUCTURES = {
    "file": FILE,
    "general_structure": GENERAL,
    "multimodal_general_structure": MULTIMODAL_GENERAL,
    "multimodal_parent_child_structure": MULTIMODAL_PARENT_CHILD,
    "parent_child_structure": PARENT_CHILD,
    "qa_structure": QA,
}
#: What the Knowledge Base node offers for each of its chunk structures.
OFFERED = {
    "General": {"general_structure", "multimodal_general_structure"},
    "Parent-child": {"parent_child_structure", "multimodal_parent_child_structure"},
    "Q&A": {"qa_structure"},
}

#: The same and stricter, for what we emit: nothing empty, nothing blank, no key besides.
OUR_TEXT = {"type": "string", "pattern": r"\S"}
OUR_TEXTS = {"type": "array", "items": OUR_TEXT, "minItems": 1}
OUR_PARENT_CHILD = {
    "type": "object",
    "properties": {
        "parent_mode": {"enum": ["paragraph", "full-doc"]},
        "parent_child_chunks": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"parent_content": OUR_TEXT, "child_contents": OUR_TEXTS},
                "required": ["parent_content", "child_contents"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["parent_mode", "parent_child_chunks"],
    "additionalProperties": False,
}


def same_types(schema: object, definition: object) -> bool:
    """Whether every typed node of a schema has the same type at the same place of a definition."""
    if not isinstance(schema, dict) or not isinstance(definition, dict):
        return True
    if isinstance(schema.get("type"), str) and schema["type"] != definition.get("type"):
        return False
    return all(same_types(part, definition.get(name, {})) for name, part in schema.items() if isinstance(part, dict))


def structure_of(schema: dict[str, Any]) -> str | None:
    """The name of the first structure that fits an output's schema, as Dify's editor chooses it."""
    reference = re.fullmatch(r"https://dify\.ai/schemas/v\d+/(.+)\.json", schema.get("$ref", ""))
    resolved = STRUCTURES.get(reference[1], {}) if reference else schema
    return next((name for name, known in STRUCTURES.items() if same_types(resolved, known)), None)
