"""A text is written, kept while it is typed, marked by hand, and looked back on."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response
from quizzes.results.models import ManualGrade
from tests.essay_factory import TEXT, attempt_with_essay, create_essay
from tests.factories import create_bank, create_question, create_quiz
from tests.grading.essay.test_word_count import COUNTED
from tests.journeys.conftest import again, all_saved, follow, speak, start
from tests.journeys.test_accessible import fits
from tests.journeys.test_without import press, tab_to

pytestmark = pytest.mark.browser

LONG = " ".join(["word"] * 9)


@pytest.fixture
def question(transactional_db, users):
    """An essay of five to eight words, and a choice beside it."""
    into = create_bank(users)
    choice = create_question(into, "single", right="b", kind="single_choice")
    return create_quiz(
        users, [create_essay(into, minimum_words=5, maximum_words=8), choice], points=5
    )


def words(page):
    return page.locator("#q-0 [data-words]")


def kept() -> str:
    newest = Response.objects.filter(slot=0).order_by("-revision").first()
    return newest.answer["text"] if newest and newest.answer else ""


def test_a_text_is_counted_and_kept_while_it_is_typed(visit, users, question):
    page = visit(users.learner)
    start(page)
    page.locator("#q-0-text").press_sequentially(TEXT)
    expect(words(page)).to_have_text("9")
    voice = page.locator("#q-0 [data-length]")
    expect(voice).to_have_text("There are more words than asked for. Everything is kept.")
    all_saved(page)
    assert kept() == TEXT
    again(page)
    expect(page.locator("#q-0-text")).to_have_value(TEXT)
    expect(words(page)).to_have_text("9")
    page.locator("#q-0-text").fill("Copies, all of them.")
    expect(words(page)).to_have_text("4")
    expect(voice).to_have_text("")


def test_letters_and_digits_are_typed_and_choose_nothing(visit, users, question):
    page = visit(users.learner)
    start(page)
    page.locator("#q-0-text").press_sequentially("n p f 1 2 ?")
    assert page.locator("#q-0-text").input_value() == "n p f 1 2 ?"
    assert page.locator("#q-1 .option input:checked").count() == 0
    assert page.locator("[data-flag]:checked").count() == 0


def test_the_page_counts_words_as_the_server_does(visit, users, question):
    page = visit(users.learner)
    start(page)
    counted = page.evaluate(
        """async (texts) => {
            const { countWords } = await import("/static/web/js/essay.js");
            return texts.map(countWords);
        }""",
        [text for text, _ in COUNTED],
    )
    assert counted == [number for _, number in COUNTED]


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("es", 320)])
def test_the_keyboard_alone_writes_and_reads_the_result(
    visit, users, question, accessible, language, width
):
    page = visit(users.learner, width)
    speak(page, language)
    start(page)
    tab_to(page, "#q-0-text")
    page.keyboard.type(TEXT)
    press(page, "Enter")
    page.keyboard.type("And more.")
    expect(words(page)).to_have_text("11")
    accessible(page, "taking")
    fits(page, "taking")
    all_saved(page)
    tab_to(page, "button[value=review].button")
    press(page, "Enter")
    page.wait_for_url("**/review")
    tab_to(page, "form[data-submit] button")
    press(page, "Enter")
    page.wait_for_url("**/result")
    expect(page.locator(".written")).to_have_text(f"{TEXT}\nAnd more.")
    accessible(page, "result")
    fits(page, "result")


def test_an_essay_is_written_without_scripts(visit, users, question):
    page = visit(users.learner, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    follow(page, "form[action$='/start'] button")
    page.locator("#q-0-text").fill(f"{LONG}\nand a line")
    follow(page, "button.save-now")
    expect(page.locator("#q-0-text")).to_have_value(f"{LONG}\nand a line")
    expect(words(page)).to_have_text("12")
    assert kept() == f"{LONG}\nand a line"


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("es", 360)])
def test_an_instructor_marks_by_keyboard(
    visit, users, question, accessible, language, width, scripts
):
    attempts = [
        attempt_with_essay(question, learner) for learner in (users.learner, users.other_learner)
    ]
    page = visit(users.instructor, width, java_script_enabled=scripts)
    speak(page, language)
    page.goto("/admin/results/manualgrade/")
    if scripts:
        accessible(page, "queue")
    with page.expect_navigation():
        page.locator(".own-table a").first.click()
    if scripts:
        accessible(page, "pile")
    follow(page, "a.main")
    if scripts:
        accessible(page, "answer")
    for left in (1, 0):
        page.locator("input[name=level-idea]").nth(1).focus()
        press(page, "Space")
        page.locator("input[name=level-form]").nth(1).focus()
        press(page, "Space")
        page.locator("textarea[name=comment]").fill("Fair.")
        page.locator("button.main").focus()
        with page.expect_navigation():
            press(page, "Enter")
        assert Attempt.objects.filter(result__grading__provisional=True).count() == left
    assert ManualGrade.objects.count() == len(attempts)
