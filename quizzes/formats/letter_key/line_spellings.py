"""Options and keys in the many spellings of other people, rewritten in one, line by line. Pure."""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.parsing.quotations import unquote_page

_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_LEAD = r"^([ \t]{0,12}(?:[-*+][ \t]+)?(?:\*\*)?)"
_WORD = r"(?:Option|Choice|Opci[oó]n|Alternativa)"
_REWRITTEN: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"^(?:[ \t]*&nbsp;)+[ \t]*", " "),
        (r"(?<=\w)\\([.)])", r"\1"),
        (r"^[ \t]*<(p|li|div)>(.*)</\1>[ \t]*$", r"\2"),
        (r"</?(?:b|strong|u|mark)>", "**"),
        (rf"{_LEAD}\[([A-Z]|\d{{1,2}})\][ \t]+(?=\S)", r"\1\2) "),
        (rf"{_LEAD}`\(?([A-Z])[.):]?`[.):]?[ \t]+(?=\S)", r"\1\2. "),
        (rf"{_LEAD}{_WORD}[ ]+([A-Z]|\d)(?:\*\*)?[ \t]*[.:)](?:\*\*)?[ \t]+(?=\S)", r"\1\2. "),
        (rf"{_LEAD}([A-Z])[ \t]+\|[ \t]+(?=[^|]+$)", r"\1\2. "),
        (
            r"^([ \t]*(?:[-*+]|\(?\w[.)])[ \t]+)(?:==(?=\S)([^=]+)==|\*(?=[^\s*])([^*]+)\*)$",
            r"\1**\2\3**",
        ),
        (r"(?<=\S)[ \t]+(?:\[x\]|✓|\*{1,2})[ \t]*$", " ✅"),
        (r"(?<=\S)[ \t]+<-+[ \t]*correct.{0,10}$", " ✅"),
        (r'^[ \t]*(?:\?\?\?\+?|!!!)[ \t]*\w*[ \t]*"([^"]*)"[ \t]*$', r"<summary>\1</summary>"),
        (r"^[ \t]*>[ \t]*\[!\w+\][ \t]*$", ""),
    )
)
_BREAK = re.compile(r"(?<![ \t])[ \t]*<br ?/?>[ \t]*(?=\(?[B-Z][.)][ \t])", re.IGNORECASE)
_TIGHT = re.compile(rf"{_LEAD}([A-J])[.)](?=[^\s.)*_\d])")
_NEAR = 3
_SHORTEST = 3
"""Characters of the shortest line that is spelled in another way: `b.x`."""


def simplify_spellings(text: str) -> str:
    """Return a page with as many lines, each spelled in the most usual way; listings as they are.

    `[B] text`, `Option B: text`, `B.text` become `B. text`; marks of a right option a tick or bold.
    """
    lines = unquote_page(text).split("\n")
    is_code = False
    for at, line in enumerate(lines):
        is_code ^= _FENCE.match(line) is not None
        if not is_code:
            lines[at] = _simplify(line)
    for at in _find_tight(lines):
        lines[at] = _TIGHT.sub(r"\1\2. ", lines[at], count=1)
    return "\n".join(lines)


def _simplify(line: str) -> str:
    if len(line.strip()) < _SHORTEST:
        return line
    for pattern, written in _REWRITTEN:
        line = pattern.sub(written, line)
    return _BREAK.sub("   ", line)


def _find_tight(lines: Sequence[str]) -> Iterator[int]:
    """Yield the places of labels without a blank that count on with one near them."""
    labels = [(at, match[2]) for at, line in enumerate(lines) if (match := _TIGHT.match(line))]
    for n, (at, letter) in enumerate(labels):
        beside = [*labels[max(n - 1, 0) : n], *labels[n + 1 : n + 2]]
        if any(
            abs(other - at) <= _NEAR and ord(name) - ord(letter) == (1 if other > at else -1)
            for other, name in beside
        ):
            yield at
