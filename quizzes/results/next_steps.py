"""What may come next for a learner: tags to work on, and giving up to see what is right."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from accounts.models import User
from quizzes.attempts import giving_up
from quizzes.attempts.models import QuizGrade, State
from quizzes.lib.errors import NotFound, Refused
from quizzes.publishing.models import RevealMoment
from quizzes.results.attempt_report import AttemptReport, QuestionReport

MAX_TOPICS = 3
MISSED = frozenset({"incorrect", "partially_correct", "unanswered"})


@dataclass(frozen=True, slots=True)
class WeakTopic:
    """A tag, and what its questions earned of their points; `slots` are those not got right."""

    tag: str
    earned: Fraction
    points: Fraction
    slots: tuple[int, ...]


def list_missed(questions: Sequence[QuestionReport]) -> list[QuestionReport]:
    """Return those answered wrong, partly or not at all, of those whose outcome may be shown."""
    return [item for item in questions if item.outcome in MISSED]


def list_to_practise(report: AttemptReport) -> list[QuestionReport]:
    """Return what practice may help with: what was missed, or where that is hidden, every question.

    Where it is hidden and the score that may be shown passes: nothing.
    """
    summary = report.summary
    if summary.visibility.correctness and summary.visibility.score:
        return list_missed(report.questions)
    if summary.score and summary.score.passed:
        return []
    return [item for item in report.questions if item.outcome in {*MISSED, "hidden"}]


def has_weak_scores(questions: Sequence[QuestionReport]) -> bool:
    """Return whether a score that may be shown is less than all."""
    return any(item.earned is not None and item.credit != 1 for item in questions)


def find_weak_topics(
    questions: Sequence[QuestionReport], tags: Mapping[UUID, Sequence[str]]
) -> list[WeakTopic]:
    """Return the tags that earned the smallest share of their points, the weakest first."""
    by_tag: defaultdict[str, list[QuestionReport]] = defaultdict(list)
    for item in questions:
        if item.earned is not None and item.manifest_slot.points:
            for tag in tags.get(item.manifest_slot.question, ()):
                by_tag[tag].append(item)
    topics = [_add_up(tag, items) for tag, items in by_tag.items()]
    weak = [topic for topic in topics if topic.slots]
    return sorted(weak, key=_rank)[:MAX_TOPICS]


def _add_up(tag: str, items: Sequence[QuestionReport]) -> WeakTopic:
    return WeakTopic(
        tag,
        sum((item.earned or Fraction() for item in items), Fraction()),
        sum((item.manifest_slot.points for item in items), Fraction()),
        tuple(item.slot for item in items if item.credit != 1),
    )


def _rank(topic: WeakTopic) -> tuple[Fraction, int, str]:
    """Return the share earned, then how many questions tell of it, the most first."""
    return topic.earned / topic.points, -len(topic.slots), topic.tag


def gains_by_giving_up(report: AttemptReport) -> bool:
    """Return whether right answers or explanations of one's own report would come by giving up.

    After passing, and where no other attempt is possible ever, there is nothing to give up.
    """
    if report.manifest is None or report.summary.state != State.GRADED:
        return False
    may_retry = report.next_attempt is not None and (
        report.next_attempt.allowed or report.next_attempt.available_at is not None
    )
    policy, visible = report.manifest.policies.reveal, report.summary.visibility
    hidden = (
        (policy.key, visible.key),
        (policy.explanation, visible.explanation),
    )
    waits = any(
        moment == RevealMoment.AFTER_LAST_ATTEMPT and not is_visible
        for moment, is_visible in hidden
    )
    return may_retry and waits


def give_up_after(*, report: AttemptReport, learner: User, now: datetime) -> QuizGrade:
    """Give up further attempts at the quiz of one's own report; done twice, it happens once.

    Of somebody else's: NotFound. Where it would show nothing more: Refused. Else as `give_up`.
    """
    if report.summary.learner != learner.uuid or report.manifest is None:
        raise NotFound
    has_given_up = QuizGrade.objects.filter(
        quiz__uuid=report.summary.quiz, learner=learner, gave_up_at__isnull=False
    )
    if not (gains_by_giving_up(report) or has_given_up.exists()):
        score = report.summary.score
        raise Refused("passed_already" if score and score.passed else "nothing_to_give_up")
    return giving_up.give_up(quiz=report.summary.quiz, learner=learner, now=now)
