"""Verifying attempts themselves: what they began with, when they end, pauses, and voiding."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from quizzes.attempts.attempt_codes import Ending, compute_opening_digest, extension_fields
from quizzes.attempts.chain_verification import verify_chains
from quizzes.attempts.models import (
    Accommodation,
    Attempt,
    DeadlineExtension,
    StandingAccommodation,
    State,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.recorded_state import RecordedState, load_recorded
from quizzes.lib.hash_chain import Difference, format_time
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.lib.signing_keys import load_signing_keys


def verify_extensions() -> Iterator[Differences]:
    """Verify each move of a deadline: its digest, its code, its place."""
    yield from verify_chains(
        DeadlineExtension.objects.all(),
        "number",
        lambda row: extension_fields(row.parent_uuid, row),
    )


def verify_attempts() -> Iterator[Differences]:
    """Verify what each attempt began with, that its end moved as recorded, pauses and voiding."""
    voided = load_recorded([Attempt], AuditCode.ATTEMPT_VOIDED)
    paused = load_recorded([Attempt], AuditCode.ATTEMPT_PAUSED, AuditCode.ATTEMPT_RESUMED)
    for row in read_rows(Attempt.objects.prefetch_related("extensions").order_by("pk")):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
            continue
        differences: list[Difference] = []
        try:
            extensions = list(row.extensions.all())
            differences += _find_opening_differences(row, extensions)
            differences += _find_pause_differences(row, extensions, paused)
            differences += _find_voiding_differences(row, voided)
        except UNREADABLE as error:
            differences.append(("row", "unreadable", describe_error(error)))
        yield _name(f"attempt {row.uuid}", differences)


def _find_opening_differences(
    row: Attempt, extensions: list[DeadlineExtension]
) -> Iterator[Difference]:
    """Yield whether something differs that was settled when it began, or its end since."""
    first = Ending(row.deadline_at, row.cutoff_at)
    if extensions:
        earliest, latest = extensions[0], extensions[-1]
        grace = earliest.cutoff_at - earliest.deadline_at
        first = Ending(earliest.deadline_before, earliest.deadline_before + grace)
        for place in ("deadline_at", "cutoff_at"):
            stored, recorded = getattr(row, place), getattr(latest, place)
            if stored != recorded:
                yield place, str(stored), str(recorded)
    if not load_signing_keys().is_authentic(compute_opening_digest(row, first), bytes(row.mac)):
        yield "mac", bytes(row.mac).hex(), "by a key of this site, of what it began with"
    is_handed_in = bool(row.submitted_at or row.submission_reason or row.receipt)
    possible = {State.SUBMITTED, State.GRADED} if is_handed_in else {State.OPEN}
    if row.state not in {*possible, State.VOID}:
        yield "state", row.state, " or ".join(sorted(possible))


def _find_pause_differences(
    row: Attempt, extensions: list[DeadlineExtension], paused: RecordedState
) -> Iterator[Difference]:
    """Yield where the pauses of an attempt differ from how they moved its end.

    One without an end has no such rows: when it goes on stands in the audit log.
    """
    until, total = None, timedelta()
    for extension in extensions:
        if extension.by_pause:
            shift = extension.deadline_at - extension.deadline_before
            until = max(until or extension.extended_at, extension.extended_at) + shift
            total += shift
    if row.paused_for != total:
        yield "paused_for", str(row.paused_for), str(total)
    if row.deadline_at is not None and row.paused_until != until:
        yield "paused_until", str(row.paused_until), str(until)
    if row.deadline_at is None:
        stored = _format(row.paused_until)
        yield from paused.compare(row.uuid, "paused_until", stored, None, row.paused_until)


def _find_voiding_differences(row: Attempt, voided: RecordedState) -> Iterator[Difference]:
    state = State.VOID if row.state == State.VOID else "not void"
    yield from voided.compare(row.uuid, "state", str(state), "not void", row.updated_at)
    yield from voided.compare(row.uuid, "reason", row.void_reason, "", row.updated_at)


ACCOMMODATIONS: Mapping[type[Any], tuple[str, ...]] = {
    Accommodation: ("time_percent", "extra_attempts", "closes_at"),
    StandingAccommodation: ("time_percent", "extra_minutes", "window_minutes"),
}
"""What is compared with the audit log of each; why somebody has more time is not in it."""


def verify_accommodations() -> Iterator[Differences]:
    """Verify that each accommodation gives what the audit log says was given."""
    recorded = load_recorded(ACCOMMODATIONS, AuditCode.TIME_GIVEN)
    for model, names in ACCOMMODATIONS.items():
        for row in read_rows(model.objects.order_by("pk")):
            if isinstance(row, UnreadableRow):
                yield (row.to_difference(),)
                continue
            differences = [
                difference
                for name in names
                for difference in recorded.compare(
                    row.uuid,
                    name,
                    _format(getattr(row, name)),
                    model._meta.get_field(name).get_default(),
                    row.created_at,
                )
            ]
            yield _name(f"{model._meta.verbose_name} {row.uuid}", differences)


def _format(stored: Any) -> Any:
    return format_time(stored) if isinstance(stored, datetime) else stored


def _name(name: str, differences: list[Difference]) -> Differences:
    return tuple(RecordDifference(name, *difference) for difference in differences)
