"""A person's score of a whole attempt, and comments without a score: appended, kept, taken back."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.publishing.models import Quiz
from quizzes.results.manual_grading import comment_on_answer, override_score, override_total
from quizzes.results.models import ManualGrade, Purpose, RegradeAction, RegradePolicy, Result
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_question, create_quiz
from tests.quizzes.results.test_regrade_actions import apply, list_scores
from tests.regrade_helpers import correct_key, find_differences

pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(into):
    return [create_question(into, f"q{n}", right="ab") for n in range(2)]


@pytest.fixture
def quiz(users, questions) -> Quiz:
    return create_quiz(users, questions, pass_percent=80, window_attempts=None)


@pytest.fixture
def attempt(users, quiz) -> Attempt:
    """The first answer is right, the second is missing."""
    return take_quiz(quiz, users.learner, {0: "ab"})


def set_total(attempt: Attempt, by: Any, share: Fraction | None, **more: Any) -> ManualGrade:
    fields: dict[str, Any] = {"reason": "Two days late", "now": later(hours=1)} | more
    return override_total(attempt=attempt.uuid, share=share, by=by, **fields)


def comment(attempt: Attempt, by: Any, text: str, slot: int = 0) -> ManualGrade:
    return comment_on_answer(
        attempt=attempt.uuid, slot=slot, comment=text, by=by, now=later(hours=1)
    )


def report(attempt: Attempt, viewer: Any) -> Any:
    return load_report(attempt=attempt.uuid, viewer=viewer, language="en", now=later(hours=2))


def test_a_person_s_total_counts_with_its_reason_and_is_taken_back(users, quiz, attempt):
    assert list_scores(quiz) == [(1, 2, False)]
    set_total(attempt, users.instructor, Fraction(9, 10))
    assert list_scores(quiz) == [(Fraction(9, 5), 2, True)]
    assert report(attempt, users.learner).total_reason == "Two days late"
    assert [item.earned for item in report(attempt, users.learner).questions] == [1, 0]
    set_total(attempt, users.instructor, None, reason="It was in time")
    assert list_scores(quiz) == [(1, 2, False)]
    assert report(attempt, users.learner).total_reason == ""
    assert find_differences() == []


def test_no_mark_and_no_regrade_changes_it(users, quiz, attempt, questions):
    set_total(attempt, users.instructor, Fraction(1, 4))
    override_score(
        attempt=attempt.uuid,
        slot=1,
        share=Fraction(1),
        reason="Unclear",
        by=users.instructor,
        now=later(hours=1),
    )
    assert list_scores(quiz) == [(Fraction(1, 2), 2, False)]
    correct_key(questions[0], "c")
    apply(quiz, questions[0], users, RegradePolicy.BY_KEY, RegradeAction.KEY)
    assert list_scores(quiz) == [(Fraction(1, 2), 2, False)]
    apply(quiz, questions[0], users, RegradePolicy.BY_KEY, RegradeAction.DROP)
    assert list_scores(quiz) == [(Fraction(1, 4), 1, False)]
    set_total(attempt, users.instructor, None)
    assert list_scores(quiz) == [(1, 1, True)]
    assert find_differences() == []


def test_it_waits_for_the_last_answer_that_a_person_grades(users, into):
    quiz = create_quiz(users, [create_essay(into, "essay")], slug="written")
    attempt = attempt_with_essay(quiz, users.learner)
    with pytest.raises(Refused, match="waits_for_person"):
        set_total(attempt, users.instructor, Fraction(1))
    with pytest.raises(Refused, match="waits_for_person"):
        comment(attempt, users.instructor, "Well argued")


def test_what_cannot_be_is_refused(users, quiz, attempt):
    with pytest.raises(Invalid, match="reason_missing"):
        set_total(attempt, users.instructor, Fraction(1), reason=" ")
    with pytest.raises(Invalid, match="share_out_of_range"):
        set_total(attempt, users.instructor, Fraction(3, 2))
    with pytest.raises(Refused, match="not_overridden"):
        set_total(attempt, users.instructor, None)
    with pytest.raises(Conflict, match="marked_meanwhile"):
        set_total(attempt, users.instructor, Fraction(1), seen=1)
    for person in (users.outsider, users.learner, users.other_learner):
        with pytest.raises(NotFound):
            set_total(attempt, person, Fraction(1))
        with pytest.raises(NotFound):
            comment(attempt, person, "Well done")
    with pytest.raises(Refused, match="not_graded"):
        set_total(start(quiz, users.learner), users.instructor, Fraction(1))
    with pytest.raises(Invalid, match="unknown_slot"):
        comment(attempt, users.instructor, "Well done", slot=2)
    with pytest.raises(Invalid, match="comment_too_long"):
        comment(attempt, users.instructor, "x" * 10_001)


def test_it_stands_in_the_audit_log(users, attempt):
    set_total(attempt, users.instructor, Fraction(1))
    event = AuditEvent.objects.filter(code=AuditCode.GRADED_BY_HAND).get()
    assert event.after is not None
    assert (event.after["question"], event.after["purpose"]) == (None, Purpose.TOTAL)


@pytest.mark.parametrize(
    "fields",
    [{"slot": 0}, {"share_numerator": None}, {"purpose": Purpose.OVERRIDE}],
)
def test_the_database_takes_no_total_of_a_question_and_none_without_its_share(
    users, attempt, fields
):
    grade = set_total(attempt, users.instructor, Fraction(1))
    grade.pk, grade._state.adding, grade.number = None, True, 2
    for name, value in fields.items():
        setattr(grade, name, value)
    with pytest.raises(IntegrityError), transaction.atomic():
        grade.save()


def test_a_comment_changes_no_score_and_the_score_follows_a_regrade(
    users, quiz, attempt, questions
):
    comment(attempt, users.instructor, "Think of the <second> law.")
    assert list_scores(quiz) == [(1, 2, False)]
    assert report(attempt, users.learner).questions[0].comments == ("Think of the <second> law.",)
    correct_key(questions[0], "c")
    apply(quiz, questions[0], users, RegradePolicy.BY_KEY, RegradeAction.KEY)
    assert list_scores(quiz) == [(0, 2, False)]
    assert report(attempt, users.learner).questions[0].comments
    assert find_differences() == []


def test_the_newest_comment_of_each_person_counts_beside_the_reason_of_an_override(users, attempt):
    comment(attempt, users.instructor, "First")
    comment(attempt, users.administrator, "Of another")
    override_score(
        attempt=attempt.uuid,
        slot=0,
        share=Fraction(1, 2),
        reason="Half",
        by=users.instructor,
        now=later(hours=1),
    )
    comment(attempt, users.instructor, "Second")
    item = report(attempt, users.learner).questions[0]
    assert (item.comments, item.credit) == (("Half", "Second", "Of another"), Fraction(1, 2))
    comment(attempt, users.administrator, "")
    assert report(attempt, users.learner).questions[0].comments == ("Half", "Second")
    assert Result.objects.get().grading.manual_grades_read == 5
    assert find_differences() == []
