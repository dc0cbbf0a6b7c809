"""An attempt that could not be graded is tried again over REST, by who oversees it."""

from datetime import timedelta

import pytest

from accounts.models import Membership, Role
from quizzes.lib import clock
from quizzes.results.models import GradingFailure
from tests.attempt_helpers import take_quiz
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def failure(users, a_quiz):
    """An attempt that is tried again in an hour."""
    attempt, now = take_quiz(a_quiz, users.learner, {}), clock.now()
    return GradingFailure.objects.create(
        attempt=attempt,
        learner=users.learner,
        tries=4,
        code="corrupt",
        failed_at=now,
        next_try_at=now + timedelta(hours=1),
    )


def test_it_is_tried_again_at_once_by_instructors_and_assistants(users, failure):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    address = f"attempts/{failure.attempt.uuid}/retry-grading"
    for person in (users.instructor, assistant):
        GradingFailure.objects.update(next_try_at=clock.now() + timedelta(hours=1))
        answer = program(person, "classes").post(address)
        assert (answer.status_code, answer.json()["tries"]) == (202, 4)
        failure.refresh_from_db()
        assert failure.next_try_at <= clock.now()


def test_what_has_not_failed_is_a_conflict(users, failure):
    address = f"attempts/{failure.attempt.uuid}/retry-grading"
    failure.delete()
    refused = program(users.instructor).post(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "grading_has_not_failed")


def test_others_find_nothing(users, failure):
    address = f"attempts/{failure.attempt.uuid}/retry-grading"
    for person in (users.learner, users.outsider, users.stranger):
        assert program(person).post(address).status_code == 404
    failure.refresh_from_db()
    assert failure.next_try_at > clock.now()
