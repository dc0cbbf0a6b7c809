"""Reading attempts: what interfaces need to show one, and what the rules need to allow one."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    DateTimeField,
    F,
    IntegerField,
    QuerySet,
    UUIDField,
    Value,
)
from django.db.models.functions import Cast

from accounts.access import memberships_in_force
from accounts.models import User
from grading.kinds import KINDS
from quizzes.attempts.journal import parse_moment, with_current_responses
from quizzes.attempts.key_access import opened_keys_exist
from quizzes.attempts.manifest import UNREADABLE, Manifest, Slot
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    QuizGrade,
    QuizPause,
    StandingAccommodation,
    State,
)
from quizzes.attempts.received_messages import ReceivedMessage, read_messages, with_messages
from quizzes.attempts.rules import (
    AccommodationTerms,
    PreviousAttempt,
    StandingTerms,
    StartEligibility,
    Window,
    can_start,
    count_attempts_left,
    current_deadline,
)
from quizzes.bank.selectors import PublicVersion, load_public_versions
from quizzes.lib.errors import Corrupt, NotFound
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.models import OPEN_TO_ALL, Quiz
from quizzes.publishing.policies import Policies

log = logging.getLogger(__name__)

VERSION_MISSING = "version_missing"


@dataclass(frozen=True, slots=True)
class CurrentResponse:
    """The newest accepted entry of a slot; revision 0 and no answer where there is none."""

    slot: int
    revision: int = 0
    answer: Mapping[str, Any] | None = None
    flagged: bool = False
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AttemptView:
    """An attempt as its taker works on it: the questions of its slots and what was answered."""

    attempt: Attempt
    manifest: Manifest
    public_versions: tuple[PublicVersion, ...]
    responses: tuple[CurrentResponse, ...]

    @property
    def shown_slots(self) -> range:
        """The slots that their taker sees now: all, or while questions lock the one reached."""
        if not self.manifest.policies.lock_questions or self.attempt.state != State.OPEN:
            return range(len(self.public_versions))
        return range(self.attempt.locked_slots, self.attempt.locked_slots + 1)

    def is_elsewhere(self, device: UUID | None) -> bool:
        """Return whether this device is none that the attempt is open on, where one is allowed."""
        return (
            self.manifest.policies.one_device
            and self.attempt.state == State.OPEN
            and (device is None or self.attempt.device != device)
        )

    @property
    def answered(self) -> int:
        """How many slots have an answer."""
        return sum(response.answer is not None for response in self.responses)

    @property
    def saved_at(self) -> datetime | None:
        """When the newest of its answers was saved."""
        return max((response.at for response in self.responses if response.at), default=None)

    @property
    def messages(self) -> tuple[ReceivedMessage, ...]:
        """What instructors have written to its taker meanwhile, where one attempt is looked at."""
        return read_messages(self.attempt)


@dataclass(frozen=True, slots=True)
class CorruptAttemptView:
    """An attempt of which what was drawn for it cannot be read."""

    attempt: Attempt


def current_responses(attempt: Attempt, count: int) -> tuple[CurrentResponse, ...]:
    """Read the column that `with_current_responses` added: one a slot, in order."""
    responses = {
        response["slot"]: CurrentResponse(
            response["slot"],
            response["revision"],
            response["answer"],
            bool(response["flagged"]),
            parse_moment(response["at"]),
        )
        for response in getattr(attempt, "current_responses", None) or ()
    }
    return tuple(responses.get(slot, CurrentResponse(slot)) for slot in range(count))


_ATTEMPT_VIEW: PreparedQuery[Attempt] = PreparedQuery(
    lambda attempt, learner: with_messages(
        with_current_responses(Attempt.objects.filter(uuid=attempt, learner=learner))
    ),
    UUIDField(),
    BigIntegerField(),
)


def load_attempt_view(*, attempt: UUID, learner: User) -> AttemptView:
    """Return a learner's own attempt as they work on it, in one query. Another's: NotFound.

    One that cannot be read: Corrupt.
    """
    row = _ATTEMPT_VIEW.first(attempt, learner.pk)
    if row is None:
        raise NotFound
    manifest = Manifest.from_json(row.manifest)
    public_versions = load_manifest_versions(manifest)
    check_orders(manifest, public_versions)
    return AttemptView(row, manifest, public_versions, current_responses(row, len(manifest.slots)))


def find_reopened(attempt: UUID) -> UUID | None:
    """Return the attempt in which this one, void now, goes on; None if it was not reopened."""
    reopened = Attempt.objects.filter(reopened_from__uuid=attempt)
    return reopened.values_list("uuid", flat=True).first()


def load_manifest_versions(manifest: Manifest) -> tuple[PublicVersion, ...]:
    """Return the public version of each slot, in order; no query once they have been read.

    A version that is not there: Corrupt.
    """
    return _order_public_versions(
        manifest, load_public_versions(slot.version for slot in manifest.slots)
    )


def load_slot_version(slot: Slot) -> PublicVersion:
    """Return the public version of one slot, likewise."""
    version = load_public_versions([slot.version]).get(slot.version)
    if version is None:
        raise Corrupt(VERSION_MISSING)
    return version


def _order_public_versions(
    manifest: Manifest, loaded: Mapping[UUID, PublicVersion]
) -> tuple[PublicVersion, ...]:
    try:
        return tuple(loaded[slot.version] for slot in manifest.slots)
    except KeyError as missing:
        raise Corrupt(VERSION_MISSING) from missing


def check_orders(manifest: Manifest, public_versions: Iterable[PublicVersion]) -> None:
    """Compare the order of each slot with the parts its question has; a part amiss: Corrupt."""
    by_version = {public_version.uuid: public_version for public_version in public_versions}
    parts = _parts.get_many(
        by_version, lambda missing: {uuid: _list_parts(by_version[uuid]) for uuid in missing}
    )
    if any(sorted(slot.order) != parts[slot.version] for slot in manifest.slots):
        raise Corrupt(UNREADABLE)


def _list_parts(public_version: PublicVersion) -> list[str]:
    parts = KINDS[public_version.kind].shufflable_ids(public_version.content)
    return sorted(id_ for id_, _pinned in parts)


_parts: FrozenCache[UUID, list[str]] = FrozenCache(5000)
"""What can be shuffled of a version, sorted."""


_OPEN: PreparedQuery[Attempt] = PreparedQuery(
    lambda learner: with_current_responses(
        Attempt.objects.filter(learner=learner, state=State.OPEN)
    ).order_by("-started_at"),
    BigIntegerField(),
)


def load_open_attempts(learner: User) -> tuple[AttemptView | CorruptAttemptView, ...]:
    """Return all attempts that a learner has open, the newest first.

    One that cannot be read costs no other its place in the list.
    """
    attempts = [(row, parse_manifest(row)) for row in _OPEN.all(learner.pk)]
    readable = [manifest for _, manifest in attempts if isinstance(manifest, Manifest)]
    loaded = load_public_versions(slot.version for manifest in readable for slot in manifest.slots)
    return tuple(_build_attempt_view(row, manifest, loaded) for row, manifest in attempts)


def _build_attempt_view(
    row: Attempt, manifest: Manifest | Corrupt, loaded: Mapping[UUID, PublicVersion]
) -> AttemptView | CorruptAttemptView:
    if isinstance(manifest, Corrupt):
        return CorruptAttemptView(row)
    try:
        public_versions = _order_public_versions(manifest, loaded)
    except Corrupt:
        return CorruptAttemptView(row)
    return AttemptView(row, manifest, public_versions, current_responses(row, len(manifest.slots)))


def parse_manifest(attempt: Attempt) -> Manifest | Corrupt:
    """Return an attempt's manifest or, where it cannot be read, why: for lists of attempts."""
    try:
        return Manifest.from_json(attempt.manifest)
    except Corrupt as corrupt:
        log.error("attempt %s cannot be shown: %s", attempt.uuid, corrupt.code)  # noqa: TRY400  told as a value
        return corrupt


@dataclass(frozen=True, slots=True)
class StartInputs:
    """What the rules need to know of one learner and one quiz.

    `has_opened_keys`: whether the audit log has any key that they opened or wrote, of whichever
    quiz; only where one quiz is asked about.
    """

    windows: tuple[Window, ...]
    accommodation: AccommodationTerms
    previous: tuple[PreviousAttempt, ...]
    has_opened_keys: bool = False
    gave_up: bool = False
    paused_until: datetime | None = None
    """Until when an instructor has last paused everybody, whoever that is; only of one quiz."""

    def eligibility(self, policies: Policies, now: datetime) -> StartEligibility:
        """Return whether another attempt may begin."""
        return can_start(
            policies=policies,
            previous=self.previous,
            windows=self.windows,
            accommodation=self.accommodation,
            now=now,
            gave_up=self.gave_up,
        )

    def deadline(self, policies: Policies, started_at: datetime) -> datetime | None:
        """Return when an attempt that began then is over, by what holds now."""
        return current_deadline(
            policies=policies,
            accommodation=self.accommodation,
            windows=self.windows,
            started_at=started_at,
        )

    def has_used_last_attempt(self, policies: Policies) -> bool:
        """Return whether the last attempt there is has been handed in; an open one is not over."""
        ended = sum(attempt.submitted_at is not None for attempt in self.previous)
        return count_attempts_left(policies, ended, self.accommodation) == 0


def build_start_inputs_of_guest(quiz: Quiz) -> StartInputs:
    """Return the inputs of a stranger, who has begun nothing yet."""
    return StartInputs(_fill_windows(quiz, []), AccommodationTerms(), ())


def load_start_inputs_by_quiz(quizzes: Iterable[Quiz], learner: User) -> dict[int, StartInputs]:
    """Return the inputs of many quizzes, by quiz id; one query, however many."""
    quiz_list = list(quizzes)
    rows = list(_query_start_inputs([quiz.pk for quiz in quiz_list], learner.pk))
    return {
        quiz.pk: _build_start_inputs(quiz, (row for row in rows if row[1] in {quiz.pk, None}))
        for quiz in quiz_list
    }


def load_start_inputs(quiz: Quiz, learner: User) -> StartInputs:
    """Return the inputs of one quiz, in one query."""
    return _build_start_inputs(quiz, _START_INPUTS.all(quiz.pk, learner.pk))


def _build_start_inputs(quiz: Quiz, rows: Iterable[tuple[Any, ...]]) -> StartInputs:
    windows: list[Window] = []
    previous: list[PreviousAttempt] = []
    terms, standing = AccommodationTerms(), StandingTerms()
    opened = gave_up = False
    pauses: list[datetime] = []
    for row_kind, _, begins, ends, percent, extra, later in rows:
        if row_kind == "window":
            windows.append(Window(begins, ends))
        elif row_kind == "past":
            previous.append(PreviousAttempt(begins, ends))
        elif row_kind == "keys":
            opened = True
        elif row_kind == "gave_up":
            gave_up = True
        elif row_kind == "pause":
            pauses.append(ends)
        elif row_kind == "standing":
            standing = build_standing_terms(percent, extra, later)
        else:
            terms = AccommodationTerms(Fraction(percent, 100), extra, ends)
    terms = replace(terms, standing=standing)
    return StartInputs(
        _fill_windows(quiz, windows),
        terms,
        tuple(previous),
        opened,
        gave_up,
        max(pauses, default=None),
    )


def build_standing_terms(percent: int, minutes: int, window_minutes: int) -> StandingTerms:
    """Return what a standing accommodation gives, by its columns."""
    return StandingTerms(
        Fraction(percent, 100), timedelta(minutes=minutes), timedelta(minutes=window_minutes)
    )


def _query_start_inputs(quizzes: list[int], learner: int) -> QuerySet[Any, tuple[Any, ...]]:
    """Unite accommodations, assignments and attempts: (what, quiz, two times, three numbers).

    Accommodations come first: a database learns the types of the columns from the first rows.
    """
    memberships = memberships_in_force().filter(user=learner, group__archived_at=None)
    windows = Assignment.objects.filter(quiz__in=quizzes, group__in=memberships.values("group_id"))
    attempts = Attempt.objects.filter(
        quiz__in=quizzes, learner=learner, is_staff_attempt=False
    ).exclude(state=State.VOID)
    no_time = Value(None, output_field=DateTimeField())
    no_number = Value(None, output_field=IntegerField())
    no_quiz = Value(None, output_field=BigIntegerField())
    accommodations = Accommodation.objects.filter(quiz__in=quizzes, learner=learner).values_list(
        Value("accommodation"),
        "quiz_id",
        no_time,
        F("closes_at"),
        F("time_percent"),
        F("extra_attempts"),
        Cast(no_number, IntegerField()),
    )
    standing = StandingAccommodation.objects.filter(learner=learner).values_list(
        *(Value("standing"), no_quiz, no_time, no_time),
        *(F("time_percent"), F("extra_minutes"), F("window_minutes")),
    )
    gave_up = QuizGrade.objects.filter(
        quiz__in=quizzes, learner=learner, gave_up_at__isnull=False
    ).order_by()
    no_numbers = (no_number, no_number, no_number)
    return accommodations.union(
        windows.order_by().values_list(
            Value("window"), "quiz_id", F("opens_at"), F("closes_at"), *no_numbers
        ),
        attempts.order_by().values_list(
            Value("past"), "quiz_id", F("started_at"), F("submitted_at"), *no_numbers
        ),
        standing,
        gave_up.values_list(Value("gave_up"), "quiz_id", F("gave_up_at"), no_time, *no_numbers),
        all=True,
    )


def _query_start_inputs_of_one(quiz: int, learner: int) -> QuerySet[Any, tuple[Any, ...]]:
    """Unite the inputs of one quiz, its pauses and, where they ever opened keys, a row of that."""
    no_time = Value(None, output_field=DateTimeField())
    no_number = Value(None, output_field=IntegerField())
    no_quiz = Value(None, output_field=BigIntegerField())
    keys = User.objects.filter(opened_keys_exist(), pk=learner).values_list(
        Value("keys"), no_quiz, no_time, no_time, no_number, no_number, no_number
    )
    pauses = QuizPause.objects.filter(quiz=quiz).values_list(
        *(Value("pause"), "quiz_id", no_time, F("paused_until")),
        *(no_number, no_number, no_number),
    )
    return _query_start_inputs([quiz], learner).union(keys, pauses, all=True)


_START_INPUTS: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
    _query_start_inputs_of_one, BigIntegerField(), BigIntegerField()
)


def _fill_windows(quiz: Quiz, windows: list[Window]) -> tuple[Window, ...]:
    """Return the windows of assignments; the quiz's own fills in, and rules where there is none.

    A side that an assignment leaves empty is the quiz's.
    """
    own = Window(quiz.opens_at, quiz.closes_at)
    filled = [
        Window(window.opens_at or own.opens_at, window.closes_at or own.closes_at)
        for window in windows
    ]
    if quiz.audience in OPEN_TO_ALL or not filled:
        filled.append(own)
    return tuple(filled)
