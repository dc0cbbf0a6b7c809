"""kill -9 of the browser: answers that the page called kept are sent by the next start."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.devices import Break, Outcome, try_profiles
from tests.faults.exams import QUESTIONS
from tests.faults.sites import Site
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


def outcomes_of(site: Site, number: int, break_stores: Break | None) -> list[Outcome]:
    """Return what became of each profile.

    In a thread of its own: in this one the browser of the journeys may run its event loop.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: list(try_profiles(site, number, break_stores))).result()


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
