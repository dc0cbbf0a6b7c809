"""What the words after `./dev` mean; each command is one function elsewhere in tools/."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence

from tools import api_schema, lockfiles, run_checks, run_tests, screenshots, serve, stack
from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import end_on_terminate, running

USAGE = """\
Usage: ./dev COMMAND

  run [--port N] [--host H]   make the environment and the demo data, start the site
  test [--require-all] [--sqlite | --postgresql | --pooler] [...]
                              all tests, on both databases, one, or PostgreSQL behind PgBouncer;
                              more words go to pytest
  check                       every check: style, types, layers, migrations, catalogs, schema, locks
  services                    a throwaway PostgreSQL and Redis until Ctrl-C
  stack [--check] [--demo] [--port N]
                              the real set-up without Docker: PostgreSQL, Redis, web, worker, beat
  cluster [--check] [--seconds N] [--rows N]
                              several machines on this one: proxy, 2 webs, standby, pooler, bucket;
                              kill and freeze each under saves; what was lost?
  bench [--seconds N]         measure the standard flow against the baseline
  chaos [--saves N] [--faults N]
                              kill, freeze and mislead the site under saves; what was lost?
  screenshots [--folder F]    take the README's pictures anew (needs Chromium)
  manage ...                  Django's manage.py in the project's environment
  schema [--check]            write docs/openapi.json anew, or check it; tells what breaks clients
  lock [--check] [...]        write requirements/*.txt anew from *.in (needs uv), or check them
"""

Command = Callable[[list[str]], int]


def bench(arguments: Sequence[str]) -> int:
    """Run the load harness."""
    ensure("base", "dev")
    return subprocess.call([PYTHON, ROOT / "bench" / "run.py", *arguments], cwd=ROOT)


def chaos(arguments: Sequence[str]) -> int:
    """Run the learners, the faults and the ledger."""
    return _run_to_its_end("tests.faults.chaos", arguments)


def cluster(arguments: Sequence[str]) -> int:
    """Run a site on several machines, and kill its processes."""
    return _run_to_its_end("tools.cluster", arguments)


def _run_to_its_end(module: str, arguments: Sequence[str]) -> int:
    """Run a module that starts servers: whatever ends us, it has the time to stop them."""
    ensure("base", "dev")
    with running([PYTHON, "-m", module, *arguments], cwd=ROOT, patience=120) as child:
        return child.wait()


def manage(arguments: Sequence[str]) -> int:
    """Run Django's command line."""
    ensure("base")
    return subprocess.call([PYTHON, ROOT / "manage.py", *arguments], cwd=ROOT)


COMMANDS: dict[str, Command] = {
    "run": serve.run,
    "test": run_tests.run,
    "check": run_checks.run,
    "services": stack.services,
    "stack": stack.run,
    "cluster": cluster,
    "bench": bench,
    "chaos": chaos,
    "screenshots": screenshots.run,
    "manage": manage,
    "schema": api_schema.run,
    "lock": lockfiles.run,
}


def main(arguments: list[str]) -> int:
    """Run one command; return the exit status."""
    if not arguments or arguments[0] in {"help", "-h", "--help"}:
        print(USAGE, end="")
        return os.EX_OK
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"./dev does not know {arguments[0]!r}.\n\n{USAGE}", end="", file=sys.stderr)
        return os.EX_USAGE
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    end_on_terminate()
    try:
        return command(arguments[1:])
    except KeyboardInterrupt:
        return 130
