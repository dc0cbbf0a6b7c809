"""Which questions are live for a learner: a graded quiz that they may still take can ask them."""

from collections.abc import Collection
from datetime import datetime

from accounts.models import User
from quizzes.attempts.access import takeable_by
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import StartInputs, load_start_inputs_by_quiz
from quizzes.publishing.models import Mode, Quiz, RevealMoment
from quizzes.publishing.policies import Policies
from quizzes.publishing.selectors import LoadedQuizVersion, load_quiz_version

KEPT_SECRET = frozenset({RevealMoment.NEVER, RevealMoment.AFTER_CLOSE})


def find_live_questions(learner: User, questions: Collection[str], now: datetime) -> frozenset[str]:
    """Return those of these questions whose key practice must not show to this learner.

    A graded quiz in use, of an author who does not allow it, may ask them: as long as the learner
    may begin an attempt, now or later, or has one open; and where the quiz keeps its key from
    everybody till it closes. The number of queries does not depend on how many quizzes there are.
    """
    graded = takeable_by(learner).filter(mode=Mode.GRADED).select_related("current").distinct()
    versions: list[tuple[Quiz, LoadedQuizVersion]] = [
        (quiz, load_quiz_version(quiz.current)) for quiz in graded if quiz.current is not None
    ]
    asking = [
        (quiz, version)
        for quiz, version in versions
        if not version.policies.practice_shows_keys
        and not _list_questions(version).isdisjoint(questions)
    ]
    inputs = load_start_inputs_by_quiz([quiz for quiz, _ in asking], learner) if asking else {}
    live = [
        version
        for quiz, version in asking
        if _is_still_asked(version.policies, inputs[quiz.pk], now)
    ]
    opened = Attempt.objects.filter(learner=learner, state=State.OPEN).select_related(
        "quiz_version"
    )
    live += [load_quiz_version(attempt.quiz_version) for attempt in opened]
    return frozenset(questions).intersection(*[frozenset().union(*map(_list_questions, live))])


def _list_questions(version: LoadedQuizVersion) -> frozenset[str]:
    return frozenset(candidate.question for item in version.items for candidate in item.candidates)


def _is_still_asked(policies: Policies, inputs: StartInputs, now: datetime) -> bool:
    eligibility = inputs.eligibility(policies, now)
    may_begin = eligibility.allowed or eligibility.available_at is not None
    return may_begin or policies.reveal.key in KEPT_SECRET
