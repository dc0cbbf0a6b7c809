"""Imports: upload a file for a bank, list imports, read one."""

from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_form, parse_query
from quizzes.api.change_pages import paginate_changes
from quizzes.api.fields import StrictSerializer, StrictUUIDField, UploadField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.import_serializers import (
    EXAMPLE,
    STATES,
    ImportDetailSerializer,
    ImportPageSerializer,
    build_detail,
    build_import_result,
    get_import,
    import_row,
    import_url,
    import_version,
)
from quizzes.api.pagination import PageQuery
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    tagged_response,
)
from quizzes.api.problems import TooLarge, problem_document
from quizzes.api.throttling import ThrottledAPIView
from quizzes.formats import FORMATS
from quizzes.imports import jobs, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.imports.parse import MAX_UPLOAD_BYTES
from quizzes.imports.selectors import list_imports
from quizzes.lib.errors import Invalid
from quizzes.lib.upload_handlers import FORM_OVERHEAD, allow_uploads, max_upload_bytes


class ImportListQuery(PageQuery):
    """The query of the list."""

    bank = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(list(STATES), required=False)


class CreateImportRequest(StrictSerializer):
    """A file for a bank; format and language are detected where they are not given."""

    file = UploadField(help_text=f"{MAX_UPLOAD_BYTES // 1_000_000} MB at most")
    bank = StrictUUIDField()
    format = serializers.ChoiceField(list(FORMATS), required=False)
    language = serializers.ChoiceField(
        settings.LANGUAGES, required=False, help_text="Of its words."
    )


class ImportsView(ThrottledAPIView):
    """All imports."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    parser_classes = [MultiPartParser]
    max_bytes: ClassVar[int] = min(MAX_UPLOAD_BYTES + FORM_OVERHEAD, max_upload_bytes())
    throttle_name, max_per_hour = "api_import", 120

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let this request bring a file, which goes to the disk as it comes."""
        allow_uploads(request._request)
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="listImports",
        summary="Imports into your banks",
        tags=["imports"],
        parameters=[ImportListQuery],
        responses=ImportPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the imports into banks that you may change. Scope `authoring`."""
        params = parse_query(request, ImportListQuery)
        rows = list_imports(request_user(request))
        if "bank" in params:
            rows = rows.filter(bank__uuid=params["bank"])
        if "state" in params:
            rows = rows.filter(state__in=STATES[params["state"]])
        page = paginate_changes(rows, request, params)
        return Response(
            ImportPageSerializer(page.to_json([import_row(job) for job in page.rows])).data
        )

    @extend_schema(
        operation_id="createImport",
        summary="Send a file for a bank",
        tags=["imports"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request={"multipart/form-data": CreateImportRequest},
        responses={
            202: OpenApiResponse(ImportDetailSerializer, "Kept; nothing is written before a commit")
        },
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> APIResponse:
        """Send a file. It is often read at once; if not, ask for the import until it is `ready`.

        A file that may be of several formats is kept and answered with 409: `format_ambiguous`,
        with the `formats` to choose from, the `evidence` for each (how many items it would read,
        how many lines it cannot explain) and the `import` to send one of them to
        (`POST /imports/{job}/format`). A file that cannot be read is `failed`, with its `errors`.
        Scope `authoring`; 120 an hour at most (`RateLimit-*` headers).
        """
        parse_query(request, EmptyQuery)
        posted = parse_form(request, CreateImportRequest)
        # Reading is no part of the transaction that keeps the file, so the key's row is a third.
        return idempotent(request, lambda: self._create(request, posted), same_transaction=False)

    def _create(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        file = posted["file"]
        if file.size > MAX_UPLOAD_BYTES:
            raise TooLarge
        try:
            job = jobs.create_import(
                bank=get_editable_bank(request, posted["bank"]),
                data=file.read(),
                filename=file.name,
                format_=posted.get("format", ""),
                language=posted.get("language", ""),
                by=request_user(request),
            )
        except Invalid as error:
            raise Invalid(error.code, where="file") from error
        if job.state == State.AMBIGUOUS:
            return _ask_format(job)
        tasks.advance(job.pk)
        return build_import_result(get_import(request, job.uuid))


def _ask_format(job: ImportJob) -> WriteResult:
    """Return the answer to a file that may be of several formats: how to go on with it."""
    members = {
        "formats": [each["format"] for each in job.format_evidence],
        "evidence": job.format_evidence,
        "import": str(job.uuid),
    }
    problem = problem_document(HTTPStatus.CONFLICT, "format_ambiguous", **members)
    return WriteResult(HTTPStatus.CONFLICT, problem, import_url(job.uuid))


class ImportView(BaseAPIView):
    """One import."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="getImport",
        summary="One import",
        tags=["imports"],
        parameters=CONDITIONAL_GET,
        responses={200: ImportDetailSerializer, **NOT_MODIFIED},
        examples=[EXAMPLE],
    )
    def get(self, request: Request, job: UUID) -> HttpResponse:
        """Show how far an import is, and what would come of it, in numbers. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        import_job = get_import(request, job)
        return tagged_response(request, build_detail(import_job), import_version(import_job))
