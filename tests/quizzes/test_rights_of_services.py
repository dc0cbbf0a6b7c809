"""Each service that writes asks itself who may: learners, classes, editors, administrators."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.db.models import QuerySet

from accounts import classes, invitations, join_codes, rosters
from accounts.login_throttle import unlock
from accounts.models import Invitation, Membership, Role, RosterImport, User
from accounts.second_factors import remove_second_factors
from accounts.services import add_to_group, sign_out_device, sign_out_elsewhere
from quizzes.bank import bulk, services, sharing, uploads, waivers
from quizzes.bank.models import Bank, BankRight, BankShare, Media, Question
from quizzes.document import QuestionDocument
from quizzes.imports import import_reading, jobs, selection
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.models import ImportJob, State
from quizzes.lib.errors import NotFound
from quizzes.matching.decisions import Decision, save_decisions
from quizzes.privacy import data_requests
from quizzes.privacy.person_erasure import erase_person
from quizzes.privacy.person_export import export_person
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from quizzes.results.add_accepted_answer import (
    add_accepted_answer,
    load_accepted_answer_status,
)
from quizzes.results.erasure import erase_answers
from quizzes.results.services import void
from tests.attempt_helpers import start
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.media_files import png
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import create_ready_job
from tests.short_text_factory import create_short_text
from tests.users import Users, create_user

pytestmark = pytest.mark.django_db

PEOPLE = (
    *("learner", "stranger", "outsider", "assistant"),
    *("editor", "instructor", "administrator"),
)
TEACHERS = {"instructor", "administrator"}
EDITORS = {"editor", *TEACHERS}


@dataclass(frozen=True)
class Course:
    """A bank of a class, shared for editing with who teaches another, and its quiz."""

    users: Users
    editor: User
    assistant: User
    bank: Bank
    question: Question
    quiz: Quiz

    def find_person(self, name: str) -> User:
        person: User = getattr(self if name in {"editor", "assistant"} else self.users, name)
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
    assistant = create_user("assistant")
    Membership.objects.create(user=assistant, group=users.group, role=Role.ASSISTANT)
    return Course(users, editor, assistant, bank, question, create_quiz(users, [question]))


def list_allowed(course: Course, call: Callable[[Course, User], Any]) -> set[str]:
    """Return whom a service serves; who is refused is told as of what is not there.

    What it writes is undone.
    """
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
    "option_ids": (
        lambda course, by: services.option_ids(question=course.question, names="xy", by=by),
        EDITORS,
    ),
    "record_import": (
        lambda course, by: services.record_import(
            question=course.question, item=course.document, by=by
        ),
        EDITORS,
    ),
    "merge_into": (
        lambda course, by: services.merge_into(
            question=course.question, target=course.question, by=by, now=NOW
        ),
        EDITORS,
    ),
    "save_decisions": (
        lambda course, by: save_decisions(
            bank=course.bank, decisions=[Decision("one", "en", "two", "", same=False)], by=by
        ),
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
    "sign_out_device": (
        lambda course, by: sign_out_device(user=course.users.learner, device="x", here="", by=by),
        {"learner", "administrator"},
    ),
    "sign_out_elsewhere": (
        lambda course, by: sign_out_elsewhere(user=course.users.learner, here="", by=by),
        {"learner", "administrator"},
    ),
    "unlock": (
        lambda course, by: unlock(user=course.users.learner, by=by),
        {"assistant", *TEACHERS},
    ),
}


def list_members(course: Course) -> list[UUID]:
    return [course.users.learner.uuid]


def commit_list(course: Course, by: User) -> None:
    roster = RosterImport.objects.create(
        group=course.users.group, created_by=by, created_at=NOW, people=[], role=Role.LEARNER
    )
    fingerprint = rosters.plan_roster(roster, by=by, now=NOW).fingerprint
    rosters.commit_roster(roster=roster, by=by, now=NOW, fingerprint=fingerprint)


def create_invitation(course: Course) -> Invitation:
    return invitations.invite(
        by=course.users.instructor, email="new@example.org", now=NOW, group=course.users.group
    )


SERVICES |= {
    "create_class": (
        lambda course, by: classes.create_class(name="Class C", by=by),
        {"outsider", "editor", *TEACHERS},
    ),
    "update_class": (
        lambda course, by: classes.update_class(
            group=course.users.group, name="Class C", term=None, by=by
        ),
        TEACHERS,
    ),
    "archive_class": (
        lambda course, by: classes.archive_class(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "restore_class": (
        lambda course, by: classes.restore_class(group=course.users.group, by=by),
        TEACHERS,
    ),
    "change_roles": (
        lambda course, by: classes.change_roles(
            group=course.users.group, people=list_members(course), role=Role.ASSISTANT, by=by
        ),
        TEACHERS,
    ),
    "remove_people": (
        lambda course, by: classes.remove_people(
            group=course.users.group, people=list_members(course), by=by, now=NOW
        ),
        TEACHERS,
    ),
    "create_join_code": (
        lambda course, by: join_codes.create_join_code(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "end_join_code": (
        lambda course, by: join_codes.end_join_code(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "create_roster_import": (
        lambda course, by: rosters.create_roster_import(
            group=course.users.group, by=by, now=NOW, people=()
        ),
        TEACHERS,
    ),
    "commit_roster": (commit_list, TEACHERS),
    "invite": (
        lambda course, by: invitations.invite(
            by=by, email="new@example.org", now=NOW, group=course.users.group
        ),
        TEACHERS,
    ),
    "invite, to the site": (
        lambda course, by: invitations.invite(by=by, email="new@example.org", now=NOW),
        {"administrator"},
    ),
    "send_again": (
        lambda course, by: invitations.send_again(
            by=by, invitation=create_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "withdraw": (
        lambda course, by: invitations.withdraw(
            by=by, invitations=list_new_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "send_many_again": (
        lambda course, by: invitations.send_many_again(
            by=by, invitations=list_new_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "withdraw_from_class": (
        lambda course, by: invitations.withdraw_from_class(
            group=course.users.group, by=by, now=NOW
        ),
        TEACHERS,
    ),
}


def list_new_invitation(course: Course) -> QuerySet[Invitation]:
    return Invitation.objects.filter(pk=create_invitation(course).pk)


def refuse_request(course: Course, by: User) -> None:
    request = data_requests.request_erasure(person=course.users.learner, now=NOW)
    data_requests.refuse_erasure(request=request, by=by, reason="An appeal is open.", now=NOW)


def mark_essay(course: Course, by: User) -> None:
    quiz = create_quiz(course.users, [create_essay(course.bank, "essay")], slug="essay")
    grade_essay(attempt_with_essay(quiz, course.users.learner), by)


def accept_answer(course: Course, by: User) -> None:
    question = create_short_text(course.bank)
    revision = load_accepted_answer_status(question).revision
    add_accepted_answer(
        question=question, text="Lutetia", credit=Fraction(1), by=by, revision=revision, now=NOW
    )


def void_attempt(course: Course, by: User) -> None:
    attempt = start(course.quiz, course.users.learner)
    void(attempt=attempt.uuid, by=by, reason="It was another person.", now=NOW)


SERVICES |= {
    "add_accepted_answer": (accept_answer, EDITORS),
    "grade_manually": (mark_essay, {"assistant", *TEACHERS}),
    "void": (void_attempt, TEACHERS),
    "erase_answers": (
        lambda course, by: erase_answers(
            learner=course.users.learner, by=by, reason="They asked for it.", now=NOW
        ),
        {"learner", "administrator"},
    ),
    "erase_person": (
        lambda course, by: erase_person(person=course.users.learner, by=by, now=NOW),
        {"learner", "administrator"},
    ),
    "export_person": (
        lambda course, by: export_person(
            person=course.users.learner, by=by, file=BytesIO(), now=NOW
        ),
        {"learner", "administrator"},
    ),
    "refuse_erasure": (refuse_request, {"administrator"}),
}


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_serves_those_who_may_and_nobody_else(course: Course, name: str):
    call, expected = SERVICES[name]
    assert list_allowed(course, call) == expected


@dataclass(frozen=True)
class Imports:
    """Imports into the bank of a course: one waits for a selection, one for its format."""

    ready: ImportJob
    ambiguous: ImportJob


@pytest.fixture
def imports(course: Course, store: Path) -> Imports:
    ready = create_ready_job(course.bank)
    ambiguous = ImportJob.objects.create(bank=course.bank, state=State.AMBIGUOUS, filename="a")
    return Imports(ready, ambiguous)


IMPORT_SERVICES: dict[str, Callable[[Imports, User], Any]] = {
    "create_import": lambda imports, by: jobs.create_import(
        bank=imports.ready.bank,
        data=GOOD.encode(),
        filename="a.yaml",
        format_="ochenta-bank/1",
        language="",
        by=by,
    ),
    "choose_format": lambda imports, by: jobs.choose_format(
        job=imports.ambiguous, format_="gift", by=by
    ),
    "confirm_selection": lambda imports, by: jobs.confirm_selection(
        job=imports.ready, selected=None, by=by
    ),
    "cancel": lambda imports, by: jobs.cancel(job=imports.ambiguous, by=by, now=NOW),
    "replan": lambda imports, by: import_reading.replan(job=imports.ready, by=by, now=NOW),
    "select_items": lambda imports, by: selection.select_items(
        job=imports.ready, on_page={0}, ticked=(), by=by
    ),
    "select_all": lambda imports, by: selection.select_all(
        job=imports.ready, action=ImportAction.NEW, selected=True, by=by
    ),
    "import_as_new": lambda imports, by: selection.import_as_new(
        job=imports.ready, number=0, as_new=True, by=by
    ),
    "answer_matches": lambda imports, by: selection.answer_matches(
        job=imports.ready, answers=(), by=by
    ),
    "accept_sure_matches": lambda imports, by: selection.accept_sure_matches(
        job=imports.ready, min_confidence=1, by=by
    ),
}


@pytest.mark.parametrize("name", IMPORT_SERVICES)
def test_an_import_is_run_by_who_may_change_its_bank(course: Course, imports: Imports, name: str):
    call = IMPORT_SERVICES[name]
    assert list_allowed(course, lambda _, by: call(imports, by)) == EDITORS


def test_nobody_imports_into_a_bank_that_they_are_being_asked_from(
    course: Course, imports: Imports
):
    Membership.objects.create(user=course.editor, group=course.users.group, role=Role.LEARNER)
    BankShare.objects.all().delete()
    start(course.quiz, course.editor)
    BankShare.objects.create(bank=course.bank, person=course.editor, right=BankRight.EDIT)
    with pytest.raises(NotFound):
        jobs.confirm_selection(job=imports.ready, selected=None, by=course.editor)
