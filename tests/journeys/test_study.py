"""Study in Chromium: ten days of it, by keys and by taps, without a reload; axe on every state."""

from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from quizzes.lib import clock
from quizzes.study import services
from quizzes.study.domain import replay
from quizzes.study.models import StudyCard, StudyLogEntry
from tests.factories import create_bank
from tests.journeys.conftest import speak
from tests.journeys.test_accessible import fits, skip_to_content
from tests.quizzes.study.helpers import create_card_question, offer

pytestmark = pytest.mark.browser

CARDS = 8


@pytest.fixture
def deck_bank(bilingual, users):
    bank = create_bank(users, slug="cards")
    for number in range(CARDS):
        create_card_question(bank, f"card-{number}")
    return offer(bank)


def test_after_skipping_to_the_content_cards_are_rated(visit, users, deck_bank):
    page = visit(users.learner, 360)
    page.goto("/study/")
    skip_to_content(page)
    page.locator('button[value="add"]').click()
    page.locator('button[value="begin"]').click()
    page.wait_for_selector("[data-card]")
    skip_to_content(page)
    before = page.locator('[name="entry"]').first.input_value()
    page.locator("[data-answer] summary").click()
    page.locator('[name="rating"][value="3"]').click()
    next_card(page, before)
    assert StudyLogEntry.objects.count() == 1


def next_card(page, before: str) -> None:
    """Wait until the card with this entry is gone."""
    expect(page.locator(f'[name="entry"][value="{before}"]')).to_have_count(0)


def save_daily_limit(learner, number: int) -> None:
    """Allow so many new cards a day; one has begun this hour, so that no test runs over its end."""
    hour = clock.now().astimezone(ZoneInfo(learner.time_zone)).hour
    values = {"new_per_day": number, "day_starts_at": hour}
    services.save_settings(learner=learner, values=values, now=clock.now())


def study_a_day(page, moved, rate) -> int:
    """Study until nothing is left, by keys; return how many cards were rated."""
    page.goto("/study/")
    page.locator('button[value="begin"]').click()
    page.wait_for_url("**/study/card", wait_until="load")
    page.evaluate("window.stays = true")
    rated = 0
    while page.locator("[data-card]").count():
        before = page.locator('[name="entry"]').first.input_value()
        page.keyboard.press(" ")
        expect(page.locator("[data-back]")).to_be_visible()
        page.keyboard.press(str(rate(rated)))
        rated += 1
        next_card(page, before)
        moved(minutes=2)
        assert rated < 60
    assert page.evaluate("window.stays"), "the page was loaded anew"
    return rated


def test_ten_days_of_study(visit, users, deck_bank, moved):
    save_daily_limit(users.learner, 3)
    page = visit(users.learner, 360)
    page.goto("/study/")
    page.locator('button[value="add"]').click()
    total, begun = 0, []
    for day in range(10):
        # Each third card is forgotten once.
        total += study_a_day(page, moved, lambda n, day=day: 1 if n == 2 and day < 5 else 3)
        expect(page.locator(".study-done")).to_be_visible()
        begun.append(StudyCard.objects.exclude(phase=replay.NEW).count())
        moved(days=1)
    assert begun[:3] == [3, 6, CARDS]
    assert StudyLogEntry.objects.count() == total
    cards = list(StudyCard.objects.order_by("pk"))
    for card, state in services.replay_logs(cards):
        assert {name: getattr(card, name) for name in replay.STATE_FIELDS} == {
            name: getattr(state, name) for name in replay.STATE_FIELDS
        }
    # After ten days most are known for longer than the next day.
    assert sum(card.stability > 2 for card in cards if card.stability) > CARDS / 2


def test_each_key_does_what_the_list_says(visit, users, deck_bank):
    page = visit(users.learner)
    page.goto("/study/")
    page.locator('button[value="add"]').click()
    page.locator('button[value="begin"]').click()
    page.wait_for_url("**/study/card", wait_until="load")
    question = page.locator("[data-question]")
    expect(question).to_contain_text("Front card-0")
    page.evaluate("window.stays = true")
    page.keyboard.press("?")
    expect(page.locator("[data-keys-help] dl")).to_be_visible()
    page.keyboard.press("3")  # not before the answer is seen
    page.keyboard.press("b")
    expect(question).to_contain_text("Front card-1")
    page.keyboard.press("s")
    expect(question).to_contain_text("Front card-2")
    page.keyboard.press(" ")
    page.keyboard.press("4")
    expect(question).to_contain_text("Front card-3")
    page.keyboard.press("u")
    expect(question).to_contain_text("Front card-2")
    expect(page.locator(".messages")).to_be_visible()
    assert page.evaluate("window.stays"), "the page was loaded anew"
    assert list(StudyLogEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "bury",
        "suspend",
        "review",
        "undo",
    ]


def test_a_rating_that_is_lost_on_the_way_is_not_lost(visit, users, deck_bank):
    page = visit(users.learner)
    lost: list[str] = []

    def lose(route):
        if not lost and route.request.method == "POST":
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    # Before the page is there: a page that is loaded already may still send past a new route.
    page.route("**/study/card", lose)
    page.goto("/study/")
    page.locator('button[value="add"]').click()
    page.locator('button[value="begin"]').click()
    page.wait_for_url("**/study/card", wait_until="load")
    expect(page.locator("[data-question]")).to_contain_text("Front card-0")
    page.keyboard.press(" ")
    page.keyboard.press("4")
    expect(page.locator("[data-question]")).to_contain_text("Front card-1")
    assert lost
    assert StudyLogEntry.objects.count() == 1


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_nothing_serious(visit, users, deck_bank, accessible, language, theme, width):
    services.save_settings(learner=users.learner, values={"new_per_day": 2}, now=clock.now())
    page = visit(users.learner, width, color_scheme=theme)
    speak(page, language)

    def look(where):
        accessible(page, where)
        fits(page, where)

    page.goto("/study/")
    look("before")
    page.locator('button[value="add"]').click()
    look("decks")
    page.goto("/study/settings")
    look("settings")
    page.goto("/study/card")
    look("question")
    page.locator("[data-answer] summary").click()
    look("answer")
    page.keyboard.press("?")
    look("keys")
    page.keyboard.press("s")
    page.wait_for_selector(".messages")
    look("suspended")
    for _ in range(2):
        page.locator("[data-answer] summary").click()
        before = page.locator('[name="entry"]').first.input_value()
        page.keyboard.press("4")
        next_card(page, before)
    page.wait_for_selector(".study-done")
    look("done")
    page.goto("/study/")
    look("suspended cards")
