"""`in_array` finds what `in` finds; PostgreSQL runs its query once and then takes an index."""

import pytest
from django.db import connection
from django.db.models import Q

from accounts.models import Group, Membership, Role, User
from quizzes.attempts.access import supervised_by, visible_to
from quizzes.attempts.models import Attempt
from tests.attempt_helpers import start
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db
OPERATOR = {"postgresql": "= ANY(ARRAY(", "sqlite": "IN ("}


def test_it_finds_what_in_finds_by_key_and_by_reference(users):
    learners = Membership.objects.filter(role=Role.LEARNER)
    people = User.objects.filter(pk__in_array=learners.values("user"))
    assert people.count() > 0
    assert set(people) == set(User.objects.filter(pk__in=learners.values("user")))
    groups = Group.objects.filter(name=users.group.name)
    members = Membership.objects.filter(group__in_array=groups.values("pk"))
    assert members.count() > 1
    assert set(members) == set(users.group.memberships.all())
    assert OPERATOR[connection.vendor] in str(members.query)


def test_of_no_rows_nothing_is_found_and_the_other_condition_still_holds(users):
    none = Group.objects.filter(name="none").values("pk")
    assert not Membership.objects.filter(group__in_array=none).exists()
    either = Membership.objects.filter(Q(group__in_array=none) | Q(group=users.group))
    assert set(either) == set(users.group.memberships.all())


def test_one_sees_ones_own_attempts_and_an_administrator_all_without_a_condition(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "rivers")])
    own, other = start(quiz, users.learner), start(quiz, users.other_learner)
    assert list(visible_to(users.learner)) == [own]
    assert set(visible_to(users.administrator)) == {own, other}
    assert "WHERE" not in str(visible_to(users.administrator).order_by().query)


def test_attempts_that_one_oversees_are_looked_up_by_their_quizzes(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "rivers")])
    attempt = start(quiz, users.learner)
    overseen = Attempt.objects.filter(supervised_by(users.instructor))
    assert list(overseen) == [attempt]
    assert OPERATOR[connection.vendor] in str(overseen.query)
    assert not Attempt.objects.filter(supervised_by(users.outsider)).exists()
