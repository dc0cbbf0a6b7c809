"""Two tabs of one browser: what one of them sends for the other, and words that come late."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Attempt, Response, SaveStatus
from tests.journeys.conftest import Line, again, all_saved, option, start

pytestmark = pytest.mark.browser

SLOT = 2
DEAF = """window.BroadcastChannel = class extends EventTarget { postMessage() {} };"""
"""The words of other tabs never come: as if each were just about to."""

POST = """([person, name, detail]) =>
    new BroadcastChannel(`ochenta-${person}`).postMessage({ name, detail });"""

TURN = "person => navigator.locks.request(`outbox-${person}`, () => null)"
"""Wait until whoever sends has done with it."""


@pytest.fixture
def taking(visit, users, bilingual):
    """Open tabs of one browser on one attempt."""
    pages: list[Page] = []

    def opened(*, deaf: bool = False) -> Page:
        if not pages:
            pages.append(visit(users.learner))
            start(pages[0])
            if not deaf:
                return pages[0]
        page = pages[0].context.new_page()
        if deaf:
            page.add_init_script(DEAF)
        return again(page, pages[0].url)

    return opened


def verdicts(slot: int = SLOT) -> list[str]:
    return list(Response.objects.filter(slot=slot).order_by("pk").values_list("status", flat=True))


def answer_of(page: Page, place: int) -> dict[str, Any]:
    return {"chosen": [option(page, SLOT, place).get_attribute("value")], "none_apply": False}


def say(page: Page, users, place: int, **message) -> None:
    """Let a tab say that an answer was saved, as it does after each save."""
    saved = {
        "slot": SLOT,
        "status": "accepted",
        "flagged": False,
        "interpretation": "",
        "at": "",
        **message,
    }
    detail = {
        "attempt": str(Attempt.objects.get().uuid),
        "idempotencyKey": "an-operation",
        "saved": {**saved, "answer": answer_of(page, place)},
    }
    page.evaluate(POST, [str(users.learner.uuid), "settled", detail])


def test_nobody_is_in_conflict_with_herself_when_another_page_sent_her_answer(users, taking):
    page = taking(deaf=True)
    line = Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, SLOT, 0).check()
    other = page.context.new_page()
    with other.expect_response("**/save"):
        other.goto("/attempts/")
    other.evaluate(TURN, str(users.learner.uuid))
    line.up = True
    option(page, SLOT, 1).check()
    all_saved(page)
    assert verdicts() == [SaveStatus.ACCEPTED, SaveStatus.ACCEPTED]


def test_what_another_tab_chose_is_met_even_before_its_word_has_come(taking):
    page, two = taking(), taking(deaf=True)
    option(page, SLOT, 1).check()
    all_saved(page)
    option(two, SLOT, 2).check()
    notice = two.locator(f"#q-{SLOT} .conflict")
    expect(notice.locator("[data-conflict-theirs]")).to_contain_text("Option b")
    expect(two.locator("[data-save-words]")).to_have_text(
        "Answered in two places: choose which to keep"
    )
    assert verdicts() == [SaveStatus.ACCEPTED, SaveStatus.CONFLICT]


def test_an_older_word_that_comes_late_takes_nothing_back(taking, users):
    page, two = taking(), taking()
    for place in (0, 1):
        option(page, SLOT, place).check()
        all_saved(page)
    expect(option(two, SLOT, 1)).to_be_checked()
    say(page, users, 0, revision=1)
    option(page, 3, 0).check()  # words are heard in turn: after this one, the older was heard, too
    expect(option(two, 3, 0)).to_be_checked()
    expect(option(two, SLOT, 1)).to_be_checked()
    option(two, SLOT, 2).check()
    all_saved(two)
    assert verdicts() == [SaveStatus.ACCEPTED] * 3
    expect(option(page, SLOT, 2)).to_be_checked()


@pytest.mark.parametrize("use_ours", [True, False])
def test_what_is_decided_in_one_tab_is_not_asked_in_the_other(visit, users, taking, use_ours):
    tab = taking()
    two, elsewhere = taking(), visit(users.learner)
    again(elsewhere, tab.url)
    lines = [Line(page) for page in (tab, two)]
    option(tab, SLOT, 2).check()
    option(elsewhere, SLOT, 1).check()
    all_saved(elsewhere)
    for line in lines:
        line.up = True
    notices = [page.locator(f"#q-{SLOT} .conflict") for page in (tab, two)]
    for notice in notices:
        expect(notice).to_be_visible()
    choice = "[data-conflict-use]" if use_ours else "[data-conflict-keep]"
    notices[0].locator(choice).click()
    for page, notice in zip((tab, two), notices, strict=True):
        expect(notice).to_have_count(0)
        expect(option(page, SLOT, 2 if use_ours else 1)).to_be_checked()
        all_saved(page)
    option(two, SLOT, 0).check()
    all_saved(two)
    assert verdicts()[-1] == SaveStatus.ACCEPTED


def test_a_question_about_a_conflict_stays_while_other_answers_are_saved(visit, users, taking):
    page, two = taking(), visit(users.learner)
    again(two, page.url)
    option(page, SLOT, 1).check()
    all_saved(page)
    option(two, SLOT, 2).check()
    keep = two.locator("[data-conflict-keep]")
    keep.focus()
    with two.expect_response("**/save") as sent:
        option(two, 3, 0).evaluate("box => box.click()")
    sent.value.finished()
    two.wait_for_selector("[data-save-state][data-state=conflict]")
    expect(keep).to_be_focused()
