"""Making a certificate of one's own pass, choosing what it shows, and taking it back."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.certificates.models import Certificate
from quizzes.certificates.selectors import can_be_certified
from quizzes.lib.errors import NotFound, Refused


def lock_attempt(*, attempt: UUID, learner: User) -> Attempt:
    """Return an attempt of one's own and hold it; not one's own: NotFound.

    Of two who make its certificate at once, the second changes the first's.
    """
    locked = Attempt.objects.select_for_update(of=("self",)).select_related("quiz")
    row = locked.filter(uuid=attempt, learner=learner).first()
    if row is None:
        raise NotFound
    return row


@transaction.atomic
def save_certificate(  # noqa: PLR0913  what its owner chooses
    *,
    attempt: UUID,
    learner: User,
    shows_name: bool,
    shows_score: bool,
    is_public: bool,
    now: datetime,
) -> tuple[Certificate, bool]:
    """Make the certificate of an attempt of one's own, or choose anew what it shows.

    Return it, and whether it is new. Not one's own attempt: NotFound. It does not pass, its score
    is hidden, its quiz gives no certificates, or there is no name to show: Refused.
    """
    row = lock_attempt(attempt=attempt, learner=learner)
    certificate = Certificate.objects.filter(attempt=row, withdrawn_at=None).first()
    if certificate is None and not can_be_certified(attempt=attempt, learner=learner, now=now):
        raise Refused("certificate_not_given")
    if shows_name and not learner.name:
        raise Refused("certificate_without_name")
    is_new = certificate is None
    before = None if certificate is None else _describe(certificate)
    if certificate is None:
        certificate = Certificate(attempt=row, learner=learner, created_at=now)
    certificate.name = learner.name if shows_name else ""
    certificate.shows_score, certificate.is_public = shows_score, is_public
    certificate.chosen_at = now
    certificate.save()
    record(
        AuditCode.CERTIFICATE_MADE if is_new else AuditCode.CERTIFICATE_CHANGED,
        about=certificate,
        label=str(row.quiz),
        by=learner,
        before=before,
        after=_describe(certificate),
    )
    return certificate, is_new


@transaction.atomic
def withdraw_certificate(*, attempt: UUID, learner: User, now: datetime) -> Certificate:
    """Take back the certificate of an attempt of one's own, for good; none there: NotFound.

    Its address says that it was withdrawn, to whom it said more before. Another can be made, which
    has another address.
    """
    own = Certificate.objects.filter(attempt__uuid=attempt, learner=learner, withdrawn_at=None)
    certificate = own.select_for_update(of=("self",)).select_related("attempt__quiz").first()
    if certificate is None:
        raise NotFound
    before = _describe(certificate)
    certificate.withdrawn_at, certificate.name = now, ""
    certificate.save()
    record(
        AuditCode.CERTIFICATE_WITHDRAWN,
        about=certificate,
        label=str(certificate.attempt.quiz),
        by=learner,
        before=before,
    )
    return certificate


def _describe(certificate: Certificate) -> dict[str, bool]:
    """Return what of it the audit log has: no name."""
    return {
        "shows_name": bool(certificate.name),
        "shows_score": certificate.shows_score,
        "is_public": certificate.is_public,
    }
