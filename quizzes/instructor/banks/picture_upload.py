"""A file put into a text while it is written: saved in the bank, answered as JSON."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from quizzes.bank import uploads
from quizzes.bank.models import Bank
from quizzes.instructor.admin_base import is_searchable
from quizzes.instructor.permissions import current_user
from quizzes.lib.errors import Invalid
from quizzes.lib.upload_handlers import allow_uploads, is_too_large, max_upload_bytes
from quizzes.presentation.messages.uploads import describe_upload_error


def save_picture(admin: Any, request: HttpRequest) -> HttpResponse:
    """Save a file in the bank that the address names, if the sender may change it.

    Who may is looked at before anything of the file is read.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    slug = request.GET.get("bank", "")
    banks = admin.get_queryset(request)
    bank = banks.filter(slug=slug).first() if is_searchable(slug) else None
    if bank is None:
        raise Http404
    if not admin.has_change_permission(request, bank):
        raise PermissionDenied
    if is_too_large(request):
        size = int(request.META["CONTENT_LENGTH"])
        refusal = Invalid("too_large", size=size, maximum=max_upload_bytes())
        return JsonResponse({"error": describe_upload_error(refusal)}, status=413)
    allow_uploads(request)
    protected: HttpResponse = csrf_protect(_receive_file)(request, bank)
    return protected


def _receive_file(request: HttpRequest, bank: Bank) -> HttpResponse:
    file = request.FILES.get("file")
    if file is None:
        return JsonResponse({"error": _("Choose a file first.")}, status=422)
    try:
        media = uploads.save_media(
            bank=bank,
            file=file,  # type: ignore[arg-type]  # a file in all but name
            name=str(file.name or ""),
            by=current_user(request),
        )
    except Invalid as error:
        return JsonResponse({"error": describe_upload_error(error)}, status=422)
    except OSError:
        error_text = _("The file cannot be saved now. Try again later.")
        return JsonResponse({"error": error_text}, status=503)
    return JsonResponse({"address": f"media:{media.uuid}.{media.extension}"})
