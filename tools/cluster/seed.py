"""Fills the cluster: `python -m tools.cluster.seed LEARNERS ROWS`.

Prints `{"quiz": slug, "quiz_id": UUID, "sessions": [key, …], "instructor": key, "token": …}`. ROWS
are responses of others, copied, that make the journal as large as that of a school.
"""

import json
import os
import secrets
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from accounts.models import Scope, User
from accounts.services import issue_token
from bench.copied_rows import find_block, mark
from bench.growth_site import OF_A_LEARNER, QUESTIONS, extend_block, take_attempt
from bench.seed import create_person, fill_bank, publish_quiz
from bench.sessions import open_session
from quizzes.bank.models import Question
from quizzes.publishing.models import Audience

COPIED = 5
"""Learners of the block that is copied; each has an attempt with an answer to each question."""


def fill_journal(questions: list[Question], rows: int) -> None:
    """Write so many responses of others, to another quiz."""
    quiz = publish_quiz("crowd", questions, audience=Audience.SIGNED_IN)
    before = mark(OF_A_LEARNER)
    for number in range(COPIED):
        take_attempt(quiz, create_person(f"Other {number}"))
    models = [model for model, key in mark(OF_A_LEARNER).items() if key > before[model]]
    block = find_block({model: before[model] for model in models})
    extend_block(block, range(1, rows // (COPIED * QUESTIONS)))


def main(learners: int, rows: int) -> None:
    """Make everything and print what the traffic needs."""
    instructor = User.objects.create_superuser(
        "admin@example.org", secrets.token_urlsafe(), name="Instructor"
    )
    questions = fill_bank(QUESTIONS)
    fill_journal(questions, rows)
    quiz = publish_quiz("cluster", questions, audience=Audience.SIGNED_IN)
    people = [create_person(f"Learner {number}") for number in range(learners)]
    scopes = [Scope.READ, Scope.RESULTS]
    _, token = issue_token(user=instructor, name="cluster", scopes=scopes, days=1)
    description = {
        "quiz": quiz.slug,
        "quiz_id": str(quiz.uuid),
        "sessions": [open_session(person) for person in people],
        "instructor": open_session(instructor),
        "token": token,
    }
    print(json.dumps(description))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
