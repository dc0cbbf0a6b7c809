"""The site that `bench.growth` measures: a class with an exam, and others beside it in any number.

The measured class stays as it is while copies of another class, its exam and all attempts at it
fill the rest of the site; or the block is of learners and attempts alone: the exam itself grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from django.db import connection, models

from accounts.models import Group, Membership, Role, User
from bench.copied_rows import RowBlock, copy_block, find_block, mark
from bench.seed import create_person, fill_bank, publish_quiz
from quizzes.attempts import services as attempts
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Assignment, Attempt, QuizGrade, Response
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.audit.models import AuditEvent
from quizzes.audit.sealing import seal
from quizzes.bank.models import Bank, Question
from quizzes.events.models import Event
from quizzes.lib import clock
from quizzes.lib.change_numbers import read_horizon
from quizzes.publishing.models import (
    Audience,
    PoolCandidate,
    Quiz,
    QuizVersion,
    QuizVersionItem,
    Section,
    Slot,
)
from quizzes.results import services as results
from quizzes.results.models import Grading, ItemResult, Result
from quizzes.statistics.models import (
    CountedAttempt,
    CountedRow,
    CountingCursor,
    QuizVersionStatistics,
)
from quizzes.statistics.tasks import update_statistics

QUESTIONS: Final = 10
LEARNERS: Final = 50
"""Of a class: with ten answers each, a block is 500 responses."""
ATTEMPTS_OF_ONE: Final = 10
"""Attempts of the measured learner."""
OF_A_LEARNER: tuple[type[models.Model], ...] = (
    *(User, Membership, QuizGrade, Attempt, Response, Grading, ItemResult, Result),
    *(CountedAttempt, Event),
)
OF_A_CLASS: tuple[type[models.Model], ...] = (
    *(Group, Assignment, Quiz, Section, Slot, QuizVersion, QuizVersionItem, PoolCandidate),
    *(CountedRow, QuizVersionStatistics, AuditEvent),
    *OF_A_LEARNER,
)


@dataclass(frozen=True)
class Site:
    """Whom and what is measured, and the block that is copied."""

    administrator: User
    instructor: User
    learner: User
    measured_class: Group
    quiz: Quiz
    open_attempt: Attempt
    graded_attempt: Attempt
    question: Question
    statistics: QuizVersionStatistics
    block: RowBlock


def build_site(*, one_quiz: bool) -> Site:
    """Fill an empty database with the measured class and, beside it, the block.

    `one_quiz`: the block is of learners who take the measured quiz, which grows with each copy.
    """
    administrator = User.objects.create_superuser("admin@example.org", "a long pass word", name="A")
    instructor = create_person("Instructor")
    questions = fill_bank(QUESTIONS)
    Bank.objects.update(owner=instructor)
    measured_class, learners = _create_class("Measured", instructor)
    quiz = _assign_quiz("measured", questions, measured_class)
    graded = [take_attempt(quiz, learner) for learner in learners]
    graded += [take_attempt(quiz, learners[0]) for _ in range(ATTEMPTS_OF_ONE - 1)]
    open_attempt = attempts.start(quiz=quiz.uuid, learner=learners[0], now=clock.now())
    update_statistics()
    before = mark(OF_A_LEARNER if one_quiz else OF_A_CLASS)
    other_class, others = _create_class("Other")
    if one_quiz:
        Assignment.objects.create(quiz=quiz, group=other_class)
    other_quiz = quiz if one_quiz else _assign_quiz("other", questions, other_class)
    for learner in others:
        take_attempt(other_quiz, learner)
    update_statistics()
    quiz.refresh_from_db()
    return Site(
        administrator=administrator,
        instructor=instructor,
        learner=learners[0],
        measured_class=measured_class,
        quiz=quiz,
        open_attempt=open_attempt,
        graded_attempt=graded[-1],
        question=questions[0],
        statistics=QuizVersionStatistics.objects.get(quiz_version__quiz=quiz),
        block=find_block(before),
    )


def extend_site(site: Site, numbers: range) -> None:
    """Copy the block under these numbers; statistics count as counted what was copied."""
    extend_block(site.block, numbers)


def extend_block(block: RowBlock, numbers: range) -> None:
    """Copy a block under these numbers; statistics count as counted what was copied.

    Its audit events are sealed, as a site does by and by.
    """
    copy_block(block, numbers)
    while seal(now=clock.now()):
        pass
    CountingCursor.objects.update(last_change=read_horizon().horizon - 1)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _create_class(name: str, instructor: User | None = None) -> tuple[Group, list[User]]:
    created = Group.objects.create(name=name)
    learners = [create_person(f"{name} {number}") for number in range(LEARNERS)]
    for learner in learners:
        Membership.objects.create(group=created, user=learner, role=Role.LEARNER)
    if instructor is not None:
        Membership.objects.create(group=created, user=instructor, role=Role.INSTRUCTOR)
    return created, learners


def _assign_quiz(slug: str, questions: Sequence[Question], group: Group) -> Quiz:
    quiz = publish_quiz(slug, questions, audience=Audience.GROUPS, group=group)
    Assignment.objects.create(quiz=quiz, group=group)
    return quiz


def take_attempt(quiz: Quiz, learner: User) -> Attempt:
    """Start, answer all questions in one save with their first option, submit and grade."""
    attempt = attempts.start(quiz=quiz.uuid, learner=learner, now=clock.now())
    slots = Manifest.from_json(attempt.manifest).slots
    inputs = [
        ResponseInput(slot=number, raw={"chosen": [slot.order[0]]}, idempotency_key=uuid4())
        for number, slot in enumerate(slots)
    ]
    save_responses(
        attempt=attempt.uuid, learner=learner, inputs=inputs, language="en", now=clock.now()
    )
    results.finish(attempt=attempt.uuid, learner=learner, now=clock.now())
    return attempt
