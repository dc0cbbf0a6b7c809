"""Publishing questions: the one writer of frozen versions, for one question or ten thousand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db.models import Max

from accounts.models import User
from quizzes.bank import uploads
from quizzes.bank.models import (
    Question,
    QuestionVersion,
    VersionFeedback,
    VersionKey,
    VersionTranslation,
)
from quizzes.document import QuestionDocument
from quizzes.events.models import Event
from quizzes.lib.row_writers import DIRECT, RowWriter


@dataclass(frozen=True, slots=True)
class Publication:
    """A question that is to be published as this document says, which has no problems."""

    question: Question
    document: QuestionDocument
    digest: str
    note: str = ""


def publish_versions(
    publications: Sequence[Publication],
    *,
    by: User | None,
    now: datetime,
    writer: RowWriter = DIRECT,
) -> list[QuestionVersion]:
    """Freeze the next version of each question that changed since its last, and return these.

    All questions are in use after it. The caller holds a transaction and the rows of the questions;
    the number of queries does not depend on how many they are, but for those that show files.
    """
    pks = [publication.question.pk for publication in publications]
    rows = Question.objects.filter(pk__in=pks).order_by().annotate(last=Max("versions__number"))
    before = {pk: (digest, last) for pk, digest, last in rows.values_list(*_BEFORE)}
    frozen = {
        publication.question.pk: (publication, _build_version(publication, before, by))
        for publication in publications
        if before.get(publication.question.pk, _UNPUBLISHED)[0] != publication.digest
    }
    versions = writer.insert(
        QuestionVersion, [version for _, version in frozen.values()], have_parts=True
    )
    _add_parts(writer, list(frozen.values()))
    for publication in publications:
        publication.question.retired_at = publication.question.merged_into = None
    for publication, version in frozen.values():
        publication.question.current = version
    in_use = ["retired_at", "merged_into"]
    if changed := [publication.question for publication, _ in frozen.values()]:
        writer.update(Question, changed, ["current", *in_use])
    unchanged = [each.question for each in publications if each.question.pk not in frozen]
    if unchanged:
        writer.update(Question, unchanged, in_use)
    events = (
        Event(
            kind="question.published",
            subject=version.question.uuid,
            data={"version": str(version.uuid), "number": version.number},
            occurred_at=now,
        )
        for version in versions
    )
    writer.insert(Event, events)
    return versions


_BEFORE = ("pk", "current__digest", "last")
_UNPUBLISHED = (None, None)


def _build_version(
    publication: Publication,
    before: Mapping[int, tuple[str | None, int | None]],
    by: User | None,
) -> QuestionVersion:
    document = publication.document
    return QuestionVersion(
        question=publication.question,
        number=(before.get(publication.question.pk, _UNPUBLISHED)[1] or 0) + 1,
        kind=document.kind,
        scoring_method=document.scoring_method,
        content=document.content,
        source_language=document.source_language,
        digest=publication.digest,
        published_by=by,
        note=publication.note,
    )


def _add_parts(writer: RowWriter, frozen: Sequence[tuple[Publication, QuestionVersion]]) -> None:
    parts = [
        (publication.document, language, version)
        for publication, version in frozen
        for language in publication.document.languages
    ]
    translations = (
        VersionTranslation(
            version=version,
            language=language,
            texts=document.words[language],
            is_outdated=document.is_outdated(language),
        )
        for document, language, version in parts
    )
    keys = (
        VersionKey(version=version, key=publication.document.key) for publication, version in frozen
    )
    feedback = (
        VersionFeedback(
            version=version, language=language, texts=document.feedback.get(language, {})
        )
        for document, language, version in parts
    )
    writer.insert(VersionTranslation, translations)
    writer.insert(VersionKey, keys)
    writer.insert(VersionFeedback, feedback)
    for publication, version in frozen:
        if next(uploads.list_references(publication.document), None):
            link = partial(uploads.link_media, version=version, item=publication.document)
            writer.call(link)
