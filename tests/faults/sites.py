"""Real sites: gunicorn over a database, started as anybody would start it, made to be killed."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tools.faults.slaying import family, slay
from tools.health_probe import status
from tools.paths import ROOT
from tools.processes import Child, free_port, running, wait_until

LEARNERS = 8
SECRET_KEY = secrets.token_urlsafe(50)
FOREIGN = ("OCHENTA_", "DJANGO_", "PYTEST_", "COV_")


@dataclass
class Web:
    """A running site."""

    child: Child
    port: int

    def kill(self) -> None:
        """Kill every process of it at once."""
        slay(self.child.pid)

    def processes(self) -> list[int]:
        return family(self.child.pid)


@dataclass
class Site:
    """A database with everything in it, and how to start programs over it."""

    url: str
    folder: Path
    quiz: str = ""
    sessions: Sequence[str] = ()
    settings: dict[str, str] = field(default_factory=dict)
    project: Path = ROOT

    def environment(self) -> dict[str, str]:
        """Give the environment: nothing of the caller's own site leaks into it."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        return env | {
            "OCHENTA_DATABASE_URL": self.url,
            "OCHENTA_DATA_DIR": str(self.folder),
            "OCHENTA_SECRET_KEY": SECRET_KEY,
            "OCHENTA_LOG_LEVEL": "ERROR",
            # Imported once for all workers: starting is what these tests do most.
            "GUNICORN_CMD_ARGS": "--preload",
            **self.settings,
        }

    def command(self, module: str, *words: str) -> list[str]:
        return [sys.executable, "-m", module, *words]

    def call(self, module: str, *words: str) -> Any:
        """Run a module to its end; give the JSON on its last line, or None."""
        done = subprocess.run(
            self.command(module, *words),
            env=self.environment(),
            cwd=self.project,
            text=True,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        lines = done.stdout.splitlines()
        return json.loads(lines[-1]) if lines else None

    def prepare(self) -> "Site":
        """Make the tables, a quiz of ten questions and learners who are signed in."""
        (self.folder / "static").mkdir(exist_ok=True)
        self.call("config.deploy")
        seeded = self.call("bench.seed", str(LEARNERS))
        self.quiz, self.sessions = seeded["quiz"], seeded["sessions"]
        return self

    @contextmanager
    def worked(self, hours: float) -> Iterator[None]:
        """Run a Celery worker during the block whose clock is wrong by so many hours."""
        log = self.folder / "worker.log"
        command = self.command("tests.faults.worker_of_another_clock", str(hours))
        env = self.environment() | {"OCHENTA_REDIS_URL": "memory://", "OCHENTA_LOG_LEVEL": "INFO"}
        with running(command, env=env, cwd=ROOT, log=log) as child:
            assert wait_until(lambda: " ready." in log.read_text(), seconds=90, child=child), (
                log.read_text(errors="replace")[-2000:]
            )
            clock = datetime.fromisoformat(log.read_text().split()[0])
            wrong_by = clock - datetime.now(UTC) - timedelta(hours=hours)
            assert abs(wrong_by) < timedelta(minutes=10)
            yield

    @contextmanager
    def served(self, application: str = "config.wsgi", port: int = 0) -> Iterator[Web]:
        """Serve the site during the block, at any port or this; to be killed in it is no error."""
        port, log = port or free_port(), self.folder / "web.log"
        command = self.command("gunicorn", "--config", "python:config.gunicorn", application)
        env = self.environment() | {"OCHENTA_BIND": f"127.0.0.1:{port}"}
        with running(command, env=env, cwd=self.project, log=log) as child:
            health = f"http://127.0.0.1:{port}/healthz"
            assert wait_until(lambda: status(health) == 200, seconds=90, child=child), (
                log.read_text(errors="replace")[-2000:]
            )
            yield Web(child, port)
