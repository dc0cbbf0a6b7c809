"""`./dev test`: the same tests on SQLite and on a throwaway PostgreSQL, and an honest account.

What could not run is named with its reason. With --require-all that is an error; with it, or
with CI=true, so is every test that skipped itself.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from tools import postgres, redis
from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import scratch

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
JOURNEYS = "tests/journeys"
NOTHING_COLLECTED = 5


@dataclass
class Tally:
    """What one run of pytest came to; `skips` holds "test: reason"."""

    passed: int = 0
    failed: int = 0
    skips: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {len(self.skips)} skipped"


@dataclass
class Account:
    """The lines to print at the end, and whether they add up to success."""

    lines: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    broken: bool = False

    def add(self, name: str, tally: Tally, status: int) -> None:
        """Note one run: its name, counts and pytest's exit status."""
        self.lines.append(f"{name}: {tally}")
        self.total.passed += tally.passed
        self.total.failed += tally.failed
        self.total.skips += tally.skips
        self.broken |= status not in {os.EX_OK, NOTHING_COLLECTED}

    def status(self, *, require_all: bool, strict: bool) -> int:
        """Give the exit status: 5, as pytest says, if there was no test at all."""
        wanting = (require_all and self.missing) or (strict and self.total.skips)
        if self.broken or self.total.failed or wanting:
            return 1
        return os.EX_OK if self.total.passed or self.total.skips else NOTHING_COLLECTED


def run(arguments: list[str]) -> int:
    """Run the tests wherever they can run; words that are not ours go to pytest."""
    require_all = "--require-all" in arguments
    words = [word for word in arguments if word != "--require-all"]
    strict = require_all or os.environ.get("CI", "").lower() in {"1", "true", "yes"}
    chromium, account, began = find_chromium(), Account(), time.monotonic()
    if chromium is None:
        account.missing.append("journeys in a browser (no Chromium on PATH or in CHROMIUM)")
    ensure("base", "dev", *(["browser"] if chromium else []))
    with scratch("och-test-") as folder, ExitStack() as stack:
        env = environment(folder, chromium, os.environ)
        _start_redis(stack, env, account)
        _everywhere(words, env, chromium, account)
    for line in [*account.lines, *(f"Not run: {what}" for what in account.missing)]:
        print(line)
    for skip in account.total.skips:
        print(f"Skipped: {skip}")
    print(f"{account.total} in {time.monotonic() - began:.0f} s")
    return account.status(require_all=require_all, strict=strict)


def _everywhere(
    words: list[str], env: dict[str, str], chromium: str | None, account: Account
) -> None:
    """Run on both databases; journeys and faults once: on SQLite where PostgreSQL is missing."""
    binaries = postgres.find()
    if binaries is None:
        account.missing.append("tests on PostgreSQL (no initdb in PG_BIN, PATH or .venv)")
    without = {"postgres"} | (set() if chromium and not binaries else {"browser"})
    # They bring databases of both kinds with them, so once is enough.
    without |= {"faults"} if binaries else set()
    _one("SQLite", words, without, env, account)
    if binaries is None:
        return
    try:
        with postgres.throwaway(binaries) as server:
            there = {**env, "OCHENTA_DATABASE_URL": server.url}
            # What touches no database has run already.
            without = {"pure"} | (set() if chromium else {"browser"})
            _one(f"PostgreSQL {server.version}", words, without, there, account)
    except postgres.NoPostgresError as reason:
        account.missing.append(f"tests on PostgreSQL ({reason})")


def _one(
    name: str, words: list[str], without: set[str], env: dict[str, str], account: Account
) -> None:
    print(f"--- {name}", flush=True)
    report = Path(env["OCHENTA_DATA_DIR"]) / f"{name.partition(' ')[0]}.xml"
    command = [str(PYTHON), "-m", "pytest", f"--junitxml={report}", *pytest_words(words, without)]
    status = subprocess.call(command, env=env, cwd=ROOT)
    account.add(name, read_report(report), status)


def pytest_words(words: list[str], without: set[str]) -> list[str]:
    """Give pytest's arguments: the caller's, less the marks that cannot run here.

    All processors are used only if nothing particular is asked for: starting them costs
    seconds, and a debugger wants one process.
    """
    words, marks = list(words), [f"not {mark}" for mark in sorted(without)]
    result = [] if words else ["-q", "-n", str(min(4, os.cpu_count() or 1))]
    if "-m" in words[:-1]:
        place = words.index("-m")
        marks.insert(0, f"({words[place + 1]})")
        del words[place : place + 2]
    if marks:
        result += ["-m", " and ".join(marks)]
    if "browser" in without:
        result.append(f"--ignore={JOURNEYS}")
    return result + words


def read_report(report: Path) -> Tally:
    """Count the cases of a JUnit file; no file, as after a usage error, counts nothing."""
    tally = Tally()
    for case in _cases(report):
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif (skip := case.find("skipped")) is not None and skip.get("type") != "pytest.xfail":
            name = f"{case.get('classname')}.{case.get('name')}"
            tally.skips.append(f"{name}: {skip.get('message')}")
        else:
            tally.passed += 1
    return tally


def _cases(report: Path) -> Iterator[ET.Element]:
    if report.exists():
        # Our own pytest wrote it a moment ago: nothing in it is foreign.
        yield from ET.parse(report).iter("testcase")  # noqa: S314


def find_chromium() -> str | None:
    """Give the path of a Chromium: CHROMIUM if set, else the first on PATH, or None."""
    chosen = os.environ.get("CHROMIUM")
    for name in [chosen] if chosen else BROWSERS:
        if found := shutil.which(name):
            return found
    return None


def environment(folder: Path, chromium: str | None, base: Mapping[str, str]) -> dict[str, str]:
    """Give the tests' environment: nothing of the caller's own site leaks into it."""
    env = {name: value for name, value in base.items() if not name.startswith("OCHENTA_")}
    env["OCHENTA_DATA_DIR"] = str(folder)
    (folder / "static").mkdir()  # Whitenoise warns where there is none, and warnings are errors
    if chromium:
        # Playwright's synchronous form runs an event loop, in which Django refuses queries.
        env |= {"CHROMIUM": chromium, "DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
    return env


def _start_redis(stack: ExitStack, env: dict[str, str], account: Account) -> None:
    """Give the tests that want a real Redis its address in OCHENTA_TEST_REDIS_URL."""
    try:
        env["OCHENTA_TEST_REDIS_URL"] = stack.enter_context(redis.throwaway())
    except redis.NoRedisError as reason:
        account.missing.append(f"tests with Redis ({reason})")
        print(f"No Redis: {reason}", file=sys.stderr)
