"""Questions and quizzes to test with, made through the same services that authors use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from quizzes.attempts.models import Assignment
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, BankShare, Question
from quizzes.document import QuestionDocument
from quizzes.publishing import services as publishing_services
from quizzes.publishing.models import Quiz, Section, Slot
from tests.users import Users

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def create_bank(users: Users, slug: str = "bank") -> Bank:
    return bank_services.update_or_create_bank(
        slug=slug, group=users.group, fields={"title": {"en": "Bank", "es": "Banco"}}, by=None
    )


def share_with_everyone(bank: Bank) -> Bank:
    """Take a bank out of its class, and share it with everyone who teaches."""
    Bank.objects.filter(pk=bank.pk).update(group=None, owner=None)
    BankShare.objects.create(bank=bank)
    bank.refresh_from_db()
    return bank


def create_question(
    into: Bank,
    name: str,
    right: str = "ab",
    options: str = "abcd",
    kind: str = "multiple_choice",
    scoring_method: str = "",
    **content: Any,
) -> Question:
    """Publish a question; each letter of `options` is one, those in `right` are right."""
    item = QuestionDocument(kind=kind, scoring_method=scoring_method or "all_or_nothing")
    question = bank_services.add_question(bank=into, name=name, item=item, by=None)
    ids = bank_services.option_ids(question=question, names=options, by=None)
    item = choice_document(
        ids, right=right, kind=kind, scoring_method=scoring_method, name=name, **content
    )
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def choice_document(
    ids: Mapping[str, str], *, right: str, kind: str, scoring_method: str, name: str, **content: Any
) -> QuestionDocument:
    default = "right_minus_wrong" if kind == "multiple_choice" else "all_or_nothing"
    values = {"value": True}, {"value": False}
    return QuestionDocument(
        kind=kind,
        scoring_method=scoring_method or default,
        content={
            "options": [
                {"id": id_, "pinned": False, **(values[n] if kind == "true_false" else {})}
                for n, id_ in enumerate(ids.values())
            ],
            "none_apply": False,
            "shuffle": kind != "true_false",
            **content,
        },
        key={"right": [ids[letter] for letter in right]},
        words={
            language: {
                "prompt": f"{word} {name}?",
                "options": {id_: f"{option} {letter}" for letter, id_ in ids.items()},
            }
            for language, word, option in (
                ("en", "Question", "Option"),
                ("es", "¿Pregunta", "Opción"),
            )
        },
        feedback={
            language: {
                "options": {id_: f"{text} {letter} {name}" for letter, id_ in ids.items()},
                "explanation": f"{because} {name}",
            }
            for language, text, because in (
                ("en", "Feedback", "Because"),
                ("es", "Aviso", "Porque"),
            )
        },
    )


def publish_change(question: Question, **content: Any) -> Question:
    """Publish a next version with another content; `key` and `feedback` may be given too."""
    item = QuestionDocument.from_json(question.draft.data)
    parts = {part: content.pop(part) for part in ("key", "words", "feedback") if part in content}
    item = replace(item, **parts, content={**item.content, **content})
    bank_services.save_draft(question=question, item=item, revision=None, by=None)
    bank_services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def create_quiz(
    users: Users, questions: Sequence[Question], slug: str = "quiz", points: Any = 1, **fields: Any
) -> Quiz:
    """Publish a quiz of these questions and assign it to the class."""
    quiz = Quiz.objects.create(
        slug=slug, title={"en": "A quiz", "es": "Un examen"}, group=users.group, **fields
    )
    section = Section.objects.create(quiz=quiz)
    for position, question in enumerate(questions):
        Slot.objects.create(section=section, position=position, question=question, points=points)
    publishing_services.publish(quiz=quiz, by=None, now=NOW)
    Assignment.objects.create(quiz=quiz, group=users.group)
    quiz.refresh_from_db()
    return quiz


def open_to_anyone(quiz: Quiz) -> Quiz:
    """Give a quiz to no class, and let guests take it."""
    quiz.assignments.all().delete()
    Quiz.objects.filter(pk=quiz.pk).update(audience="anyone")
    quiz.refresh_from_db()
    return quiz


def option_ids(question: Question, *letters: str) -> list[str]:
    """The ids of these options."""
    return [str(question.options.get(name=letter).uuid) for letter in letters]


@pytest.fixture
def into(users: Users) -> Bank:
    """An empty bank of the instructor's group."""
    return create_bank(users)


@pytest.fixture
def questions(users: Users) -> list[Question]:
    into = create_bank(users)
    return [
        create_question(into, "many", right="abc", options="abcde"),
        create_question(into, "single", right="b", kind="single_choice"),
        create_question(into, "truth", right="b", options="ab", kind="true_false"),
    ]


@pytest.fixture
def a_quiz(users: Users, questions: list[Question]) -> Quiz:
    return create_quiz(users, questions)
