"""Whether a quiz is paused for everybody, and who therefore does not begin now."""

from datetime import datetime

from django.db.models import BigIntegerField, DateTimeField, Max

from quizzes.attempts.access import managed_by
from quizzes.attempts.models import Attempt, QuizGrade, QuizPause, State
from quizzes.lib.prepared_query import PreparedQuery


def find_end_of_pause(quiz_grade: QuizGrade, now: datetime) -> datetime | None:
    """Return until when a learner does not begin a quiz, because others are paused at it.

    An instructor of theirs has paused everybody, and somebody still is: with the last who goes on,
    it is over. One query where nobody has.
    """
    ends = []
    for pause in _PAUSES.all(quiz_grade.quiz_id, now):
        concerned = managed_by(pause.paused_by)
        if QuizGrade.objects.filter(concerned, pk=quiz_grade.pk).exists():
            paused = Attempt.objects.filter(
                concerned, quiz=quiz_grade.quiz_id, state=State.OPEN, paused_until__gt=now
            )
            ends.append(paused.aggregate(last=Max("paused_until"))["last"])
    return max((end for end in ends if end is not None), default=None)


_PAUSES: PreparedQuery[QuizPause] = PreparedQuery(
    lambda quiz, now: QuizPause.objects.filter(quiz=quiz, paused_until__gt=now).select_related(
        "paused_by"
    ),
    BigIntegerField(),
    DateTimeField(),
)
