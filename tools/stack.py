"""The real set-up without Docker: the processes of docker-compose.yml, started one by one.

`./dev stack --check` proves in CI that they come up, know each other and bring a large import in,
each of them unable to write anywhere but to its mounts.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tools import layout, postgres, redis
from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import Child, free_port, running, scratch
from tools.stack_check import Stack, find_faults

# The same words as in docker-compose.yml; a test compares them.
PREPARE = ("python", "-m", "config.deploy")
WORKER = ("python", "-m", "celery", "--app", "config", "worker")
SERVICES = {
    "web": ("python", "-m", "gunicorn", "--config", "python:config.gunicorn", "config.wsgi"),
    "worker": (*WORKER, "--queues", "light", "--hostname", "light@%h", "--concurrency", "1"),
    "heavy-worker": (*WORKER, "--queues", "heavy", "--hostname", "heavy@%h", "--concurrency", "2"),
    "beat": ("python", "-m", "celery", "--app", "config", "beat", "--pidfile="),
}


SITE_ROLE = "site"
"""The role of the database that all services but the first have: it owns nothing."""


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
    """Start everything; with --check verify that all are well, stop them and return 0."""
    parser = argparse.ArgumentParser(prog="./dev stack")
    parser.add_argument("--check", action="store_true", help="verify and stop")
    parser.add_argument("--demo", action="store_true", help="load the demonstration")
    parser.add_argument("--port", type=int, default=0, help="8000, or any free one with --check")
    options = parser.parse_args(arguments)
    port = options.port or (free_port() if options.check else 8000)
    ensure("base", "dev")
    with scratch("och-stack-") as folder:
        layout.make(folder)
        try:
            with _started(folder, port, demo=options.demo, quiet=options.check) as stack:
                if options.check:
                    return _check(stack)
                sys.stdout.write(stack.people or "")
                print(f"The stack is at http://localhost:{port}/  (Ctrl-C stops it)", flush=True)
                return _watch(stack.children)
        except (postgres.NoPostgresError, redis.NoRedisError) as reason:
            sys.exit(f"The stack cannot start: {reason}")


@contextmanager
def _started(folder: Path, port: int, *, demo: bool, quiet: bool) -> Iterator[Stack]:
    """Run the stack during the block."""
    with postgres.throwaway() as database, redis.throwaway() as broker, ExitStack() as stack:
        env = layout.environment(folder, port, as_role(database.url, SITE_ROLE), broker)
        owner = {"OCHENTA_DATABASE_OWNER_URL": database.url}
        people = _prepare({**env, **owner}, demo=demo)
        children = {}
        for name, command in SERVICES.items():
            log = folder / f"{name}.log" if quiet else None
            words, own = (
                confined(name, command, folder),
                layout.build_environment(name, env, folder),
            )
            child = running(words, env=own, cwd=ROOT, log=log, patience=30)
            children[name] = stack.enter_context(child)
        yield Stack(env, children, port, folder, people)


def as_role(url: str, role: str) -> str:
    """Return a database's address for another role, which needs no password there."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc.partition('@')[2]}"))


def _prepare(env: dict[str, str], *, demo: bool) -> str | None:
    """Make the tables and the static files; return the sign-ins of the demonstration."""
    command = [*here(PREPARE), "--static", *(["--demo"] if demo else [])]
    done = subprocess.run(
        command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}The database could not be prepared; the reason is above.")
    return str(done.stdout) if demo else None


def here(command: tuple[str, ...]) -> list[str]:
    """Return the command with the environment's own Python in place of `python`."""
    return [str(PYTHON), *command[1:]]


def confined(service: str, command: tuple[str, ...], folder: Path) -> list[str]:
    """Return the command as it runs where only the mounts of its service can be written."""
    folders = [str(path) for path in layout.writable(folder, service)]
    return [str(PYTHON), "-m", "tools.confined", *folders, "--", *command[2:]]


def _check(stack: Stack) -> int:
    """Print what was checked and what is wrong, with the logs of whoever had a part in it."""
    faults = list(find_faults(stack))
    for service in dict.fromkeys(service for services in faults for service in services):
        print(f"--- {service}\n{stack.log(service)[-3000:]}")
    return 1 if faults else 0


def _watch(children: dict[str, Child]) -> int:
    """Wait until one of the processes ends, which none should; return 1."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            return 1
        for name, child in children.items():
            if ended is not None and child.pid == ended.si_pid:
                print(f"The process {name} has ended.", file=sys.stderr)
        return 1
