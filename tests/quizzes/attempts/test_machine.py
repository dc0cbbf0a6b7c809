"""Attempts against a small reference model: whatever is done in whatever order, they agree.

OCHENTA_FUZZ names how many stories to try; by default a few.
"""

import os
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Accommodation, Attempt, QuizGrade, Response, State
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import load_attempt_view
from quizzes.lib.errors import Refused
from quizzes.publishing.models import Quiz
from quizzes.results import services
from quizzes.results.models import Grading
from tests.factories import NOW, create_quiz, option_ids
from tests.users import Users

EXAMPLES = int(os.environ.get("OCHENTA_FUZZ", "6"))
LIMIT, GRACE, COOLDOWN, HOURS = (
    timedelta(minutes=20),
    timedelta(seconds=10),
    timedelta(minutes=5),
    2,
)
MOST, PER_WINDOW, EXTRA = 5, 3, 1
RIGHT = ("abc", "b", "b")
CHOICES = (("a", "abc", "abcd", None), ("a", "b", None), ("a", "b", None))


@dataclass
class Modelled:
    """An attempt as the reference knows it."""

    id: UUID
    started: datetime
    state: str = "open"
    ended: datetime | None = None
    ending: str = ""
    answers: dict[int, str | None] = field(default_factory=dict)
    revisions: dict[int, int] = field(default_factory=dict)
    sent: dict[UUID, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def deadline(self) -> datetime:
        return self.started + LIMIT

    def overdue(self, now: datetime) -> bool:
        return self.state == "open" and now > self.deadline + GRACE

    def expire(self, now: datetime) -> None:
        if self.overdue(now):
            self.state, self.ended, self.ending = "submitted", self.deadline, "expired"

    def right(self) -> int:
        """How many slots are wholly right."""
        return sum(self.answers.get(slot) == letters for slot, letters in enumerate(RIGHT))


class Machine(RuleBasedStateMachine):
    """One learner, one quiz, one clock; the model is a list of attempts."""

    users: Users
    quiz: Quiz
    questions: list[Any]

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.made: list[Modelled] = []
        # Each story is rolled back at its end, so that the next one starts from nothing.
        self.frame = transaction.atomic()
        self.frame.__enter__()
        Accommodation.objects.create(
            quiz=self.quiz, learner=self.users.learner, extra_attempts=EXTRA
        )

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.frame.__exit__(None, None, None)

    # --- The model's rules ---
    def last(self) -> Modelled:
        return self.made[-1]

    def counted(self) -> list[Modelled]:
        return [attempt for attempt in self.made if attempt.state != "void"]

    def expected_start(self) -> str:
        past = self.counted()
        if len(past) >= MOST + EXTRA:
            return "no_attempts_left"
        waits = [("allowed", self.now)]
        if past:
            latest = max(attempt.ended or attempt.started for attempt in past)
            waits.append(("cooling_down", latest + COOLDOWN))
        if len(past) >= PER_WINDOW:
            oldest = sorted(attempt.started for attempt in past)[-PER_WINDOW]
            waits.append(("window_full", oldest + timedelta(hours=HOURS)))
        return max(waits, key=lambda wait: wait[1])[0]

    # --- What may happen ---
    @rule(seconds=st.sampled_from([1, 60, 301, 1200, 1211, 3600, 7200]))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule()
    def start(self) -> None:
        going = [
            attempt
            for attempt in self.made
            if attempt.state == "open" and not attempt.overdue(self.now)
        ]
        before = [attempt for attempt in self.made if attempt.overdue(self.now)]
        # For the rules, an overdue attempt ended at its deadline.
        for attempt in before:
            attempt.ended = attempt.deadline
        expected = "allowed" if going else self.expected_start()
        begun = self.begun()
        if expected != "allowed":
            assert begun == expected
            for attempt in before:
                attempt.ended = None  # a refusal writes nothing: the sweep will
        elif going:
            assert begun == going[0].id
        else:
            assert isinstance(begun, UUID)
            for attempt in before:
                attempt.expire(self.now)
            self.made.append(Modelled(begun, self.now))

    def begun(self) -> UUID | str:
        """The attempt that there is now, or the code of the refusal."""
        try:
            return lifecycle.start(
                quiz=self.quiz.uuid, learner=self.users.learner, now=self.now
            ).uuid
        except Refused as refusal:
            return refusal.code

    @precondition(lambda self: self.made)
    @rule(data=st.data(), slot=st.integers(0, 2), base=st.sampled_from(["none", "right", "stale"]))
    def save(self, data: Any, slot: int, base: str) -> None:
        model = data.draw(st.sampled_from(self.made[-2:]), label="attempt")
        letters = data.draw(st.sampled_from(CHOICES[slot]), label="chosen")
        seen = model.revisions.get(slot, 0)
        number = {"none": None, "right": seen, "stale": seen + 1}[base]
        operation = uuid4()
        self.check_save(model, slot, letters, number, operation)

    @precondition(lambda self: any(attempt.sent for attempt in self.made))
    @rule(data=st.data())
    def save_again(self, data: Any) -> None:
        model = data.draw(st.sampled_from([attempt for attempt in self.made if attempt.sent]))
        operation = data.draw(st.sampled_from(sorted(model.sent)))
        slot, letters, base, answer = model.sent[operation]
        status = self.sent(model, slot, letters, base, operation)
        assert status.status == answer[0]
        if status.status == "accepted":
            assert (status.status, status.revision) == answer

    def check_save(
        self, model: Modelled, slot: int, letters: str | None, base: int | None, operation: UUID
    ) -> None:
        late = model.state != "open" or model.overdue(self.now)
        stands = model.revisions.get(slot, 0)
        if late:
            expected = ("late", stands)
        elif base is not None and base != stands:
            expected = ("conflict", stands)
        else:
            expected = ("accepted", stands + 1)
            model.revisions[slot], model.answers[slot] = stands + 1, letters
        status = self.sent(model, slot, letters, base, operation)
        assert (status.status, status.revision) == expected
        model.sent[operation] = (slot, letters, base, expected)

    def sent(
        self, model: Modelled, slot: int, letters: str | None, base: int | None, operation: UUID
    ) -> Any:
        raw = None if letters is None else {"chosen": option_ids(self.questions[slot], *letters)}
        response_input = ResponseInput(
            slot=slot, raw=raw, idempotency_key=operation, base_revision=base
        )
        return save_responses(
            attempt=model.id,
            learner=self.users.learner,
            inputs=[response_input],
            language="en",
            now=self.now,
        )[0]

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def submit(self, data: Any) -> None:
        model = data.draw(st.sampled_from(self.made[-2:]))
        try:
            services.finish(attempt=model.id, learner=self.users.learner, now=self.now)
        except Refused:
            assert model.state == "void"
            return
        assert model.state != "void"
        model.expire(self.now)
        if model.state == "open":
            model.state, model.ended, model.ending = "submitted", self.now, "submitted"
        model.state = "graded"

    @rule()
    def sweep(self) -> None:
        services.sweep(now=self.now)
        for model in self.made:
            model.expire(self.now)
            if model.state == "submitted":
                model.state = "graded"

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def void(self, data: Any) -> None:
        model = data.draw(st.sampled_from(self.made))
        services.void(attempt=model.id, by=self.users.instructor, reason="chance", now=self.now)
        model.state = "void"

    # --- What always agrees ---
    @invariant()
    def the_rows_agree_with_the_model(self) -> None:
        rows = {row.uuid: row for row in Attempt.objects.order_by("number")}
        assert list(rows) == [attempt.id for attempt in self.made]
        for number, model in enumerate(self.made, 1):
            row = rows[model.id]
            assert (row.number, row.state, row.started_at) == (number, model.state, model.started)
            if model.state != "void":
                assert (row.submitted_at, row.submission_reason) == (model.ended, model.ending)
        assert sum(row.state == State.OPEN for row in rows.values()) <= 1
        assert sum(row.state != State.VOID for row in rows.values()) <= MOST + EXTRA

    @invariant()
    def the_newest_accepted_answers_stand(self) -> None:
        for model in self.made[-2:]:
            heads = load_attempt_view(attempt=model.id, learner=self.users.learner).responses
            for slot, head in enumerate(heads):
                letters = model.answers.get(slot)
                chosen = (
                    None if letters is None else set(option_ids(self.questions[slot], *letters))
                )
                assert head.revision == model.revisions.get(slot, 0)
                assert (None if head.answer is None else set(head.answer["chosen"])) == chosen
        assert Response.objects.count() == sum(len(attempt.sent) for attempt in self.made)

    @invariant()
    def gradings_and_quiz_grade_follow_the_answers(self) -> None:
        graded = [attempt for attempt in self.made if attempt.state == "graded"]
        totals = {row.attempt.uuid: row.total for row in Grading.objects.select_related("attempt")}
        for model in graded:
            assert totals[model.id] == model.right()
        quiz_grade = QuizGrade.objects.filter(learner=self.users.learner).first()
        if quiz_grade:
            assert quiz_grade.attempts_graded == len(graded)
            best = max((attempt.right() for attempt in graded), default=None)
            assert quiz_grade.total == best


@pytest.mark.django_db
def test_attempts_and_the_reference_model_never_part(users, questions):
    quiz = create_quiz(
        users,
        questions,
        scoring_method="all_or_nothing",
        time_limit=20,
        max_attempts=MOST,
        cooldown_minutes=5,
        window_attempts=PER_WINDOW,
        window_hours=HOURS,
    )

    class Here(Machine):
        pass

    Here.users, Here.quiz, Here.questions = users, quiz, questions
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
