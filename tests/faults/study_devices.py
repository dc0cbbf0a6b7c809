"""Browsers killed with reviews of cards on their device, and opened again without a network."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from time import monotonic

from playwright.sync_api import Page, sync_playwright

from tests.faults.devices import Device, find_process, open_browser
from tests.faults.exams import CARDS
from tests.faults.sites import Site
from tools.faults import journal
from tools.faults.slaying import slay
from tools.processes import scratch, wait_until

BEFORE = CARDS // 2
"""Reviews before the browser is killed; the others come after it was started again, offline."""

IS_STORED = "async () => Boolean(await caches.match('/study/cards', { ignoreVary: true }))"
REVIEWS = """
    SELECT count(*), count(DISTINCT client_id), count(DISTINCT card_id) FROM study_studylogentry
"""


@dataclass(frozen=True)
class StudyReturn:
    """How many reviews waited on the device at the end, and what the server had of them."""

    waiting: int
    rows: int
    entries: int
    cards: int
    seconds: float


def rate_cards(page: Page, number: int) -> None:
    """Turn so many cards over and rate them, by keys."""
    for _ in range(number):
        entry = page.locator('[name="entry"]').first.input_value()
        page.keyboard.press(" ")
        page.locator("[data-back]").wait_for()
        page.keyboard.press("3")
        page.locator(f'[name="entry"][value="{entry}"]').first.wait_for(state="detached")


def count_waiting(page: Page, number: int) -> int:
    """Return how many reviews the page says wait, once it says so many."""
    waiting = page.locator("[data-waiting]")
    wait_until(lambda: waiting.inner_text() == str(number), seconds=10)
    return int(waiting.inner_text())


class StudyDevice(Device):
    """One profile of a learner who studies on a running site."""

    def rate_and_die(self, email: str) -> None:
        """Rate half of the cards without a network, and kill the browser."""
        with open_browser(self._playwright, self._profile) as context:
            page = context.pages[0]
            page.goto(f"{self._base}/study/card")
            assert wait_until(lambda: page.evaluate(IS_STORED), seconds=20)
            context.set_offline(True)
            rate_cards(page, BEFORE)
            assert count_waiting(page, BEFORE) == BEFORE
            slay(find_process(self._profile))

    def rate_on(self, serve: Callable[[], AbstractContextManager[object]]) -> StudyReturn:
        """Rate the others while no site is served, and serve it; nobody touches the page."""
        with open_browser(self._playwright, self._profile) as context:
            context.set_offline(True)
            page = context.pages[0]
            page.goto(f"{self._base}/study/")
            rate_cards(page, CARDS - BEFORE)
            waiting = count_waiting(page, CARDS)
            with serve():
                context.set_offline(False)
                began = monotonic()
                wait_until(
                    lambda: page.title() != "" and self._read_reviews()[0] >= CARDS, seconds=10
                )
                seconds = monotonic() - began
                page.wait_for_url(f"{self._base}/study/card")  # by itself, of the other deploy
                page.locator("[data-study-offline]").wait_for(state="hidden")
                return StudyReturn(waiting, *self._read_reviews(), seconds)

    def _read_reviews(self) -> tuple[int, int, int]:
        rows, entries, cards = journal.rows(self._site.url, REVIEWS)[0]
        return int(rows), int(entries), int(cards)


def study_again(site: Site, next_site: Site) -> StudyReturn:
    """Let a learner rate cards and die, go on without a network, and serve another deploy."""
    [[email, _]] = site.call("tests.faults.exams", "1")["people"]
    with sync_playwright() as playwright, scratch("och-device-") as profile:
        with site.served() as web:
            base = f"http://127.0.0.1:{web.port}"
            device = StudyDevice(playwright, base, site, profile)
            device.sign_in_and_close(email)
            device.rate_and_die(email)
        return device.rate_on(lambda: next_site.served(port=web.port))
