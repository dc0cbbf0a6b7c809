"""An exam for browsers to be killed in: `python -m tests.faults.exams LEARNERS`.

It prints `{"people": [[email, attempt], …]}`: each learner has an attempt of twenty questions open,
and thirty cards to study.
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
from quizzes.bank.models import Bank
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz, Section, Slot
from quizzes.study import services as study
from tests.factories import choice_document
from tests.quizzes.study.helpers import create_card_question, offer
from tests.users import PASSWORD

QUESTIONS, OPTIONS, KIND = 20, "abcd", "single_choice"
CARDS = 30


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


def build_deck() -> Bank:
    """Publish cards that everybody may study."""
    target = bank.update_or_create_bank(
        slug="cards", group=None, fields={"title": {"en": "Cards"}}, by=None
    )
    for number in range(CARDS):
        create_card_question(target, f"card-{number}")
    return offer(target)


def main() -> None:
    """Make everything and print what the browsers need."""
    quiz, deck, password = build_quiz(), build_deck(), make_password(PASSWORD)
    people = []
    for number in range(int(sys.argv[1])):
        email = f"learner{number}@example.org"
        learner = User.objects.create(email=email, name=f"Learner {number}", password=password)
        attempt = attempts.start(quiz=quiz.uuid, learner=learner, now=clock.now())
        study.save_settings(learner=learner, values={"new_per_day": CARDS}, now=clock.now())
        study.add_deck(learner=learner, bank=deck.uuid, now=clock.now())
        people.append([email, str(attempt.uuid)])
    print(json.dumps({"people": people}))


if __name__ == "__main__":
    main()
