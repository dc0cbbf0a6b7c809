"""What a learner missed in an attempt, and what of it they have not practised since."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from accounts.models import User
from quizzes.lib.errors import NotFound
from quizzes.practice.models import PracticeQuestion
from quizzes.practice.next_question import list_candidates
from quizzes.publishing.models import Quiz
from quizzes.publishing.selectors import load_quiz_version
from quizzes.results.next_steps import list_to_practise
from quizzes.results.selectors import load_report


@dataclass(frozen=True, slots=True)
class MissedQuestions:
    """The missed questions that a practice can ask, and those of them that it has not drawn yet."""

    questions: frozenset[str]
    left: frozenset[str]


NONE = MissedQuestions(frozenset(), frozenset())


def load_missed_questions(
    quiz: Quiz, learner: User, attempt: UUID | None, now: datetime
) -> MissedQuestions:
    """Return what this practice can ask of what was missed in an ended attempt of the learner.

    What was missed only as far as their result says so: practice tells nothing that reveal hides.
    No attempt, or not theirs: none.
    """
    if attempt is None or quiz.current is None:
        return NONE
    try:
        report = load_report(attempt=attempt, viewer=learner, language=learner.language, now=now)
    except NotFound:
        return NONE
    if report.summary.learner != learner.uuid or report.summary.submitted_at is None:
        return NONE
    missed = {str(item.manifest_slot.question) for item in list_to_practise(report)}
    questions = missed & list_candidates(load_quiz_version(quiz.current).items).keys()
    practised = PracticeQuestion.objects.filter(
        learner=learner,
        quiz=quiz,
        version__question__uuid__in=questions,
        created_at__gte=report.summary.submitted_at,
    )
    drawn = {str(uuid) for uuid in practised.values_list("version__question__uuid", flat=True)}
    return MissedQuestions(frozenset(questions), frozenset(questions - drawn))
