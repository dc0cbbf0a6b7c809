"""Browsers killed with unsent answers on their device: `python -m tests.faults.devices [PROFILES]`.

Each profile is fresh and persistent, with the back/forward cache on, as people have it. Its learner
signs in, goes straight on to the attempt, answers all questions offline, and the whole browser is
killed the moment that the page says "kept". Started again online, the same profile must send every
answer. The command prints one line a profile and ends with 1 if an answer was lost.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import BrowserContext, Error, Page, Playwright, sync_playwright

from tests.faults import journal
from tests.faults.exams import QUESTIONS
from tests.faults.sites import Site
from tests.faults.slaying import slay
from tests.users import PASSWORD
from tools.processes import scratch, wait_until
from tools.run_tests import find_chromium

Break = Callable[[BrowserContext], None]

PROFILES = 100
PATIENCE = 30_000
KEPT = """words => /\\bkept on this device/.test(words) && !/not kept/.test(words)"""

ANSWER_ALL = """() => {
    for (const question of document.querySelectorAll("fieldset[data-slot]"))
        question.querySelectorAll(".option input")[1].click();
}"""
WORDS = "[data-save-words]"
ARRIVED = """
    SELECT count(DISTINCT r.slot) FROM attempts_response r JOIN attempts_attempt a
    ON a.id = r.attempt_id WHERE r.status = 'accepted' AND replace(a.uuid, '-', '') = '{}'
"""


@dataclass(frozen=True)
class Outcome:
    """What one profile came to; `seconds` from the last answer to the word "kept"."""

    is_saved: bool
    words: str
    seconds: float
    arrived: int = 0

    @property
    def lost(self) -> int:
        """Return how many answers were called kept and never came."""
        return QUESTIONS - self.arrived if self.is_saved else 0


@contextmanager
def open_browser(playwright: Playwright, profile: Path) -> Iterator[BrowserContext]:
    """Start a browser on a profile, with the cache that Playwright would turn off."""
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=find_chromium(),
        args=["--no-sandbox"],
        ignore_default_args=["--disable-back-forward-cache"],
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE)
    try:
        yield context
    finally:
        with suppress(Error):
            context.close()


def find_process(profile: Path) -> int:
    """Return the process id of the browser on this profile: the one that no other one started."""
    words = f"--user-data-dir={profile}".encode()
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        with suppress(OSError):
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if words in command and not any(word.startswith(b"--type=") for word in command):
                return int(entry.name)
    raise LookupError(profile)


def sign_in(page: Page, base: str, email: str) -> None:
    """Sign in by the form, unless this profile still is."""
    page.goto(f"{base}/accounts/login/")
    if "/accounts/login/" not in page.url:
        return
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", PASSWORD)
    page.locator("form:has(input[name=password]) button[type=submit]").click()
    page.wait_for_url(f"{base}/", wait_until="commit")


def say_kept(page: Page, seconds: float) -> tuple[bool, str, float]:
    """Wait until the page says that the answers are kept: whether, its words, after how long."""
    began, words = time.monotonic(), ""
    while time.monotonic() - began < seconds:
        words = page.locator(WORDS).inner_text()
        if page.evaluate(KEPT, words):
            return True, words, time.monotonic() - began
    return False, words, time.monotonic() - began


class Device:
    """One profile of one learner on a running site."""

    def __init__(self, playwright: Playwright, base: str, site: Site, profile: Path) -> None:
        self._playwright, self._base, self._site = playwright, base, site
        self._profile = profile

    def answer_and_die(self, email: str, attempt: str, break_stores: Break | None) -> Outcome:
        """Answer all questions offline, and kill the browser when it calls them kept."""
        with open_browser(self._playwright, self._profile) as context:
            if break_stores:
                break_stores(context)
            page = context.pages[0]
            sign_in(page, self._base, email)
            page.goto(f"{self._base}/attempts/{attempt}/")
            page.wait_for_selector("fieldset[data-slot]")
            with suppress(Error):
                page.wait_for_selector("form[data-autosave]", timeout=5_000)
            context.set_offline(True)
            page.evaluate(ANSWER_ALL)
            is_saved, words, seconds = say_kept(page, 15)
            slay(find_process(self._profile))
        return Outcome(is_saved, words, seconds)

    def come_back(self, email: str, attempt: str) -> int:
        """Start the same profile online; return how many answers are on the server in the end."""
        query = ARRIVED.format(attempt.replace("-", ""))

        def count() -> int:
            return int(journal.rows(self._site.url, query)[0][0])

        with open_browser(self._playwright, self._profile) as context:
            page = context.pages[0]
            sign_in(page, self._base, email)
            page.goto(f"{self._base}/")
            wait_until(lambda: page.title() != "" and count() == QUESTIONS, seconds=10)
        return count()


def try_profiles(site: Site, number: int, break_stores: Break | None = None) -> Iterator[Outcome]:
    """Let that many learners of a prepared site answer, die and come back; one at a time."""
    people = site.call("tests.faults.exams", str(number))["people"]
    with site.served() as web, sync_playwright() as playwright:
        base = f"http://127.0.0.1:{web.port}"
        for email, attempt in people:
            with scratch("och-device-") as profile:
                device = Device(playwright, base, site, profile)
                outcome = device.answer_and_die(email, attempt, break_stores)
                yield replace(outcome, arrived=device.come_back(email, attempt))


def main() -> int:
    """Try as many profiles as are asked for, and say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profiles", type=int, nargs="?", default=PROFILES)
    profiles = parser.parse_args().profiles
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    outcomes = []
    with ExitStack() as stack:
        folder = stack.enter_context(scratch("och-devices-"))
        (folder / "static").mkdir()
        site = Site(f"sqlite:///{folder}/ochenta.db", folder)
        site.call("config.deploy")
        for outcome in try_profiles(site, profiles):
            outcomes.append(outcome)
            print(len(outcomes), outcome, flush=True)
    saved_count, lost = (
        sum(outcome.is_saved for outcome in outcomes),
        sum(outcome.lost for outcome in outcomes),
    )
    print(f"{len(outcomes)} profiles, {saved_count} said kept, {lost} answers lost")
    return 1 if lost or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
