"""`./dev bench`: the standard flow beside the floor, on gunicorn and a throwaway PostgreSQL.

Prints a Markdown table: attempts a second, CPU an attempt (web and database), latency, and what
the flow costs in floor requests. It never fails a test run; copy its table into bench/README.md.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.load import Browser, Tally, drive, flow  # noqa: E402  the path is set above
from tools import postgres  # noqa: E402
from tools.processes import Child, free_port, listening, running, scratch, wait_until  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
MOST = 32


def cpu_of(pid: int) -> float:
    """Give the CPU seconds that a process and all its descendants have used."""
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
        one = pending.pop()
        total += used.get(one, 0.0)
        pending += parents.get(one, [])
    return total


@contextmanager
def served(application: str, env: dict[str, str], log: Path) -> Iterator[tuple[Child, int]]:
    """Run gunicorn, two processes of four threads, for one application."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn", application]
    env = {**env, "OCHENTA_BIND": f"127.0.0.1:{port}", "OCHENTA_WEB_WORKERS": "2"}
    with running(command, env=env, cwd=ROOT, log=log) as child:
        if not wait_until(lambda: listening(port), seconds=30, child=child):
            sys.exit(f"{application} did not start:\n{log.read_text()}")
        yield child, port


def module(name: str, env: dict[str, str], *arguments: str) -> dict[str, object]:
    """Run a module of the bench; give the JSON on its last line."""
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        env=env,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(child: Child, database: int, act: Callable[[], Tally]) -> tuple[Tally, float, float]:
    """Act; give the tally, and CPU milliseconds a flow of web and of database."""
    web, base = cpu_of(child.pid), cpu_of(database)
    tally = act()
    flows = max(1, tally.flows)
    return (
        tally,
        (cpu_of(child.pid) - web) * 1000 / flows,
        (cpu_of(database) - base) * 1000 / flows,
    )


def row(name: str, seconds: float, measured: tuple[Tally, float, float], floor: float) -> str:
    """Write one row of the table."""
    tally, web, base = measured
    taken = sorted(one for times in tally.seconds.values() for one in times)
    middle = statistics.median(taken) * 1000 if taken else 0
    late = taken[int(len(taken) * 0.95)] * 1000 if taken else 0
    ratio = f"{web / floor:.1f}" if floor else "1.0"
    return (
        f"| {name} | {tally.flows / seconds:.1f} | {web:.1f} | {base:.1f} | {middle:.0f} |"
        f" {late:.0f} | {ratio} | {len(tally.errors)} |"
    )


def main() -> None:
    """Start everything, measure, print, stop everything."""
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--seconds", type=float, default=8, help="of each measurement")
    seconds = parser.parse_args().seconds
    with postgres.throwaway() as server, scratch("och-bench-") as folder:
        env = {
            **os.environ,
            "OCHENTA_DATABASE_URL": server.url,
            "OCHENTA_SECRET_KEY": "bench" * 12,
            "OCHENTA_DATA_DIR": str(folder),
            "OCHENTA_LOG_LEVEL": "ERROR",
        }
        module_env = {**env, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "config.prepare", "--static"], env=env, cwd=ROOT, check=True
        )
        seeded = module("bench.seed", module_env, str(MOST))
        bare = module("bench.floor", module_env)
        print("| | flows/s | web CPU ms | db CPU ms | p50 ms | p95 ms | × floor | errors |")
        print("|---|---|---|---|---|---|---|---|")
        cookie = f"floor={bare['floor']}"
        with served("bench.floor:application", module_env, folder / "floor.log") as (child, port):
            drive(port, [cookie], 1, _floor)
            found = measure(child, server.pid, lambda: drive(port, [cookie] * 8, seconds, _floor))
            floor = found[1]
            print(row("floor, 8 clients", seconds, found, 0), flush=True)
        sessions = [f"session={key}" for key in _strings(seeded["sessions"])]
        quiz = str(seeded["quiz"])

        def once(browser: Browser) -> None:
            flow(browser, quiz)

        with served("config.wsgi", module_env, folder / "web.log") as (child, port):
            drive(port, sessions[:2], 2, once)
            slowest: dict[str, float] = {}
            for learners in (1, 8, MOST):
                act = partial(drive, port, sessions[:learners], seconds, once)
                found = measure(child, server.pid, act)
                print(row(f"flow, {learners} learners", seconds, found, floor), flush=True)
                for error in found[0].errors[:3]:
                    print(error, file=sys.stderr)
                if learners == 1:
                    slowest = {
                        name: statistics.median(times) * 1000
                        for name, times in found[0].seconds.items()
                    }
        steps = ", ".join(f"{name} {taken:.1f}" for name, taken in slowest.items())
        print(f"\nMedian milliseconds of each request, one learner: {steps}.")


def _floor(browser: Browser) -> None:
    browser.ask("floor", "GET", "/floor")


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


if __name__ == "__main__":
    main()
