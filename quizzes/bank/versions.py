"""Publishing questions: the one writer of frozen versions, for one question or ten thousand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, OuterRef, Subquery

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


@dataclass(frozen=True, slots=True)
class Publication:
    """A question that is to be published as this document says, which has no problems."""

    question: Question
    document: QuestionDocument
    digest: str
    note: str = ""


def publish_versions(
    publications: Sequence[Publication], *, by: User | None, now: datetime
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
        if before[publication.question.pk][0] != publication.digest
    }
    versions = QuestionVersion.objects.bulk_create(version for _, version in frozen.values())
    _add_parts(list(frozen.values()))
    in_use = {"retired_at": None, "merged_into": None}
    newest = QuestionVersion.objects.filter(question=OuterRef("pk")).order_by("-number")
    current = Subquery(newest.values("pk")[:1])
    Question.objects.filter(pk__in=frozen).update(current=current, **in_use)
    if unchanged := set(pks) - set(frozen):
        Question.objects.filter(pk__in=unchanged).update(**in_use)
    Event.objects.bulk_create(
        Event(
            kind="question.published",
            subject=version.question.uuid,
            data={"version": str(version.uuid), "number": version.number},
            occurred_at=now,
        )
        for version in versions
    )
    return versions


_BEFORE = ("pk", "current__digest", "last")


def _build_version(
    publication: Publication, before: Mapping[int, tuple[str, int | None]], by: User | None
) -> QuestionVersion:
    document = publication.document
    return QuestionVersion(
        question=publication.question,
        number=(before[publication.question.pk][1] or 0) + 1,
        kind=document.kind,
        scoring_method=document.scoring_method,
        content=document.content,
        source_language=document.source_language,
        digest=publication.digest,
        published_by=by,
        note=publication.note,
    )


def _add_parts(frozen: Sequence[tuple[Publication, QuestionVersion]]) -> None:
    parts = [
        (publication.document, language, version)
        for publication, version in frozen
        for language in publication.document.languages
    ]
    VersionTranslation.objects.bulk_create(
        VersionTranslation(
            version=version,
            language=language,
            texts=document.words[language],
            is_outdated=document.is_outdated(language),
        )
        for document, language, version in parts
    )
    VersionKey.objects.bulk_create(
        VersionKey(version=version, key=publication.document.key) for publication, version in frozen
    )
    VersionFeedback.objects.bulk_create(
        VersionFeedback(
            version=version, language=language, texts=document.feedback.get(language, {})
        )
        for document, language, version in parts
    )
    for publication, version in frozen:
        uploads.link_media(
            version=version, item=publication.document
        )  # no query where no file is shown
