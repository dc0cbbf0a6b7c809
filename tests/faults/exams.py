"""An exam for browsers to be killed in: `python -m tests.faults.exams LEARNERS`.

It prints `{"people": [[email, attempt], …]}`: each learner has an attempt of twenty questions open.
"""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.contrib.auth.hashers import make_password

from accounts.models import User
from quizzes.attempts import services as attempts
from quizzes.bank import services as bank
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz, Section, Slot
from tests.factories import choice_document
from tests.users import PASSWORD

QUESTIONS, OPTIONS, KIND = 20, "abcd", "single_choice"


def build_quiz() -> Quiz:
    """Publish a quiz that everybody who is signed in may take."""
    target = bank.update_or_create_bank(
        slug="exam", group=None, fields={"title": {"en": "Exam"}}, by=None
    )
    quiz = Quiz.objects.create(
        slug="exam", title={"en": "Exam"}, audience=Audience.SIGNED_IN, window_attempts=None
    )
    section = Section.objects.create(quiz=quiz)
    for number in range(QUESTIONS):
        empty = QuestionDocument(kind=KIND, scoring_method="all_or_nothing")
        question = bank.add_question(bank=target, name=f"q{number}", item=empty, by=None)
        ids = bank.option_ids(question=question, names=OPTIONS, by=None)
        item = choice_document(ids, right="b", kind=KIND, scoring_method="", name=f"q{number}")
        bank.save_draft(question=question, item=item, revision=None, by=None)
        bank.publish(question=question, by=None, now=clock.now())
        Slot.objects.create(section=section, position=number, question=question)
    publishing.publish(quiz=quiz, by=None, now=clock.now())
    return quiz


def main() -> None:
    """Make everything and print what the browsers need."""
    quiz, password = build_quiz(), make_password(PASSWORD)
    people = []
    for number in range(int(sys.argv[1])):
        email = f"learner{number}@example.org"
        learner = User.objects.create(email=email, name=f"Learner {number}", password=password)
        attempt = attempts.start(quiz=quiz.uuid, learner=learner, now=clock.now())
        people.append([email, str(attempt.uuid)])
    print(json.dumps({"people": people}))


if __name__ == "__main__":
    main()
