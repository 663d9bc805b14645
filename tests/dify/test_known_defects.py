"""Twenty defects of another plugin's Dify layer, and the tests that show that this one has none of them."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path

import pytest
from asking import chunk_texts, read
from plugin_process import ROOT, PluginProcess, result_of

from tools.chunking import Document, chunks_of

SAMPLE = (ROOT / "examples/sample.md").read_text(encoding="utf-8")
HERE = Path(__file__).parent

#: What went wrong there, and the tests that would notice it here.
DEFECTS = {
    "leaf_only has no effect": ["test_leaf_only_gives_exactly_the_flat_result"],
    "leaf_only lets inner nodes through, and drops small ones otherwise": [
        "test_leaf_only_gives_exactly_the_flat_result",
        "test_the_tree_without_its_root",
    ],
    "ids point at chunks that are not there": ["test_no_id_points_at_a_chunk_that_is_not_there"],
    "no parent-child structure": ["test_families_have_the_parent_child_structure_on_the_corpus"],
    "errors are given out as text": ["test_a_bad_value", "test_a_bad_file"],
    "None and numbers as text break it, and so does a small size with the default overlap": [
        "test_a_blank_value_means_the_default",
        "test_numbers",
        "test_a_small_size_alone_is_fine",
    ],
    "the README names a strategy that fails": ["test_the_tables_give_every_choice_and_the_true_ranges"],
    "defaults come from a file that is not packaged": [
        "test_the_defaults_in_the_yaml_are_the_adapters_defaults",
        "test_the_package_runs_from_a_fresh_environment",
    ],
    "requirements without use and bounds": [
        "test_what_the_package_imports_is_required_and_nothing_else",
        "test_requirements_are_those_of_the_project",
    ],
    "scripts and reports in the package": ["test_the_package_holds_what_is_needed_and_nothing_else"],
    "overlap without metadata exceeds the limit": ["test_with_overlap_and_no_metadata_the_limit_still_holds"],
    "the block is fat and repeats neighbours": [
        "test_the_block_has_few_fields_in_a_fixed_order",
        "test_the_block_is_short_and_the_text_behind_it_within_the_limit",
    ],
    "code loses its path and its tree": ["test_code_keeps_its_path_and_the_tree_its_sections"],
    "leading indentation is stripped": ["test_leading_indentation_is_kept"],
    "a warning in the log for each chunk": ["test_nothing_is_logged_for_a_chunk"],
    "debug changes what the flat mode gives": ["test_debug_adds_to_the_flat_block_and_changes_nothing_else"],
    "noise passes the filter": ["test_the_block_has_few_fields_in_a_fixed_order"],
    "no minimum, no files, no limit, and 74 s for 2 MB": [
        "test_the_minimum_joins_small_sections",
        "test_a_file_takes_the_place_of_the_text",
        "test_a_text_of_20_mb",
        "test_2_mb_of_code_do_not_take_long",
    ],
    "claims that are no longer true": [
        "test_the_example_is_what_the_program_prints",
        "test_every_parameter_is_in_its_table_with_its_default",
        "test_one_version_everywhere",
    ],
    "exceptions are swallowed": [
        "test_refusals_become_the_error_that_dify_shows_and_bugs_stay_bugs",
        "test_no_exception_is_swallowed",
    ],
}


def test_twenty_defects_and_every_test_exists() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py")]
    known = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert len(DEFECTS) == 20
    assert {name for names in DEFECTS.values() for name in names} <= known


@pytest.mark.parametrize("size", [300, 500, 1000])
def test_the_block_is_short_and_the_text_behind_it_within_the_limit(size: int) -> None:
    for text in chunk_texts({"input_text": SAMPLE, "max_chunk_size": size}):
        block, _, content = text.partition("\n</metadata>\n")
        assert len(block) < 250
        assert not {"previous_content", "next_content"} & set(json.loads(block.split("\n")[1]))
        assert len(content) <= size


def test_nothing_is_logged_for_a_chunk() -> None:
    with PluginProcess() as plugin:
        before = len(plugin.lines)
        for parameters in ({}, {"enable_hierarchy": True}, {"enable_hierarchy": True, "debug": True}):
            assert result_of(plugin.invoke({"input_text": SAMPLE, "max_chunk_size": 200, **parameters}))
        events = [json.loads(line).get("event") for line in plugin.lines[before:]]
        assert set(events) <= {"session", "heartbeat"}
        assert plugin.stderr == b""


def test_2_mb_of_code_do_not_take_long() -> None:
    section = "## Part\n\nThis calls the function.\n\n```python\n" + "value = compute(1, 2)\n" * 20 + "```\n\n"
    text = section * (2_000_000 // len(section))
    started = time.process_time()
    assert chunks_of(read(strategy="code_aware"), Document(text))
    assert time.process_time() - started < 20


def test_no_exception_is_swallowed() -> None:
    """Every handler raises, or hands the error on; what is caught broadly is caught in one place, to be handed on."""
    for path in [*ROOT.glob("*.py"), *(ROOT / "tools").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                assert node.type, path
                assert not all(isinstance(each, ast.Pass) for each in node.body), path
                broad = isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
                assert not broad or path.name == "background.py"
