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
from grading.contract import InvalidAnswer
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.attempts import rules
from quizzes.attempts.journal import current_response_ids
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, SaveStatus, State
from quizzes.attempts.selectors import load_public_versions_of
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.prepared_query import PreparedQuery

MAX_REVISION = 1_000_000


@dataclass(frozen=True, slots=True)
class ResponseInput:
    """What a door received for one slot.

    `base_revision` is what the learner saw when answering; None takes whatever stands (a form
    without scripts sends what it was given, so only programs that know better leave it out).
    """

    slot: int
    raw: Json
    idempotency_key: UUID
    base_revision: int | None = None
    flagged: bool = False
    client: UUID | None = None


@dataclass(frozen=True, slots=True)
class SaveResult:
    """What became of a save: its verdict, and the revision and answer that now stand."""

    slot: int
    kind: str
    status: str
    revision: int
    answer: Mapping[str, Any] | None
    flagged: bool
    at: datetime


_LOCKED: PreparedQuery[Attempt] = PreparedQuery(
    lambda attempt, learner: Attempt.objects.select_for_update(of=("self",)).filter(
        uuid=attempt, learner=learner
    ),
    UUIDField(),
    BigIntegerField(),
)


@transaction.atomic
def save_responses(
    *, attempt: UUID, learner: User, inputs: Sequence[ResponseInput], language: str, now: datetime
) -> tuple[SaveResult, ...]:
    """Append saves to the journal of one's own attempt, all in one transaction.

    Nothing of them is stored if one cannot be read (Invalid, naming its slot), or the attempt is
    not the learner's (NotFound). A save over a state that another tab has changed, or that comes
    too late, is stored too, but does not count: its verdict says `conflict` or `late`. A save sent
    again is answered as the first time.
    """
    row = _LOCKED.first(attempt, learner.pk)
    if row is None:
        raise NotFound
    manifest = Manifest.from_json(row.manifest)
    answers = parse_responses(manifest, inputs)
    earlier = _earlier_responses(row, inputs)
    counting = [entry for entry in earlier if entry.status == SaveStatus.ACCEPTED]
    quiz_grade = {
        entry.slot: entry for entry in sorted(counting, key=lambda response: response.revision)
    }
    repeated = {entry.idempotency_key: entry for entry in earlier}
    late = row.state != State.OPEN or not rules.is_in_time(row.cutoff_at, now)
    fresh = [
        Response(
            attempt=row,
            learner_id=row.learner_id,
            slot=answer_save.slot,
            revision=_next(quiz_grade.get(answer_save.slot)),
            status=_verdict(answer_save, quiz_grade.get(answer_save.slot), late=late),
            answer=answer,
            flagged=answer_save.flagged,
            idempotency_key=answer_save.idempotency_key,
            client=answer_save.client,
            language=language,
            received_at=now,
        )
        for answer_save, answer in zip(inputs, answers, strict=True)
        if not _is_repeat(answer_save, answer, repeated)
    ]
    Response.objects.bulk_create(fresh)
    created = {response.idempotency_key: response for response in fresh}
    return tuple(
        _saved(
            manifest.slots[answer_save.slot].kind,
            created.get(answer_save.idempotency_key) or repeated[answer_save.idempotency_key],
            quiz_grade.get(answer_save.slot),
        )
        for answer_save in inputs
    )


def parse_responses(
    manifest: Manifest, inputs: Iterable[ResponseInput]
) -> list[Mapping[str, Any] | None]:
    """Read each raw answer by its kind. What cannot be read: Invalid, naming slot and place."""
    papers = load_public_versions_of(manifest)
    answers: list[Mapping[str, Any] | None] = []
    seen: set[int] = set()
    keys: set[UUID] = set()
    for answer_save in inputs:
        if not 0 <= answer_save.slot < len(papers):
            raise Invalid("unknown_slot", where="slot", slot=answer_save.slot)
        if answer_save.slot in seen:
            raise Invalid("slot_twice", where="slot", slot=answer_save.slot)
        if answer_save.idempotency_key in keys:
            raise Invalid("operation_reused", where="idempotency_key", slot=answer_save.slot)
        if (
            answer_save.base_revision is not None
            and not 0 <= answer_save.base_revision <= MAX_REVISION
        ):
            raise Invalid("senseless_revision", where="base_revision", slot=answer_save.slot)
        seen.add(answer_save.slot)
        keys.add(answer_save.idempotency_key)
        paper = papers[answer_save.slot]
        answer = KINDS[paper.kind].parse(paper.content, answer_save.raw)
        if isinstance(answer, InvalidAnswer):
            raise Invalid(answer.code, slot=answer_save.slot, **answer.detail)
        answers.append(answer)
    return answers


def _earlier_responses(row: Attempt, saves: Sequence[ResponseInput]) -> list[Response]:
    """Return the current responses of these slots, and those stored for these keys before."""
    if len(saves) == 1:
        return _EARLIER_OF_SLOT.all(row.pk, saves[0].slot, saves[0].idempotency_key)
    slots = [answer_save.slot for answer_save in saves]
    keys = [answer_save.idempotency_key for answer_save in saves]
    counting = Q(pk__in=current_response_ids(row), slot__in=slots)
    return list(Response.objects.filter(counting | Q(idempotency_key__in=keys), attempt=row))


_EARLIER_OF_SLOT: PreparedQuery[Response] = PreparedQuery(
    lambda attempt, slot, key: Response.objects.filter(
        Q(pk__in=current_response_ids(attempt), slot=slot) | Q(idempotency_key=key), attempt=attempt
    ),
    BigIntegerField(),
    PositiveIntegerField(),
    UUIDField(),
)


def _is_repeat(
    answer_save: ResponseInput, answer: Mapping[str, Any] | None, repeated: Mapping[UUID, Response]
) -> bool:
    """Return whether this very save is stored already.

    Its id on another slot or for another answer is a client's mistake, and dropping the answer in
    silence would be ours.
    """
    before = repeated.get(answer_save.idempotency_key)
    if before is not None and (before.slot, before.answer) != (answer_save.slot, answer):
        raise Invalid("operation_reused", where="idempotency_key", slot=answer_save.slot)
    return before is not None


def _next(head: Response | None) -> int:
    return head.revision + 1 if head else 1


def _verdict(answer_save: ResponseInput, head: Response | None, *, late: bool) -> SaveStatus:
    if late:
        return SaveStatus.LATE
    if answer_save.base_revision is not None and answer_save.base_revision != (
        head.revision if head else 0
    ):
        return SaveStatus.CONFLICT
    return SaveStatus.ACCEPTED


def _saved(kind: str, response: Response, head: Response | None) -> SaveResult:
    """Return what counts now: the save itself, or else the response it conflicts with."""
    stands = response if response.status == SaveStatus.ACCEPTED else head
    return SaveResult(
        slot=response.slot,
        kind=kind,
        status=response.status,
        revision=stands.revision if stands else 0,
        answer=stands.answer if stands else None,
        flagged=stands.flagged if stands else False,
        at=response.received_at,
    )
