"""Queries that are written once: the same rows as the queryset, whatever is filled in."""

from uuid import uuid4

import pytest
from django.db.models import BigIntegerField, CharField, DateTimeField, UUIDField
from django.utils import timezone

from accounts.models import Membership, User
from quizzes.lib.prepared_query import PreparedQuery

pytestmark = pytest.mark.django_db


def by_uuid(uuid):
    return User.objects.filter(uuid=uuid)


def test_each_call_finds_what_the_queryset_would(users):
    prepared = PreparedQuery(by_uuid, UUIDField())
    for person in (users.learner, users.instructor, users.learner):
        assert prepared.all(person.uuid) == [person]
    assert prepared.all(uuid4()) == []
    assert prepared.first(uuid4()) is None


def test_a_found_row_is_a_whole_object_of_its_own(users):
    prepared = PreparedQuery(by_uuid, UUIDField())
    first, again = prepared.first(users.learner.uuid), prepared.first(users.learner.uuid)
    assert first is not None
    assert first is not again
    first.name = "Changed"
    first.save()
    assert User.objects.get(pk=users.learner.pk).name == "Changed"


def test_joined_rows_and_several_values_come_along(users, counted):
    prepared = PreparedQuery(
        lambda group, role: (
            Membership.objects.select_related("user", "group")
            .filter(group=group, role=role)
            .order_by("user__email")
        ),
        BigIntegerField(),
        CharField(),
    )
    with counted() as queries:
        rows = prepared.all(users.group.pk, "learner")
        names = [(row.user.email, row.group.name) for row in rows]
    assert names == [
        ("learner@example.org", "Class A"),
        ("other_learner@example.org", "Class A"),
    ]
    assert len(queries) == 1, queries


def test_values_lists_and_unions_are_read_as_always(users):
    prepared = PreparedQuery(
        lambda first, second: (
            User.objects.filter(pk=first)
            .values_list("email")
            .union(User.objects.filter(pk=second).values_list("email"), all=True)
        ),
        BigIntegerField(),
        BigIntegerField(),
    )
    rows = prepared.all(users.learner.pk, users.stranger.pk)
    assert sorted(rows) == [("learner@example.org",), ("stranger@example.org",)]


def test_times_are_compared_as_times(users):
    prepared = PreparedQuery(lambda at: User.objects.filter(date_joined__lt=at), DateTimeField())
    assert prepared.all(users.learner.date_joined) == []
    assert len(prepared.all(timezone.now())) == 6


def test_a_query_that_leaves_a_value_unused_is_refused(users):
    prepared = PreparedQuery(lambda _: User.objects.all(), BigIntegerField())
    with pytest.raises(ValueError, match="every value"):
        prepared.all(1)


def test_the_sql_is_written_once(users):
    calls = []

    def build(pk):
        calls.append(pk)
        return User.objects.filter(pk=pk)

    prepared = PreparedQuery(build, BigIntegerField())
    prepared.all(1)
    prepared.all(2)
    assert len(calls) == 1
