"""Histories of attempts for tests: taken, graded anew with other credits, and what is counted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.db import transaction

from accounts.models import Membership, Role, User
from grading import totals
from grading.contract import ItemScore, LedgerLine
from quizzes.attempts.journal import with_chain
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt
from quizzes.bank.models import Bank, Question
from quizzes.results.grading_records import GradingReason, load_grading_input, record_grading
from quizzes.results.models import Reason, Result
from quizzes.results.scoring import score_attempt
from quizzes.statistics.counting import count_changes
from quizzes.statistics.models import CountedAttempt, CountedRow, QuizVersionStatistics
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_question, create_quiz
from tests.users import Users, create_user


def create_learners(users: Users, names: Sequence[str]) -> list[User]:
    learners = [create_user(name) for name in names]
    Membership.objects.bulk_create(
        Membership(group=users.group, user=learner, role=Role.LEARNER) for learner in learners
    )
    return learners


def grade_anew(attempt: Attempt, changed_credits: Mapping[int, Fraction]) -> None:
    """Append a grading in which these slots earn other credits, as a regrade does."""
    row = with_chain(Attempt.objects.filter(pk=attempt.pk)).select_related("quiz_grade").get()
    grading_input = load_grading_input(row)
    scored = score_attempt(
        grading_input.manifest,
        grading_input.answers,
        grading_input.public_versions,
        grading_input.keys,
    )
    item_scores = [
        _change_credit(item_score, changed_credits[slot]) if slot in changed_credits else item_score
        for slot, item_score in enumerate(scored.item_scores)
    ]
    total = sum(
        (
            item_score.credit * slot.points
            for item_score, slot in zip(item_scores, grading_input.manifest.slots, strict=True)
            if isinstance(item_score, ItemScore)
        ),
        Fraction(),
    )
    passed = totals.is_passed(total, scored.maximum, grading_input.manifest.threshold)
    changed = replace(scored, item_scores=tuple(item_scores), total=total, passed=passed)
    number = Result.objects.select_related("grading").get(attempt=row).grading.number
    reason = GradingReason(Reason.REGRADE, previous_number=number)
    with transaction.atomic():
        record_grading(row, grading_input, changed, reason, NOW)


def _change_credit(item_score: Any, credit: Fraction) -> ItemScore:
    line = LedgerLine(part="regrade", chosen=None, right=None, earned=credit, reason="regrade")
    changed: ItemScore = replace(item_score, credit=credit, ledger=(line,))
    return changed


def take_table(users: Users, into: Bank, table: Sequence[Sequence[Any]]) -> list[Question]:
    """Have a learner a row earn these credits for questions of one point; return the questions."""
    questions = [
        create_question(into, f"q{place}", right="a", kind="single_choice")
        for place in range(len(table[0]))
    ]
    quiz = create_quiz(users, questions)
    learners = create_learners(users, [f"row{place}" for place in range(len(table))])
    for learner, marks in zip(learners, table, strict=True):
        attempt = take_quiz(quiz, learner, dict.fromkeys(range(len(questions)), "a"))
        drawn = [slot.question for slot in Manifest.from_json(attempt.manifest).slots]
        grade_anew(
            attempt,
            {
                drawn.index(question.uuid): Fraction(mark)
                for question, mark in zip(questions, marks, strict=True)
            },
        )
    return questions


def count_all() -> int:
    """Count until nothing is left; return how many attempts were looked at."""
    looked_at = 0
    while batch := count_changes():
        looked_at += batch
    return looked_at


def read_report() -> dict[str, Any]:
    """Return the one report that is stored."""
    report: dict[str, Any] | None = QuizVersionStatistics.objects.get().report
    assert report is not None
    return report


def read_counts() -> list[Any]:
    """Return everything that is counted, in an order of its own."""
    rows = CountedRow.objects.values_list(
        *("quiz_version", "version", "language", "attempt_number", "table", "row", "count")
    )
    attempts = CountedAttempt.objects.values_list("attempt", "grading", "language")
    digests = [(row.attempt_id, bytes(row.digests).hex()) for row in CountedAttempt.objects.all()]
    return [sorted(rows, key=repr), sorted(attempts), sorted(digests)]
