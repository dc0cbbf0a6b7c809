"""Many questions at once are the same rows as one by one."""

from typing import Any

import pytest
from django.db.models import Model

from quizzes.bank import bulk, services
from quizzes.bank.bulk import QuestionState
from quizzes.bank.models import (
    Bank,
    Question,
    QuestionVersion,
    VersionFeedback,
    VersionKey,
    VersionTranslation,
)
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from tests.factories import NOW, choice_document

pytestmark = pytest.mark.django_db

IDS = {letter: f"00000000-0000-4000-8000-00000000000{n}" for n, letter in enumerate("abc")}
KEPT_APART = {"id", "uuid", "created_at", "updated_at", "question", "version", "current", "bank"}


def item(right: str = "a") -> QuestionDocument:
    return choice_document(IDS, right=right, kind="single_choice", scoring_method="", name="q")


def made(slug: str) -> Bank:
    return services.update_or_create_bank(
        slug=slug, group=None, fields={"title": {"en": slug}}, by=None
    )


def values(row: Model) -> dict[str, Any]:
    return {
        field.name: getattr(row, field.name)
        for field in row._meta.concrete_fields
        if field.name not in KEPT_APART
    }


def kept(into: Bank, *states: QuestionState) -> None:
    bulk.update_or_create_questions(bank=into, states=states, by=None, now=NOW)


def rows(of: Bank) -> list[list[dict[str, Any]]]:
    """All rows that a published question is made of, as far as they do not name one another."""
    question = Question.objects.select_related("current", "draft").get(bank=of)
    version = question.current
    assert version is not None
    parts = [
        [question, question.draft, version],
        VersionKey.objects.filter(version=version),
        VersionTranslation.objects.filter(version=version).order_by("language"),
        VersionFeedback.objects.filter(version=version).order_by("language"),
    ]
    return [[values(row) for row in part] for part in parts]


def test_the_rows_are_those_that_services_write():
    kept(state := made("one"), QuestionState("q", item(), {}, frozenset({"t"}), published=True))
    question = services.add_question(bank=(two := made("two")), name="q", item=item(), by=None)
    services.set_tags(question=question, names=["t"], by=None)
    services.publish(question=question, by=None, now=NOW)
    services.record_import(question=question, item=item(), by=None)
    assert rows(state) == rows(two)
    first, second = Event.objects.order_by("pk")
    assert first.data.keys() == second.data.keys()
    assert [tag.name for tag in Question.objects.get(bank=state).tags.all()] == ["t"]


def test_what_is_changed_gets_a_next_version_and_its_draft_a_next_revision():
    into = made("one")
    kept(into, QuestionState("q", item(), IDS, published=True))
    kept(into, QuestionState("q", item("b"), IDS, published=True))
    question = Question.objects.select_related("current", "draft").get()
    assert question.current is not None
    assert (question.current.number, question.draft.revision) == (2, 2)
    assert question.options.count() == len(IDS)


def test_what_is_published_already_makes_no_version_and_is_in_use_again():
    into = made("one")
    kept(into, QuestionState("q", item(), published=True))
    Question.objects.update(retired_at=NOW)
    kept(into, QuestionState("q", item(), published=True))
    assert QuestionVersion.objects.count() == Event.objects.count() == 1
    assert Question.objects.get().retired_at is None


def test_what_is_not_to_be_published_is_a_draft():
    kept(made("one"), QuestionState("q", item()))
    question = Question.objects.get()
    assert question.current is None
    assert not Event.objects.exists()


def test_questions_of_one_name_in_other_banks_are_left_alone():
    kept(made("one"), QuestionState("q", item(), published=True))
    kept(made("two"), QuestionState("q", item("b"), published=True))
    assert [question.versions.count() for question in Question.objects.all()] == [1, 1]
