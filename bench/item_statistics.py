"""Whether the measures are right on many random sets, what DIF flags, and how long a million takes.

`python -m bench.item_statistics [--sets N] [--exams N] [--responses N]`: measures of N random sets
beside their definitions, DIF in N simulated exams of each sort, and states of N responses. No
database. Ends with 1 where a measure differs.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quizzes.statistics.domain.attempt_record import AttemptRecord
from quizzes.statistics.domain.option_measures import measure_options
from quizzes.statistics.domain.purification import ResponsePatterns, measure_all_dif
from quizzes.statistics.domain.question_measures import compute_effective_weights, measure_question
from quizzes.statistics.domain.quiz_measures import QuizMeasures, measure_quiz
from quizzes.statistics.domain.states import QuizState
from tests.quizzes.statistics.domain.attempt_samples import (
    OPTIONS,
    build_attempt,
    build_state,
    draw_attempts,
    simulate_languages,
)
from tests.quizzes.statistics.domain.recomputation import find_differences

QUESTIONS = 20
PLANTED = (4, 11)
DISTINCT_ATTEMPTS = 2_000


def compare_sets(sets: int) -> int:
    """Return how many random sets have a measure that differs from its definition."""
    rng = random.Random(2026)  # noqa: S311 (a sample, no secret)
    differing = 0
    for _ in range(sets):
        attempts = draw_attempts(rng)
        state = build_state(attempts)
        questions = [measure_question(state.select_answers(name)) for name in state.questions]
        options = [
            measure_options(state.select_answers(name), OPTIONS, ["a"]) for name in state.questions
        ]
        quiz = measure_quiz(state, Fraction(1, 2))
        differing += bool(list(find_differences(attempts, quiz, questions, options)))
    return differing


def flag_exams(exams: int, impact: float, logits: float) -> tuple[float, float]:
    """Return the share of planted questions and of others that are flagged, 200 a language."""
    rng = random.Random(2026)  # noqa: S311 (the same)
    planted = PLANTED if logits else ()
    hits = false = 0
    for _ in range(exams):
        patterns = ResponsePatterns()
        for attempt in simulate_languages(
            rng,
            questions=QUESTIONS,
            learners=200,
            impact=impact,
            planted=planted,
            logits=logits,
        ):
            patterns.add(attempt)
        flagged = measure_all_dif(patterns, "en", "es").flagged
        names = {f"q{place:02}" for place in planted}
        hits += len(flagged & names)
        false += len(flagged - names)
    others = QUESTIONS - len(planted)
    return hits / max(1, exams * len(planted)), false / (exams * others)


def read_measures(state: QuizState) -> QuizMeasures:
    """Compute all that a page of a quiz shows."""
    measures = {}
    for name in state.questions:
        answers = state.select_answers(name)
        question = measure_question(answers)
        if question:
            measures[name] = question
        measure_options(answers, OPTIONS, ["a"])
    compute_effective_weights(measures)
    return measure_quiz(state, Fraction(1, 2))


def draw_many(attempts: int) -> Iterator[AttemptRecord]:
    """Yield attempts at 20 questions of four options, drawn from some two thousand papers."""
    rng = random.Random(2026)  # noqa: S311 (the same)
    papers = []
    for _ in range(min(attempts, DISTINCT_ATTEMPTS)):
        ability = rng.random()
        chosen = [
            "a" if rng.random() < ability else rng.choice(OPTIONS[1:]) for _ in range(QUESTIONS)
        ]
        papers.append(
            build_attempt(
                [int(option == "a") for option in chosen],
                rng.choice(("en", "es")),
                rng.randint(1, 2),
                [frozenset({option}) for option in chosen],
            )
        )
    yield from (papers[place % len(papers)] for place in range(attempts))


def time_states(responses: int) -> tuple[float, float, float]:
    """Return CPU seconds of building the states, of one more attempt, and of reading a page."""
    state = QuizState()
    attempts = draw_many(max(2, responses // QUESTIONS))
    begun = time.process_time()
    for attempt in attempts:
        state.add(attempt)
    built = time.process_time()
    state.remove(attempt)
    state.add(attempt)
    changed = time.process_time()
    read_measures(state)
    return built - begun, (changed - built) / 2, time.process_time() - changed


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sets", type=int, default=10_000)
    parser.add_argument("--exams", type=int, default=200)
    parser.add_argument("--responses", type=int, default=1_000_000)
    options = parser.parse_args()
    if min(options.sets, options.exams, options.responses) < 1:
        sys.exit("There is nothing to measure.")
    differing = compare_sets(options.sets)
    print(f"{options.sets} random sets: {differing} differ from the definitions")
    print("| ability apart, SD | planted, logits | flagged | others flagged |\n|---|---|---|---|")
    for impact in (0.0, 0.5, 1.0):
        for logits in (0.0, 1.0, 1.2):
            power, false = flag_exams(options.exams, impact, logits)
            shown_power = f"{power:.1%}" if logits else "–"
            print(f"| {impact} | {logits or '–'} | {shown_power} | {false:.1%} |", flush=True)
    built, changed, read = time_states(options.responses)
    print(
        f"{options.responses} responses: {built:.2f} s to count, {1000 * changed:.2f} ms an "
        f"attempt more or less, {1000 * read:.0f} ms to read all measures"
    )
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
