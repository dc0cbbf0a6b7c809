"""Quizzes that open or close within a day: who of the learners of a class is told, once a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.access import memberships_in_force
from accounts.models import Role
from quizzes.attempts.models import (
    Accommodation,
    Assignment,
    Attempt,
    StandingAccommodation,
    State,
)
from quizzes.attempts.rules import AccommodationTerms, Window, extend_window
from quizzes.attempts.selectors import build_standing_terms
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.notifications.preferences import create_wanted
from quizzes.publishing.models import OPEN_TO_ALL, Quiz
from quizzes.publishing.policies import Policies

LEAD: Final = timedelta(hours=24)
"""How long before it opens or closes."""
LONGEST_EXTENSION: Final = timedelta(days=7)
"""By how much more time may put off a closing that is still reminded of."""


@dataclass
class _LearnerState:
    """What of one learner and one quiz decides whether they are reminded."""

    windows: list[Window] = field(default_factory=list)
    terms: AccommodationTerms = field(default_factory=AccommodationTerms)
    has_begun: bool = False
    has_handed_in: bool = False


def remind_of_windows(*, now: datetime) -> int:
    """Write who is to be told that a quiz opens or closes soon; return how many there are anew.

    Asked any number of times, each is told once of each time: of another one if it was moved.
    """
    quizzes = {quiz.pk: quiz for quiz in _list_quizzes(now)}
    states = _load_states(quizzes.values())
    planned = [
        notification
        for (quiz, learner), state in states.items()
        for notification in _plan(quizzes[quiz], learner, state, now)
    ]
    existing = set(
        Notification.objects.filter(
            quiz__in=quizzes, kind__in=(NotificationKind.OPENS_SOON, NotificationKind.CLOSES_SOON)
        ).values_list("recipient", "kind", "cause")
    )
    new = [row for row in planned if (row.recipient_id, row.kind, row.cause) not in existing]
    create_wanted(new)
    return len(new)


def _list_quizzes(now: datetime) -> QuerySet[Quiz]:
    """Return the quizzes in use with a time within the lead, or one that more time may bring."""
    soon = now + LEAD
    assignments = Assignment.objects.filter(quiz=OuterRef("pk"), group__archived_at=None).annotate(
        opening=Coalesce("opens_at", "quiz__opens_at"),
        closing=Coalesce("closes_at", "quiz__closes_at"),
    )
    accommodations = Accommodation.objects.filter(quiz=OuterRef("pk"))
    extended = Exists(accommodations.filter(time_percent__gt=100)) | Exists(
        StandingAccommodation.objects.all()
    )
    return (
        Quiz.objects.filter(current__isnull=False, retired_at__isnull=True)
        .filter(Exists(assignments))
        .filter(
            Exists(assignments.filter(Q(opening__gt=now, opening__lte=soon)))
            | Exists(assignments.filter(Q(closing__gt=now, closing__lte=soon)))
            | Exists(accommodations.filter(closes_at__gt=now, closes_at__lte=soon))
            | Q(
                extended,
                Exists(assignments.filter(closing__gt=now - LONGEST_EXTENSION, closing__lte=soon)),
            )
        )
        .select_related("current")
    )


def _load_states(quizzes: Iterable[Quiz]) -> dict[tuple[int, int], _LearnerState]:
    """Return by quiz and learner what decides, in five queries, however many there are."""
    by_pk = {quiz.pk: quiz for quiz in quizzes}
    states: dict[tuple[int, int], _LearnerState] = defaultdict(_LearnerState)
    assignments = Assignment.objects.filter(quiz__in=by_pk, group__archived_at=None)
    by_group: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in assignments.order_by("pk"):
        by_group[assignment.group_id].append(assignment)
    learners = memberships_in_force().filter(
        group__in=by_group, role=Role.LEARNER, user__is_active=True
    )
    for learner, group in learners.order_by("pk").values_list("user", "group"):
        for assignment in by_group[group]:
            quiz = by_pk[assignment.quiz_id]
            window = Window(
                assignment.opens_at or quiz.opens_at, assignment.closes_at or quiz.closes_at
            )
            states[quiz.pk, learner].windows.append(window)
    for (pk, _), state in states.items():
        if by_pk[pk].audience in OPEN_TO_ALL:
            state.windows.append(Window(by_pk[pk].opens_at, by_pk[pk].closes_at))
    _add_terms_and_attempts(states, by_pk)
    return dict(states)


def _add_terms_and_attempts(
    states: dict[tuple[int, int], _LearnerState], quizzes: Iterable[int]
) -> None:
    for row in Accommodation.objects.filter(quiz__in=quizzes):
        if state := states.get((row.quiz_id, row.learner_id)):
            state.terms = AccommodationTerms(
                Fraction(row.time_percent, 100), row.extra_attempts, row.closes_at
            )
    standing = {
        row.learner_id: build_standing_terms(
            row.time_percent, row.extra_minutes, row.window_minutes
        )
        for row in StandingAccommodation.objects.all()
    }
    for (_, learner), state in states.items():
        if learner in standing:
            state.terms = replace(state.terms, standing=standing[learner])
    attempts = Attempt.objects.filter(quiz__in=quizzes, is_staff_attempt=False)
    counted = attempts.exclude(state=State.VOID).order_by()
    for quiz, learner, attempt_state in counted.values_list("quiz", "learner", "state").distinct():
        if state := states.get((quiz, learner)):
            state.has_begun = True
            state.has_handed_in |= attempt_state != State.OPEN


def _plan(quiz: Quiz, learner: int, state: _LearnerState, now: datetime) -> Iterator[Notification]:
    """Yield of what this learner is told: of an opening before it, of a closing while it is open.

    A window that is no longer than the lead closes as its opening said.
    """
    policies = Policies.from_json(quiz.current.policies if quiz.current else {})
    windows = [extend_window(window, policies, state.terms) for window in state.windows]
    if state.has_handed_in:
        return
    running = [window for window in windows if window.is_open(now)]
    if not running:
        coming = [
            (window.opens_at, window.closes_at)
            for window in windows
            if window.opens_at is not None and now < window.opens_at <= now + LEAD
        ]
        if coming and not state.has_begun:
            opens_at, closes_at = min(coming, key=lambda times: times[0])
            yield _build(NotificationKind.OPENS_SOON, quiz, learner, now, opens_at, closes_at)
        return
    closings = [window.closes_at for window in running if window.closes_at is not None]
    if len(closings) < len(running):
        return
    last = max(closings)
    is_short = all(
        window.opens_at is not None and last - window.opens_at <= LEAD for window in running
    )
    if last <= now + LEAD and not is_short:
        yield _build(NotificationKind.CLOSES_SOON, quiz, learner, now, None, last)


def _build(  # noqa: PLR0913, PLR0917  what a reminder is made of
    kind: NotificationKind,
    quiz: Quiz,
    learner: int,
    now: datetime,
    opens_at: datetime | None,
    closes_at: datetime | None,
) -> Notification:
    moment = opens_at or closes_at
    times = {"opens_at": opens_at, "closes_at": closes_at}
    return Notification(
        recipient_id=learner,
        kind=kind,
        cause=f"{quiz.uuid} {moment.isoformat() if moment else ''}",
        quiz=quiz,
        data={name: at.isoformat() for name, at in times.items() if at is not None},
        created_at=now,
        next_try_at=now,
    )
