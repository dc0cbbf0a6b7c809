"""Numbers typed on a page: in either language, by keyboard, without scripts; told when amiss."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Response
from quizzes.publishing.models import RevealMoment
from tests.factories import create_bank, create_quiz
from tests.journeys.conftest import again, all_saved, follow, speak, start, submit
from tests.journeys.test_accessible import fits
from tests.journeys.test_without import press, tab_to
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

FIELD = "#q-{}-typed"
TYPED = {
    "en": ("3.14", "2.998e8 m/s", "1,234"),
    "es": ("3,14", "2,998·10^8 m/s", "1.234 €"),
}


@pytest.fixture
def numbers(transactional_db, users):
    into, sample_by_name = create_bank(users), {str(sample): sample for sample in samples()}
    names = ("pi, to two decimals", "the speed of light", "a price")
    questions = [
        publish_document(into, name, document(sample_by_name[f"numeric: {name}"])) for name in names
    ]
    return create_quiz(
        users,
        questions,
        reveal_key=RevealMoment.AFTER_SUBMIT,
        max_attempts=None,
        shuffle_questions=False,
    )


def kept(slot: int = 0):
    newest = Response.objects.filter(slot=slot).order_by("-revision").first()
    return newest.answer if newest else None


@pytest.mark.parametrize("language", ["en", "es"])
def test_numbers_are_typed_by_keyboard_and_looked_back_on(
    visit, users, numbers, accessible, language
):
    page = visit(users.learner, 320)
    speak(page, language)
    start(page)
    for slot, typed in enumerate(TYPED[language]):
        tab_to(page, FIELD.format(slot))
        page.keyboard.type(typed)
    press(page, "Tab")
    page.locator(".number-question[data-asks] [value=thousands]").check()
    all_saved(page)
    accessible(page, "taking")
    fits(page, "taking")
    submit(page)
    assert "100" in page.locator(".verdict-percent").inner_text()
    expect(page.locator("#question-3 .given")).to_contain_text(TYPED[language][2])
    expect(page.locator("#question-3 .given")).to_contain_text("1234")
    accessible(page, "result")
    fits(page, "result")


def test_what_is_no_number_is_told_beside_the_field_and_costs_nothing(visit, users, numbers):
    page = visit(users.learner)
    start(page)
    field = page.locator(FIELD.format(0))
    field.fill("3.14")
    field.blur()
    all_saved(page)
    field.fill("three")
    field.blur()
    expect(page.locator("#e-0")).to_contain_text("cannot be read as a number")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert kept()["typed"] == "3.14"
    field.fill("3,14159")
    field.blur()
    expect(page.locator("#e-0")).to_have_text("")
    all_saved(page)
    assert kept()["number"] == [314159, 100000]


def test_what_was_typed_in_one_language_is_the_same_number_in_the_other(visit, users, numbers):
    page = visit(users.learner)
    start(page)
    page.locator(FIELD.format(2)).fill("1,234")
    page.locator(FIELD.format(2)).blur()
    all_saved(page)
    speak(page, "es")
    again(page)
    expect(page.locator(FIELD.format(2))).to_have_value("1,234")
    expect(page.locator("#h-2")).to_contain_text("Se puede leer de dos maneras")
    page.locator(FIELD.format(0)).fill("3,14")
    page.locator(FIELD.format(0)).blur()
    all_saved(page)
    assert (kept(2)["number"], kept(2)["language"]) == ([1234, 1], "en")
    assert (kept(0)["number"], kept(0)["language"]) == ([157, 50], "es")


def typed_over(page, slot: int, typed: str) -> None:
    field = page.locator(FIELD.format(slot))
    field.fill("")
    field.press_sequentially(typed)
    field.blur()
    all_saved(page)


def test_how_a_number_was_read_is_told_when_it_is_saved_and_not_while_it_is_typed(
    visit, users, numbers
):
    page = visit(users.learner)
    start(page)
    hint = page.locator("#h-2 [data-read-as]")
    expect(hint).to_have_text("")
    typed_over(page, 2, "1,234")
    expect(hint).to_have_text("Can be read in two ways")
    page.locator(FIELD.format(2)).press("End")
    page.keyboard.type("5")
    assert hint.text_content() == ""  # at once: nothing of it is saved yet
    page.keyboard.press("Tab")
    all_saved(page)
    expect(hint).to_have_text("")
    typed_over(page, 2, "1.234")
    expect(hint).to_have_text("Can be read in two ways")
    page.locator("[name=f-2]").check()
    all_saved(page)
    expect(hint).to_have_text("Can be read in two ways")
    expect(page.locator("#h-0 [data-read-as]")).to_have_text("")


def test_an_older_number_keeps_its_meaning_until_it_is_changed(visit, users, numbers):
    page = visit(users.learner)
    start(page)
    typed_over(page, 2, "1,234")
    speak(page, "es")
    again(page)
    hint = page.locator("#h-2 [data-read-as]")
    drawn = hint.inner_text()
    page.locator("[name=f-2]").check()
    all_saved(page)
    assert kept(2)["language"] == "en"
    typed_over(page, 2, "1,234")
    assert (kept(2)["number"], kept(2)["language"]) == ([1234, 1], "en")
    expect(hint).to_have_text(drawn)
    typed_over(page, 2, "1,23")
    assert kept(2)["language"] == "es"
    typed_over(page, 2, "1,234")
    assert (kept(2)["number"], kept(2)["language"]) == ([617, 500], "es")
    expect(hint).to_have_text("Se puede leer de dos maneras")


def test_without_scripts_numbers_are_sent_kept_and_corrected(visit, users, numbers):
    page = visit(users.learner, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    page.locator(FIELD.format(0)).fill("3.14")
    page.locator(FIELD.format(2)).fill("1,234 gold")
    page.locator(FIELD.format(1)).fill("5 5")
    follow(page, "button[value=review].button")
    expect(page.locator("#e-1")).to_contain_text("cannot be read")
    expect(page.locator(FIELD.format(1))).to_have_value("5 5")
    assert kept(0)["typed"] == "3.14"
    page.locator(FIELD.format(1)).fill("3.00e8 m/s")
    page.locator("button[value=review].button").click()
    page.wait_for_url("**/review")
    assert [kept(slot)["unit"] for slot in range(3)] == ["", "m/s", "gold"]
