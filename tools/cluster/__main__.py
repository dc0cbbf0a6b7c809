"""`./dev cluster --check`: a site on several machines, all on this one, while its processes die.

Learners save without pause while each process is killed and frozen in turn, the standby is promoted
and a new release rolled out. Prints a table; ends with 1 if an acknowledged answer was lost,
altered, stored twice or never sent, a request failed after all tries of a browser, or the control
(a standby that nobody waited for is promoted) seems to lose nothing.
"""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

from tools import postgres
from tools.cluster.machines import Machines, started
from tools.cluster.next_release import write_release
from tools.cluster.outages import (
    PROCESSES,
    RECOVERY,
    NotRecoveredError,
    Trial,
    run_outages,
    run_release,
)
from tools.cluster.proxy import NoProxyError
from tools.cluster.report import HEADER, Outage, format_row, list_missing, measure
from tools.cluster.services import NotReadyError
from tools.cluster.traffic import Traffic, at_work
from tools.faults.journal import entries, rows
from tools.faults.ledger import Ledger, build_ledger
from tools.pgbouncer import NoPoolerError
from tools.processes import end_on_terminate, wait_until
from tools.redis import NoRedisError

LEARNERS = 12
NEWEST = "SELECT coalesce(max(id), 0) FROM attempts_response"
FINISHED = "SELECT uuid FROM attempts_attempt WHERE state = 'graded'"
READ_FROM = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'ochenta'"
"""How many transactions read from the database of the site on this server since its start."""
CONTROL_SAVES = 30
NOT_THERE = (NoProxyError, NoPoolerError, NoRedisError, postgres.NoPostgresError)


def main() -> int:
    """Start everything, try it, and print what became of the answers."""
    options = _parse_options()
    end_on_terminate()
    began = time.monotonic()
    try:
        with started() as machines:
            _tell(f"{len(PROCESSES)} processes answer", began)
            if not options.check:
                print(f"The site is at http://localhost:{machines.port}/  (Ctrl-C stops it)")
                sys.stdout.flush()
                signal.pause()
            problems = _check(machines, options)
    except (*NOT_THERE, NotReadyError) as reason:
        sys.exit(f"The cluster cannot start: {reason}")
    _tell("all have ended", began)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev cluster")
    parser.add_argument("--check", action="store_true", help="try everything and stop")
    parser.add_argument("--seconds", type=float, default=5, help="that each process stays away")
    parser.add_argument("--only", nargs="+", default=PROCESSES, choices=PROCESSES, metavar="NAME")
    parser.add_argument("--rows", type=int, default=100_000, help="responses in the journal before")
    return parser.parse_args()


def _tell(event: str, began: float) -> None:
    print(f"{event} ({time.monotonic() - began:.0f} s)", flush=True)


def _check(machines: Machines, options: argparse.Namespace) -> list[str]:
    """Return what is wrong; nothing if all promises were kept."""
    began = time.monotonic()
    words = (str(LEARNERS), str(options.rows))
    traffic = Traffic(machines.port, machines.call("tools.cluster.seed", *words, as_owner=True))
    first = _read(machines, NEWEST)[0][0]
    machines.pair.checkpoint()
    _tell(f"{first} responses of others, {LEARNERS} learners", began)
    trial, outages = Trial(machines, traffic, options.seconds), list[Outage]()
    problems = list[str]()
    with at_work(traffic):
        try:
            _run(trial, outages, options.only)
        except (NotRecoveredError, NotReadyError, AssertionError) as reason:
            problems.append(str(reason))
    problems += _judge(machines, traffic, first)
    problems += list_missing([(each.process, each.event) for each in outages], options.only)
    problems += _run_control(machines, traffic, first)
    if problems:
        print(machines.find_errors())
    return problems


def _run(trial: Trial, outages: list[Outage], processes: Sequence[str]) -> None:
    """Let everything happen, and print the table."""
    trial.wait_until_well("the start")
    print(HEADER, flush=True)
    _print(trial, trial.run("none", "for comparison", lambda: time.sleep(trial.seconds)))
    for outage in run_outages(trial, processes):
        outages.append(outage)
        _print(trial, outage)
    machines = trial.machines
    machines.release = write_release(machines.folder / "next-release")
    for outage in run_release(trial):
        _print(trial, outage)


def _print(trial: Trial, outage: Outage) -> None:
    record = trial.traffic.record
    effect = measure(outage, record.saves, [moment for moment, _ in record.failures])
    print(format_row(outage, effect), flush=True)


def _judge(machines: Machines, traffic: Traffic, first: int) -> list[str]:
    """Compare what was acknowledged with what the database has."""
    record = traffic.record
    ledger = _read_ledger(machines, traffic, first)
    print(_describe(ledger, traffic), flush=True)
    graded = {str(uuid) for (uuid,) in _read(machines, FINISHED)}
    problems = [] if ledger.is_whole else [f"a promise was broken: {ledger}"]
    if missing := set(record.submitted) - graded:
        problems.append(f"{len(missing)} attempts were submitted and are not graded")
    problems += [f"failed for good: {reason}" for _, reason in record.failures]
    problems += [f"an error: {error}" for error in record.errors]
    if not record.files or not record.pages:
        problems.append("the instructor got no page or no file")
    if machines.pair.standby.read(READ_FROM) == "0":
        problems.append("nothing was read from the replica")
    return problems


def _describe(ledger: Ledger, traffic: Traffic) -> str:
    record = traffic.record
    retries = ", ".join(f"{number} × {heard}" for heard, number in sorted(record.retries.items()))
    return (
        f"{ledger.acknowledged} saves acknowledged: {ledger.lost} lost, {ledger.altered} altered, "
        f"{ledger.phantom} phantom, {ledger.twice} twice; {len(record.submitted)} attempts "
        f"submitted; {record.pages} pages and {record.files} files of the instructor; "
        f"{len(record.failures)} requests failed; tried again: {retries or 'none'}"
    )


def _run_control(machines: Machines, traffic: Traffic, first: int) -> list[str]:
    """Promote a standby that nobody waited for; a ledger that sees no loss is no ledger."""
    pair = machines.pair
    pair.checkpoint()
    pair.stop_waiting()
    pair.standby.kill()
    saves = traffic.record.saves
    enough = len(saves) + CONTROL_SAVES
    traffic.over.clear()
    with at_work(traffic):
        wait_until(lambda: len(saves) >= enough, seconds=RECOVERY)
        pair.primary.kill()
        traffic.closed.set()
    pair.standby.start()
    pair.promote()
    ledger = _read_ledger(machines, traffic, first)
    print(f"control, without waiting for the standby: {ledger.lost} lost", flush=True)
    return [] if ledger.lost else ["the control seems to lose nothing"]


def _read_ledger(machines: Machines, traffic: Traffic, first: int) -> Ledger:
    journal = entries(machines.pair.build_owner_address(), first)
    return build_ledger(traffic.learners, journal)


def _read(machines: Machines, query: str) -> Sequence[tuple[Any, ...]]:
    return rows(machines.pair.build_owner_address(), query)


if __name__ == "__main__":
    sys.exit(main())
