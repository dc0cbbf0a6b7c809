"""The first page of those who teach: what runs, what waits, what comes next, and their classes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Exists, F, Min, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

from accounts.access import groups_overseen, groups_taught
from accounts.models import User
from accounts.selectors import with_people_counts, with_unconfirmed_counts
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.attempts.models import Assignment, Attempt, State
from quizzes.bank import access
from quizzes.challenges.selectors import count_waiting_challenges
from quizzes.instructor.admin_site import AdminSite
from quizzes.instructor.permissions import current_user, get_permissions
from quizzes.instructor.questions.draft_status import list_with_status
from quizzes.instructor.translated_field import summarize
from quizzes.lib import clock
from quizzes.lib.translated_texts import choose_title
from quizzes.presentation.excerpts import excerpt
from quizzes.results import grading_queue

SOON: Final = timedelta(days=7)
"""How far ahead openings and closings are listed."""
MAX_ROWS: Final = 8
"""Rows of one part of the page; its list has the rest."""
LATEST_DRAFTS: Final = 50
"""How many of the drafts edited last are looked at for problems."""


@dataclass(frozen=True, slots=True)
class RunningQuiz:
    """A quiz with open attempts: how many, and when the first of them ends (None: no limit)."""

    title: str
    open_attempts: int
    first_end: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class GradingBacklog:
    """The answers to one question that wait for this person."""

    quiz: str
    prompt: str
    language: str
    to_grade: int
    differing: int
    url: str


@dataclass(frozen=True, slots=True)
class WindowChange:
    """A quiz that opens or closes soon for a class."""

    quiz: str
    group: str
    at: datetime
    is_opening: bool
    url: str


@dataclass(frozen=True, slots=True)
class DraftToRepair:
    """A question that cannot be published as it stands."""

    name: str
    prompt: str
    language: str
    problems: int
    url: str


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """A class that this person teaches or assists in, with how many learn there.

    `unconfirmed` of the learners have not confirmed their address: the gradebook lists the others.
    """

    name: str
    learners: int
    unconfirmed: int
    url: str


class TeachingSite(AdminSite):
    """The admin, whose first page says what there is to do."""

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the summary above the lists."""
        return super().index(request, build_home(request) | (extra_context or {}))


def build_home(request: HttpRequest) -> dict[str, Any]:
    """Return what the first page shows to this person; the number of queries is constant."""
    person, now = current_user(request), clock.now()
    is_instructor = get_permissions(request).is_instructor
    return {
        "running": list_running(person),
        "backlog": list_backlog(person),
        "changes": list_window_changes(person, now),
        "drafts": list_drafts_to_repair(person) if is_instructor else [],
        "classes": list_classes(person),
        "waiting_challenges": count_waiting_challenges(person),
        "is_instructor": is_instructor,
    }


def list_running(person: User) -> list[RunningQuiz]:
    """Return the quizzes that learners of this person are taking, the first to end first."""
    rows = (
        Attempt.objects.filter(supervised_by(person), state=State.OPEN, is_staff_attempt=False)
        .order_by()
        .values("quiz__uuid", "quiz__slug", "quiz__title", "quiz__source_language")
        .annotate(open_attempts=Count("pk"), first_end=Min("deadline_at"))
        .order_by(F("first_end").asc(nulls_last=True), "quiz__slug")[:MAX_ROWS]
    )
    return [
        RunningQuiz(
            title=choose_title(row["quiz__title"], row["quiz__source_language"])
            or row["quiz__slug"],
            open_attempts=row["open_attempts"],
            first_end=row["first_end"],
            url=reverse("admin:attempts_attempt_progress", args=[row["quiz__uuid"]]),
        )
        for row in rows
    ]


def list_backlog(person: User) -> list[GradingBacklog]:
    """Return the questions with answers that this person can grade now, the most first."""
    language = get_language() or "en"
    rows = []
    for group in grading_queue.load_queue(person):
        if not group.needs_grading and not group.disagreement:
            continue
        texts = group.public_version.words(language)
        rows.append(
            GradingBacklog(
                quiz=choose_title(group.title, group.source_language),
                prompt=excerpt(texts.prompt),
                language=texts.language,
                to_grade=group.needs_grading,
                differing=group.disagreement,
                url=reverse("admin:results_grading_question", args=[group.quiz, group.question]),
            )
        )
    rows.sort(key=lambda row: -(row.to_grade + row.differing))
    return rows[:MAX_ROWS]


def list_window_changes(person: User, now: datetime) -> list[WindowChange]:
    """Return which quizzes open and close for this person's classes within `SOON`, in order."""
    soon = (now, now + SOON)
    assignments = Assignment.objects.filter(
        Q(opens_at__range=soon) | Q(closes_at__range=soon),
        group__in=groups_overseen(person).filter(archived_at=None),
        quiz__retired_at=None,
    ).select_related("quiz", "group")
    changes = [
        WindowChange(
            quiz=choose_title(assignment.quiz.title, assignment.quiz.source_language)
            or assignment.quiz.slug,
            group=str(assignment.group),
            at=at,
            is_opening=at == assignment.opens_at,
            url=reverse("admin:accounts_group_class", args=[assignment.group_id]),
        )
        for assignment in assignments.order_by("opens_at", "closes_at")
        for at in (assignment.opens_at, assignment.closes_at)
        if at is not None and now <= at <= now + SOON
    ]
    return sorted(changes, key=lambda change: change.at)[:MAX_ROWS]


def list_drafts_to_repair(person: User) -> list[DraftToRepair]:
    """Return those of the drafts edited last whose problems stop publishing, the newest first."""
    questions = (
        questions_whose_keys_are_visible_to(person)
        .filter(bank__in=access.editable_by(person), retired_at=None)
        .order_by("-draft__updated_at", "pk")[:LATEST_DRAFTS]
    )
    return [
        DraftToRepair(
            name=question.name,
            prompt=summarize(status.prompt),
            language=status.language,
            problems=status.problems,
            url=reverse("admin:bank_question_change", args=[question.pk]),
        )
        for question, status in list_with_status(questions)
        if status is not None and status.problems
    ][:MAX_ROWS]


def list_classes(person: User) -> list[ClassSummary]:
    """Return the classes in use that this person teaches or assists in, by name.

    The link of one that they assist in is that of its gradebook.
    """
    counted = with_people_counts(groups_overseen(person).filter(archived_at=None))
    groups = with_unconfirmed_counts(counted).annotate(
        is_taught=Exists(groups_taught(person).filter(pk=OuterRef("pk")))
    )
    return [
        ClassSummary(
            name=str(group),
            learners=group.learner_count,
            unconfirmed=group.unconfirmed_count,
            url=reverse(
                f"admin:accounts_group_{'class' if group.is_taught else 'gradebook'}",
                args=[group.pk],
            ),
        )
        for group in groups.order_by("name", "pk")[:MAX_ROWS]
    ]
