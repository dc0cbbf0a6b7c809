"""Texts of a page as our Markdown: bold, emphasis and code kept, all else shown as it stands."""

import re

from quizzes.lib.markup.escape import escape_inline, escape_line_start

_MARKUP = re.compile(
    r"(\*\*[^*\s][^*\n]*\*\*|`[^`\n]+`|(?<![\w*])\*[^*\s](?:[^*\n]*[^*\s])?\*(?![\w*]))"
)
_FENCED = re.compile(r"(^```\n.*?\n```)", re.DOTALL | re.MULTILINE)
_TYPEWRITER = re.compile(r"\{\\tt ([^{}\n]*)\}")
_CODE = re.compile(r"[\w.\]\[]\s{0,5}=\s{0,5}\S|^(?>.*?\w\().*\)\s{0,5};?$|[{};]$")
_ENDED = re.compile(r"[.?!:;)\]\"”»'`…_*]\s*$")
_EMPTY_MARK = re.compile(r"\s*[0Oo○☐◯]\s*$")


def write_markdown(paragraphs: list[str]) -> str:
    """Return paragraphs as Markdown; a listing stays one."""
    return "\n\n".join(_escape_paragraph(text) for text in paragraphs if text.strip())


def _escape_paragraph(text: str) -> str:
    parts = _FENCED.split(text)
    return "".join(part if n % 2 else _escape_lines(part) for n, part in enumerate(parts))


def _escape_lines(text: str) -> str:
    if not text.strip():
        return text
    lines = text.strip("\n").split("\n")
    return "\\\n".join(map(_escape_line, lines)) + text[len(text.rstrip("\n")) :]


def _escape_line(line: str) -> str:
    parts = _MARKUP.split(line)
    line = "".join(part if n % 2 else escape_inline(part) for n, part in enumerate(parts))
    return line if parts[0].lstrip().startswith("*") else escape_line_start(line)


def is_ended(stem: str) -> bool:
    """Return whether a stem ends as sentences do."""
    return _ENDED.search(stem[-20:]) is not None


def split_listing(code: str) -> list[tuple[str, str]]:
    """Return the options of a listing, (mark, code): a line with an empty mark alone begins one."""
    options: list[tuple[str, list[str]]] = [("", [])]
    for line in code.split("\n"):
        if _EMPTY_MARK.match(line):
            options.append((line.strip(), []))
        elif not line.strip() or _CODE.search(line):
            options[-1][1].append(_TYPEWRITER.sub(_unwrap, line))
    return [(mark, _fence(lines)) for mark, lines in options if any(map(str.strip, lines))]


def _unwrap(match: re.Match[str]) -> str:
    return match[1].replace("\\_", "_")


def _fence(lines: list[str]) -> str:
    """Return lines as a listing, without the margin that all but the first have in common."""
    indents = [_measure_indent(line) for line in lines if line.strip()]
    margin = min(indents[1:] or indents)
    code = "\n".join(line[min(margin, _measure_indent(line)) :] for line in lines)
    return "```\n" + code.strip("\n") + "\n```"


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip())
