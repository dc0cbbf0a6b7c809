"""Each service that writes asks itself who may: learners, classes, editors, administrators."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, timedelta
from decimal import Decimal
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
from accounts.models import Invitation, Membership, Role, RosterImport, Term, User
from accounts.people import save_person
from accounts.second_factors import remove_second_factors
from accounts.services import (
    add_to_group,
    remove_from_group,
    sign_out_device,
    sign_out_elsewhere,
)
from quizzes.attempts import reopening
from quizzes.attempts import services as attempts
from quizzes.attempts.deadline_extension import extend_by_minutes
from quizzes.attempts.deadline_settings import (
    save_accommodation,
    save_assignment,
    save_quiz_settings,
    save_standing_accommodation,
)
from quizzes.attempts.instructor_messages import send_message
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    StandingAccommodation,
)
from quizzes.attempts.pauses import pause_attempts, pause_quiz, resume_attempts
from quizzes.attempts.quiz_composition import save_composition
from quizzes.attempts.quiz_copies import copy_quiz
from quizzes.bank import bulk, services, sharing, uploads, waivers
from quizzes.bank.bulk_changes import BulkAction, BulkChange, change_questions
from quizzes.bank.models import (
    Bank,
    BankRight,
    BankShare,
    Media,
    Question,
    QuestionVersion,
)
from quizzes.bank.question_copies import copy_question
from quizzes.challenges.services import answer_challenges, challenge_question
from quizzes.course_grades.models import MissingPolicy
from quizzes.course_grades.services import CategoryInput, save_grade_scheme
from quizzes.document import QuestionDocument
from quizzes.imports import import_reading, importer, jobs, selection
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.models import ImportJob, State
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import NotFound
from quizzes.lib.row_writers import DIRECT
from quizzes.matching.decisions import Decision, save_decisions
from quizzes.matching.merge import merge_questions, reject_match
from quizzes.notifications.models import (
    Notification,
    NotificationKind,
    NotificationState,
)
from quizzes.notifications.services import send_again
from quizzes.privacy import data_requests
from quizzes.privacy.legal_holds import end_hold, save_hold
from quizzes.privacy.models import LegalHold
from quizzes.privacy.person_erasure import erase_person
from quizzes.privacy.person_export import export_person
from quizzes.publishing import services as publishing
from quizzes.publishing.composition import load_composition
from quizzes.publishing.models import Audience, Quiz
from quizzes.results.add_accepted_answer import (
    add_accepted_answer,
    load_accepted_answer_status,
)
from quizzes.results.erasure import erase_answers
from quizzes.results.group_override import AnswerToOverride, override_scores
from quizzes.results.manual_grading import (
    comment_on_answer,
    grade_manually,
    override_score,
    override_total,
)
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import commit_regrade
from quizzes.results.reopening import reopen_attempt
from quizzes.results.services import void
from quizzes.results.typed_answer_credit import credit_typed_answers, withdraw_credit
from quizzes.study.models import StudyOffer
from quizzes.study.offers import offer_deck, withdraw_deck
from tests.attempt_helpers import start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay, levels
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.media_files import png
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import create_ready_job
from tests.short_text_factory import attempt_with_text, create_short_text
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


def _answer_typed(course: Course) -> Question:
    """Return a question to which a learner has typed a wrong answer."""
    question = create_short_text(course.bank, "typed")
    quiz = create_quiz(course.users, [question], slug="typed")
    attempt_with_text(quiz, course.users.learner, "Rome")
    return question


def _credit_typed_answer(course: Course, by: User) -> Question:
    question = _answer_typed(course)
    credit_typed_answers(
        question=question,
        text="Rome",
        share=Fraction(1, 2),
        reason="one, too",
        by=by,
        seen=1,
        now=NOW,
    )
    return question


def _give_and_withdraw_credit(course: Course, by: User) -> None:
    question = _credit_typed_answer(course, by)
    withdraw_credit(question=question, by=by, given_at=NOW, reason="none", now=NOW)


def waive_finding(course: Course, by: User) -> None:
    digest = course.document.digest()
    waivers.waive(question=course.question, code="no_feedback", digest=digest, by=by)


SERVICES: dict[str, tuple[Callable[[Course, User], Any], set[str]]] = {
    "quizzes.bank.services.update_or_create_bank": (
        lambda course, by: services.update_or_create_bank(
            slug="bank", group=None, fields={"title": {"en": "Other"}}, by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.services.update_or_create_bank, new": (
        lambda course, by: services.update_or_create_bank(
            slug="new", group=course.users.group, fields={}, by=by
        ),
        TEACHERS,
    ),
    "quizzes.bank.services.add_question": (
        lambda course, by: services.add_question(
            bank=course.bank, name="two", item=course.document, by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.question_copies.copy_question": (
        lambda course, by: copy_question(question=course.question, name="copied", by=by),
        EDITORS,
    ),
    "quizzes.bank.services.rename_question": (
        lambda course, by: services.rename_question(
            question=course.question, name="renamed", by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.services.save_draft": (
        lambda course, by: services.save_draft(
            question=course.question, item=course.document, revision=None, by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.services.write_question": (
        lambda course, by: services.write_question(
            question=course.question,
            item=course.document,
            row_names={},
            tags=["x"],
            revision=None,
            by=by,
        ),
        EDITORS,
    ),
    "quizzes.bank.services.add_options": (
        lambda course, by: services.add_options(
            question=course.question,
            names={"00000000-0000-4000-8000-000000000001": "z"},
            by=by,
        ),
        EDITORS,
    ),
    "quizzes.bank.services.set_tags": (
        lambda course, by: services.set_tags(question=course.question, names=["x"], by=by),
        EDITORS,
    ),
    "quizzes.bank.services.option_ids": (
        lambda course, by: services.option_ids(question=course.question, names="xy", by=by),
        EDITORS,
    ),
    "quizzes.bank.services.record_import": (
        lambda course, by: services.record_import(
            question=course.question, item=course.document, by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.services.merge_into": (
        lambda course, by: services.merge_into(
            question=course.question, target=course.question, by=by, now=NOW
        ),
        EDITORS,
    ),
    "quizzes.matching.decisions.save_decisions": (
        lambda course, by: save_decisions(
            bank=course.bank, decisions=[Decision("one", "en", "two", "", same=False)], by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.services.publish": (
        lambda course, by: services.publish(question=course.question, by=by, now=NOW),
        EDITORS,
    ),
    "quizzes.bank.services.retire": (
        lambda course, by: services.retire(question=course.question, by=by, now=NOW),
        EDITORS,
    ),
    "quizzes.bank.bulk.update_or_create_questions": (
        lambda course, by: bulk.update_or_create_questions(
            bank=course.bank, states=[course.state], by=by, now=NOW
        ),
        EDITORS,
    ),
    "quizzes.bank.waivers.waive": (waive_finding, EDITORS),
    "quizzes.bank.waivers.revoke_waiver": (
        lambda course, by: waivers.revoke_waiver(
            question=course.question, code="no_feedback", digest="", by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.uploads.save_media": (
        lambda course, by: uploads.save_media(
            bank=course.bank, file=BytesIO(png()), name="a.png", by=by
        ),
        EDITORS,
    ),
    "quizzes.bank.uploads.delete_media": (delete_new_file, EDITORS),
    "quizzes.bank.sharing.share": (
        lambda course, by: sharing.share(bank=course.bank, right=BankRight.USE, by=by),
        EDITORS,
    ),
    "quizzes.publishing.services.publish": (
        lambda course, by: publishing.publish(quiz=course.quiz, by=by, now=NOW),
        TEACHERS,
    ),
    "quizzes.publishing.services.retire": (
        lambda course, by: publishing.retire(quiz=course.quiz, by=by, now=NOW),
        TEACHERS,
    ),
    "quizzes.bank.bulk_changes.change_questions": (
        lambda course, by: change_questions(
            change=BulkChange(BulkAction.MOVE, bank=course.bank), questions=[], by=by, now=NOW
        ),
        EDITORS,
    ),
    "quizzes.attempts.quiz_composition.save_composition": (
        lambda course, by: save_composition(
            quiz=course.quiz, sections=load_composition(course.quiz), digest=None, by=by
        ),
        TEACHERS,
    ),
    "quizzes.attempts.quiz_copies.copy_quiz": (
        lambda course, by: copy_quiz(
            quiz=course.quiz,
            slug="copy",
            group=course.quiz.group,
            days=0,
            zone=UTC,
            groups_by_assignment={},
            by=by,
            now=NOW,
        ),
        TEACHERS,
    ),
    "quizzes.publishing.services.save_quiz": (
        lambda course, by: publishing.save_quiz(quiz=course.quiz, by=by),
        TEACHERS,
    ),
    "quizzes.publishing.services.save_quiz, into another class": (move_quiz, {"administrator"}),
    "quizzes.results.typed_answer_credit.credit_typed_answers": (
        _credit_typed_answer,
        {"assistant", *TEACHERS},
    ),
    "quizzes.results.typed_answer_credit.withdraw_credit": (
        _give_and_withdraw_credit,
        {"assistant", *TEACHERS},
    ),
    "quizzes.course_grades.services.save_grade_scheme": (
        lambda course, by: save_grade_scheme(
            group=course.users.group,
            categories=[CategoryInput("All", Decimal(100), [course.quiz])],
            missing=MissingPolicy.ZERO,
            pass_percent=Decimal(80),
            is_published=True,
            by=by,
        ),
        TEACHERS,
    ),
}


SERVICES |= {
    "accounts.services.add_to_group": (
        lambda course, by: add_to_group(
            user=course.users.stranger, group=course.users.group, role=Role.LEARNER, by=by
        ),
        {"administrator"},
    ),
    "accounts.second_factors.remove_second_factors": (
        lambda course, by: remove_second_factors(user=course.users.learner, by=by),
        {"administrator"},
    ),
    "accounts.services.sign_out_device": (
        lambda course, by: sign_out_device(user=course.users.learner, device="x", here="", by=by),
        {"learner", "administrator"},
    ),
    "accounts.services.sign_out_elsewhere": (
        lambda course, by: sign_out_elsewhere(user=course.users.learner, here="", by=by),
        {"learner", "administrator"},
    ),
    "accounts.login_throttle.unlock": (
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
    "accounts.classes.create_class": (
        lambda course, by: classes.create_class(name="Class C", by=by),
        {"outsider", "editor", *TEACHERS},
    ),
    "accounts.classes.update_class": (
        lambda course, by: classes.update_class(
            group=course.users.group, name="Class C", term=None, by=by
        ),
        TEACHERS,
    ),
    "accounts.classes.archive_class": (
        lambda course, by: classes.archive_class(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "accounts.classes.restore_class": (
        lambda course, by: classes.restore_class(group=course.users.group, by=by),
        TEACHERS,
    ),
    "accounts.classes.change_roles": (
        lambda course, by: classes.change_roles(
            group=course.users.group, people=list_members(course), role=Role.ASSISTANT, by=by
        ),
        TEACHERS,
    ),
    "accounts.classes.remove_people": (
        lambda course, by: classes.remove_people(
            group=course.users.group, people=list_members(course), by=by, now=NOW
        ),
        TEACHERS,
    ),
    "accounts.join_codes.create_join_code": (
        lambda course, by: join_codes.create_join_code(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "accounts.join_codes.end_join_code": (
        lambda course, by: join_codes.end_join_code(group=course.users.group, by=by, now=NOW),
        TEACHERS,
    ),
    "accounts.rosters.create_roster_import": (
        lambda course, by: rosters.create_roster_import(
            group=course.users.group, by=by, now=NOW, people=()
        ),
        TEACHERS,
    ),
    "accounts.rosters.commit_roster": (commit_list, TEACHERS),
    "accounts.invitations.invite": (
        lambda course, by: invitations.invite(
            by=by, email="new@example.org", now=NOW, group=course.users.group
        ),
        TEACHERS,
    ),
    "accounts.invitations.invite, to the site": (
        lambda course, by: invitations.invite(by=by, email="new@example.org", now=NOW),
        {"administrator"},
    ),
    "accounts.invitations.invite_many": (
        lambda course, by: invitations.invite_many(
            by=by,
            people=[invitations.InvitedPerson("new@example.org")],
            now=NOW,
            group=course.users.group,
        ),
        TEACHERS,
    ),
    "accounts.invitations.send_again": (
        lambda course, by: invitations.send_again(
            by=by, invitation=create_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "accounts.invitations.withdraw": (
        lambda course, by: invitations.withdraw(
            by=by, invitations=list_new_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "accounts.invitations.send_many_again": (
        lambda course, by: invitations.send_many_again(
            by=by, invitations=list_new_invitation(course), now=NOW
        ),
        TEACHERS,
    ),
    "accounts.invitations.withdraw_from_class": (
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


def replace_total(course: Course, by: User) -> None:
    override_total(
        attempt=take_quiz(course.quiz, course.users.learner, {0: "b"}).uuid,
        share=Fraction(1, 2),
        reason="Two days late",
        by=by,
        now=NOW,
    )


def comment(course: Course, by: User) -> None:
    attempt = take_quiz(course.quiz, course.users.learner, {0: "b"})
    comment_on_answer(attempt=attempt.uuid, slot=0, comment="Look again", by=by, now=NOW)


def replace_score(course: Course, by: User) -> None:
    override_score(
        attempt=take_quiz(course.quiz, course.users.learner, {0: "b"}).uuid,
        slot=0,
        share=Fraction(1),
        reason="An unclear option",
        by=by,
        now=NOW,
    )


def replace_scores(course: Course, by: User) -> None:
    attempt = take_quiz(course.quiz, course.users.learner, {0: "b"})
    refused = override_scores(
        answers=[AnswerToOverride(attempt.uuid, 0)],
        share=Fraction(1),
        reason="An unclear option",
        by=by,
        now=NOW,
    )
    if refused:
        raise NotFound(refused[attempt.uuid])


def mark_essay(course: Course, by: User) -> None:
    quiz = create_quiz(course.users, [create_essay(course.bank, "essay")], slug="essay")
    attempt = attempt_with_essay(quiz, course.users.learner)
    grade_manually(attempt=attempt.uuid, slot=0, by=by, levels=levels(2, 1), now=NOW)


def accept_answer(course: Course, by: User) -> None:
    question = create_short_text(course.bank)
    revision = load_accepted_answer_status(question).revision
    add_accepted_answer(
        question=question, text="Lutetia", credit=Fraction(1), by=by, revision=revision, now=NOW
    )


def void_attempt(course: Course, by: User) -> None:
    attempt = start(course.quiz, course.users.learner)
    void(attempt=attempt.uuid, by=by, reason="It was another person.", now=NOW)


def regrade_quiz(course: Course, by: User) -> None:
    take_quiz(course.quiz, course.users.learner, {0: "b"})
    question = publish_change(course.question, key={"right": option_ids(course.question, "b")})
    commit_regrade(
        quiz=course.quiz,
        question=question,
        version=QuestionVersion.objects.get(question=question, number=2).uuid,
        policy=RegradePolicy.KEEP_BETTER,
        reason="The key was wrong.",
        by=by,
        now=NOW,
    )


def extend_attempt(course: Course, by: User) -> None:
    attempt = start(course.quiz, course.users.learner)
    chosen = Attempt.objects.filter(pk=attempt.pk)
    extend_by_minutes(attempts=chosen, minutes=10, reason="Fire alarm", by=by, now=NOW)


def pause_attempt(course: Course, by: User) -> None:
    attempt = start(course.quiz, course.users.learner)
    chosen = Attempt.objects.filter(pk=attempt.pk)
    pause_attempts(attempts=chosen, minutes=10, reason="Fire alarm", by=by, now=NOW)


def pause_everybody(course: Course, by: User) -> None:
    pause_quiz(quiz=course.quiz, minutes=10, reason="Fire alarm", by=by, now=NOW)


def resume_attempt(course: Course, by: User) -> None:
    pause_attempt(course, course.users.instructor)
    resume_attempts(attempts=Attempt.objects.all(), by=by, now=NOW)


def reopen(course: Course, by: User) -> None:
    attempt = take_quiz(course.quiz, course.users.learner)
    reopening.reopen_attempt(attempt=attempt.uuid, minutes=9, reason="Fire alarm", by=by, now=NOW)


def reopen_with_grade(course: Course, by: User) -> None:
    attempt = take_quiz(course.quiz, course.users.learner)
    reopen_attempt(attempt=attempt.uuid, minutes=9, reason="Fire alarm", by=by, now=NOW)


def write_to_learner(course: Course, by: User) -> None:
    attempt = start(course.quiz, course.users.learner)
    send_message(attempts=Attempt.objects.filter(pk=attempt.pk), text="Hello", by=by, now=NOW)


def answer_challenge(course: Course, by: User) -> None:
    attempt = take_quiz(course.quiz, course.users.learner)
    row = challenge_question(
        attempt=attempt.uuid,
        slot=0,
        learner=course.users.learner,
        reason="key",
        comment="Why not b?",
        language="en",
        now=NOW,
    )
    answer_challenges(challenges=[row.uuid], by=by, verdict="declined", answer="No.", now=NOW)


def retry_notification(course: Course, by: User) -> None:
    row = Notification.objects.create(
        recipient=course.users.learner,
        kind=NotificationKind.GRADED,
        cause="event",
        quiz=course.quiz,
        state=NotificationState.QUARANTINED,
        next_try_at=NOW,
    )
    send_again(notifications=[row.uuid], by=by, now=NOW)


SERVICES |= {
    "quizzes.notifications.services.send_again": (retry_notification, {"assistant", *TEACHERS}),
    "quizzes.challenges.services.answer_challenges": (answer_challenge, {"assistant", *TEACHERS}),
    "quizzes.results.add_accepted_answer.add_accepted_answer": (accept_answer, EDITORS),
    "quizzes.results.manual_grading.grade_manually": (mark_essay, {"assistant", *TEACHERS}),
    "quizzes.results.manual_grading.override_score": (replace_score, {"assistant", *TEACHERS}),
    "quizzes.results.group_override.override_scores": (
        replace_scores,
        {"assistant", *TEACHERS},
    ),
    "quizzes.results.manual_grading.override_total": (replace_total, {"assistant", *TEACHERS}),
    "quizzes.results.manual_grading.comment_on_answer": (comment, {"assistant", *TEACHERS}),
    "quizzes.results.regrading.commit_regrade": (regrade_quiz, TEACHERS),
    "quizzes.results.services.void": (void_attempt, TEACHERS),
    "quizzes.results.erasure.erase_answers": (
        lambda course, by: erase_answers(
            learner=course.users.learner, by=by, reason="They asked for it.", now=NOW
        ),
        {"learner", "administrator"},
    ),
    "quizzes.privacy.person_erasure.erase_person": (
        lambda course, by: erase_person(person=course.users.learner, by=by, now=NOW),
        {"learner", "administrator"},
    ),
    "quizzes.privacy.person_export.export_person": (
        lambda course, by: export_person(
            person=course.users.learner, by=by, file=BytesIO(), now=NOW
        ),
        {"learner", "administrator"},
    ),
    "quizzes.privacy.data_requests.refuse_erasure": (refuse_request, {"administrator"}),
}


def assign(course: Course, by: User) -> int:
    quiz = create_quiz(course.users, [course.question], slug="new")
    Assignment.objects.filter(quiz=quiz).delete()
    assignment = Assignment(quiz=quiz, group=course.users.group)
    return save_assignment(assignment=assignment, by=by, now=NOW)


def assign_foreign_quiz(course: Course, by: User) -> int:
    """Give a quiz of another class to one's own: it has to be a quiz that one may read."""
    assignment = Assignment(quiz=course.quiz, group=course.users.other_group)
    return save_assignment(assignment=assignment, by=by, now=NOW)


def take_assignment(course: Course, by: User) -> int:
    """Make the assignment of another class one of one's own."""
    assignment = Assignment.objects.get(quiz=course.quiz)
    assignment.group = course.users.other_group
    return save_assignment(assignment=assignment, by=by, now=NOW)


def accommodate(course: Course, by: User) -> int:
    accommodation = Accommodation(quiz=course.quiz, learner=course.users.learner, time_percent=150)
    return save_accommodation(accommodation=accommodation, by=by, now=NOW)


def accommodate_on_shared_quiz(course: Course, by: User) -> int:
    """Give more time on a quiz of no class that everybody may take: nobody was assigned it."""
    Assignment.objects.filter(quiz=course.quiz).delete()
    Quiz.objects.filter(pk=course.quiz.pk).update(group=None, audience=Audience.SIGNED_IN)
    quiz = Quiz.objects.get(pk=course.quiz.pk)
    accommodation = Accommodation(quiz=quiz, learner=course.users.learner, time_percent=150)
    return save_accommodation(accommodation=accommodation, by=by, now=NOW)


def take_accommodation(course: Course, by: User) -> int:
    """Make the accommodation of a learner of another class one of one's own learners."""
    accommodate(course, course.users.administrator)
    accommodation = Accommodation.objects.get()
    mine = create_user("mine")
    Membership.objects.create(user=mine, group=course.users.other_group, role=Role.LEARNER)
    accommodation.learner = mine
    return save_accommodation(accommodation=accommodation, by=by, now=NOW)


def save_standing(course: Course, by: User) -> None:
    row = StandingAccommodation(learner=course.users.learner, time_percent=125)
    save_standing_accommodation(accommodation=row, by=by, now=NOW)


def save_settings(course: Course, by: User) -> int:
    quiz = Quiz.objects.get(pk=course.quiz.pk)
    quiz.time_limit = 30
    return save_quiz_settings(quiz=quiz, by=by, now=NOW)


SERVICES |= {
    "quizzes.attempts.deadline_settings.save_assignment": (assign, TEACHERS),
    "quizzes.attempts.deadline_settings.save_assignment, of a foreign quiz": (
        assign_foreign_quiz,
        {"administrator"},
    ),
    "quizzes.attempts.deadline_settings.save_assignment, taken over": (
        take_assignment,
        {"administrator"},
    ),
    "quizzes.attempts.deadline_settings.save_accommodation": (accommodate, TEACHERS),
    "quizzes.attempts.deadline_settings.save_accommodation, shared quiz": (
        accommodate_on_shared_quiz,
        TEACHERS,
    ),
    "quizzes.attempts.deadline_settings.save_accommodation, taken over": (
        take_accommodation,
        {"administrator"},
    ),
    "quizzes.attempts.deadline_settings.save_standing_accommodation": (save_standing, TEACHERS),
    "quizzes.attempts.deadline_settings.save_quiz_settings": (save_settings, TEACHERS),
    "quizzes.attempts.deadline_extension.extend_by_minutes": (extend_attempt, TEACHERS),
    "quizzes.attempts.pauses.pause_attempts": (pause_attempt, TEACHERS),
    "quizzes.attempts.pauses.pause_quiz": (pause_everybody, TEACHERS),
    "quizzes.attempts.pauses.resume_attempts": (resume_attempt, TEACHERS),
    "quizzes.attempts.reopening.reopen_attempt": (reopen, TEACHERS),
    "quizzes.results.reopening.reopen_attempt": (reopen_with_grade, TEACHERS),
    "quizzes.attempts.instructor_messages.send_message": (write_to_learner, TEACHERS),
    "quizzes.attempts.services.void": (
        lambda course, by: attempts.void(
            attempt=start(course.quiz, course.users.learner).uuid, by=by, reason="Ill.", now=NOW
        ),
        TEACHERS,
    ),
}


def rename_bank(course: Course, by: User) -> None:
    bank = Bank.objects.get(pk=course.bank.pk)
    bank.title = {"en": "Other"}
    services.save_bank(bank=bank, by=by)


def give_bank_to_class(course: Course, by: User) -> None:
    """The class of a bank decides who edits it: an editor takes it away from no class."""
    bank = Bank.objects.get(pk=course.bank.pk)
    bank.group = course.users.other_group
    services.save_bank(bank=bank, by=by)


def save_new_bank(course: Course, by: User) -> None:
    services.save_bank(bank=Bank(slug="new", title={"en": "New"}, group=course.users.group), by=by)


def merge(course: Course, by: User) -> None:
    """Take the texts of a question in French into the other one, option by option."""
    french = create_question(course.bank, "two")
    document = QuestionDocument.from_json(french.draft.data).to_json()
    document["words"], document["source_language"] = {"fr": document["words"]["en"]}, "fr"
    item = QuestionDocument.from_json(document)
    services.save_draft(question=french, item=item, revision=None, by=None)
    ids = zip(
        french.options.order_by("name"), course.question.options.order_by("name"), strict=True
    )
    merge_questions(
        bank=course.bank,
        keep="one",
        absorb="two",
        ids={str(left.uuid): str(right.uuid) for left, right in ids},
        revisions=(2, 3),
        by=by,
        now=NOW,
    )


def keep_apart(course: Course, by: User) -> None:
    create_question(course.bank, "two")
    reject_match(bank=course.bank, first="one", second="two", by=by)


def stop(course: Course, by: User) -> None:
    bank_share = BankShare.objects.create(bank=course.bank, right=BankRight.USE)
    sharing.stop_sharing(bank=course.bank, share_id=bank_share.uuid, by=by)


def withdraw(course: Course, by: User) -> None:
    StudyOffer.objects.create(bank=course.bank)
    withdraw_deck(bank=course.bank, group=None, by=by)


SERVICES |= {
    "quizzes.bank.services.save_bank": (rename_bank, EDITORS),
    "quizzes.bank.services.save_bank, new": (save_new_bank, TEACHERS),
    "quizzes.bank.services.save_bank, to a class": (give_bank_to_class, {"administrator"}),
    "quizzes.bank.sharing.stop_sharing": (stop, EDITORS),
    "quizzes.study.offers.offer_deck": (
        lambda course, by: offer_deck(bank=course.bank, group=None, by=by, now=NOW),
        EDITORS,
    ),
    "quizzes.study.offers.withdraw_deck": (withdraw, EDITORS),
    "quizzes.bank.bulk.write_questions": (
        lambda course, by: bulk.write_questions(
            DIRECT, bank=course.bank, states=[course.state], by=by, now=NOW
        ),
        EDITORS,
    ),
    "quizzes.matching.merge.merge_questions": (merge, EDITORS),
    "quizzes.matching.merge.reject_match": (keep_apart, EDITORS),
    "quizzes.imports.importer.run_import": (
        lambda course, by: importer.run_import(
            bank=course.bank, parsed_file=parse_upload(GOOD.encode(), "a.yaml"), by=by, now=NOW
        ),
        EDITORS,
    ),
    "quizzes.imports.importer.import_bank_file": (
        lambda course, by: importer.import_bank_file(
            parsed_file=parse_upload(GOOD.encode(), "a.yaml"),
            group=course.users.group,
            by=by,
            now=NOW,
        ),
        TEACHERS,
    ),
}


def rename_person(course: Course, by: User) -> None:
    person = User.objects.get(pk=course.users.learner.pk)
    person.is_superuser = True
    save_person(person=person, confirmed=True, by=by)


def end_new_hold(course: Course, by: User) -> None:
    hold = LegalHold.objects.create(person=course.users.learner, reason="Appeal")
    end_hold(hold=hold, by=by)


SERVICES |= {
    "accounts.people.save_person": (rename_person, {"administrator"}),
    "accounts.classes.save_term": (
        lambda course, by: classes.save_term(
            term=Term(name="T", begins_on=NOW.date(), ends_on=NOW.date() + timedelta(days=9)),
            by=by,
        ),
        {"administrator"},
    ),
    "accounts.services.remove_from_group": (
        lambda course, by: remove_from_group(
            user=course.users.learner, group=course.users.group, by=by
        ),
        {"administrator"},
    ),
    "quizzes.privacy.legal_holds.save_hold": (
        lambda course, by: save_hold(
            hold=LegalHold(person=course.users.learner, reason="Appeal"), by=by
        ),
        {"administrator"},
    ),
    "quizzes.privacy.legal_holds.end_hold": (end_new_hold, {"administrator"}),
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
    "quizzes.imports.jobs.create_import": lambda imports, by: jobs.create_import(
        bank=imports.ready.bank,
        data=GOOD.encode(),
        filename="a.yaml",
        format_="ochenta-bank/1",
        language="",
        by=by,
    ),
    "quizzes.imports.jobs.choose_format": lambda imports, by: jobs.choose_format(
        job=imports.ambiguous, format_="gift", by=by
    ),
    "quizzes.imports.jobs.confirm_selection": lambda imports, by: jobs.confirm_selection(
        job=imports.ready, selected=None, by=by
    ),
    "quizzes.imports.jobs.cancel": lambda imports, by: jobs.cancel(
        job=imports.ambiguous, by=by, now=NOW
    ),
    "quizzes.imports.import_reading.replan": lambda imports, by: import_reading.replan(
        job=imports.ready, by=by, now=NOW
    ),
    "quizzes.imports.selection.select_items": lambda imports, by: selection.select_items(
        job=imports.ready, on_page={0}, ticked=(), by=by
    ),
    "quizzes.imports.selection.select_all": lambda imports, by: selection.select_all(
        job=imports.ready, action=ImportAction.NEW, selected=True, by=by
    ),
    "quizzes.imports.selection.import_as_new": lambda imports, by: selection.import_as_new(
        job=imports.ready, number=0, as_new=True, by=by
    ),
    "quizzes.imports.selection.answer_matches": lambda imports, by: selection.answer_matches(
        job=imports.ready, answers=(), by=by
    ),
    "quizzes.imports.selection.accept_sure_matches": lambda imports, by: (
        selection.accept_sure_matches(job=imports.ready, min_confidence=1, by=by)
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
