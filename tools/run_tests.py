"""`./dev test`: the same tests on SQLite and on a throwaway PostgreSQL, and an honest account.

With --pooler they run on PostgreSQL behind PgBouncer in transaction mode instead. What could not
run is named with its reason. With --require-all that is an error; with it, or with CI=true, so is
every test that skipped itself. A server is started only for tests that need it: the first session
writes down how many of its tests are for the second database, too.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from tools import pgbouncer, postgres, redis
from tools.environment import ensure
from tools.paths import PYTHON, ROOT
from tools.processes import scratch

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
JOURNEYS = "tests/journeys"
ONCE = (JOURNEYS, "tests/faults")
"""Folders whose tests bring what they need with them: they run once, beside PostgreSQL."""
PURE = "tests/grading"
"""The folder whose tests need neither Django nor a database."""
WITHOUT_MIGRATIONS = ("tests/accounts", "tests/quizzes")
"""Folders whose tests alone get their tables from the models: migrating takes 7 s on SQLite."""
OPTIONS = ("--require-all", "--sqlite", "--postgresql", "--pooler")
SESSION_SETTINGS_OF_TESTS = "SET lock_timeout=5000; SET idle_in_transaction_session_timeout=0"
"""What the pooler tells each session: a test is one transaction, and may be idle in it for long."""
NOTHING_COLLECTED = 5


@dataclass
class Tally:
    """What one run of pytest came to; `failures` holds names, `skips` holds "test: reason"."""

    passed: int = 0
    failures: list[str] = field(default_factory=list)
    skips: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = self.passed, len(self.failures), len(self.skips)
        return "{} passed, {} failed, {} skipped".format(*counts)


@dataclass(frozen=True)
class Collection:
    """What one session of pytest collected, by the caller's words and before our marks.

    `for_postgresql` counts the tests for which the database matters; `for_other_session` holds
    the ids of those that this session left out.
    """

    for_postgresql: int
    for_other_session: list[str]


@dataclass
class Account:
    """The lines to print at the end, and whether they add up to success."""

    lines: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    broken: bool = False
    empty: list[str] = field(default_factory=list)
    """The sessions that ran no test."""

    def add(self, name: str, tally: Tally, status: int) -> None:
        """Note one run: its name, counts and pytest's exit status."""
        self.lines.append(f"{name}: {tally}")
        self.total.passed += tally.passed
        self.total.failures += [f"{failure} ({name})" for failure in tally.failures]
        self.total.skips += tally.skips
        self.broken |= status not in {os.EX_OK, NOTHING_COLLECTED}
        if not (tally.passed or tally.failures or tally.skips):
            # pytest says that all is well, and there is no account of a single test.
            self.broken |= status == os.EX_OK
            self.empty.append(name)

    def status(self, *, require_all: bool, strict: bool) -> int:
        """Return the exit status: 5, as pytest says, if there was no test at all."""
        wanting = (require_all and (self.missing or self.empty)) or (strict and self.total.skips)
        if self.broken or self.total.failures or wanting:
            return 1
        return os.EX_OK if self.total.passed or self.total.skips else NOTHING_COLLECTED


def run(arguments: list[str]) -> int:
    """Run the tests wherever they can run; words that are not in OPTIONS go to pytest."""
    options = {word for word in arguments if word in OPTIONS}
    words = [word for word in arguments if word not in OPTIONS]
    require_all = "--require-all" in options
    strict = require_all or os.environ.get("CI", "").lower() in {"1", "true", "yes"}
    chromium, account, began = find_chromium(), Account(), time.monotonic()
    if chromium is None:
        account.missing.append("journeys in a browser (no Chromium on PATH or in CHROMIUM)")
    if redis.find() is None:
        account.missing.append("tests with Redis (no redis-server on PATH)")
    ensure("base", "dev", *(["browser"] if chromium else []))
    with scratch("och-test-") as folder:
        env = environment(folder, chromium, os.environ)
        if list_paths(PURE, words):
            _run_session(
                "No database", words, set(), env | {"OCHENTA_TESTS_WITHOUT_DJANGO": "1"}, account
            )
        elif "--pooler" in options:
            _run_behind_pooler(words, env, account)
        else:
            _run_on_databases(words, databases(words, options), env, account)
    for line in [*account.lines, *(f"Not run: {reason}" for reason in account.missing)]:
        print(line)
    for failure in account.total.failures:
        print(f"Failed: {failure}")
    for skip in account.total.skips:
        print(f"Skipped: {skip}")
    print(f"{account.total} in {time.monotonic() - began:.0f} s")
    return account.status(require_all=require_all, strict=strict)


def databases(words: list[str], options: set[str]) -> set[str]:
    """Return the databases to run on, of "sqlite" and "postgresql".

    Both, unless an option names one, or all paths among the words are of tests that run once,
    beside PostgreSQL.
    """
    chosen = {name for name in ("sqlite", "postgresql") if f"--{name}" in options}
    if not chosen and list_paths(ONCE, words):
        return {"postgresql"}
    return chosen or {"sqlite", "postgresql"}


def list_paths(folders: str | tuple[str, ...], words: list[str]) -> bool:
    """Return whether there are paths among the words, all in one of these folders."""
    paths = [word for word in words if word.startswith("tests")]
    return bool(paths) and all(path.startswith(folders) for path in paths)


def _run_on_databases(
    words: list[str], chosen: set[str], env: dict[str, str], account: Account
) -> None:
    """Run on the chosen databases; journeys and faults on SQLite only without PostgreSQL."""
    binaries = postgres.find()
    if binaries is None:
        account.missing.append("tests on PostgreSQL (no initdb in PG_BIN, PATH or .venv)")
        _run_session("SQLite", words, {"postgres"}, env, account)
        return
    collections = []
    if "sqlite" in chosen:
        elsewhere = {"postgres", "browser", "faults"}
        if "postgresql" in chosen:
            elsewhere.add("once")
        collections += _run_session("SQLite", words, elsewhere, env, account)
    if "postgresql" not in chosen or any(not each.for_postgresql for each in collections):
        return
    try:
        with postgres.throwaway(binaries) as server:
            there = {**env, "OCHENTA_DATABASE_URL": server.url}
            # What touches no database has run already.
            without = {"pure"} if "sqlite" in chosen else set()
            name = f"PostgreSQL {server.version}"
            collections += _run_session(name, words, without, there, account)
    except postgres.NoPostgresError as reason:
        account.missing.append(f"tests on PostgreSQL ({reason})")
        return
    account.missing += run_in_no_session(collections)


def _run_behind_pooler(words: list[str], env: dict[str, str], account: Account) -> None:
    """Run on PostgreSQL behind PgBouncer in transaction mode what uses a database.

    Faults bring servers of their own, so they are left out.
    """
    try:
        with (
            postgres.throwaway(postgres.find()) as server,
            pgbouncer.throwaway(server, settings=SESSION_SETTINGS_OF_TESTS) as url,
        ):
            there = {**env, "OCHENTA_DATABASE_URL": url}
            name = f"PostgreSQL {server.version} behind PgBouncer"
            _run_session(name, words, {"faults", "pure"}, there, account)
    except (postgres.NoPostgresError, pgbouncer.NoPoolerError) as reason:
        account.missing.append(f"tests behind PgBouncer ({reason})")


def run_in_no_session(collections: list[Collection]) -> list[str]:
    """Return what to say of the tests that each session left to another one; empty for none."""
    left = [set(collection.for_other_session) for collection in collections]
    tests = sorted(set.intersection(*left)) if left else []
    return [f"{len(tests)} tests that no session takes, such as {tests[0]}"] if tests else []


def _run_session(
    name: str, words: list[str], without: set[str], env: dict[str, str], account: Account
) -> list[Collection]:
    """Run pytest once, leaving out the tests with one of the marks in `without`.

    Return what it collected: one Collection, or none if it did not come so far.
    """
    print(f"--- {name}", flush=True)
    report = Path(env["OCHENTA_DATA_DIR"]) / f"{name.partition(' ')[0]}.xml"
    collection = report.with_suffix(".json")
    command = [str(PYTHON), "-m", "pytest", f"--junitxml={report}", *pytest_words(words)]
    if not env.get("CHROMIUM"):
        command.append(f"--ignore={JOURNEYS}")  # its modules import Playwright
    if "OCHENTA_TESTS_WITHOUT_DJANGO" in env:
        # Their imports would take half of the time.
        command += ["-p", "no:django", "-p", "no:playwright", "-p", "no:base_url"]
    elif name == "SQLite" and list_paths(WITHOUT_MIGRATIONS, words):
        # PostgreSQL has its triggers from a migration; runs of everything migrate everywhere.
        command.append("--nomigrations")
    if "pool_mode=transaction" in env.get("OCHENTA_DATABASE_URL", ""):
        # The pooler's sessions keep a database from being dropped: it goes with the server.
        command.append("--reuse-db")
    ours = {
        "OCHENTA_TESTS_WITHOUT": ",".join(sorted(without)),
        "OCHENTA_TESTS_COLLECTION": str(collection),
    }
    status = subprocess.call(command, env={**env, **ours}, cwd=ROOT)
    account.add(name, read_report(report), status)
    return [Collection(**json.loads(collection.read_text()))] if collection.exists() else []


def pytest_words(words: list[str]) -> list[str]:
    """Return pytest's arguments.

    All processors are used only if nothing particular is asked for: starting them costs
    seconds, and a debugger wants one process.
    """
    slowest = ["--durations=30", "--durations-min=2"]
    # Whoever has run its own tests takes some of another's, so that all end together.
    shared = ["-n", str(min(4, os.cpu_count() or 1)), "--dist", "worksteal"]
    return words or ["-q", *shared, *slowest]


def read_report(report: Path) -> Tally:
    """Count the cases of a JUnit file; no file, as after a usage error, counts nothing."""
    tally = Tally()
    for case in _cases(report):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failures.append(name)
        elif (skip := case.find("skipped")) is not None and skip.get("type") != "pytest.xfail":
            tally.skips.append(f"{name}: {skip.get('message')}")
        else:
            tally.passed += 1
    return tally


def _cases(report: Path) -> Iterator[ET.Element]:
    if report.exists():
        # Our own pytest wrote it a moment ago: nothing in it is foreign.
        yield from ET.parse(report).iter("testcase")  # noqa: S314  our own report


def find_chromium() -> str | None:
    """Return the path of a Chromium: CHROMIUM if set, else the first on PATH, or None."""
    chosen = os.environ.get("CHROMIUM")
    for name in [chosen] if chosen else BROWSERS:
        if path := shutil.which(name):
            return path
    return None


def environment(folder: Path, chromium: str | None, base: Mapping[str, str]) -> dict[str, str]:
    """Return the tests' environment: nothing of the caller's own site leaks into it."""
    env = {name: value for name, value in base.items() if not name.startswith("OCHENTA_")}
    env["OCHENTA_DATA_DIR"] = str(folder)
    (folder / "static").mkdir()  # Whitenoise warns where there is none, and warnings are errors
    if chromium:
        # Playwright's synchronous form runs an event loop, in which Django refuses queries.
        env |= {"CHROMIUM": chromium, "DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
    return env
