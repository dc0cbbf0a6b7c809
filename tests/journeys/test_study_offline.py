"""Study without a network: cards that are stored, and reviews that arrive once, of two devices."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from quizzes.lib import clock
from quizzes.study import selectors, services
from quizzes.study.domain import replay
from quizzes.study.models import StudyCard, StudyLogEntry
from tests import media_files
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_quiz
from tests.journeys.conftest import sign_in, speak, start
from tests.journeys.test_accessible import fits
from tests.journeys.test_offline import READ_STORED, WAIT_FOR_WORKER, list_stored, wait_until_stored
from tests.journeys.test_study import save_daily_limit, study_a_day
from tests.media_files import media_markdown, upload
from tests.quizzes.study.helpers import create_card_question, offer
from tests.quizzes.web.test_secrecy import alone_with, mask, twin
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
    wait_until_listed(page, "/study/cards")
    return page


def wait_until_listed(page: Page, path: str) -> None:
    assert wait_until(lambda: path in list_stored(page), seconds=20)


def rate(page: Page, rating: int) -> None:
    before = page.locator('[name="entry"]').first.input_value()
    page.keyboard.press(" ")
    expect(page.locator("[data-back]")).to_be_visible()
    page.keyboard.press(str(rating))
    expect(page.locator(f'[name="entry"][value="{before}"]')).to_have_count(0)


def come_online(page: Page) -> None:
    """Let the network come back to the page "You are offline", which then loads itself again.

    Whoever goes to another page at that moment ends the one navigation by the other.
    """
    with page.expect_navigation():
        page.context.set_offline(False)


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
    assert page.locator("[data-card]").get_attribute("data-card") != first
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


def test_who_is_next_on_the_device_finds_no_card_and_sends_no_review(
    visit, users, deck_bank, live_server
):
    page = open_cards(visit(users.learner, 360, service_workers="allow"))
    page.context.set_offline(True)
    page.goto("/study/")
    rate(page, 3)
    expect(page.locator("[data-waiting]")).to_have_text("1")
    page.goto("/")
    expect(page.locator("[data-stored-pages] a").first).to_have_text("Study")
    page.context.clear_cookies()
    sign_in(page.context, users.other_learner, live_server.url)
    come_online(page)
    page.wait_for_selector(".menu")
    assert wait_until(lambda: list_stored(page) == [], seconds=10)
    page.context.set_offline(True)
    page.goto("/study/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-stored-pages] a")).to_have_count(0)
    come_online(page)
    assert not StudyLogEntry.objects.exists()
    sign_in(page.context, users.learner, live_server.url)
    page.goto("/")  # any page of theirs sends it
    assert wait_until(lambda: StudyLogEntry.objects.count() == 1, seconds=10)
    assert StudyLogEntry.objects.get().card.learner == users.learner


def test_signing_out_leaves_no_card_behind(visit, users, deck_bank):
    page = open_cards(visit(users.learner, service_workers="allow"))
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_selector("a.sign-in")
    assert list_stored(page) == []


def fail_twin(users, number: int, right: str, **rules):
    """Have a learner of their own fail a question, whose key only they may know."""
    question = twin(create_bank(users, f"bank-{number}"), "same", right)
    slug = ("one", "two")[number]
    quiz = create_quiz(users, [question], slug=slug, **rules)
    learner = alone_with(quiz, number)
    cards = create_bank(users, f"cards-{number}")
    create_card_question(cards, "plain")
    services.add_deck(learner=learner, bank=offer(cards).uuid, now=clock.now())
    take_quiz(quiz, learner, {0: "c"}, now=clock.now())
    return question, learner


@pytest.mark.parametrize("language", ["en", "es"])
def test_stored_cards_are_the_same_whatever_is_right(visit, users, bilingual, language):
    """The key flip: two failed questions that differ in their key leave the same on the device."""
    texts = []
    for number, right in enumerate("ab"):
        rules = {"reveal_key": "after_last_attempt", "max_attempts": 9}
        _, learner = fail_twin(users, number, right, **rules)
        page = visit(learner, service_workers="allow")
        speak(page, language)
        page.goto("/study/")
        page.locator('button[value="begin"]').click()
        page.wait_for_url("**/study/card")
        open_cards(page)
        rate(page, 3)
        wait_until_listed(page, "/study/saves")
        texts.append(mask(page.evaluate(READ_STORED)))
        assert "only here" not in texts[-1]
        assert f"Back plain {language}" in texts[-1]
    assert texts[0] == texts[1]


def test_an_attempt_that_is_opened_takes_the_cards_of_its_questions_away(visit, users, bilingual):
    question, learner = fail_twin(users, 0, "a", reveal_key="after_submit", max_attempts=1)
    page = visit(learner, service_workers="allow")
    page.goto("/study/")
    page.locator('button[value="begin"]').click()
    page.wait_for_url("**/study/card")
    open_cards(page)
    assert "only here" in page.evaluate(READ_STORED)
    later = create_quiz(users, [question], slug="later")
    later.assignments.create(group=learner.memberships.get().group)
    start(page, later.slug)
    wait_until_stored(page)
    wait_until_listed(page, "/study/cards")
    assert wait_until(lambda: "only here" not in page.evaluate(READ_STORED), seconds=10)


def test_what_is_shown_offline_fits_a_phone_and_counts_nothing_old(
    visit, users, deck_bank, accessible
):
    page = open_cards(visit(users.learner, 360, service_workers="allow"))
    page.context.set_offline(True)
    page.goto("/study/")
    for _ in range(10):
        rate(page, 3)
    waiting = page.locator("[data-waiting]")
    expect(waiting).to_have_text("10")
    assert waiting.evaluate("element => element.getClientRects().length") == 1
    expect(page.locator(".study-counts")).to_have_count(0)
    accessible(page)
    fits(page, "card")
    page.goto("/attempts/")
    expect(page.get_by_text("These pages open without a network:")).to_be_visible()
    accessible(page)
    fits(page, "offline")


FORGET_CARDS = """async () => {
    for (const name of await caches.keys())
        await (await caches.open(name)).delete("/study/cards", { ignoreVary: true });
}"""


def study_offline(page: Page) -> int:
    """Study what is stored, with a restart in between, until it ends; return how much was rated."""
    page.evaluate(FORGET_CARDS)  # the browser's clock is not moved: for it, they are of today
    page.goto("/study/")
    page.locator('button[value="begin"]').click()
    page.wait_for_url("**/study/card")
    open_cards(page)
    page.context.set_offline(True)
    page.goto("/study/")
    page.wait_for_selector("[data-card]")
    rated = 0
    while page.locator("[data-card]").count():
        rate(page, 1 if rated == 1 else 3)
        rated += 1
        if rated == 2:
            page.reload()
            page.wait_for_selector("[data-card]")
    expect(page.locator("[data-waiting]")).to_have_text(str(rated))
    page.context.set_offline(False)
    return rated


def has_entries(number: int) -> bool:
    return StudyLogEntry.objects.count() >= number


def test_ten_days_of_study_every_other_one_offline(visit, users, deck_bank, moved):
    save_daily_limit(users.learner, 3)
    page = visit(users.learner, 360, service_workers="allow")
    page.goto("/")
    page.evaluate(WAIT_FOR_WORKER)
    total, begun = 0, []
    for day in range(10):
        if day % 2:
            total += study_offline(page)
        else:
            total += study_a_day(page, moved, lambda _: 3)
        assert wait_until(partial(has_entries, total), seconds=10)
        expect(page.locator("[data-study-offline]")).to_be_hidden()
        begun.append(StudyCard.objects.exclude(phase=replay.NEW).count())
        moved(days=1)
    assert StudyLogEntry.objects.count() == total
    assert begun == [3 * day for day in range(1, 11)]
    cards = list(StudyCard.objects.filter(learner=users.learner).select_related("learner"))
    for card, state in services.replay_logs(cards):
        assert state == selectors.state_of(card)


@pytest.fixture
def pictures(bilingual, users, store):
    """A card to study; the pictures of its two sides."""
    bank = create_bank(users, slug="pictured")
    uploaded = [upload(bank, media_files.png(2, height)) for height in (1, 2)]
    front, back = map(media_markdown, uploaded)
    item = QuestionDocument(
        kind="flashcard",
        scoring_method="study",
        words={"en": {"prompt": front}},
        feedback={"en": {"back": back}},
    )
    question = bank_services.add_question(bank=bank, name="pictured", item=item, by=None)
    bank_services.publish(question=question, by=None, now=clock.now())
    services.add_deck(learner=users.learner, bank=offer(bank).uuid, now=clock.now())
    return [f"/media/{picture.uuid}.png" for picture in uploaded]


def test_a_card_has_the_pictures_of_both_sides_also_without_a_network(visit, users, pictures):
    page = open_cards(visit(users.learner, 360, service_workers="allow"))
    for picture in pictures:
        wait_until_listed(page, picture)
    page.context.set_offline(True)
    page.goto("/study/")
    page.wait_for_selector("[data-card]")
    page.keyboard.press(" ")
    expect(page.locator("[data-back]")).to_be_visible()
    for picture in pictures:
        image = page.locator(f'img[src="{picture}"]')
        expect(image).to_be_visible()
        expect(image).to_have_js_property("naturalWidth", 2)
