"""The words by which people announce what a code block is, in eight languages.

English, Chinese, Japanese, Russian, German, French, Spanish, Portuguese.  A cue counts only at the beginning of a
label: a heading, a bold line, or a short line that ends in a colon, right above the code.  Labels come in lower case.
"""

from __future__ import annotations

import re

_CJK = "一-鿿぀-ヿ"


#: "Before you …" and the like begins a sentence; it names no state of the code.
_NOT_A_STATE = (
    r"(?!,? (?:you|we|i|they|it|that|starting|running|using|doing|any|all|each|proceeding|reading|installing))"
)


def _starts_with(words: str) -> re.Pattern[str]:
    """Matches a lower-case label that begins with one of the words, `;` between them; letters end at a boundary."""
    listed = [word.strip() for word in re.split(r"[;\n]", words) if word.strip()]
    return re.compile("|".join(word if word[-1] > "\u2e80" else rf"{word}\b" for word in listed))


#: role → the words that a label begins with, a language or two a line.  Tried in this order.
LABELS: dict[str, re.Pattern[str]] = {
    "before": _starts_with(
        rf"""
        before{_NOT_A_STATE}; old (?:code|version|way|syntax|style|config(?:uration)?); bad; wrong; incorrect
        don['’]t; instead of; problematic; problem; previously
        修改前; 改进前; 优化前; 重构前; 变更前; 之前; 以前; 旧代码; 旧写法; 错误写法; 不推荐; 反例
        変更前; 修正前; 改善前; 悪い例; 旧コード
        до(?= (?:изменени|рефакторинг|исправлени|правк)|[:：]|\Z); было; раньше; старый код; неправильно; плохо
        vorher; alter code; falsch; schlecht
        avant(?! de| d['’]); ancien code; ancienne version; mauvais
        antes(?! de); código antiguo; código anterior; incorrecto; mal
        código antigo; errado; incorreto; ruim
        """
    ),
    "after": _starts_with(
        rf"""
        after{_NOT_A_STATE}; new (?:code|version|way|syntax|style|config(?:uration)?); good; fixed; improved
        correct(?:ed)?; refactored; solution
        修改后; 改进后; 优化后; 重构后; 变更后; 之后; 新代码; 新写法; 正确写法; 推荐写法; 正例
        変更後; 修正後; 改善後; 良い例; 新コード
        после(?= (?:изменени|рефакторинг|исправлени|правк)|[:：]|\Z); стало; новый код; правильно; хорошо
        nachher; neuer code; richtig; besser
        après(?! avoir); nouveau code; nouvelle version; bon
        después(?! de); código nuevo; correcto; bien
        depois(?! de); código novo; correto; bom
        """
    ),
    "error": _starts_with(
        r"""
        errors?(?: message| output)?; traceback; stack trace; exception; this (?:fails|crashes|errors); fails with
        报错; 错误信息; 错误输出; 异常; エラー; 例外; ошибка; исключение
        fehler(?:meldung|ausgabe)?; erreur; mensaje de error; mensagem de erro; erro
        """
    ),
    "output": _starts_with(
        r"""
        (?:(?:the|this|sample|example|expected|program|command|possible|actual|console) )*(?:outputs?|results?)
        (?:the )?(?:stdout|response|console)
        (?:this |it |which |that )?(?:will )?(?:prints?|outputs?|displays?|produces?|returns?|yields?|gives?)
        you(?:['’]ll| will| should)? (?:see|get)
        输出; 运行结果; 执行结果; 返回结果; 结果; 打印; 响应; 返回; 控制台; 将输出; 会输出; 你会看到; 得到
        出力; 実行結果; 結果; レスポンス; 表示
        вывод; результат; выведет; напечатает; ответ; получим
        (?:die )?ausgabe; (?:das )?ergebnis; antwort; gibt aus; liefert
        (?:la )?sortie; (?:le )?résultat; affiche; réponse; renvoie
        (?:la )?salida; (?:el )?resultado; imprime; muestra; respuesta; devuelve
        (?:a )?saída; (?:o )?resultado; exibe; mostra; resposta; retorna
        """
    ),
    "setup": _starts_with(
        r"""
        (?:first,? )?(?:you (?:need to|must|should) )?install(?:ation|ing)?; set ?up; prerequisites?; requirements?
        configur(?:e|ation|ing); initiali[sz](?:e|ation); dependencies; imports?
        首先[,，]?安装; 安装; 准备; 环境准备; 环境配置; 配置; 初始化; 前置条件; 依赖; 导入
        インストール; セットアップ; 準備; 設定; 初期化; 前提
        установ(?:ка|ите|им); настройка; подготовка; зависимости
        (?:zuerst )?installier(?:en|e|t)?; einrichtung; voraussetzungen; konfiguration
        installez; prérequis; mise en place
        instal(?:ación|ar|e|a); configuración; requisitos; preparación
        instal(?:ação|ar); configuração; pré-requisitos; preparação
        """
    ),
}

#: The title of one half of a pair, "Before" or "After".
PAIR = re.compile(f"{LABELS['before'].pattern}|{LABELS['after'].pattern}")

#: A lower-case label or title that numbers a step; the number is in one of the groups.
STEP_NUMBER = re.compile(
    r"(?:step|schritt|étape|etape|paso|passo|etapa|шаг|ステップ|手順|步骤|步驟)\s*(\d{1,4})"
    rf"|(?:步骤|步驟|手順)\s*([一二三四五六七八九十]{{1,3}})"
    rf"|第\s*([一二三四五六七八九十]{{1,3}}|\d{{1,4}})\s*(?:步|歩|ステップ)|(\d{{1,4}})[.)）、]\s*(?=[^\W\d]|[{_CJK}])"
)
_CJK_DIGITS = "一二三四五六七八九"

#: Lower-case labels that number a step or say that one follows.
STEP = re.compile(
    rf"{STEP_NUMBER.pattern}"
    r"|(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|lastly|now|afterwards"
    r"|zuerst|zunächst|dann|danach|anschließend|schließlich|d['’]abord|ensuite|puis|enfin"
    r"|primero|luego|después|finalmente|por último|primeiro|depois|em seguida|por fim"
    r"|сначала|затем|далее|потом|наконец)\b"
    r"|首先|然后|接着|接下来|最后|再|まず|次に|続いて|最後に"
)


def step_number(title: str) -> int:
    """The number that a lower-case title gives its step; 0 without one."""
    found = STEP_NUMBER.match(title)
    if found is None:
        return 0
    number = next(filter(None, found.groups()))
    if number.isdecimal():
        return int(number)
    tens, ten, ones = number.rpartition("十")
    return (10 * (_CJK_DIGITS.find(tens) + 1 if tens else 1) if ten else 0) + _CJK_DIGITS.find(ones[:1] or " ") + 1


#: Info strings that say what a block is.
OUTPUT_LANGUAGES = frozenset({"output", "stdout", "result", "results", "out", "response"})
ERROR_LANGUAGES = frozenset({"error", "errors", "traceback", "stderr", "pytb"})
#: Info strings of blocks that hold what a command printed, if one stands right above.
PRINTED_LANGUAGES = frozenset({"", "text", "txt", "plain", "plaintext", "console", "terminal", "log", "none"})
SHELL_LANGUAGES = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "shell-session", "terminal", "powershell", "ps1", "cmd", "bat"}
)

#: A command line that installs something.
INSTALL_COMMAND = re.compile(
    r"(?:[$>%#] )?(?:sudo )?(?:(?:python3? -m )?pip3?|uv(?: pip)?|pipx|conda|mamba|poetry|npm|pnpm|yarn|bun|brew"
    r"|apt(?:-get)?|dnf|yum|apk|pacman|gem|cargo|go|composer|dotnet|nuget|helm repo|choco|winget|docker)"
    r" (?:-\S+ )*(?:install|i|add|get|require|create|pull|ci|-S)\b"
)
PROMPT = re.compile(r"\s*(?:\$|%|>|PS [^>\n]*>|[\w.-]+@[\w.-]+[:~][^\n$#]*[$#]) ")
ERROR_TEXT = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|[\w.]*(?:Error|Exception)\b[^\n]{0,80}:"
    r"|error(?:\[E\d+\])?:|panic:|fatal:|Exception in thread|thread '[^'\n]*' panicked|npm ERR!)"
)
