"""What is said of certificates: whether they are valid, and since when not."""

from datetime import datetime

from django.utils.translation import gettext as _

from quizzes.certificates.certificate_check import ERASED, REPLACED, CertificateCheck
from quizzes.certificates.selectors import CertificateReport, CertificateStatus
from quizzes.presentation.formatting import format_day

LEVEL = {"valid": "right", REPLACED: "note", ERASED: "note"}


def describe_certificate(report: CertificateReport) -> tuple[str, str]:
    """Return (right, wrong or note; sentence) on whether a certificate is valid."""
    if report.is_valid and report.since is not None:
        sentence = _("This certificate is valid. Its attempt was graded again on %(day)s.")
        return "right", sentence % {"day": format_day(report.since)}
    return LEVEL.get(report.status, "wrong"), _describe_standing(report.status, report.since)


def describe_certificate_check(check: CertificateCheck) -> list[tuple[str, str]]:
    """Return (right, wrong or note; sentence) for a signed certificate, the verdict first."""
    if check.verdict != "genuine" or check.content is None:
        return [("wrong", _describe_verdict(check.verdict))]
    issued = _(
        "This certificate is genuine: this site issued and signed it on %(day)s, and nothing in it"
        " has changed."
    ) % {"day": format_day(check.content.issued_at)}
    return [
        ("right", issued),
        (LEVEL.get(check.standing, "wrong"), _describe_standing(check.standing, check.since)),
    ]


def describe_certificate_refusal(code: str) -> str:
    """Return why no certificate is made."""
    if code == "certificate_without_name":
        return _("There is no name in your profile that it could show.")
    return _("There is no certificate of this attempt.")


def _describe_verdict(verdict: str) -> str:
    return {
        "unreadable": _(
            "This is not a certificate of this site, or it is not complete. Choose the file as it"
            " was downloaded."
        ),
        "key_unknown": _(
            "This certificate was signed with a key that this site does not know. It comes from"
            " another site, or it was made up."
        ),
        "signature_wrong": _(
            "This certificate is not genuine: it was changed after it was signed, or never signed"
            " here."
        ),
    }[verdict]


def _describe_standing(standing: str, since: datetime | None) -> str:
    sentence = {
        CertificateStatus.VALID: _("This certificate is valid."),
        CertificateStatus.REGRADED: _(
            "It was revoked on %(day)s: graded again, the attempt no longer passes."
        ),
        CertificateStatus.VOIDED: _("It was revoked on %(day)s: the attempt no longer counts."),
        CertificateStatus.WITHDRAWN: _("Its owner withdrew it on %(day)s."),
        REPLACED: _("It was issued anew on %(day)s: what counts is what its address shows now."),
        ERASED: _("It is no longer valid: the data of its owner was erased from this site."),
    }[standing]
    return sentence % {"day": format_day(since)} if since is not None else sentence
