"""The draft of a question, read and written whole with its key, and published."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    LanguageQuery,
    parse_body,
    parse_query,
)
from quizzes.api.fields import StrictCharField, StrictSerializer, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    build_etag,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
    tagged_write,
)
from quizzes.api.question_documents import (
    QuestionDocumentSerializer,
    QuestionRequest,
    build_question_refusal,
    name_rows_of,
    read_document,
)
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import services, uploads
from quizzes.bank.access import editable_by
from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument
from quizzes.document.translated_from import compute_translated_from
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.presentation.draft_notes import list_draft_notes, list_lint_notes

LONGEST_NAME: Final = 100
LONGEST_TAG: Final = 60
LONGEST_NOTE: Final = 300
MOST_TAGS: Final = 50
OPTIONS: Final = ("6f2f5d0e-9f0a-4b58-8f1d-0a4a5b1c2d31", "6f2f5d0e-9f0a-4b58-8f1d-0a4a5b1c2d32")
DOCUMENT_EXAMPLE: Final = {
    "kind": "single_choice",
    "scoring_method": "all_or_nothing",
    "source_language": "en",
    "content": {"options": [{"id": id_} for id_ in OPTIONS], "shuffle": True},
    "key": {"right": [OPTIONS[0]]},
    "words": {
        "en": {
            "prompt": "Which river is longer?",
            "options": dict(zip(OPTIONS, ("The Volga", "The Danube"), strict=True)),
        }
    },
    "feedback": {"en": {"explanation": "The Volga has 3,531 km, the Danube 2,850 km."}},
}
DRAFT_EXAMPLE: Final = {
    "question": "0b6f4f0e-5d0e-4c55-9f3c-6a1d2c7f9b31",
    "name": "longest-river",
    "bank": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
    "document": DOCUMENT_EXAMPLE,
    "rows": dict(zip(OPTIONS, "ab", strict=True)),
    "outdated": [],
    "tags": ["rivers"],
    "is_published": False,
    "problems": [],
    "notes": [
        {"where": "words.es", "code": "language_missing", "message": "There is no Spanish yet."}
    ],
    "updated_at": "2026-11-21T12:00:00Z",
}
EXAMPLE: Final = OpenApiExample("A draft", DRAFT_EXAMPLE, response_only=True)
SAVE_EXAMPLE: Final = OpenApiExample(
    "The same, written",
    {"document": DOCUMENT_EXAMPLE, "rows": DRAFT_EXAMPLE["rows"], "tags": ["rivers"]},
    request_only=True,
)
PUBLICATION_EXAMPLE: Final = OpenApiExample(
    "The third version",
    {"version": {"id": "c2b1d1c4-3a55-4a0e-8f86-0f8a3f9a7d10", "number": 3}},
    response_only=True,
)


class DraftNoteSerializer(serializers.Serializer[Any]):
    """A problem or a note: at which place of the document, and what it says."""

    where = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField(source="text", help_text="in the language asked for")


class QuestionDraftSerializer(serializers.Serializer[Any]):
    """The draft of a question, whole; attempts get what was published of it."""

    question = serializers.UUIDField()
    name = serializers.CharField()
    bank = serializers.UUIDField()
    document = QuestionDocumentSerializer()
    rows = serializers.DictField(
        child=serializers.CharField(),
        help_text="id → short name of every row that the question has or had",
    )
    outdated = serializers.ListField(
        child=serializers.CharField(),
        help_text="languages whose source was changed after they were translated",
    )
    tags = serializers.ListField(child=serializers.CharField())
    is_published = serializers.BooleanField(help_text="Whether the newest version is this draft.")
    problems = DraftNoteSerializer(many=True, help_text="what keeps it from being published")
    notes = DraftNoteSerializer(many=True, help_text="what is worth a look")
    updated_at = UTCDateTimeField()


class SaveDraftRequest(QuestionRequest):
    """A question in the place of the draft; `tags` that are left out stay."""

    tags = serializers.ListField(
        child=serializers.SlugField(max_length=LONGEST_TAG, allow_unicode=True),
        max_length=MOST_TAGS,
        required=False,
    )
    up_to_date = serializers.ListField(
        child=StrictCharField(max_length=5),
        required=False,
        default=list,
        help_text="languages whose translation is as new as its source, though it is unchanged",
    )


class CreateQuestionRequest(SaveDraftRequest):
    """A question that is new in its bank, and what it is called there."""

    name = serializers.SlugField(max_length=LONGEST_NAME)


class PublishQuestionRequest(StrictSerializer):
    """What the history of the question says of the version."""

    note = StrictCharField(max_length=LONGEST_NOTE, required=False, allow_blank=True, default="")


class QuestionVersionReferenceSerializer(serializers.Serializer[Any]):
    """The newest published version of a question."""

    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()


class QuestionPublicationSerializer(serializers.Serializer[Any]):
    """In which version a question is asked now; quizzes do once they are published again."""

    version = QuestionVersionReferenceSerializer()


def _find(rows: "QuerySet[Question]", question: UUID) -> Question:
    row = rows.select_related("bank", "current").filter(uuid=question).first()
    if row is None:
        raise NotFound
    return row


def get_question_with_key(request: Request, question: UUID) -> Question:
    """Return a question whose key this person may see, and record that; any other: NotFound."""
    row = _find(questions_whose_keys_are_visible_to(request_user(request)), question)
    record(AuditCode.KEYS_VIEWED, about=row, group=row.bank.group_id, once=True)
    return row


def get_editable_question(request: Request, question: UUID) -> Question:
    """Return a question that this person may see and edit; any other: NotFound."""
    by = request_user(request)
    rows = questions_whose_keys_are_visible_to(by).filter(bank__in=editable_by(by))
    return _find(rows, question)


def _list_tags(question: Question) -> list[str]:
    return sorted(question.tags.values_list("name", flat=True))


def lock_draft_version(question: Question) -> str:
    """Lock the draft of a question; return its version."""
    revision = Draft.objects.select_for_update().get(question=question).revision
    return _hash_draft(question, revision, _list_tags(question))


def _hash_draft(question: Question, revision: int, tags: list[str]) -> str:
    return hash_version(question.pk, revision, tags)


def _list_rows(question: Question) -> dict[str, str]:
    return {str(uuid): name for uuid, name in question.options.values_list("uuid", "name")}


def _describe(question: Question) -> tuple[dict[str, Any], str]:
    """Return a draft as it is shown, and its version; six queries."""
    draft, tags = Draft.objects.get(question=question), _list_tags(question)
    document = QuestionDocument.from_json(draft.data)
    of_files = uploads.find_media_problems(bank=question.bank_id, item=document)
    notes = (
        *list_draft_notes(document, of_files),
        *list_lint_notes(question, document),
    )
    current = question.current
    payload = {
        "question": question.uuid,
        "name": question.name,
        "bank": question.bank.uuid,
        "document": document,
        "rows": _list_rows(question),
        "outdated": [code for code in document.languages if document.is_outdated(code)],
        "tags": tags,
        "is_published": current is not None and current.digest == document.digest(),
        "problems": [note for note in notes if note.blocks],
        "notes": [note for note in notes if not note.blocks],
        "updated_at": draft.updated_at,
    }
    return QuestionDraftSerializer(payload).data, _hash_draft(question, draft.revision, tags)


def _write(question: Question, posted: Mapping[str, Any], request: Request) -> None:
    """Put what was posted in the place of the draft, which the caller has locked or made."""
    by, document = request_user(request), read_document(posted["document"])
    before = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    translated_from = compute_translated_from(document, before, frozenset(posted["up_to_date"]))
    document = replace(document, translated_from=translated_from)
    new_rows = name_rows_of(document, _list_rows(question), posted["rows"])
    record(AuditCode.KEYS_VIEWED, about=question, group=question.bank.group_id, once=True)
    services.write_question(
        question=question,
        item=document,
        row_names=new_rows,
        tags=posted.get("tags"),
        revision=None,
        by=by,
    )


def _read(question: Question) -> tuple[dict[str, Any], str]:
    return _describe(Question.objects.select_related("bank", "current").get(pk=question.pk))


def read_draft(request: Request, question: UUID) -> WriteResult:
    """Return a draft as it is now, with its key, to who may see that; to others: NotFound."""
    return tagged_write(*_describe(get_question_with_key(request, question)))


def create_question(request: Request, bank: UUID, posted: Mapping[str, Any]) -> WriteResult:
    """Make a question in a bank, a draft. A name that is taken: Conflict; no editor: NotFound."""
    row, by = get_editable_bank(request, bank), request_user(request)
    document = posted["document"]
    empty = QuestionDocument(document["kind"], "", source_language=document["source_language"])
    with transaction.atomic():
        question = services.add_question(bank=row, name=posted["name"], item=empty, by=by)
        _write(question, posted, request)
    location = reverse("api:question_draft", args=[question.uuid])
    return tagged_write(*_read(question), status=201, location=location)


class QuestionDraftView(BaseAPIView):
    """The draft of a question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    shows_keys = True
    takes_if_match = True

    @extend_schema(
        operation_id="getQuestionDraft",
        summary="The draft of a question, with its key",
        tags=["banks"],
        parameters=[LanguageQuery, *CONDITIONAL_GET],
        responses={200: QuestionDraftSerializer, **NOT_MODIFIED},
        examples=[EXAMPLE],
    )
    def get(self, request: Request, question: UUID) -> HttpResponse:
        """Show the draft of a question whose key you may see, and what is wrong with it.

        Its document is what banks import and export. Scope `authoring`.
        """
        parse_query(request, LanguageQuery)
        return tagged_response(request, *_describe(get_question_with_key(request, question)))

    @extend_schema(
        operation_id="saveQuestionDraft",
        summary="Write the draft of a question",
        tags=["banks"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, describe_if_match("the draft"), WRITTEN_ETAG],
        request=SaveDraftRequest,
        responses={200: OpenApiResponse(QuestionDraftSerializer, "As it is now")},
        examples=[SAVE_EXAMPLE, EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Put a document in the place of the draft. It is kept whatever its `problems` are.

        What no question of its kind can hold is 422. Nothing that was published changes.
        Scope `authoring`.
        """
        parse_query(request, LanguageQuery)
        posted = parse_body(request, SaveDraftRequest)
        return idempotent(
            request,
            lambda: self._save(request, question, posted),
            replay=lambda _: read_draft(request, question),
        )

    def _save(self, request: Request, question: UUID, posted: Mapping[str, Any]) -> WriteResult:
        row = get_editable_question(request, question)
        with transaction.atomic():
            with require_unchanged(request, lambda: lock_draft_version(row)):
                lock_draft_version(row)
                _write(row, posted, request)
            return tagged_write(*_read(row))


class QuestionPublicationView(BaseAPIView):
    """The publishing of a draft."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="publishQuestion",
        summary="Publish a question",
        tags=["banks"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, describe_if_match("the draft"), WRITTEN_ETAG],
        request=PublishQuestionRequest,
        responses={200: OpenApiResponse(QuestionPublicationSerializer, "The version there is")},
        examples=[PUBLICATION_EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Freeze the draft as the next version; without a change it stays the one there is.

        What keeps it from being published: 422, each problem with its place. A question that was
        retired is in use again. Scope `authoring`.
        """
        parse_query(request, LanguageQuery)
        posted = parse_body(request, PublishQuestionRequest)
        return idempotent(request, lambda: self._publish(request, question, posted["note"]))

    def _publish(self, request: Request, question: UUID, note: str) -> WriteResult:
        row, by = get_editable_question(request, question), request_user(request)
        with transaction.atomic(), require_unchanged(request, lambda: lock_draft_version(row)):
            version_of_draft = lock_draft_version(row)
            try:
                version = services.publish(question=row, by=by, now=clock.now(), note=note)
            except Invalid as invalid:
                raise build_question_refusal(invalid.detail["problems"]) from None
        payload = QuestionPublicationSerializer({"version": version}).data
        return WriteResult(200, payload, etag=build_etag(version_of_draft))
