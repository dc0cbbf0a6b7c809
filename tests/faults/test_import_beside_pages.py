"""A large import in the embedded site is planned and written beside its pages, not in between.

`pytest -rP tests/faults/test_import_beside_pages.py` shows how long a learner's page takes.
"""

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles

from bench.importing import moodle
from tests.faults.conftest import come
from tools.large_import import Author
from tools.paths import ROOT

QUESTIONS = 1500


@dataclass
class Observation:
    """How many seconds each page took, and which programs the site ran meanwhile."""

    seconds: list[float] = field(default_factory=list)
    programs: set[str] = field(default_factory=set)

    def describe(self, name: str) -> str:
        cuts = quantiles(self.seconds, n=20)
        return f"{name}: {len(self.seconds)} pages, median {cuts[9]:.3f} s, p95 {cuts[18]:.3f} s"


def list_programs(web) -> Iterator[str]:
    """Yield the command of each child of the site's processes, by its words."""
    for pid in web.processes():
        with suppress(OSError):
            yield Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


@contextmanager
def observed(learner, web) -> Iterator[Observation]:
    """Have a learner open the attempt again and again during the block."""
    observation = Observation()
    stop = threading.Event()

    def open_pages() -> None:
        while not stop.wait(0.05):
            answer = learner.ask(web.port, "GET", learner.attempt)
            assert answer.status == 200
            observation.seconds.append(answer.seconds)
            observation.programs.update(list_programs(web))

    thread = threading.Thread(target=open_pages)
    thread.start()
    yield observation
    stop.set()
    thread.join()


def test_a_large_import_leaves_the_pages_of_learners_alone(on_sqlite):
    site = replace(on_sqlite, settings={"OCHENTA_WEB_WORKERS": "1", "OCHENTA_WEB_THREADS": "4"})
    author = json.loads(
        subprocess.run(
            site.command("tools.author", "large"),
            env=site.environment(),
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
    )
    with site.served() as web:
        (learner,) = come(site, web, 1)
        with observed(learner, web) as quiet:
            time.sleep(4)
        program = Author(web.port, **author)
        with observed(learner, web) as planning:
            job = program.send(moodle(QUESTIONS))
            program.wait_for(job, "ready")
        with observed(learner, web) as writing:
            program.ask("POST", f"imports/{job}/commit", b"{}")
            program.wait_for(job, "done")
    observations = {"quiet": quiet, "planning": planning, "writing": writing}
    for name, observation in observations.items():
        print(observation.describe(name))
    beside = [
        any("quizzes.imports.task_process" in program for program in observation.programs)
        for observation in observations.values()
    ]
    assert beside == [False, True, True]
