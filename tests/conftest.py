"""What every test gets: marks, no network, and Django with our fixtures where it is needed.

`./dev test tests/grading` runs without Django: OCHENTA_TESTS_WITHOUT_DJANGO is set then.
"""

import gc
import json
import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

WITHOUT_DJANGO = "OCHENTA_TESTS_WITHOUT_DJANGO" in os.environ
FIXTURES = (
    *("django_support", "leftover_sessions", "users", "factories", "identity_provider"),
    *("media_files", "query_counts", "template_lookups"),
)
pytest_plugins = [] if WITHOUT_DJANGO else [f"tests.{name}" for name in FIXTURES]

LOOPBACK = ["127.0.0.1", "::1"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
left_out: dict[str, int] = {}
"""Why tests were left out, and how many: told at the end, so that nothing goes missing unseen."""
WITH_DATABASES = {"config", "faults", "journeys"}
"""Folders whose tests use a database without the fixtures that say so."""
RUN_BY_TOOLS = frozenset(filter(None, os.environ.get("OCHENTA_TESTS_WITHOUT", "").split(",")))
"""Marks whose tests `./dev test` runs in its other session."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, nor among them while they run.

    They are a million objects that stay for the whole session.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the options of pytest-django where it is left out."""
    if WITHOUT_DJANGO:
        parser.addini("DJANGO_SETTINGS_MODULE", "not read without Django")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Close the network before pytest-socket reads its options; Unix sockets stay open.

    PostgreSQL is reached by a C library, which knows nothing of this.
    """
    config.option.disable_socket = True
    config.option.allow_unix_socket = True


def _has_chromium() -> bool:
    chosen = os.environ.get("CHROMIUM")
    return any(shutil.which(name) for name in ([chosen] if chosen else BROWSERS))


def _cannot_run() -> dict[str, str]:
    """Return the marks that mean nothing here, each with the reason."""
    marks = {}
    url = os.environ.get("OCHENTA_DATABASE_URL", "")
    if not url.startswith("postgres"):
        marks["postgres"] = "they need PostgreSQL, and this run is on another database"
    if "pool_mode=transaction" in url:
        marks["unpooled"] = "they rest on one session of PostgreSQL, and a pooler hands out many"
    if not _has_chromium():
        marks["browser"] = "they need Chromium, and there is none on PATH or in CHROMIUM"
    return marks


def _is_pure(item: pytest.Item) -> bool:
    """Return whether no database can matter to a test: it need not run on the second one."""
    uses_database = {"db", "transactional_db"}.intersection(_fixtures(item))
    marks = ("django_db", "browser", "faults", "postgres")
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    if uses_database or folder in WITH_DATABASES:
        return False
    return not any(map(item.get_closest_marker, marks))


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what touches no database, and let browsers reach this machine, but no other."""
    if _is_pure(item):
        item.add_marker(pytest.mark.pure)
    if item.get_closest_marker("browser") or "live_server" in _fixtures(item):
        item.add_marker(pytest.mark.allow_hosts(LOOPBACK))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot run here, after pytest has chosen by the caller's own words."""
    reasons = _cannot_run()
    gone, for_other_session = set(), []
    for item in items:
        mark = next((mark for mark in reasons if item.get_closest_marker(mark)), None)
        if any(map(item.get_closest_marker, RUN_BY_TOOLS)):
            for_other_session.append(item)
        elif mark is not None:
            gone.add(item)
            left_out[reasons[mark]] = left_out.get(reasons[mark], 0) + 1
    _report_collection(items, for_other_session)
    gone.update(for_other_session)
    if gone:
        config.hook.pytest_deselected(items=list(gone))
        items[:] = [item for item in items if item not in gone]
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = left_out


def _report_collection(items: list[pytest.Item], for_other_session: list[pytest.Item]) -> None:
    """Write down for `./dev test` which tests this session leaves to the other one."""
    path = os.environ.get("OCHENTA_TESTS_COLLECTION")
    if path is None:
        return
    collection = {
        "for_postgresql": sum(item.get_closest_marker("pure") is None for item in items),
        "for_other_session": [item.nodeid for item in for_other_session],
    }
    # Each worker of xdist writes the same: the last one stands, and never half of it.
    draft = Path(f"{path}.{os.getpid()}")
    draft.write_text(json.dumps(collection), encoding="utf-8")
    draft.replace(path)


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker of xdist left out: each has collected the same."""
    left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, and why."""
    for why, count in left_out.items():
        terminalreporter.write_line(f"Left out {count} tests: {why}.", yellow=True)
