"""`./dev chaos`: learners save without pause while the site is killed, frozen and misled.

Every acknowledged save is written into a ledger and compared with the database at the end. Prints
a table; ends with 1 if an answer was lost, altered, stored twice or never sent, or if the control
(a site that acknowledges before it commits) seems to lose nothing.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random

from tests.faults.conftest import come
from tests.faults.sites import Site, Web
from tests.faults.stepped_clock import step_clock
from tools import postgres
from tools.faults.cluster import Cluster
from tools.faults.disk import lift_limit, limit_file_size
from tools.faults.journal import entries
from tools.faults.learners import Bustle, Learner, busy
from tools.faults.ledger import Ledger, build_ledger
from tools.faults.slaying import frozen
from tools.processes import end_on_terminate, scratch

SEED = 80
APPLICATION, CONTROL = "tests.faults.stepped_clock", "tests.faults.hasty"
FREEZE, HOUR = 1.0, 3600  # seconds
BETWEEN = 10
"""Answers that are heard between two faults, at least."""


@dataclass
class Exam:
    """A site under test, and the learners who take it."""

    site: Site
    cluster: Cluster | None = None
    learners: list[Learner] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    chance: Random = field(default_factory=lambda: Random(SEED))

    @property
    def acknowledged(self) -> int:
        """Return how many saves were acknowledged so far."""
        return sum(len(learner.acknowledged) for learner in self.learners)


Fault = Callable[[Exam, Web, Bustle], None]


def kill_web(_exam: Exam, web: Web, _bustle: Bustle) -> None:
    """Kill every process of the site at once."""
    web.kill()


def freeze_web(_exam: Exam, web: Web, bustle: Bustle) -> None:
    """Stop every process of the site for a second."""
    with frozen(web.child.pid):
        bustle.over.wait(FREEZE)


def kill_database(exam: Exam, _web: Web, bustle: Bustle) -> None:
    """Kill every process of PostgreSQL, and start it when all learners were refused."""
    cluster = _require_cluster(exam)
    cluster.kill()
    bustle.wait_until_all_hear(exam.learners, 503)
    cluster.start()


def freeze_database(exam: Exam, _web: Web, bustle: Bustle) -> None:
    """Stop every process of PostgreSQL until all learners were refused."""
    with _require_cluster(exam).frozen():
        bustle.wait_until_all_hear(exam.learners, 503)


def fill_disk(exam: Exam, web: Web, bustle: Bustle) -> None:
    """Let no file of the site grow until all learners were refused."""
    processes = web.processes()
    limit_file_size(processes)
    bustle.wait_until_all_hear(exam.learners, 503)
    lift_limit(processes)


def fill_database_disk(exam: Exam, _web: Web, bustle: Bustle) -> None:
    """Let no file of PostgreSQL grow until all learners were refused."""
    with _require_cluster(exam).on_full_disk():
        bustle.wait_until_all_hear(exam.learners, 503)


def step_back(exam: Exam, _web: Web, bustle: Bustle) -> None:
    """Set the clock of the site back by an hour, and right again."""
    _step(exam, bustle, -HOUR)


def step_forward(exam: Exam, _web: Web, bustle: Bustle) -> None:
    """Set the clock of the site forward by an hour, and right again."""
    _step(exam, bustle, HOUR)


SQLITE: Sequence[Fault] = (kill_web, freeze_web, fill_disk, step_back, kill_web, step_forward)
POSTGRESQL: Sequence[Fault] = (
    kill_web,
    freeze_database,
    kill_database,
    fill_database_disk,
    freeze_web,
    step_back,
    kill_web,
    step_forward,
)


def main() -> int:
    """Run the faults on both databases, then the controls; print the table."""
    options = _parse_options()
    end_on_terminate()
    problems: list[str] = []
    print("| database | saves acknowledged | faults | lost | altered | phantom | twice | seconds |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with scratch("och-chaos-") as folder, ExitStack() as stack:
        for name, exam, faults in _open_exams(folder, stack):
            began = time.monotonic()
            _run_faults(exam, cycle(faults), options.faults, options.saves)
            _make_sure(exam)
            ledger = build_ledger(exam.learners, entries(exam.site.url))
            _print_row(name, ledger, exam.faults, time.monotonic() - began)
            problems += [] if ledger.is_whole else [f"{name}: a promise was broken"]
            problems += _run_control(name, exam)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev chaos")
    parser.add_argument("--saves", type=int, default=5000, help="acknowledged, on each database")
    parser.add_argument("--faults", type=int, default=24, help="on each database")
    return parser.parse_args()


def _open_exams(folder: Path, stack: ExitStack) -> Iterator[tuple[str, Exam, Sequence[Fault]]]:
    """Yield a prepared site on each database, with the faults that it is made to stand."""
    embedded = folder / "sqlite"
    embedded.mkdir()
    yield "SQLite", Exam(Site(f"sqlite:///{embedded}/ochenta.db", embedded).prepare()), SQLITE
    server = stack.enter_context(postgres.throwaway())
    data = folder / "postgresql"
    data.mkdir()
    site = Site(server.url, data).prepare()
    cluster = Cluster(server, stack.enter_context(ExitStack()))
    cluster.kill()
    cluster.start()
    yield "PostgreSQL", Exam(site, cluster), POSTGRESQL


def _run_faults(exam: Exam, faults: Iterator[Fault], number: int, saves: int) -> None:
    """Let learners save until there were so many faults and acknowledged saves."""
    between = max(BETWEEN, saves // number)
    while sum(exam.faults.values()) < number or exam.acknowledged < saves:
        with _serve(exam, APPLICATION) as web:
            for fault in faults:
                with busy(exam.learners, web.port) as bustle:
                    bustle.wait_for(between)
                    bustle.over.wait(exam.chance.random() / 50)
                    fault(exam, web, bustle)
                    if fault is not kill_web:
                        bustle.wait_for(BETWEEN)
                exam.faults[fault.__name__] += 1
                enough = sum(exam.faults.values()) >= number and exam.acknowledged >= saves
                if fault is kill_web or enough:
                    break


@contextmanager
def _serve(exam: Exam, application: str) -> Iterator[Web]:
    with exam.site.served(application) as web:
        if not exam.learners:
            exam.learners += come(exam.site, web)
        yield web


def _make_sure(exam: Exam) -> None:
    """Send again what was never acknowledged: afterwards there is no doubt left."""
    with _serve(exam, APPLICATION) as web:
        for learner in exam.learners:
            learner.make_sure(web.port)


def _run_control(name: str, exam: Exam) -> list[str]:
    """Kill a site that acknowledges before it commits; a ledger that sees no loss is no ledger."""
    began = time.monotonic()
    with _serve(exam, CONTROL) as web, busy(exam.learners, web.port) as bustle:
        bustle.wait_for(4 * BETWEEN)
        web.kill()
    ledger = build_ledger(exam.learners, entries(exam.site.url))
    seconds = time.monotonic() - began
    _print_row(f"{name}, control", ledger, Counter({kill_web.__name__: 1}), seconds)
    return [] if ledger.lost else [f"{name}: the control seems to lose nothing"]


def _step(exam: Exam, bustle: Bustle, seconds: int) -> None:
    step_clock(exam.site.folder, seconds)
    bustle.wait_for(BETWEEN)
    step_clock(exam.site.folder, 0)


def _require_cluster(exam: Exam) -> Cluster:
    if exam.cluster is None:
        message = "This fault is PostgreSQL's."
        raise ValueError(message)
    return exam.cluster


def _print_row(name: str, ledger: Ledger, faults: Counter[str], seconds: float) -> None:
    listed = ", ".join(f"{count} × {fault}" for fault, count in sorted(faults.items()))
    figures = (ledger.lost, ledger.altered, ledger.phantom, ledger.twice)
    print(
        f"| {name} | {ledger.acknowledged} | {sum(faults.values())}: {listed} | "
        f"{' | '.join(map(str, figures))} | {seconds:.0f} |",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
