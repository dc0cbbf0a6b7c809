"""What a learner is to study today, a card with its answer as far as reveal shows it, decks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import BigIntegerField, Count, DateTimeField, F, Q, QuerySet

from accounts.models import User
from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.attempts.manifest import Slot
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import (
    KeyAndFeedback,
    PublicVersion,
    load_keys_and_feedback,
    load_public_versions,
    load_right_orders,
)
from quizzes.lib.errors import NotFound
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.practice.live_questions import find_live_questions
from quizzes.practice.next_question import select_question
from quizzes.publishing.blueprint import CandidateQuestion
from quizzes.publishing.policies import RevealPolicy
from quizzes.results import reveal
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.models import ItemResult
from quizzes.results.selectors import build_question_report
from quizzes.study.access import offered_to, studied_by
from quizzes.study.domain import replay
from quizzes.study.domain.queue import Limits, QueuedCard, StudyQueue, build_queue
from quizzes.study.domain.replay import CardState
from quizzes.study.domain.times import StudyDay, find_study_day
from quizzes.study.models import (
    CARD_KIND,
    CardSource,
    LanguageChoice,
    StudyCard,
    StudyDeck,
    StudyLogEntry,
    StudySettings,
)

MOST_NEW: Final = 300
"""New cards that are looked at for a day, of which a learner meets a few."""


@dataclass(frozen=True, slots=True)
class StudyToday:
    """What a learner is to study in the day of study that it is.

    `resting` counts cards that a graded quiz may still ask the learner: they come back after it.
    `mistakes` are those of today that come from the learner's own mistakes.
    """

    settings: StudySettings
    day: StudyDay
    queue: StudyQueue
    limits: Limits
    resting: int
    mistakes: int

    @property
    def done(self) -> int:
        """How many cards were studied today."""
        return self.limits.new_done + self.limits.reviews_done

    @property
    def learning(self) -> int:
        """How many cards in their short steps are left today."""
        return len(self.queue.learning) + len(self.queue.waiting)


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as it is asked, with its answer, both in `language`.

    `report` holds what reveal allows; of an option, `is_right` says whether it is. `languages` are
    those in which the card is written; `intervals` {rating: time till it comes again}.
    """

    card: StudyCard
    public_version: PublicVersion
    slot: Slot
    report: QuestionReport
    language: str
    languages: tuple[str, ...]
    intervals: Mapping[int, timedelta]

    @property
    def option_html(self) -> str:
        """The option that is asked about, as HTML; "" where the card is of the whole question."""
        return self.public_version.words(self.language).parts.get(self.card.option, "")

    @property
    def is_right(self) -> bool:
        """Whether the option that is asked about is right."""
        solution = self.report.solution or {}
        return self.card.option in solution.get("chosen", ())


@dataclass(frozen=True, slots=True)
class DeckRow:
    """A bank whose cards a learner may study; `is_studied`: they do. `seen` were asked once."""

    bank: UUID
    title: Mapping[str, str]
    source_language: str
    cards: int
    seen: int
    is_studied: bool


def load_settings(learner: User) -> StudySettings:
    """Return how a learner studies; as one begins with, where nothing was changed."""
    return _SETTINGS.first(learner.pk) or StudySettings(learner=learner)


def load_today(learner: User, now: datetime) -> StudyToday:
    """Return what is to be studied now. The number of queries does not depend on the cards."""
    settings = load_settings(learner)
    day = find_study_day(now, ZoneInfo(learner.time_zone), settings.day_starts_at)
    rows = [*_TIMED.all(learner.pk, day.end + timedelta(days=1)), *_NEW.all(learner.pk)]
    questions = {str(row[-1]) for row in rows}
    live = find_live_questions(learner, questions, now) if questions else frozenset()
    asked_of = [row for row in rows if str(row[-1]) not in live]
    done = _DONE.first(learner.pk, day.start) or (0, 0)
    limits = Limits(settings.new_per_day, settings.reviews_per_day, *done)
    queue = build_queue(map(_build_queued, asked_of), limits=limits, day=day, now=now)
    mistakes = {row[0] for row in asked_of if row[2] == CardSource.MISTAKE}
    return StudyToday(
        settings,
        day,
        queue,
        limits,
        resting=len(rows) - len(asked_of),
        mistakes=len(mistakes.intersection(queue.order)),
    )


_COLUMNS: Final = ("pk", "phase", "source", "due_at", "buried_until", "question__uuid")


def _ask_timed(learner: int, before: datetime) -> QuerySet[StudyCard, tuple[Any, ...]]:
    cards = studied_by(learner).filter(is_suspended=False, due_at__lt=before)
    return cards.order_by().values_list(*_COLUMNS)


def _ask_new(learner: int) -> QuerySet[StudyCard, tuple[Any, ...]]:
    cards = studied_by(learner).filter(is_suspended=False, phase=replay.NEW)
    return cards.order_by(F("source").desc(), "pk").values_list(*_COLUMNS)[:MOST_NEW]


def _ask_done(learner: int, since: datetime) -> QuerySet[StudyCard, tuple[Any, ...]]:
    """Count the new cards and the reviews since then: one row, or none for none."""
    done = StudyCard.objects.filter(learner=learner, last_reviewed_at__gte=since).order_by()
    return (
        done.values("learner")
        .annotate(
            new=Count("pk", filter=Q(first_reviewed_at__gte=since)),
            reviews=Count("pk", filter=Q(first_reviewed_at__lt=since)),
        )
        .values_list("new", "reviews")
    )


# Home asks each time it is opened.
_SETTINGS: PreparedQuery[StudySettings] = PreparedQuery(
    lambda learner: StudySettings.objects.filter(learner=learner), BigIntegerField()
)
_TIMED: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
    _ask_timed, BigIntegerField(), DateTimeField()
)
_NEW: PreparedQuery[tuple[Any, ...]] = PreparedQuery(_ask_new, BigIntegerField())
_DONE: PreparedQuery[tuple[Any, ...]] = PreparedQuery(_ask_done, BigIntegerField(), DateTimeField())
_HAS_CARDS: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
    lambda learner: StudyCard.objects.filter(learner=learner).order_by().values_list("pk")[:1],
    BigIntegerField(),
)


def _build_queued(row: tuple[Any, ...]) -> QueuedCard:
    pk, phase, source, due_at, buried_until, _ = row
    rank = 0 if source == CardSource.MISTAKE else 1
    return QueuedCard(pk, phase, rank, due_at, buried_until)


def find_card(learner: User, card: UUID) -> StudyCard:
    """Return a card that this learner may study, and that may be shown now; else NotFound."""
    return _load_card(learner, Q(uuid=card))


def find_next_card(today: StudyToday, learner: User) -> StudyCard | None:
    """Return the card that is asked next; None when the day is done."""
    order = today.queue.order
    return _load_card(learner, Q(pk=order[0])) if order else None


def _load_card(learner: User, which: Q) -> StudyCard:
    cards = studied_by(learner).select_related("question__current", "version")
    card = cards.filter(which).first()
    if card is None:
        raise NotFound
    return card


def load_cards(learner: User, today: StudyToday, *, most: int) -> list[StudyCard]:
    """Return the next cards of today, so many at most, in their order; one query."""
    order = today.queue.order[:most]
    cards = studied_by(learner).select_related("question__current", "version")
    rows = {card.pk: card for card in cards.filter(pk__in=order)}
    return [rows[pk] for pk in order if pk in rows]


def load_card_views(  # noqa: PLR0913  whose, how, in which language, when
    cards: Iterable[StudyCard],
    learner: User,
    settings: StudySettings,
    *,
    language: str,
    now: datetime,
    asked_in: str = "",
) -> list[CardView]:
    """Return cards with their answers, those left out that a graded quiz may still ask.

    `language` is that of the page; which one a card is asked in, the learner's settings say, or
    `asked_in` where it has that one.
    """
    rows = [(card, _find_version(card)) for card in cards]
    questions = {str(card.question.uuid) for card, _ in rows}
    live = find_live_questions(learner, questions, now) if questions else frozenset()
    visible = {
        question: reveal.reveal(
            RevealPolicy(),
            reveal.RevealContext(
                state=reveal.PRACTISED, role=reveal.LEARNER, over=True, live=question in live
            ),
        )
        for question in questions
    }
    allowed = [row for row in rows if visible[str(row[0].question.uuid)].key]
    versions = [version.uuid for _, version in allowed]
    public_versions = load_public_versions(versions)
    keys = load_keys_and_feedback(versions)
    right_orders = load_right_orders([version for _, version in allowed])
    return [
        _build_view(
            card,
            version,
            public_versions[version.uuid],
            keys[version.uuid],
            right_order=right_orders.get(version.pk, ()),
            visible=visible[str(card.question.uuid)],
            settings=settings,
            page_language=language,
            asked_in=asked_in,
            now=now,
        )
        for card, version in allowed
    ]


def load_card_view(  # noqa: PLR0913  as above
    card: StudyCard,
    learner: User,
    settings: StudySettings,
    *,
    language: str,
    now: datetime,
    asked_in: str = "",
) -> CardView:
    """Return a card with its answer. One that a graded quiz may still ask: NotFound."""
    views = load_card_views(
        [card], learner, settings, language=language, now=now, asked_in=asked_in
    )
    if not views:
        raise NotFound
    return views[0]


def _find_version(card: StudyCard) -> QuestionVersion:
    """Return the version of which a card is shown: that whose key was revealed, or the current."""
    version = card.version or card.question.current
    if version is None:
        raise NotFound
    return version


def _build_view(  # noqa: PLR0913  what a card is shown from
    card: StudyCard,
    version: QuestionVersion,
    public_version: PublicVersion,
    key_and_feedback: KeyAndFeedback,
    *,
    right_order: tuple[str, ...],
    visible: reveal.Visibility,
    settings: StudySettings,
    page_language: str,
    asked_in: str,
    now: datetime,
) -> CardView:
    languages = tuple(sorted(public_version.translations))
    chosen = choose_language(languages, page_language, card.last_language, settings.language_choice)
    language = asked_in if asked_in in languages else chosen
    slot = _build_slot(card, version, public_version, right_order)
    report = build_question_report(
        slot=0,
        manifest_slot=slot,
        public_version=public_version,
        row=_build_item_result(card, public_version, key_and_feedback),
        key_and_feedback=key_and_feedback,
        visible=visible,
        language=language,
    )
    intervals = replay.preview_intervals(state_of(card), at=now, retention=settings.retention)
    return CardView(card, public_version, slot, report, language, languages, intervals)


def choose_language(languages: tuple[str, ...], page_language: str, last: str, choice: str) -> str:
    """Return in which language a card is asked: the page's, or on wish another than last time."""
    others = [language for language in languages if language != (last or page_language)]
    if choice == LanguageChoice.OTHER and last and others:
        return page_language if page_language in others else others[0]
    return page_language if page_language in languages else languages[0]


def state_of(card: StudyCard) -> CardState:
    """Return the state that is stored of a card."""
    return CardState(**{name: getattr(card, name) for name in replay.STATE_FIELDS})


def _build_slot(
    card: StudyCard,
    version: QuestionVersion,
    public_version: PublicVersion,
    right_order: tuple[str, ...],
) -> Slot:
    candidate = CandidateQuestion(
        version=str(version.uuid),
        question=str(card.question.uuid),
        kind=public_version.kind,
        scoring_method=public_version.scoring_method,
        content=public_version.content,
        right_order=right_order,
    )
    selected = select_question(candidate, seed=str(card.uuid), shuffle_options=True)
    return Slot(
        version=version.uuid,
        question=card.question.uuid,
        kind=public_version.kind,
        scoring_method=public_version.scoring_method,
        points=Fraction(1),
        section=0,
        order=selected.order,
    )


def _build_item_result(
    card: StudyCard, public_version: PublicVersion, key_and_feedback: KeyAndFeedback
) -> ItemResult | None:
    """Return an answer that has the card's feedback shown, as grading would store it.

    Of an option it is that option, of a card that it was recalled; of a whole question none.
    """
    kind = KINDS[public_version.kind]
    answer: Mapping[str, Json] | InvalidAnswer | None = None
    if card.option:
        answer = kind.parse(public_version.content, {"chosen": [card.option]})
    elif not kind.schema.graded:
        answer = kind.correct_answer(public_version.content, key_and_feedback.key)
    if answer is None or isinstance(answer, InvalidAnswer):
        return None
    score = kind.score(
        public_version.content, key_and_feedback.key, answer, public_version.scoring_method
    )
    if not isinstance(score, ItemScore):
        return None
    return ItemResult(
        slot=0,
        answer=answer,
        score=score.to_json(),
        credit_numerator=score.credit.numerator,
        credit_denominator=score.credit.denominator,
        points_numerator=1,
        points_denominator=1,
    )


def list_decks(learner: User) -> list[DeckRow]:
    """Return the decks that a learner has or may have, in three queries."""
    is_card = Q(
        questions__kind=CARD_KIND,
        questions__retired_at__isnull=True,
        questions__current__isnull=False,
    )
    banks = offered_to(learner).annotate(cards=Count("questions", filter=is_card)).order_by("slug")
    studied = set(StudyDeck.objects.filter(learner=learner).values_list("bank", flat=True))
    own = StudyCard.objects.filter(
        learner=learner, source=CardSource.BANK, review_count__gt=0
    ).order_by()
    seen = dict(own.values_list("question__bank").annotate(Count("pk")))
    return [
        DeckRow(
            bank=bank.uuid,
            title=bank.title,
            source_language=bank.source_language,
            cards=bank.cards,
            seen=seen.get(bank.pk, 0),
            is_studied=bank.pk in studied,
        )
        for bank in banks
        if bank.cards
    ]


def list_suspended(learner: User) -> list[StudyCard]:
    """Return the suspended cards of a learner that they could study."""
    cards = studied_by(learner).filter(is_suspended=True)
    return list(cards.select_related("question__current", "version").order_by("pk"))


def has_cards(learner: User) -> bool:
    """Return whether a learner has any card."""
    return bool(_HAS_CARDS.all(learner.pk))


def has_log(learner: User) -> bool:
    """Return whether a learner has ever studied a card."""
    return StudyLogEntry.objects.filter(learner=learner).exists()
