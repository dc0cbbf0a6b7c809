"""Saving answers: each save is appended to the journal, and acknowledged when it is committed.

Apart from services.py, which begins and ends attempts, because it is the busiest code of all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, PositiveIntegerField, Q, UUIDField

from accounts.models import User
from accounts.prepared import Prepared
from grading.contract import Json, Unreadable
from grading.kinds import KINDS
from quizzes.attempts import rules
from quizzes.attempts.journal import newest
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, State, Verdict
from quizzes.attempts.selectors import papers_of
from quizzes.lib.errors import Invalid, NotFound

BIGGEST_REVISION = 1_000_000


@dataclass(frozen=True, slots=True)
class Save:
    """What a door received for one slot.

    `base` is the revision the learner saw when answering; None takes whatever stands (a form
    without scripts sends what it was given, so only programs that know better leave it out).
    """

    slot: int
    raw: Json
    operation: UUID
    base: int | None = None
    flagged: bool = False
    client: UUID | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a save: its verdict, and the revision and answer that now stand."""

    slot: int
    kind: str
    verdict: str
    revision: int
    answer: Mapping[str, Any] | None
    flagged: bool
    at: datetime


_LOCKED: Prepared[Attempt] = Prepared(
    lambda attempt, learner: Attempt.objects.select_for_update(of=("self",)).filter(
        uuid=attempt, learner=learner
    ),
    UUIDField(),
    BigIntegerField(),
)


@transaction.atomic
def save(
    *, attempt: UUID, learner: User, saves: Sequence[Save], language: str, now: datetime
) -> tuple[Saved, ...]:
    """Append saves to the journal of one's own attempt, all in one transaction.

    Nothing of them is kept if one cannot be read (Invalid, naming its slot), or the attempt is
    not the learner's (NotFound). A save over a state that another tab has changed, or that comes
    too late, is kept too, but does not count: its verdict says `conflict` or `late`. A save sent
    again is answered as the first time.
    """
    row = _LOCKED.first(attempt, learner.pk)
    if row is None:
        raise NotFound
    manifest = Manifest.from_json(row.manifest)
    answers = read(manifest, saves)
    known = _known(row, saves)
    counting = [entry for entry in known if entry.verdict == Verdict.ACCEPTED]
    standing = {entry.slot: entry for entry in sorted(counting, key=lambda one: one.revision)}
    repeated = {entry.operation: entry for entry in known}
    late = row.state != State.OPEN or not rules.in_time(row.cutoff_at, now)
    fresh = [
        Response(
            attempt=row,
            slot=one.slot,
            revision=_next(standing.get(one.slot)),
            verdict=_verdict(one, standing.get(one.slot), late=late),
            answer=answer,
            flagged=one.flagged,
            operation=one.operation,
            client=one.client,
            language=language,
            received_at=now,
        )
        for one, answer in zip(saves, answers, strict=True)
        if not _is_repeat(one, answer, repeated)
    ]
    Response.objects.bulk_create(fresh)
    made = {response.operation: response for response in fresh}
    return tuple(
        _told(
            manifest.slots[one.slot].kind,
            made.get(one.operation) or repeated[one.operation],
            standing.get(one.slot),
        )
        for one in saves
    )


def read(manifest: Manifest, saves: Iterable[Save]) -> list[Mapping[str, Any] | None]:
    """Read each raw answer by its kind. What cannot be read: Invalid, naming slot and place."""
    papers = papers_of(manifest)
    answers: list[Mapping[str, Any] | None] = []
    seen: set[int] = set()
    operations: set[UUID] = set()
    for one in saves:
        if not 0 <= one.slot < len(papers):
            raise Invalid("unknown_slot", where="slot", slot=one.slot)
        if one.slot in seen:
            raise Invalid("slot_twice", where="slot", slot=one.slot)
        if one.operation in operations:
            raise Invalid("operation_reused", where="operation", slot=one.slot)
        if one.base is not None and not 0 <= one.base <= BIGGEST_REVISION:
            raise Invalid("senseless_revision", where="base", slot=one.slot)
        seen.add(one.slot)
        operations.add(one.operation)
        paper = papers[one.slot]
        answer = KINDS[paper.kind].read(paper.content, one.raw)
        if isinstance(answer, Unreadable):
            raise Invalid(answer.code, slot=one.slot, **answer.detail)
        answers.append(answer)
    return answers


def _known(row: Attempt, saves: Sequence[Save]) -> list[Response]:
    """Give the heads of these slots, and what was kept of these operations before."""
    if len(saves) == 1:
        return _KNOWN_OF_ONE.find(row.pk, saves[0].slot, saves[0].operation)
    slots = [one.slot for one in saves]
    operations = [one.operation for one in saves]
    counting = Q(pk__in=newest(row), slot__in=slots)
    return list(Response.objects.filter(counting | Q(operation__in=operations), attempt=row))


_KNOWN_OF_ONE: Prepared[Response] = Prepared(
    lambda attempt, slot, operation: Response.objects.filter(
        Q(pk__in=newest(attempt), slot=slot) | Q(operation=operation), attempt=attempt
    ),
    BigIntegerField(),
    PositiveIntegerField(),
    UUIDField(),
)


def _is_repeat(
    one: Save, answer: Mapping[str, Any] | None, repeated: Mapping[UUID, Response]
) -> bool:
    """Tell whether this very save was kept before.

    Its id on another slot or for another answer is a client's mistake, and dropping the answer in
    silence would be ours.
    """
    before = repeated.get(one.operation)
    if before is not None and (before.slot, before.answer) != (one.slot, answer):
        raise Invalid("operation_reused", where="operation", slot=one.slot)
    return before is not None


def _next(head: Response | None) -> int:
    return head.revision + 1 if head else 1


def _verdict(one: Save, head: Response | None, *, late: bool) -> Verdict:
    if late:
        return Verdict.LATE
    if one.base is not None and one.base != (head.revision if head else 0):
        return Verdict.CONFLICT
    return Verdict.ACCEPTED


def _told(kind: str, response: Response, head: Response | None) -> Saved:
    """Answer with what stands now: the save itself if it counts, else what it met."""
    stands = response if response.verdict == Verdict.ACCEPTED else head
    return Saved(
        slot=response.slot,
        kind=kind,
        verdict=response.verdict,
        revision=stands.revision if stands else 0,
        answer=stands.answer if stands else None,
        flagged=stands.flagged if stands else False,
        at=response.received_at,
    )
