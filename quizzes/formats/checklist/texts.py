"""Texts within a checklist: line breaks of HTML, listings, feedback in quotations. Pure."""

import re
from collections.abc import Iterable, Sequence

from quizzes.formats.checklist.pieces import Piece, What, indentation, piece_of

_BREAK = re.compile(r"(?:(?<![ \t])[ \t]+)?<br ?/?>[ \t]*\n?", re.IGNORECASE)
_BLOCK = re.compile(r"\s*(?:\d{1,9}[.)] |[-*+>] |#{1,6} |```|~~~|\||$)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*(?:<br ?/?>)?")
_CODE = re.compile(
    r"[\w.\]\[]\s{0,5}=\s{0,5}\S|^(?>.*?\w\().*\)\s{0,5}[;:]?$|[{};]$|^\s+(?:return|if|for)\b"
)
CALLOUT = re.compile(r">[ \t]*\[!\w+\][ \t]*$")
_STRUCTURE = re.compile(r"\s*(?:[-*_=]{3,}|<!--.*-->)?\s*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def stem(lines: list[str], *, ours: bool) -> str:
    """Give the stem; a line that is bold as a whole is bold no more, unless we wrote it."""
    text = broken("\n".join(line.rstrip() for line in lines).strip("\n"))
    bold = _BOLD.fullmatch(text)
    return bold[1] if bold and not ours else text


def option(first: str, rest: list[str]) -> tuple[str, str, bool]:
    """Give an option's text and its feedback; and whether lines of code became a listing.

    `rest` are the lines below the first, without their margin.
    """
    quoted = _quoted(rest)
    told = unquoted([one for one, is_it in zip(rest, quoted, strict=True) if is_it])
    lines = [first, *(one for one, is_it in zip(rest, quoted, strict=True) if not is_it)]
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    code = _BREAK.sub("\n", text).strip("\n")
    if "<br" in text and "\n" in code and all(map(_CODE.search, code.split("\n"))):
        return f"```\n{code}\n```", told, True
    return broken(text), told, False


def unquoted(lines: list[str]) -> str:
    """Give the text of a quotation."""
    return "\n".join(unquoted_lines(lines)).strip("\n")


def unquoted_lines(lines: Iterable[str]) -> list[str]:
    """Give the lines of a quotation without their marks."""
    return [line.lstrip()[1:].removeprefix(" ") for line in lines]


def _quoted(lines: list[str]) -> list[bool]:
    fence, found = "", []
    for line in lines:
        marks = _FENCE.match(line)
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
        found.append(not fence and line.startswith(">"))
    return found


def dedented(pieces: Sequence[Piece], column: int) -> list[str]:
    """Give the lines of pieces without the margin that those that are indented have.

    `column` is where the text begins that they belong to. A listing moves as a whole.
    """
    indents = [indentation(line) for one in pieces for line in _measured(one) if line.strip()]
    margin = min([column, *filter(None, indents)])
    lines: list[str] = []
    for one in pieces:
        most = min(margin, one.indent) if one.what is What.LISTING else margin
        spread = [line.expandtabs(4) if most else line for line in one.lines]
        lines += [line[min(most, indentation(line)) :] if line.strip() else "" for line in spread]
    return closed(pieces, lines)


def closed(pieces: Sequence[Piece], lines: list[str]) -> list[str]:
    """Give lines with an end for the listing that was left open at their end."""
    last = next((one for one in reversed(pieces) if one.what is not What.BLANK), None)
    if last is None or not last.open:
        return lines
    fence = _FENCE.match(last.lines[0].strip())
    return ["\n".join(lines).rstrip(), fence[1] if fence else "```"]


def _measured(piece: Piece) -> tuple[str, ...]:
    return piece.lines[:1] if piece.what is What.LISTING else piece.lines


def broken(text: str) -> str:
    """Write line breaks of HTML as ours; none is needed before a list or at the end."""
    pieces = _BREAK.split(text)
    whole = pieces[0]
    for one in pieces[1:]:
        whole += ("\n" if _BLOCK.match(one) else "\\\n") + one
    return whole.strip("\n")


def words_of(line: str) -> str:
    """Return a line of a checklist without the marks that are no words of a question."""
    if _STRUCTURE.fullmatch(line) or CALLOUT.match(line):
        return ""
    found = piece_of(1, (line,))
    if found.what in {What.HEADING, What.LABEL, What.ITEM, What.NUMBER}:
        return found.text
    return line.lstrip("> \t")
