"""Leaves attempts behind: `python -m tests.faults.overdue [SECONDS [STEP]]`.

Everybody in the database began a while ago, had one minute, answered one question and never came
back. The first cut-off comes in SECONDS (by default it has passed), each next one STEP later.
Prints how many they are.
"""

import argparse
import json
import os
from datetime import timedelta
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from accounts.models import User
from quizzes.attempts import services
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz

TIME = timedelta(minutes=1, seconds=10)
"""From the start to the cut-off: the time limit and the grace."""


def leave(learner: User, quiz: Quiz, began) -> None:
    """Start, answer one question, and never come back."""
    attempt = services.start(quiz=quiz.uuid, learner=learner, now=began)
    chosen = {"chosen": attempt.manifest["slots"][0]["order"][:1]}
    save_responses(
        attempt=attempt.uuid,
        learner=learner,
        inputs=[ResponseInput(slot=0, raw=chosen, idempotency_key=uuid4())],
        language="es",
        now=began + timedelta(seconds=1),
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", type=float, nargs="?", default=-240.0)
    parser.add_argument("step", type=float, nargs="?", default=0.0)
    options = parser.parse_args()
    quiz = Quiz.objects.get()
    quiz.time_limit, quiz.window_attempts = 1, None
    quiz.save()
    began = clock.now() + timedelta(seconds=options.seconds) - TIME
    publishing.publish(quiz=quiz, by=None, now=began - timedelta(hours=1))
    learners = User.objects.filter(email__startswith="bench").order_by("pk")
    for number, learner in enumerate(learners):
        leave(learner, quiz, began + timedelta(seconds=number * options.step))
    print(json.dumps(len(learners)))


if __name__ == "__main__":
    main()
