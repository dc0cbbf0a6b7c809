"""Is the process alive, and can it serve? For health checks; tells nothing else."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse


def alive(_request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process runs."""
    return HttpResponse("ok", content_type="text/plain")


def ready(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("no database", content_type="text/plain", status=503)
    return HttpResponse("ok", content_type="text/plain")
