"""The files of a bank: pictures, sounds and films that its questions may show; sent and deleted."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank, get_visible_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_form, parse_query
from quizzes.api.fields import StrictSerializer, UploadField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import Order, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.problems import build_refusal
from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.lib.errors import Busy, Invalid, NotFound
from quizzes.lib.upload_handlers import allow_uploads, max_upload_bytes
from quizzes.presentation.messages.uploads import describe_upload_error

BY_AGE: Final = Order((("pk", int),))
FILE_EXAMPLE: Final = {
    "id": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
    "name": "volga.png",
    "media_type": "image/png",
    "size": 48213,
    "width": 800,
    "height": 600,
    "reference": "media:0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11.png",
    "versions": 1,
    "drafts": ["longest-river"],
}
EXAMPLE: Final = OpenApiExample("A picture that is shown", FILE_EXAMPLE, response_only=True)
LIST_EXAMPLE: Final = OpenApiExample(
    "One file", {"items": [FILE_EXAMPLE], "next": None, "cursor": "WyIxIl0"}, response_only=True
)


class BankFileSerializer(serializers.Serializer[Any]):
    """A file of a bank, and where it is shown."""

    id = serializers.UUIDField(source="media.uuid")
    name = serializers.CharField(source="media.name", allow_blank=True)
    media_type = serializers.CharField(source="media.media_type")
    size = serializers.IntegerField(source="media.size", help_text="in bytes")
    width = serializers.IntegerField(source="media.width", allow_null=True)
    height = serializers.IntegerField(source="media.height", allow_null=True)
    reference = serializers.SerializerMethodField(
        help_text="for texts: `![what it shows](media:…)`"
    )
    versions = serializers.IntegerField(
        source="uses.versions", help_text="published ones that show it"
    )
    drafts = serializers.ListField(
        source="uses.drafts", child=serializers.CharField(), help_text="names of their questions"
    )

    def get_reference(self, row: dict[str, Any]) -> str:
        """Return what a text calls the file."""
        media: Media = row["media"]
        return f"media:{media.uuid}.{media.extension}"


class BankFilePageSerializer(serializers.Serializer[Any]):
    """Some files, in the order in which they came."""

    items = BankFileSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class SendBankFileRequest(StrictSerializer):
    """A picture, a sound or a film."""

    file = UploadField()


def _describe(bank: Bank, files: Iterable[Media]) -> list[dict[str, Any]]:
    listed = list(files)
    uses_by_file = uploads.load_media_uses(bank=bank, files=listed)
    return [{"media": media, "uses": uses_by_file[media.pk]} for media in listed]


class BankFilesView(BaseAPIView):
    """The files of a bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    parser_classes = [MultiPartParser]
    max_bytes: ClassVar[int] = max_upload_bytes()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let this request bring a file, which goes to the disk as it comes."""
        allow_uploads(request._request)
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="listBankFiles",
        summary="The files of a bank, and where each is shown",
        tags=["banks"],
        parameters=[PageQuery],
        responses=BankFilePageSerializer,
        examples=[LIST_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List the pictures, sounds and films of a bank whose keys you may see. Scope `authoring`.

        `GET /media/{media}` fetches one that is shown.
        """
        params = parse_query(request, PageQuery)
        row = get_visible_bank(request, bank)
        page = paginate(row.files.all(), BY_AGE, request, params)
        return Response(BankFilePageSerializer(page.to_json(_describe(row, page.rows))).data)

    @extend_schema(
        operation_id="sendBankFile",
        summary="Put a file into a bank",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request={"multipart/form-data": SendBankFileRequest},
        responses={201: OpenApiResponse(BankFileSerializer, "Kept, now or before")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Keep a file in a bank that you edit; the same bytes again are the same file.

        What it is shows in its bytes, not in its name. What no page can show, is too large or does
        not pass the virus scanner: 422. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        row = get_editable_bank(request, bank)  # before anything of the file is read
        posted = parse_form(request, SendBankFileRequest)
        return idempotent(request, lambda: self._save(request, row, posted))

    def _save(self, request: Request, bank: Bank, posted: dict[str, Any]) -> WriteResult:
        file = posted["file"]
        try:
            media = uploads.save_media(
                bank=bank, file=file, name=str(file.name or ""), by=request_user(request)
            )
        except Invalid as invalid:
            sentence = describe_upload_error(invalid)
            raise build_refusal([("file", invalid.code, sentence)]) from invalid
        except OSError as full:
            raise Busy("file_not_saved") from full
        (row,) = _describe(bank, [media])
        return WriteResult(201, dict(BankFileSerializer(row).data))


class BankFileView(BaseAPIView):
    """One file of a bank."""

    scopes: ClassVar[Scopes] = {"DELETE": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="deleteBankFile",
        summary="Delete a file of a bank",
        tags=["banks"],
        responses={204: OpenApiResponse(None, "Gone")},
    )
    def delete(self, request: Request, bank: UUID, file: UUID) -> Response:
        """Delete a file that nothing shows, from a bank that you edit. Scope `authoring`.

        While something does: 409 (`media_in_use`), with how many published `versions` and the
        names of the questions whose `drafts` show it.
        """
        parse_query(request, EmptyQuery)
        media = get_editable_bank(request, bank).files.filter(uuid=file).first()
        if media is None:
            raise NotFound
        uploads.delete_media(media=media, by=request_user(request))
        return Response(status=204)
