"""Where a learner is in a practice: the question, its tries, and what may be shown of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from accounts.models import User
from grading.contract import ItemScore
from quizzes.attempts.manifest import Slot
from quizzes.bank.selectors import load_keys_and_feedback, load_public_versions
from quizzes.lib.practice_credits import parse_practice_credits
from quizzes.practice.live_questions import find_live_questions
from quizzes.practice.models import PracticeQuestion, PracticeTry
from quizzes.publishing.models import Quiz
from quizzes.publishing.policies import RevealPolicy
from quizzes.results import reveal
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.models import ItemResult
from quizzes.results.selectors import build_question_report


@dataclass(frozen=True, slots=True)
class PracticeState:
    """How a practised question stands. `credit` is the best of the tries, by what each is worth.

    `is_live`: nothing is said of right and wrong, and the first try is the last.
    """

    row: PracticeQuestion
    tries: tuple[PracticeTry, ...]
    worths: tuple[Fraction, ...]
    is_live: bool

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to try."""
        if self.row.asked_for_answer:
            return True
        if self.is_live:
            return bool(self.tries)
        last = self.last_score
        waits = bool(self.tries) and last is None
        is_right = last is not None and last.credit == 1
        return waits or is_right or len(self.tries) >= len(self.worths)

    @property
    def last_score(self) -> ItemScore | None:
        """The score of the last try; none before it, and where persons grade it."""
        score = self.tries[-1].score if self.tries else None
        return ItemScore.from_json(score) if score else None

    @property
    def credit(self) -> Fraction:
        """The best try, as a share of the points, after what later tries lose."""
        scores = [ItemScore.from_json(each.score).credit for each in self.tries if each.score]
        return max(
            (worth * credit for worth, credit in zip(self.worths, scores, strict=False)),
            default=Fraction(),
        )

    @property
    def next_worth(self) -> Fraction | None:
        """What the next try is worth; None where there is none."""
        return None if self.is_over else self.worths[len(self.tries)]


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A practised question as its page shows it; `report` holds what may be shown.

    `hint_count` counts the hints that there are, `more_hints` says whether one is unopened.
    """

    state: PracticeState
    slot: Slot
    report: QuestionReport
    hint_count: int

    @property
    def more_hints(self) -> bool:
        """Whether another hint can be opened."""
        return not self.state.is_over and self.state.row.hints_opened < self.hint_count

    @property
    def answer(self) -> Mapping[str, Any] | None:
        """What was answered last."""
        return self.state.tries[-1].answer if self.state.tries else None


def find_current(quiz: Quiz, learner: User) -> PracticeQuestion | None:
    """Return the question that the learner is at, or None before the first."""
    own = PracticeQuestion.objects.filter(quiz=quiz, learner=learner)
    return own.select_related("version__question").order_by("number").last()


def find_practised(question: UUID, learner: User) -> UUID | None:
    """Return the version of a practised question of one's own; None without such a question."""
    own = PracticeQuestion.objects.filter(uuid=question, learner=learner)
    return own.values_list("version__uuid", flat=True).first()


def load_state(row: PracticeQuestion, learner: User, now: datetime) -> PracticeState:
    """Return how a question stands now: what is live is asked each time."""
    question = str(row.version.question.uuid)
    return PracticeState(
        row,
        tuple(row.tries.order_by("number")),
        parse_practice_credits(row.credits),
        is_live=question in find_live_questions(learner, [question], now),
    )


def load_practice(
    row: PracticeQuestion, learner: User, language: str, now: datetime
) -> PracticeView:
    """Return the question as far as reveal shows it now."""
    state, version = load_state(row, learner, now), row.version
    slot = Slot(
        version=version.uuid,
        question=version.question.uuid,
        kind=version.kind,
        scoring_method=row.scoring_method,
        points=Fraction(1),
        section=0,
        order=tuple(row.order),
    )
    context = reveal.RevealContext(
        state=reveal.PRACTISED, role=reveal.LEARNER, live=state.is_live, over=state.is_over
    )
    report = build_question_report(
        slot=0,
        manifest_slot=slot,
        public_version=load_public_versions([version.uuid])[version.uuid],
        row=_build_item_result(state),
        key_and_feedback=load_keys_and_feedback([version.uuid])[version.uuid],
        visible=reveal.reveal(RevealPolicy(), context),
        language=language,
    )
    hint_count = len(report.hints)
    if not state.is_over:
        # Step by step: a hint when it is asked for, the explanation in the end.
        hints = report.hints[: row.hints_opened]
        report = replace(report, hints=hints, explanation="", reading_link="")
    return PracticeView(state, slot, report, hint_count)


def _build_item_result(state: PracticeState) -> ItemResult | None:
    """Return the last try as grading stores one of an attempt; it is not saved."""
    if not state.tries:
        return None
    last, score = state.tries[-1], state.last_score
    return ItemResult(
        slot=0,
        answer=last.answer,
        score=last.score,
        credit_numerator=None if score is None else score.credit.numerator,
        credit_denominator=None if score is None else score.credit.denominator,
        points_numerator=1,
        points_denominator=1,
    )
