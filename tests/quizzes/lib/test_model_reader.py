"""Rows read directly are the objects that Django makes of them."""

import pytest
from django.db import connection
from django.db.models import (
    BigIntegerField,
    DateTimeField,
    F,
    OuterRef,
    Subquery,
    TextField,
    Value,
    signals,
)
from django.db.models.functions import Cast

from accounts.models import Membership, User
from quizzes.attempts.models import Attempt, QuizGrade, Response
from quizzes.events.models import Event
from quizzes.lib.model_reader import ModelReader, TupleReader
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.lib.prepared_writes import PreparedInsert, _prepare_value
from quizzes.results.models import Grading, ItemResult, Result
from tests.attempt_helpers import start, take_quiz
from tests.factories import create_bank, create_question, create_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

QUERIES = [
    lambda at_least: User.objects.filter(pk__gte=at_least).order_by("pk"),
    lambda at_least: User.objects.filter(pk__gte=at_least).defer("email", "name").order_by("pk"),
    lambda at_least: (
        Membership.objects.filter(pk__gte=at_least).select_related("user", "group").order_by("pk")
    ),
    # A key that is empty, and the other side of a one-to-one, there and not there.
    lambda at_least: (
        Attempt.objects.filter(pk__gte=at_least)
        .select_related("quiz_grade__attempt", "result__grading", "grading_failure", "learner")
        .annotate(title=F("quiz__slug"), paper=Cast("manifest", TextField()))
        .order_by("pk")
    ),
    lambda at_least: (
        ItemResult.objects.filter(pk__gte=at_least)
        .defer("answer", "score")
        .annotate(
            text=Cast("answer", TextField()),
            number=Subquery(Grading.objects.filter(pk=OuterRef("grading")).values("number")),
        )
        .order_by("pk")
    ),
]


@pytest.fixture
def two_attempts(users):
    """One that is graded, and one that is open."""
    into = create_bank(users)
    quiz = create_quiz(users, [create_question(into, "q", right="ab")], max_attempts=9)
    take_quiz(quiz, users.learner, {0: "ab"})
    return start(quiz, users.learner)


def describe(row) -> dict[str, object]:
    """Return all that an object holds, and what the objects hold that came with it."""
    columns = describe_shallow(row)
    related = {
        name: value and describe_shallow(value) for name, value in row._state.fields_cache.items()
    }
    return {**columns, "related": related, "db": row._state.db, "adding": row._state.adding}


def describe_shallow(row) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


@pytest.mark.parametrize("build", QUERIES)
def test_an_object_is_what_django_makes_of_the_row(two_attempts, build):
    prepared = PreparedQuery(build, BigIntegerField())
    for _ in range(2):
        ours, others = prepared.all(0), list(build(0))
        assert ours == others != []
        assert list(map(describe, ours)) == list(map(describe, others))
    (compiled,) = prepared._compiled.values()
    assert isinstance(compiled.reader, ModelReader)
    assert compiled.reader.is_plain


TUPLES = [
    lambda at_least: User.objects.filter(pk__gte=at_least).order_by("pk").values_list("pk", "uuid"),
    lambda at_least: (
        Attempt.objects.filter(pk__gte=at_least)
        .order_by("pk")
        .values_list("uuid", "manifest", "paused_for", F("quiz__slug"))
    ),
    lambda at_least: (
        User.objects.filter(pk__gte=at_least)
        .values_list(Value("user"), "uuid", "date_joined")
        .union(
            QuizGrade.objects.values_list(
                Value("grade"), "quiz__uuid", Value(None, DateTimeField())
            ),
            all=True,
        )
    ),
]


@pytest.mark.parametrize("build", TUPLES)
def test_a_tuple_is_what_django_makes_of_the_row(two_attempts, build):
    prepared = PreparedQuery(build, BigIntegerField())
    ours = prepared.all(0)
    assert ours == list(build(0)) != []
    assert all(type(row) is tuple for row in ours)
    (compiled,) = prepared._compiled.values()
    assert isinstance(compiled.reader, TupleReader)


def test_an_object_that_others_have_a_hand_in_is_djangos(two_attempts, users):
    """Of a model whose objects somebody listens to, or whose columns are more than columns."""

    def note(sender, instance, **_):
        instance.noted = True

    def build(at_least):
        return QuizGrade.objects.filter(pk__gte=at_least)

    signals.post_init.connect(note, sender=QuizGrade)
    try:
        prepared = PreparedQuery(build, BigIntegerField())
        assert [row.noted for row in prepared.all(0)] == [True] * QuizGrade.objects.count()
    finally:
        signals.post_init.disconnect(note, sender=QuizGrade)
    (compiled,) = prepared._compiled.values()
    assert isinstance(compiled.reader, ModelReader)
    assert not compiled.reader.is_plain


def test_what_gives_no_objects_is_read_by_django():
    prepared = PreparedQuery(
        lambda at_least: User.objects.filter(pk__gte=at_least).values("pk"), BigIntegerField()
    )
    assert prepared.all(0) == list(User.objects.values("pk"))
    (compiled,) = prepared._compiled.values()
    assert compiled.reader is None


@pytest.mark.parametrize(
    "model", [Attempt, Event, Grading, ItemResult, QuizGrade, Response, Result]
)
def test_values_are_written_as_the_fields_write_them(two_attempts, users, model):
    insert = PreparedInsert(model)
    rows = list(model.objects.all())
    assert rows
    for row in rows:
        ours = insert._list_values(row, connection)
        others = [_prepare_value(field, row, connection) for field in insert._fields]
        for field, our_value, other in zip(insert._fields, ours, others, strict=True):
            assert type(our_value) is type(other), field
            if field.name not in {"uuid", "created_at", "updated_at"}:
                assert getattr(our_value, "adapted", our_value) == getattr(other, "adapted", other)


@pytest.mark.parametrize("model", [Attempt, Event, Grading, ItemResult, QuizGrade, Response])
def test_a_new_row_is_what_the_model_makes_of_its_columns(two_attempts, model):
    columns = {
        field.attname: getattr(model.objects.first(), field.attname)
        for field in model._meta.concrete_fields[::2]
        if not field.primary_key
    }
    insert = PreparedInsert(model)
    for _ in range(2):
        ours, other = insert.build(**columns), model(**columns)
        for row in (ours, other):  # a moment apart
            vars(row).update(dict.fromkeys(vars(row).keys() & MOMENTS))
        assert describe(ours) == describe(other)
    assert (insert._defaults is None) == (model in {Attempt, Grading})  # the database has its part


MOMENTS = {"uuid", "created_at", "updated_at", "started_at", "occurred_at"}


def test_a_model_that_does_more_makes_its_rows_itself(monkeypatch):
    monkeypatch.setattr("quizzes.lib.prepared_writes.is_plain", lambda *_: False)
    row = PreparedInsert(QuizGrade).build(attempts_graded=3)
    assert (row.attempts_graded, row.total_numerator, row._state.adding) == (3, None, True)
