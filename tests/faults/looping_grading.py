"""The site with a grader that never comes to an end with the attempt that it is given first."""

import os
import threading
from contextlib import suppress
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# These need Django to be set up.
from django.conf import settings

from quizzes.results import scoring, services

POISON = settings.DATA_DIR / "poison"
"""The id of that attempt."""
_this_thread = threading.local()
_grade, _score = services.grade, scoring._score


def grade(**arguments: Any) -> Any:
    """Grade as always, and remember which attempt it is."""
    _this_thread.attempt = str(arguments["attempt"])
    with suppress(FileExistsError), POISON.open("x") as file:
        file.write(_this_thread.attempt)
    return _grade(**arguments)


def score(*arguments: Any) -> Any:
    """Score as always, but for ever where the attempt is that one."""
    while _this_thread.attempt == POISON.read_text():
        pass
    return _score(*arguments)


vars(services)["grade"] = grade
vars(scoring)["_score"] = score
