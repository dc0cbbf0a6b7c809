"""Starting and ending attempts."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Membership
from quizzes.attempts import services
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    QuizGrade,
    Response,
    State,
    SubmissionReason,
)
from quizzes.events.models import Event
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz, Section, Slot
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, publish_change
from tests.forged_rows import overwrite

pytestmark = pytest.mark.django_db


# --- Starting --------------------------------------------------------------------------------
def test_starting_writes_the_attempt_its_manifest_and_an_event(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    assert (attempt.state, attempt.number, attempt.started_at) == (State.OPEN, 1, NOW)
    assert attempt.deadline_at is attempt.cutoff_at is None
    manifest = Manifest.from_json(attempt.manifest)
    assert (manifest.quiz, manifest.slug) == (a_quiz.uuid, "quiz")
    assert [slot.scoring_method for slot in manifest.slots] == [
        "right_minus_wrong",
        "all_or_nothing",
        "all_or_nothing",
    ]
    event = Event.objects.get(kind="attempt.started")
    assert (event.subject, event.occurred_at) == (attempt.uuid, NOW)


def test_starting_twice_gives_the_open_attempt(users, a_quiz):
    first = start(a_quiz, users.learner)
    assert start(a_quiz, users.learner, later(hours=1)) == first
    assert Attempt.objects.count() == 1
    assert Event.objects.filter(kind="attempt.started").count() == 1


def test_the_next_attempt_has_the_next_number(users, a_quiz):
    take_quiz(a_quiz, users.learner)
    assert start(a_quiz, users.learner, later(hours=1)).number == 2


def test_learners_have_attempts_of_their_own(users, a_quiz):
    first, other = start(a_quiz, users.learner), start(a_quiz, users.other_learner)
    assert first != other
    assert other.number == 1


def test_an_expired_attempt_is_ended_when_the_next_one_starts(users, questions):
    of = create_quiz(users, questions, time_limit=30)
    old = start(of, users.learner)
    new = start(of, users.learner, later(hours=1))
    old.refresh_from_db()
    assert (old.state, old.submission_reason, old.submitted_at) == (
        State.SUBMITTED,
        SubmissionReason.EXPIRED,
        later(minutes=30),
    )
    assert (new.number, new.state) == (2, State.OPEN)


def test_an_expired_attempt_counts_before_any_sweep(users, questions):
    of = create_quiz(users, questions, time_limit=30, max_attempts=1)
    start(of, users.learner)
    with pytest.raises(Refused, match="no_attempts_left"):
        start(of, users.learner, later(hours=1))
    assert Attempt.objects.count() == 1


def test_within_the_grace_the_attempt_is_still_the_same(users, questions):
    of = create_quiz(users, questions, time_limit=30)
    first = start(of, users.learner)
    assert start(of, users.learner, later(minutes=30, seconds=10)) == first


@pytest.mark.parametrize("who", ["outsider", "stranger"])
def test_a_quiz_that_is_not_for_one_is_not_there(users, a_quiz, who):
    with pytest.raises(NotFound):
        start(a_quiz, getattr(users, who))


def test_a_quiz_that_does_not_exist_looks_the_same(users):
    with pytest.raises(NotFound):
        services.start(quiz=uuid4(), learner=users.learner, now=NOW)


def test_a_draft_cannot_be_started(users):
    draft = Quiz.objects.create(slug="draft", audience="signed_in")
    with pytest.raises(NotFound):
        start(draft, users.learner)


def test_a_retired_quiz_cannot_be_started(users, a_quiz):
    publishing.retire(quiz=a_quiz, by=None, now=NOW)
    with pytest.raises(NotFound):
        start(a_quiz, users.learner)


def test_the_rules_refusal_says_why_when_and_how_many_are_left(users, questions):
    of = create_quiz(users, questions, max_attempts=9)
    for hour in range(3):
        take_quiz(of, users.learner, now=later(hours=hour))
    with pytest.raises(Refused) as raised:
        start(of, users.learner, later(hours=4))
    assert raised.value.code == "window_full"
    assert raised.value.detail == {"available_at": later(hours=8), "attempts_left": 6}
    assert start(of, users.learner, later(hours=8)).number == 4


def test_a_void_attempt_does_not_count(users, questions):
    of = create_quiz(users, questions, max_attempts=1)
    attempt = take_quiz(of, users.learner)
    services.void(attempt=attempt.uuid, by=users.instructor, reason="fire alarm", now=NOW)
    assert start(of, users.learner).number == 2


def test_the_assignments_window_is_the_learners(users, a_quiz):
    Assignment.objects.update(opens_at=later(hours=1), closes_at=later(hours=2))
    with pytest.raises(Refused, match="not_open_yet"):
        start(a_quiz, users.learner)
    assert start(a_quiz, users.learner, later(hours=1)).deadline_at == later(hours=2)


def test_an_accommodation_extends_limit_and_closing_alike(users, questions):
    of = create_quiz(users, questions, time_limit=60, closes_at=later(hours=2))
    Accommodation.objects.create(quiz=of, learner=users.learner, time_percent=150)
    early = start(of, users.other_learner, later(minutes=30))
    assert early.deadline_at == later(minutes=90)
    extended = start(of, users.learner, later(minutes=90))
    assert extended.deadline_at == later(minutes=150)
    assert extended.cutoff_at == later(minutes=150, seconds=10)


def test_who_is_in_two_groups_has_the_longer_window(users, a_quiz):
    Assignment.objects.update(closes_at=later(hours=1))
    Assignment.objects.create(quiz=a_quiz, group=users.other_group, closes_at=later(hours=3))
    Membership.objects.create(group=users.other_group, user=users.learner)
    assert start(a_quiz, users.learner).deadline_at == later(hours=3)
    assert start(a_quiz, users.other_learner).deadline_at == later(hours=1)


def test_draws_prefer_what_the_learner_has_not_seen(users):
    into = create_bank(users)
    for name in "abcdef":
        create_question(into, name)
    of = Quiz.objects.create(slug="pool", title={"en": "Pool"}, audience="signed_in")
    section = Section.objects.create(quiz=of)
    Slot.objects.create(section=section, pool_bank=into, draw=2)
    publishing.publish(quiz=of, by=None, now=NOW)
    met = [
        slot.question
        for hour in range(3)
        for slot in Manifest.from_json(
            take_quiz(of, users.learner, now=later(hours=hour)).manifest
        ).slots
    ]
    assert len(set(met)) == 6


def test_questions_that_were_changed_are_still_known_as_seen(users):
    into = create_bank(users)
    first = create_question(into, "a")
    of = Quiz.objects.create(slug="pool", title={"en": "Pool"}, audience="signed_in")
    Slot.objects.create(section=Section.objects.create(quiz=of), pool_bank=into)
    publishing.publish(quiz=of, by=None, now=NOW)
    take_quiz(of, users.learner)
    create_question(into, "b")
    publish_change(first, shuffle=False)
    publishing.publish(quiz=of, by=None, now=NOW)
    drawn = Manifest.from_json(start(of, users.learner, later(hours=1)).manifest).slots[0]
    assert drawn.question != first.uuid


# --- Submitting ------------------------------------------------------------------------------
def submit(attempt: Attempt, learner=None, **span: float) -> bool:
    return services.submit(
        attempt=attempt.uuid, learner=learner or attempt.learner, now=later(**span)
    )


def test_submitting_happens_once(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    assert submit(attempt)
    assert not submit(attempt, minutes=5)
    attempt.refresh_from_db()
    assert (attempt.state, attempt.submission_reason, attempt.submitted_at) == (
        State.SUBMITTED,
        SubmissionReason.SUBMITTED,
        NOW,
    )


@pytest.mark.parametrize("who", ["other_learner", "instructor", "administrator"])
def test_nobody_submits_for_another(users, a_quiz, who):
    attempt = start(a_quiz, users.learner)
    assert not submit(attempt, getattr(users, who))
    attempt.refresh_from_db()
    assert attempt.state == State.OPEN


@pytest.mark.parametrize(
    ("seconds", "ending", "ended"),
    [(10, SubmissionReason.SUBMITTED, 10), (11, SubmissionReason.EXPIRED, 0)],
)
def test_who_submits_too_late_ends_at_the_deadline(users, questions, seconds, ending, ended):
    attempt = start(create_quiz(users, questions, time_limit=30), users.learner)
    assert submit(attempt, minutes=30, seconds=seconds)
    attempt.refresh_from_db()
    assert (attempt.submission_reason, attempt.submitted_at) == (
        ending,
        later(minutes=30, seconds=ended),
    )


# --- Expiring --------------------------------------------------------------------------------
def test_the_sweep_ends_what_is_overdue_and_nothing_else(users, questions):
    timed = start(create_quiz(users, questions, slug="timed", time_limit=30), users.learner)
    free = start(create_quiz(users, questions, slug="free"), users.learner)
    assert services.expire(attempts=Attempt.objects.all(), now=later(minutes=30, seconds=10)) == 0
    assert services.expire(attempts=Attempt.objects.all(), now=later(days=1)) == 1
    assert services.expire(attempts=Attempt.objects.all(), now=later(days=1)) == 0
    for attempt in (timed, free):
        attempt.refresh_from_db()
    assert (timed.state, timed.submission_reason) == (State.SUBMITTED, SubmissionReason.EXPIRED)
    assert timed.submitted_at == NOW + timedelta(minutes=30)
    assert free.state == State.OPEN


# --- Voiding ---------------------------------------------------------------------------------
def void(attempt: Attempt, by, reason: str = "fire alarm") -> Attempt:
    return services.void(attempt=attempt.uuid, by=by, reason=reason, now=NOW)


@pytest.mark.parametrize("who", ["instructor", "administrator"])
def test_who_oversees_an_attempt_may_void_it_with_a_reason(users, a_quiz, who):
    attempt = void(start(a_quiz, users.learner), getattr(users, who), "  fire alarm ")
    attempt.refresh_from_db()
    assert (attempt.state, attempt.void_reason) == (State.VOID, "fire alarm")
    event = Event.objects.get(kind="attempt.voided")
    assert (event.subject, event.data) == (attempt.uuid, {"reason": "fire alarm"})


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_nobody_else_may(users, a_quiz, who):
    with pytest.raises(NotFound):
        void(start(a_quiz, users.learner), getattr(users, who))


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_reason_must_be_given(users, a_quiz, reason):
    with pytest.raises(Invalid, match="reason_missing"):
        void(start(a_quiz, users.learner), users.instructor, reason)


def test_voiding_twice_keeps_the_first_reason(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    void(attempt, users.instructor)
    assert void(attempt, users.instructor, "another").void_reason == "fire alarm"
    assert Event.objects.filter(kind="attempt.voided").count() == 1


def test_what_was_answered_in_a_void_attempt_stays(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "a")
    void(attempt, users.instructor)
    assert Response.objects.count() == 1
    assert save_choice(attempt, 0, "b").status == "late"
    with pytest.raises(Refused, match="void"):
        finish(attempt)


# --- Held by the database --------------------------------------------------------------------
def again(attempt: Attempt, **fields) -> None:
    """Change an attempt where the constraints alone are left to refuse it."""
    with transaction.atomic():
        overwrite(Attempt.objects.filter(pk=attempt.pk), **fields)


def test_the_database_refuses_a_second_open_attempt(users, a_quiz):
    first = take_quiz(a_quiz, users.learner)
    start(a_quiz, users.learner, later(hours=1))
    with pytest.raises(IntegrityError, match=r"attempt_one_open|quiz_grade_id"):
        again(first, state=State.OPEN, submitted_at=None, submission_reason="")


def test_the_database_refuses_a_number_twice(users, a_quiz):
    first = take_quiz(a_quiz, users.learner)
    start(a_quiz, users.learner, later(hours=1))
    with pytest.raises(IntegrityError, match=r"attempt_number_once|number"):
        again(first, number=2)


@pytest.mark.parametrize(
    "fields",
    [
        {"submitted_at": NOW},
        {"submission_reason": "expired"},
        {"state": "submitted"},
        {"state": "graded"},
    ],
)
def test_the_database_refuses_a_state_that_does_not_agree_with_its_times(users, a_quiz, fields):
    with pytest.raises(IntegrityError, match="attempt_state_and_time_agree"):
        again(start(a_quiz, users.learner), **fields)


def test_there_is_one_quiz_grade_a_learner_and_quiz(users, a_quiz):
    start(a_quiz, users.learner)
    with pytest.raises(IntegrityError), transaction.atomic():
        QuizGrade.objects.create(quiz=a_quiz, learner=users.learner)


def test_a_learner_with_attempts_is_never_deleted(users, a_quiz):
    start(a_quiz, users.learner)
    with pytest.raises(IntegrityError):
        users.learner.delete()
