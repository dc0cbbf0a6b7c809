"""Who may take a quiz, and whose attempts one oversees."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import Membership, Role
from quizzes.attempts import access
from quizzes.attempts.models import Assignment, Attempt
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "takes", "when_open"),
    [
        ("learner", True, True),
        ("other_learner", True, True),
        ("instructor", True, True),
        ("administrator", True, True),
        ("outsider", False, True),
        ("stranger", False, True),
        (None, False, False),
    ],
)
def test_a_quiz_is_taken_by_those_it_is_given_to_or_by_everyone(
    users, a_quiz, who, takes, when_open
):
    user = getattr(users, who) if who else AnonymousUser()
    assert access.takeable_by(user).exists() is takes
    Quiz.objects.update(audience="signed_in")
    assert access.takeable_by(user).exists() is when_open


def test_without_an_assignment_only_those_who_teach_it_take_it(users, a_quiz):
    Assignment.objects.all().delete()
    assert not access.takeable_by(users.learner).exists()
    assert access.takeable_by(users.instructor).exists()


def test_a_quiz_given_to_two_of_ones_groups_is_listed_once(users, a_quiz):
    Membership.objects.create(group=users.other_group, user=users.learner)
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert access.takeable_by(users.learner).count() == 1


def test_what_is_retired_or_not_published_is_not_there(users, a_quiz):
    Quiz.objects.create(slug="draft", audience="signed_in")
    publishing.retire(quiz=a_quiz, by=None, now=NOW)
    assert not access.takeable_by(users.learner).exists()


@pytest.mark.parametrize("who", ["learner", "instructor", "administrator", "outsider", "stranger"])
@pytest.mark.parametrize("audience", ["groups", "signed_in"])
@pytest.mark.parametrize("retired", [False, True])
def test_the_list_and_the_single_question_agree(users, a_quiz, who, audience, retired):
    Quiz.objects.update(audience=audience, retired_at=NOW if retired else None)
    user = getattr(users, who)
    listed = access.takeable_by(user).filter(pk=a_quiz.pk).exists()
    assert (access.find_takeable(user, a_quiz.uuid) is not None) is listed


# --- Overseeing ------------------------------------------------------------------------------
def overseen(user) -> bool:
    return Attempt.objects.filter(access.supervised_by(user)).exists()


def test_who_teaches_a_group_that_the_quiz_was_given_to_oversees_its_members_alone(users, a_quiz):
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    start(a_quiz, users.learner)
    assert not overseen(users.outsider)
    Membership.objects.create(group=users.other_group, user=users.learner)
    assert overseen(users.outsider)


def test_teaching_the_learner_is_not_enough_for_a_quiz_that_was_not_given(users, a_quiz):
    Membership.objects.create(group=users.other_group, user=users.learner)
    start(a_quiz, users.learner)
    assert not overseen(users.outsider)


def test_being_a_learner_beside_the_learner_oversees_nothing(users, a_quiz):
    start(a_quiz, users.learner)
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.LEARNER)
    assert not overseen(users.outsider)
    assert not overseen(users.other_learner)


def test_a_guest_sees_no_attempt(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    assert not access.visible_to(AnonymousUser()).exists()
    assert not access.may_see(AnonymousUser(), attempt)
