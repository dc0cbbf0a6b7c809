"""`in_array` finds what `in` finds; PostgreSQL runs its query once and then takes an index."""

from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import BigIntegerField, Q, UUIDField

from accounts.models import Group, Membership, Role, User
from quizzes.attempts.access import supervised_by, visible_to
from quizzes.attempts.models import Attempt
from quizzes.lib.array_lookup import ListField
from quizzes.lib.prepared_query import PreparedQuery
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


def test_a_list_is_one_parameter_and_finds_what_in_finds(users):
    people = [users.learner, users.instructor]
    for field, values in (
        ("pk", [person.pk for person in people]),
        ("uuid", [person.uuid for person in people]),
        ("email", [person.email for person in people]),
    ):
        queryset = User.objects.filter(**{f"{field}__in_list": values})
        assert set(queryset) == set(people)
        assert len(queryset.query.sql_with_params()[1]) == 1
        assert not User.objects.filter(**{f"{field}__in_list": []}).exists()


def test_a_prepared_query_takes_a_list_of_any_length(users):
    prepared = PreparedQuery(
        lambda uuids, numbers: User.objects.filter(Q(uuid__in_list=uuids) | Q(pk__in_list=numbers)),
        ListField(UUIDField()),
        ListField(BigIntegerField()),
    )
    learner, instructor = users.learner, users.instructor
    assert set(prepared.all([learner.uuid, uuid4()], [instructor.pk])) == {learner, instructor}
    assert prepared.all([instructor.uuid], []) == [instructor]
    assert prepared.all([], []) == []
