"""What a person meets when something is wrong: pages with a way on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001  Django's signature
    """Say that the page was too old to be believed, and how to go on."""
    return render(request, "403.html", {"stale_form": True}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  Django's signature
    """Say that what came could not be read."""
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  Django's signature
    """Say that this is not for them."""
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  Django's signature
    """Say that there is no such page, or none for them: the two look alike."""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Say that the fault is ours."""
    return render(request, "500.html", status=500)
