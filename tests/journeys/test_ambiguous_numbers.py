"""Numbers that can be read in two ways: asked about, stored as meant, told before submitting."""

import json

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Response
from quizzes.publishing.models import RevealMoment
from tests.factories import create_bank, create_quiz
from tests.grading.examples import EXAMPLES
from tests.journeys.conftest import Line, again, all_saved, look_over, speak, start, submit
from tests.journeys.test_accessible import fits
from tests.journeys.test_without import tab_to
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

FIELD = "#q-0-typed"
VECTORS = (EXAMPLES.parent / "ambiguous_numbers.json").read_text(encoding="utf-8")


@pytest.fixture
def quiz(transactional_db, users):
    by_name = {str(sample): sample for sample in samples()}
    bank = create_bank(users)
    questions = [
        publish_document(bank, str(number), document(by_name[name]))
        for number, name in enumerate(("numeric: a price", "cloze: a gap of each kind"))
    ]
    return create_quiz(
        users, questions, reveal_key=RevealMoment.AFTER_SUBMIT, shuffle_questions=False
    )


def stored(slot: int = 0):
    newest = Response.objects.filter(slot=slot).order_by("-revision").first()
    return newest.answer if newest else None


def test_the_page_knows_the_same_ambiguous_numbers_as_the_server(visit, users):
    page = visit(users.learner)
    page.goto("/")
    differing = page.evaluate(
        """async (vectors) => {
            const { findReadings } = await import("/static/web/js/number-readings.js");
            return vectors.filter(({ typed, integer, joined }) => {
                const readings = findReadings(typed);
                return readings?.integer !== integer || readings?.joined !== joined;
            });
        }""",
        json.loads(VECTORS),
    )
    assert differing == []


@pytest.mark.parametrize(
    ("language", "typed", "question", "reading"),
    [
        ("en", "3.125", "“3.125” can be read in two ways", "Read as 3125"),
        ("es", "3,125", "«3,125» se puede leer de dos maneras", "Leído como 3125"),
    ],
)
def test_an_ambiguous_number_is_asked_about_by_keyboard(
    visit, users, quiz, accessible, language, typed, question, reading
):
    page = visit(users.learner, 320)
    speak(page, language)
    start(page)
    asks = page.locator("#q-0 .number-question")
    expect(asks).to_be_hidden()
    tab_to(page, FIELD)
    page.keyboard.type(typed)
    page.keyboard.press("Tab")
    expect(asks).to_be_visible()
    expect(asks).to_contain_text(question)
    expect(asks.locator("[value=decimal]")).to_be_focused()
    accessible(page, "asked")
    fits(page, "asked")
    page.keyboard.press("ArrowDown")
    all_saved(page)
    expect(page.locator("#h-0 [data-read-as]")).to_have_text(reading)
    assert (stored()["typed"], stored()["separator"]) == (typed, "thousands")
    assert stored()["number"] == [3125, 1]
    again(page)
    expect(asks.locator("[value=thousands]")).to_be_checked()
    submit(page)
    expect(page.locator("#question-1 .given")).to_contain_text(f"{typed} ({reading.lower()})")


def test_another_number_is_asked_about_anew_and_a_clear_one_not_at_all(visit, users, quiz):
    page = visit(users.learner)
    start(page)
    field, asks = page.locator(FIELD), page.locator("#q-0 .number-question")
    field.fill("3.125")
    asks.locator("[value=thousands]").check()
    all_saved(page)
    field.press("End")
    page.keyboard.type("5")
    page.keyboard.press("Tab")
    expect(asks).to_be_hidden()
    all_saved(page)
    assert (stored()["separator"], stored()["number"]) == ("", [6251, 2000])
    field.fill("4.125")
    expect(asks).to_be_visible()
    expect(asks.locator(":checked")).to_have_count(0)


def test_the_question_comes_without_a_network_and_the_answer_is_sent_later(visit, users, quiz):
    page = visit(users.learner)
    start(page)
    line = Line(page)
    page.locator(FIELD).fill("3.125")
    page.locator("#q-0 .number-question [value=decimal]").check()
    page.wait_for_selector("[data-save-state][data-state=waiting]")
    assert stored() is None
    line.up = True
    all_saved(page)
    assert stored()["number"] == [25, 8]
    expect(page.locator("#h-0 [data-read-as]")).to_have_text("Read as 3.125, with decimals")


def test_a_number_in_a_gap_is_asked_about_by_the_name_of_its_gap(visit, users, quiz):
    page = visit(users.learner)
    start(page)
    page.locator("#q-1 .is-number").fill("3.145")
    asks = page.locator("#q-1 .number-question")
    expect(asks).to_contain_text("Gap 3: “3.145” can be read in two ways")
    asks.locator("[value=thousands]").check()
    all_saved(page)
    assert stored(1)["gaps"]["pi"]["number"] == [3145, 1]


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_nobody_answered_is_asked_before_submitting(visit, users, quiz, accessible, language):
    page = visit(users.learner, 320)
    speak(page, language)
    start(page)
    page.locator(FIELD).fill("3.125")
    page.locator("#q-1 .is-number").fill("3.145")
    page.locator("#q-1 .is-number").blur()
    all_saved(page)
    assert (stored()["typed"], stored()["separator"]) == ("3.125", "")
    look_over(page)
    sentences = page.locator(".review-unconfirmed")
    first = {
        "en": "“3.125” can be read in two ways",
        "es": "«3.125» se puede leer de dos maneras",
    }
    expect(sentences.first).to_contain_text(first[language])
    expect(sentences.nth(1)).to_contain_text({"en": "Gap 3", "es": "Hueco 3"}[language])
    accessible(page, "review")
    fits(page, "review")
    submit_button = page.locator("form.review-go button")
    submit_button.click()
    page.wait_for_url("**/attempts/*/#q-0")
    refusal = {"en": "Say which ones you mean", "es": "Di a cuáles te refieres"}
    expect(page.get_by_role("alert")).to_contain_text(refusal[language])
    expect(page.locator("#q-0 .number-question")).to_be_in_viewport()
    accessible(page, "asked before submitting")
    page.locator("#q-0 .number-question [value=decimal]").check()
    all_saved(page)
    look_over(page)
    expect(sentences).to_have_count(1)


def test_without_scripts_the_question_stands_below_what_was_saved(visit, users, quiz):
    page = visit(users.learner, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    page.locator(FIELD).fill("3.125")
    with page.expect_navigation():
        page.locator("button.save-now").click()
    asks = page.locator("#q-0 .number-question")
    expect(asks).to_be_visible()
    asks.locator("[value=thousands]").check()
    with page.expect_navigation():
        page.locator("button.save-now").click()
    assert stored()["number"] == [3125, 1]
    page.locator(FIELD).fill("4.125")
    with page.expect_navigation():
        page.locator("button.save-now").click()
    assert (stored()["separator"], stored()["number"]) == ("", [33, 8])
