"""The files of a bank: the list, with where each is used; uploading and deleting."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_protect

from quizzes.bank import uploads
from quizzes.bank.models import Bank, Media
from quizzes.instructor.permissions import current_user
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.filetypes import KINDS
from quizzes.lib.upload_handlers import allow_uploads, is_too_large, max_upload_bytes
from quizzes.presentation.messages.uploads import describe_upload_error

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file in the list."""

    media: Media
    family: str
    snippet: str
    uses: uploads.MediaUses


@dataclass(frozen=True, slots=True)
class UploadError:
    """A file that was refused, and why."""

    name: str
    text: str


def show_files(admin: Any, request: HttpRequest, bank: Bank) -> HttpResponse:
    """Show the files of a bank; on POST save others, if the sender may, before anything is read."""
    if request.method != "POST":
        return _render_files(admin, request, bank)
    if not admin.has_change_permission(request, bank):
        raise PermissionDenied
    if is_too_large(request):
        refusal = Invalid(
            "too_large", size=int(request.META["CONTENT_LENGTH"]), maximum=max_upload_bytes()
        )
        return _render_files(
            admin, request, bank, (UploadError("", describe_upload_error(refusal)),), status=413
        )
    allow_uploads(request)
    protected: HttpResponse = csrf_protect(_receive_files)(request, admin, bank)
    return protected


def _receive_files(request: HttpRequest, admin: Any, bank: Bank) -> HttpResponse:
    """Save the files that were sent, and name those that are refused."""
    sent = request.FILES.getlist("file")
    try:
        errors = tuple(_save_files(request, bank, sent))
    except OSError:
        full = UploadError("", _("The file cannot be saved now. Try again later."))
        return _render_files(admin, request, bank, (full,), status=503)
    if not sent:
        errors = (UploadError("", _("Choose a file first.")),)
    stored = len(sent) - len(errors)
    if stored > 0:
        message = ngettext("%(n)s file is saved.", "%(n)s files are saved.", stored)
        messages.success(request, message % {"n": stored})
    if errors:
        return _render_files(admin, request, bank, errors, status=422)
    return redirect("admin:bank_bank_files", bank.pk)


def _save_files(
    request: HttpRequest, bank: Bank, sent: "list[UploadedFile[bytes]]"
) -> Iterator[UploadError]:
    author = current_user(request)
    for file in sent:
        name = str(file.name or "")
        try:
            uploads.save_media(
                bank=bank,
                file=file,  # type: ignore[arg-type]  # a file in all but name
                name=name,
                by=author,
            )
        except Invalid as error:
            yield UploadError(uploads.build_label(name), describe_upload_error(error))


def delete_file(admin: Any, request: HttpRequest, bank: Bank, uuid: UUID) -> HttpResponse:
    """Explain what deleting a file means, and do it on POST; what is shown somewhere stays."""
    if not admin.has_change_permission(request, bank):
        raise PermissionDenied
    media = bank.files.filter(uuid=uuid).first()
    if media is None:
        raise Http404
    if request.method != "POST":
        (row,) = _list_rows(bank, [media])
        return _render_page(admin, request, bank, "delete_file", {"row": row})
    try:
        uploads.delete_media(media=media, by=current_user(request))
    except Conflict:
        messages.error(request, _("The file has been used meanwhile, so it was not deleted."))
    else:
        messages.success(request, _("The file is deleted."))
    return redirect("admin:bank_bank_files", bank.pk)


def _list_rows(bank: Bank, listed: list[Media]) -> list[FileRow]:
    uses = uploads.load_media_uses(bank=bank, files=listed)
    return [
        FileRow(
            media=media,
            family=KINDS[media.extension].family,
            snippet=f"![](media:{media.uuid}.{media.extension})",
            uses=uses[media.pk],
        )
        for media in listed
    ]


def _render_files(
    admin: Any,
    request: HttpRequest,
    bank: Bank,
    errors: tuple[UploadError, ...] = (),
    *,
    status: int = 200,
) -> HttpResponse:
    page = Paginator(bank.files.order_by("-pk"), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = _list_rows(bank, list(page.object_list))
    context = {"rows": rows, "page": page, "errors": errors}
    return _render_page(admin, request, bank, "files", context, status=status)


def _render_page(  # noqa: PLR0913  what a page is made of
    admin: Any,
    request: HttpRequest,
    bank: Bank,
    name: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "original": bank,
        "may_edit": admin.has_change_permission(request, bank),
        **context,
    }
    title = _("Files of %(bank)s") % {"bank": bank}
    response: HttpResponse = admin.render_page(
        request,
        f"bank/bank/{name}",
        context,
        title=title,
        page_name=_("Files of the bank"),
        status=status,
    )
    return response
