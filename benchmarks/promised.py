"""The promises of chunkana and of the plugin around it, in our words, each with one small input."""

from __future__ import annotations

from benchmarks.looks import (
    Promise,
    adding,
    both,
    chosen,
    fields,
    kept_ids,
    lost,
    overlap,
    path_of,
    paths,
    sizes,
    split_tables,
    streamed,
    texts,
    together,
    tree_depths,
    tree_holds,
    true_lines,
)

F = "```"


def p(count: int) -> str:
    """Sentences of 39 characters."""
    return " ".join(["Lorem ipsum dolor sit amet consectetur."] * count)


def _items(count: int, text: str = p(1)) -> str:
    return "\n".join(f"- step {n} {text}" for n in range(1, count + 1))


PROMISES = (
    Promise(
        "Strategy by content",
        "The strategy is chosen by what the document is made of.",
        f"# Manual\n\n## Install\n\n{p(2)}\n\n## Limits\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Questions\n\n{p(2)}\n",
        both(chosen, paths),
    ),
    Promise(
        "code_aware",
        "Code blocks are whole, and every chunk has its heading path.",
        f"# Queue\n\n## Fill\n\n{p(1)}\n\n{F}py\nput(1)\n{F}\n\n## Drain\n\n{p(1)}\n\n{F}py\nget()\n{F}\n",
        both(path_of("put(1)"), path_of("get()")),
        size=120,
    ),
    Promise(
        "list_aware",
        "A list stays with its introduction and its heading.",
        "# Guide\n\nCRITICAL: back up the database first.\n\nThe steps include:\n\n"
        + _items(6, text="of the plan")
        + "\n",
        both(lost, together("The steps include", "step 1")),
        size=400,
    ),
    Promise(
        "structural",
        "Sections follow the headings, and the path names every level.",
        f"# M\n\n## Part\n\n### Alpha\n\n{p(4)}\n\n### Beta\n\n{p(4)}\n\n## Other\n\n{p(1)}\n",
        paths,
        size=200,
    ),
    Promise(
        "fallback",
        "Any text can be chunked, cut between paragraphs and sentences.",
        " ".join(["word"] * 80) + "\n",
        sizes,
    ),
    Promise(
        "Code and its explanation",
        "A code block is bound to the text that explains it.",
        f"# API\n\n{p(3)}\n\nThe call below deletes the account:\n\n{F}py\ndelete(account)\n{F}\n",
        both(together("The call below", "delete(account)"), fields("explanation_bound")),
    ),
    Promise(
        "Code and its output",
        "Output is bound to the code, and both have their roles.",
        f"# API\n\n{p(3)}\n\nRun this command:\n\n{F}bash\necho hi\n{F}\n\nOutput:\n\n{F}\nhi\n{F}\n\n{p(3)}\n",
        both(together("echo hi", "hi\n```"), fields("code_role", "code_roles", "code_relationship")),
        size=4096,
        least=512,
    ),
    Promise(
        "Before and after",
        "A pair of code blocks before and after a change is kept together.",
        f"# Refactor\n\nBefore:\n\n{F}py\nx = 3\n{F}\n\nAfter:\n\n{F}py\nwidth = 3\n{F}\n",
        both(together("x = 3", "width = 3"), fields("code_relationship")),
    ),
    Promise(
        "Only near blocks are related",
        "Related blocks are at most `related_block_max_gap` (5) lines apart.",
        f"Before the change:\n\n{F}py\na = 1\n{F}\n\n"
        + "".join(f"## Section {n}\n\n{p(2)}\n\n" for n in range(1, 4))
        + f"After the change:\n\n{F}py\na = 2\n{F}\n",
        both(sizes, together("a = 1", "a = 2")),
    ),
    Promise(
        "Setup and example",
        "Setup code is bound to the example that needs it.",
        f"Install the package:\n\n{F}bash\npip install pump\n{F}\n\n"
        f"For example:\n\n{F}py\nimport pump\n{F}\n\n{p(3)}\n",
        both(together("pip install", "import pump"), fields("code_role", "code_roles", "code_relationship")),
    ),
    Promise(
        "Roles from the words above",
        "Roles are read from the text before the code.",
        f"The most important thing is speed.\n\n{F}py\nfast()\n{F}\n\n**Output:**\n\n{F}\n42\n{F}\n",
        fields("code_role", "code_roles", "code_relationship"),
    ),
    Promise(
        "Nested lists",
        "Nested items are not parted from their parent.",
        "- parent\n" + "\n".join(f"  - child {n} {p(1)}" for n in range(1, 13)) + "\n",
        sizes,
        size=300,
    ),
    Promise(
        "Long lists",
        "Items that belong together are grouped.",
        "The following steps apply:\n\n" + _items(10) + "\n",
        sizes,
        size=300,
    ),
    Promise(
        "Kinds of lists",
        "Bullet, numbered and task lists are known, with their depth.",
        "- a\n\t- b\n\t\t- c\n\n1) x\n2) y\n\n- [x] done\n- [ ] open\n",
        fields("list_types", "max_list_depth", "list_depth", "list_item_count", "checkbox_stats", "task_items"),
    ),
    Promise(
        "Changelogs",
        "A changelog keeps its versions and groups.",
        "# Changelog\n\n## Version 2.0\n\nThe following items changed:\n\n"
        + _items(4, text="was changed")
        + "\n\n## Version 1.0\n\nThe following items changed:\n\n"
        + _items(4, text="was new")
        + "\n",
        both(lost, paths),
        size=160,
    ),
    Promise(
        "Large tables",
        "Tables keep their structure.",
        "| key | value |\n|---|---|\n" + "".join(f"| key {n} | value {n} |\n" for n in range(1, 21)),
        split_tables,
    ),
    Promise(
        "Related tables",
        "With `group_related_tables`, tables near each other are one chunk.",
        f"# Grain\n\n{p(3)}\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nBy weight:\n\n| c | d |\n|---|---|\n| 3 | 4 |\n\n"
        f"{p(3)}\n",
        both(together("| 1 | 2 |", "| 3 | 4 |"), fields("table_group_count")),
        options={"group_related_tables": True},
    ),
    Promise(
        "Nested fences",
        "A fence inside a longer fence is part of it.",
        f"# Page\n\n````markdown\n# Inner\n\n{F}py\nx = 1\n{F}\n````\n\n## Next\n\n{p(1)}\n",
        both(together("# Inner", "x = 1"), paths),
        size=80,
    ),
    Promise(
        "Fences of any language",
        "Code is never taken for headings.",
        f"# A\n\n{F}c++\n// comment\nint main() {{}}\n{F}\n\n# B\n\n{p(1)}\n\n"
        f'# C\n\n{F}py title="c.py"\n# no heading\n{F}\n\n{p(1)}\n',
        paths,
        size=80,
    ),
    Promise(
        "Formulas",
        "Formulas are whole: `$$…$$`, `\\[…\\]`, environments.",
        f"# Waves\n\n{p(1)}\n\n\\[\nu = \\sin x\n+ \\cos x\n\\]\n\nand, in cases,\n\n"
        "\\begin{cases}\na & b \\\\\nc & d\n\\end{cases}\n",
        both(together("\\[", "\\]"), together("\\begin{cases}", "\\end{cases}")),
        size=60,
    ),
    Promise(
        "Dollars in text",
        "Formulas are found where there are some.",
        f"# Shell\n\nThe variable `$$` holds the process number.\n\n{p(2)}\n\n{p(2)}\n\n{p(2)}\n",
        both(sizes, fields("content_type")),
    ),
    Promise(
        "Adaptive size",
        "The size follows from the document's make-up, between half and one and a half of the base.",
        "# Title\n\nPlain text. And more of it.\n",
        fields("adaptive_size", "content_complexity"),
        size=4096,
        options={"use_adaptive_sizing": True, "chunk_overlap": 800},
    ),
    Promise(
        "Hierarchy",
        "Chunks hang in a tree that follows the headings.",
        f"# Manual\n\n## Install\n\n{p(1)}\n\n### On a wall\n\n{F}sh\ndrill\n{F}\n\n## Use\n\n{p(1)}\n",
        tree_depths,
        size=80,
        listed=False,
    ),
    Promise(
        "Nothing lost in the tree",
        "The flat chunks of a tree hold all the text.",
        f"# A manual with a title of more than sixty characters, as some have\n\nWear gloves. {p(2)}\n\n"
        f"## A\n\n{p(20)}\n\n## B\n\n{p(20)}\n",
        tree_holds("Wear gloves."),
        size=4096,
        least=512,
        listed=False,
    ),
    Promise(
        "Text before the first heading",
        "It becomes a chunk of its own.",
        f"### Notice\n\nDo not lose me.\n\n# Guide\n\n{p(1)}\n\n## A\n\n{p(1)}\n",
        both(lost, paths),
        size=80,
    ),
    Promise(
        "Front matter",
        "Markdown files as they are.",
        f"---\ntitle: Pump\n# owner: ops\n---\n\n# Pump\n\n## Start\n\n{p(1)}\n\n## Stop\n\n{p(1)}\n",
        paths,
        size=80,
    ),
    Promise(
        "Headings",
        "The path is the chain of headings above.",
        f"Pump\n====\n\n{p(1)}\n\nStart\n-----\n\n{p(1)}\n\nStop\n----\n\n{p(1)}\n",
        paths,
        size=80,
    ),
    Promise(
        "Obsidian block identifiers",
        "With `strip_obsidian_block_ids` they are removed, and nothing else is.",
        f"First paragraph ^abc1\n\nSecond paragraph ^my-id\n\n{F}py\ny = x ^2\n{F}\n",
        texts,
        options={"strip_obsidian_block_ids": True},
    ),
    Promise(
        "Overlap",
        "Overlap is metadata, at most 35 % of the neighbour.",
        "The mail goes on first, in a van that is older than the ferry. Then come the lorries, one by one.\n\n"
        "At ten to six the engine starts. The ferry leaves at six, full or not.\n",
        overlap,
        size=120,
        options={"chunk_overlap": 40},
    ),
    Promise(
        "Size limit",
        "No chunk but a single atomic block is over the limit.",
        "知识库检索质量取决于切分。" * 24 + "\n",
        sizes,
    ),
    Promise(
        "Small chunks",
        "Chunks under `min_chunk_size` are merged.",
        "# M\n\n" + "".join(f"## S{n}\n\nshort text {n}\n\n" for n in range(1, 9)),
        sizes,
        least=100,
    ),
    Promise(
        "Line numbers",
        "Each chunk tells where it stands.",
        "# T\n\n## A\n\n" + "".join(f"para{n} {'word ' * 15}end\n\n" for n in range(1, 9)),
        true_lines,
    ),
    Promise(
        "Identifiers",
        "A chunk has a stable, unique id.",
        "# Guide\n\n" + "".join(f"## S{n}\n\nSection {n}. {p(3)}\n\n" for n in range(1, 5)),
        kept_ids,
        listed=False,
    ),
    Promise(
        "Line ends",
        "CRLF and CR are read as LF.",
        "# A\r\n\r\none\r\n\r\n# B\r\n\r\ntwo\r\n",
        paths,
        size=12,
        least=1,
        shown="# A\\r\\n\\r\\none\\r\\n\\r\\n# B\\r\\n\\r\\ntwo\\r\\n\n",
    ),
    Promise(
        "Streaming",
        "Large files are read in windows, with no block split and lines that ascend.",
        "# Log\n\n" + "".join(f"## Day {n}\n\nDay {n}. {p(6)}\n\n" for n in range(1, 41)),
        streamed,
        size=400,
        shown=f"# Log\n\n## Day 1\n\nDay 1. {p(2)}…\n\n## Day 2\n\n… and so on for 40 days\n",
        listed=False,
    ),
    Promise(
        "Strategies of one's own",
        "`add_strategy` adds one.",
        "Any text.\n",
        adding,
        listed=False,
    ),
)
