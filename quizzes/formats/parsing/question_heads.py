r"""Questions that a block of settings asks, and listings that are questions, line by line. Pure.

The settings stand between rules above the boxes, `question: Which river is long?`; the listings are
fenced and named for it, "\`\`\`quiz".
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from quizzes.formats.parsing.instructions import asks_for_words
from quizzes.formats.parsing.labels import strip_label

_RULE = re.compile(r"[ \t]{0,8}-{3,}[ \t]*")
_SETTING = re.compile(r"[ \t]{0,8}(?P<name>[A-Za-z][\w-]{0,30}):[ \t]+(?P<value>\S.*?)[ \t]*")
_MOST_SETTINGS = 12
_QUOTED = re.compile(r"(?P<quote>[\"'])(?P<text>.+)(?P=quote)")
_BOX = re.compile(r"[ \t]{0,12}(?:[-*+]|\d{1,2}[.)])[ \t]+\[[ xX]\][ \t]+\S")
_OPENING = re.compile(
    r"(?P<margin>[ \t]{0,8})(?P<marks>`{3,}|~{3,})[ ]?\{?[ ]?(?:(?:markdown|md)[ ])?"
    r"(?:mcq|mc|quiz|quizdown|question|multiple-?choice|single-?choice)\b[^`]{0,100}",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]{0,3}(?P<marks>`{3,}|~{3,})[ \t]*\w{0,20}[ \t]*")
_NEAR = 8
"""Lines below a block of settings in which its boxes begin."""
_FEWEST = 2
_BOLD = re.compile(r"(?P<marks>\*\*|__)(?P<text>[^*_]{3,60})(?P=marks)[ \t]*")


def open_question_listings(lines: list[str]) -> None:
    """Take the fences off listings that are named for questions, and have boxes.

    One that has but a label with its words, above boxes, becomes a heading.
    """
    for at in range(1, len(lines) - 1):
        if (fence := _FENCE.fullmatch(lines[at - 1])) and lines[at + 1].strip() == fence["marks"]:
            label = lines[at].strip("@ \t")
            is_asked = any(map(_BOX.match, lines[at + 2 : at + 2 + _NEAR]))
            if is_asked and strip_label(label, heading=False):
                lines[at - 1 : at + 2] = ["", f"#### {label}", ""]
    opening: tuple[int, str, str] | None = None
    for at, line in enumerate(lines):
        if opening is None:
            match = _OPENING.fullmatch(line) if "```" in line or "~~~" in line else None
            opening = (at, match["marks"], match["margin"]) if match else None
        elif line.strip() == opening[1]:
            start, _, margin = opening
            if sum(_BOX.match(each) is not None for each in lines[start + 1 : at]) >= _FEWEST:
                lines[start] = lines[at] = ""
                for place in range(start + 1, at):
                    lines[place] = lines[place].removeprefix(margin)
            opening = None


def comment_repeated_heads(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Make a comment of the line below a heading that counts questions and says the same again."""
    above = ""
    for at, line in enumerate(lines):
        text = line.strip()
        if not text or code_lines[at]:
            continue
        if text == above and strip_label(text, heading=False) == "":
            lines[at] = f"<!-- {text} -->"
        above = text.lstrip("#").strip() if text[0] == "#" else ""


def comment_flags(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Make comments of bold titles that tell to explain, above "true" or "false": settings."""
    for at, line in enumerate(lines):
        title = None if code_lines[at] or line[:2] not in {"__", "**"} else _BOLD.fullmatch(line)
        if title is None or not asks_for_words(title["text"]):
            continue
        near = range(at + 1, min(at + 1 + _FEWEST, len(lines)))
        below = next((place for place in near if lines[place].strip()), at)
        if lines[below].strip().lower() in {"true", "false"}:
            for place in (at, below):
                lines[place] = f"<!-- {lines[place].strip()} -->"


def open_question_heads(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write such blocks of settings as a heading that asks; the other settings are comments."""
    rules = [at for at, line in enumerate(lines) if not code_lines[at] and _RULE.fullmatch(line)]
    for opening, closing in pairwise(rules):
        if not 1 < closing - opening <= _MOST_SETTINGS + 1:
            continue
        settings = [_SETTING.fullmatch(line) for line in lines[opening + 1 : closing]]
        names = [match["name"].lower() for match in settings if match]
        below = lines[closing + 1 : closing + 1 + _NEAR]
        if not all(settings) or names.count("question") != 1 or not any(map(_BOX.match, below)):
            continue
        for at, match in enumerate(filter(None, settings), start=opening + 1):
            quoted = _QUOTED.fullmatch(match["value"])
            text = quoted["text"].replace('\\"', '"') if quoted else match["value"]
            is_asked = match["name"].lower() == "question"
            lines[at] = f"### Q{at + 1}. {text}" if is_asked else f"<!-- {lines[at].strip()} -->"
        lines[opening] = lines[closing] = ""
