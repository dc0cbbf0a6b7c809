"""Fills an empty database for the standard flow: ten questions, many learners, all signed in.

`python -m bench.seed LEARNERS` prints `{"quiz": slug, "sessions": [key, …]}`. `--questions` sets
their number, `--formulas` puts one into each prompt.
"""

import argparse
import json
import os
from collections.abc import Iterable
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from accounts.models import User
from bench.sessions import open_session
from quizzes.bank import services as bank
from quizzes.bank.models import Question
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz, Section, Slot

QUESTIONS, OPTIONS = 10, "abcd"
FORMULA = r" Let $\sum_{i=1}^{n} \sqrt{x_i^2 + 1} \leq \frac{a}{b}$."


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.seed")
    parser.add_argument("learners", type=int)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--formulas", action="store_true", help="a formula in each prompt")
    return parser.parse_args()


def _document(ids: dict[str, str], number: int, formula: str) -> QuestionDocument:
    prompt = f"Question {number}: which of these hold for `tf.data` on {number} devices?"
    words = {
        "prompt": prompt + formula,
        "options": {id_: f"Statement *{name}* about {number}" for name, id_ in ids.items()},
    }
    feedback = {
        "options": {id_: f"Why {name} is as it is." for name, id_ in ids.items()},
        "explanation": "Because $a^2 + b^2 = c^2$.",
    }
    return QuestionDocument(
        kind="multiple_choice",
        scoring_method="right_minus_wrong",
        content={"options": [{"id": id_, "pinned": False} for id_ in ids.values()]},
        key={"right": [ids["a"], ids["b"]]},
        words={"en": words, "es": words},
        feedback={"en": feedback, "es": feedback},
    )


def fill_bank(count: int, formula: str = "") -> list[Question]:
    """Publish so many questions in the bank `bench`."""
    target = bank.update_or_create_bank(
        slug="bench", group=None, fields={"title": {"en": "Bench"}}, by=None
    )
    questions = []
    for number in range(count):
        empty = QuestionDocument(kind="multiple_choice", scoring_method="right_minus_wrong")
        question = bank.add_question(bank=target, name=f"q{number}", item=empty, by=None)
        ids = bank.option_ids(question=question, names=OPTIONS, by=None)
        document = _document(ids, number, formula)
        bank.save_draft(question=question, item=document, revision=None, by=None)
        bank.publish(question=question, by=None, now=clock.now())
        questions.append(question)
    return questions


def publish_quiz(slug: str, questions: Iterable[Question], **fields: Any) -> Quiz:
    """Publish a quiz of these questions, without a limit of attempts."""
    title = {"en": slug.capitalize()}
    quiz = Quiz.objects.create(slug=slug, title=title, window_attempts=None, **fields)
    section = Section.objects.create(quiz=quiz)
    for position, question in enumerate(questions):
        Slot.objects.create(section=section, position=position, question=question)
    publishing.publish(quiz=quiz, by=None, now=clock.now())
    return quiz


def create_person(name: str) -> User:
    """Create a person without a password, whose address is confirmed."""
    address = f"{name.lower().replace(' ', '')}@example.org"
    return User.objects.create_user(address, name=name)


def main() -> None:
    """Make everything and print what the drivers need."""
    options = _parse_options()
    questions = fill_bank(options.questions, FORMULA if options.formulas else "")
    quiz = publish_quiz("bench", questions, audience=Audience.SIGNED_IN)
    people = (create_person(f"Bench {number}") for number in range(options.learners))
    sessions = [open_session(person) for person in people]
    print(json.dumps({"quiz": quiz.slug, "sessions": sessions}))


if __name__ == "__main__":
    main()
