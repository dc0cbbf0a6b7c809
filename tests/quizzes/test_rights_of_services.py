"""Each service that writes asks itself who may: learners, classes, editors, administrators."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction

from accounts.login_throttle import unlock
from accounts.models import Membership, Role, User
from accounts.second_factors import remove_second_factors
from accounts.services import add_to_group
from quizzes.bank import bulk, services, sharing, uploads, waivers
from quizzes.bank.models import Bank, BankRight, BankShare, Media, Question
from quizzes.document import QuestionDocument
from quizzes.lib.errors import NotFound
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.media_files import png
from tests.users import Users, create_user

pytestmark = pytest.mark.django_db

PEOPLE = ("learner", "stranger", "outsider", "editor", "instructor", "administrator")
TEACHERS = {"instructor", "administrator"}
EDITORS = {"editor", *TEACHERS}


@dataclass(frozen=True)
class Course:
    """A bank of a class, shared for editing with who teaches another, and its quiz."""

    users: Users
    editor: User
    bank: Bank
    question: Question
    quiz: Quiz

    def find_person(self, name: str) -> User:
        person: User = self.editor if name == "editor" else getattr(self.users, name)
        return person

    @property
    def document(self) -> QuestionDocument:
        return QuestionDocument.from_json(self.question.draft.data)

    @property
    def state(self) -> bulk.QuestionState:
        return bulk.QuestionState("two", self.document)


@pytest.fixture
def course(users: Users) -> Course:
    bank = create_bank(users)
    question = create_question(bank, "one")
    editor = create_user("editor")
    Membership.objects.create(user=editor, group=users.other_group, role=Role.INSTRUCTOR)
    BankShare.objects.create(bank=bank, person=editor, right=BankRight.EDIT)
    return Course(users, editor, bank, question, create_quiz(users, [question]))


def list_allowed(course: Course, call: Callable[[Course, User], Any]) -> set[str]:
    """Return whom a service serves; what it writes is undone."""
    allowed = set()
    for name in PEOPLE:
        with transaction.atomic():
            try:
                call(course, course.find_person(name))
                allowed.add(name)
            except NotFound:
                pass
            transaction.set_rollback(True)
    return allowed


def move_quiz(course: Course, by: User) -> None:
    quiz = Quiz.objects.get(pk=course.quiz.pk)
    quiz.group = course.users.other_group
    publishing.save_quiz(quiz=quiz, by=by)


def delete_new_file(course: Course, by: User) -> None:
    uploads.save_media(bank=course.bank, file=BytesIO(png()), name="a.png", by=None)
    uploads.delete_media(media=Media.objects.get(), by=by)


def waive_finding(course: Course, by: User) -> None:
    digest = course.document.digest()
    waivers.waive(question=course.question, code="no_feedback", digest=digest, by=by)


SERVICES: dict[str, tuple[Callable[[Course, User], Any], set[str]]] = {
    "update_or_create_bank": (
        lambda course, by: services.update_or_create_bank(
            slug="bank", group=None, fields={"title": {"en": "Other"}}, by=by
        ),
        EDITORS,
    ),
    "update_or_create_bank, new": (
        lambda course, by: services.update_or_create_bank(
            slug="new", group=course.users.group, fields={}, by=by
        ),
        TEACHERS,
    ),
    "add_question": (
        lambda course, by: services.add_question(
            bank=course.bank, name="two", item=course.document, by=by
        ),
        EDITORS,
    ),
    "save_draft": (
        lambda course, by: services.save_draft(
            question=course.question, item=course.document, revision=None, by=by
        ),
        EDITORS,
    ),
    "add_options": (
        lambda course, by: services.add_options(
            question=course.question,
            names={"00000000-0000-4000-8000-000000000001": "z"},
            by=by,
        ),
        EDITORS,
    ),
    "set_tags": (
        lambda course, by: services.set_tags(question=course.question, names=["x"], by=by),
        EDITORS,
    ),
    "publish": (
        lambda course, by: services.publish(question=course.question, by=by, now=NOW),
        EDITORS,
    ),
    "retire": (
        lambda course, by: services.retire(question=course.question, by=by, now=NOW),
        EDITORS,
    ),
    "update_or_create_questions": (
        lambda course, by: bulk.update_or_create_questions(
            bank=course.bank, states=[course.state], by=by, now=NOW
        ),
        EDITORS,
    ),
    "waive": (waive_finding, EDITORS),
    "revoke_waiver": (
        lambda course, by: waivers.revoke_waiver(
            question=course.question, code="no_feedback", digest="", by=by
        ),
        EDITORS,
    ),
    "save_media": (
        lambda course, by: uploads.save_media(
            bank=course.bank, file=BytesIO(png()), name="a.png", by=by
        ),
        EDITORS,
    ),
    "delete_media": (delete_new_file, EDITORS),
    "share": (
        lambda course, by: sharing.share(bank=course.bank, right=BankRight.USE, by=by),
        EDITORS,
    ),
    "publish a quiz": (
        lambda course, by: publishing.publish(quiz=course.quiz, by=by, now=NOW),
        TEACHERS,
    ),
    "retire a quiz": (
        lambda course, by: publishing.retire(quiz=course.quiz, by=by, now=NOW),
        TEACHERS,
    ),
    "save_quiz": (
        lambda course, by: publishing.save_quiz(quiz=course.quiz, by=by),
        TEACHERS,
    ),
    "save_quiz, into another class": (move_quiz, {"administrator"}),
}


SERVICES |= {
    "add_to_group": (
        lambda course, by: add_to_group(
            user=course.users.stranger, group=course.users.group, role=Role.LEARNER, by=by
        ),
        {"administrator"},
    ),
    "remove_second_factors": (
        lambda course, by: remove_second_factors(user=course.users.learner, by=by),
        {"administrator"},
    ),
    "unlock": (lambda course, by: unlock(user=course.users.learner, by=by), TEACHERS),
}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_serves_those_who_may_and_nobody_else(course: Course, name: str):
    call, expected = SERVICES[name]
    assert list_allowed(course, call) == expected
