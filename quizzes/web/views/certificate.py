"""Certificates: the page that anybody with its address sees, its file, and its owner's choices."""

from typing import Any
from uuid import UUID

from allauth.decorators import rate_limit
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.certificates.models import Certificate
from quizzes.certificates.selectors import (
    CertificateReport,
    can_be_certified,
    find_own_certificate,
    load_certificate,
)
from quizzes.certificates.services import save_certificate, withdraw_certificate
from quizzes.certificates.signed_content import CertificateContent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.translated_texts import choose_text
from quizzes.presentation.formatting import format_percent, format_score
from quizzes.presentation.messages.certificates import (
    describe_certificate,
    describe_certificate_refusal,
)
from quizzes.web.decorators import current_user, login_required_page, not_found_page
from quizzes.web.view_models import CertificateSheet

NOT_LISTED = "noindex, nofollow"
"""An address that its owner gave to some is in no search engine."""


class CertificateForm(forms.Form):
    """What a certificate shows, the least at first."""

    shows_name = forms.BooleanField(label=_("Show my name"), required=False)
    shows_score = forms.BooleanField(label=_("Show my score"), required=False)
    is_public = forms.BooleanField(
        label=_("Whoever has its address may see it, without signing in"), required=False
    )


@rate_limit(action="certificate", limit_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@not_found_page
@require_safe
def certificate(request: HttpRequest, certificate: UUID) -> HttpResponse:
    """Show a certificate and whether it holds; one that is not public to its owner alone."""
    report = load_certificate(certificate=certificate, viewer=request.user)
    level, sentence = describe_certificate(report)
    context = {
        "sheet": _build_sheet(report, report.content, request) if report.content else None,
        "level": level,
        "sentence": sentence,
        "report": report,
        "address": request.build_absolute_uri(request.path),
        "attempt_id": _find_attempt(report),
    }
    response = render(request, "quizzes/pages/certificate.html", context)
    response.headers["X-Robots-Tag"] = NOT_LISTED
    return response


@rate_limit(action="certificate", limit_get=True)  # type: ignore[untyped-decorator]  # allauth has no types
@not_found_page
@require_safe
def download_certificate(request: HttpRequest, certificate: UUID) -> HttpResponse:
    """Send a certificate that holds as a signed file; one that does not: 404."""
    report = load_certificate(certificate=certificate, viewer=request.user)
    if report.document is None:
        raise NotFound
    name = f'attachment; filename="certificate-{report.uuid}.json"'
    return JsonResponse(
        report.document,
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": name, "X-Robots-Tag": NOT_LISTED},
    )


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def choose_certificate(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Let the owner of a pass make its certificate, choose what it shows, or withdraw it."""
    learner, now = current_user(request), clock.now()
    existing = find_own_certificate(attempt=attempt, learner=learner)
    if existing is None and not can_be_certified(attempt=attempt, learner=learner, now=now):
        raise NotFound
    if request.method == "POST" and "withdraw" in request.POST:
        withdraw_certificate(attempt=attempt, learner=learner, now=now)
        messages.success(request, gettext("The certificate is withdrawn."))
        return redirect("result", attempt)
    is_sent = request.method == "POST"
    form = CertificateForm(request.POST if is_sent else None, initial=_read_choices(existing))
    error = ""
    if is_sent and form.is_valid():
        try:
            row, is_new = save_certificate(
                attempt=attempt, learner=learner, now=now, **form.cleaned_data
            )
        except Refused as refused:
            error = describe_certificate_refusal(refused.code)
        else:
            done = gettext("Here is your certificate.") if is_new else gettext("Saved.")
            messages.success(request, done)
            return redirect("certificate", row.uuid)
    context = {
        "form": form,
        "error": error,
        "attempt_id": attempt,
        "certificate": existing,
        "name": learner.name,
    }
    status = 409 if error else 200
    return render(request, "quizzes/pages/choose_certificate.html", context, status=status)


def _read_choices(row: Certificate | None) -> dict[str, Any]:
    if row is None:
        return {}
    return {
        "shows_name": bool(row.name),
        "shows_score": row.shows_score,
        "is_public": row.is_public,
    }


def _build_sheet(
    report: CertificateReport, content: CertificateContent, request: HttpRequest
) -> CertificateSheet:
    """Return what the sheet says, in the language of the page."""
    score, lang = report.score, request.LANGUAGE_CODE
    title, title_lang = choose_text(content.title, lang, report.source_language)
    return CertificateSheet(
        name=content.name,
        quiz_title=title,
        lang=title_lang,
        quiz_version=content.quiz_version,
        score=format_score(score.total, score.maximum, score.percent) if score else "",
        pass_mark=format_percent(content.pass_mark),
        submitted_at=content.submitted_at,
        issued_at=content.issued_at,
        file_url=reverse("certificate_file", args=[report.uuid]),
    )


def _find_attempt(report: CertificateReport) -> UUID | None:
    """Return the attempt, for its owner alone: its number is nobody else's business."""
    return report.attempt if report.is_own else None
