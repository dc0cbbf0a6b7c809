"""Texts within a checklist: line breaks of HTML, listings, feedback in quotations. Pure."""

import re
from collections.abc import Iterable, Sequence

from quizzes.formats.checklist.line_types import ChecklistLine, LineType, measure_indent
from quizzes.formats.checklist.sections import EXPLAINS

_TAG_OR_CODE = re.compile(
    r"(?P<code>(?<!`)(?P<marks>`{1,9})[^`]+(?P=marks)(?!`))"
    r"|(?P<fold></?details\b[^<>\n]*>)|<summary\b[^<>\n]*>(?P<title>[^\n]{0,200}?)</summary>"
    r"|(?:(?<![ \t])[ \t]+)?<br ?/?>[ \t]*\n?",
    re.IGNORECASE,
)
_INNER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LONGEST_TITLE = 30
_BREAK = re.compile(r"(?:(?<![ \t])[ \t]+)?<br ?/?>[ \t]*\n?", re.IGNORECASE)
_BLOCK = re.compile(r"\s*(?:\d{1,9}[.)] |[-*+>] |#{1,6} |```|~~~|\||$)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*(?:<br ?/?>)?")
_CODE = re.compile(
    r"[\w.\]\[]\s{0,5}=\s{0,5}\S|^(?>.*?\w\().*\)\s{0,5}[;:]?$|[{};]$|^\s+(?:return|if|for)\b"
)
CALLOUT = re.compile(r">[ \t]*\[!\w+\][ \t]*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_REMARK = re.compile(r"\*\*[^*\n]{2,60}(?:[.:：]\*\*|\*\*[:：])[ ]\S")
_VERDICT = re.compile(
    r"^[-*+][ \t]+(?=[*_✅❌✔✓✗✘\ufe0f ]{0,6}(?:(?:in)?correct[oa]?|right|wrong|because|why"
    r"|explanation|explicaci[oó]n|feedback|porque)[*_]{0,2}[:.])",
    re.IGNORECASE,
)
"""A list entry below an option that says why it is right or wrong."""


def join_stem(lines: Iterable[str], *, own: bool) -> str:
    """Return the stem; one that is all bold is bold no more, unless it is `own`: written by us."""
    text = convert_breaks(join_lines(lines))
    bold = _BOLD.fullmatch(text)
    return bold[1] if bold and not own else text


def split_option(first: str, below: Sequence[str]) -> tuple[str, str, bool]:
    """Return an option's text and its feedback, and whether lines of code became a listing.

    `below` are the lines below the first, without their margin.
    """
    below = _quote_remarks([_VERDICT.sub("> ", line) for line in below])
    quoted = _find_quotations(below)
    lines = [first, *(line for line, is_quoted in zip(below, quoted, strict=True) if not is_quoted)]
    quotation = [line for line, is_quoted in zip(below, quoted, strict=True) if is_quoted]
    feedback, text = "\n".join(unquote(quotation)).strip("\n"), join_lines(lines)
    code = _BREAK.sub("\n", text).strip("\n")
    if "<br" in text and "\n" in code and all(map(_CODE.search, code.split("\n"))):
        return f"```\n{code}\n```", feedback, True
    return convert_breaks(text), feedback, False


def _quote_remarks(below: Sequence[str]) -> Sequence[str]:
    """Return lines below an option, as quotations from a paragraph on that begins in bold words.

    "**Why.** It has 930 km." says something about the option.
    """
    pairs = enumerate(zip(["x", *below], below, strict=False))
    start = next((at for at, (b, line) in pairs if not b.strip() and _REMARK.match(line)), None)
    if start is None or any(map(_FENCE.match, below)):
        return below
    return [*below[:start], *(f"> {line}".rstrip() for line in below[start:])]


def join_lines(lines: Iterable[str]) -> str:
    """Return lines as one text, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def unquote(lines: Iterable[str]) -> list[str]:
    """Return the lines of a quotation without their marks."""
    return [line.lstrip()[1:].removeprefix(" ") for line in lines]


def _find_quotations(lines: Iterable[str]) -> list[bool]:
    """Return for each line whether it is one of a quotation, outside of listings."""
    fence, quoted = "", []
    for line in lines:
        marks = _FENCE.match(line)
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
        quoted.append(not fence and line.startswith(">"))
    return quoted


def dedent(below: Sequence[ChecklistLine], column: int) -> list[str]:
    """Return lines without the margin that those that are indented have.

    `column` is where the text begins that they belong to. A listing moves as a whole.
    """
    measured = (line.lines[:1] if line.type is LineType.CODE else line.lines for line in below)
    indents = [measure_indent(text) for texts in measured for text in texts if text.strip()]
    margin = min([column, *filter(None, indents)])
    texts: list[str] = []
    for line in below:
        most = min(margin, line.indent) if line.type is LineType.CODE else margin
        spaced = [text.expandtabs(4) if most else text for text in line.lines]
        texts += [
            text[min(most, measure_indent(text)) :] if text.strip() else "" for text in spaced
        ]
    return close_listing(below, texts)


def close_listing(lines: Sequence[ChecklistLine], texts: list[str]) -> list[str]:
    """Return the texts of lines, with an end for a listing that was left open at their end."""
    last = next((line for line in reversed(lines) if line.type is not LineType.BLANK), None)
    if last is None or not last.is_open:
        return texts
    fence = _FENCE.match(last.lines[0].strip())
    return ["\n".join(texts).rstrip(), fence[1] if fence else "```"]


def convert_breaks(text: str) -> str:
    """Return line breaks of HTML as ours, and boxes that fold as their words below their title.

    No break is needed before a list or at the end.
    """
    parts: list[str] = []
    start = 0
    for match in _TAG_OR_CODE.finditer(text):
        if not match["code"]:
            parts += [text[start : match.start()], _convert_tag(match, text)]
            start = match.end()
    return "".join([*parts, text[start:]]).strip("\n")


def _convert_tag(match: re.Match[str], text: str) -> str:
    if match["fold"]:
        return ""
    if match["title"] is None:
        return "\n" if _BLOCK.match(text, match.end()) else "\\\n"
    title = _INNER_TAG.sub("", match["title"]).strip(" *_")
    is_hint = title.lower().startswith(("hint", "pista"))
    if not title or (len(title) <= _LONGEST_TITLE and EXPLAINS.match(title) and not is_hint):
        return ""
    return f"**{title}**\n\n"
