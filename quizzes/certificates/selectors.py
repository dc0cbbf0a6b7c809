"""Certificates as they stand now: read from the record, never from what was stored of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.models import Attempt, State
from quizzes.certificates.models import Certificate
from quizzes.certificates.signed_content import TYPE, CertificateContent
from quizzes.lib.errors import NotFound
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.results.attempt_report import AttemptSummary, Score
from quizzes.results.regrade_notices import build_score
from quizzes.results.selectors import list_own_attempts, load_summaries


class CertificateStatus(StrEnum):
    """What has become of a certificate."""

    VALID = "valid"
    REGRADED = "regraded"  # its attempt no longer passes
    VOIDED = "voided"  # its attempt no longer counts
    WITHDRAWN = "withdrawn"  # its owner took it back


@dataclass(frozen=True, slots=True)
class CertificateReport:
    """A certificate as whoever has its address may see it now.

    `since`: when it stopped holding, or, of a valid one, when it was issued anew because its
    attempt was graded again; None: as it was issued first. `content` and `document`, which is
    signed, only of a valid one. `score` only where its owner shows it.
    """

    uuid: UUID
    attempt: UUID
    status: CertificateStatus
    since: datetime | None
    is_public: bool
    is_own: bool
    content: CertificateContent | None
    source_language: str
    score: Score | None
    document: dict[str, Any] | None

    @property
    def is_valid(self) -> bool:
        """Whether it holds."""
        return self.status == CertificateStatus.VALID


def load_certificate(*, certificate: UUID, viewer: UserOrAnonymous) -> CertificateReport:
    """Return a certificate that is public, or one's own; any other: NotFound. One query."""
    condition = Q(is_public=True)
    if viewer.is_authenticated:
        condition |= Q(learner=viewer)
    row = _with_record(Certificate.objects.filter(condition, uuid=certificate)).first()
    if row is None:
        raise NotFound
    return build_report(row, is_own=viewer.is_authenticated and row.learner_id == viewer.pk)


def find_own_certificate(*, attempt: UUID, learner: User) -> Certificate | None:
    """Return the certificate of one's own attempt that was not withdrawn; None without any."""
    own = Certificate.objects.filter(attempt__uuid=attempt, learner=learner, withdrawn_at=None)
    return _with_record(own).first()


def list_certified_attempts(attempts: list[UUID], learner: User) -> dict[UUID, UUID]:
    """Return, of these attempts of one's own, the certificate that was not withdrawn."""
    own = Certificate.objects.filter(attempt__uuid__in=attempts, learner=learner, withdrawn_at=None)
    return dict(own.values_list("attempt__uuid", "uuid"))


def can_be_certified(*, attempt: UUID, learner: User, now: datetime) -> bool:
    """Return whether a certificate can be made of this attempt; not one's own: NotFound."""
    row = list_own_attempts(learner).filter(uuid=attempt).first()
    if row is None:
        raise NotFound
    (summary,) = load_summaries([row], learner, now)
    return is_certifiable(summary)


def is_certifiable(summary: AttemptSummary) -> bool:
    """Return whether a certificate can be made of one's own attempt.

    It passes, the learner may read its score, its quiz gives certificates, and it is no attempt of
    somebody who could see the answers.
    """
    if not summary.gives_certificates or summary.is_staff_attempt:
        return False
    return summary.state == State.GRADED and summary.score is not None and summary.score.passed


def build_report(row: Certificate, *, is_own: bool) -> CertificateReport:
    """Return a row of `_with_record` as it stands."""
    status, since = _find_status(row)
    valid = status == CertificateStatus.VALID
    content = _build_content(row) if valid else None
    grading = row.attempt.result.grading if valid and row.shows_score else None
    return CertificateReport(
        uuid=row.uuid,
        attempt=row.attempt.uuid,
        status=status,
        since=since,
        is_public=row.is_public,
        is_own=is_own,
        content=content,
        source_language=row.attempt.quiz_version.source_language,
        score=build_score(grading, row.attempt.quiz_version.threshold) if grading else None,
        document=sign_certificate(content) if content else None,
    )


def sign_certificate(content: CertificateContent) -> dict[str, Any]:
    """Return the document that is downloaded: certificate, id of the key, signature."""
    signed = content.to_json()
    return {TYPE: signed, **load_signing_keys().sign(signed)}


def load_by_uuid(certificate: UUID) -> Certificate | None:
    """Return a certificate with its record, whoever asks: for who brings a signed one."""
    return _with_record(Certificate.objects.filter(uuid=certificate)).first()


def _with_record(rows: QuerySet[Certificate]) -> QuerySet[Certificate]:
    return rows.select_related("attempt__quiz", "attempt__quiz_version", "attempt__result__grading")


def _find_status(row: Certificate) -> tuple[CertificateStatus, datetime | None]:
    if row.withdrawn_at is not None:
        return CertificateStatus.WITHDRAWN, row.withdrawn_at
    attempt = row.attempt
    if attempt.state != State.GRADED:
        return CertificateStatus.VOIDED, attempt.updated_at
    grading = attempt.result.grading
    if not grading.passed:
        return CertificateStatus.REGRADED, grading.graded_at
    return CertificateStatus.VALID, grading.graded_at if _was_regraded(row) else None


def _was_regraded(row: Certificate) -> bool:
    return row.attempt.result.grading.graded_at > row.created_at


def _build_content(row: Certificate) -> CertificateContent:
    attempt: Attempt = row.attempt
    grading, version = attempt.result.grading, attempt.quiz_version
    return CertificateContent(
        certificate=row.uuid,
        quiz=attempt.quiz.uuid,
        title=version.title,
        quiz_version=version.number,
        pass_mark=version.threshold,
        submitted_at=attempt.submitted_at or row.created_at,  # a graded attempt has it
        issued_at=max(row.chosen_at, grading.graded_at),
        name=row.name,
        points=grading.total if row.shows_score else None,
        maximum=grading.maximum if row.shows_score else None,
    )
