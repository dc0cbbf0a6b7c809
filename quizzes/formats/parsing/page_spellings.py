"""What generators of sites write around a page of Markdown, as plain Markdown, line by line. Pure.

The settings at the top of a page become comments, and boxes that templates fold (`{{< expand >}}`)
those of HTML.
"""

import re
from collections.abc import Sequence

from quizzes.formats.parsing.code_fences import find_code_lines

_SETTING = re.compile(r"[\w.-]{1,60}:(?:\s.*)?$|[ \t]+\S.*$|-[ \t]+\S.*$|#.*$|[ \t]*$")
_LONGEST_HEAD = 60
_OPENING = re.compile(
    r"[ \t]*\{[{%][<%]?[ \t]*(?:expand|details|spoiler|collapse|toggle|hint|notice|callout)\b"
    r"(?P<title>[^{}]{0,120}?)/?[>%]?[}%]\}[ \t]*$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[ \t]*\{[{%][<%]?[ \t]*(?:/[ \t]*|end)"
    r"(?:expand|details|spoiler|collapse|toggle|hint|notice|callout)[ \t]*[>%]?[}%]\}[ \t]*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'")
_QUESTION_LABEL = re.compile(
    r"[ \t]*(?P<bold>\*\*)?(?:Question|Pregunta|Pergunta|Frage)(?:\*\*)?[ ]?[:：]"
    r"(?P<close>\*\*)?[ \t]+(?=\S)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"[ \t]*[*_]{0,3}(?:(?:answer|possible)[ ])?(?:options|choices|opciones|alternativas|optionen)"
    r"[*_]{0,3}[ ]?[:：][*_]{0,3}[ \t]*$",
    re.IGNORECASE,
)
_AFTER_TITLE = re.compile(r"(</summary>)(?:<br ?/?>|<(?:b|p)>)+[ \t]*$", re.IGNORECASE)
_BEFORE_END = re.compile(r"^[ \t]*(?:</(?:b|p)>[ \t]*)+(?=</details>)", re.IGNORECASE)
_HEADING = re.compile(
    r"[ ]{0,3}<h(?P<level>[1-6])\b[^<>]*>(?P<text>[^<>]+)</h(?P=level)>[ \t]*", re.IGNORECASE
)
_INDENTED = re.compile(r"[ \t]+#{2,6}[ ]+(?:Q|Question[ ])\d{1,4}\b", re.IGNORECASE)
"""A heading that counts questions, in a page that is indented as a whole."""
_EXAMPLE = re.compile(r"\(@[\w-]{0,30}\)[ \t]+(?=\S)")


def spell_page(text: str) -> str:
    """Return a page with as many lines, without what only the generator of a site reads."""
    lines = _comment_head(text.split("\n"))
    code_lines = find_code_lines(lines)
    return "\n".join(
        line if is_code else _spell_line(line)
        for line, is_code in zip(lines, code_lines, strict=True)
    )


def _comment_head(lines: list[str]) -> list[str]:
    """Return lines in which the settings between two rules at the top are comments."""
    if lines[0].rstrip() != "---":
        return lines
    head = range(1, min(_LONGEST_HEAD, len(lines)))
    end = next((at for at in head if lines[at].rstrip() in {"---", "..."}), 0)
    if not _are_settings(lines[1:end]):
        return lines
    comments = [f"<!-- {line.strip()} -->" if line.strip() else "" for line in lines[1:end]]
    return [lines[0], *comments, "---", *lines[end + 1 :]]


def _are_settings(lines: Sequence[str]) -> bool:
    has_name = bool(lines) and re.match(r"[\w.-]+:", lines[0]) is not None
    return has_name and all(_SETTING.match(line) and "-->" not in line for line in lines)


def _spell_line(line: str) -> str:
    if line.lstrip()[:1] == "<":
        line = _AFTER_TITLE.sub(r"\1", _BEFORE_END.sub("", line, count=1), count=1)
        if heading := _HEADING.fullmatch(line):
            return f"{'#' * int(heading['level'])} {heading['text'].strip()}"
    elif line.lstrip()[:3] == "#. ":
        line = line.replace("#.", "1.", 1)
    elif line.startswith("    ") and _INDENTED.match(line):
        line = line.lstrip()
    if opening := _OPENING.match(line):
        quoted = _QUOTED.search(opening["title"])
        title = (quoted["double"] or quoted["single"] or "") if quoted else opening["title"]
        return f"<details><summary>{title.strip(' :,')}</summary>"
    if _TITLE.match(line):
        return ""
    if label := _QUESTION_LABEL.match(line):
        is_open = label["bold"] and not label["close"] and line.rstrip().endswith("**")
        return ("**" if is_open else "") + line[label.end() :]
    return "</details>" if _CLOSING.match(line) else _EXAMPLE.sub("", line, count=1)
