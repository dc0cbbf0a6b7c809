"""Studying: decks, the log of reviews and what cards come to by it, settings."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from quizzes.bank.models import Question
from quizzes.lib.errors import Invalid, NotFound
from quizzes.study.access import offered_to
from quizzes.study.domain import replay
from quizzes.study.domain.replay import CardState, LogEntry
from quizzes.study.domain.times import correct_time, find_study_day
from quizzes.study.models import (
    CARD_KIND,
    FEWEST_RECALLED,
    MOST_RECALLED,
    CardSource,
    LanguageChoice,
    StudyCard,
    StudyDeck,
    StudyLogEntry,
    StudySettings,
)

MOST_A_DAY: Final = 9999
MOST_ENTRIES: Final = 500
"""How many entries are taken at once."""
ACTIONS: Final = (replay.REVIEW, replay.UNDO, replay.BURY, replay.SUSPEND, replay.UNSUSPEND)

STORED, ALREADY_STORED, NOT_FOUND = "stored", "already_stored", "not_found"


@dataclass(frozen=True, slots=True)
class EntryInput:
    """What a device says was done with a card; `client_id` is its own name of it."""

    client_id: UUID
    card: UUID
    action: str
    device_at: datetime
    rating: int | None = None
    undoes: UUID | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """What became of an entry: stored, already_stored, or not_found: no card of this learner."""

    client_id: UUID
    status: str


@transaction.atomic
def add_deck(*, learner: User, bank: UUID, now: datetime) -> StudyDeck:
    """Have a learner study the cards of a bank; added twice, it is one deck. Not theirs: NotFound.

    Cards that they had before go on where they were.
    """
    row = offered_to(learner).filter(uuid=bank).first()
    if row is None:
        raise NotFound
    deck, _ = StudyDeck.objects.get_or_create(
        learner=learner, bank=row, defaults={"created_at": now}
    )
    sync_decks(learner=learner, now=now)
    return deck


@transaction.atomic
def remove_deck(*, learner: User, bank: UUID) -> None:
    """Have a learner no longer study a bank; cards and their log stay, for when it is added again.

    No deck of theirs: NotFound.
    """
    deleted, _ = StudyDeck.objects.filter(learner=learner, bank__uuid=bank).delete()
    if not deleted:
        raise NotFound


def sync_decks(*, learner: User, now: datetime) -> int:
    """Add the cards that a learner's decks have and they have not; return how many.

    One query where there is nothing to add. Questions are matched by their identity, so a bank
    that is imported again adds only what is new in it.
    """
    decks = StudyDeck.objects.filter(learner=learner, bank__in=offered_to(learner)).order_by()
    existing = StudyCard.objects.filter(learner=learner, question=OuterRef("pk"), option="")
    missing = Question.objects.filter(
        ~Exists(existing),
        bank__in=decks.values("bank"),
        kind=CARD_KIND,
        retired_at__isnull=True,
        current__isnull=False,
    )
    cards = [
        StudyCard(learner=learner, question=question, source=CardSource.BANK, created_at=now)
        for question in missing.order_by("pk")
    ]
    if cards:
        StudyCard.objects.bulk_create(cards, ignore_conflicts=True)
    return len(cards)


@transaction.atomic
def record_entries(
    *, learner: User, device: UUID, sent_at: datetime, inputs: Sequence[EntryInput], now: datetime
) -> list[EntryOutcome]:
    """Add to the logs of a learner's cards what a device says, each entry once.

    The state of each card is computed anew, from its whole log. `sent_at` is what the clock of the
    device shows. An entry that makes no sense: Invalid, and none is stored.
    """
    if len(inputs) > MOST_ENTRIES:
        raise Invalid("too_many_entries", where="entries", maximum=MOST_ENTRIES)
    for entry in inputs:
        _check(entry)
    settings = lock_settings(learner, now)
    existing = _find_existing(learner, inputs)
    own = StudyCard.objects.filter(learner=learner, uuid__in={entry.card for entry in inputs})
    cards = {card.uuid: card for card in own.select_for_update()}
    rows: dict[UUID, StudyLogEntry] = {}
    outcomes = []
    for entry in inputs:
        if entry.client_id in existing or entry.client_id in rows:
            status = ALREADY_STORED
        elif card := cards.get(entry.card):
            rows[entry.client_id] = _build_row(entry, learner, card, settings, device, sent_at, now)
            status = STORED
        else:
            status = NOT_FOUND
        outcomes.append(EntryOutcome(entry.client_id, status))
    StudyLogEntry.objects.bulk_create(rows.values())
    changed = {row.card_id for row in rows.values()}
    _store_states([card for card in cards.values() if card.pk in changed])
    return outcomes


def _check(entry: EntryInput) -> None:
    if entry.action not in ACTIONS:
        raise Invalid("unknown_action", where="action")
    if (entry.action == replay.REVIEW) != (entry.rating in replay.RATINGS):
        raise Invalid("rating_invalid", where="rating")
    if (entry.action == replay.UNDO) != (entry.undoes is not None):
        raise Invalid("undo_names_no_entry", where="undoes")


def _find_existing(learner: User, inputs: Iterable[EntryInput]) -> set[UUID]:
    ids = {entry.client_id for entry in inputs}
    rows = StudyLogEntry.objects.filter(learner=learner, client_id__in=ids).order_by()
    return set(rows.values_list("client_id", flat=True))


def _build_row(  # noqa: PLR0913, PLR0917  what a row is made of
    entry: EntryInput,
    learner: User,
    card: StudyCard,
    settings: StudySettings,
    device: UUID,
    sent_at: datetime,
    now: datetime,
) -> StudyLogEntry:
    reviewed_at = correct_time(
        entry.device_at, sent_at=sent_at, received_at=now, earliest=min(card.created_at, now)
    )
    day = find_study_day(reviewed_at, ZoneInfo(learner.time_zone), settings.day_starts_at)
    return StudyLogEntry(
        card=card,
        learner_id=card.learner_id,
        client_id=entry.client_id,
        action=entry.action,
        rating=entry.rating,
        rests_until=day.end if entry.action == replay.BURY else None,
        undoes=entry.undoes,
        retention=settings.retention,
        language=entry.language,
        device=device,
        device_at=entry.device_at,
        sent_at=sent_at,
        received_at=now,
        reviewed_at=reviewed_at,
    )


def _store_states(cards: Sequence[StudyCard]) -> None:
    """Compute the states of cards from their logs, and store them."""
    if not cards:
        return
    for card, state in replay_logs(cards):
        for name in replay.STATE_FIELDS:
            setattr(card, name, getattr(state, name))
    StudyCard.objects.bulk_update(cards, replay.STATE_FIELDS)


def replay_logs(cards: Collection[StudyCard]) -> list[tuple[StudyCard, CardState]]:
    """Return each card with the state that its log comes to; one query for all."""
    logs: defaultdict[int, list[LogEntry]] = defaultdict(list)
    for row in StudyLogEntry.objects.filter(card__in=cards).order_by():
        logs[row.card_id].append(
            LogEntry(
                id=row.client_id,
                action=row.action,
                reviewed_at=row.reviewed_at,
                retention=row.retention,
                rating=row.rating,
                rests_until=row.rests_until,
                undoes=row.undoes,
                language=row.language,
            )
        )
    return [(card, replay.replay(logs[card.pk])) for card in cards]


@transaction.atomic
def undo_last(*, learner: User, device: UUID, now: datetime) -> StudyCard | None:
    """Take back what a learner did last with any card; return the card, None if there is nothing.

    Further calls take back what was before. An undo is not taken back: the card is rated again.
    """
    lock_settings(learner, now)
    undone = StudyLogEntry.objects.filter(learner=learner, undoes=OuterRef("client_id"))
    last = (
        StudyLogEntry.objects.filter(~Exists(undone), learner=learner)
        .exclude(action=replay.UNDO)
        .select_related("card")
        .order_by("-pk")
        .first()
    )
    if last is None:
        return None
    entry = EntryInput(
        client_id=uuid4(),
        card=last.card.uuid,
        action=replay.UNDO,
        device_at=now,
        undoes=last.client_id,
    )
    record_entries(learner=learner, device=device, sent_at=now, inputs=[entry], now=now)
    return last.card


@transaction.atomic
def save_settings(*, learner: User, values: dict[str, Any], now: datetime) -> StudySettings:
    """Change how a learner studies. A value out of its range: Invalid, naming the field."""
    settings = lock_settings(learner, now)
    for name, value in values.items():
        if name not in _RANGES and name != "language_choice":
            raise Invalid("unknown_field", where=name)
        if name == "language_choice" and value not in LanguageChoice.values:
            raise Invalid("unknown_value", where=name)
        if name in _RANGES and not _RANGES[name][0] <= value <= _RANGES[name][1]:
            first, last = _RANGES[name]
            raise Invalid("out_of_range", where=name, first=first, last=last)
        setattr(settings, name, value)
    settings.save()
    return settings


_RANGES: Final = {
    "new_per_day": (0, MOST_A_DAY),
    "reviews_per_day": (0, MOST_A_DAY),
    "retention": (FEWEST_RECALLED, MOST_RECALLED),
    "day_starts_at": (0, 23),
    "reminder_hour": (0, 23),
}


def lock_settings(learner: User, now: datetime) -> StudySettings:
    """Return the settings of a learner, made where there are none, and hold their row."""
    StudySettings.objects.get_or_create(learner=learner, defaults={"created_at": now})
    return StudySettings.objects.select_for_update().get(learner=learner)
