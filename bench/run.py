"""`./dev bench`: the standard flow beside the baseline, on gunicorn and a throwaway PostgreSQL.

Prints Markdown tables: attempts a second, CPU an attempt (web and database), what it costs in
baseline requests, latency of each request, and statements by `pg_stat_statements` where it is
there. `--against COMMIT` measures that commit between two runs of this tree; `--keep` writes the
figures into bench/results/. Speed is not judged, but a row without a completed flow, or with a
failed one, ends it with 1 and the reason.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import statements
from bench.cpu import measure_cpu, measure_machine_cpu
from bench.load import Browser, Tally, drive, flow
from bench.sites import Web, environment, module, served, strings
from bench.statements import Statements
from bench.validity import find_faults
from tools import postgres
from tools.processes import scratch

LOOPS = (1, 8, 32)
"""Learners at a time."""
BASELINE_CLIENTS = 8
REQUESTS = ("start", "page", "save", "submit", "result")
RESULTS = ROOT / "bench" / "results"
HEAD = """\
| | attempts/s | web CPU ms | db CPU ms | both | × baseline | p50 ms | p95 ms | other CPU | errors |
|---|---|---|---|---|---|---|---|---|---|"""


@dataclass(frozen=True)
class Measurement:
    """One row: CPU milliseconds an attempt, and the share of the machine that others used."""

    name: str
    tally: Tally
    web_ms: float
    database_ms: float
    foreign_share: float

    @property
    def both_ms(self) -> float:
        """Return CPU milliseconds an attempt, web and database together."""
        return self.web_ms + self.database_ms

    def compute_latency(self, request: str = "") -> tuple[float, float]:
        """Return the median and the 95th percentile in ms, of one request or of all."""
        times = self.tally.seconds
        durations = times.get(request, []) if request else [t for ts in times.values() for t in ts]
        durations = sorted(durations) or [0.0]
        return statistics.median(durations) * 1000, durations[int(len(durations) * 0.95)] * 1000


def measure(name: str, web: Web, act: Callable[[], Tally]) -> Measurement:
    """Act; return what it cost."""
    before = [measure_cpu(web.child.pid), measure_cpu(web.database)]
    machine, own = measure_machine_cpu(), measure_cpu(os.getpid())
    tally = act()
    after = [measure_cpu(web.child.pid), measure_cpu(web.database)]
    foreign = measure_machine_cpu() - machine - (measure_cpu(os.getpid()) - own)
    capacity = max(tally.elapsed, 0.01) * (os.cpu_count() or 1)
    web_ms, database_ms = (
        (end - begin) * 1000 / max(1, tally.flows) for begin, end in zip(before, after, strict=True)
    )
    return Measurement(name, tally, web_ms, database_ms, max(0.0, foreign / capacity))


@dataclass
class Table:
    """The rows that were printed, and why some of them mean nothing."""

    seconds: float
    baseline: Measurement | None = None
    rows: list[Measurement] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, measured: Measurement) -> None:
        """Print a row, and note what is wrong with it."""
        print(self.format(measured), flush=True)
        self.rows.append(measured)
        self.faults += find_faults(measured.name, measured.tally)

    def format(self, measured: Measurement) -> str:
        """Write one row."""
        tally, baseline = measured.tally, self.baseline
        rate = tally.flows / tally.elapsed if tally.elapsed else 0
        ratio = measured.both_ms / baseline.both_ms if baseline and baseline.both_ms else 1
        middle, late = measured.compute_latency()
        cells = [
            measured.name,
            f"{rate:.1f}",
            f"{measured.web_ms:.1f}",
            f"{measured.database_ms:.1f}",
            f"{measured.both_ms:.1f}",
            f"{ratio:.1f}",
            f"{middle:.0f}",
            f"{late:.0f}",
            f"{measured.foreign_share:.0%}",
            str(len(tally.errors)),
        ]
        return f"| {' | '.join(cells)} |"


@dataclass(frozen=True)
class Options:
    """How to measure."""

    seconds: float
    learners: int
    compressed: bool
    fsync: bool


def main() -> int:
    """Start everything, measure, print, stop everything; return 1 if a row means nothing."""
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--seconds", type=float, default=8, help="of each measurement")
    parser.add_argument("--learners", type=int, default=2000, help="who take turns")
    parser.add_argument("--compressed", action="store_true", help="ask for gzip")
    parser.add_argument("--no-fsync", action="store_true", help="do not force the disk")
    parser.add_argument("--against", metavar="COMMIT", help="measure it, too, between two runs")
    parser.add_argument("--keep", action="store_true", help="write bench/results/TIME-COMMIT.json")
    chosen = parser.parse_args()
    if chosen.learners < max(LOOPS):
        sys.exit(f"--learners {chosen.learners}: at least {max(LOOPS)} are needed")
    options = Options(chosen.seconds, chosen.learners, chosen.compressed, not chosen.no_fsync)
    compression = "gzip" if options.compressed else "no compression"
    print(f"{options.learners} learners, {compression}, fsync {'on' if options.fsync else 'off'}\n")
    tables = [_measure_tree(options, ROOT, "")]
    if chosen.against:
        with _checked_out(chosen.against) as tree:
            tables.append(_measure_tree(options, tree, f", {chosen.against}"))
        tables.append(_measure_tree(options, ROOT, ", again"))
    if chosen.keep:
        print(f"\nKept in {_keep(options, tables).relative_to(ROOT)}.")
    faults = [fault for table in tables for fault in table.faults]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _measure_tree(options: Options, root: Path, suffix: str) -> Table:
    """Measure the project in this folder: baseline, flows, statements."""
    table = Table(options.seconds)
    counting = statements.is_available(postgres.find())
    settings = [*(("fsync=on",) if options.fsync else ()), *(statements.SETTINGS * counting)]
    with postgres.throwaway(settings=settings) as server, scratch("och-bench-") as folder:
        if counting:
            statements.prepare(server)
        env = environment(server.url, folder, root=root)
        subprocess.run(
            [sys.executable, "-m", "config.deploy", "--static"], env=env, cwd=root, check=True
        )
        seeded = module("bench.seed", env, str(options.learners))
        cookie = f"baseline={module('bench.baseline', env)['baseline']}"
        print(HEAD)
        baseline = "bench.baseline:application", env, folder / "baseline.log", server.pid
        with served(*baseline, config="bench.baseline_gunicorn") as web:
            _measure_floor(table, web, cookie, suffix)
        with served("config.wsgi", env, folder / "web.log", server.pid) as web:
            act = partial(_drive_flows, options, web.port, seeded)
            act(2, min(2, options.seconds))  # processes, caches and plans are warm after it
            for loops in LOOPS:
                name = f"flow, {loops} at a time{suffix}"
                table.add(measure(name, web, partial(act, loops, options.seconds)))
            _print_latencies(table.rows[1:])
            if counting:
                _print_statements(server, partial(act, 1, options.seconds))
    return table


def _measure_floor(table: Table, web: Web, cookie: str, suffix: str) -> None:
    def once(browser: Browser) -> None:
        browser.ask("baseline", "GET", "/baseline")

    drive(web.port, [cookie], 1, once)
    act = partial(drive, web.port, [cookie] * BASELINE_CLIENTS, table.seconds, once)
    measured = measure(f"baseline, {BASELINE_CLIENTS} at a time{suffix}", web, act)
    table.add(measured)
    table.baseline = measured


def _drive_flows(
    options: Options, port: int, seeded: dict[str, object], loops: int, seconds: float
) -> Tally:
    cookies = [f"session={key}" for key in strings(seeded["sessions"])]

    def once(browser: Browser) -> None:
        browser.compressed = options.compressed
        flow(browser, str(seeded["quiz"]))

    return drive(port, cookies, seconds, once, loops=loops)


def _print_latencies(rows: list[Measurement]) -> None:
    print("\n| ms, p50 and p95 |", *(f"{name} |" for name in REQUESTS))
    print("|---" * (len(REQUESTS) + 1) + "|")
    for measured in rows:
        latencies = map(measured.compute_latency, REQUESTS)
        cells = [f"{middle:.1f} {late:.1f}" for middle, late in latencies]
        print(f"| {measured.name} | {' | '.join(cells)} |")


def _print_statements(server: postgres.Server, act: Callable[[], Tally]) -> None:
    with statements.counted(server) as counter:
        tally = act()
    if not tally.flows:
        return
    counts: Statements = counter.divide(tally.flows)
    print(
        f"\nAn attempt sends {counts.sent:.1f} statements; triggers and foreign keys run"
        f" {counts.nested:.1f}; planning {counts.planning_ms:.1f} ms,"
        f" execution {counts.execution_ms:.1f} ms.\n"
    )


@contextmanager
def _checked_out(commit: str) -> Iterator[Path]:
    """Yield a folder with this commit's files."""
    with scratch("och-against-") as folder:
        tree = folder / "tree"
        add = ["git", "worktree", "add", "--quiet", "--detach", str(tree), commit]
        subprocess.run(add, cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            remove = ["git", "worktree", "remove", "--force", str(tree)]
            subprocess.run(remove, cwd=ROOT, check=True)


def _keep(options: Options, tables: list[Table]) -> Path:
    """Write the figures of all rows into bench/results/; return the file."""
    now = datetime.now(UTC)
    describe = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    commit = subprocess.check_output(describe, cwd=ROOT, text=True).strip()
    rows = [_summarize(measured) for table in tables for measured in table.rows]
    figures = {"at": f"{now:%Y-%m-%dT%H:%M:%SZ}", "commit": commit, "load": os.getloadavg()[0]}
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{now:%Y-%m-%dT%H%M%S}-{commit}.json"
    content = {**figures, "options": asdict(options), "rows": rows}
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return file


def _summarize(measured: Measurement) -> dict[str, object]:
    return {
        "name": measured.name,
        "flows": measured.tally.flows,
        "seconds": round(measured.tally.elapsed, 2),
        "web_cpu_ms": round(measured.web_ms, 2),
        "database_cpu_ms": round(measured.database_ms, 2),
        "foreign_cpu_share": round(measured.foreign_share, 3),
        "latency_ms": {
            request: [round(value, 1) for value in measured.compute_latency(request)]
            for request in measured.tally.seconds
        },
        "errors": len(measured.tally.errors),
    }


if __name__ == "__main__":
    sys.exit(main())
