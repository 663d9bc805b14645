"""What code blocks are to each other: roles in eight languages, true and false cues, pairs and their limits."""

from __future__ import annotations

from typing import Any

import pytest

from markdown_chunker import ChunkConfig
from markdown_chunker.chunker import read
from markdown_chunker.relations import language_of


def roles(text: str, **options: Any) -> list[str]:
    return [code.role for code in read(text, ChunkConfig(**options)).codes]


def links(text: str, **options: Any) -> list[tuple[int, int, str]]:
    return [tuple(link) for link in read(text, ChunkConfig(**options)).links]


def role_below(label: str, info: str = "py", body: str = "x = 1") -> str:
    """The role of a block right below a line of text."""
    [role] = roles(f"{label}\n\n```{info}\n{body}\n```\n")
    return role


# --- roles by label --------------------------------------------------------------------------------------

LABELS = {
    "before": {
        "en": ["Before:", "**Before:**", "Before the change:", "Old code:", "Bad:", "Don't:", "Instead of:"],
        "zh": ["修改前：", "**重构前**", "旧代码：", "错误写法："],
        "ja": ["変更前：", "悪い例："],
        "ru": ["До:", "До изменений:", "Было:", "Неправильно:"],
        "de": ["Vorher:", "Alter Code:", "Schlecht:"],
        "fr": ["Avant :", "Ancien code :"],
        "es": ["Antes:", "Código anterior:"],
        "pt": ["Código antigo:", "Errado:"],
    },
    "after": {
        "en": ["After:", "_After_", "After the change:", "New code:", "Good:", "Fixed:", "Refactored:"],
        "zh": ["修改后：", "**正确写法**", "新代码："],
        "ja": ["変更後：", "良い例："],
        "ru": ["После:", "После исправления:", "Стало:"],
        "de": ["Nachher:", "Neuer Code:", "Besser:"],
        "fr": ["Après :", "Nouveau code :"],
        "es": ["Después:", "Código nuevo:"],
        "pt": ["Depois:", "Código novo:"],
    },
    "output": {
        "en": ["Output:", "**Output:**", "The output is:", "Expected result:", "This prints:", "You should see:"],
        "zh": ["输出：", "**输出：**", "运行结果：", "你会看到："],
        "ja": ["出力：", "実行結果："],
        "ru": ["Вывод:", "Результат:"],
        "de": ["Ausgabe:", "Das Ergebnis:"],
        "fr": ["Sortie :", "Le résultat :"],
        "es": ["Salida:", "El resultado:"],
        "pt": ["Saída:", "O resultado:"],
    },
    "setup": {
        "en": ["Install the tool:", "First, you need to install it:", "Setup:", "Prerequisites:", "Configuration:"],
        "zh": ["安装：", "首先，安装依赖："],
        "ja": ["インストール：", "準備："],
        "ru": ["Установка:", "Настройка:"],
        "de": ["Installieren:", "Einrichtung:"],
        "fr": ["Installez le paquet :", "Prérequis :"],
        "es": ["Instalación:", "Configuración:"],
        "pt": ["Instalação:", "Configuração:"],
    },
    "error": {
        "en": ["Error:", "Error message:", "Traceback:", "This fails:"],
        "zh": ["报错：", "错误信息："],
        "ja": ["エラー："],
        "ru": ["Ошибка:"],
        "de": ["Fehlermeldung:"],
        "fr": ["Erreur :"],
        "es": ["Mensaje de error:"],
        "pt": ["Mensagem de erro:"],
    },
}


@pytest.mark.parametrize(
    ("role", "label"),
    [(role, label) for role, by_language in LABELS.items() for labels in by_language.values() for label in labels],
)
def test_labels(role: str, label: str) -> None:
    assert role_below(label) == role


@pytest.mark.parametrize(
    "line",
    [
        # X37: words inside words, and sentences that are about something else
        "The most important thing is speed.",
        "The most important thing:",
        "Thereafter: call it.",
        "Thereafter:",
        "Before you start, read this.",
        "Before you start:",
        "After that, call:",
        "Afterwards call it:",
        "Goodbye:",
        "Badge:",
        "Outputting is slow.",
        "Setups differ.",
        "Errorless:",
        "It resulted in this:",
        "Vorhersage:",
        "Antes de empezar:",
        "Antes de começar:",
        "Avant de commencer :",
        "До свидания:",
        "После того как:",
        "This is the old story. It goes on.",
        # a cue counts in a label only
        "We talked about the output for a while, and it was fine in the end.",
        "The code before was slow.",
    ],
)
def test_false_cues(line: str) -> None:
    assert role_below(line) == "example"


def test_no_label_is_an_example() -> None:
    assert roles("```py\nx\n```") == ["example"]
    assert roles("    x = 1\n") == ["example"]


def test_a_label_is_right_above_the_code() -> None:
    assert roles("Output:\n\nSome more text.\n\n```py\nx\n```") == ["example"]
    assert roles("Output:\n\n\n\n```py\nx\n```") == ["example"]
    assert roles("Output:\n```py\nx\n```") == ["output"]


def test_the_last_sentence_of_a_paragraph_is_its_label() -> None:
    assert role_below("Now run it. The output is:") == "output"
    assert role_below("The output is long. Now run it:") == "example"
    assert role_below("See main.output:") == "example"
    assert role_below("现在运行。输出：") == "output"


def test_a_heading_right_above_is_a_label() -> None:
    assert roles("## Before\n\n```py\nx\n```\n\n## Output\n\n```\ny\n```") == ["before", "output"]
    assert roles("## Before\n\nSome text.\n\n```py\nx\n```") == ["example"]


def test_a_long_line_is_no_label() -> None:
    assert role_below("Output " + "of the run " * 12 + ":") == "example"


# --- roles by info string and content --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("info", "role"),
    [
        ("output", "output"),
        ("stdout", "output"),
        ("Result", "output"),
        ("error", "error"),
        ("traceback", "error"),
        ("python", "example"),
        ("console", "example"),
        ("text", "example"),
    ],
)
def test_info_strings(info: str, role: str) -> None:
    assert roles(f"```{info}\nhello\n```") == [role]


def test_console_with_a_prompt_is_a_command() -> None:
    """X37."""
    assert roles("```console\n$ ls\n```") == ["example"]
    assert roles("```console\n$ pip install x\n```") == ["setup"]
    assert roles("Output:\n\n```console\n$ ls\n```") == ["example"]


def test_what_stands_below_a_command_is_its_output() -> None:
    command = "```bash\necho hi\n```\n\n"
    assert roles(command + "```text\nhi\n```") == ["example", "output"]
    assert roles(command + "```\nhi\n```") == ["example", "output"]
    assert roles(command + "```console\nhi\n```") == ["example", "output"]
    assert roles(command + "```python\nhi\n```") == ["example", "example"]
    assert roles("```text\nhi\n```") == ["example"]


def test_printed_text_right_below_code_is_its_output() -> None:
    """As notebooks are exported; without a word on what it is, a block of text is not."""
    code = "```py\nprint(1)\n```\n\n"
    assert roles(f"{code}```text\n1\n```\n") == ["example", "output"]
    assert roles(f"{code}And then\n\n```text\n1\n```\n") == ["example", "example"]
    assert roles(f"{code}```\n1\n```\n") == ["example", "example"]
    assert roles("```text\na\n```\n\n```text\nb\n```\n") == ["example", "example"]


def test_an_error_message_is_an_error() -> None:
    body = "Traceback (most recent call last):\n  File"
    assert roles(f"```bash\nrun\n```\n\n```text\n{body}\n```") == ["example", "error"]
    assert roles(f"```text\n{body}\n```") == ["error"]
    assert roles("```text\nerror[E0382]: borrow of moved value\n```") == ["error"]
    assert roles("```text\nno errors here: all good\n```") == ["example"]


@pytest.mark.parametrize(
    "command",
    ["pip install x", "$ npm i x", "sudo apt-get -y install x", "python -m pip install x", "cargo add x", "uv add x"],
)
def test_install_commands_are_setup(command: str) -> None:
    assert roles(f"```bash\n{command}\n```") == ["setup"]
    assert roles(f"```\n{command}\n```") == ["setup"]
    assert roles(f"```python\n{command}\n```") == ["example"]


def test_other_commands_are_examples() -> None:
    assert roles("```bash\npip list\n```") == ["example"]


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ('python title="a.py"', "python"),
        ("{.python .numberLines}", "python"),
        ("{python}", "python"),
        ("C++", "c++"),
        ("shell-session", "shell-session"),
        ("js,ignore", "js"),
        ("rust:main.rs", "rust"),
        ("  go  ", "go"),
        ("", ""),
    ],
)
def test_languages(info: str, language: str) -> None:
    """X29."""
    assert language_of(info) == language


# --- pairs -----------------------------------------------------------------------------------------------

PAIRS = {
    "before_after": ("Before:\n\n```py\nx\n```\n\nAfter:\n\n```py\ny\n```"),
    "code_output": ("Run it:\n\n```py\nx\n```\n\nOutput:\n\n```\ny\n```"),
    "setup_example": ("Install:\n\n```py\nx\n```\n\nUse it so:\n\n```py\ny\n```"),
    "sequential": ("Step 1:\n\n```py\nx\n```\n\nStep 2:\n\n```py\ny\n```"),
}


@pytest.mark.parametrize("relationship", PAIRS)
def test_pairs(relationship: str) -> None:
    assert links(PAIRS[relationship]) == [(0, 1, relationship)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Step 1:", "Step 2:"),
        ("**1. Create the file**", "**2. Run it**"),
        ("First, create it:", "Then run it:"),
        ("步骤 1：", "步骤 2："),
        ("首先：", "然后："),
        ("手順 1：", "手順 2："),
        ("Шаг 1:", "Шаг 2:"),
        ("Сначала:", "Затем:"),
        ("Schritt 1:", "Schritt 2:"),
        ("Zuerst:", "Danach:"),
        ("Étape 1 :", "Étape 2 :"),
        ("D'abord :", "Ensuite :"),
        ("Paso 1:", "Paso 2:"),
        ("Primero:", "Luego:"),
        ("Passo 1:", "Passo 2:"),
        ("Primeiro:", "Em seguida:"),
    ],
)
def test_steps(first: str, second: str) -> None:
    assert links(f"{first}\n\n```py\nx\n```\n\n{second}\n\n```py\ny\n```") == [(0, 1, "sequential")]


def test_error_is_a_result_too() -> None:
    assert links("```bash\nrun\n```\n\nIt fails with this error message:\n\n```error\nno\n```") == [
        (0, 1, "code_output")
    ]


def test_two_results_are_no_pair() -> None:
    assert links("Output:\n\n```\nx\n```\n\nOutput:\n\n```\ny\n```") == []


def test_code_in_one_language_is_not_related_for_that() -> None:
    """X37: INSERT and DROP, four lines apart."""
    assert links("```sql\nINSERT\n```\n\nSome text.\n\n```sql\nDROP\n```") == []


def test_after_before_before_is_no_pair() -> None:
    assert links("After:\n\n```py\nx\n```\n\nBefore:\n\n```py\ny\n```") == []


@pytest.mark.parametrize(("blank", "related"), [(2, True), (3, True), (4, False)])
def test_the_gap_has_a_limit(blank: int, related: bool) -> None:
    """X36.  Between the blocks lie the blank lines, the label and one blank line more: at most 5."""
    text = "Run:\n\n```py\nx\n```" + "\n" * (blank + 1) + "Output:\n\n```\ny\n```"
    assert bool(links(text)) is related


def test_the_gap_is_an_option() -> None:
    text = PAIRS["code_output"]  # three lines between the blocks
    assert links(text, related_block_max_gap=3)
    assert not links(text, related_block_max_gap=2)


def test_never_across_a_heading() -> None:
    """X36."""
    assert links("Run:\n\n```py\nx\n```\n\n# Next\n\nOutput:\n\n```\ny\n```") == []
    assert links("Before:\n\n```py\nx\n```\n\n## Next\n\nAfter:\n\n```py\ny\n```") == []
    assert links("# Run\n\n```py\nx\n```\n\n# Output\n\n```\ny\n```") == []


def test_but_headings_may_be_the_labels_of_a_pair() -> None:
    pair = "{0} Before\n\n```py\nx\n```\n\n{1} After\n\n```py\ny\n```"
    assert links(pair.format("##", "##")) == [(0, 1, "before_after")]
    assert links(pair.format("##", "###")) == []
    assert links(pair.format("##", "##").replace("After", "Before")) == []


def test_options_switch_each_thing_off() -> None:
    assert links(PAIRS["before_after"], preserve_before_after_pairs=False) == []
    assert links(PAIRS["code_output"], bind_output_blocks=False) == []
    assert links(PAIRS["code_output"], preserve_before_after_pairs=False)
    assert links(PAIRS["before_after"], bind_output_blocks=False)


def test_a_chain() -> None:
    text = "Step 1:\n\n```py\na\n```\n\nStep 2:\n\n```py\nb\n```\n\nOutput:\n\n```\nc\n```"
    assert links(text) == [(0, 1, "sequential"), (1, 2, "code_output")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Step 1", "Step 2"),
        ("Step 1: Create the file", "Step 2: Run it"),
        ("1. Create", "2. Run"),
        ("9) Create", "10) Run"),
        ("第一步", "第二步"),
        ("第十步：创建", "第十一步：运行"),
        ("步骤 1", "步骤 2"),
        ("手順 1", "手順 2"),
        ("第1ステップ", "第2ステップ"),
        ("步骤一", "步骤二"),
        ("Шаг 1", "Шаг 2"),
        ("Schritt 1", "Schritt 2"),
        ("Étape 1", "Étape 2"),
        ("Paso 1", "Paso 2"),
        ("Passo 1", "Passo 2"),
    ],
)
def test_steps_by_their_headings(first: str, second: str) -> None:
    steps = "{} {}\n\n```py\nx\n```\n\n{} {}\n\n```py\ny\n```"
    assert links(steps.format("##", first, "##", second)) == [(0, 1, "sequential")]
    assert links(steps.format("##", first, "###", second)) == []  # a step and a part of it
    assert links(steps.format("##", second, "##", first)) == []
    assert links(steps.format("##", first, "##", first)) == []


def test_headings_that_number_no_step() -> None:
    steps = "## {}\n\n```py\nx\n```\n\n## {}\n\n```py\ny\n```"
    for first, second in (("2.1 Speed", "2.2 Size"), ("First", "Then"), ("2019", "2020"), ("Step 1", "Step 3")):
        assert links(steps.format(first, second)) == []


def test_steps_far_apart_are_not_related() -> None:
    steps = "## Step 1\n\n```py\nx\n```\n\n{}## Step 2\n\n```py\ny\n```"
    assert links(steps.format("Text.\n\n")) == [(0, 1, "sequential")]
    assert links(steps.format("Text.\n\nMore.\n\n")) == []


# --- code in lists ---------------------------------------------------------------------------------------


def items(*texts: str, mark: str = "1.") -> str:
    """A list with one fence of the text in each item; an empty text stands for an item without code."""
    margin = " " * (len(mark) + 1)
    return "".join(
        f"{mark} Item\n" + (f"{margin}```py\n{margin}{text}\n{margin}```\n" if text else "") for text in texts
    )


def test_code_in_items_has_roles() -> None:
    first = "1. Install it:\n   ```sh\n   pip install x\n   ```\n"
    text = first + "2. Run it:\n\n   ```sh\n   $ x\n   ```\n\n   Output:\n\n   ```\n   done\n   ```\n"
    assert roles(text) == ["setup", "example", "output"]
    assert links(text) == [(0, 1, "setup_example"), (1, 2, "code_output")]
    assert roles("- a\n  - b\n\n    Before:\n\n    ```py\n    x\n    ```\n") == ["before"]


def test_neighbouring_items_of_a_numbered_list_are_steps() -> None:
    assert links(items("x", "y", "z")) == [(0, 1, "sequential"), (1, 2, "sequential")]
    assert links(items("x", "y", mark="-")) == []
    assert links(items("x", "", "z")) == []  # a step without code lies between
    assert links(items("x") + "\nText.\n\n" + items("y")) == []  # two lists


def test_what_another_item_prints_is_no_output() -> None:
    text = "1. Run it:\n   ```sh\n   $ x\n   ```\n2. Write the file:\n   ```text\n   name\n   ```\n"
    assert roles(text) == ["example", "example"]


def test_code_in_quotes_is_somebody_elses() -> None:
    assert roles("> Before:\n>\n> ```py\n> x\n> ```\n") == []
