"""The documentation in a browser: it loads from this site alone, and the policy stops nothing."""

import os
import shutil

import pytest
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Playwright's synchronous face runs an event loop of its own beside Django's tests.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chosen = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)))
    return {**browser_type_launch_args, "executable_path": chosen, "args": ["--no-sandbox"]}


def test_operations_unfold_under_the_policy_and_nothing_comes_from_elsewhere(
    browser: Browser, live_server
):
    context = browser.new_context()
    page = context.new_page()
    messages: list[str] = []
    requested: list[str] = []
    page.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: messages.append(f"pageerror: {error}"))
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{live_server.url}/api/v1/docs")
    page.locator("#operations-attempts-startAttempt").click()
    page.get_by_text("Start an attempt; repeated, it starts no second one").wait_for()
    page.locator("button.authorize").click()
    page.locator(".modal-ux").wait_for()
    assert [
        message for message in messages if not message.startswith(("log", "info", "debug"))
    ] == []
    foreign = [url for url in requested if not url.startswith((live_server.url, "data:", "blob:"))]
    assert foreign == []
    context.close()
