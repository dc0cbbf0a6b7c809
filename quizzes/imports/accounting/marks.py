"""The marks that formats write between words: they are no words of an author. Pure."""

import re
from collections.abc import Mapping

from quizzes.formats.transcript.vocabulary import MARK, POINTS

_TAG = "<m>"
"""What stands in the place of a mark: no text of an author has it."""
_CLOZE = r"\{\{c\d+::|::|\}\}|\[sound:[^\]]*\]|\[/?(?:\$\$?|latex)\]|\\[()\[\]]"
_GAP = r"\[\[[^\[\]]{0,40}\]\]"
HTML_TAG = re.compile(
    r"<summary\b[^<>]*>(?:<\w+>)*[^<]{0,30}(?:</\w+>)*</summary>|</?[A-Za-z][^<>]*>|<!--(?:(?!-->).){0,300}-->|<!--|-->"
)
_LATEX = (
    r"^\s*\\(?:begin|end)\{(?:enumerate|itemize|choices|oneparchoices|checkboxes|questions)\}"
    r"(?:\[[^\]]*\])?\s*$|^\s*\\(?:item|choice|CorrectChoice|question)(?![A-Za-z])"
    r"[ \t]*(?:\[[^\]]{0,20}\])?"
    r"|^\s*\\(?:(?:small|med|big)skip|newpage|clearpage|noindent|vspace\*?\{[^{}]*\})\s*$"
)
"""Commands of lists, and of blanks on a page."""
_PATTERNS: Mapping[str, str] = {
    "anki-apkg": rf" \| |{_CLOZE}",
    "anki-tsv": _CLOZE,
    "checklist": (
        r"<!--(?:(?!-->).){0,300}-->|<br ?/?>|^(?:>[ \t]*){1,3}\[!\w+\][+-]?(?=[ \t]|$)"
        r"|^\?\[|\]\((?:single|multiple)\)[ \t]*$|^:{3,}[ \t{.]{0,3}\w*[ }]{0,2}:*[ \t]*$"
        r"|\[\([ xX]?\)\](?=[ \t])|^={3,}[ \t]*$|(?<=[ \t])(?:\[[xX ]\]|\([xX ]\))(?=[ \t`])"
    ),
    "csv": r"[=-]>|→",
    "gift": (
        r"\\n|(?<=\d):\d+(?:\.\d+)?|(?<!\\)(?:%-?\d+(?:\.\d+)?%|::|->|\.\.|[{}~=#:])|\[(?:html|markdown|moodle|plain)\]"
        r"|\{\s*(?:T|F|TRUE|FALSE)\b|^\s*(?:T|F|TRUE|FALSE)\b(?=\s*(?:#|\}|$))"
    ),
    "letter_key": (
        rf"{_LATEX}|"
        r"[(\[](?:correct(?: answer)?|right|correct[ao]|cierto|key|x)[)\]]|<-+\s*correct\w*"
        r"|^\s*(?:`{3,}|~{3,}|:{3,})\s*\{[^{}]*\}|^\s*:(?:class|name|label|open|icon|color|animate"
        r"|admonition|hidden):.*$|^\s*:::\s*\w*|^\s*(?:>\s*){0,3}\[!\w+\][+-]?"
        r"(?:\s*(?:correct\s)?(?:answers?|solutions?|respuestas?|soluci[oó]n(?:es)?)\s*$)?|\|\s*(?:x|yes|s[ií]|no|true|false)\s*\|?\s*$|:[a-z]+(?:_[a-z]+)+:|:x:|\d\ufe0f?\u20e3"
        r"|(?:\b(?:Option|Choice|Opci[oó]n|Alternativa) (?:[A-Z]|\d)(?:\*\*)?"
        r"|(?<=[\s>])\(?[A-Za-z])[.):](?=\s)"
    ),
    "moodle-xml": (
        r"@@PLUGINFILE@@[^)\"\s]*|\{\d*:[A-Z_]+:|[~=#{}*]|%0%-?[\d.]+(?::[\d.]+)?(?=[~}])"
        r"|%-?\d+(?:\.\d+)?%|(?<=\d):\d+(?:\.\d+)?"
    ),
    "olx": r"^\s*Explanation\s*$|\[/?mathjaxinline\]|\[/?mathjax\]|\|\|.*?\|\||\[\[|\]\]",
    "text2qti": (
        r"^(?:shuffle answers|show correct answers|one question at a time|can't go back"
        r"|feedback is solution|solutions sample groups|solutions randomize groups|pick"
        r"|solutions pick|points per question|Points|Title|Quiz title):.*"
        r"|^(?:END_)?(?:GROUP|COMMENT)\s*$"
        r"|^=[\s\d_.,e+%\[\]-]*$"
    ),
    "transcript": (
        rf"{POINTS.pattern}|{MARK.pattern}|\t|\{{\\tt\b|\b(?:in)?correct[oa]?\b|\bincorreto\b|\bcorreto\b"
        r"|\brichtig\b|\bfalsch\b|\bexact\b"
    ),
    "xlsx": r"[=-]>|→",
}
_MARKS = {
    name: re.compile(
        rf"{pattern}|{_GAP}", re.IGNORECASE if name in {"letter_key", "transcript"} else 0
    )
    for name, pattern in _PATTERNS.items()
}
_MARKDOWN = frozenset({"checklist", "letter_key"})
_CODE_OR_TAG = re.compile(rf"(?P<code>(?<!`)`[^`\n]+`(?!`))|{HTML_TAG.pattern}")
"""Inline code, or a tag outside of it."""
_EVERYWHERE = re.compile(_GAP)


def replace_marks(text: str, format_: str) -> str:
    """Return a text with a tag in the place of each tag, and of each mark of its format."""
    if format_ in _MARKDOWN and "`" in text:
        plain = _CODE_OR_TAG.sub(lambda match: match["code"] or _TAG, text)
    else:
        plain = HTML_TAG.sub(_TAG, text)
    return _MARKS.get(format_, _EVERYWHERE).sub(_TAG, plain)
