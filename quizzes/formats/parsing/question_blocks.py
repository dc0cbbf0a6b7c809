"""Blocks between colons that are questions, ":::: question", as headings, line by line. Pure.

Such a page has its hints in blocks, too, and inputs of HTML whose value is the key.
"""

import re
from collections.abc import Sequence

_OPENING = re.compile(r":{3,}[ ]?(?P<kind>[a-z-]{3,20})[ ]?:*[ \t]*", re.IGNORECASE)
_CLOSING = re.compile(r":{3,}[ \t]*")
_INPUT = re.compile(
    r"[ \t]*<input\b(?=[^<>]*\btype=[\"']?(?:number|text)\b)[^<>]*\bvalue=[\"'](?P<value>[^\"'<>]+)"
    r"[\"'][^<>]*>[ \t]*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+")
_LINE = re.compile(r":{3,}[ ]?question[ ]?:*[ \t]*", re.IGNORECASE)


def open_question_blocks(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write such blocks as headings that count questions, hints as lines, inputs as keys."""
    places = [at for at, line in enumerate(lines) if line[:3] == ":::" and not code_lines[at]]
    if not any(_LINE.fullmatch(lines[at]) for at in places):
        return
    count, hint = 0, -1  # the line on which a hint begins
    kinds: list[str] = []  # of the blocks that are open
    for at, line in enumerate(lines):
        opening = _OPENING.fullmatch(line) if line[:3] == ":::" else None
        if code_lines[at]:
            continue
        if opening:
            kinds.append(opening["kind"].lower())
            count += kinds[-1] == "question"
            lines[at] = f"#### Question {count}" if kinds[-1] == "question" else ""
        elif kinds and _CLOSING.fullmatch(line):
            kinds.pop()
            lines[at], hint = "", -1
        elif kinds and kinds[-1] in {"hint", "hints"} and line.strip():
            is_first = hint < 0 or _BULLET.match(line)
            if is_first:
                lines[at], hint = f"Hint: {_BULLET.sub('', line.strip(), count=1)}", at
            else:
                lines[hint], lines[at] = f"{lines[hint]} {line.strip()}", ""
        elif "question" in kinds and (value := _INPUT.fullmatch(line)):
            lines[at] = f"Answer: {value['value']}"
