"""The real set-up without Docker: the processes of docker-compose.yml, started one by one.

`./dev stack --check` proves in CI that they come up and know each other.
"""

import argparse
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools import postgres, redis
from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.probe import status
from tools.processes import Child, free_port, running, scratch, wait_until

# The same words as in docker-compose.yml; a test compares them.
PREPARE = ("python", "-m", "config.prepare")
SERVICES = {
    "web": ("python", "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"),
    "worker": ("python", "-m", "celery", "--app", "config", "worker", "--concurrency", "2"),
    "beat": ("python", "-m", "celery", "--app", "config", "beat", "--pidfile="),
}
PING = ("python", "-m", "celery", "--app", "config", "inspect", "ping", "--timeout", "5")
CLOCK = ("python", "-m", "config.beat")
START, READY = 90, 200


def services(_arguments: list[str]) -> int:
    """Run a throwaway PostgreSQL and Redis until Ctrl-C; print how to reach them."""
    ensure("base", "dev")
    with ExitStack() as stack:
        try:
            database = stack.enter_context(postgres.throwaway())
            broker = stack.enter_context(redis.throwaway())
        except (postgres.NoPostgresError, redis.NoRedisError) as reason:
            sys.exit(f"The services did not start: {reason}")
        print(f"export OCHENTA_DATABASE_URL='{database.url}'")
        print(f"export OCHENTA_REDIS_URL='{broker}'", flush=True)
        signal.pause()
    return 0


def run(arguments: list[str]) -> int:
    """Start everything; with --check verify that all are well, stop them and give 0."""
    parser = argparse.ArgumentParser(prog="./dev stack")
    parser.add_argument("--check", action="store_true", help="verify and stop")
    parser.add_argument("--demo", action="store_true", help="load the demonstration")
    parser.add_argument("--port", type=int, default=0, help="8000, or any free one with --check")
    options = parser.parse_args(arguments)
    port = options.port or (free_port() if options.check else 8000)
    ensure("base", "dev")
    with scratch("och-stack-") as folder:
        try:
            with _started(folder, port, demo=options.demo, quiet=options.check) as (env, children):
                if options.check:
                    return _check(env, children, port, folder)
                print(f"The stack is at http://localhost:{port}/  (Ctrl-C stops it)", flush=True)
                return _watch(children)
        except (postgres.NoPostgresError, redis.NoRedisError) as reason:
            sys.exit(f"The stack cannot start: {reason}")


@contextmanager
def _started(
    folder: Path, port: int, *, demo: bool, quiet: bool
) -> Iterator[tuple[dict[str, str], dict[str, Child]]]:
    """Run the stack during the block; give its environment and its processes by name."""
    with postgres.throwaway() as database, redis.throwaway() as broker, ExitStack() as stack:
        env = environment(folder, port, database.url, broker)
        prepare = [*here(PREPARE), "--static", *(["--demo"] if demo else [])]
        if subprocess.call(prepare, env=env, cwd=ROOT):
            sys.exit("The database could not be prepared; the reason is above.")
        children = {}
        for name, command in SERVICES.items():
            log = folder / f"{name}.log" if quiet else None
            child = running(here(command), env=env, cwd=ROOT, log=log, patience=30)
            children[name] = stack.enter_context(child)
        yield env, children


def environment(folder: Path, port: int, database: str, broker: str) -> dict[str, str]:
    """Give the environment of docker-compose.yml, but plain HTTP on this machine."""
    outside = {name: value for name, value in os.environ.items() if name[:8] != "OCHENTA_"}
    return {
        **outside,
        "OCHENTA_MODE": "production",
        "OCHENTA_HTTPS": "0",
        "OCHENTA_ALLOWED_HOSTS": "localhost,127.0.0.1",
        "OCHENTA_SECRET_KEY": secrets.token_urlsafe(50),
        "OCHENTA_DATABASE_URL": database,
        "OCHENTA_REDIS_URL": broker,
        "OCHENTA_BIND": f"127.0.0.1:{port}",
        "OCHENTA_DATA_DIR": str(folder),
        "OCHENTA_HEARTBEAT": str(folder / "heartbeat"),
    }


def here(command: tuple[str, ...]) -> list[str]:
    """Give the command with the environment's own Python in place of `python`."""
    return [str(PYTHON), *command[1:]]


def _check(env: dict[str, str], children: dict[str, Child], port: int, folder: Path) -> int:
    """Ask each process for a sign of life; show the log of one that gives none."""
    signs = {
        "web": lambda: status(f"http://127.0.0.1:{port}/readyz") == READY,
        "worker": lambda: _silently(PING, env),
        "beat": lambda: _silently(CLOCK, env),
    }
    sick = []
    for name, sign in signs.items():
        well = wait_until(sign, seconds=START, child=children[name])
        print(f"{name:<8} {'well' if well else 'NOT WELL'}", flush=True)
        if not well:
            sick.append(name)
            print((folder / f"{name}.log").read_text(errors="replace")[-3000:])
    return 1 if sick else 0


def _silently(command: tuple[str, ...], env: dict[str, str]) -> bool:
    silent = subprocess.DEVNULL
    return subprocess.call(here(command), env=env, cwd=ROOT, stdout=silent, stderr=silent) == 0


def _watch(children: dict[str, Child]) -> int:
    """Wait until one of the processes ends, which none should; give 1."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            return 1
        for name, child in children.items():
            if ended is not None and child.pid == ended.si_pid:
                print(f"The process {name} has ended.", file=sys.stderr)
        return 1
