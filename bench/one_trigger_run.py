"""Attempts with and without triggers, in this process: `python -m bench.one_trigger_run ROUNDS`.

Prints as JSON: `with`, `without` (triggers) and `unchained` (without chain, codes and receipt) as
medians [ms, ms in statements, CPU ms] and least CPU ms of an attempt; as medians of the rounds
`difference`, of the triggers in ms of statements, and `chain_difference`, of the chain in CPU ms;
`functions` [name, calls, ms] an attempt, medians of the attempts that were counted, and `chain`
[name, calls, CPU ms a call] of the pure functions.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These need Django to be set up.
from django.db import connection

from accounts.models import User
from bench.chain_costs import measure_chain_costs
from bench.without_chain import leave_out
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


class AttemptCosts(NamedTuple):
    """Of each attempt of a block: its ms, those in statements, and those of CPU here."""

    walls: list[float]
    statements: list[float]
    cpu: list[float]

    def add(self, other: "AttemptCosts") -> None:
        """Take the attempts of another block in."""
        for durations, more in zip(self, other, strict=True):
            durations.extend(more)

    def medians(self) -> list[float]:
        """Return the median of each, and the least CPU: of the attempt that nobody interrupted."""
        return [*(median(durations) for durations in self), min(self.cpu)]


def measure_block(act: Callable[[], object]) -> AttemptCosts:
    """Measure each attempt of a block but the first."""
    block = AttemptCosts([], [], [])
    for _ in range(ATTEMPTS):
        timer, begun, begun_cpu = StatementTimer(), time.perf_counter(), time.process_time()
        with connection.execute_wrapper(timer):
            act()
        block.cpu.append((time.process_time() - begun_cpu) * 1000)
        block.walls.append((time.perf_counter() - begun) * 1000)
        block.statements.append(timer.seconds * 1000)
    return AttemptCosts(*(durations[1:] for durations in block))


@contextmanager
def without_triggers() -> Iterator[None]:
    """Let the attempts of the block be taken without the triggers that refuse."""
    refusing = [row for row in triggers.list_triggers() if isinstance(row, triggers.Trigger)]
    triggers.drop_triggers(connection, refusing)
    yield
    triggers.install_triggers(connection, refusing)


STATES: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "with": nullcontext,
    "without": without_triggers,
    "unchained": leave_out,
}
"""What is measured in turns: the site, and what of it is left out."""


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
    totals = {name: AttemptCosts([], [], []) for name in STATES}
    differences, chain_differences = list[float](), list[float]()
    for number in range(rounds):
        blocks = {}
        for name in sorted(STATES, reverse=bool(number % 2)):
            with STATES[name]():
                blocks[name] = measure_block(lambda: take_attempt(quiz, learner, options))
            totals[name].add(blocks[name])
        medians = {name: block.medians() for name, block in blocks.items()}
        differences.append(medians["with"][1] - medians["without"][1])
        chain_differences.append(medians["with"][2] - medians["unchained"][2])
    connection.close()  # and with it the plans for tables that were almost empty
    with connection.cursor() as cursor:
        # Tables of a site are large: PostgreSQL looks up rows there, and reads no table through.
        cursor.execute("SET enable_seqscan = off")
        # Plans seem dear then, and PostgreSQL would compile them: for seconds, each time.
        cursor.execute("SET jit = off")
        cursor.execute("SET track_functions = 'pl'")
    attempt = take_attempt(quiz, learner, options)  # has the functions planned
    functions = count_functions(lambda: take_attempt(quiz, learner, options), ATTEMPTS * rounds)
    chain = measure_chain_costs(attempt, CALLS * rounds)
    report = {
        "attempts": len(totals["with"].walls),
        **{name: block.medians() for name, block in totals.items()},
        "difference": median(differences),
        "chain_difference": median(chain_differences),
        "functions": functions,
        "chain": [(name, *costs) for name, costs in chain.items()],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(int(sys.argv[1]))
