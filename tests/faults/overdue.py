"""Leaves attempts behind whose time is over: `python -m tests.faults.overdue`.

Everybody in the database began five minutes ago, had one minute, answered one question and never
came back. Prints how many they are.
"""

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


def main() -> None:
    began = clock.now() - timedelta(minutes=5)
    quiz = Quiz.objects.get()
    quiz.time_limit = 1
    quiz.save()
    publishing.publish(quiz=quiz, by=None, now=began)
    learners = User.objects.filter(email__startswith="bench")
    for learner in learners:
        attempt = services.start(quiz=quiz.uuid, learner=learner, now=began)
        chosen = {"chosen": attempt.manifest["slots"][0]["order"][:1]}
        save_responses(
            attempt=attempt.uuid,
            learner=learner,
            inputs=[ResponseInput(slot=0, raw=chosen, idempotency_key=uuid4())],
            language="es",
            now=began + timedelta(seconds=30),
        )
    print(json.dumps(len(learners)))


if __name__ == "__main__":
    main()
