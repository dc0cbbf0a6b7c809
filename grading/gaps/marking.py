"""Marking gaps: each is marked by its family, and counts by its points beside the others.

The ledger tells gap after gap: a line named by the gap says how it went, then come the lines of
its family, as shares of the whole.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.contract import EVERYTHING, NOTHING, Answer, Content, Json, Key, Line, Mark
from grading.gaps.families import FAMILIES
from grading.gaps.parts import Part, parts
from grading.partial import ALL_OR_NOTHING, verdict

PER_GAP = "per_gap"
SCHEMES = (PER_GAP, ALL_OR_NOTHING)

UNANSWERED = "unanswered"
WITHDRAWN = "withdrawn"
"""Answered once, but the version now marked by no longer has this gap, or asks something else."""

VERDICTS = frozenset({"full_credit", "partial_credit", "no_credit", UNANSWERED})


@dataclass(frozen=True, slots=True)
class Marked:
    """What became of one gap: its lines, and the causes that its family names."""

    lines: tuple[Line, ...]
    causes: tuple[str, ...] = ()
    answered: bool = True


def model_answer(content: Content, key: Key) -> Answer:
    """Give the model answer of each gap."""
    found = parts(content, key)
    return {"gaps": {one.gap.id: one.family.solution(one.rows, key) for one in found}}


def mark(content: Content, key: Key, answer: Json, scheme: str) -> Mark:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    given, found = _given(answer), parts(content, key)
    marked = [_part(one, json.dumps(given.get(one.gap.id))) for one in found]
    gone = given.keys() - {one.gap.id for one in found}
    marked += [Marked((_withdrawn(id_),), (WITHDRAWN,), answered=False) for id_ in sorted(gone)]
    lines = tuple(line for one in marked for line in one.lines)
    earned = sum((line.earned for line in lines if line.earned), NOTHING)
    rules = _rules(scheme, earned)
    credit = earned + sum((line.earned for line in rules), NOTHING)
    causes = dict.fromkeys(cause for one in marked for cause in one.causes)
    applied = (line.reason for line in rules)
    answered = any(one.answered for one in marked)
    return Mark(credit, (*lines, *rules), (_verdict(credit, answered=answered), *causes, *applied))


def _given(answer: Json) -> Mapping[str, Json]:
    if answer is None:
        return {}
    given = answer.get("gaps") if isinstance(answer, dict) else None
    if not isinstance(given, dict) or not given:
        raise ValueError("not a canonical answer")
    return given


@lru_cache(maxsize=8192)
def _part(one: Part, stored: str) -> Marked:
    """Mark one gap, once for all who filled it alike; `stored` is the answer as JSON."""
    answer = json.loads(stored)
    if answer is None:
        line = Line(one.gap.id, None, None, NOTHING, UNANSWERED)
        return Marked((line,), answered=False)
    if _form(answer) != one.family.form:
        return Marked((_withdrawn(one.gap.id),), (WITHDRAWN,), answered=False)
    made = one.mark(answer)
    lines = (_said(one.gap.id, made.credit), *_lines(one, made))
    return Marked(lines, tuple(reason for reason in made.reasons if reason not in VERDICTS))


def _form(answer: Json) -> str:
    """Tell which family an answer is of: a gap may have been of another kind once."""
    forms = [family.form for family in FAMILIES.values()]
    names = answer.keys() if isinstance(answer, dict) else ()
    found = [form for form in forms if form in names]
    if len(found) != 1:
        raise ValueError("not a canonical answer of a gap")
    return found[0]


def _said(id_: str, credit: Fraction) -> Line:
    if credit == EVERYTHING:
        return Line(id_, chosen=True, right=True, earned=NOTHING, reason="gap_right")
    reason = "gap_partly" if credit else "gap_wrong"
    return Line(id_, chosen=True, right=False, earned=NOTHING, reason=reason)


def _lines(one: Part, made: Mark) -> Iterator[Line]:
    """Give the lines of the family as shares of the whole; what is no row's is the gap's."""
    for line in made.ledger:
        part = line.part if line.part in one.ids else one.gap.id
        yield Line(part, line.chosen, line.right, line.earned * one.share, line.reason)


def _withdrawn(id_: str) -> Line:
    return Line(id_, chosen=True, right=None, earned=NOTHING, reason=WITHDRAWN)


def _rules(scheme: str, earned: Fraction) -> tuple[Line, ...]:
    if scheme == ALL_OR_NOTHING and NOTHING < earned < EVERYTHING:
        return (Line(ALL_OR_NOTHING, None, None, -earned, "not_all_right"),)
    return ()


def _verdict(credit: Fraction, *, answered: bool) -> str:
    return verdict(credit) if answered else UNANSWERED
