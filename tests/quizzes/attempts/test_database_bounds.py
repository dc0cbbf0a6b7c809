"""What the services and forms refuse of times and accommodations, the database refuses, too."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Group
from quizzes.attempts.models import Accommodation, Assignment
from quizzes.publishing.models import Quiz
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db

FAR_PAST, FAR_FUTURE = datetime(1999, 12, 30, tzinfo=UTC), datetime(2200, 1, 3, tzinfo=UTC)
REFUSED: list[tuple[type[Any], dict[str, Any], str]] = [
    (Quiz, {"opens_at": FAR_PAST}, "quiz_opens_in_calendar"),
    (Quiz, {"closes_at": FAR_FUTURE}, "quiz_closes_in_calendar"),
    (Assignment, {"opens_at": FAR_PAST}, "assignment_opens_in_calendar"),
    (Assignment, {"closes_at": FAR_FUTURE}, "assignment_closes_in_calendar"),
    (Accommodation, {"time_percent": 99}, "accommodation_time_percent_in_bounds"),
    (Accommodation, {"time_percent": 1_001}, "accommodation_time_percent_in_bounds"),
    (Accommodation, {"extra_attempts": 10_001}, "accommodation_extra_attempts_in_bounds"),
    (Accommodation, {"closes_at": FAR_FUTURE}, "accommodation_closes_in_calendar"),
]
ALLOWED: list[tuple[type[Any], dict[str, Any]]] = [
    (Quiz, {"opens_at": datetime(2000, 1, 1, tzinfo=UTC)}),
    (Quiz, {"closes_at": datetime(2199, 12, 31, 23, 59, tzinfo=UTC)}),
    (Assignment, {"opens_at": None, "closes_at": None}),
    (Accommodation, {"time_percent": 1_000, "extra_attempts": 10_000}),
    (Accommodation, {"time_percent": 100, "extra_attempts": 0}),
    (Accommodation, {"closes_at": datetime(2199, 12, 31, tzinfo=UTC)}),
]


@pytest.fixture
def rows(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "q0")])
    group, _ = Group.objects.get_or_create(name="Bounds")
    Assignment.objects.create(quiz=quiz, group=group)
    Accommodation.objects.create(quiz=quiz, learner=users.learner)
    return quiz


@pytest.mark.parametrize(("model", "columns", "constraint"), REFUSED)
def test_the_database_refuses_what_services_refuse(rows, model, columns, constraint):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        model.objects.update(**columns)


@pytest.mark.parametrize(("model", "columns"), ALLOWED)
def test_the_database_takes_what_services_take(rows, model, columns):
    assert model.objects.update(**columns) > 0
