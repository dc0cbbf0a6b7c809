"""Attempts with and without triggers, in this process: `python -m bench.one_trigger_run ROUNDS`.

Prints as JSON: `with` and `without` as medians [ms, ms in statements] of an attempt, `difference`
in ms, `functions` [name, calls, ms] an attempt, medians of the attempts that were counted, and
`chain` [name, calls, CPU ms a call] of the pure functions.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.db import connection

from accounts.models import User
from bench.chain_costs import measure_chain_costs
from quizzes.attempts import services as attempts
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.bank.models import Option
from quizzes.lib import clock, triggers
from quizzes.publishing.models import Quiz
from quizzes.results import services as results

ATTEMPTS = 10
"""Attempts of a block; the first of them is not counted."""
CALLS = 400
"""Calls of each pure function a round: 12,000 in the 30 rounds of the measurement."""


class StatementTimer:
    """Adds up how long statements take, as a wrapper of Django's."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Run a statement."""
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.seconds += time.perf_counter() - begun


def take_attempt(quiz: Quiz, learner: User, options: dict[str, str]) -> UUID:
    """Start, answer each question in a save of its own, submit and grade; return the attempt."""
    attempt = attempts.start(quiz=quiz.uuid, learner=learner, now=clock.now())
    for number, slot in enumerate(Manifest.from_json(attempt.manifest).slots):
        raw = {"chosen": [options[str(slot.question)]]}
        response = ResponseInput(slot=number, raw=raw, idempotency_key=uuid4())
        save_responses(
            attempt=attempt.uuid,
            learner=learner,
            inputs=[response],
            language="en",
            now=clock.now(),
        )
    results.finish(attempt=attempt.uuid, learner=learner, now=clock.now())
    return attempt.uuid


def measure_block(act: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each attempt of a block, and those of its statements."""
    walls, statements = list[float](), list[float]()
    for _ in range(ATTEMPTS):
        timer, begun = StatementTimer(), time.perf_counter()
        with connection.execute_wrapper(timer):
            act()
        walls.append((time.perf_counter() - begun) * 1000)
        statements.append(timer.seconds * 1000)
    return walls[1:], statements[1:]


def count_functions(act: Callable[[], object], attempts: int) -> list[tuple[str, float, float]]:
    """Return name, calls and ms an attempt of each trigger function, the dearest first.

    The medians of so many attempts: the times are those of a clock, so an attempt that another
    process interrupted says nothing.
    """
    calls, spent = dict[str, list[float]](), dict[str, list[float]]()
    before = _read_functions()
    for _ in range(attempts):
        act()
        after = _read_functions()
        for name, (count, milliseconds) in after.items():
            count_before, milliseconds_before = before.get(name, (0, 0.0))
            calls.setdefault(name, []).append(count - count_before)
            spent.setdefault(name, []).append(milliseconds - milliseconds_before)
        before = after
    functions = [(name, median(calls[name]), median(spent[name])) for name in calls]
    return sorted(functions, key=lambda function: -function[2])


def _read_functions() -> dict[str, tuple[int, float]]:
    """Return calls and ms of each trigger function since the database was made."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")  # in the statement after it
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT funcname, calls, self_time FROM pg_stat_user_functions"
            " WHERE funcname <> 'ochenta_number_change'"
        )
        return {name: (calls, spent) for name, calls, spent in cursor.fetchall()}


def main(rounds: int) -> None:
    """Measure, and print the report."""
    quiz, learner = Quiz.objects.get(), User.objects.get()
    options = {str(row.question.uuid): str(row.uuid) for row in Option.objects.filter(name="a")}
    refusing = [row for row in triggers.list_triggers() if isinstance(row, triggers.Trigger)]
    totals: dict[str, tuple[list[float], list[float]]] = {"with": ([], []), "without": ([], [])}
    differences = []
    for number in range(rounds):
        medians = {}
        for name in sorted(totals, reverse=bool(number % 2)):
            if name == "without":
                triggers.drop_triggers(connection, refusing)
            walls, statements = measure_block(lambda: take_attempt(quiz, learner, options))
            if name == "without":
                triggers.install_triggers(connection, refusing)
            totals[name][0].extend(walls)
            totals[name][1].extend(statements)
            medians[name] = median(statements)
        differences.append(medians["with"] - medians["without"])
    connection.close()  # and with it the plans for tables that were almost empty
    with connection.cursor() as cursor:
        # Tables of a site are large: PostgreSQL looks up rows there, and reads no table through.
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("SET track_functions = 'pl'")
    attempt = take_attempt(quiz, learner, options)  # has the functions planned
    functions = count_functions(lambda: take_attempt(quiz, learner, options), ATTEMPTS * rounds)
    chain = measure_chain_costs(attempt, CALLS * rounds)
    report = {
        "attempts": len(totals["with"][0]),
        **{name: [median(walls), median(spent)] for name, (walls, spent) in totals.items()},
        "difference": median(differences),
        "functions": functions,
        "chain": [(name, *costs) for name, costs in chain.items()],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(int(sys.argv[1]))
