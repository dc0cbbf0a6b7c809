"""Listings of differences as keys: "+ Tajo" is right, "- Ebro" is not. Pure.

Such a listing has the options of a question, or names the right one of those above it.
"""

import re
from collections.abc import Iterator, Sequence

_OPEN = re.compile(r"[ \t]{0,12}```[ ]?diff[ \t]*$")
_CLOSE = re.compile(r"[ \t]*```[ \t]*$")
_LINE = re.compile(r"[ \t]*(?P<sign>[+-])[ \t]*(?P<text>[^\s+-](?:.*\S)?)[ \t]*$")
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?(?:\*\*)?\(?[A-Ja-j][.)](?:\*\*)?[ \t]+\S")
_NAME = re.compile(r"\(?[A-Ja-j](?:[.)](?:[ \t]|$)|$)")
_CODE_SIGN = re.compile(r"[=(){}\[\];<>]")
_NEXT_QUESTION = re.compile(
    r"[ \t]{0,12}(?:#{1,6}[ ]|(?:\*\*)?[QP]?\d{1,4}[.)]|(?:---|\*\*\*)[ \t]*$)"
)
_MOST = 12
_NEAR = 8


def open_differences(lines: Sequence[str]) -> list[str]:
    """Return lines with such listings as options with signs, or as a line that is a key."""
    opened = list(lines)
    for start, end in _find_listings(lines):
        within = range(start + 1, end)
        matches = {at: _LINE.match(lines[at]) for at in within if lines[at].strip()}
        signs = [match["sign"] for match in matches.values() if match]
        if len(signs) != len(matches) or "+" not in signs or len(signs) > _MOST:
            continue
        above = [line for line in lines[max(start - _NEAR, 0) : start] if line.strip()]
        is_below_options = bool(above) and _OPTION.match(above[-1]) is not None
        is_named = all(_NAME.match(match["text"]) for match in matches.values() if match)
        has_options = not is_below_options and "-" in signs and bool(above) and _asks(above[-1])
        is_code = any(_CODE_SIGN.search(match["text"]) for match in matches.values() if match)
        is_last = _ends_question(lines, end)
        if is_below_options:
            if not is_named:
                continue
        elif not has_options or not (is_named or (is_last and not is_code)):
            continue
        opened[start] = opened[end] = ""
        right = [match["text"] for match in matches.values() if match and match["sign"] == "+"]
        for at, match in matches.items():
            if match and is_below_options:
                opened[at] = f"Answer: {', '.join(right)}" if right else ""
                right = []
            elif match:
                bullet = "" if _NAME.match(match["text"]) else "- "
                opened[at] = f"{bullet}{match['text']} {'✅' if match['sign'] == '+' else '❌'}"
    return opened


def _find_listings(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of the marks around each listing of a difference."""
    start = -1
    for at, line in enumerate(lines):
        if start < 0 and _OPEN.match(line):
            start = at
        elif start >= 0 and _CLOSE.match(line):
            yield start, at
            start = -1


def _asks(line: str) -> bool:
    """Return whether a line ends as a question does."""
    return line.rstrip(" *_`#").endswith(("?", "？"))


def _ends_question(lines: Sequence[str], end: int) -> bool:
    """Return whether the next question or nothing follows a listing."""
    below = next((line for line in lines[end + 1 :] if line.strip()), "")
    return not below or _NEXT_QUESTION.match(below) is not None
