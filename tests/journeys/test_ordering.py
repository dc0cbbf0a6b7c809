"""An order is made by keyboard, by mouse, by finger, and without scripts; pairs by their lists."""

from typing import Any

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response
from quizzes.publishing.models import RevealMoment
from tests.factories import create_bank, create_quiz
from tests.journeys.conftest import (
    again,
    all_saved,
    follow,
    look_over,
    scripts_to_come,
    speak,
    start,
    submit,
)
from tests.journeys.test_accessible import fits
from tests.journeys.test_without import press, tab_to
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

RIGHT = ["mix", "knead", "bake", "cool", "eat"]
PAIRS = {"barks": "fox", "hoots": "owl", "flies": "owl"}
SAID = {"en": "Text of {} (en)", "es": "Texto de {} (es)"}


@pytest.fixture
def bread(transactional_db, users):
    """A question of an order, and one of pairs; no chance puts the items right from the start."""
    into, sample_by_name = create_bank(users), {str(sample): sample for sample in samples()}
    names = ("ordering: five steps", "matching: two to one, a distractor")
    questions = [
        publish_document(into, f"question {n}", document(sample_by_name[name]))
        for n, name in enumerate(names)
    ]
    return create_quiz(
        users, questions, reveal_key=RevealMoment.AFTER_SUBMIT, shuffle_options=False
    )


def at(page, language="en") -> list[str]:
    """The items as they stand, by what they say."""
    texts = page.locator("#q-0 .order-text").all_inner_texts()
    by_words = {SAID[language].format(id_): id_ for id_ in RIGHT}
    return [by_words[text.strip()] for text in texts]


def stands(page, *order: str) -> None:
    """See that the items stand in this order, or come to."""
    announcements = [SAID["en"].format(id_) for id_ in order]
    expect(page.locator("#q-0 .order-text")).to_have_text(announcements)


def kept() -> Any:
    """The newest answer to the order that the server has."""
    newest = Response.objects.filter(slot=0).order_by("-revision").first()
    return newest.answer if newest else None


def button(page, id_: str, by: int):
    return page.locator(f'#q-0 [data-item="{id_}"] [data-move="{by}"]')


def put_right(page, language="en") -> None:
    """Bring every item to its place, from the first on."""
    for place, id_ in enumerate(RIGHT):
        while at(page, language).index(id_) > place:
            button(page, id_, -1).click()


def kept_as(page, order: list[str] | None) -> None:
    """Wait until all is saved; the server then has this order, or none."""
    all_saved(page)
    assert kept() == (order and {"order": order})


def test_the_order_at_first_is_no_answer_until_somebody_says_so(visit, users, bread):
    page = visit(users.learner)
    start(page)
    drawn = at(page)
    expect(page.get_by_label("Clear: no answer")).to_be_checked()
    assert page.locator("#q-0").get_attribute("data-answered") == "false"
    page.get_by_label("This order is my answer").check()
    kept_as(page, drawn)
    page.get_by_label("Clear: no answer").check(force=True)
    expect(page.locator("#q-0")).to_have_attribute("data-answered", "false")
    kept_as(page, None)
    again(page)
    expect(page.get_by_label("Clear: no answer")).to_be_checked()
    stands(page, *drawn)


def test_places_chosen_before_the_scripts_have_come_are_an_order(visit, users, bread):
    page = visit(users.learner)
    address = start(page)
    with scripts_to_come(page, address):
        for place, id_ in enumerate(RIGHT, 1):
            page.locator(f"#q-0-places-{id_}").select_option(str(place))
    stands(page, *RIGHT)
    kept_as(page, RIGHT)


def test_the_keyboard_alone_makes_an_order_and_keeps_its_focus(visit, users, bread):
    page = visit(users.learner)
    start(page)
    *others, last = at(page)
    tab_to(page, f'#q-0 [data-item="{last}"] [data-move="-1"]')
    press(page, "Enter")
    stands(page, *others[:3], last, others[3])
    expect(button(page, last, -1)).to_be_focused()
    press(page, "ArrowUp", "ArrowUp", "ArrowUp")
    stands(page, last, *others)
    expect(button(page, last, -1)).to_be_focused()
    voice = page.locator("#q-0 [data-order-voice]")
    expect(voice).to_have_text(f"{SAID['en'].format(last)}: moved to 1 of 5")
    press(page, "ArrowUp")
    expect(voice).to_have_text(f"{SAID['en'].format(last)}: stays at 1 of 5")
    press(page, "Space", "ArrowDown")
    stands(page, others[0], last, *others[1:])
    expect(page.get_by_label("This order is my answer")).to_be_checked()
    kept_as(page, at(page))


@pytest.mark.parametrize("language", ["en", "es"])
def test_an_order_and_pairs_are_answered_and_looked_back_on(
    visit, users, bread, accessible, language
):
    page = visit(users.learner, 320)
    speak(page, language)
    start(page)

    button(page, at(page, language)[0], 1).click()
    voice = page.locator("#q-0 [data-order-voice]")
    expect(voice).to_contain_text(SAID[language].format(at(page, language)[1]))
    put_right(page, language)
    for left, right in PAIRS.items():
        page.locator(f"#q-1-pairs-{left}").select_option(right)
    all_saved(page)
    accessible(page, "taking")
    fits(page, "taking")
    look_over(page)
    expect(page.locator("[data-answered=true]")).to_have_count(2)
    submit(page)
    assert "100" in page.locator(".verdict-percent").inner_text()
    accessible(page, "result")
    fits(page, "result")


def test_a_wrong_order_is_looked_back_on_with_the_right_one_beside(visit, users, bread, accessible):
    page = visit(users.learner)
    start(page)
    put_right(page)
    button(page, "mix", 1).click()
    page.locator("#q-1-pairs-barks").select_option("carp")
    all_saved(page)
    submit(page)
    order = page.locator("#question-1")
    expect(order.locator(".pick.is-right")).to_have_count(3)
    expect(order.locator(".pick.is-wrong .pick-state")).to_have_text(["Not in its right place"] * 2)
    beside = order.locator(".order-side").nth(1).locator(".pick-text")
    expect(beside).to_have_text([SAID["en"].format(id_) for id_ in RIGHT])
    assert page.locator("#question-2 .pick.is-wrong").count() == 1
    accessible(page, "result")


def drag(page, id_: str, to: str, *, start_at: str = ".order-text") -> None:
    """Drag an item with the mouse to where another one stands."""
    box = page.locator(f'#q-0 [data-item="{id_}"] {start_at}').bounding_box()
    there = page.locator(f'#q-0 [data-item="{to}"]').bounding_box()
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, there["y"] + there["height"] / 2 - 2, steps=8)
    page.mouse.move(x, there["y"] + there["height"] / 2 + 2, steps=2)


def test_an_item_is_dragged_and_escape_puts_it_back(visit, users, bread):
    page = visit(users.learner)
    start(page)
    page.locator("#q-0 .order").scroll_into_view_if_needed()
    before = at(page)
    drag(page, before[0], before[3])
    stands(page, *before[1:4], before[0], before[4])
    page.keyboard.press("Escape")
    page.mouse.up()
    stands(page, *before)
    expect(page.get_by_label("Clear: no answer")).to_be_checked()
    drag(page, before[0], before[3])
    page.mouse.up()
    stands(page, *before[1:4], before[0], before[4])
    kept_as(page, at(page))


def test_a_finger_drags_by_the_grip(visit, users, bread):
    page = visit(users.learner, 360, has_touch=True)
    start(page)
    before = at(page)
    page.locator("#q-0 .order").scroll_into_view_if_needed()
    grip = page.locator(f'#q-0 [data-item="{before[0]}"] [data-grip]').bounding_box()
    goal = page.locator(f'#q-0 [data-item="{before[2]}"]').bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    below = goal["y"] + goal["height"] / 2 + 4
    hand = page.context.new_cdp_session(page)

    def touch(kind, *points):
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        touch("touchMove", {"x": x, "y": y + (below - y) * step / 8})
    touch("touchEnd")
    stands(page, before[1], before[2], before[0], *before[3:])
    kept_as(page, at(page))


def test_another_tab_stands_as_the_answer_says(visit, users, bread):
    page = visit(users.learner)
    address = start(page)
    two = page.context.new_page()
    again(two, address)
    put_right(page)
    kept_as(page, RIGHT)
    stands(two, *RIGHT)
    expect(two.locator("#q-0 [data-claim=yes]")).to_be_checked()


def test_without_scripts_places_are_chosen_and_a_clash_is_told(visit, users, bread):
    page = visit(users.learner, 320, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    expect(page.locator("#q-0 .order-move").first).not_to_be_visible()
    for place, id_ in enumerate(RIGHT, 1):
        page.locator(f"#q-0-places-{id_}").select_option(str(min(place, 4)))
    follow(page, "button.save-now")
    expect(page.locator("#e-0")).to_contain_text("Two items stand at one place")
    expect(page.locator("#q-0-places-eat")).to_have_value("4")
    assert kept() is None
    page.locator("#q-0-places-eat").select_option("5")
    for left, right in PAIRS.items():
        page.locator(f"#q-1-pairs-{left}").select_option(right)
    follow(page, "header button[value=es]")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert kept() == {"order": RIGHT}
    expect(page.locator("#q-0-places-cool")).to_have_value("4")
    submit(page)
    assert "100" in page.locator(".verdict-percent").inner_text()
    assert Attempt.objects.count() == 1


def test_an_order_fits_the_narrowest_page_with_text_twice_as_large(visit, users, bread):
    page = visit(users.learner, 320)
    start(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(button(page, "eat", -1)).to_be_visible()
    fits(page, "an order")
