"""Reading what a page sent so that one part without sense costs no other: gap by gap, pair by pair.

A kind reads an answer whole or not at all (grading/contract.py). Both doors of the page read here.
"""

from collections.abc import Iterable
from typing import Any

from grading.contract import Json, Unreadable
from grading.kinds import KINDS
from quizzes.bank.selectors import Paper
from quizzes.web import words
from quizzes.web.kinds import WEB_KINDS, NamesPlaces

Read = tuple[dict[str, Any] | None, tuple[Unreadable, ...]]


def read(paper: Paper, raw: Json) -> Read:
    """Read an answer as far as it can be read, and tell what had to be left out for that.

    Each `where` leads to a part (`gaps.<id>.typed`: the gap); that is left out, and the rest read
    again, once a part at most. If nothing then remains, the answer is None beside what is wrong.
    """
    wrong: list[Unreadable] = []
    left = raw
    while isinstance(answer := KINDS[paper.kind].read(paper.content, left), Unreadable):
        wrong.append(answer)
        left = _without(left, place(answer))
        if left is None:
            return None, tuple(wrong)
    return answer, tuple(wrong)


def place(problem: Unreadable) -> str:
    """Return the part of the answer that a problem is about, as a path: `gaps.<id>`; `text`."""
    return ".".join(where(problem).split(".")[:2])


def where(problem: Unreadable) -> str:
    """Return the path of a problem."""
    return str(problem.detail.get("where", ""))


def sentence(paper: Paper, wrong: Iterable[Unreadable], language: str) -> str:
    """Return what is wrong in words, each time with the part, where the kind has a name for it."""
    return " ".join(_problem_sentence(paper, problem, language) for problem in wrong)


def _problem_sentence(paper: Paper, problem: Unreadable, language: str) -> str:
    kind, text = WEB_KINDS[paper.kind], words.unreadable(problem.code)
    name = kind.place(paper, place(problem), language) if isinstance(kind, NamesPlaces) else ""
    return f"{name}: {text}" if name else text


def _without(raw: Json, path: str) -> Json:
    """Leave out one of several named parts; None if the path leads to no such part."""
    several, _dot, name = path.partition(".")
    parts = raw.get(several) if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(parts, dict) or name not in parts:
        return None
    return {**raw, several: {key: value for key, value in parts.items() if key != name}}
