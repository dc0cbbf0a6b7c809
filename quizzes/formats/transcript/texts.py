"""Words of a page as our Markdown: bold, emphasis and code kept, all else shown as it stands."""

import re

from quizzes.formats.parsing.markdown_escape import escape_inline, escape_line_start

_KEPT = re.compile(
    r"(\*\*[^*\s][^*\n]*\*\*|`[^`\n]+`|(?<![\w*])\*[^*\s](?:[^*\n]*[^*\s])?\*(?![\w*]))"
)
_FENCED = re.compile(r"(^```\n.*?\n```)", re.DOTALL | re.MULTILINE)
_TYPEWRITER = re.compile(r"\{\\tt ([^{}\n]*)\}")
_CODE = re.compile(r"[\w.\]\[]\s{0,5}=\s{0,5}\S|^(?>.*?\w\().*\)\s{0,5};?$|[{};]$")
_ENDED = re.compile(r"[.?!:;)\]\"”»'`…_*]\s*$")
_ALONE = re.compile(r"\s*[0Oo○☐◯]\s*$")


def markdown(parts: list[str]) -> str:
    """Join paragraphs; a listing stays one."""
    return "\n\n".join(_paragraph(one) for one in parts if one.strip())


def _paragraph(text: str) -> str:
    pieces = _FENCED.split(text)
    return "".join(one if n % 2 else _words(one) for n, one in enumerate(pieces))


def _words(text: str) -> str:
    if not text.strip():
        return text
    return "\\\n".join(_line(line) for line in text.strip("\n").split("\n")) + _tail(text)


def _tail(text: str) -> str:
    return text[len(text.rstrip("\n")) :]


def _line(line: str) -> str:
    kept = "".join(one if n % 2 else escape_inline(one) for n, one in enumerate(_KEPT.split(line)))
    return kept if line.lstrip().startswith("*") else escape_line_start(kept)


def is_ended(stem: str) -> bool:
    """Tell whether a stem ends as sentences do."""
    return _ENDED.search(stem[-20:]) is not None


def listings(code: str) -> list[tuple[str, str]]:
    """Part a listing into options, (mark, code): a line with an empty mark alone begins one."""
    options: list[tuple[str, list[str]]] = [("", [])]
    for line in code.split("\n"):
        if _ALONE.match(line):
            options.append((line.strip(), []))
        elif not line.strip() or _CODE.search(line):
            options[-1][1].append(_TYPEWRITER.sub(_unwrapped, line))
    return [(mark, _dedented(lines)) for mark, lines in options if any(map(str.strip, lines))]


def _unwrapped(found: re.Match[str]) -> str:
    return found[1].replace("\\_", "_")


def _dedented(lines: list[str]) -> str:
    """Fence the lines without the margin that all but the first have in common."""
    indents = [_indent(one) for one in lines if one.strip()]
    margin = min(indents[1:] or indents)
    kept = [one[min(margin, _indent(one)) :] for one in lines]
    return "```\n" + "\n".join(kept).strip("\n") + "\n```"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
