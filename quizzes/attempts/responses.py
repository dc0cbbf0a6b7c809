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
from quizzes.attempts.devices import check_device
from quizzes.attempts.journal import current_response_ids, last_response_id
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, SaveStatus, State
from quizzes.attempts.response_chain import append_to_chain
from quizzes.attempts.selectors import load_manifest_versions
from quizzes.lib import metrics
from quizzes.lib.array_lookup import ListField
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.lib.prepared_writes import PreparedInsert

MAX_REVISION = 1_000_000
MAX_SLOT = 100_000


@dataclass(frozen=True, slots=True)
class ResponseInput:
    """What an interface received for one slot.

    `base_revision` is what the learner saw when answering; None takes whatever is saved now (a
    form without scripts sends what it was given, so only programs that know better leave it out).
    """

    slot: int
    raw: Json
    idempotency_key: UUID
    base_revision: int | None = None
    flagged: bool = False
    client: UUID | None = None


@dataclass(frozen=True, slots=True)
class SaveResult:
    """What became of a save: its status, and the revision and answer that count now."""

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


_APPEND = PreparedInsert(Response)


@transaction.atomic
def save_responses(  # noqa: PLR0913  what comes with answers, and from where
    *,
    attempt: UUID,
    learner: User,
    inputs: Sequence[ResponseInput],
    language: str,
    now: datetime,
    device: UUID | None = None,
) -> tuple[SaveResult, ...]:
    """Append saves to the journal of one's own attempt, all in one transaction.

    Nothing of them is stored if one cannot be read (Invalid, naming its slot), or the attempt is
    not the learner's (NotFound). A save over a state that another tab has changed, that comes too
    late, or for a question that was left and is locked, is stored too, but does not count: its
    status says `conflict`, `late` or `locked`. A save sent again is answered as the first time.
    From another device than the attempt is open on, where one is allowed: Refused (`elsewhere`),
    and nothing is stored before time is over: its device keeps it until it goes on there.
    """
    row = _LOCKED.first(attempt, learner.pk)
    if row is None:
        raise NotFound
    manifest = Manifest.from_json(row.manifest)
    answers = parse_responses(manifest, inputs)
    check_reached(manifest, row, inputs)
    late = row.state != State.OPEN or not rules.is_in_time(row.cutoff_at, now)
    if not late:
        check_device(row, manifest.policies, device)
    earlier = _earlier_responses(row, inputs)
    accepted = [entry for entry in earlier if entry.status == SaveStatus.ACCEPTED]
    current_by_slot = {
        entry.slot: entry for entry in sorted(accepted, key=lambda response: response.revision)
    }
    repeated = {entry.idempotency_key: entry for entry in earlier}
    new_responses = [
        _APPEND.build(
            attempt_id=row.pk,
            learner_id=row.learner_id,
            slot=response_input.slot,
            revision=_next_revision(current_by_slot.get(response_input.slot)),
            status=_decide_status(
                response_input, current_by_slot.get(response_input.slot), row, late=late
            ),
            answer=answer,
            flagged=response_input.flagged,
            idempotency_key=response_input.idempotency_key,
            client=response_input.client,
            language=language,
            received_at=now,
        )
        for response_input, answer in zip(inputs, answers, strict=True)
        if not _is_repeat(response_input, answer, repeated)
    ]
    # The attempt is locked, and `earlier` was read after that: nothing comes between.
    head = max(earlier, key=lambda response: response.sequence, default=None)
    append_to_chain(row.uuid, new_responses, head)
    _APPEND.insert_all(new_responses)
    transaction.on_commit(lambda: metrics.count_saves(entry.status for entry in new_responses))
    created = {response.idempotency_key: response for response in new_responses}
    return tuple(
        _build_result(
            manifest.slots[response_input.slot].kind,
            created.get(response_input.idempotency_key) or repeated[response_input.idempotency_key],
            current_by_slot.get(response_input.slot),
        )
        for response_input in inputs
    )


def parse_responses(
    manifest: Manifest, inputs: Iterable[ResponseInput]
) -> list[Mapping[str, Any] | None]:
    """Read each raw answer by its kind. What cannot be read: Invalid, naming slot and place."""
    public_versions = load_manifest_versions(manifest)
    answers: list[Mapping[str, Any] | None] = []
    seen: set[int] = set()
    keys: set[UUID] = set()
    for response_input in inputs:
        if not 0 <= response_input.slot < len(public_versions):
            raise Invalid("unknown_slot", where="slot", slot=response_input.slot)
        if response_input.slot in seen:
            raise Invalid("slot_twice", where="slot", slot=response_input.slot)
        if response_input.idempotency_key in keys:
            raise Invalid(
                "idempotency_key_reused", where="idempotency_key", slot=response_input.slot
            )
        if (
            response_input.base_revision is not None
            and not 0 <= response_input.base_revision <= MAX_REVISION
        ):
            raise Invalid("invalid_revision", where="base_revision", slot=response_input.slot)
        seen.add(response_input.slot)
        keys.add(response_input.idempotency_key)
        public_version = public_versions[response_input.slot]
        answer = KINDS[public_version.kind].parse(public_version.content, response_input.raw)
        if isinstance(answer, InvalidAnswer):
            raise Invalid(answer.code, slot=response_input.slot, **answer.detail)
        answers.append(answer)
    return answers


def check_reached(manifest: Manifest, row: Attempt, inputs: Iterable[ResponseInput]) -> None:
    """Refuse saves of slots that are not asked yet where questions lock: Invalid."""
    if not manifest.policies.lock_questions:
        return
    for response_input in inputs:
        if response_input.slot > row.locked_slots:
            raise Invalid("unknown_slot", where="slot", slot=response_input.slot)


def _earlier_responses(row: Attempt, saves: Sequence[ResponseInput]) -> list[Response]:
    """Return the current responses of these slots, those stored for these keys, and the last."""
    slots = [response_input.slot for response_input in saves]
    return _EARLIER.all(row.pk, slots, [response_input.idempotency_key for response_input in saves])


_EARLIER: PreparedQuery[Response] = PreparedQuery(
    lambda attempt, slots, keys: Response.objects.filter(
        Q(pk__in=current_response_ids(attempt), slot__in_list=slots)
        | Q(idempotency_key__in_list=keys)
        | Q(pk=last_response_id(attempt)),
        attempt=attempt,
    ),
    BigIntegerField(),
    ListField(PositiveIntegerField()),
    ListField(UUIDField()),
)


def _is_repeat(
    response_input: ResponseInput,
    answer: Mapping[str, Any] | None,
    repeated: Mapping[UUID, Response],
) -> bool:
    """Return whether this very save is stored already.

    Its id on another slot or for another answer is a client's mistake, and dropping the answer in
    silence would be ours.
    """
    before = repeated.get(response_input.idempotency_key)
    if before is not None and (before.slot, before.answer) != (response_input.slot, answer):
        raise Invalid("idempotency_key_reused", where="idempotency_key", slot=response_input.slot)
    return before is not None


def _next_revision(current: Response | None) -> int:
    return current.revision + 1 if current else 1


def _decide_status(
    response_input: ResponseInput, current: Response | None, row: Attempt, *, late: bool
) -> SaveStatus:
    if late:
        return SaveStatus.LATE
    if response_input.slot < row.locked_slots:
        return SaveStatus.LOCKED
    if response_input.base_revision is not None and response_input.base_revision != (
        current.revision if current else 0
    ):
        return SaveStatus.CONFLICT
    return SaveStatus.ACCEPTED


def _build_result(kind: str, response: Response, current: Response | None) -> SaveResult:
    """Return what counts now: the save itself, or else the response it conflicts with."""
    counted = response if response.status == SaveStatus.ACCEPTED else current
    return SaveResult(
        slot=response.slot,
        kind=kind,
        status=response.status,
        revision=counted.revision if counted else 0,
        answer=counted.answer if counted else None,
        flagged=counted.flagged if counted else False,
        at=response.received_at,
    )
