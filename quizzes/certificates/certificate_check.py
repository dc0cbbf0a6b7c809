"""What is to be said of a signed certificate that somebody brings."""

import json
from dataclasses import dataclass
from datetime import datetime

from quizzes.attempts.receipt_file import MAX_CHARACTERS
from quizzes.certificates.selectors import build_report, load_by_uuid
from quizzes.certificates.signed_content import TYPE, CertificateContent
from quizzes.lib.signing_keys import load_signing_keys

ERASED = "erased"
REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class CertificateCheck:
    """What is to be said of a certificate: codes, for interfaces to put in words.

    `verdict` is genuine, unreadable, key_unknown or signature_wrong. `standing`, of a genuine one,
    is a `CertificateStatus`, `replaced` (issued anew since: by a grading, or with other choices) or
    `erased` (nothing of it is stored any more); `since` when that came, where it is known.
    """

    verdict: str
    content: CertificateContent | None = None
    key: str = ""
    standing: str = ""
    since: datetime | None = None

    @property
    def holds(self) -> bool:
        """Whether it is genuine and says what the record says today."""
        return self.verdict == "genuine" and self.standing == "valid"


def is_certificate(text: str) -> bool:
    """Return whether a text is to be checked as a certificate, not as a receipt."""
    try:
        document = json.loads(text[:MAX_CHARACTERS])
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and TYPE in document


def check_certificate(text: str) -> CertificateCheck:
    """Check a signed certificate: form, signature, and what has become of it since.

    Whoever has it knows what it says; so its standing is told also where it is not public.
    """
    try:
        document = json.loads(text[:MAX_CHARACTERS])
        content = CertificateContent.from_json(document[TYPE])
        key, signature = document["key"], document["signature"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return CertificateCheck("unreadable")
    keys = load_signing_keys()
    if not keys.is_known(key):
        return CertificateCheck("key_unknown", content, str(key))
    if not keys.is_signed(document[TYPE], key, signature):
        return CertificateCheck("signature_wrong", content, key)
    row = load_by_uuid(content.certificate)
    if row is None:
        return CertificateCheck("genuine", content, key, ERASED)
    report = build_report(row, is_own=False)
    if report.content is not None and report.content != content:
        return CertificateCheck("genuine", content, key, REPLACED, report.content.issued_at)
    since = None if report.is_valid else report.since
    return CertificateCheck("genuine", content, key, report.status, since)
