"""Questions whose options share their own line: "1. It flows to: a) Porto b) Sevilla". Pure."""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.letter_key.option_lists import ListOption, OptionList
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.verdicts import split_verdict

_NUMBER = re.compile(
    r"[ \t]{0,12}(?:#{1,6}[ \t]+|[-*+][ \t]+)?(?:\*\*)?(?:(?:Question|Pregunta|Q|P)[ \t.]{0,2})?"
    r"\d{1,4}[.):](?:\*\*)?[ \t]+(?=\S)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![ \t])[ \t]+\(?(?P<name>[A-Za-z])(?P<sign>[).])[ \t]+(?=\S)")
_FIRST = re.compile(r"[ \t(][aA][).][ \t]")
_FEWEST = {")": 2, ".": 3}
"""How many options a line has at least, by what stands behind their letters."""


def find_shared_lines(lines: Sequence[str]) -> Iterator[OptionList]:
    """Yield the options of each line that begins with a number and has letters from A on."""
    code_lines = find_code_lines(lines)
    for place, line in enumerate(lines):
        if code_lines[place] or not _FIRST.search(line):
            continue
        if (number := _NUMBER.match(line)) and (names := _find_names(line, number.end())):
            ends = [*(name.start() for name in names[1:]), len(line)]
            options = [
                _parse_option(place, name, line[name.end() : end])
                for name, end in zip(names, ends, strict=True)
            ]
            yield OptionList(options, prompt=line[: names[0].start()].rstrip())


def _find_names(line: str, start: int) -> list[re.Match[str]]:
    """Return the labels of options of a line, which count from A on; none where they are few."""
    names: list[re.Match[str]] = []
    for name in _NAME.finditer(line, start - 1):
        expected = chr(ord(names[-1]["name"]) + 1) if names else "aA"
        is_alike = not names or name["sign"] == names[0]["sign"]
        if name.start() > start and name["name"] in expected and is_alike:
            names.append(name)
    return names if names and len(names) >= _FEWEST[names[0]["sign"]] else []


def _parse_option(place: int, name: re.Match[str], text: str) -> ListOption:
    text = text.rstrip("\\ \t;·|/")
    plain, verdict = split_verdict(text)
    is_bold = plain.startswith("**") and plain.endswith("**")
    plain = plain.strip("*") if is_bold else plain
    text = plain if is_bold else text
    return ListOption(place, name["name"].lower(), text, plain, verdict, is_bold)
