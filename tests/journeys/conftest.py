"""A browser, the site behind it, and how people go about it."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from accounts.models import User
from quizzes.attempts import services
from quizzes.lib import clock
from quizzes.results.services import finish
from tests.factories import create_bank, create_question, create_quiz
from tests.users import Users, logged_in_client

# Playwright's synchronous face runs an event loop of its own beside Django's tests.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
GRAVE = {"serious", "critical"}
PATIENCE = 30_000
"""Milliseconds for what must come, however busy the machine; a test that passes is no slower."""

expect.set_options(timeout=PATIENCE)

MODULES = re.compile(r"/js/(?!theme)[\w-]+\.js")
"""All scripts but the one that must come before the first paint."""

Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chosen = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)))
    return {**browser_type_launch_args, "executable_path": chosen, "args": ["--no-sandbox"]}


@pytest.fixture
def bilingual(transactional_db, users: Users):
    """Six questions of all kinds, in two languages."""
    into = create_bank(users)
    questions = [
        create_question(into, "many", right="abc", options="abcde"),
        create_question(into, "none", right="", options="abc", none_apply=True),
        create_question(into, "single", right="b", kind="single_choice"),
        create_question(into, "truth", right="b", options="ab", kind="true_false"),
        create_question(into, "last", right="c", kind="single_choice"),
    ]
    return create_quiz(users, questions, shuffle_options=False)


@pytest.fixture
def lived_in(bilingual, users):
    """Somebody with an open attempt, a graded one, and a quiz not begun."""
    into = create_bank(users)
    ended = create_quiz(
        users, [create_question(into, "own", right="ab")], slug="ended", time_limit=30
    )
    attempt = services.start(quiz=ended.uuid, learner=users.learner, now=clock.now())
    finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
    limited = create_quiz(
        users, [create_question(into, "other", right="ab")], slug="limited", time_limit=30
    )
    opened = services.start(quiz=limited.uuid, learner=users.learner, now=clock.now())
    return attempt, opened


@pytest.fixture
def moved(monkeypatch):
    """Move the site's clock by so many days, or minutes."""
    shift, now = [timedelta()], clock.now

    def move(**span: float) -> None:
        shift[0] += timedelta(**span)

    monkeypatch.setattr(clock, "now", lambda: now() + shift[0])
    return move


@pytest.fixture
def visit(browser: Browser, live_server) -> Iterator[Opened]:
    """Open a browser of one's own with somebody signed in; what scripts complain of is an error."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(user: User | None = None, width: int = 1280, **options) -> Page:
        # A worker would answer what tests break: only those about it let it be.
        options = {"service_workers": "block", "locale": "en-GB", **options}
        options = {"viewport": {"width": width, "height": 800}, **options}
        context = browser.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        if user:
            sign_in(context, user, live_server.url)
        return context.new_page()

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    name = django_settings.SESSION_COOKIE_NAME
    value = logged_in_client(user).cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": url}])


def arrive(page: Page, address: str) -> None:
    """Go to a page and insist that it is there: what is not there fits a phone, too."""
    response = page.goto(address)
    assert response is not None
    assert (response.status, urlsplit(page.url).path) == (200, urlsplit(address).path)


def start(page: Page, slug: str = "quiz") -> str:
    """Start a quiz by its button; give the attempt's address."""
    page.goto(f"/quizzes/{slug}/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    at_work(page)
    return page.url


def at_work(page: Page) -> None:
    """Wait until the scripts of an attempt's page have brought back what this device kept."""
    page.wait_for_selector("form[data-autosave]")


def again(page: Page, address: str = "") -> Page:
    """Come to an attempt's page anew: to this one, or by its address."""
    if address:
        page.goto(address)
    else:
        page.reload()
    at_work(page)
    return page


def look_over(page: Page) -> None:
    """Go on to the last look at what was answered."""
    page.locator("button[value=review].button").click()
    page.wait_for_url("**/attempts/*/review")


def submit(page: Page) -> None:
    """Look over what was answered, if that is not done, and hand it in."""
    if not page.url.endswith("/review"):
        look_over(page)
    page.locator("form[data-submit] button").click()
    page.wait_for_url("**/result")


def speak(page: Page, language: str) -> None:
    """Let pages come in a language from now on."""
    host = page.context.cookies()[0]["domain"]
    page.context.add_cookies([{"name": "language", "value": language, "domain": host, "path": "/"}])


@contextmanager
def scripts_to_come(page: Page, address: str) -> Iterator[None]:
    """Come to an attempt's page whose scripts arrive only after the block."""
    late: list[Route] = []
    may_come = False

    def come(route: Route) -> None:
        if may_come:
            route.continue_()
        else:
            late.append(route)

    page.route(MODULES, come)
    page.goto(address, wait_until="commit")
    yield
    may_come = True
    for route in late:
        route.continue_()
    at_work(page)


class Line:
    """A broken line: what a page saves, or the word on it, is lost until the line is `up`.

    With a `status` it is answered so: the server fails. The route stays: one that is taken away may
    have a request under way.
    """

    def __init__(self, page: Page, *, lose_receipts: bool = False, status: int = 0) -> None:
        self.up, self._arrives, self._status = False, lose_receipts, status
        page.route("**/save", self._come)

    def _come(self, route: Route) -> None:
        if self.up:
            route.continue_()
            return
        if self._arrives:
            route.fetch()
        if self._status:
            route.fulfill(status=self._status)
        else:
            route.abort()


HOLD = """() => {
    const real = window.fetch;
    const opened = new Promise((open) => (window.letGo = open));
    window.fetch = async (url, options) => {
        if (String(url).endsWith("/save")) {
            document.documentElement.dataset.held = "";
            await opened;
        }
        return real(url, options);
    };
}"""


def hold(page: Page) -> None:
    """Let nothing that this page saves leave, until `let_go`."""
    page.evaluate(HOLD)


def held(page: Page) -> None:
    """Wait until something would leave."""
    page.wait_for_selector("html[data-held]")


def let_go(page: Page) -> None:
    page.evaluate("letGo()")


def follow(page: Page, selector: str) -> None:
    """Press what leads to another page, and wait until that one is there."""
    with page.expect_navigation():
        page.locator(selector).click()


def option(page: Page, slot: int, place: int):
    """The control of an option; places count from 0."""
    return page.locator(f"#q-{slot} .option input").nth(place)


def all_saved(page: Page) -> None:
    """Wait until the server has all that was done on this page up to now.

    The page says that something waits as soon as it is touched, so "saved" is never the word on an
    answer before.
    """
    page.wait_for_selector("[data-save-state][data-state=saved]")


@pytest.fixture
def accessible():
    """Let axe look at a page; whatever it calls serious or critical fails."""
    axe = Axe()

    def look(page: Page, where: str = "") -> None:
        violations = [
            f"{where}: {violation['id']}: {[node['html'] for node in violation['nodes']]}"
            for violation in axe.run(page).response["violations"]
            if violation["impact"] in GRAVE
        ]
        assert violations == []

    return look
