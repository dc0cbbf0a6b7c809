"""The site that a measurement asks: its environment, its seed and its gunicorn."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.processes import Child, free_port, listening, running, wait_until

ROOT = Path(__file__).resolve().parent.parent
SECRET_KEY = secrets.token_urlsafe(50)


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
    """Run gunicorn, two processes of four threads, for one application of the project."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", f"python:{config}", application]
    env = {**env, "OCHENTA_BIND": f"127.0.0.1:{port}", "OCHENTA_WEB_WORKERS": "2"}
    with running(command, env=env, cwd=Path(env["PYTHONPATH"]), log=log) as child:
        if not wait_until(lambda: listening(port), seconds=30, child=child):
            sys.exit(f"{application} did not start:\n{log.read_text()}")
        yield Web(child, port, database)


def module(name: str, env: dict[str, str], *arguments: str) -> dict[str, object]:
    """Run a module of the bench; return the JSON on its last line."""
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        env=env,
        cwd=env["PYTHONPATH"],
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    report: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return report


def environment(url: str, folder: Path, *, root: Path = ROOT) -> dict[str, str]:
    """Return the environment of a production site with this database and data folder.

    The project is that of the folder `root`, by PYTHONPATH.
    """
    outside = {name: value for name, value in os.environ.items() if name[:8] != "OCHENTA_"}
    return {
        **outside,
        "OCHENTA_DATABASE_URL": url,
        "OCHENTA_SECRET_KEY": SECRET_KEY,
        "OCHENTA_DATA_DIR": str(folder),
        "OCHENTA_LOG_LEVEL": "ERROR",
        "PYTHONPATH": str(root),
    }


def strings(value: object) -> list[str]:
    """Return the texts of a list read from JSON."""
    return [str(part) for part in value] if isinstance(value, list) else []
