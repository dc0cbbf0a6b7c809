"""`./dev run`: the embedded site on this machine, from a fresh clone, with demo people."""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from tools.environment import ensure, read_stamp
from tools.files import read_note, write_note
from tools.health_probe import status
from tools.paths import PYTHON, ROOT, data_dir
from tools.processes import listening, running, wait_until

# What the tables, the static files and the demo data are made from.
EVERYWHERE = "0.0.0.0"  # noqa: S104 (compared with, and only on demand listened on)
SOURCES = ("accounts", "config", "fixtures", "grading", "locale", "quizzes", "static")


def run(arguments: list[str]) -> int:
    """Make what is missing, start the site, print where it is and who may sign in."""
    options = _options(arguments)
    if listening(options.port):
        sys.exit(f"Port {options.port} is taken; try ./dev run --port {options.port + 1}")
    ensure("base")
    env = _environment(options.host, options.port)
    people = prepared(env)
    command = [str(PYTHON), "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
    with running([*command, "--log-level", "warning"], env=env, cwd=ROOT) as child:
        # gunicorn listens before it can answer; any answer will do.
        near = "127.0.0.1" if options.host == EVERYWHERE else options.host
        health = f"http://{near}:{options.port}/healthz"
        if not wait_until(lambda: status(health) != 0, seconds=60, child=child):
            sys.exit("The site did not start; the reason is above.")
        print(f"{people}\nOchenta is at http://localhost:{options.port}/  (Ctrl-C stops it)")
        sys.stdout.flush()
        return child.wait()


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev run")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets the network in")
    return parser.parse_args(arguments)


def _environment(host: str, port: int) -> dict[str, str]:
    """Return the environment: one process of the web with a few threads, all else unchanged."""
    env = {"OCHENTA_WEB_WORKERS": "1", "OCHENTA_WEB_THREADS": "4", **os.environ}
    if host not in {"127.0.0.1", "localhost", "::1"}:
        env.setdefault("OCHENTA_ALLOWED_HOSTS", "*")
    env["OCHENTA_BIND"] = f"{host}:{port}"
    env["OCHENTA_DATA_DIR"] = str(data_dir())
    # Whitenoise complains of a missing folder, even where it finds all files elsewhere.
    (data_dir() / "static").mkdir(exist_ok=True)
    return env


def prepared(env: dict[str, str]) -> str:
    """Bring database, static files and demo data up to date; return the demo sign-ins.

    Skipped when nothing that they are made from has changed and the database is our own.
    """
    note = data_dir() / "prepared.json"
    stamp = fingerprint(ROOT)
    own = "OCHENTA_DATABASE_URL" not in env
    previous = read_note(note)
    if own and previous.get("stamp") == stamp and "people" in previous and _has_database():
        return previous["people"]
    print("Preparing the database and the demo ...", flush=True)
    command = [str(PYTHON), "-m", "config.deploy", "--static", "--demo"]
    done = subprocess.run(
        command, env=env, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}The demo could not be made; the reason is above.")
    # Of what the demo says only the sign-ins, known by their addresses, matter again.
    lines = str(done.stdout).splitlines()
    people = "\n".join(line for line in lines if "@" in line)
    print("\n".join(line for line in lines if "@" not in line), flush=True)
    if own:
        write_note(note, {"stamp": stamp, "people": people})
    return people


def _has_database() -> bool:
    """Return whether our own database has anything in it: SQLite makes an empty one by looking."""
    database = data_dir() / "ochenta.db"
    return database.exists() and database.stat().st_size > 0


def fingerprint(root: Path) -> str:
    """Return a hash of names, sizes and times of every source file, and of the environment."""
    digest = hashlib.sha256(json.dumps(read_stamp(root / ".venv"), sort_keys=True).encode())
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                facts = path.stat()
                line = f"{path.relative_to(root)}\0{facts.st_size}\0{facts.st_mtime_ns}\n"
                digest.update(line.encode())
    return digest.hexdigest()
