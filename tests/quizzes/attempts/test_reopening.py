"""Reopening: the same paper goes on with its answers and new time; the earlier attempt is void."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Membership, Role
from quizzes.attempts.deadline_settings import save_accommodation
from quizzes.attempts.models import Accommodation, Attempt, QuizGrade, Response, State
from quizzes.attempts.selectors import load_attempt_view
from quizzes.attempts.verification import verify_responses
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.events.models import Event
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.results import services
from quizzes.results.reopening import reopen_attempt
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed(users, questions):
    return create_quiz(users, questions, time_limit=60, max_attempts=1)


@pytest.fixture
def ended(users, timed) -> Attempt:
    return take_quiz(timed, users.learner, {0: "a", 1: "b"})


def reopen(attempt: Attempt, by, minutes: int | None = 15, **fields) -> Attempt:
    values = {"reason": " The fire alarm ", "now": later(minutes=30), **fields}
    return reopen_attempt(attempt=attempt.uuid, minutes=minutes, by=by, **values)


def list_answers(attempt: Attempt):
    view = load_attempt_view(attempt=attempt.uuid, learner=attempt.learner)
    return [response.answer for response in view.responses]


def test_it_has_the_paper_the_answers_and_the_minutes_that_were_given(users, ended):
    answers = list_answers(ended)
    reopened = reopen(ended, users.instructor)
    assert reopened.manifest == ended.manifest
    assert list_answers(reopened) == answers
    assert answers[:2] != [None, None]
    assert reopened.deadline_at == later(minutes=45)
    assert reopened.cutoff_at == later(minutes=45, seconds=10)
    assert (reopened.number, reopened.state) == (2, State.OPEN)
    assert [len(differences) for differences in verify_responses() if differences] == []


def test_the_earlier_one_is_void_and_no_longer_counts(users, ended):
    assert QuizGrade.objects.get().attempts_graded == 1
    reopen(ended, users.instructor)
    ended.refresh_from_db()
    assert (ended.state, ended.void_reason) == (State.VOID, "The fire alarm")
    grade = QuizGrade.objects.get()
    assert (grade.attempts_graded, grade.total, grade.attempt) == (0, None, None)


def test_what_is_changed_counts_and_what_was_answered_before_too(users, timed, ended):
    before = ended.result.grading.total
    reopened = reopen(ended, users.instructor)
    finish(reopened, later(minutes=31))
    assert reopened.result.grading.total == before
    assert QuizGrade.objects.get().total == before
    again = reopen(reopened, users.instructor, now=later(minutes=32))
    assert save_choice(again, 0, None, later(minutes=33)).revision == 2
    finish(again, later(minutes=34))
    assert QuizGrade.objects.get().total < before
    with pytest.raises(Refused, match="no_attempts_left"):
        start(timed, users.learner, later(minutes=35))


def test_it_ends_by_its_own_time_whatever_the_rules_give(users, timed, ended):
    reopened = reopen(ended, users.instructor, minutes=5)
    grant = Accommodation(quiz=timed, learner=users.learner, time_percent=200)
    assert save_accommodation(accommodation=grant, by=users.instructor, now=later(minutes=31)) == 0
    services.sweep(now=later(minutes=36))
    reopened.refresh_from_db()
    assert (reopened.state, reopened.submitted_at) == (State.GRADED, later(minutes=35))


def test_one_that_was_handed_in_and_not_graded_yet_is_reopened_and_never_graded(users, timed):
    attempt = start(timed, users.learner)
    Attempt.objects.filter(pk=attempt.pk).update(
        state=State.SUBMITTED, submitted_at=later(minutes=1), submission_reason="submitted"
    )
    reopen(attempt, users.instructor)
    services.sweep(now=later(minutes=31))
    attempt.refresh_from_db()
    assert (attempt.state, hasattr(attempt, "result")) == (State.VOID, False)


def test_without_a_deadline_it_has_none_again_unless_minutes_are_given(users, questions):
    quiz = create_quiz(users, questions, slug="endless")
    first = take_quiz(quiz, users.learner)
    assert reopen(first, users.instructor, minutes=None).deadline_at is None
    second = take_quiz(quiz, users.other_learner)
    assert reopen(second, users.instructor, minutes=9).deadline_at == later(minutes=39)


def test_it_is_in_the_audit_log_and_in_the_outbox(users, ended):
    reopened = reopen(ended, users.instructor)
    event = AuditEvent.objects.get(code=AuditCode.ATTEMPT_REOPENED)
    assert event.subject == reopened.uuid
    assert event.before == {"attempt": str(ended.uuid), "number": 1}
    assert event.after is not None
    assert event.after["reason"] == "The fire alarm"
    assert AuditEvent.objects.filter(code=AuditCode.ATTEMPT_VOIDED).count() == 1
    outgoing = Event.objects.get(kind="attempt.reopened")
    assert outgoing.data["from"] == str(ended.uuid)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"minutes": 0}, Invalid("out_of_range", where="minutes")),
        ({"minutes": 601}, Invalid("out_of_range", where="minutes")),
        ({"minutes": None}, Invalid("out_of_range", where="minutes")),
        ({"reason": " "}, Invalid("reason_missing", where="reason")),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(users, ended, fields, error):
    with pytest.raises(Invalid, match=error.code):
        reopen(ended, users.instructor, **fields)
    assert Attempt.objects.get().state == State.GRADED


def test_an_attempt_that_is_open_or_void_is_not_reopened(users, ended):
    reopened = reopen(ended, users.instructor)
    for attempt, code in ((ended, "void"), (reopened, "still_open")):
        with pytest.raises(Refused, match=code):
            reopen(attempt, users.instructor)


def test_nobody_has_two_open_attempts(users, questions):
    quiz = create_quiz(users, questions, slug="twice")
    first = take_quiz(quiz, users.learner)
    start(quiz, users.learner, later(hours=9))
    with pytest.raises(Refused, match="another_open"):
        reopen(first, users.instructor, minutes=None, now=later(hours=9))


def test_assistants_learners_and_other_instructors_reopen_nothing(users, ended):
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    for person in (users.stranger, users.learner, users.outsider):
        with pytest.raises(NotFound):
            reopen(ended, person)
    assert reopen(ended, users.administrator).number == 2


def test_the_database_refuses_an_attempt_that_goes_on_from_another_paper(users, timed, ended):
    reopened = reopen(ended, users.instructor)
    finish(reopened, later(minutes=31))
    forged = Attempt.objects.get(pk=reopened.pk)
    forged.pk, forged.number, forged.state, forged.submission_reason = None, 9, State.OPEN, ""
    forged.submitted_at, forged.receipt = None, None
    forged.manifest = forged.manifest | {"seed": "0"}
    with pytest.raises(IntegrityError), transaction.atomic():
        forged.save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=ended.pk).update(reopened_from=reopened)


def test_its_answers_arrived_when_it_was_reopened(users, ended):
    reopened = reopen(ended, users.instructor)
    arrived = Response.objects.filter(attempt=reopened).values_list("received_at", flat=True)
    assert set(arrived) == {reopened.started_at}
    assert reopened.started_at - ended.started_at == timedelta(minutes=30)
