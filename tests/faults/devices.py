"""Browsers killed with unsent answers on their device: `python -m tests.faults.devices [PROFILES]`.

Each profile is fresh and persistent, with the back/forward cache on, as people have it. Its learner
signs in, goes straight on to the attempt, answers all questions offline, and the whole browser is
killed the moment that the page says "kept". Started again online, the same profile must send every
answer; started without a network it must open the page with all of them, and send them by itself
once there is one. The command prints one line a profile and ends with 1 if an answer was lost.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from playwright.sync_api import BrowserContext, Error, Page, Playwright, sync_playwright

from tests.faults.exams import QUESTIONS
from tests.faults.sites import Site
from tests.users import PASSWORD
from tools.faults import journal
from tools.faults.slaying import slay
from tools.processes import scratch, wait_until
from tools.run_tests import find_chromium

Break = Callable[[BrowserContext], None]
Workers = Literal["allow", "block"]

PROFILES = 100
PATIENCE = 30_000
KEPT = """words => /\\bkept on this device/.test(words) && !/not kept/.test(words)"""

ANSWER = """([first, last]) => {
    for (const question of [...document.querySelectorAll("fieldset[data-slot]")].slice(first, last))
        question.querySelectorAll(".option input")[1].click();
}"""
ANSWERED = "() => document.querySelectorAll('fieldset[data-slot] .option input:checked').length"
IS_READY = "() => document.querySelector('form[data-autosave]') !== null"
IS_STORED = "async () => Boolean(await caches.match(location.pathname))"
ONLINE_ANSWERS = 5
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


@dataclass(frozen=True)
class Reopening:
    """What a page showed that was opened without a network, and what came once there was one."""

    answers: int
    arrived: int = 0
    seconds: float = 0


@contextmanager
def open_browser(
    playwright: Playwright, profile: Path, workers: Workers = "allow"
) -> Iterator[BrowserContext]:
    """Start a browser on a profile, with the cache that Playwright would turn off."""
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=find_chromium(),
        args=["--no-sandbox"],
        ignore_default_args=["--disable-back-forward-cache"],
        locale="en-GB",
        service_workers=workers,
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

    def __init__(
        self,
        playwright: Playwright,
        base: str,
        site: Site,
        profile: Path,
        workers: Workers = "allow",
    ) -> None:
        self._playwright, self._base, self._site = playwright, base, site
        self._profile, self._workers = profile, workers

    def answer_and_die(self, email: str, attempt: str, break_stores: Break | None) -> Outcome:
        """Answer all questions offline, and kill the browser when it calls them kept."""
        with open_browser(self._playwright, self._profile, self._workers) as context:
            if break_stores:
                break_stores(context)
            page = context.pages[0]
            sign_in(page, self._base, email)
            page.goto(f"{self._base}/attempts/{attempt}/")
            page.wait_for_selector("fieldset[data-slot]")
            with suppress(Error):
                page.wait_for_selector("form[data-autosave]", timeout=5_000)
            if self._workers == "allow":
                assert wait_until(lambda: page.evaluate(IS_STORED), seconds=20)
            if online := (0 if break_stores else ONLINE_ANSWERS):
                page.evaluate(ANSWER, [0, online])
                saved = page.locator(WORDS)
                assert wait_until(lambda: saved.inner_text().startswith("Saved"), seconds=20)
            context.set_offline(True)
            page.evaluate(ANSWER, [online, QUESTIONS])
            is_saved, words, seconds = say_kept(page, 15)
            slay(find_process(self._profile))
        return Outcome(is_saved, words, seconds)

    def sign_in_and_close(self, email: str) -> None:
        """Sign in some time before: browsers write cookies to the disk within half a minute."""
        with open_browser(self._playwright, self._profile, self._workers) as context:
            sign_in(context.pages[0], self._base, email)

    def come_back(self, email: str, attempt: str) -> int:
        """Start the same profile online; return how many answers are on the server in the end."""
        with open_browser(self._playwright, self._profile, self._workers) as context:
            page = context.pages[0]
            sign_in(page, self._base, email)
            page.goto(f"{self._base}/")
            wait_until(lambda: page.title() != "" and self._is_complete(attempt), seconds=10)
        return self._count(attempt)

    def _count(self, attempt: str) -> int:
        query = ARRIVED.format(attempt.replace("-", ""))
        return int(journal.rows(self._site.url, query)[0][0])

    def _is_complete(self, attempt: str) -> bool:
        return self._count(attempt) == QUESTIONS

    def open_without_network(
        self, attempt: str, serve: Callable[[], AbstractContextManager[object]]
    ) -> Reopening:
        """Start the same profile while no site is served, and serve it; nobody touches the page."""
        with open_browser(self._playwright, self._profile, self._workers) as context:
            context.set_offline(True)
            page = context.pages[0]
            try:
                page.goto(f"{self._base}/attempts/{attempt}/")
            except Error:
                return Reopening(0)
            wait_until(lambda: page.evaluate(IS_READY), seconds=20)
            answers = int(page.evaluate(ANSWERED))
            with serve():
                context.set_offline(False)
                began = time.monotonic()
                wait_until(lambda: page.title() != "" and self._is_complete(attempt), seconds=10)
                return Reopening(answers, self._count(attempt), time.monotonic() - began)


def reopen(site: Site, next_site: Site, workers: Workers = "allow") -> Reopening:
    """Let a learner answer and die, open the page without a network, and serve another deploy."""
    [[email, attempt]] = site.call("tests.faults.exams", "1")["people"]
    with sync_playwright() as playwright, scratch("och-device-") as profile:
        with site.served() as web:
            base = f"http://127.0.0.1:{web.port}"
            device = Device(playwright, base, site, profile, workers)
            device.sign_in_and_close(email)
            device.answer_and_die(email, attempt, None)
        return device.open_without_network(attempt, lambda: next_site.served(port=web.port))


def try_profiles(
    site: Site, number: int, break_stores: Break | None = None, workers: Workers = "allow"
) -> Iterator[Outcome]:
    """Let that many learners of a prepared site answer, die and come back; one at a time."""
    people = site.call("tests.faults.exams", str(number))["people"]
    with site.served() as web, sync_playwright() as playwright:
        base = f"http://127.0.0.1:{web.port}"
        for email, attempt in people:
            with scratch("och-device-") as profile:
                device = Device(playwright, base, site, profile, workers)
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
