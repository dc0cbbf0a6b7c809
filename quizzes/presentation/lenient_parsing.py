"""Parsing an answer so that one part without sense costs no other: gap by gap, pair by pair.

A kind reads an answer whole or not at all (grading/contract.py). A posted form and a save by
script are both parsed here.
"""

from collections.abc import Iterable
from typing import Any

from grading.contract import InvalidAnswer
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation.kinds import PRESENTED_KINDS, NamesParts
from quizzes.presentation.messages.attempts import describe_format_error

LenientAnswer = tuple[dict[str, Any] | None, tuple[InvalidAnswer, ...]]


def parse_leniently(public_version: PublicVersion, raw: Json) -> LenientAnswer:
    """Return an answer as far as it can be read, and the problems of what was left out for that.

    Each `where` leads to a part (`gaps.<id>.typed`: the gap); that is left out, and the rest read
    again, once a part at most. If nothing then remains, the answer is None beside the problems.
    """
    problems: list[InvalidAnswer] = []
    rest = raw
    while isinstance(
        answer := KINDS[public_version.kind].parse(public_version.content, rest), InvalidAnswer
    ):
        problems.append(answer)
        rest = _without(rest, part_path(answer))
        if rest is None:
            return None, tuple(problems)
    return answer, tuple(problems)


def part_path(problem: InvalidAnswer) -> str:
    """Return the part of the answer that a problem is about, as a path: `gaps.<id>`; `text`."""
    return ".".join(str(problem.detail.get("where", "")).split(".")[:2])


def describe_problems(
    public_version: PublicVersion, problems: Iterable[InvalidAnswer], language: str
) -> str:
    """Return a sentence a problem, each with the part, where the kind has a name for it."""
    return " ".join(_describe_problem(public_version, problem, language) for problem in problems)


def _describe_problem(public_version: PublicVersion, problem: InvalidAnswer, language: str) -> str:
    kind, sentence = PRESENTED_KINDS[public_version.kind], describe_format_error(problem.code)
    path = part_path(problem)
    name = kind.part_name(public_version, path, language) if isinstance(kind, NamesParts) else ""
    return f"{name}: {sentence}" if name else sentence


def _without(raw: Json, path: str) -> Json:
    """Return an answer without one of several named parts; None if the path leads to none."""
    table, _dot, name = path.partition(".")
    parts = raw.get(table) if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(parts, dict) or name not in parts:
        return None
    return {**raw, table: {key: part for key, part in parts.items() if key != name}}
