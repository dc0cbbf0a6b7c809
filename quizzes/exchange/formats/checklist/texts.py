"""Texts within a checklist: line breaks of HTML, listings, feedback in quotations. Pure."""

import re

_BREAK = re.compile(r"[ \t]*<br ?/?>[ \t]*\n?", re.IGNORECASE)
_BLOCK = re.compile(r"\s*(?:\d{1,9}[.)] |[-*+>] |#{1,6} |```|~~~|\||$)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*(?:<br ?/?>)?")
_CODE = re.compile(
    r"[\w.\]\[]\s{0,5}=\s{0,5}\S|\w\(.*\)\s{0,5}[;:]?$|[{};]$|^\s+(?:return|if|for)\b"
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def stem(lines: list[str], *, ours: bool) -> str:
    """Give the stem; one that is bold as a whole is bold no more, unless we wrote it."""
    text = _broken("\n".join(line.rstrip() for line in lines).strip("\n"))
    bold = _BOLD.fullmatch(text)
    return bold[1] if bold and not ours else text


def option(first: str, below: list[str], column: int) -> tuple[str, str, bool]:
    """Give an option's text and its feedback; and whether lines of code became a listing.

    `column` is where its text begins.
    """
    rest = _dedented(below, column)
    quoted = _quoted(rest)
    told = unquoted([one for one, is_it in zip(rest, quoted, strict=True) if is_it])
    lines = [first, *(one for one, is_it in zip(rest, quoted, strict=True) if not is_it)]
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    code = _BREAK.sub("\n", text).strip("\n")
    if "<br" in text and "\n" in code and all(map(_CODE.search, code.split("\n"))):
        return f"```\n{code}\n```", told, True
    return _broken(text), told, False


def unquoted(lines: list[str]) -> str:
    """Give the text of a quotation."""
    return "\n".join(line.lstrip()[1:].removeprefix(" ") for line in lines).strip("\n")


def _quoted(lines: list[str]) -> list[bool]:
    fence, found = "", []
    for line in lines:
        marks = _FENCE.match(line)
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
        found.append(not fence and line.startswith(">"))
    return found


def _dedented(lines: list[str], column: int) -> list[str]:
    """Take the margin away: that of the item's text, or the one that all lines have."""
    spread = [line.expandtabs(4) for line in lines]
    indents = [len(line) - len(line.lstrip(" ")) for line in spread if line.strip()]
    margin = min([column, *indents])
    return [line[margin:] if line.strip() else "" for line in spread]


def _broken(text: str) -> str:
    """Write line breaks of HTML as ours; none is needed before a list or at the end."""
    pieces = _BREAK.split(text)
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += ("\n" if _BLOCK.match(piece) else "\\\n") + piece
    return whole.strip("\n")
