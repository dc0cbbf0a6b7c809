"""More time for those who are at it: an accommodation or a later closing reaches open attempts.

Time that was given is never taken back: a deadline moves out, or stays.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from quizzes.attempts import selectors
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, DeadlineExtension, QuizGrade, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events


@transaction.atomic
def extend_deadlines(attempts: QuerySet[Attempt], *, now: datetime) -> int:
    """Move the deadlines of those of these attempts that still run to what the rules give by now.

    Returns how many moved. One that ran without a deadline still does; one whose cut-off has passed
    is over, and one that cannot be read is left out. Quiz grades are locked before attempts, as
    everywhere.
    """
    running = attempts.filter(state=State.OPEN, cutoff_at__gte=now)
    quiz_grades = running.order_by().values("quiz_grade")
    list(QuizGrade.objects.select_for_update().filter(pk__in=quiz_grades).order_by("pk"))
    locked = running.select_related("quiz", "learner").select_for_update(of=("self",))
    return sum(_extend_deadline(attempt, now) for attempt in locked.order_by("pk"))


def _extend_deadline(attempt: Attempt, now: datetime) -> bool:
    manifest = selectors.parse_manifest(attempt)
    if not isinstance(manifest, Manifest):
        return False
    policies = manifest.policies
    ends = selectors.load_start_inputs(attempt.quiz, attempt.learner).deadline(
        policies, attempt.started_at
    )
    if ends is None or attempt.deadline_at is None or ends <= attempt.deadline_at:
        return False
    before = {"deadline_at": attempt.deadline_at}
    # First of all the record: without one the database moves no deadline.
    extension = DeadlineExtension.objects.create(
        attempt=attempt,
        learner_id=attempt.learner_id,
        deadline_before=attempt.deadline_at,
        deadline_at=ends,
        cutoff_at=ends + policies.grace,
        extended_at=now,
    )
    attempt.deadline_at, attempt.cutoff_at = extension.deadline_at, extension.cutoff_at
    attempt.save(update_fields=["deadline_at", "cutoff_at", "updated_at"])
    data = {"deadline_at": ends.isoformat()}
    events.record(kind="attempt.extended", subject=attempt.uuid, data=data, now=now)
    after, group = {"deadline_at": ends}, attempt.quiz.group_id
    record(AuditCode.TIME_GIVEN, about=attempt, group=group, before=before, after=after)
    return True
