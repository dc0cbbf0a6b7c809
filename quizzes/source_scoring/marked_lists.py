"""Lists of options with a mark on the right ones, or a line that says which one is right.

Marks are boxes, ticks and crosses, "(correct)", lines struck out, one option in bold. What is not
plain is left to the reader alone: nothing is compared then.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.source_scoring.answer_credits import build_marked_rules, number_options
from quizzes.source_scoring.rules import NotComparable, SourceRules, simplify_text

_QUOTE = re.compile(r"(?:\s{0,12}>)+ ?")
_BULLET = re.compile(r"\s{0,12}[-*+•]\s+")
_LETTER = re.compile(r"\s{0,12}\(?(?P<letter>[A-Za-z])[.):](?:\s+|$)")
_TICK, _CROSS = "✅✓✔☑☒●◉■", "❌✗✘☐○◯□"
_SIGN_BEFORE = re.compile(rf"\s*(?P<sign>[{_TICK}{_CROSS}])\ufe0f?\s+(?=\S)")
_SIGN_BEHIND = re.compile(rf"(?P<text>.*\S)\s+(?P<sign>[{_TICK}{_CROSS}])\ufe0f?\s*")
_BOX = re.compile(r"\s*\\?[\[(]\s?(?P<mark>[ xX✓✔*]?)\s?\\?[\])]\s+(?=\S)")
_CALLED = re.compile(
    r"(?P<text>.*\S)\s+[*_]{0,2}(?:[(\[]|←|<-|<=)\s*[*_]{0,2}"
    r"(?:correct|right|correct[ao]|richtig|correta|certa)(?:\s+(?:answer|option|choice))?"
    r"[*_]{0,2}\s*[)\]]?[*_]{0,2}\s*",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?P<sign>\*\*|__)(?P<text>(?:(?!\*\*|__).)+)(?P=sign)[.\s]*")
_STRUCK = re.compile(r"~~(?P<text>(?:(?!~~).)+)~~[.\s]*")
_KEY = re.compile(
    r"[\W_]{0,12}(?:the\s|la\s)?(?:(?:correct|right|richtige)\s+)?"
    r"(?:answer|ans|option|choice|solution|key|correct|rpta|respuesta|opci[oó]n|clave|soluci[oó]n"
    r"|resposta|gabarito|réponse|antwort|lösung)(?:s|\(s\))?(?:\s+correct[ao]s?)?"
    r"(?:[\s*_]*[:.=→]|\s+(?:is|are|es|son|ist|est)\b:?)[*_–>-]{0,4}\s*(?P<key>\S.*)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?:,? (?:and|y|e|et|und) |, ?|; ?| ?[&/+] ?)")
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class _MarkedLine:
    """A line of a list: its letter, its words, and whether it is marked as right, or as wrong."""

    letter: str
    text: str
    mark: bool | None = None
    is_bold: bool = False


def read_marked_list(lines: Sequence[str]) -> SourceRules:
    """Return the rules of the one list of options on these lines, or raise NotComparable."""
    lines = [_QUOTE.sub("", line, count=1) for line in lines]
    entries, below = _find_list(lines)
    if len(entries) < _FEWEST:
        raise NotComparable("no_key")
    keys = [match["key"] for match in map(_KEY.match, below) if match]
    marks = _read_marks(entries)
    if keys:
        named = _read_key(entries, keys[0]) if len(keys) == 1 else []
        if not any(named) or (any(marks) and named != marks and any(_is_marked(entries))):
            raise NotComparable("no_key")
        marks = named
    if not any(marks) or all(marks):
        raise NotComparable("no_key")
    texts = [entry.text for entry in entries]
    options = number_options(texts, [parse_boolean(text) for text in texts])
    return build_marked_rules(options, marks)


def _find_list(lines: Sequence[str]) -> tuple[list[_MarkedLine], Sequence[str]]:
    """Return the options of the first list, and the lines below; of two lists none."""
    entries, end = list[_MarkedLine](), 0
    for place, line in enumerate(lines):
        entry = _read_entry(line)
        if entry is not None and entries and end != place and any(map(str.strip, lines[end:place])):
            return [], ()
        if entry is not None and not (entries and _KEY.match(line)):
            entries.append(entry)
            end = place + 1
        elif entries and line.strip():
            break
    return entries, lines[end:]


def _read_entry(line: str) -> _MarkedLine | None:
    """Return a line as an option; None of one without bullet, letter, box or sign."""
    rest, is_entry, is_bold = line.strip(), False, False
    letter, mark = "", None
    for pattern in (_BULLET, _BOX, _SIGN_BEFORE, _STRUCK, _BOLD, _LETTER, _STRUCK, _BOLD, _CALLED,
                    _SIGN_BEHIND):  # fmt: skip
        match = pattern.fullmatch(rest) if pattern in _AROUND else pattern.match(rest)
        if match is None:
            continue
        parts = match.groupdict()
        rest = parts["text"].strip() if pattern in _AROUND else rest[match.end() :]
        letter = letter or parts.get("letter", "").upper()
        is_bold = is_bold or pattern is _BOLD
        is_entry = is_entry or pattern not in {_BOLD, _SIGN_BEHIND, _CALLED}
        mark = _read_mark(pattern, parts, mark)
    return _MarkedLine(letter, rest, mark, is_bold) if is_entry and rest else None


_AROUND = (_STRUCK, _BOLD, _CALLED, _SIGN_BEHIND)
"""What stands around the words of an option, or behind them."""


def _read_mark(pattern: re.Pattern[str], parts: dict[str, str], mark: bool | None) -> bool | None:
    if pattern is _STRUCK:
        return False
    if pattern is _CALLED:
        return True
    if pattern is _BOX:
        return bool(parts["mark"].strip())
    return parts["sign"] in _TICK if pattern in (_SIGN_BEFORE, _SIGN_BEHIND) else mark


def _is_marked(entries: Sequence[_MarkedLine]) -> Iterator[bool]:
    return (bool(entry.mark) for entry in entries)


def _read_marks(entries: Sequence[_MarkedLine]) -> list[bool]:
    """Return which options are right by their marks: those marked so, else those not as wrong."""
    if any(_is_marked(entries)):
        return list(_is_marked(entries))
    if any(entry.mark is False for entry in entries):
        return [entry.mark is None for entry in entries]
    bold = [entry.is_bold for entry in entries]
    return bold if sum(bold) == 1 else [False] * len(entries)


def _read_key(entries: Sequence[_MarkedLine], key: str) -> list[bool]:
    """Return which options a key names: one by its words, or some by their letters."""
    words = simplify_text(key)
    by_text = [simplify_text(entry.text) == words for entry in entries]
    if sum(by_text) == 1:
        return by_text
    by_both = [
        simplify_text(f"{entry.letter}{entry.text}") == words if entry.letter else False
        for entry in entries
    ]
    if sum(by_both) == 1:
        return by_both
    letters = [name.strip("*_`(). ").upper() for name in _NAMES.split(key)]
    if not set(letters) <= {entry.letter for entry in entries if entry.letter}:
        return [False] * len(entries)
    return [entry.letter in letters for entry in entries]
