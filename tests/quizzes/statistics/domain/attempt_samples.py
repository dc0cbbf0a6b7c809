"""Attempts for the tests of measures: from a table, by chance, or by a model of ability."""

import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from quizzes.statistics.domain.attempt_record import AttemptRecord, ItemResponse
from quizzes.statistics.domain.states import QuizState

CREDITS = tuple(map(Fraction, ("0", "1", "1/2", "1/3", "2/3", "-1/4")))
OPTIONS = ("a", "b", "c", "d")


def build_attempt(
    marks: Any,
    language: str = "en",
    number: int = 1,
    choices: Sequence[frozenset[str]] | None = None,
    points: Sequence[Fraction] | None = None,
) -> AttemptRecord:
    """Return an attempt that earned these credits, each of 1 point unless others are named."""
    marks = list(marks)
    points = points or [Fraction(1)] * len(marks)
    responses = tuple(
        ItemResponse(
            f"q{place:02}",
            Fraction(mark),
            Fraction(points[place]),
            choice=None if choices is None else choices[place],
            is_omitted=choices is not None and not choices[place],
            seconds=10 * (place + 1),
        )
        for place, mark in enumerate(marks)
    )
    score = max(sum((response.mark for response in responses), Fraction()), Fraction())
    return AttemptRecord(language, number, score, sum(points, Fraction()), responses, seconds=600)


def build_state(attempts: Iterable[AttemptRecord]) -> QuizState:
    state = QuizState()
    for attempt in attempts:
        state.add(attempt)
    return state


def draw_attempts(rng: random.Random, most=12):
    """Return attempts at the same questions: credits, worths and choices by chance."""
    questions = rng.randint(2, 6)
    points = [Fraction(rng.choice((1, 1, 2, Fraction(1, 2)))) for _ in range(questions)]
    credit_choices = CREDITS[: rng.choice((2, 3, 6))]
    return [
        build_attempt(
            [rng.choice(credit_choices) for _ in range(questions)],
            rng.choice(("en", "es")),
            rng.randint(1, 2),
            [frozenset(rng.sample(OPTIONS, rng.randint(0, 2))) for _ in range(questions)],
            points,
        )
        for _ in range(rng.randint(2, most))
    ]


def simulate_languages(
    rng: random.Random, *, questions, learners, impact=0.0, planted=(), logits=1.0
):
    """Return attempts by the Rasch model; Spanish ones are `impact` SD lower in ability.

    Planted questions are so many logits harder in Spanish.
    """
    difficulties = [rng.gauss(0, 1) for _ in range(questions)]
    attempts = []
    for language in ("en", "es"):
        for _ in range(learners):
            ability = rng.gauss(-impact if language == "es" else 0, 1)
            marks = [
                rng.random()
                < 1
                / (
                    1
                    + math.exp(difficulty + logits * (language == "es" and q in planted) - ability)
                )
                for q, difficulty in enumerate(difficulties)
            ]
            attempts.append(build_attempt([Fraction(mark) for mark in marks], language))
    return attempts
