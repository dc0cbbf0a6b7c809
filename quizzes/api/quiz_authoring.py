"""Quizzes as their authors make them: created, their settings, published, retired."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from django.core.exceptions import ValidationError as ModelValidationError
from django.db import models, transaction
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import is_administrator, is_instructor
from accounts.models import Scope, User
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.composition import get_editable_quiz, locate_problems, read_title
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import StrictDateTimeField
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
from quizzes.api.problems import build_refusal
from quizzes.attempts.deadline_settings import save_quiz_settings
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.short_names import retry_taken
from quizzes.lib.translated_texts import choose_title
from quizzes.presentation.messages.memorised_pass import describe_memorised_pass, describe_remedy
from quizzes.publishing import services
from quizzes.publishing.memorised_pass import MOST_ATTEMPTS, MemorisedPassUndecided
from quizzes.publishing.models import Quiz
from quizzes.publishing.settings_version import compute_settings_version
from quizzes.publishing.short_names import suggest_short_name

LONGEST_TEXT: Final = 20_000
SETTINGS: Final = tuple(
    field.name
    for field in Quiz._meta.concrete_fields
    if field.editable and not field.primary_key and field.name != "group"
)
"""What the page of a quiz sets, besides the class that owns it."""
TEXTS: Final = ("title", "intro")


class PublishedVersionSerializer(serializers.Serializer[Any]):
    """The version in which a quiz is taken now."""

    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()


class QuizSettingsSerializer(serializers.ModelSerializer[Quiz]):
    """The draft of a quiz without what it asks; attempts get what was published."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.DateTimeField: UTCDateTimeField,
    }
    id = serializers.UUIDField(source="uuid")
    class_id = serializers.UUIDField(
        source="group.uuid", default=None, allow_null=True, help_text="the class that owns it"
    )
    title = serializers.DictField(child=serializers.CharField(), help_text="language → text")
    intro = serializers.DictField(child=serializers.CharField(), help_text="language → text")
    quiz_version = PublishedVersionSerializer(source="current", allow_null=True)
    retired_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Quiz
        fields = ("id", "class_id", *SETTINGS, "quiz_version", "retired_at")


class QuizSettingsRequest(StrictSerializer, serializers.ModelSerializer[Quiz]):
    """Settings of a quiz; what is not named stays as it is, or as a new quiz has it."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BooleanField: StrictBooleanField,
        models.CharField: StrictCharField,
        models.DateTimeField: StrictDateTimeField,
        models.PositiveIntegerField: StrictIntegerField,
    }
    class_id = StrictUUIDField(required=False, allow_null=True)
    title = serializers.DictField(child=StrictCharField(max_length=LONGEST_TEXT), required=False)
    intro = serializers.DictField(
        child=StrictCharField(max_length=LONGEST_TEXT, allow_blank=True), required=False
    )

    class Meta:
        model = Quiz
        fields = ("class_id", *SETTINGS)
        extra_kwargs: ClassVar[dict[str, dict[str, Any]]] = {
            "slug": {"required": False, "validators": []},
        }


class PublishQuizRequest(StrictSerializer):
    """What its author decided before."""

    accepted_attempt = StrictIntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_ATTEMPTS,
        default=None,
        help_text="publish although memorising passes for certain from this attempt on",
    )


class QuizPublicationSerializer(serializers.Serializer[Any]):
    """In which version a quiz is taken now."""

    quiz_version = PublishedVersionSerializer(source="current")


def _build_memorised_refusal(undecided: MemorisedPassUndecided) -> Refused:
    """Return what a program is asked: which pass is certain, and what helps."""
    return Refused(
        undecided.code,
        detail=describe_memorised_pass(undecided.memorised),
        **undecided.memorised.to_json(),
        remedies=[
            {
                "detail": describe_remedy(remedy.settings),
                "settings": dict(remedy.settings),
                "passing": [f"{part:.3f}" for part in remedy.passing],
            }
            for remedy in undecided.remedies
        ],
    )


def _apply(quiz: Quiz, posted: Mapping[str, Any], request: Request) -> None:
    """Put what was posted into the draft; what its rules refuse: ValidationError."""
    for name, value in posted.items():
        if name == "class_id":
            quiz.group = None if value is None else get_class(request, value)
        else:
            setattr(quiz, name, read_title(value, where=name) if name in TEXTS else value)
    suggested = set[str]()
    if not quiz.slug:
        quiz.slug = suggest_short_name(choose_title(quiz.title, quiz.source_language))
        suggested.add("slug")
    # Whether a suggested name is still free is seen when it is saved, and another one suggested.
    clean_row(quiz, exclude=suggested)


def clean_row(row: models.Model, *, exclude: Collection[str] = ()) -> None:
    """Check a row as its form does, but for some fields; what its rules refuse: ValidationError."""
    try:
        row.full_clean(exclude=exclude)
    except ModelValidationError as invalid:
        raise ValidationError(
            {
                "body" if name == "__all__" else name: [
                    ErrorDetail(" ".join(error.messages), error.code or "invalid")
                    for error in errors
                ]
                for name, errors in invalid.error_dict.items()
            }
        ) from None


def _read(quiz: Quiz) -> tuple[dict[str, Any], str]:
    """Return the settings of a quiz as they are stored, and their version."""
    row = Quiz.objects.select_related("group", "current").get(pk=quiz.pk)
    return dict(QuizSettingsSerializer(row).data), _read_version(row)


def _read_version(quiz: Quiz) -> str:
    return hash_version(compute_settings_version(quiz))


def create_quiz(request: Request, posted: Mapping[str, Any]) -> WriteResult:
    """Create the draft of a quiz; who makes none: NotFound."""
    by = request_user(request)
    if not is_instructor(by):
        raise NotFound
    return retry_taken(lambda: _create(request, posted, by))


def _create(request: Request, posted: Mapping[str, Any], by: User) -> WriteResult:
    quiz = Quiz()
    with transaction.atomic():
        _apply(quiz, posted, request)
        if quiz.group is None and not is_administrator(by):
            raise Invalid("class_required", where="class_id")
        save_quiz_settings(quiz=quiz, by=by, now=clock.now())
    location = reverse("api:quiz_settings", args=[quiz.uuid])
    return tagged_write(*_read(quiz), status=201, location=location)


class QuizSettingsView(BaseAPIView):
    """The settings of a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getQuizSettings",
        summary="The settings of a quiz",
        tags=["quizzes"],
        parameters=CONDITIONAL_GET,
        responses={200: QuizSettingsSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, quiz: UUID) -> HttpResponse:
        """Show the draft of a quiz that you may change, published or not. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        row = get_editable_quiz(request, quiz)
        return tagged_response(request, QuizSettingsSerializer(row).data, _read_version(row))

    @extend_schema(
        operation_id="changeQuizSettings",
        summary="Change the settings of a quiz",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the settings"), WRITTEN_ETAG],
        request=QuizSettingsRequest,
        responses={200: OpenApiResponse(QuizSettingsSerializer, "As it is now")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Change what is named of the draft; attempts get it once it is published.

        A later closing reaches the attempts in progress at once. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, QuizSettingsRequest)
        return idempotent(request, lambda: retry_taken(lambda: self._change(request, quiz, posted)))

    def _change(self, request: Request, quiz: UUID, posted: Mapping[str, Any]) -> WriteResult:
        by, pk = request_user(request), get_editable_quiz(request, quiz).pk
        with transaction.atomic():
            row = Quiz.objects.select_for_update().get(pk=pk)
            with require_unchanged(request, lambda: _read_version(row)):
                _apply(row, posted, request)
                save_quiz_settings(quiz=row, by=by, now=clock.now())
            return tagged_write(*_read(row))


class QuizPublicationView(BaseAPIView):
    """The publishing of a quiz."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,), "DELETE": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="publishQuiz",
        summary="Publish a quiz",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=PublishQuizRequest,
        responses={200: OpenApiResponse(QuizPublicationSerializer, "The version taken now")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Freeze the draft as the next version; without a change it stays the one there is.

        Open attempts keep theirs. What keeps it from being published: 422, every problem with its
        place: a setting, a slot as it stands in the composition (`sections.0.slots.2`), or
        `sections`. A quiz that was retired is in use again. Scope `authoring`.

        409 `memorised_pass_certain`: whoever memorises what is shown passes, for certain or nearly,
        in `attempt`, as `passing` of simulated learners do. `remedies` are settings with which
        nobody does: change them (`POST …/settings`) and publish, or name the attempt as accepted.
        That is kept with the version.
        """
        parse_query(request, EmptyQuery)
        accepted_attempt = parse_body(request, PublishQuizRequest)["accepted_attempt"]
        return idempotent(request, lambda: self._publish(request, quiz, accepted_attempt))

    def _publish(self, request: Request, quiz: UUID, accepted_attempt: int | None) -> WriteResult:
        row = get_editable_quiz(request, quiz)
        with transaction.atomic():
            Quiz.objects.select_for_update().get(pk=row.pk)  # its slots stay where they are
            try:
                services.publish(
                    quiz=row,
                    by=request_user(request),
                    now=clock.now(),
                    accepted_attempt=accepted_attempt,
                )
            except MemorisedPassUndecided as undecided:
                raise _build_memorised_refusal(undecided) from None
            except Invalid as invalid:
                located = locate_problems(row, invalid.detail["problems"])
                raise build_refusal(
                    (problem.place, problem.code, problem.sentence) for problem in located
                ) from None
        stored = Quiz.objects.select_related("current").get(pk=row.pk)
        return WriteResult(200, dict(QuizPublicationSerializer(stored).data))

    @extend_schema(
        operation_id="retireQuiz",
        summary="Take a quiz out of use",
        tags=["quizzes"],
        responses={204: OpenApiResponse(description="Out of use")},
    )
    def delete(self, request: Request, quiz: UUID) -> Response:
        """Take a quiz out of use: nobody begins it any more; attempts and results stay.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        row = get_editable_quiz(request, quiz)
        services.retire(quiz=row, by=request_user(request), now=clock.now())
        return Response(status=204)
