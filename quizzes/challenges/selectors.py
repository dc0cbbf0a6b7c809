"""Challenges as their learner may read them, and those that wait for who oversees the quiz."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import PublicVersion
from quizzes.challenges.models import Challenge, ChallengeVerdict
from quizzes.results.reveal import Visibility

MAX_QUESTIONS = 200
"""Of a list; who has answered the first sees the next."""


@dataclass(frozen=True, slots=True)
class ChallengeReport:
    """A challenge as its learner may read it now.

    `is_answered` says that somebody answered; `verdict` and `answer` are empty while they could
    tell what reveal hides, or nobody has.
    """

    uuid: UUID
    slot: int
    option: UUID | None
    reason: str
    comment: str
    created_at: datetime
    is_answered: bool
    verdict: str
    answer: str


@dataclass(frozen=True, slots=True)
class ChallengedQuestion:
    """A question with challenges: how many wait, how many there are, when the newest came."""

    question: UUID
    version: UUID
    waiting: int
    total: int
    newest_at: datetime


def list_options(version: PublicVersion) -> list[str]:
    """Return the ids of the options of a version, in the author's order; none without options."""
    rows = version.content.get("options")
    if not isinstance(rows, list):
        return []
    return [str(row["id"]) for row in rows if isinstance(row, dict) and "id" in row]


def find_own_challenge(
    *, attempt: UUID, slot: int, learner: User, visible: Visibility
) -> ChallengeReport | None:
    """Return what this learner said against a question, with the answer as far as it may be read.

    `visible`: what reveal shows of the attempt now (`AttemptSummary.visibility`).
    """
    row = Challenge.objects.filter(attempt__uuid=attempt, slot=slot, learner=learner).first()
    return None if row is None else build_report(row, visible)


def build_report(row: Challenge, visible: Visibility) -> ChallengeReport:
    """Return a challenge with its answer, if its author called it safe or the key is revealed."""
    is_readable = row.safe_before_key or visible.key
    return ChallengeReport(
        uuid=row.uuid,
        slot=row.slot,
        option=row.option,
        reason=row.reason,
        comment=row.comment,
        created_at=row.created_at,
        is_answered=row.verdict != ChallengeVerdict.OPEN,
        verdict=row.verdict if is_readable else "",
        answer=row.answer if is_readable else "",
    )


def list_overseen_challenges(user: UserOrAnonymous) -> QuerySet[Challenge]:
    """Return the challenges that this person may read and answer: of attempts that they oversee.

    Not their own; and none of a quiz that shares a bank with a graded attempt that they have open:
    learners write here what they take for right.
    """
    if not user.is_authenticated:
        return Challenge.objects.none()
    rows = Challenge.objects.filter(supervised_by(user)).exclude(learner=user)
    return rows.exclude(quiz__in=quizzes_hidden_from_taker(user))


def list_challenged_questions(user: User) -> list[ChallengedQuestion]:
    """Return the questions with challenges, those that wait first, `MAX_QUESTIONS`; two queries."""
    rows = list(
        list_overseen_challenges(user)
        .order_by()
        .values("version__question__uuid")
        .annotate(
            waiting=Count("pk", Q(verdict=ChallengeVerdict.OPEN)),
            total=Count("pk"),
            newest_at=Max("created_at"),
            newest_version=Max("version"),
        )
        .order_by("-waiting", "-newest_at")[:MAX_QUESTIONS]
    )
    versions = QuestionVersion.objects.filter(pk__in=[row["newest_version"] for row in rows])
    uuids = dict(versions.values_list("pk", "uuid"))
    return [
        ChallengedQuestion(
            question=row["version__question__uuid"],
            version=uuids[row["newest_version"]],
            waiting=row["waiting"],
            total=row["total"],
            newest_at=row["newest_at"],
        )
        for row in rows
    ]


def count_waiting_challenges(user: UserOrAnonymous) -> int:
    """Return how many challenges wait for this person."""
    return list_overseen_challenges(user).filter(verdict=ChallengeVerdict.OPEN).count()
