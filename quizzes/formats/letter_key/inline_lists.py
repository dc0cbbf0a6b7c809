"""Options on one line after a word: "Choices: red; green; blue". Pure."""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.letter_key.option_lists import ListOption, OptionList
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.option_labels import count_on
from quizzes.formats.parsing.verdicts import split_verdict

_LINE = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+)?(?:\*\*|__|\*|_)?"
    r"(?:(?:answer|possible|multiple)[ ])?(?:options?|choices?|opciones|alternativas)"
    r"(?:\*\*|__|\*|_)?[ ]?[:：](?:\*\*|__|\*|_)?[ \t]+(?P<options>\S.*)$",
    re.IGNORECASE,
)
_NAME = re.compile(r"\(?(?P<name>[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):][ \t]+(?=\S)")
_SEPARATORS = (
    r"[ \t]*;[ \t]*",
    r"[ \t]+\|[ \t]+",
    r"[ \t]+/[ \t]+",
    r"[ \t]+[•·][ \t]+",
    r",[ \t]+",
)
_MOST = 12


def find_inline_lists(lines: Sequence[str]) -> Iterator[OptionList]:
    """Yield the options of each such line; all stand in its place."""
    code_lines = find_code_lines(lines)
    for place, line in enumerate(lines):
        match = (
            None if code_lines[place] or ":" not in line.replace("：", ":") else _LINE.match(line)
        )
        if match and len(options := _split_options(match["options"], place)) > 1:
            yield OptionList(options)


def _split_options(text: str, place: int) -> list[ListOption]:
    """Return the options of a text, by the strongest sign that separates them."""
    for separator in _SEPARATORS:
        parts = [part.strip() for part in re.split(separator, text.rstrip("\\ \t.;"))]
        if 1 < len(parts) <= _MOST and all(parts):
            return _name_options(parts, place)
    return []


def _name_options(parts: Sequence[str], place: int) -> list[ListOption]:
    """Return options; their labels are their names where they count from the first."""
    labels = [_NAME.match(part) for part in parts]
    if not all(labels) or not count_on([label["name"] for label in labels if label]):
        labels = [None] * len(parts)
    options: list[ListOption] = []
    for part, label in zip(parts, labels, strict=True):
        text = part[label.end() :] if label else part
        plain, verdict = split_verdict(text)
        is_bold = plain.startswith("**") and plain.endswith("**")
        plain = plain.strip("*") if is_bold else plain
        name = label["name"].lower() if label else ""
        options.append(ListOption(place, name, plain if is_bold else text, plain, verdict, is_bold))
    return options
