"""Gathering what reveal's decision rests on, in the same query as the attempts themselves."""

from datetime import datetime, timedelta

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from quizzes.attempts.models import Accommodation, Assignment, Attempt, State
from quizzes.publishing.policies import Policies
from quizzes.results import reveal


def with_facts(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Add to each attempt what reveal's decision rests on, within the same query."""
    used = Attempt.objects.filter(standing=OuterRef("standing")).exclude(state=State.VOID)
    allowance = Accommodation.objects.filter(quiz=OuterRef("quiz"), learner=OuterRef("learner"))
    windows = Assignment.objects.filter(quiz=OuterRef("quiz")).order_by().values("quiz")
    others = Accommodation.objects.filter(quiz=OuterRef("quiz")).order_by().values("quiz")
    running = Attempt.objects.filter(quiz=OuterRef("quiz"), state=State.OPEN).order_by()
    return attempts.select_related("quiz", "learner", "standing", "result__grading").annotate(
        used=Subquery(used.order_by().values("standing").annotate(n=Count("pk")).values("n")),
        extra_attempts=Subquery(allowance.values("extra_attempts")[:1]),
        last_closing=Subquery(
            windows.annotate(last=Max(Coalesce("closes_at", OuterRef("quiz__closes_at")))).values(
                "last"
            )
        ),
        endless=Subquery(windows.filter(closes_at=None).annotate(n=Count("pk")).values("n")),
        most_time=Subquery(others.annotate(most=Max("time_percent")).values("most")),
        last_running=Subquery(
            running.values("quiz").annotate(last=Max("cutoff_at")).values("last")
        ),
        running_endless=Subquery(
            running.filter(cutoff_at=None).values("quiz").annotate(n=Count("pk")).values("n")
        ),
    )


def facts(row: Attempt, policies: Policies, viewer: User, now: datetime) -> reveal.Facts:
    """Read the facts off a row of `with_facts`."""
    most = policies.max_attempts
    result = getattr(row, "result", None)
    return reveal.Facts(
        state=row.state,
        role=reveal.LEARNER if row.learner_id == viewer.pk else reveal.OVERSEER,
        passed=bool(row.standing.passed or (result and result.grading.passed)),
        exhausted=most is not None
        and _annotated(row, "used") >= most + _annotated(row, "extra_attempts"),
        closed=_closed_for_all(row, policies, now),
    )


def _annotated(row: Attempt, name: str) -> int:
    return getattr(row, name) or 0


def _closed_for_all(row: Attempt, policies: Policies, now: datetime) -> bool:
    """Tell whether the last window of anyone is over and nobody is still working."""
    quiz, last = row.quiz, getattr(row, "last_closing", None)
    closings = [at for at in (last, quiz.closes_at) if at is not None]
    unbounded = quiz.closes_at is None and (_annotated(row, "endless") or last is None)
    if not closings or unbounded or _annotated(row, "running_endless"):
        return False
    extra = timedelta()
    if policies.time_limit is not None:
        extra = policies.time_limit * max(0, _annotated(row, "most_time") - 100) / 100
    running = getattr(row, "last_running", None)
    ends = max(closings) + extra
    return now > (max(ends, running) if running else ends)
