"""Frozen versions: a question published alone equals the same one published among many."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Model

from grading.kinds import KINDS
from quizzes.bank import services
from quizzes.bank.models import (
    Bank,
    Question,
    QuestionVersion,
    VersionFeedback,
    VersionKey,
    VersionMedia,
    VersionTranslation,
)
from quizzes.bank.versions import Publication, publish_versions
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.formats import ochenta
from quizzes.formats.document_mapping import build_document
from tests.factories import NOW
from tests.media_files import media_markdown, png, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

EVERY_KIND = Path(settings.ROOT) / "fixtures" / "banks" / "every-kind-once.yaml"
OWN_FIELDS = {"id", "uuid", "created_at", "updated_at", "question", "version"}
NOTE = "Spelling"


def every_kind(into: Bank) -> list[QuestionDocument]:
    """A question of every kind in two languages, and one that shows a picture."""
    documents = [
        build_document(question, {row.name: f"{row.name}-id" for row in question.rows}, "en")
        for question in ochenta.read(EVERY_KIND.read_bytes()).questions
    ]
    words = {
        language: {**texts, "prompt": f"{texts['prompt']} {media_markdown(upload(into, png()))}"}
        for language, texts in documents[0].words.items()
    }
    return [*documents, replace(documents[0], words=words, translated_from={})]


def add(into: Bank, name: str, document: QuestionDocument) -> Publication:
    question = services.add_question(bank=into, name=name, item=document, by=None)
    return Publication(question, document, document.digest(), NOTE)


def own_values(row: Model) -> dict[str, Any]:
    fields = (field for field in row._meta.concrete_fields if field.name not in OWN_FIELDS)
    return {field.name: getattr(row, field.name) for field in fields}


def frozen(question: Question) -> list[dict[str, Any]]:
    """All rows of a published question, but for what each has of its own."""
    question.refresh_from_db()
    version = question.current
    assert version is not None
    parts: list[Any] = [VersionTranslation, VersionKey, VersionFeedback, VersionMedia]
    rows = [
        version,
        *(row for part in parts for row in part.objects.filter(version=version).order_by("pk")),
    ]
    events = Event.objects.filter(subject=question.uuid)
    kinds = [(event.kind, event.data["number"], event.occurred_at) for event in events]
    return [*map(own_values, rows), {"events": kinds, "retired_at": question.retired_at}]


def change_source(document: QuestionDocument) -> QuestionDocument:
    """The same question with another prompt in its source language: its translation is outdated."""
    source = document.source_language
    translated_from = {"es": document.source_digest()}
    texts = {**document.words[source], "prompt": f"{document.words[source]['prompt']} Really?"}
    return replace(
        document, words={**document.words, source: texts}, translated_from=translated_from
    )


@pytest.mark.parametrize("is_second", [False, True], ids=["first version", "second version"])
def test_a_question_published_alone_equals_the_same_one_of_a_batch(into, users, is_second):
    documents = every_kind(into)
    assert {document.kind for document in documents} == set(KINDS)
    assert {document.languages for document in documents} == {("en", "es")}
    batch, alone = (
        [add(into, f"{name}-{n}", document) for n, document in enumerate(documents)]
        for name in ("batch", "alone")
    )
    if is_second:
        publish_versions([*batch, *alone], by=None, now=NOW)
        batch, alone = (list(map(change, publications)) for publications in (batch, alone))
    publish_versions(batch, by=users.instructor, now=NOW)
    for publication in alone:
        services.publish(
            question=publication.question, by=users.instructor, now=NOW, note=publication.note
        )
    for single, among in zip(alone, batch, strict=True):
        assert frozen(single.question) == frozen(among.question)
    assert QuestionVersion.objects.count() == 2 * len(documents) * (1 + is_second)
    outdated = VersionTranslation.objects.filter(is_outdated=True).count()
    assert outdated == (2 * len(documents) if is_second else 0)


def change(publication: Publication) -> Publication:
    """Save another draft of a question, to be published next."""
    document, question = change_source(publication.document), publication.question
    services.save_draft(question=question, item=document, revision=None, by=None)
    return replace(publication, document=document, digest=document.digest())


def test_of_a_batch_only_what_changed_gets_a_version(into):
    publications = [add(into, f"q{n}", document) for n, document in enumerate(every_kind(into)[:3])]
    publish_versions(publications, by=None, now=NOW)
    versions = publish_versions([publications[0], *map(change, publications[1:])], by=None, now=NOW)
    assert [version.question.name for version in versions] == ["q1", "q2"]
    assert {version.number for version in versions} == {2}
