"""How long a corrected key takes for many attempts: `python -m bench.regrade [ATTEMPTS …]`.

On a throwaway PostgreSQL with `fsync` on, a quiz of ten questions: the preview of all attempts, the
commit in batches, a second run, and the memory of each process. Then another rule while learners
go on with the same quiz at the product's own gunicorn, and what their requests take meanwhile,
beside what they take when nothing else runs. Each number of attempts has its own database.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.cpu import measure_cpu
from bench.load import Browser, Tally, begin_attempt, drive, end_attempt
from bench.sites import environment, module, served, strings
from bench.validity import find_faults
from tools import postgres
from tools.processes import scratch

ATTEMPTS = (10_000, 100_000)
ALONE_SECONDS = 6.0
PAUSE = 0.5
"""Seconds that a learner waits before each step: they read and think."""
REQUESTS = ("start", "page", "save", "submit", "result")
COLUMNS = (
    *("attempts", "load", "changed", "preview, s", "CPU s", "of the database"),
    *("commit, s", "CPU s", "of the database", "again, s", "MB preview", "MB commit"),
)


def take_slowly(browser: Browser, quiz: str) -> None:
    """Go through the quiz as a person does, with pauses."""
    time.sleep(PAUSE)
    attempt = begin_attempt(browser, quiz)
    time.sleep(PAUSE)
    end_attempt(browser, attempt)


def measure_beside(
    port: int, cookies: list[str], quiz: str, run: Callable[[], Any]
) -> tuple[Tally, Any]:
    """Let learners go on until something has ended; return their tally, and its outcome."""
    outcomes: list[Any] = []
    thread = threading.Thread(target=lambda: outcomes.append(run()))
    thread.start()
    total = Tally()
    while thread.is_alive():
        total.add(drive(port, cookies, 1.0, partial(take_slowly, quiz=quiz)))
    thread.join()
    return total, outcomes[0] if outcomes else None


def measure_stages(server: postgres.Server, env: dict[str, str]) -> list[str]:
    """Preview, commit and commit again; return the cells of a row."""
    load = f"{os.getloadavg()[0]:.1f}"
    cells: list[str] = []
    reports = []
    for stage in (("preview",), ("commit", "keep_better")):
        before = measure_cpu(server.pid)
        report = module("bench.one_regrade_run", env, *stage)
        database = measure_cpu(server.pid) - before
        cells += [f"{report['seconds']:.1f}", f"{report['cpu']:.1f}", f"{database:.1f}"]
        reports.append(report)
    again = module("bench.one_regrade_run", env, "check")
    memory = [f"{report['memory']:.0f}" for report in reports]
    return [load, str(reports[0]["changed"]), *cells, f"{again['seconds']:.1f}", *memory]


def measure_learners(
    server: postgres.Server, env: dict[str, str], folder: Path, filled: dict[str, Any]
) -> list[str]:
    """Print what requests take alone and beside a commit; return what was amiss."""
    cookies = [f"session={key}" for key in strings(filled["sessions"])]
    quiz, faults = str(filled["quiz"]), list[str]()
    command = [sys.executable, "-m", "config.deploy", "--static"]
    subprocess.run(command, env=env, cwd=env["PYTHONPATH"], check=True)
    with served("config.wsgi", env, folder / "web.log", server.pid) as web:
        beside = partial(measure_beside, web.port, cookies, quiz)
        beside(lambda: time.sleep(ALONE_SECONDS / 2))  # until both processes have started
        commit = partial(module, "bench.one_regrade_run", env, "commit", "full_credit")
        for name, run in (
            ("nothing else", lambda: time.sleep(ALONE_SECONDS)),
            ("a commit", commit),
            ("nothing else again", lambda: time.sleep(ALONE_SECONDS)),
        ):
            tally, report = beside(run)
            what = f"{name} ({report['regraded']} in {report['seconds']:.0f} s)" if report else name
            print(f"| {what} | {' | '.join(_format_latencies(tally))} |", flush=True)
            faults += find_faults(name, tally)
    return faults


def _format_latencies(tally: Tally) -> list[str]:
    cells = [str(tally.flows)]
    for request in REQUESTS:
        seconds = sorted(tally.seconds.get(request, [0.0]))
        cells += [
            " / ".join(f"{seconds[int(len(seconds) * share)] * 1000:.0f}" for share in (0.5, 0.95))
        ]
    return cells


def main(counts: list[int]) -> int:
    """Print two tables for each number; 1 if a request failed or a run was not as previewed."""
    if min(counts) < 1:
        sys.exit("There is nothing to regrade in a quiz without attempts.")
    faults = list[str]()
    try:
        for count in counts:
            with (
                postgres.throwaway(settings=("fsync=on",)) as server,
                scratch("och-bench-") as folder,
            ):
                env = environment(server.url, folder)
                subprocess.run(
                    [sys.executable, "-m", "config.deploy"],
                    env=env,
                    cwd=env["PYTHONPATH"],
                    check=True,
                )
                filled = module("bench.one_regrade_run", env, "fill", str(count))
                print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
                print(f"| {filled['attempts']} | {' | '.join(measure_stages(server, env))} |\n")
                print(f"| learners beside | attempts | {' | '.join(REQUESTS)} (p50 / p95 ms) |")
                print("|---" * (2 + len(REQUESTS)) + "|", flush=True)
                faults += measure_learners(server, env, folder, filled)
    except postgres.NoPostgresError as reason:
        sys.exit(f"Not measured: {reason}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"Not measured: {' '.join(failed.cmd[1:])} ended with {failed.returncode}.")
    print("\n".join(faults) if faults else "\nNo request failed.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main([int(count) for count in sys.argv[1:]] or list(ATTEMPTS)))
