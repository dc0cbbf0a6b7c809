"""Reading the layer of marks that persons gave: no regrade touches it, every grading reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading.contract import ItemScore
from grading.rubric.marking import mark_by, mark_share
from grading.rubric.structure import rubric
from quizzes.bank.selectors import Secret, secrets
from quizzes.results.judging import Judgement
from quizzes.results.models import PersonMark

FIELDS = (
    "number",
    "slot",
    "version__uuid",
    "marker_id",
    "purpose",
    "levels",
    "share_numerator",
    "share_denominator",
    "comment",
)


@dataclass(frozen=True, slots=True)
class Persons:
    """The marks by persons of one attempt: how many there are, and what they say, by slot."""

    count: int = 0
    by_slot: Mapping[int, Sequence[Judgement]] = field(default_factory=dict)


NOBODY = Persons()


def persons_of(attempt: int, most: int | None = None) -> Persons:
    """Read the marks of an attempt in their order, all or the first so many.

    Each is worked out by the key of the version that its marker had before them. For none there is
    no query.
    """
    if most == 0:
        return NOBODY
    rows = PersonMark.objects.filter(attempt=attempt).order_by("number")
    if most is not None:
        rows = rows.filter(number__lte=most)
    marks = list(rows.values(*FIELDS))
    keys = secrets(row["version__uuid"] for row in marks)
    by_slot: dict[int, list[Judgement]] = {}
    for row in marks:
        by_slot.setdefault(row["slot"], []).append(_judgement(row, keys[row["version__uuid"]]))
    return Persons(len(marks), by_slot)


def _judgement(row: Mapping[str, Any], secret: Secret) -> Judgement:
    key_rubric, levels = rubric(secret.key), row["levels"] or {}
    return Judgement(
        number=row["number"],
        marker=row["marker_id"],
        purpose=row["purpose"],
        mark=_mark(row, secret),
        markers=key_rubric.markers,
        comment=row["comment"],
        # A database may keep the names of an object in an order of its own.
        levels={
            criterion.id: levels[criterion.id]
            for criterion in key_rubric.criteria
            if criterion.id in levels
        },
    )


def _mark(row: Mapping[str, Any], secret: Secret) -> ItemScore:
    if row["levels"] is not None:
        return mark_by(secret.key, row["levels"])
    return mark_share(row["share_numerator"], row["share_denominator"])
