"""Study: decks, the cards of today with their answers, what was done with cards, settings."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope, User
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
    tagged_write,
)
from quizzes.lib import clock
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.study import selectors, services
from quizzes.study.domain.times import FIRST_YEAR, LAST_YEAR
from quizzes.study.mistakes import sync_mistakes
from quizzes.study.models import (
    FEWEST_RECALLED,
    MOST_RECALLED,
    CardSource,
    LanguageChoice,
    StudyCard,
    StudySettings,
)
from quizzes.study.selectors import CardView

MOST_CARDS: Final = 100
SETTING_FIELDS: Final = (
    "new_per_day",
    "reviews_per_day",
    "retention",
    "day_starts_at",
    "reminder_hour",
    "language_choice",
)


class DeckSerializer(serializers.Serializer[Any]):
    """A bank whose cards you may study."""

    id = serializers.UUIDField(source="bank")
    title = serializers.DictField(child=serializers.CharField())
    source_language = serializers.CharField()
    cards = serializers.IntegerField()
    seen = serializers.IntegerField(help_text="of its cards, how many you were asked")
    is_studied = serializers.BooleanField()


class DecksSerializer(serializers.Serializer[Any]):
    """The decks that you study or may study."""

    items = DeckSerializer(many=True)


class ChooseDeckRequest(StrictSerializer):
    """Whether you study a bank."""

    deck = StrictUUIDField()
    is_studied = StrictBooleanField()


class CardSideSerializer(serializers.Serializer[Any]):
    """A card in one language, as HTML that is safe to show."""

    language = serializers.CharField()
    question_html = serializers.CharField()
    option_html = serializers.CharField(
        allow_blank=True, help_text="the option that is asked about: is it right?"
    )
    answer_html = serializers.CharField(
        allow_blank=True, help_text="the back of a card; what is said of the option"
    )
    answer = serializers.CharField(
        allow_blank=True, help_text="the right answer to the whole question, in words"
    )
    explanation_html = serializers.CharField(allow_blank=True)


class IntervalsSerializer(serializers.Serializer[Any]):
    """After how many seconds a card comes again, by rating."""

    again = serializers.IntegerField()
    hard = serializers.IntegerField()
    good = serializers.IntegerField()
    easy = serializers.IntegerField()


class StudyCardSerializer(serializers.Serializer[Any]):
    """A card to be asked, its answer included: it is only there when the answer may be shown."""

    id = serializers.UUIDField()
    question = serializers.UUIDField()
    option = serializers.CharField(allow_blank=True)
    source = serializers.ChoiceField(CardSource.choices)  # type: ignore[assignment]  # DRF's own attribute of a field
    kind = serializers.CharField()
    phase = serializers.CharField()
    due_at = UTCDateTimeField(allow_null=True)
    language = serializers.CharField(help_text="in which it is to be asked, by your settings")
    is_right = serializers.BooleanField(allow_null=True, help_text="of an option")
    sides = CardSideSerializer(many=True, help_text="a side for each language of the card")
    intervals = IntervalsSerializer()


class TodaySerializer(serializers.Serializer[Any]):
    """What is to be studied until the day ends."""

    day_ends_at = UTCDateTimeField()
    new = serializers.IntegerField()
    learning = serializers.IntegerField()
    reviews = serializers.IntegerField()
    done = serializers.IntegerField()
    due_tomorrow = serializers.IntegerField()
    resting = serializers.IntegerField(help_text="cards that a graded quiz may still ask you")
    items = StudyCardSerializer(many=True)


class CardsQuery(LanguageQuery):
    """Of how many cards the content is sent."""

    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=MOST_CARDS)


class DeviceTimeField(serializers.DateTimeField):
    """A time as a device's clock shows it, with its zone."""

    def to_internal_value(self, value: Any) -> datetime:
        """Read ISO 8601 with a zone, of a year that calendars have."""
        if not isinstance(value, str):
            self.fail("invalid", format="ISO 8601")
        moment = super().to_internal_value(value)
        if not FIRST_YEAR <= moment.year <= LAST_YEAR:
            self.fail("invalid", format="ISO 8601")
        return moment


class StudyEntryRequest(StrictSerializer):
    """Something done with a card. `id` is an id that you make: sent twice, it is stored once."""

    id = StrictUUIDField()
    card = StrictUUIDField()
    action = serializers.ChoiceField(services.ACTIONS)
    at = DeviceTimeField(help_text="by the clock of the device")
    rating = StrictIntegerField(
        min_value=1, max_value=4, required=False, help_text="of a review: again, hard, good, easy"
    )
    undoes = StrictUUIDField(required=False, help_text="of an undo: the id of another entry")
    language = StrictCharField(
        max_length=5, required=False, allow_blank=True, help_text="in which the card was asked"
    )


class StudyEntriesRequest(StrictSerializer):
    """What a device did, perhaps offline, in any order.

    `sent_at` is what its clock shows now: by how much it is wrong, the times of entries are
    corrected.
    """

    device = StrictUUIDField(help_text="an id that the device made once")
    sent_at = DeviceTimeField()
    entries = serializers.ListField(
        child=StudyEntryRequest(), min_length=1, max_length=services.MOST_ENTRIES
    )


class EntryOutcomeSerializer(serializers.Serializer[Any]):
    """What became of an entry."""

    id = serializers.UUIDField(source="client_id")
    status = serializers.ChoiceField([services.STORED, services.ALREADY_STORED, services.NOT_FOUND])


class CardStateSerializer(serializers.Serializer[Any]):
    """Where a card stands now, by its whole log."""

    id = serializers.UUIDField(source="uuid")
    phase = serializers.CharField()
    due_at = UTCDateTimeField(allow_null=True)
    is_suspended = serializers.BooleanField()
    buried_until = UTCDateTimeField(allow_null=True)
    review_count = serializers.IntegerField()


class StudyEntriesSerializer(serializers.Serializer[Any]):
    """What became of each entry, in the order sent, and where their cards stand."""

    entries = EntryOutcomeSerializer(many=True)
    cards = CardStateSerializer(many=True)


class StudySettingsSerializer(serializers.Serializer[Any]):
    """How you study. `retention` is in thousandths: 900 means nine cards of ten are recalled."""

    new_per_day = serializers.IntegerField()
    reviews_per_day = serializers.IntegerField()
    retention = serializers.IntegerField()
    day_starts_at = serializers.IntegerField(help_text="hour of the clock of your time zone")
    reminder_hour = serializers.IntegerField(
        help_text="hour of that clock, for those whose notifications include `study`"
    )
    language_choice = serializers.ChoiceField(LanguageChoice.choices)


class StudySettingsRequest(StrictSerializer):
    """What to change; the rest stays."""

    new_per_day = StrictIntegerField(min_value=0, max_value=services.MOST_A_DAY, required=False)
    reviews_per_day = StrictIntegerField(min_value=0, max_value=services.MOST_A_DAY, required=False)
    retention = StrictIntegerField(
        min_value=FEWEST_RECALLED, max_value=MOST_RECALLED, required=False
    )
    day_starts_at = StrictIntegerField(min_value=0, max_value=23, required=False)
    reminder_hour = StrictIntegerField(min_value=0, max_value=23, required=False)
    language_choice = serializers.ChoiceField(LanguageChoice.choices, required=False)


EXAMPLE = OpenApiExample(
    "A review made offline",
    {
        "device": "5f0e2a52-0f4c-4b0e-9a53-0b8f6f1f3f10",
        "sent_at": "2026-11-25T18:00:00Z",
        "entries": [
            {
                "id": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
                "card": "7c1c1e1e-0f0a-4f57-9a8e-0c1d2e3f4a5b",
                "action": "review",
                "rating": 3,
                "at": "2026-11-25T17:12:09Z",
                "language": "es",
            }
        ],
    },
    request_only=True,
)


class StudyDecksView(BaseAPIView):
    """The decks that one studies or may study."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.ATTEMPT,), "POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="listStudyDecks",
        summary="Decks",
        tags=["study"],
        responses=DecksSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the banks whose cards you may study, all of them. Scope `attempt`."""
        parse_query(request, EmptyQuery)
        return Response(_list_decks(request_user(request)))

    @extend_schema(
        operation_id="chooseStudyDeck",
        summary="Study a deck, or no longer",
        tags=["study"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChooseDeckRequest,
        responses={200: OpenApiResponse(DecksSerializer, "The decks as they are now")},
    )
    def post(self, request: Request) -> APIResponse:
        """Add a deck or take it away; its cards keep where they were. Not offered: 404."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChooseDeckRequest)
        return idempotent(request, lambda: _choose_deck(request_user(request), posted))


class StudyCardsView(BaseAPIView):
    """The cards of today."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="listStudyCards",
        summary="Cards of today, with their answers",
        tags=["study"],
        parameters=[CardsQuery],
        responses=TodaySerializer,
    )
    def get(self, request: Request) -> Response:
        """Show what is left today and the next cards in their order, in every language they have.

        Of a question that a graded quiz may still ask you there is no card. Scope `attempt`.
        """
        params = parse_query(request, CardsQuery)
        learner, now = request_user(request), clock.now()
        today = selectors.load_today(learner, now)
        cards = selectors.load_cards(learner, today, most=params["limit"])
        payload = {
            "day_ends_at": today.day.end,
            "new": len(today.queue.new),
            "learning": today.learning,
            "reviews": len(today.queue.reviews),
            "done": today.done,
            "due_tomorrow": today.queue.due_tomorrow,
            "resting": today.resting,
            "items": list(
                _build_cards(
                    learner, cards, today.settings, response_language(request, params), now
                )
            ),
        }
        return Response(TodaySerializer(payload).data)


class StudyEntriesView(BaseAPIView):
    """What was done with cards."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="sendStudyEntries",
        summary="Send reviews, undos, burials and suspensions",
        tags=["study"],
        parameters=[IDEMPOTENCY_KEY],
        request=StudyEntriesRequest,
        responses={200: OpenApiResponse(StudyEntriesSerializer, "Stored, each entry once")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> APIResponse:
        """Add to the logs of your cards what a device did, in one transaction.

        Entries of several devices may come in any order and any number of times: where a card
        stands follows from its whole log. A card that is not yours is `not_found`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, StudyEntriesRequest)
        return idempotent(request, lambda: _record(request_user(request), posted))


class StudySettingsView(BaseAPIView):
    """How one studies."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.ATTEMPT,), "POST": (Scope.ATTEMPT,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getStudySettings",
        summary="How you study",
        tags=["study"],
        parameters=CONDITIONAL_GET,
        responses={200: StudySettingsSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request) -> HttpResponse:
        """Show how much you study in a day, and how well you want to know it. Scope `attempt`."""
        parse_query(request, EmptyQuery)
        payload = _load_settings(selectors.load_settings(request_user(request)))
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="changeStudySettings",
        summary="Change how you study",
        tags=["study"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the settings"), WRITTEN_ETAG],
        request=StudySettingsRequest,
        responses={200: OpenApiResponse(StudySettingsSerializer, "As they are now")},
    )
    def post(self, request: Request) -> APIResponse:
        """Change some of how you study; reviews of before count as they were. Scope `attempt`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, StudySettingsRequest)
        return idempotent(request, lambda: self._change(request, posted))

    def _change(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        learner, now = request_user(request), clock.now()

        def lock_version() -> str:
            return hash_version(_load_settings(services.lock_settings(learner, now)))

        with transaction.atomic(), require_unchanged(request, lock_version):
            settings = services.save_settings(learner=learner, values=posted, now=now)
        payload = _load_settings(settings)
        return tagged_write(payload, hash_version(payload))


def _list_decks(learner: User) -> dict[str, Any]:
    return dict(DecksSerializer({"items": selectors.list_decks(learner)}).data)


def _choose_deck(learner: User, posted: Mapping[str, Any]) -> WriteResult:
    now = clock.now()
    if posted["is_studied"]:
        services.add_deck(learner=learner, bank=posted["deck"], now=now)
    else:
        services.remove_deck(learner=learner, bank=posted["deck"])
    return WriteResult(200, _list_decks(learner))


def _record(learner: User, posted: Mapping[str, Any]) -> WriteResult:
    now = clock.now()
    inputs = [
        services.EntryInput(
            client_id=entry["id"],
            card=entry["card"],
            action=entry["action"],
            device_at=entry["at"],
            rating=entry.get("rating"),
            undoes=entry.get("undoes"),
            language=entry.get("language", ""),
        )
        for entry in posted["entries"]
    ]
    outcomes = services.record_entries(
        learner=learner,
        device=posted["device"],
        sent_at=posted["sent_at"],
        inputs=inputs,
        now=now,
    )
    services.sync_decks(learner=learner, now=now)
    sync_mistakes(learner=learner, now=now)
    cards = StudyCard.objects.filter(
        learner=learner, uuid__in={entry.card for entry in inputs}
    ).order_by("pk")
    payload = {"entries": outcomes, "cards": cards}
    return WriteResult(200, StudyEntriesSerializer(payload).data)


def _load_settings(settings: StudySettings) -> dict[str, Any]:
    values = {name: getattr(settings, name) for name in SETTING_FIELDS}
    return dict(StudySettingsSerializer(values).data)


def _build_cards(
    learner: User,
    cards: list[StudyCard],
    settings: StudySettings,
    language: str,
    now: datetime,
) -> Iterator[dict[str, Any]]:
    """Yield the cards with a side for each language; two reads of what is live a language more."""
    views = selectors.load_card_views(cards, learner, settings, language=language, now=now)
    sides: dict[UUID, list[dict[str, str]]] = {
        view.card.uuid: [_build_side(view)] for view in views
    }
    for other in sorted({code for view in views for code in view.languages}):
        written = [view for view in views if other in view.languages and other != view.language]
        for view in selectors.load_card_views(
            [view.card for view in written],
            learner,
            settings,
            language=language,
            now=now,
            asked_in=other,
        ):
            sides[view.card.uuid].append(_build_side(view))
    for view in views:
        seconds = {rating: int(each.total_seconds()) for rating, each in view.intervals.items()}
        yield {
            "id": view.card.uuid,
            "question": view.card.question.uuid,
            "option": view.card.option,
            "source": view.card.source,
            "kind": view.public_version.kind,
            "phase": view.card.phase,
            "due_at": view.card.due_at,
            "language": view.language,
            "is_right": view.is_right if view.card.option else None,
            "sides": sides[view.card.uuid],
            "intervals": dict(
                zip(("again", "hard", "good", "easy"), seconds.values(), strict=True)
            ),
        }


def _build_side(view: CardView) -> dict[str, str]:
    report, kind = view.report, PRESENTED_KINDS[view.public_version.kind]
    is_whole = not view.card.option and bool(report.solution) and report.credit is None
    return {
        "language": view.language,
        "question_html": view.public_version.words(view.language).prompt,
        "option_html": view.option_html,
        "answer_html": report.feedback.get(view.card.option or "back", ""),
        "answer": kind.answer_text(view.public_version, report.solution or {}, view.language)
        if is_whole
        else "",
        "explanation_html": report.explanation,
    }
