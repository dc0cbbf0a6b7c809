"""The site with a grader that takes its time, so that it can be killed in the middle."""

import os
import time
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# These need Django to be set up.
from quizzes.results import scoring, services


def score(*arguments: Any) -> Any:
    """Grade as always, but not at once."""
    time.sleep(0.5)
    return scoring.score_attempt(*arguments)


vars(services)["score_attempt"] = score
