"""kill -9 of the browser: answers that the page called kept are sent by the next start."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.faults.devices import Break, Outcome, Reopening, Workers, reopen, try_profiles
from tests.faults.exams import CARDS, QUESTIONS
from tests.faults.sites import Site
from tests.faults.study_devices import StudyReturn, study_again
from tests.faults.test_doctor_on_sites import PRODUCTION
from tools.paths import ROOT
from tools.run_tests import find_chromium

HANG = "IDBFactory.prototype.open = () => new EventTarget();"
PROFILES = 2

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="it needs Chromium")


@pytest.fixture(autouse=True)
def _with_an_event_loop(monkeypatch):
    """Playwright's synchronous form runs an event loop, in which Django refuses queries."""
    monkeypatch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def hang(context) -> None:
    context.add_init_script(HANG)


def hang_and_boast(context) -> None:
    """The control: the database hangs, no file is written, and the page calls all of it kept."""

    def boast(route) -> None:
        source = route.fetch().text()
        assert "get durability() {" in source
        body = source.replace("get durability() {", 'get durability() {\n    return "kept";')
        route.fulfill(body=body, content_type="text/javascript")

    hang(context)
    context.route("**/js/outbox.js", boast)
    context.route("**/js/file-worker.js", lambda route: route.abort())


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Return what work returns: in this thread the journeys' browser may run its event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def outcomes_of(site: Site, number: int, break_stores: Break | None) -> list[Outcome]:
    """Return what became of each profile; a worker would answer what the control breaks."""
    workers: Workers = "block" if break_stores is hang_and_boast else "allow"
    outcomes: list[Outcome] = in_a_thread(
        lambda: list(try_profiles(site, number, break_stores, workers))
    )
    return outcomes


@pytest.mark.parametrize("break_stores", [None, hang])
def test_what_is_called_kept_survives_the_death_of_the_browser(on_sqlite, break_stores):
    outcomes = outcomes_of(on_sqlite, PROFILES, break_stores)
    assert [(outcome.is_saved, outcome.arrived) for outcome in outcomes] == [
        (True, QUESTIONS)
    ] * PROFILES


def test_a_page_that_calls_kept_what_is_in_memory_is_caught(on_sqlite):
    [outcome] = outcomes_of(on_sqlite, 1, hang_and_boast)
    assert outcome.is_saved
    assert outcome.lost == QUESTIONS


WITH_DIGESTS = PRODUCTION | {
    "OCHENTA_HTTPS": "0",
    "OCHENTA_PROXIES": "0",
    "OCHENTA_EMAIL_VERIFICATION": "none",
}


@pytest.fixture(params=["same names", "names with a digest"])
def deploys(request, on_sqlite, tmp_path) -> tuple[Site, Site]:
    """A site, and the same after a deploy that has changed every script."""
    project = tmp_path / "project"
    left_out = shutil.ignore_patterns(".git", ".venv", "docs", "tests", "__pycache__", ".*_cache")
    shutil.copytree(ROOT, project, ignore=left_out, symlinks=True)
    for script in (project / "static" / "web").rglob("*.js"):
        script.write_text(f"{script.read_text()}\n// another deploy\n")
    if request.param == "same names":
        return on_sqlite, replace(on_sqlite, project=project)
    folder = tmp_path / "next"
    folder.mkdir()
    shutil.copy(on_sqlite.folder / "signing-key", folder)
    site = replace(on_sqlite, settings=WITH_DIGESTS)
    following = replace(site, folder=folder, project=project)
    for each in (site, following):
        each.call("config.deploy", "--static")
    return site, following


def names_of_scripts(site: Site) -> set[str]:
    return {path.name for path in Path(site.folder / "static").rglob("attempt*.js")}


def test_a_killed_browser_opens_the_attempt_offline_and_a_deploy_breaks_nothing(deploys):
    site, following = deploys
    if site.settings:
        assert names_of_scripts(site).isdisjoint(names_of_scripts(following))
    reopening: Reopening = in_a_thread(lambda: reopen(site, following))
    assert (reopening.answers, reopening.arrived) == (QUESTIONS, QUESTIONS)
    assert reopening.seconds < 10


def test_a_killed_browser_goes_on_with_its_cards_offline_and_a_deploy_breaks_nothing(deploys):
    reviews: StudyReturn = in_a_thread(lambda: study_again(*deploys))
    assert reviews.waiting == CARDS
    assert (reviews.rows, reviews.entries, reviews.cards) == (CARDS, CARDS, CARDS)
    assert reviews.seconds < 10


def test_without_a_worker_nothing_opens_offline(on_sqlite):
    reopening: Reopening = in_a_thread(lambda: reopen(on_sqlite, on_sqlite, "block"))
    assert reopening.answers == 0
