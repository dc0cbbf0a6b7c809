"""Lists of people for a class: sent, looked at as a dry run, committed."""

from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.http import QueryDict
from django.urls import resolve, reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Role, RosterImport, Scope, SecurityNotice
from accounts.rosters import (
    RosterStatus,
    commit_roster,
    create_roster_import,
    plan_roster,
    roster_imports_visible_to,
)
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    parse_body,
    parse_form,
    parse_query,
)
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.classes import get_class
from quizzes.api.fields import (
    StrictCharField,
    StrictSerializer,
    UploadField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import PageQuery
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.problems import TooLarge
from quizzes.formats.rosters import MAX_PEOPLE, ListedPerson, build_person
from quizzes.imports.sandbox.reading_process import read_people
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.upload_handlers import FORM_OVERHEAD, allow_uploads

MAX_LIST_BYTES = 5_000_000


class RosterPersonSerializer(serializers.Serializer[Any]):
    """A line of a list, and what becomes of it; `reason` and `remark` are codes."""

    line = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    email = serializers.CharField(allow_blank=True)
    school_id = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField([(str(status), str(status)) for status in RosterStatus])
    reason = serializers.CharField(allow_blank=True, help_text="why it is left out")
    remark = serializers.CharField(allow_blank=True, help_text="what of it is not taken over")


class RosterSerializer(serializers.Serializer[Any]):
    """A list and what it would do, or did. The people of a list are kept until it is committed."""

    id = serializers.UUIDField()
    role = serializers.ChoiceField(Role.choices)
    committed = serializers.BooleanField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="by status")
    fingerprint = serializers.CharField(allow_blank=True, help_text="of the dry run, for a commit")
    people = RosterPersonSerializer(many=True)
    invitation_mails_waiting = serializers.IntegerField(
        help_text="how many mails of invitations into this class are still to be sent"
    )


class RosterSummarySerializer(serializers.Serializer[Any]):
    """A list among others: what it was read from, and what became of it once it is committed."""

    id = serializers.UUIDField(source="uuid")
    file_name = serializers.CharField(
        source="source", allow_blank=True, help_text="empty: sent as people"
    )
    role = serializers.ChoiceField(Role.choices)
    created_at = UTCDateTimeField()
    committed_at = UTCDateTimeField(allow_null=True)
    counts = serializers.DictField(
        child=serializers.IntegerField(), source="summary", help_text="by status; before: empty"
    )


class RosterPageSerializer(ChangePageSerializer):
    """Some lists, in the order of their last change."""

    items = RosterSummarySerializer(many=True)


class RosterRequest(StrictSerializer):
    """What the people of a list become, and the language of the mails to them."""

    role = serializers.ChoiceField(Role.choices, default=Role.LEARNER)
    language = serializers.ChoiceField(settings.LANGUAGES, required=False, help_text="of the mails")


class CreateRosterRequest(RosterRequest):
    """A list: CSV, a spreadsheet, a OneRoster package, or lines of text."""

    file = UploadField(help_text=f"{MAX_LIST_BYTES // 1_000_000} MB at most")
    section = serializers.CharField(
        max_length=200, required=False, help_text="the class to read, of a OneRoster package"
    )


class ListedPersonRequest(StrictSerializer):
    """A person of a list; what is wrong with an address is said in the dry run."""

    email = StrictCharField(max_length=1_000)
    name = StrictCharField(max_length=1_000, allow_blank=True, default="")
    school_id = StrictCharField(max_length=1_000, allow_blank=True, default="")


class CreateRosterFromPeopleRequest(RosterRequest):
    """A list as a program has it."""

    people = serializers.ListField(child=ListedPersonRequest(), min_length=1, max_length=MAX_PEOPLE)


class CommitRosterRequest(StrictSerializer):
    """The dry run that is to be done."""

    fingerprint = StrictCharField(max_length=64)


def _build_payload(request: Request, roster: RosterImport) -> dict[str, Any]:
    is_committed = roster.committed_at is not None
    plan = None if is_committed else plan_roster(roster, by=request_user(request), now=clock.now())
    waiting = SecurityNotice.objects.filter(invitation__group=roster.group_id)
    payload = {
        "id": roster.uuid,
        "role": roster.role,
        "committed": is_committed,
        "counts": roster.summary if plan is None else plan.counts,
        "fingerprint": "" if plan is None else plan.fingerprint,
        "people": [] if plan is None else [asdict(person) for person in plan.people],
        "invitation_mails_waiting": waiting.count(),
    }
    return dict(RosterSerializer(payload).data)


def _get_roster(request: Request, class_id: UUID, roster: UUID) -> RosterImport:
    rows = roster_imports_visible_to(request_user(request))
    row = rows.filter(group=get_class(request, class_id), uuid=roster).first()
    if row is None:
        raise NotFound
    return row


def _read_file(posted: dict[str, Any]) -> tuple[ListedPerson, ...]:
    file = posted["file"]
    if file.size > MAX_LIST_BYTES:
        raise TooLarge
    roster_file = read_people(file.read(), posted.get("section", ""))
    if roster_file.errors:
        raise Invalid(roster_file.errors[0].code, where="file")
    return roster_file.people


def _build_people(people: list[dict[str, str]]) -> tuple[ListedPerson, ...]:
    return tuple(build_person(line, **person) for line, person in enumerate(people, 1))


class RostersView(BaseAPIView):
    """The lists for a class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    parser_classes = [MultiPartParser, JSONParser]
    max_bytes: ClassVar[int] = MAX_LIST_BYTES + FORM_OVERHEAD

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let this request bring a file."""
        allow_uploads(request._request)
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="listRosters",
        summary="Lists of people for a class",
        tags=["classes"],
        parameters=[PageQuery],
        responses=RosterPageSerializer,
    )
    def get(self, request: Request, class_id: UUID) -> Response:
        """List the lists that you sent for a class, for a week. Scope `classes`."""
        params = parse_query(request, PageQuery)
        rows = roster_imports_visible_to(request_user(request))
        group = get_class(request, class_id)
        page = paginate_changes(rows.filter(group=group).defer("people"), request, params)
        return Response(RosterPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="createRoster",
        summary="Send a list of people for a class",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY],
        request={
            "multipart/form-data": CreateRosterRequest,
            "application/json": CreateRosterFromPeopleRequest,
        },
        responses={201: OpenApiResponse(RosterSerializer, "The dry run; nothing is written yet")},
    )
    def post(self, request: Request, class_id: UUID) -> APIResponse:
        """Send a file, or the people as JSON, and see what each line would do. Scope `classes`.

        What cannot be read: 422, with a code of the file. Of a OneRoster package with several
        classes, name one as `section`. The `line` of a person in JSON is their place, from 1.
        """
        parse_query(request, EmptyQuery)
        is_form = isinstance(request.data, QueryDict)
        posted = parse_form(
            request, CreateRosterRequest if is_form else CreateRosterFromPeopleRequest
        )
        return idempotent(
            request,
            lambda: self._create(request, class_id, posted),
            same_transaction=False,
            replay=lambda location: self._read(request, location),
        )

    def _read(self, request: Request, location: str) -> WriteResult:
        address: Any = resolve(location).kwargs
        return WriteResult(201, _build_payload(request, _get_roster(request, **address)))

    def _create(self, request: Request, class_id: UUID, posted: dict[str, Any]) -> WriteResult:
        group = get_class(request, class_id)
        people = _read_file(posted) if "file" in posted else _build_people(posted["people"])
        roster = create_roster_import(
            group=group,
            by=request_user(request),
            now=clock.now(),
            people=[asdict(person) for person in people],
            source=str(posted["file"].name or "") if "file" in posted else "",
            role=Role(posted["role"]),
            language=posted.get("language", ""),
        )
        location = reverse("api:roster", args=[class_id, roster.uuid])
        return WriteResult(201, _build_payload(request, roster), location)


class RosterView(BaseAPIView):
    """One list."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="getRoster",
        summary="What a list would do, or did",
        tags=["classes"],
        responses=RosterSerializer,
    )
    def get(self, request: Request, class_id: UUID, roster: UUID) -> Response:
        """Show the dry run as it is now, or how far the mails of a committed list are.

        Scope `classes`; lists that you sent, for a week.
        """
        parse_query(request, EmptyQuery)
        return Response(_build_payload(request, _get_roster(request, class_id, roster)))


class CommitRosterView(BaseAPIView):
    """Committing a list."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="commitRoster",
        summary="Add and invite the people of a list",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY],
        request=CommitRosterRequest,
        responses={200: OpenApiResponse(RosterSerializer, "Done, now or before")},
    )
    def post(self, request: Request, class_id: UUID, roster: UUID) -> APIResponse:
        """Add those who are known, invite the others; each gets a mail. Scope `classes`.

        409: `roster_changed` where the dry run is another by now, `class_archived`,
        `invitations_too_many`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CommitRosterRequest)
        return idempotent(
            request,
            lambda: self._commit(request, class_id, roster, posted),
            replay=lambda _: WriteResult(
                200, _build_payload(request, _get_roster(request, class_id, roster))
            ),
        )

    def _commit(
        self, request: Request, class_id: UUID, uuid: UUID, posted: dict[str, Any]
    ) -> WriteResult:
        roster = commit_roster(
            roster=_get_roster(request, class_id, uuid),
            by=request_user(request),
            now=clock.now(),
            fingerprint=posted["fingerprint"],
        )
        return WriteResult(200, _build_payload(request, roster))
