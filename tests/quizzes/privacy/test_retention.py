"""What is over its retention goes when told; what a hold is on, or is younger, stays."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import OperationalError

from accounts.guests import create_guest, keep_guest
from accounts.models import User
from quizzes.attempts.models import Assignment, Attempt, Response
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.privacy import retention, tasks
from quizzes.privacy.models import DataRequest, LegalHold
from quizzes.privacy.retention import apply_retention, list_over_retention
from quizzes.results.models import Grading
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz, open_to_anyone
from tests.users import Users

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def limits(settings: Any) -> None:
    settings.RETENTION_ANSWER_DAYS = 365
    settings.RETENTION_UNCONFIRMED_DAYS = 30
    settings.RETENTION_REQUEST_DAYS = 100


@pytest.fixture
def later(users: Users, a_quiz: Any) -> Any:
    """A moment at which two learners' attempts, an account and a request are over."""
    take_quiz(a_quiz, users.learner, {0: "ab"})
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    User.objects.create(email="nobody@example.org")
    DataRequest.objects.create(
        person=users.stranger,
        kind="export",
        state="expired",
        due_at=clock.now(),
        finished_at=clock.now(),
    )
    return clock.now() + timedelta(days=400)


def count(rows: Any) -> dict[str, int]:
    return {row.kind: row.count for row in rows}


OVER = {"answers": 2, "accounts never confirmed": 1, "requests": 1, "notifications": 0}


def test_a_dry_run_says_what_is_over_and_changes_nothing(later):
    assert count(list_over_retention(now=later)) == OVER
    assert count(list_over_retention(now=later)) == OVER
    assert count(list_over_retention(now=clock.now())) == dict.fromkeys(OVER, 0)
    out = StringIO()
    call_command("apply_retention", stdout=out)
    assert "answers: 0 would be removed" in out.getvalue()
    assert "Nothing was changed." in out.getvalue()


def test_it_is_removed_once_recorded_and_scores_stay(later):
    assert count(apply_retention(now=later)) == OVER
    assert count(apply_retention(now=later)) == dict.fromkeys(OVER, 0)
    assert set(Response.objects.values_list("answer", flat=True)) == {None}
    assert Grading.objects.count() == 2
    assert User.objects.exclude(erased_at=None).get().email.endswith("@erased.invalid")
    assert not DataRequest.objects.exists()
    assert AuditEvent.objects.get(code=AuditCode.RETENTION_APPLIED).after == {
        kind: rows for kind, rows in OVER.items() if rows
    }
    err = StringIO()
    call_command("verify_record", stdout=StringIO(), stderr=err)
    assert err.getvalue() == ""


def test_a_hold_and_a_quiz_that_goes_on_keep_answers(later, users):
    LegalHold.objects.create(person=users.learner, reason="appeal")
    assert count(list_over_retention(now=later))["answers"] == 1
    Assignment.objects.update(closes_at=later)
    assert count(list_over_retention(now=later))["answers"] == 0


def test_a_hold_keeps_the_answers_that_a_person_gave_as_a_guest(later, users):
    guest = create_guest(language="en", time_zone="UTC", now=clock.now())
    question = create_question(create_bank(users, "open"), "first", right="a")
    open_quiz = open_to_anyone(create_quiz(users, [question], slug="open"))
    take_quiz(open_quiz, guest, {0: "a"})
    keep_guest(guest=guest, user=users.learner, now=clock.now())
    assert count(list_over_retention(now=later))["answers"] == 3
    LegalHold.objects.create(person=users.learner, reason="appeal")
    apply_retention(now=later)
    learners = Response.objects.exclude(answer=None).values_list("learner", flat=True)
    assert set(learners) == {users.learner.pk, guest.pk}


def test_what_is_set_to_0_is_kept_for_ever(later, settings):
    settings.RETENTION_ANSWER_DAYS = 0
    apply_retention(now=later)
    assert Attempt.objects.filter(responses__answer__isnull=False).exists()
    out = StringIO()
    call_command("apply_retention", "--commit", stdout=out)
    assert "answers: kept for ever" in out.getvalue()


@pytest.fixture
def applications(monkeypatch):
    """When the schedule applied the retentions."""
    times = list[datetime]()
    monkeypatch.setattr(retention, "apply_retention", lambda *, now: times.append(now))
    return times


def test_the_schedule_applies_the_retentions_once_a_day(settings, applications):
    tasks.apply_scheduled_retention()
    assert applications == []
    settings.RETENTION_SCHEDULED = True
    tasks.apply_scheduled_retention()
    tasks.apply_scheduled_retention()
    assert len(applications) == 1
    with time_machine.travel(datetime.now(UTC) + timedelta(days=1, seconds=1)):
        tasks.apply_scheduled_retention()
    assert len(applications) == 2


def test_an_application_that_fails_is_tried_again_within_the_day(
    settings, applications, monkeypatch
):
    settings.RETENTION_SCHEDULED = True

    def fail(*, now):
        raise OperationalError("away")

    with monkeypatch.context() as broken:
        broken.setattr(retention, "apply_retention", fail)
        with pytest.raises(OperationalError):
            tasks.apply_scheduled_retention()
    tasks.apply_scheduled_retention()
    assert len(applications) == 1
