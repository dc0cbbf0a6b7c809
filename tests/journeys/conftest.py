"""A browser, the site behind it, and how people go about it."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.models import User
from tests.content import bank, question, quiz
from tests.people import Cast, signed_in

# Playwright's synchronous face runs an event loop of its own beside Django's tests.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
GRAVE = {"serious", "critical"}
PATIENCE = 30_000
"""Milliseconds for what must come, however busy the machine; a test that passes is no slower."""

expect.set_options(timeout=PATIENCE)

Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chosen = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)))
    return {**browser_type_launch_args, "executable_path": chosen, "args": ["--no-sandbox"]}


@pytest.fixture
def bilingual(transactional_db, cast: Cast):
    """Six questions of all kinds, in two languages."""
    into = bank(cast)
    asked = [
        question(into, "many", right="abc", options="abcde"),
        question(into, "none", right="", options="abc", none_apply=True),
        question(into, "single", right="b", kind="single_choice"),
        question(into, "truth", right="b", options="ab", kind="true_false"),
        question(into, "last", right="c", kind="single_choice"),
    ]
    return quiz(cast, asked, shuffle_options=False)


@pytest.fixture
def visit(browser: Browser, live_server) -> Iterator[Opened]:
    """Open a browser of one's own with somebody signed in; what scripts complain of is an error."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(user: User | None = None, width: int = 1280, **options) -> Page:
        options = {"locale": "en-GB", "viewport": {"width": width, "height": 800}, **options}
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
    value = signed_in(user).cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": url}])


def start(page: Page, slug: str = "quiz") -> str:
    """Start a quiz by its button; give the attempt's address."""
    page.goto(f"/quizzes/{slug}/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    page.wait_for_selector("form[data-autosave]")
    return page.url


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
        found = [
            f"{where}: {one['id']}: {[node['html'] for node in one['nodes']]}"
            for one in axe.run(page).response["violations"]
            if one["impact"] in GRAVE
        ]
        assert found == []

    return look
