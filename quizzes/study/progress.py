"""How a learner gets on: days of study, topics, cards over time; as far as reveal shows it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import DateTimeField, ExpressionWrapper, F
from django.db.models.functions import TruncDate

from accounts.models import User
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import parse_manifest
from quizzes.bank.models import Question
from quizzes.results import reveal
from quizzes.results.models import ItemResult
from quizzes.results.reveal_inputs import (
    load_reveal_contexts,
    reveal_moments,
    with_related_rows,
)
from quizzes.study.domain import replay
from quizzes.study.domain.mastery import Mastery, estimate_mastery
from quizzes.study.domain.streak import Streak, find_streak
from quizzes.study.models import StudyLogEntry, StudySettings

MOST_ATTEMPTS: Final = 100
LONGEST_STREAK: Final = timedelta(days=400)
DAYS_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class StudyDayCount:
    """How many cards were reviewed on a day, and how many of them were recalled."""

    day: date
    reviewed: int
    recalled: int


def load_streak(learner: User, settings: StudySettings, now: datetime) -> Streak:
    """Return on how many days in a row a learner studied cards, in one query."""
    zone, begins = ZoneInfo(learner.time_zone), timedelta(hours=settings.day_starts_at)
    shifted = ExpressionWrapper(F("reviewed_at") - begins, output_field=DateTimeField())
    days = (
        StudyLogEntry.objects.filter(
            learner=learner, action=replay.REVIEW, reviewed_at__gte=now - LONGEST_STREAK
        )
        .order_by()
        .values_list(TruncDate(shifted, tzinfo=zone), flat=True)
        .distinct()
    )
    return find_streak(frozenset(days), (now - begins).astimezone(zone).date())


def load_days(learner: User, settings: StudySettings, now: datetime) -> list[StudyDayCount]:
    """Return the last days of study, the oldest first; what was undone does not count."""
    zone, begins = ZoneInfo(learner.time_zone), timedelta(hours=settings.day_starts_at)
    today = (now - begins).astimezone(zone).date()
    since = now - timedelta(days=DAYS_SHOWN + 1)
    undone = StudyLogEntry.objects.filter(learner=learner, action=replay.UNDO)
    rows = StudyLogEntry.objects.filter(
        learner=learner, action=replay.REVIEW, reviewed_at__gte=since
    ).exclude(client_id__in=undone.values("undoes"))
    reviewed: Counter[date] = Counter()
    recalled: Counter[date] = Counter()
    for at, rating in rows.order_by().values_list("reviewed_at", "rating"):
        day = (at - begins).astimezone(zone).date()
        reviewed[day] += 1
        recalled[day] += rating != replay.AGAIN
    days = [today - timedelta(days=back) for back in reversed(range(DAYS_SHOWN))]
    return [StudyDayCount(day, reviewed[day], recalled[day]) for day in days]


def load_mastery(learner: User, now: datetime) -> list[Mastery]:
    """Return the learner's topics, the weakest first, by the last answers to their questions.

    Only of attempts whose scores reveal shows; the number of queries does not depend on them.
    """
    graded = with_related_rows(
        Attempt.objects.filter(
            learner=learner, state=State.GRADED, is_staff_attempt=False, result__isnull=False
        ).order_by("-pk")
    )[:MOST_ATTEMPTS]
    visible_rows = _list_shown(list(graded), learner, now)
    earned_last = _load_last_credits([row.result.grading_id for row in visible_rows])
    tags = Question.objects.filter(pk__in=earned_last, tags__isnull=False).order_by()
    by_tag: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, tag in tags.values_list("pk", "tags__name"):
        by_tag[tag].append(earned_last[question])
    topics = [estimate_mastery(tag, earned) for tag, earned in by_tag.items()]
    return sorted(topics, key=lambda topic: (topic.low, topic.high, topic.tag))


def _list_shown(rows: Sequence[Attempt], learner: User, now: datetime) -> list[Attempt]:
    readable = [
        (row, manifest) for row in rows if isinstance(manifest := parse_manifest(row), Manifest)
    ]
    moments = {
        row.pk: reveal_moments(manifest.policies.reveal, score_only=False)
        for row, manifest in readable
    }
    contexts = load_reveal_contexts([row for row, _ in readable], learner, now, moments=moments)
    visible_rows = []
    for row, manifest in readable:
        visible = reveal.reveal(manifest.policies.reveal, contexts[row.pk])
        if visible.score and visible.correctness:
            visible_rows.append(row)
    return visible_rows


def _load_last_credits(gradings: Sequence[int]) -> dict[int, Fraction]:
    """Return by question what its last answer earned, of those that are scored."""
    scored = ItemResult.objects.filter(
        grading__in=gradings, credit_numerator__isnull=False, points_numerator__gt=0
    ).order_by("grading__attempt_id", "pk")
    columns = ("version__question", "credit_numerator", "credit_denominator")
    return {
        question: Fraction(numerator, denominator)
        for question, numerator, denominator in scored.values_list(*columns)
    }
