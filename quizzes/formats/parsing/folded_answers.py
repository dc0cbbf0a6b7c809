"""Answers that a page hides in other ways than HTML does, as boxes of HTML, line by line. Pure.

A block of a page, `<div slot="answer">`, a template, `{{spoiler(text="B")}}`, and what a chat
blots out: `||B||`.
"""

import re
from collections.abc import Sequence

from quizzes.formats.parsing.key_lines import begins_with_key_word

_BLOCK = re.compile(
    r"[ \t]*<(?P<tag>div|section|panel|span|p)\b"
    r"(?=[^<>]*\b(?:(?:slot|class|id)=[\"']?|header=[\"'][^\"'<>]{0,40}\b)"
    r"(?:answer|solution|spoiler)\b)[^<>]*>[ \t]*",
    re.IGNORECASE,
)
_TAGS = re.compile(r"<(?P<close>/?)(?P<tag>div|section|panel|span|p)\b[^<>]*>", re.IGNORECASE)
_TEMPLATE = re.compile(
    r"[ \t]*\{\{[<%]?[ \t]*(?:spoiler|answer|solution)\((?:[\w ]{1,40}=[\w ]{1,40},[ ]?){0,3}"
    r"(?:[ ]?(?:text|body|content)=)?[ \t]*(?P<text>[^{}]*)",
    re.IGNORECASE,
)
_END = re.compile(r"(?P<text>[^{}]*?)[ \t]*\)[ \t]*[>%]?\}\}[ \t]*")
_BLOTTED = re.compile(r"(?<![|\\])\|\|(?P<text>[^|\n]{1,200})\|\|(?!\|)")
_LETTERS = re.compile(r"[*_ ]{0,3}(?:[A-J](?:[ ]?[,&/][ ]?[A-J]){0,4})(?:[*_ ]{0,3}$|[).:][ *_])")
_OPEN, _CLOSE = "<details><summary>Answer</summary>", "</details>"
_LONGEST = 40
"""Lines of a box, at most."""


def fold_answers(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write answers that are hidden in other ways as boxes that fold, or as keys on one line."""
    for place, line in enumerate(lines):
        if code_lines[place]:
            continue
        if line.lstrip()[:1] == "<" and (block := _BLOCK.fullmatch(line)):
            _fold_block(lines, place, block["tag"].lower())
        elif "{{" in line and (template := _TEMPLATE.match(line)):
            _fold_template(lines, place, template)
        elif "||" in line and (blotted := _BLOTTED.search(line)):
            lines[place] = _uncover(line, blotted)


def _fold_block(lines: list[str], place: int, tag: str) -> None:
    """Write a block, up to the tag that closes it on a line of its own, as a box."""
    depth = 1
    for at in range(place + 1, min(place + _LONGEST, len(lines))):
        tags = [each for each in _TAGS.finditer(lines[at]) if each["tag"].lower() == tag]
        depth += sum(-1 if each["close"] else 1 for each in tags)
        if depth <= 0:
            if lines[at].strip().lower() == f"</{tag}>":
                lines[place], lines[at] = _OPEN, _CLOSE
            return


def _fold_template(lines: list[str], place: int, template: re.Match[str]) -> None:
    """Write a template with a text, on its line or those below, as a box without its quotes."""
    line = lines[place]
    if end := _END.fullmatch(line, template.start("text")):
        lines[place] = f"Answer: {_unquote(end['text'])}"
        return
    for at in range(place + 1, min(place + _LONGEST, len(lines))):
        if end := _END.fullmatch(lines[at]):
            lines[place], lines[at] = f"{_OPEN}{_unquote(template['text'])}", _CLOSE
            texts = [at for at in range(place + 1, at) if lines[at].strip()]
            for text in {*texts[:1], *texts[-1:]}:
                lines[text] = _unquote(lines[text])
            return


def _unquote(text: str) -> str:
    """Return a text without the quotation marks of a template at its ends."""
    return text.strip().strip("\"'`").strip()


def _uncover(line: str, blotted: re.Match[str]) -> str:
    """Return a line whose key is blotted out without the marks of that; any other as it is."""
    alone = not (line[: blotted.start()].strip() or line[blotted.end() :].strip())
    plain = f"{line[: blotted.start()]}{blotted['text'].strip()}{line[blotted.end() :]}"
    if alone and _LETTERS.match(blotted["text"]):
        return f"Answer: {blotted['text'].strip()}"
    return plain if begins_with_key_word(plain) and not line.lstrip().startswith("|") else line
