"""What a person meets when something is wrong: pages with a way on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001  Django's signature
    """Say that the page was too old to be believed, and how to go on."""
    return render(request, "403.html", {"stale_form": True}, status=403)
