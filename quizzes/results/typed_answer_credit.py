"""Credit for all who typed the same: an override of each of their scores, which regrades keep."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from django.db.models.fields.json import KT

from accounts.models import User
from quizzes.bank.models import Question
from quizzes.lib.errors import Conflict, NotFound
from quizzes.results.group_override import AnswerToOverride, override_scores
from quizzes.results.models import ItemResult, ManualGrade, Purpose
from quizzes.results.overseen_results import list_overseen_results
from quizzes.results.response_analysis import find_answer_group


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

    The computed score counts again. Attempts that somebody has marked since keep theirs. Nothing
    was given by them then: NotFound.
    """
    grades = ManualGrade.objects.filter(
        grader=by, graded_at=given_at, purpose=Purpose.OVERRIDE, version__question=question
    )
    chosen = [
        AnswerToOverride(attempt, slot, number)
        for attempt, slot, number in grades.values_list("attempt__uuid", "slot", "number")
        if slot is not None
    ]
    if not chosen:
        raise NotFound
    refused = override_scores(answers=chosen, share=None, reason=reason, by=by, now=now)
    return len(chosen) - len(refused)
