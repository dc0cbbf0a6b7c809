"""Random histories of a quiz that is regraded: what persons gave stays, and the record replays.

Attempts are submitted, marked, overridden, also as a whole, and overrides withdrawn; keys change,
rules of every action are committed, runs are broken off, and the process ends at any statement.
A few histories in CI; REGRADE_HISTORIES=5000 runs as many (from REGRADE_FIRST on), and a 25th of
them with two runs at once beside learners and persons, on PostgreSQL.
"""

import os
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from quizzes.attempts.models import Attempt, State
from quizzes.bank.models import Bank, Question
from quizzes.lib.errors import ServiceError
from quizzes.publishing.models import Quiz
from quizzes.results import regrade_batches, regrading
from quizzes.results.grading_records import build_grading
from quizzes.results.manual_grading import comment_on_answer, override_score, override_total
from quizzes.results.models import Grading, ItemResult, RegradeAction, RegradeRule, Result
from quizzes.results.regrade_rules import POLICIES
from quizzes.results.regrading import RegradeRun, continue_regrades
from quizzes.results.services import sweep
from tests.attempt_helpers import finish, save_choice, start
from tests.essay_factory import create_essay, grade_essay, levels, save_text
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.regrade_helpers import commit, correct_key, find_differences, preview
from tests.threads import at_once
from tests.users import Users

pytestmark = pytest.mark.django_db

HISTORIES = int(os.environ.get("REGRADE_HISTORIES", "2"))
CONCURRENT_HISTORIES = max(1, HISTORIES // 25)
FIRST = int(os.environ.get("REGRADE_FIRST", "0"))
STEPS = 16
CONCURRENT_STEPS = 8
ESSAY = 0
METHODS = ("halves", "coverage", "each_option", "all_or_nothing")
MAX_STATEMENTS = 60
"""After how many statements at most a process ends; most actions have fewer."""


class ProcessEnded(BaseException):
    """Ends what runs as the end of its process does: nobody catches it."""


class History:
    """A quiz with an essay and two questions, its attempts, and what persons gave by slot."""

    def __init__(self, users: Users, quiz: Quiz, seed: int) -> None:
        self.users, self.quiz, self.chance = users, quiz, random.Random(seed)
        slots = quiz.sections.get().slots.order_by("position")
        used = [slot.question for slot in slots.select_related("question")]
        self.questions = [question for question in used[1:] if question is not None]
        self.attempts: list[Attempt] = []
        self.given: dict[tuple[int, int], Fraction | None] = {}
        self.totals: dict[int, Fraction | None] = {}

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

    def set_total(self) -> None:
        """Set the score of an attempt, or take that back, where nothing waits for a person."""
        attempt = self.chance.choice(self.attempts)
        share = self.chance.choice([None, Fraction(0), Fraction(2, 3), Fraction(1)])
        try:
            override_total(
                attempt=attempt.uuid, share=share, reason="Late", by=self.users.instructor, now=NOW
            )
        except ServiceError:
            return
        self.totals[attempt.pk] = share

    def comment(self) -> None:
        attempt, slot = self.chance.choice(self.attempts), self.chance.choice((1, 2))
        comment_on_answer(
            attempt=attempt.uuid, slot=slot, comment="Read it", by=self.users.instructor, now=NOW
        )

    def withdraw(self) -> None:
        overridden = [place for place in self.given if place[1] != ESSAY]
        if not overridden:
            return
        pk, slot = self.chance.choice(overridden)
        override_score(
            attempt=Attempt.objects.get(pk=pk).uuid,
            slot=slot,
            share=None,
            reason="By the machine again",
            by=self.users.instructor,
            now=NOW,
        )
        del self.given[pk, slot]

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
                    **self.choose_details(action),
                )
        except ServiceError:
            return

    def choose_details(self, action: RegradeAction) -> dict[str, Any]:
        if action == RegradeAction.POINTS:
            return {"points": Fraction(self.chance.randint(1, 8), 2)}
        if action == RegradeAction.METHOD:
            return {"scoring_method": self.chance.choice(METHODS)}
        return {}

    def end_process(self) -> None:
        """Do something, and end at a random statement of it; what is left is taken up later."""
        steps: list[Callable[[], Any]] = [
            self.submit,
            self.mark,
            self.override,
            self.withdraw,
            self.set_total,
            self.comment,
            self.change_key,
            self.propose,
            settle,
        ]
        left = self.chance.randint(1, MAX_STATEMENTS)

        def count_down(execute: Any, sql: str, *arguments: Any) -> Any:
            nonlocal left
            if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
                left -= 1
                if left == 0:
                    raise ProcessEnded
            return execute(sql, *arguments)

        try:
            with connection.execute_wrapper(count_down):
                self.chance.choice(steps)()
        except ProcessEnded:
            assert left <= 0

    def crash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Regrade, broken off at a random attempt, with a rule committed in the middle of it."""
        calls, last = 0, self.chance.randint(1, 3)

        def break_off(*arguments: Any) -> Grading:
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
        actions = [action for action in RegradeAction if action != RegradeAction.REVERT]
        action = self.chance.choice(actions)
        policy, details = self.chance.choice(POLICIES[action]), self.choose_details(action)
        expected = preview(self.quiz, question, policy, action, **details)
        try:
            commit(self.quiz, question, self.users, policy, action=action, **details)
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

    def act_at_once(self) -> None:
        """Let two runs go at once with learners and persons, and somebody who commits a rule."""
        steps: list[Callable[[], Any]] = [
            *(self.submit, self.mark, self.override, self.set_total, self.comment),
            *(self.change_key, self.propose),
        ]
        run = partial(continue_regrades, now=NOW)
        outcomes: list[Any] = at_once([run, run, *self.chance.sample(steps, 2)])
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
            assert not isinstance(outcome, RegradeRun) or outcome.failed == 0

    def check(self) -> None:
        """Check that marks by persons count, a second run does nothing, and the record replays."""
        sweep(now=NOW)
        settle()
        for (attempt, slot), credit in self.given.items():
            assert self.read_credit(attempt, slot) == credit
        for result in Result.objects.filter(attempt__in=self.totals).select_related("grading"):
            share, grading = self.totals[result.attempt_id], result.grading
            assert share is None or grading.total == share * grading.maximum
        count = Grading.objects.count()
        assert continue_regrades(now=NOW) == (0, 0, 0)
        assert Grading.objects.count() == count
        assert not Attempt.objects.filter(quiz=self.quiz, state=State.SUBMITTED).exists()
        assert find_differences(self.quiz) == []


def settle() -> None:
    assert continue_regrades(now=NOW).failed == 0


def create_history_quiz(users: Users, into: Bank, slug: str = "history") -> Quiz:
    questions = [create_question(into, f"{slug}-{n}", right="ab") for n in range(2)]
    essay = create_essay(into, f"{slug}-essay")
    return create_quiz(users, [essay, *questions], slug=slug, window_attempts=None)


@pytest.fixture
def quiz(users: Users, into: Bank) -> Quiz:
    return create_history_quiz(users, into)


@pytest.mark.parametrize("part", range(2))
def test_random_histories_keep_hand_marks_and_replay(users, quiz, monkeypatch, part):
    for seed in range(FIRST + part, FIRST + HISTORIES, 2):
        with transaction.atomic():
            play(History(users, quiz, seed), monkeypatch)
            transaction.set_rollback(True)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_keep_hand_marks_and_replay(users: Users) -> None:
    into = create_bank(users)
    for seed in range(CONCURRENT_HISTORIES):
        history = History(users, create_history_quiz(users, into, f"history-{seed}"), seed)
        history.submit()
        for _ in range(CONCURRENT_STEPS):
            history.act_at_once()
        history.check()
    assert find_differences() == []


def play(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    history.submit()
    steps: list[Callable[[], None]] = [
        history.submit,
        history.mark,
        history.override,
        history.withdraw,
        history.set_total,
        history.comment,
        history.change_key,
        history.end_process,
        history.propose,
        lambda: history.crash(monkeypatch),
        history.preview_and_apply,
    ]
    for _ in range(STEPS):
        history.chance.choice(steps)()
    history.check()
