"""The baseline: the least a Django request of this shape can cost.

One view behind a session, one indexed SELECT and one INSERT, over the same server and database
as the site. `python -m bench.baseline` makes its tables and prints a cookie.
"""

import json
import os
from typing import Any

import django
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.database import database

settings.configure(
    SECRET_KEY=os.environ["OCHENTA_SECRET_KEY"],
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="bench.baseline",
    DATABASES={"default": database(os.environ["OCHENTA_DATABASE_URL"])},
    INSTALLED_APPS=["django.contrib.sessions"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    SESSION_COOKIE_NAME="baseline",
    USE_TZ=True,
)
django.setup()

# These need the settings above.
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.urls import path

ROWS = 10_000


def view(request: HttpRequest) -> HttpResponse:
    """Read the session, read one row, write one row."""
    person = request.session["person"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, words FROM floor_row WHERE id = %s", [person])
        row: Any = cursor.fetchone()
        cursor.execute("INSERT INTO floor_note (row_id, words) VALUES (%s, %s)", row)
    return HttpResponse(row[1])


urlpatterns = [path("baseline", view)]
application = get_wsgi_application()


def main() -> None:
    """Make the tables, a thousandfold row and a session."""
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE floor_row (id bigint PRIMARY KEY, words text)")
        cursor.execute(
            "CREATE TABLE floor_note (id bigserial PRIMARY KEY, row_id bigint, words text)"
        )
        cursor.execute(
            "INSERT INTO floor_row SELECT n, repeat('x', 2000) FROM generate_series(1, %s) n",
            [ROWS],
        )
    session = SessionStore()
    session["person"] = 42
    session.create()
    print(json.dumps({"baseline": session.session_key}))


if __name__ == "__main__":
    main()
