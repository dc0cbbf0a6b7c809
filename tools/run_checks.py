"""`./dev check`: every check, each red by itself, one line a check."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tools.environment import ensure
from tools.paths import BIN, PYTHON, ROOT
from tools.processes import scratch

CODE = ("accounts", "bench", "config", "dev", "grading", "manage.py", "quizzes", "tests", "tools")


@dataclass(frozen=True)
class Check:
    """One check: its name, its command, and what it adds to the environment."""

    name: str
    command: Sequence[str | Path]
    env: dict[str, str] = field(default_factory=dict)


def all_checks(code: list[str], production: dict[str, str]) -> list[Check]:
    """List the checks, the slowest first; each is red where something of `code` is missing."""
    manage = (PYTHON, "manage.py")
    deploy = (*manage, "check", "--deploy", "--fail-level", "WARNING")
    return [
        Check("types", (BIN / "mypy", *code)),
        Check("catalogs", (PYTHON, "-m", "tools.catalogs")),
        Check("schema", (PYTHON, "-m", "tools.api_schema", "--check")),
        Check("layers", (BIN / "lint-imports",)),
        Check("deployment", deploy, production),
        Check("migrations", (*manage, "makemigrations", "--check", "--dry-run")),
        Check("templates", (BIN / "djlint", "templates", "--lint", "--quiet")),
        Check("style", (BIN / "ruff", "check", *code)),
        Check("format", (BIN / "ruff", "format", "--check", *code)),
        Check("locks", (PYTHON, "-m", "tools.lockfiles")),
    ]


def production_environment(folder: Path) -> dict[str, str]:
    """Return an environment like production's, with a random secret."""
    return {
        "OCHENTA_MODE": "production",
        "OCHENTA_SECRET_KEY": secrets.token_urlsafe(50),
        "OCHENTA_SIGNING_KEY": secrets.token_urlsafe(32),
        "OCHENTA_ALLOWED_HOSTS": "quiz.example",
        "OCHENTA_PROXIES": "1",
        "OCHENTA_STAFF_SECOND_FACTOR": "1",
        "OCHENTA_DATABASE_URL": "postgresql://ochenta@/ochenta?host=/nowhere",
        "OCHENTA_REDIS_URL": "redis://127.0.0.1:1/0",
        "OCHENTA_DATA_DIR": str(folder),
    }


def run(arguments: list[str]) -> int:
    """Run all checks, or those named; print what each failing one says. 0 if all are green."""
    unknown = set(arguments) - {check.name for check in all_checks(list(CODE), {})}
    if unknown:
        sys.exit(f"./dev check has no check called {', '.join(sorted(unknown))}.")
    ensure("base", "dev", "browser")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OCHENTA_")}
    with scratch("och-check-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        clean["OCHENTA_DATA_DIR"] = str(folder)
        chosen = [
            check
            for check in all_checks(list(CODE), production_environment(folder))
            if not arguments or check.name in arguments
        ]
        results = list(pool.map(lambda check: run_check(check, clean), chosen))
    red = results.count(False)
    print(f"{len(results) - red} checks green, {red} red")
    return 1 if red or not results else 0


def run_check(check: Check, env: dict[str, str]) -> bool:
    """Run one check and print its line; what it says follows if it is red."""
    began = time.monotonic()
    done = subprocess.run(
        [str(part) for part in check.command],
        cwd=ROOT,
        env={**env, **check.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    green = done.returncode == 0
    output = "" if green else f"\n{done.stdout.rstrip()}"
    word = "green" if green else "RED"
    print(f"{check.name:<12} {word:<6} {time.monotonic() - began:5.1f} s{output}", flush=True)
    return green
