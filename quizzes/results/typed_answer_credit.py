"""Credit for all who typed the same: an override of each of their scores, which regrades keep."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db.models.fields.json import KT

from accounts.models import User
from quizzes.bank.models import Question
from quizzes.lib.base_models import fraction_or_none
from quizzes.lib.errors import Conflict, NotFound
from quizzes.results.group_override import AnswerToOverride, override_scores
from quizzes.results.models import ItemResult, ManualGrade, Purpose
from quizzes.results.overseen_results import list_overseen_results
from quizzes.results.response_analysis import find_answer_group

_Override = tuple[Fraction | None, str]
"""A share of the points and why; no share: the computed score."""


@dataclass(frozen=True, slots=True)
class CreditedAnswer:
    """An answer of a group whose score would change: its attempt and slot, and whose it is."""

    attempt: UUID
    slot: int
    learner: int


def list_answers_to_credit(
    *, question: Question, text: str, share: Fraction, viewer: User
) -> tuple[CreditedAnswer, ...]:
    """Return the answers that are the same as this text after folding and earned another share.

    Of learners that the viewer oversees, never their own, and none at a quiz that shares a bank
    with a graded attempt that they have open. None of them typed so: NotFound.
    """
    group = find_answer_group(question=question, text=text, viewer=viewer)
    if group is None:
        raise NotFound
    rows = (
        ItemResult.objects.filter(
            version__question=question,
            grading__in=list_overseen_results(viewer).values("grading"),
            credit_numerator__isnull=False,
        )
        .exclude(credit_numerator=share.numerator, credit_denominator=share.denominator)
        .order_by("grading__attempt", "slot")
        .values_list(KT("answer__text"), "grading__attempt__uuid", "slot", "learner")
    )
    spellings = frozenset(group.spellings)
    return tuple(CreditedAnswer(*row) for typed, *row in rows.iterator() if typed in spellings)


def count_learners(answers: Iterable[CreditedAnswer]) -> int:
    """Return how many learners these answers are of."""
    return len({answer.learner for answer in answers})


def credit_typed_answers(  # noqa: PLR0913  which answers, what they earn, who says so and why
    *,
    question: Question,
    text: str,
    share: Fraction,
    reason: str,
    by: User,
    seen: int,
    now: datetime,
) -> int:
    """Override the score of all who typed the same; how many.

    Begun again, it goes on where it ended: whoever has this share is not among them. Another
    number of answers than `seen`: Conflict. Otherwise as `list_answers_to_credit` and
    `override_scores`.
    """
    answers = list_answers_to_credit(question=question, text=text, share=share, viewer=by)
    if len(answers) != seen:
        raise Conflict("answers_changed")
    chosen = [AnswerToOverride(answer.attempt, answer.slot) for answer in answers]
    refused = override_scores(answers=chosen, share=share, reason=reason, by=by, now=now)
    return len(answers) - len(refused)


def withdraw_credit(
    *, question: Question, by: User, given_at: datetime, reason: str, now: datetime
) -> int:
    """Take back what this person gave all who typed the same at this moment; of how many.

    What a person had given an answer before counts again, with what they wrote; else the computed
    score. Attempts that somebody has marked since keep theirs. Nothing was given by them then:
    NotFound.
    """
    grades = ManualGrade.objects.filter(
        grader=by, graded_at=given_at, purpose=Purpose.OVERRIDE, version__question=question
    )
    rows = [
        (attempt, uuid, slot, number)
        for attempt, uuid, slot, number in grades.values_list(
            "attempt", "attempt__uuid", "slot", "number"
        )
        if slot is not None
    ]
    if not rows:
        raise NotFound
    earlier = _load_overrides({attempt for attempt, *_ in rows})
    chosen: dict[_Override, list[AnswerToOverride]] = {}
    for attempt, uuid, slot, number in rows:
        before = [row for row in earlier.get((attempt, slot), ()) if row[0] < number]
        override = before[-1][1] if before else (None, "")
        chosen.setdefault(override, []).append(AnswerToOverride(uuid, slot, number))
    refused = 0
    for (share, comment), answers in chosen.items():
        refused += len(
            override_scores(answers=answers, share=share, reason=comment or reason, by=by, now=now)
        )
    return len(rows) - refused


def _load_overrides(
    attempts: Iterable[int],
) -> Mapping[tuple[int, int | None], Sequence[tuple[int, _Override]]]:
    """Return, by attempt and slot, the numbers of its overrides and what each said, in order.

    One that was withdrawn says nothing: no share, and no comment.
    """
    overrides: dict[tuple[int, int | None], list[tuple[int, _Override]]] = {}
    rows = ManualGrade.objects.filter(
        attempt__in=attempts, purpose__in=[Purpose.OVERRIDE, Purpose.WITHDRAWN]
    )
    for row in rows.order_by("attempt", "number"):
        share = fraction_or_none(row.share_numerator, row.share_denominator)
        override = (share, "" if share is None else row.comment)
        overrides.setdefault((row.attempt_id, row.slot), []).append((row.number, override))
    return overrides
