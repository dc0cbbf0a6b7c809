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


def place(found: Unreadable) -> str:
    """Give the part of the answer that it is about, as a path: `gaps.<id>`; `text`."""
    return ".".join(where(found).split(".")[:2])


def where(found: Unreadable) -> str:
    """Give the path it was found at."""
    return str(found.detail.get("where", ""))


def sentence(paper: Paper, wrong: Iterable[Unreadable], language: str) -> str:
    """Say what is wrong, each time at which part, where the kind has a name for it."""
    return " ".join(_said(paper, one, language) for one in wrong)


def _said(paper: Paper, found: Unreadable, language: str) -> str:
    kind, said = WEB_KINDS[paper.kind], words.unreadable(found.code)
    name = kind.place(paper, place(found), language) if isinstance(kind, NamesPlaces) else ""
    return f"{name}: {said}" if name else said


def _without(raw: Json, path: str) -> Json:
    """Leave out one of several named parts; None if the path leads to no such part."""
    several, _dot, name = path.partition(".")
    parts = raw.get(several) if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(parts, dict) or name not in parts:
        return None
    return {**raw, several: {key: value for key, value in parts.items() if key != name}}
