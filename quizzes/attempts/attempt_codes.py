"""Codes of attempts and of time that was given: what they cover, and making them (ADR 57).

An attempt bears a code of what it began with: whose it is, its paper, whether it counts, and until
when it runs. Whatever moves its end later is a row of `DeadlineExtension`, chained by number to the
one before it, each with a code, too. No SQL makes a code (ADR 50).
"""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from quizzes.attempts.models import Attempt, DeadlineExtension
from quizzes.lib.hash_chain import START, chain_digest, compute_digest, format_time
from quizzes.lib.prepared_writes import PreparedInsert
from quizzes.lib.signing_keys import load_signing_keys


class Ending(NamedTuple):
    """Until when an attempt runs; None for both: without an end."""

    deadline_at: datetime | None
    cutoff_at: datetime | None


def compute_opening_digest(attempt: Attempt, ending: Ending) -> bytes:
    """Return the digest of what an attempt began with, 32 bytes; the ending is its first one."""
    return compute_digest(
        {
            "opened": str(attempt.uuid),
            "quiz_grade": attempt.quiz_grade_id,
            "quiz_version": attempt.quiz_version_id,
            "quiz": attempt.quiz_id,
            "learner": attempt.learner_id,
            "number": attempt.number,
            "is_staff_attempt": attempt.is_staff_attempt,
            "reopened_from": attempt.reopened_from_id,
            "manifest_digest": compute_digest(attempt.manifest).hex(),
            "created_at": format_time(attempt.created_at),
            "started_at": format_time(attempt.started_at),
            "deadline_at": ending.deadline_at and format_time(ending.deadline_at),
            "cutoff_at": ending.cutoff_at and format_time(ending.cutoff_at),
        }
    )


def open_attempt(attempt: Attempt) -> Attempt:
    """Give a new attempt its code, insert it and return it."""
    digest = compute_opening_digest(attempt, Ending(attempt.deadline_at, attempt.cutoff_at))
    attempt.mac = load_signing_keys().compute_mac(digest)
    return _INSERT.insert(attempt)


_INSERT = PreparedInsert(Attempt)


def extension_fields(attempt: UUID, extension: DeadlineExtension) -> dict[str, Any]:
    """Return what the digest of an extension covers, as JSON."""
    return {
        "attempt": str(attempt),
        "number": extension.number,
        "deadline_before": format_time(extension.deadline_before),
        "deadline_at": format_time(extension.deadline_at),
        "cutoff_at": format_time(extension.cutoff_at),
        "by_pause": extension.by_pause,
        "extended_at": format_time(extension.extended_at),
    }


def append_extension(attempt: Attempt, extension: DeadlineExtension) -> None:
    """Insert an extension after the last one of its attempt, which is locked."""
    last = DeadlineExtension.objects.filter(attempt=attempt).order_by("-number").first()
    extension.attempt, extension.learner_id = attempt, attempt.learner_id
    extension.number = 1 if last is None else last.number + 1
    previous = START if last is None else bytes(last.digest)
    extension.digest = chain_digest(previous, extension_fields(attempt.uuid, extension))
    extension.mac = load_signing_keys().compute_mac(extension.digest)
    extension.save(force_insert=True)
