"""Editions: what exactly was published, and the rules it is taken under."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.door import Door, Spoken, language, query
from quizzes.api.fields import Exact, Instant
from quizzes.api.permissions import Scopes, caller, holds
from quizzes.attempts.access import takeable_by
from quizzes.attempts.models import Attempt
from quizzes.lib.errors import NotFound
from quizzes.lib.markup import render
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Edition
from quizzes.publishing.policies import Policies
from quizzes.publishing.selectors import published


class RevealShape(serializers.Serializer[Any]):
    """When each thing may be shown: `never`, `after_submit`, `after_pass`, … (codes)."""

    score = serializers.CharField()
    correctness = serializers.CharField()
    feedback = serializers.CharField()
    key = serializers.CharField()
    explanation = serializers.CharField()
    all_options = serializers.BooleanField()


class PoliciesShape(serializers.Serializer[Any]):
    """The rules of an edition. A null limit is no limit; no scoring_method: each question's own."""

    mode = serializers.CharField()
    time_limit_minutes = serializers.IntegerField(allow_null=True)
    grace_seconds = serializers.IntegerField()
    max_attempts = serializers.IntegerField(allow_null=True)
    cooldown_minutes = serializers.IntegerField()
    window_attempts = serializers.IntegerField(allow_null=True)
    window_hours = serializers.IntegerField()
    standing = serializers.CharField()
    scoring_method = serializers.CharField(allow_blank=True)
    shuffle_questions = serializers.BooleanField()
    shuffle_options = serializers.BooleanField()
    reveal = RevealShape()


class EditionShape(serializers.Serializer[Any]):
    """One published quiz; it never changes."""

    id = serializers.UUIDField()
    quiz = serializers.UUIDField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    intro_html = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of title and introduction")
    question_count = serializers.IntegerField()
    maximum = Exact()
    pass_mark = Exact(help_text="as a part of the maximum")
    policies = PoliciesShape()
    scoring_methods = serializers.ListField(child=serializers.CharField())
    published_at = Instant()


def words(texts: Mapping[str, str], language: str, source: str) -> tuple[str, str]:
    """Return a text and the language it is in: the requested one, else the source's."""
    text = texts.get(language)
    return (text, language) if text else (texts.get(source, ""), source)


def described(edition: Edition, language: str) -> dict[str, Any]:
    """Return what an edition and the quiz whose current edition it is have in common."""
    title, spoken = words(edition.title, language, edition.source_language)
    intro, _ = words(edition.intro, spoken, edition.source_language)
    return {
        "title": title,
        "intro_html": render(intro) if intro else "",
        "language": spoken,
        "question_count": edition.question_count,
        "maximum": edition.maximum,
        "pass_mark": edition.threshold,
        "policies": Policies.from_json(edition.policies),
    }


def readable(request: Request) -> QuerySet[Edition]:
    """Return the editions this person may read: current ones they may take, their attempts' ones.

    Those who author a quiz may read all of its editions.
    """
    user = caller(request)
    tried = Attempt.objects.filter(learner=user, edition=OuterRef("pk"))
    may = Q(quiz__in=takeable_by(user), quiz__current=F("pk")) | Q(Exists(tried))
    if holds(request, Scope.RESULTS):
        may |= Q(quiz__in=visible_to(user))
    return Edition.objects.filter(may).select_related("quiz")


class EditionView(Door):
    """One edition."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getEdition",
        summary="One edition",
        tags=["quizzes"],
        parameters=[Spoken],
        responses=EditionShape,
    )
    def get(self, request: Request, edition: UUID) -> Response:
        """Show an edition of a quiz that you may take, have taken, or author."""
        spoken = language(request, query(request, Spoken))
        readable_edition = readable(request).filter(uuid=edition).first()
        if readable_edition is None:
            raise NotFound
        values = {
            **described(readable_edition, spoken),
            "id": readable_edition.uuid,
            "quiz": readable_edition.quiz.uuid,
            "number": readable_edition.number,
            "scoring_methods": published(readable_edition).scoring_methods,
            "published_at": readable_edition.created_at,
        }
        return Response(EditionShape(values).data)
