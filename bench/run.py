"""`./dev bench`: the standard flow beside the baseline, on gunicorn and a throwaway PostgreSQL.

Prints a Markdown table: attempts a second, CPU an attempt (web and database), latency, and what
the flow costs in baseline requests; copy it into bench/README.md. Speed is not judged, but a row
without a completed flow, or with a failed one, ends it with 1 and the reason.
"""

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.load import Browser, Tally, drive, flow
from bench.validity import find_faults
from tools import postgres
from tools.processes import Child, free_port, listening, running, scratch, wait_until

TICKS = os.sysconf("SC_CLK_TCK")
MOST = 32
SECRET_KEY = secrets.token_urlsafe(50)


def measure_cpu(pid: int) -> float:
    """Return the CPU seconds that a process and all its descendants have used."""
    parents: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        own = int(entry.name)
        parents.setdefault(int(fields[1]), []).append(own)
        used[own] = sum(map(int, fields[11:15])) / TICKS
    pending, total = [pid], 0.0
    while pending:
        process = pending.pop()
        total += used.get(process, 0.0)
        pending += parents.get(process, [])
    return total


@dataclass(frozen=True)
class Web:
    """A running gunicorn, where it listens, and the process of its database."""

    child: Child
    port: int
    database: int


@contextmanager
def served(
    application: str,
    env: dict[str, str],
    log: Path,
    database: int,
    *,
    config: str = "config.gunicorn",
) -> Iterator[Web]:
    """Run gunicorn, two processes of four threads, for one application."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", f"python:{config}", application]
    env = {**env, "OCHENTA_BIND": f"127.0.0.1:{port}", "OCHENTA_WEB_WORKERS": "2"}
    with running(command, env=env, cwd=ROOT, log=log) as child:
        if not wait_until(lambda: listening(port), seconds=30, child=child):
            sys.exit(f"{application} did not start:\n{log.read_text()}")
        yield Web(child, port, database)


def module(name: str, env: dict[str, str], *arguments: str) -> dict[str, object]:
    """Run a module of the bench; return the JSON on its last line."""
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        env=env,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return report


def measure(web: Web, act: Callable[[], Tally]) -> tuple[Tally, float, float]:
    """Act; return the tally, and CPU milliseconds a flow of web and of database."""
    before, base = measure_cpu(web.child.pid), measure_cpu(web.database)
    tally = act()
    flows = max(1, tally.flows)
    return (
        tally,
        (measure_cpu(web.child.pid) - before) * 1000 / flows,
        (measure_cpu(web.database) - base) * 1000 / flows,
    )


def row(name: str, measured: tuple[Tally, float, float], baseline: float) -> str:
    """Write one row of the table."""
    tally, web, base = measured
    durations = sorted(duration for times in tally.seconds.values() for duration in times)
    middle = statistics.median(durations) * 1000 if durations else 0
    late = durations[int(len(durations) * 0.95)] * 1000 if durations else 0
    rate = tally.flows / tally.elapsed if tally.elapsed else 0
    ratio = f"{web / baseline:.1f}" if baseline else "1.0"
    return (
        f"| {name} | {rate:.1f} | {web:.1f} | {base:.1f} | {middle:.0f} |"
        f" {late:.0f} | {ratio} | {len(tally.errors)} |"
    )


@dataclass
class Table:
    """The rows that were printed, and why some of them mean nothing."""

    seconds: float
    baseline: float = 0
    """CPU milliseconds of a baseline request; 0 until it is known."""
    faults: list[str] = field(default_factory=list)

    def add(self, name: str, measured: tuple[Tally, float, float]) -> None:
        """Print a row, and note what is wrong with it."""
        print(row(name, measured, self.baseline), flush=True)
        self.faults += find_faults(name, measured[0])


def main() -> int:
    """Start everything, measure, print, stop everything; return 1 if a row means nothing."""
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--seconds", type=float, default=8, help="of each measurement")
    table = Table(parser.parse_args().seconds)
    with postgres.throwaway() as server, scratch("och-bench-") as folder:
        env = environment(server.url, folder)
        subprocess.run(
            [sys.executable, "-m", "config.deploy", "--static"], env=env, cwd=ROOT, check=True
        )
        seeded = module("bench.seed", env, str(MOST))
        cookie = f"baseline={module('bench.baseline', env)['baseline']}"
        print("| | flows/s | web CPU ms | db CPU ms | p50 ms | p95 ms | × baseline | errors |")
        print("|---|---|---|---|---|---|---|---|")
        baseline = "bench.baseline:application", env, folder / "baseline.log", server.pid
        with served(*baseline, config="bench.baseline_gunicorn") as web:
            _measure_floor(table, web, cookie)
        sessions = [f"session={key}" for key in strings(seeded["sessions"])]
        with served("config.wsgi", env, folder / "web.log", server.pid) as web:
            _measure_flow(table, web, sessions, str(seeded["quiz"]))
    for fault in table.faults:
        print(fault, file=sys.stderr)
    return 1 if table.faults else 0


def environment(url: str, folder: Path) -> dict[str, str]:
    """Return the environment of a production site with this database and data folder."""
    outside = {name: value for name, value in os.environ.items() if name[:8] != "OCHENTA_"}
    return {
        **outside,
        "OCHENTA_DATABASE_URL": url,
        "OCHENTA_SECRET_KEY": SECRET_KEY,
        "OCHENTA_DATA_DIR": str(folder),
        "OCHENTA_LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(ROOT),
    }


def _measure_floor(table: Table, web: Web, cookie: str) -> None:
    def once(browser: Browser) -> None:
        browser.ask("baseline", "GET", "/baseline")

    drive(web.port, [cookie], 1, once)
    measured = measure(web, lambda: drive(web.port, [cookie] * 8, table.seconds, once))
    table.add("baseline, 8 clients", measured)
    table.baseline = measured[1]


def _measure_flow(table: Table, web: Web, sessions: list[str], quiz: str) -> None:
    def once(browser: Browser) -> None:
        flow(browser, quiz)

    drive(web.port, sessions[:2], min(2, table.seconds), once)
    slowest: dict[str, float] = {}
    for learners in (1, 8, MOST):
        act = partial(drive, web.port, sessions[:learners], table.seconds, once)
        measured = measure(web, act)
        table.add(f"flow, {learners} learners", measured)
        if learners == 1:
            slowest = {
                name: statistics.median(times) * 1000 for name, times in measured[0].seconds.items()
            }
    steps = ", ".join(f"{name} {milliseconds:.1f}" for name, milliseconds in slowest.items())
    print(f"\nMedian milliseconds of each request, one learner: {steps}.")


def strings(value: object) -> list[str]:
    """Return the texts of a list read from JSON."""
    return [str(part) for part in value] if isinstance(value, list) else []


if __name__ == "__main__":
    sys.exit(main())
