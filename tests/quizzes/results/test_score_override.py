"""A person's score in place of the computed one: appended, exact, kept, taken back."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.publishing.models import Quiz
from quizzes.results.grading_recomputation import verify
from quizzes.results.manual_grading import override_score
from quizzes.results.models import Grading, ItemResult, ManualGrade, Result
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, later, save_choice, start
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz(users) -> Quiz:
    """Two questions of a point each; a learner passes with 80 %."""
    bank = create_bank(users)
    questions = [
        create_question(bank, "first", right="b", kind="single_choice"),
        create_question(bank, "second", right="b", kind="single_choice"),
    ]
    return create_quiz(users, questions, pass_percent=80)


@pytest.fixture
def attempt(users, quiz) -> Attempt:
    """The first answer is right, the second wrong."""
    attempt = start(quiz, users.learner)
    save_choice(attempt, 0, "b")
    save_choice(attempt, 1, "a")
    return finish(attempt)


def override(
    attempt: Attempt, by, share: Fraction | None, slot: int = 1, **more: Any
) -> ManualGrade:
    fields: dict[str, Any] = {"reason": "Its option c was unclear", "now": later(hours=1)} | more
    return override_score(attempt=attempt.uuid, slot=slot, share=share, by=by, **fields)


def load_item(attempt: Attempt, viewer, slot: int = 1):
    report = load_report(attempt=attempt.uuid, viewer=viewer, language="en", now=later(hours=2))
    return report.questions[slot]


def load_total(attempt: Attempt) -> tuple[Any, bool]:
    grading = Result.objects.get(attempt=attempt).grading
    return grading.total, grading.passed


def find_differences(attempt: Attempt) -> list[str]:
    return [str(difference) for _, differences in verify([attempt]) for difference in differences]


def test_a_person_s_score_counts_and_the_computed_one_stays_on_record(users, attempt):
    assert load_total(attempt) == (1, False)
    override(attempt, users.instructor, Fraction(2, 3))
    assert load_total(attempt) == (Fraction(5, 3), True)
    first, second = Grading.objects.order_by("number")
    assert (first.total, second.total) == (Fraction(1), Fraction(5, 3))
    assert (second.reason, second.by) == ("marked", users.instructor)
    assert find_differences(attempt) == []


def test_the_ledger_has_what_was_computed_and_what_the_person_changed(users, attempt):
    before = load_item(attempt, users.instructor)
    override(attempt, users.instructor, Fraction(2, 3))
    item = load_item(attempt, users.instructor)
    assert item.ledger[: len(before.ledger)] == before.ledger
    change = item.ledger[-1]
    assert (change.part, change.earned, change.reason) == (
        "overridden",
        Fraction(2, 3),
        "overridden",
    )
    assert sum(line.earned for line in item.ledger) == item.credit == Fraction(2, 3)


def test_the_learner_reads_the_newest_reason(users, attempt):
    override(attempt, users.instructor, Fraction(1, 3), reason="First thought")
    override(attempt, users.administrator, Fraction(1), reason="Second thought")
    item = load_item(attempt, users.learner)
    assert item.comments == ("Second thought",)
    assert load_total(attempt) == (2, True)


def test_a_score_is_taken_away_too_never_below_zero(users, attempt):
    override(attempt, users.instructor, Fraction(0), slot=0)
    assert load_total(attempt) == (0, False)
    with pytest.raises(Invalid, match="share_out_of_range"):
        override(attempt, users.instructor, Fraction(-1, 2))
    with pytest.raises(Invalid, match="share_out_of_range"):
        override(attempt, users.instructor, Fraction(3, 2))
    with pytest.raises(Invalid, match="denominator_too_large"):
        override(attempt, users.instructor, Fraction(1, 10_001))


def test_withdrawn_the_computed_score_counts_again(users, attempt):
    override(attempt, users.instructor, Fraction(1))
    override(attempt, users.instructor, None, reason="A mistake of mine")
    assert load_total(attempt) == (1, False)
    item = load_item(attempt, users.instructor)
    assert (item.credit, item.comments) == (0, ())
    assert "overridden" not in item.reasons
    assert list(ManualGrade.objects.order_by("number").values_list("purpose", flat=True)) == [
        "override",
        "withdrawn",
    ]
    assert Grading.objects.count() == 3
    assert find_differences(attempt) == []


def test_what_is_not_overridden_is_not_withdrawn(users, attempt):
    with pytest.raises(Refused, match="not_overridden"):
        override(attempt, users.instructor, None)
    override(attempt, users.instructor, Fraction(1))
    override(attempt, users.instructor, None)
    with pytest.raises(Refused, match="not_overridden"):
        override(attempt, users.instructor, None)


def test_there_is_no_override_without_a_reason(users, attempt):
    with pytest.raises(Invalid, match="reason_missing"):
        override(attempt, users.instructor, Fraction(1), reason=" \n ")
    assert not ManualGrade.objects.exists()


def test_what_somebody_marked_meanwhile_is_not_overwritten(users, attempt):
    override(attempt, users.instructor, Fraction(1, 2), seen=0)
    with pytest.raises(Conflict, match="marked_meanwhile"):
        override(attempt, users.administrator, Fraction(1), seen=0)
    override(attempt, users.administrator, Fraction(1), seen=1)
    assert load_total(attempt) == (2, True)


@pytest.mark.parametrize("slot", [-1, 2])
def test_a_question_that_the_attempt_does_not_have_is_refused(users, attempt, slot):
    with pytest.raises(Invalid, match="unknown_slot"):
        override(attempt, users.instructor, Fraction(1), slot=slot)


def test_nobody_overrides_their_own_score_nor_that_of_another_class(users, attempt):
    for person in (users.learner, users.outsider, users.other_learner):
        with pytest.raises(NotFound):
            override(attempt, person, Fraction(1))


def test_an_open_attempt_has_no_score_to_override(users, quiz):
    with pytest.raises(Refused, match="not_graded"):
        override(start(quiz, users.learner), users.instructor, Fraction(1))


def test_what_waits_for_a_person_is_graded_and_what_is_unanswered_may_be_overridden(users):
    quiz = create_quiz(users, [create_essay(create_bank(users))])
    waiting = attempt_with_essay(quiz, users.learner)
    with pytest.raises(Refused, match="waits_for_person"):
        override(waiting, users.instructor, Fraction(1), slot=0)
    unanswered = finish(start(quiz, users.other_learner))
    override(unanswered, users.instructor, Fraction(1, 2), slot=0, reason="Handed in on paper")
    assert load_total(unanswered)[0] == Fraction(1, 2)
    assert find_differences(unanswered) == []


def test_an_override_does_not_stand_in_the_way_of_grading_another_question(users):
    bank = create_bank(users)
    choice = create_question(bank, "choice", right="b", kind="single_choice")
    attempt = attempt_with_essay(create_quiz(users, [create_essay(bank), choice]), users.learner)
    override(attempt, users.instructor, Fraction(1), slot=1)
    grade_essay(attempt, users.instructor)
    assert ItemResult.objects.filter(
        grading__attempt=attempt,
        grading__number=3,
        slot=1,
        credit_numerator=1,
        credit_denominator=1,
    ).exists()
    assert find_differences(attempt) == []


def test_it_stands_in_the_audit_log_with_the_totals(users, attempt):
    override(attempt, users.instructor, Fraction(1))
    event = AuditEvent.objects.get(code=AuditCode.GRADED_BY_HAND)
    assert event.actor == users.instructor.uuid
    before, after = event.before or {}, event.after or {}
    assert after["purpose"] == "override"
    assert (before["passed"], after["passed"]) == (False, True)


@pytest.mark.parametrize(
    "fields",
    [
        {"purpose": "override", "levels": {"a": "b"}},
        {"purpose": "override"},
        {"purpose": "withdrawn", "share_numerator": 1, "share_denominator": 2},
        {"purpose": "first"},
    ],
)
def test_the_database_takes_no_override_without_its_share(users, attempt, fields):
    grade = override(attempt, users.instructor, Fraction(1))
    values = {
        field.attname: getattr(grade, field.attname)
        for field in ManualGrade._meta.concrete_fields
        if field.attname not in {"id", "levels", "share_numerator", "share_denominator"}
    }
    with pytest.raises(IntegrityError, match="by_levels_or_share"), transaction.atomic():
        ManualGrade.objects.create(**values | {"number": 2} | fields)


def test_an_earlier_grading_reads_the_marks_of_its_time(users, attempt):
    override(attempt, users.instructor, Fraction(1, 4))
    override(attempt, users.instructor, None)
    override(attempt, users.instructor, Fraction(3, 4))
    totals = [grading.total for grading in Grading.objects.order_by("number")]
    assert totals == [1, Fraction(5, 4), 1, Fraction(7, 4)]
    assert find_differences(attempt) == []
