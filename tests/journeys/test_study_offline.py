"""Study without a network: cards that are stored, and reviews that arrive once, of two devices."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.lib import clock
from quizzes.study import services
from quizzes.study.models import StudyLogEntry
from tests.factories import create_bank
from tests.journeys.conftest import speak
from tests.journeys.test_offline import WAIT_FOR_WORKER, list_stored
from tests.quizzes.study.helpers import create_card_question, offer
from tools.processes import wait_until

pytestmark = pytest.mark.browser

CARDS = 30


@pytest.fixture
def deck_bank(bilingual, users):
    bank = create_bank(users, slug="cards")
    for number in range(CARDS):
        create_card_question(bank, f"card-{number}")
    services.save_settings(learner=users.learner, values={"new_per_day": CARDS}, now=clock.now())
    services.add_deck(learner=users.learner, bank=offer(bank).uuid, now=clock.now())
    return bank


def open_cards(page: Page) -> Page:
    """Open the page of study on a device, and wait until its cards are stored."""
    page.goto("/study/card")
    page.evaluate(WAIT_FOR_WORKER)
    assert wait_until(lambda: "/study/cards" in list_stored(page), seconds=20)
    return page


def rate(page: Page, rating: int) -> None:
    before = page.locator('[name="entry"]').first.input_value()
    page.keyboard.press(" ")
    expect(page.locator("[data-back]")).to_be_visible()
    page.keyboard.press(str(rating))
    expect(page.locator(f'[name="entry"][value="{before}"]')).to_have_count(0)


def test_thirty_reviews_on_each_of_two_devices_arrive_once_each(visit, users, deck_bank):
    devices = [open_cards(visit(users.learner, 360, service_workers="allow")) for _ in range(2)]
    for device in devices:
        device.context.set_offline(True)
        device.goto("/study/")
        for _ in range(CARDS):
            rate(device, 3)
        expect(device.locator("[data-waiting]")).to_have_text(str(CARDS))
        expect(device.get_by_role("heading", name="These were all cards")).to_be_visible()
        device.reload()
        expect(device.locator("[data-waiting]")).to_have_text(str(CARDS))
    assert not StudyLogEntry.objects.exists()
    for device in devices:
        device.context.set_offline(False)
    assert wait_until(lambda: StudyLogEntry.objects.count() == 2 * CARDS, seconds=10)
    for device in devices:
        expect(device.locator("[data-study-offline]")).to_be_hidden()
    assert StudyLogEntry.objects.count() == 2 * CARDS
    assert StudyLogEntry.objects.values("client_id").distinct().count() == 2 * CARDS


def test_a_network_that_is_lost_between_two_cards_is_no_end(visit, users, deck_bank, accessible):
    page = open_cards(visit(users.learner, 360, service_workers="allow"))
    speak(page, "es")
    open_cards(page)
    rate(page, 3)
    page.context.set_offline(True)
    first = page.locator("[data-card]").get_attribute("data-card")
    rate(page, 1)
    expect(page.locator("[data-study-offline]")).to_be_visible()
    accessible(page)
    shown = page.locator("[data-card]").get_attribute("data-card")
    assert shown != first
    page.context.set_offline(False)
    assert wait_until(lambda: StudyLogEntry.objects.count() == 2, seconds=10)
    expect(page.locator("[data-study-offline]")).to_be_hidden()


def test_a_card_that_was_forgotten_comes_again_at_the_end(visit, users, deck_bank):
    services.save_settings(learner=users.learner, values={"new_per_day": 3}, now=clock.now())
    page = open_cards(visit(users.learner, 360, service_workers="allow"))
    page.context.set_offline(True)
    page.reload()
    first = page.locator("[data-card]").get_attribute("data-card")
    for rating in (1, 3, 3):
        rate(page, rating)
    assert page.locator("[data-card]").get_attribute("data-card") == first
    rate(page, 3)
    expect(page.get_by_role("heading", name="These were all cards")).to_be_visible()
