"""Which questions are live for a learner: a graded quiz that they may still take can ask them."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import BigIntegerField

from accounts.models import User
from quizzes.attempts.access import list_takeable
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import StartInputs, load_start_inputs_by_quiz
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.models import Mode, Quiz, RevealMoment
from quizzes.publishing.policies import Policies
from quizzes.publishing.selectors import LoadedQuizVersion, load_quiz_version

_OPEN: PreparedQuery[Attempt] = PreparedQuery(
    lambda learner: (
        Attempt.objects.filter(learner=learner, state=State.OPEN)
        .order_by()
        .select_related("quiz_version")
    ),
    BigIntegerField(),
)
KEPT_SECRET = frozenset({RevealMoment.NEVER, RevealMoment.AFTER_CLOSE})


def find_live_questions(learner: User, questions: Collection[str], now: datetime) -> frozenset[str]:
    """Return those of these questions whose key practice must not show to this learner.

    A graded quiz in use, of an author who does not allow it, may ask them: as long as the learner
    may begin an attempt, now or later, or has one open; and where the quiz keeps its key from
    everybody till it closes. The number of queries does not depend on how many quizzes there are.
    """
    versions: list[tuple[Quiz, LoadedQuizVersion]] = [
        (quiz, load_quiz_version(quiz.current))
        for quiz in list_takeable(learner)
        if quiz.mode == Mode.GRADED and quiz.current is not None
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
    live += [load_quiz_version(attempt.quiz_version) for attempt in _OPEN.all(learner.pk)]
    return frozenset(questions).intersection(*[frozenset().union(*map(_list_questions, live))])


def _list_questions(version: LoadedQuizVersion) -> frozenset[str]:
    return frozenset(candidate.question for item in version.items for candidate in item.candidates)


def _is_still_asked(policies: Policies, inputs: StartInputs, now: datetime) -> bool:
    eligibility = inputs.eligibility(policies, now)
    may_begin = eligibility.allowed or eligibility.available_at is not None
    return may_begin or policies.reveal.key in KEPT_SECRET
