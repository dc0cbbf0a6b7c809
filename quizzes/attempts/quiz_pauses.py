"""Whether a quiz is paused for everybody, and who therefore does not begin now."""

from datetime import datetime

from django.db.models import Max

from quizzes.attempts.access import managed_by
from quizzes.attempts.models import Attempt, QuizGrade, QuizPause, State


def find_end_of_pause(quiz_grade: QuizGrade, now: datetime) -> datetime | None:
    """Return until when a learner does not begin a quiz, because others are paused at it.

    An instructor of theirs has paused everybody, and somebody still is: with the last who goes on,
    it is over. One query where nobody has.
    """
    pauses = QuizPause.objects.filter(quiz=quiz_grade.quiz_id, paused_until__gt=now)
    ends = []
    for pause in pauses.select_related("paused_by"):
        concerned = managed_by(pause.paused_by)
        if QuizGrade.objects.filter(concerned, pk=quiz_grade.pk).exists():
            paused = Attempt.objects.filter(
                concerned, quiz=quiz_grade.quiz_id, state=State.OPEN, paused_until__gt=now
            )
            ends.append(paused.aggregate(last=Max("paused_until"))["last"])
    return max((end for end in ends if end is not None), default=None)
