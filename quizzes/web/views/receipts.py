"""Receipts: the learner's own as a file, and the page where anybody has one checked."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import is_administrator
from quizzes.attempts.access import visible_to
from quizzes.attempts.receipt_file import MAX_CHARACTERS, check_receipt, load_receipt_file
from quizzes.certificates.certificate_check import check_certificate, is_certificate
from quizzes.lib.signing_keys import load_signing_keys
from quizzes.practice.try_receipts import (
    compare_with_tries,
    load_try_receipt_file,
    visible_tries,
)
from quizzes.presentation.messages.certificates import describe_certificate_check
from quizzes.presentation.messages.receipts import describe_check
from quizzes.web.decorators import current_user, login_required_page


class ReceiptForm(forms.Form):
    """A receipt, as text or as a file."""

    file = forms.FileField(label=_("File of the receipt or certificate"), required=False)
    text = forms.CharField(
        label=_("Or its text"),
        required=False,
        max_length=MAX_CHARACTERS,
        widget=forms.Textarea(
            attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off", "class": "receipt-text"}
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Read whichever was given, the file first; neither is an error."""
        cleaned = self.cleaned_data
        file = cleaned.get("file")
        content = file.read().decode("utf-8", "replace") if file else cleaned.get("text", "")
        if not content.strip() and not self.errors:
            raise forms.ValidationError(_("Choose the receipt file, or paste its text."))
        return {**cleaned, "receipt": content.removeprefix("\ufeff")}


@login_required_page
@require_safe
def download_receipt(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Send the receipt of an attempt as a file."""
    document = load_receipt_file(attempt=attempt, viewer=current_user(request))
    return _send_file(document, f"receipt-{attempt}.json")


@login_required_page
@require_safe
def download_try_receipt(request: HttpRequest, question: UUID, number: int) -> HttpResponse:
    """Send the receipt of a try in practice as a file."""
    document = load_try_receipt_file(
        question=question, number=number, learner=current_user(request)
    )
    return _send_file(document, f"receipt-{question}-{number}.json")


def _send_file(document: dict[str, Any], name: str) -> HttpResponse:
    return JsonResponse(
        document,
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Say whether a receipt or a certificate is genuine, and whether it holds.

    Whether a receipt does is told to those who may see the attempt.
    """
    form = ReceiptForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"is_administrator": is_administrator(request.user)}
    if request.method != "POST" or not form.is_valid():
        status = 400 if request.method == "POST" else 200
        context |= {"form": form, "outcome": None, "sentences": []}
        return render(request, "quizzes/pages/check_receipt.html", context, status=status)
    text = form.cleaned_data["receipt"]
    if is_certificate(text):
        sentences = describe_certificate_check(check_certificate(text))
        context |= {"form": ReceiptForm(), "outcome": None, "sentences": sentences}
    else:
        compare_try = compare_with_tries(visible_tries(request.user))
        outcome = check_receipt(text, visible_to(request.user), compare_try)
        context |= {"form": ReceiptForm(), "outcome": outcome, "sentences": describe_check(outcome)}
    return render(request, "quizzes/pages/check_receipt.html", context)


@require_safe
def receipt_keys(_request: HttpRequest) -> HttpResponse:
    """Publish the keys that receipts are signed with, as a JWK set, at an address that stays."""
    return JsonResponse(
        load_signing_keys().to_jwks(),
        content_type="application/jwk-set+json",
        json_dumps_params={"indent": 2},
        headers={"Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*"},
    )
