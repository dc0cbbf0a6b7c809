"""Random histories of a quiz that is regraded: what persons gave stays, and the record replays.

A few of them in CI; REGRADE_HISTORIES=5000 runs as many.
"""

import os
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from quizzes.attempts.models import Attempt
from quizzes.bank.models import Bank, Question
from quizzes.lib.errors import ServiceError
from quizzes.publishing.models import Quiz
from quizzes.results import regrade_batches, regrading
from quizzes.results.grading_records import build_grading
from quizzes.results.manual_grading import override_score
from quizzes.results.models import Grading, ItemResult, RegradeAction, RegradeRule, Result
from quizzes.results.regrade_rules import POLICIES
from quizzes.results.regrading import continue_regrades
from tests.attempt_helpers import finish, save_choice, start
from tests.essay_factory import create_essay, grade_essay, levels, save_text
from tests.factories import NOW, create_question, create_quiz
from tests.regrade_helpers import commit, correct_key, find_differences, preview
from tests.users import Users

pytestmark = pytest.mark.django_db

HISTORIES = int(os.environ.get("REGRADE_HISTORIES", "2"))
STEPS = 16
ESSAY = 0


class History:
    """A quiz with an essay and two questions, its attempts, and what persons gave by slot."""

    def __init__(self, users: Users, quiz: Quiz, seed: int) -> None:
        self.users, self.quiz, self.chance = users, quiz, random.Random(seed)
        slots = quiz.sections.get().slots.order_by("position")
        used = [slot.question for slot in slots.select_related("question")]
        self.questions = [question for question in used[1:] if question is not None]
        self.attempts: list[Attempt] = []
        self.given: dict[tuple[int, int], Fraction | None] = {}

    def submit(self) -> None:
        attempt = start(self.quiz, self.users.learner)
        save_text(attempt, ESSAY, "An answer.")
        for slot in (1, 2):
            if letters := self.chance.sample("abcd", self.chance.randrange(3)):
                save_choice(attempt, slot, "".join(letters))
        self.attempts.append(finish(attempt))

    def mark(self) -> None:
        attempt = self.chance.choice(self.attempts)
        if (attempt.pk, ESSAY) not in self.given:
            grade_essay(attempt, self.users.instructor, levels(self.chance.randrange(2), 1))
            self.given[attempt.pk, ESSAY] = self.read_credit(attempt.pk, ESSAY)

    def override(self) -> None:
        attempt, slot = self.chance.choice(self.attempts), self.chance.choice((1, 2))
        share = Fraction(self.chance.randrange(5), 4)
        override_score(
            attempt=attempt.uuid,
            slot=slot,
            share=share,
            reason="By hand",
            by=self.users.instructor,
            now=NOW,
        )
        self.given[attempt.pk, slot] = share

    def change_key(self) -> None:
        letters = self.chance.sample("abcd", self.chance.randint(1, 3))
        correct_key(self.chance.choice(self.questions), "".join(letters))

    def propose(self) -> None:
        """Commit a random rule; where that cannot be, nothing is committed."""
        action = self.chance.choice(list(RegradeAction))
        reverts = None
        if action == RegradeAction.REVERT:
            reverts = self.chance.randint(1, RegradeRule.objects.filter(quiz=self.quiz).count() + 1)
        question = Question.objects.get(pk=self.chance.choice(self.questions).pk)
        try:
            with transaction.atomic():
                commit(
                    self.quiz,
                    question,
                    self.users,
                    self.chance.choice(POLICIES[action]),
                    action=action,
                    reverts=reverts,
                )
        except ServiceError:
            return

    def crash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Regrade, broken off at a random attempt, with a rule committed in the middle of it."""
        calls, last = 0, self.chance.randint(1, 3)

        def break_off(*arguments: Any) -> tuple[Grading, list[ItemResult]]:
            nonlocal calls
            calls += 1
            if calls == last:
                raise ValueError
            built = build_grading(*arguments)
            if calls == 1:
                self.propose()
            return built

        with monkeypatch.context() as patched:
            patched.setattr(regrade_batches, "build_grading", break_off)
            patched.setattr(regrading, "BATCH", self.chance.choice((1, 2, 50)))
            continue_regrades(now=NOW)

    def preview_and_apply(self) -> None:
        """Apply all rules, then one more, which must come to what its preview says."""
        settle()
        question = Question.objects.get(pk=self.chance.choice(self.questions).pk)
        action = self.chance.choice([RegradeAction.FULL, RegradeAction.DROP, RegradeAction.KEY])
        policy = self.chance.choice(POLICIES[action])
        expected = preview(self.quiz, question, policy, action)
        try:
            commit(self.quiz, question, self.users, policy, action=action)
        except ServiceError:
            return
        settle()
        for result in Result.objects.filter(pk__in=expected).select_related("grading"):
            score, grading = expected[result.pk], result.grading
            assert score is not None
            assert (grading.total, grading.maximum, grading.passed) == (
                score.total,
                score.maximum,
                score.passed,
            )

    def read_credit(self, attempt: int, slot: int) -> Fraction | None:
        current = Result.objects.filter(attempt=attempt).values("grading")
        return ItemResult.objects.get(grading__in=current, slot=slot).credit


def settle() -> None:
    assert continue_regrades(now=NOW).failed == 0


@pytest.fixture
def quiz(users: Users, into: Bank) -> Quiz:
    questions = [create_question(into, f"q{n}", right="ab") for n in range(2)]
    return create_quiz(users, [create_essay(into, "essay"), *questions], window_attempts=None)


@pytest.mark.parametrize("part", range(2))
def test_random_histories_keep_hand_marks_and_replay(users, quiz, monkeypatch, part):
    for seed in range(part, HISTORIES, 2):
        with transaction.atomic():
            play(History(users, quiz, seed), monkeypatch)
            transaction.set_rollback(True)


def play(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    history.submit()
    steps: list[Callable[[], None]] = [
        history.submit,
        history.mark,
        history.override,
        history.change_key,
        history.propose,
        lambda: history.crash(monkeypatch),
        history.preview_and_apply,
    ]
    for _ in range(STEPS):
        history.chance.choice(steps)()
    settle()
    for (attempt, slot), credit in history.given.items():
        assert history.read_credit(attempt, slot) == credit
    count = Grading.objects.count()
    assert continue_regrades(now=NOW) == (0, 0, 0)
    assert Grading.objects.count() == count
    assert find_differences() == []
