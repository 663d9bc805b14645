"""Every regular expression of the block reader, named after its construct.

Section numbers are those of CommonMark 0.31 ("CM") and GitHub Flavored Markdown ("GFM").  All patterns run on the
reader's own copy of the text, in which every line ends in LF, leading tabs are spaces, and NUL occurs only as `LAZY`.
Repetitions are possessive (`*+`) wherever giving back cannot help: that keeps every pattern linear.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: Marks a line that a container holds only by lazy continuation (CM 5.1): it may continue an open
#: paragraph and nothing else, so no construct matches it.  NUL cannot occur in normalised text.
LAZY = "\0"

_SP = r"[ \t]"
_EOL = r"[ \t]*\n"
_BLANK = r"(?:[ \t]*\n)"
MARKER = r"(?:[-+*]|\d{1,9}[.)])"  # CM 5.2

# -- Lines that start a block ------------------------------------------------------------------------------------

_ATX = r"\#{1,6}(?=[ \t\n])"  # CM 4.2
_HR = rf"(?:(?:\*{_SP}*+){{3,}}+|(?:-{_SP}*+){{3,}}+|(?:_{_SP}*+){{3,}}+)\n"  # CM 4.1
_FENCE = r"(?:`{3,}(?=[^`\n]*\n)|~{3,})"  # CM 4.5
_FOOTNOTE = r"\[\^[^\]\s]+\]:"  # GFM, as cmark-gfm reads it
_FORMULA = r"(?:\$\$|\\\[|\\begin\{[^{}\n]+\})"
_OPENS_DIRECTIVE = rf"(?={_SP}*[^ \t\n:])(?![^\n]*:::{_SP}*\n)"  # `:::image …:::` opens nothing
_DIRECTIVE = rf":{{3,}}{_OPENS_DIRECTIVE}"
_ADMONITION = (  # MkDocs: admonitions, foldable ones and content tabs, with an indented body
    rf"(?:(?:!!!|\?\?\?\+?){_SP}*[\w-]++(?:{_SP}++[\w-]++)*+(?:{_SP}+\"[^\"\n]*\")?|===[!+]?{_SP}+\"[^\"\n]*\"){_SP}*\n"
    rf"(?={_BLANK}*+ {{4}})"
)
_DEFINED = rf":{_SP}+[^ \t\n]"  # PHP Markdown Extra: the definition of the term above

# CM 4.6.  Types 1 to 6 may interrupt a paragraph, type 7 may not.
_TAGS_6 = (
    "address|article|aside|basefont|base|blockquote|body|caption|center|colgroup|col|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frameset|frame|h[1-6]|header|head|hr|html|iframe|legend|link|li|main|"
    "menuitem|menu|nav|noframes|ol|optgroup|option|param|p|search|section|summary|table|tbody|td|tfoot|thead|th|"
    "title|track|tr|ul"
)
_HTML_1 = r"<(?i:pre|script|style|textarea)(?=[\s>])"
_HTML_6 = rf"</?(?i:{_TAGS_6})(?=\s|/?>)"
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^'\n]*'|"[^"\n]*")"""
_ATTRIBUTE = rf"(?:{_SP}+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:{_SP}*={_SP}*{_VALUE})?)"
_HTML_7 = rf"<(?:[a-zA-Z][a-zA-Z0-9-]*{_ATTRIBUTE}*+{_SP}*/?|/[a-zA-Z][a-zA-Z0-9-]*{_SP}*)>{_EOL}"
HTML_START = rf"(?:{_HTML_1}|<!--|<\?|<![A-Za-z]|<!\[CDATA\[|{_HTML_6})"

# MDX: a component's tag may run over several lines, with values in braces; nothing but tags on its last line.
_BRACES = r"\{(?:[^{}\0]|\{(?:[^{}\0]|\{[^{}\0]*+\})*+\})*+\}"
_JSX_VALUE = rf"""(?:{_BRACES}|"(?:[^"\n\0]|\n(?!{_EOL}))*+"|'(?:[^'\n\0]|\n(?!{_EOL}))*+')"""
_JSX = (
    rf"<(?:/[A-Z][\w.]*{_SP}*|[A-Z][\w.]*(?=[\s/>])(?:[^<>{{}}\"'\n\0]|\n(?!{_EOL})|{_JSX_VALUE})*+)>"
    rf"(?:{_EOL}|[^\n]*(?:</[A-Za-z][\w.]*>|/>){_EOL})"
)
_IMPORT = (
    rf"import{_SP}+(?:(?:type{_SP}+)?(?:[\w$]+{_SP}*,?{_SP}*)?(?:\{{[^{{}}'\"\0]*+\}}|\*{_SP}+as{_SP}+[\w$]+)?"
    rf"{_SP}*\n?{_SP}*from{_SP}*)?(?:'[^'\n]+'|\"[^\"\n]+\"){_SP}*;?{_EOL}"
)
_EXPORT = (
    rf"export{_SP}+(?:(?:const|let|var){_SP}+(?:[\w$]+|\{{[^{{}}\n]*\}}|\[[^\[\]\n]*\]){_SP}*(?::[^=\n]+)?="
    rf"|(?:default{_SP}+)?(?:async{_SP}+)?function\b{_SP}*\*?{_SP}*[\w$]*{_SP}*\("
    rf"|(?:default{_SP}+)?class\b[^\n]*\{{"
    rf"|(?:type{_SP}+[\w$<>, ]+=|(?:interface|enum){_SP}+[^\n]*\{{)"
    rf"|default{_SP}+(?:[({{\[]|[A-Z][\w$.]*;?(?={_EOL})|[\w$.]+(?:\([^\n]*\))?;(?={_EOL}))"
    rf"|\{{[^{{}}\0]*+\}}{_SP}*(?:from{_SP}|;|(?=\n))|\*{_SP}+(?:as{_SP}+[\w$]+{_SP}+)?from{_SP})[^\n]*\n?"
)

# -- Lines that go on, or end, what came before ------------------------------------------------------------------

_START = rf"{_ATX}|{_FENCE}|>|{_HR}|{HTML_START}|{_FOOTNOTE}"  # starts a block anywhere
_INTERRUPT = rf"{_START}|[-+*]{_SP}+[^ \t\n]|0{{0,8}}1[.)]{_SP}+[^ \t\n]"  # may interrupt a paragraph (CM 5.2)
_SETEXT = rf"(?:=+|-+){_EOL}"  # CM 4.3
_DELIMITER_START = r" {0,3}[|:-][-:| \t]*\n"
# Lines that interrupt a paragraph only if more than this line agrees: see `leaves.paragraph`.
_PERHAPS = rf"{_FORMULA}|{_DIRECTIVE}|{_ADMONITION}|{_DEFINED}|{_SETEXT}"
# What can neither continue a table (GFM 4.10) nor, at its start, a paragraph lazily (CM 5.1).
_BREAK = rf"{_EOL}| {{0,3}}(?:{_START}|{MARKER}(?=[ \t\n])|:::)"

_WORD = r"[^\s`~>*+\-_<#=|:$\\!?\[0-9\0]"  # the first character of a line that can only be text
_TEXT = rf"(?:{_WORD}[^\n]*\n|(?!{_EOL}| {{0,3}}(?:{_INTERRUPT}|{_PERHAPS})|{_DELIMITER_START})[^\n]+\n)*+"  # CM 4.8
_PLAIN = rf"(?!(?:im|ex)port[ \t]){_WORD}"  # whatever follows on its line, it is text
_CODE_LINE = rf" {{4}}{_SP}*[^\s][^\n]*\n"

#: Lines that go on with HTML of types 6 and 7: to a blank line, or to a `<details>`, which is a block of its own.
_HTML_LINES = rf"(?:(?!\0|{_EOL}| {{0,3}}<(?i:details)(?=[\s>]))[^\n]+\n)*+"

#: One block, after any blank lines (group 1).  A leaf is matched whole, or by its start; a container by its marker.
#: A lookahead at the first character spares a line of text most of the alternatives.
BLOCK = re.compile(
    r"((?>[ \t\n]*\n)?+)(?:"
    rf"(?P<plain>{_PLAIN}[^\n]*\n{_TEXT})"
    r"| {0,3}(?:"
    r"(?P<heading>\#{1,6})(?=[ \t\n])[^\n]*\n"
    rf"|(?P<fence>{_FENCE})[^\n]*\n"
    rf"|(?=[-+*_0-9])(?:(?P<hr>{_HR})|(?P<list>{MARKER})(?=[ \t\n]))"
    r"|(?P<quote>>)"
    r"|(?=<)(?:(?P<details><(?i:details)(?=[\s>]))"
    rf"|(?P<html1>{_HTML_1})|(?P<html2><!--)|(?P<html3><\?)|(?P<html4><![A-Za-z])|(?P<html5><!\[CDATA\[)"
    rf"|(?P<html6>{_HTML_6})[^\n]*\n{_HTML_LINES}|(?P<html7>{_HTML_7}){_HTML_LINES}|(?P<jsx>{_JSX}))"
    r"|(?=[$\\:!?=])(?:"
    rf"(?P<formula>{_FORMULA})"
    rf"|(?P<directive>{_DIRECTIVE})"
    rf"|(?P<admonition>{_ADMONITION})"
    rf"|(?P<definition>{_DEFINED}))"
    rf"|(?=\[)(?:(?P<footnote>{_FOOTNOTE}){_SP}*|(?P<link>\[))"
    r")"
    rf"|(?=[ie])(?:(?P<imports>(?:{_IMPORT})++)|(?P<export>{_EXPORT}))"
    # CM 4.4.  The first line may not be blank, blank lines may lie between.
    rf"|(?P<code>(?!\0){_CODE_LINE}(?:{_BLANK}*+{_CODE_LINE})*+)"
    rf"|(?P<text>[^\0\n][^\n]*\n{_TEXT})"
    r")"
)
PLAIN = re.compile(_PLAIN)
BLANKS = re.compile(r"[ \t\n]*\n")
TEXT = re.compile(_TEXT)
#: Why a paragraph stopped short of a blank line, where that takes a second look.
PERHAPS = re.compile(
    rf" {{0,3}}(?:(?P<setext>{_SETEXT})|(?P<formula>{_FORMULA})|(?P<directive>{_DIRECTIVE})"
    rf"|(?P<admonition>{_ADMONITION})|(?P<definition>{_DEFINED}))|(?P<delimiter>{_DELIMITER_START})"
)
INTERRUPT = re.compile(rf" {{0,3}}(?:{_INTERRUPT})")

#: GFM 4.10.  A lone `-` before a space is a list marker.
DELIMITER_ROW = re.compile(rf" {{0,3}}+(?!-[ \t\n])\|?{_SP}*:?-+:?{_SP}*(?:\|{_SP}*:?-+:?{_SP}*)*+\|?{_EOL}")
TABLE_ROWS = re.compile(rf"(?:(?!\0| {{4}}|{_BREAK})[^\n]+\n)*+")

#: CM 4.7, on the text of one paragraph.
_TITLE = r"(?:[^{0}\\\n]|\\.|\\?\n(?![ \t]*\n))*+"
REFERENCE = re.compile(
    rf" {{0,3}}\[(?![ \t\n]*\])(?:[^\[\]\\\n]|\\.|\\?\n(?!{_EOL}))++\]:{_SP}*\n?{_SP}*"
    rf"(?:<(?:[^<>\\\n]|\\.)*+>|(?!<)\S+)"
    rf"(?:(?:{_SP}+|{_SP}*\n\0?{_SP}*)"
    rf"(?:\"{_TITLE.format('"')}\"|'{_TITLE.format("'")}'|\({_TITLE.format('()')}\)){_EOL}|{_EOL})"
)

#: The definition line under a term, at most one blank line below; and what goes on with it.
DEFINED = re.compile(rf"{_BLANK}? {{0,3}}{_DEFINED}[^\n]*\n")
DEFINITION_BODY = re.compile(rf"{_TEXT}(?:{_BLANK}*+ {{2}}{_SP}*[^\s\0][^\n]*\n{_TEXT})*+")

#: Ends of HTML blocks (CM 4.6); the other types end at a blank line.
HTML_END = {
    "html1": re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    "html2": re.compile(r"-->"),
    "html3": re.compile(r"\?>"),
    "html4": re.compile(r">"),
    "html5": re.compile(r"\]\]>"),
}
#: Where an HTML block of type 6 or 7 may end: a blank line, or `<details` at the start of a line.
HTML_SEAM = re.compile(r"\n(?:[ \t]*(?=\n)| {0,3}(?P<details><(?i:details)(?=[\s>])))")

#: Formulas `$$ … $$` and `\[ … \]`: on one line, or to the line whose end closes it; a blank or lazy line is too late.
#: A label may follow the closing dollars.
_DOLLARS_END = rf"\$\${_SP}*(?:\([^)$\n]+\){_SP}*)?\n"
_BRACKET_END = rf"\\\]{_EOL}"
FORMULA_LINE = {
    "$$": re.compile(rf"\$\$(?=[^\n]*?[^\s$])(?:(?!\$\$)[^\n])*+{_DOLLARS_END}"),
    "\\[": re.compile(rf"\\\[(?=[^\n]*?[^\s])(?:(?!\\\])[^\n])*+{_BRACKET_END}"),
}
FORMULA_END = {
    "$$": re.compile(rf"(?P<end>{_DOLLARS_END})|\n(?={_EOL}|\0)"),
    "\\[": re.compile(rf"(?P<end>{_BRACKET_END})|\n(?={_EOL}|\0)"),
}

#: Metadata at the start of a document: YAML closed by at least as many dashes or `...`, or TOML.
#: A blank first line makes it a thematic break (as pandoc has it).
_YAML_END = r"(?: {0,3}(?P=yaml)-*|\.\.\.)[ \t]*\n"
_TOML_END = r"\+\+\+[ \t]*\n"
FRONT_MATTER = re.compile(
    rf"(?P<yaml>---+){_SP}*\n(?!{_EOL})(?:(?!{_YAML_END})[^\n]*\n)*+{_YAML_END}"
    rf"|{_TOML_END}(?:(?!{_TOML_END})[^\n]*\n)*+{_TOML_END}"
)

# -- Containers --------------------------------------------------------------------------------------------------

#: Lines that may lazily continue a paragraph inside a container (CM 5.1).
LAZY_LINES = re.compile(rf"(?:\0[^\n]*\n|(?!{_BREAK}| {{0,3}}(?:{_FORMULA}|{_ADMONITION}))[^\n]+\n)++")
#: CM 5.1.
QUOTE_LINES = re.compile(r"(?: {0,3}>[^\n]*\n)++")
QUOTE_MARKS = re.compile(r"\n {0,3}> ?")
QUOTE_LAZY = re.compile(r"^(?! {0,3}>|\0|\Z)", re.M)
ALERT = re.compile(r" {0,3}> ?\[!(\w+)\]")  # GitHub alerts, Obsidian callouts
#: CM 5.2: the marker, then 1 to 4 spaces before text; otherwise code (group `code`) or nothing (group `empty`).
ITEM = re.compile(
    rf"(?! {{0,3}}{_HR})(?P<lead> {{0,3}}(?P<marker>{MARKER}))"
    r"(?:(?P<gap> {1,4})(?=[^ \t\n])|(?=[ \t]+[^ \t\n])|(?=[ \t]*(?P<empty>\n)))"
)
DIRECTIVE_NAME = re.compile(r"[:!?=+ \t{.]*(?P<name>[\w-]*)")


@lru_cache(64)
def fence_end(marker: str) -> re.Pattern[str]:
    """The line that closes a fence opened by `marker` (CM 4.5)."""
    return re.compile(rf"\n {{0,3}}{marker[0]}{{{len(marker)},}}[ \t]*(?=\n)")


@lru_cache(64)
def fence_end_anywhere(marker: str) -> re.Pattern[str]:
    """As `fence_end`, at any depth of lists and quotes."""
    return re.compile(rf"\n[ \t>\0]*{marker[0]}{{{len(marker)},}}[ \t]*(?=\n)")


@lru_cache(64)
def indented_lines(width: int) -> re.Pattern[str]:
    """Lines that belong to a container by their indentation, and blank lines."""
    return re.compile(rf"(?: {{{width}}}[^\n]*\n|{_BLANK})*+")


@lru_cache(64)
def unindented(width: int) -> re.Pattern[str]:
    """The start of each line that such a container holds lazily."""
    return re.compile(rf"^(?! {{{width}}}|{_EOL}|\0|\Z)", re.M)


@lru_cache(64)
def plain_list(lead: int, kind: str, gap: int) -> re.Pattern[str]:
    """A list whose end is plain to see, as most are: no lazy lines, and no text that might go on with it below.

    All items stand `lead` spaces in, with `gap` spaces between marker and text; what belongs to them is indented as
    far as their text.  `kind` is the bullet, or what follows the number; of items numbered in one to three digits.
    """
    if kind in "-+*":
        items = _items(lead, re.escape(kind), 1, gap)
    else:
        items = "|".join(_items(lead, rf"[0-9]{{{n}}}{re.escape(kind)}", n + 1, gap) for n in (1, 2, 3))
    below = rf"[^\s\d*+\-\0]|\*\*(?=[^\s*])|---+{_EOL}"
    return re.compile(rf"(?:{items})(?:{_BLANK}*+(?:{items}))*+(?=\Z|{_BLANK}++(?:\Z|{below})|#{{1,6}}[ \t\n])")


def _items(lead: int, marker: str, width: int, gap: int) -> str:
    starts = rf" {{{lead}}}{marker} {{{gap}}}(?=[^ \t\n])(?![-*_ \t]*\n)"  # no thematic break
    return rf"{starts}[^\n]*\n(?:{_BLANK}*+ {{{lead + width + gap}}}[^\n]*\n)*+"


# -- Openers and closers, wherever they stand --------------------------------------------------------------------
# Fences and comments are stepped over.  `name` and `closing` must agree.  Each alternative starts with a literal
# character, which makes the search several times faster; so these run on a text with a line end put before it.

_STEP_OVER = rf"(?P<fence>{_FENCE})[^\n]*|(?P<comment><!--)|(?P<lazy>\0)"
PAIRS = {
    "details": re.compile(
        rf"\n[ \t>]*+(?:{_STEP_OVER}|(?:{MARKER}{_SP}++)*+(?P<open><details)(?=[\s>]))"
        rf"|<(?P<close>/details{_SP}*>)(?!`)",
        re.I,
    ),
    "formula": re.compile(
        rf"\n[ \t>]*+(?:{_STEP_OVER})"
        r"|\\(?:(?P<open>begin\{(?P<name>[^{}\n]+)\})|(?P<close>end\{(?P<closing>[^{}\n]+)\}))"
    ),
    "directive": re.compile(
        rf"\n(?: {{0,3}}(?:(?P<open>:{{3,}}){_OPENS_DIRECTIVE}|(?P<close>:{{3,}})(?={_EOL}))|[ \t>]*+(?:{_STEP_OVER}))"
    ),
}

#: Tabs that count as indentation, after any container markers (CM 2.2), on a line with a line end put before it.
LEADING_TABS = re.compile(r"\n[ >*+\-\d.)]*+\t[ \t>*+\-\d.)]*")
EOL_AFTER_FORMULA = re.compile(r"[ \t.,;]*\n")
