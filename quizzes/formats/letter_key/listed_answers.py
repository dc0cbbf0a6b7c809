"""Numbered questions above a numbered list of their answers, each with its answer below. Pure."""

import re
from collections.abc import Sequence

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import is_key_title
from quizzes.formats.parsing.open_answers import asks_for_truth

_NUMBERED = re.compile(r"[ ]{0,3}(?P<number>\d{1,3})[.)][ \t]+(?P<text>\S.*)$")
_FEWEST = 2
_NEAR = 6


def move_listed_answers(lines: Sequence[str]) -> list[str]:
    """Return lines in which each answer of such a list is right below its question.

    The questions must ask, or be statements of a part of the page that are true or false.
    """
    moved = list(lines)
    code_lines = find_code_lines(lines)
    for title, line in enumerate(lines):
        if code_lines[title] or not is_key_title(line):
            continue
        answers = _find_entries(moved, range(title + 1, len(lines)))
        questions = _find_entries(moved, range(title - 1, -1, -1))[::-1]
        numbers = [match["number"] for _, match in questions]
        if len(answers) < _FEWEST or numbers != [match["number"] for _, match in answers]:
            continue
        first, last = questions[0][0], answers[-1][0]
        above = moved[max(first - _NEAR, 0) : first]
        asks = all(_asks(match["text"]) for _, match in questions)
        if numbers[0] != "1" or not (asks or any(map(asks_for_truth, above))):
            continue
        pairs = [
            words
            for (_, question), (_, answer) in zip(questions, answers, strict=True)
            for words in (
                f"#### {question['number']}. {question['text']}",
                f"Answer: {answer['text']}",
            )
        ]
        moved[first : last + 1] = pairs + [""] * (last + 1 - first - len(pairs))
    return moved


def _find_entries(lines: Sequence[str], places: range) -> list[tuple[int, re.Match[str]]]:
    """Return the numbered lines from a place on, up to the first other line with words."""
    entries: list[tuple[int, re.Match[str]]] = []
    for place in places:
        if not lines[place].strip():
            continue
        match = _NUMBERED.match(lines[place])
        if match is None:
            break
        entries.append((place, match))
    return entries


def _asks(text: str) -> bool:
    return text.rstrip(" *_`").endswith(("?", "？"))
