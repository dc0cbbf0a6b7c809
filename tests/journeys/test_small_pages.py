"""Pages on a phone and with text twice as large: nothing is cut off, nothing lies on another."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from quizzes.bank.models import QuestionVersion
from quizzes.lib import clock
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import finish, save_choice, take_quiz
from tests.attempt_helpers import start as begin
from tests.essay_factory import create_essay, save_text
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, arrive, option, speak, start
from tests.journeys.test_accessible import fits
from tests.quizzes.statistics.attempt_histories import take_table
from tests.short_text_factory import attempt_with_text, create_short_text

pytestmark = pytest.mark.browser

LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"

OVERLAPPING = """() => {
    const isFixed = (element) => {
        for (let each = element; each; each = each.parentElement) {
            if (["fixed", "sticky"].includes(getComputedStyle(each).position)) return true;
        }
        return false;
    };
    const names = "a, button, input, select, textarea, summary, h1";
    const controls = [...document.querySelectorAll(names)]
        .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .filter((each) => !each.closest(".visually-hidden, .skip") && !isFixed(each));
    const box = (element) => element.getBoundingClientRect();
    const overlap = (one, two) =>
        Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
        Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1;
    const overlaps = [];
    controls.forEach((one, place) => {
        for (const two of controls.slice(place + 1)) {
            if (one.contains(two) || two.contains(one)) continue;
            if (!overlap(box(one), box(two))) continue;
            overlaps.push(`${one.outerHTML} lies on ${two.outerHTML}`);
        }
    });
    return overlaps;
}"""

CUT_OFF = """() => [...document.querySelectorAll("main *, header *, footer *")]
    .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((each) => !each.closest(".visually-hidden, .skip, svg, pre"))
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 120))"""

BROKEN_WORDS = """(selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .flatMap((each) => {
        const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
        const broken = [];
        while (texts.nextNode()) {
            for (const word of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
                if (new Set(tops).size > 1) broken.push(word[0]);
            }
        }
        return broken;
    })"""
READ_WHOLE = (
    "main :is(button, .button, td), h1, .review-state span, .quiet-choice, .pick-state, tbody th"
)


@pytest.fixture
def addresses(lived_in):
    attempt, opened = lived_in
    return (
        "/",
        "/quizzes/quiz/",
        "/quizzes/ended/",
        f"/attempts/{opened.uuid}/",
        f"/attempts/{opened.uuid}/review",
        f"/attempts/{attempt.uuid}/result",
        "/attempts/",
        "/profile/",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/2fa/webauthn/add/",
        "/profile/devices/",
        "/profile/notifications/",
        "/profile/tokens/",
        "/accounts/logout/",
        "/nowhere/",
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_text_twice_as_large_fits_on_the_narrowest_page(visit, users, addresses, language):
    page = visit(users.learner, 320)
    speak(page, language)
    for address in addresses:
        page.goto(address)
        page.evaluate(LARGE_TEXT)
        assert page.evaluate(CUT_OFF) == [], address
        fits(page, address)
        assert page.evaluate(OVERLAPPING) == [], address
        assert page.evaluate(BROKEN_WORDS, READ_WHOLE) == [], address


def test_large_text_leaves_room_for_the_question(visit, users, bilingual):
    """The bars of an attempt's page, above and below, take at most half of a phone."""
    page = visit(users.learner, 320)
    start(page)
    page.evaluate(LARGE_TEXT)
    page.evaluate("scrollTo(0, 600)")
    share = page.evaluate(
        """() => [...document.querySelectorAll("main *")]
            .filter((each) => ["fixed", "sticky"].includes(getComputedStyle(each).position))
            .map((each) => each.getBoundingClientRect())
            .filter(({ bottom, top }) => bottom > 0 && top < innerHeight)
            .reduce((sum, { height }) => sum + height, 0) / innerHeight"""
    )
    assert share <= 0.5


@pytest.mark.parametrize("language", ["en", "es"])
def test_time_limit_and_attempts_stand_above_start_on_a_phone(visit, users, lived_in, language):
    page = visit(users.learner, 360)
    speak(page, language)
    page.goto("/quizzes/quiz/")
    button = page.locator("form[action$='/start'] button")
    bottoms = page.locator(".facts dd").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().bottom)"
    )
    box = button.bounding_box()
    assert box is not None
    assert max(bottoms) < box["y"]
    wide = visit(users.learner, 1280)
    wide.goto("/quizzes/quiz/")
    facts = wide.locator(".facts").bounding_box()
    heading = wide.locator("h1").bounding_box()
    assert facts is not None
    assert heading is not None
    assert facts["x"] >= heading["x"] + heading["width"]


def test_clear_is_there_only_when_there_is_something_to_clear(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    clear = page.locator("#q-2 .clear-answer")
    expect(clear).to_have_css("opacity", "0")
    option(page, 2, 1).check()
    all_saved(page)
    expect(clear).to_have_css("opacity", "1")
    expect(clear).to_contain_text("Clear")
    clear.click()
    all_saved(page)
    expect(page.locator("#q-2")).to_have_attribute("data-answered", "false")
    page.keyboard.press("Tab")
    expect(clear).to_have_css("opacity", "0")


def test_a_printed_result_names_its_learner(visit, users, lived_in):
    page = visit(users.learner)
    page.goto(f"/attempts/{lived_in[0].uuid}/result")
    name = page.locator(".verdict-facts .print-only")
    expect(name).to_be_hidden()
    page.emulate_media(media="print")
    expect(name).to_be_visible()
    expect(name).to_contain_text(str(users.learner))


@pytest.mark.parametrize("language", ["en", "es"])
def test_pages_of_answers_are_no_wider_than_a_phone(transactional_db, visit, users, language):
    bank = create_bank(users)
    typed, many = create_short_text(bank), create_question(bank, "many", right="ab")
    typed_quiz = create_quiz(users, [typed], slug="typed", window_attempts=None)
    for text in ("Lyon", "lyon", "París"):
        attempt_with_text(typed_quiz, users.learner, text)
    quiz = create_quiz(users, [many], slug="many")
    take_quiz(quiz, users.learner, {0: "a"})
    page = visit(users.instructor, 360)
    speak(page, language)
    answers = "/admin/attempts/attempt/answers"
    for address in (
        f"/admin/results/itemresult/question/{typed.pk}/",
        f"{answers}/{typed_quiz.uuid}/{typed.uuid}/",
        f"{answers}/{quiz.uuid}/{many.uuid}/",
    ):
        arrive(page, address)
        assert page.locator("table").count()
        assert page.evaluate("document.documentElement.scrollWidth") == 360, address


SCROLLED = """() => [...document.querySelectorAll(".own-scroll")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent.trim().slice(0, 60))"""


@pytest.mark.parametrize("language", ["en", "es"])
def test_pages_of_grading_fit_a_phone(visit, users, transactional_db, language):
    """Neither the page nor a table in it is wider than the phone: a row is read as a block."""
    into = create_bank(users)
    short = create_short_text(into)
    questions = [create_question(into, "choice", right="ab"), short, create_essay(into)]
    quiz = create_quiz(users, questions, slug="mixed", time_limit=30, shuffle_questions=False)
    attempt = begin(quiz, users.learner, clock.now())
    save_choice(attempt, 0, "a", clock.now())
    save_text(attempt, 2, "An essay, which waits for a mark.")
    finish(attempt, clock.now())
    page = visit(users.instructor, 360)
    speak(page, language)
    (question,) = (question for question in questions if question.name == "choice")
    for address in (
        reverse("admin:results_manualgrade_changelist"),
        reverse("admin:results_grading_question", args=[quiz.uuid, questions[2].uuid]),
        reverse("admin:results_typed_answers", args=[short.pk]),
        reverse("admin:attempts_attempt_change", args=[attempt.pk]),
        reverse("admin:attempts_attempt_question_answers", args=[quiz.uuid, question.uuid]),
        reverse("admin:attempts_attempt_progress", args=[quiz.uuid]),
        reverse("admin:publishing_quiz_compose", args=[quiz.pk]),
        reverse("admin:publishing_quiz_change", args=[quiz.pk]),
    ):
        arrive(page, address)
        fits(page, address)
        if "/publishing/" not in address:  # a table of what is shown when keeps its columns
            assert page.evaluate(SCROLLED) == [], address


@pytest.mark.parametrize("language", ["en", "es"])
def test_statistics_and_course_total_are_read_row_by_row_on_a_phone(
    visit, users, transactional_db, language
):
    """Each figure names itself beside it, where a table would be wider than the phone."""
    take_table(users, create_bank(users), [[1, 1], [1, 0], [0, 1]] * 4)
    update_statistics()
    statistics = QuizVersionStatistics.objects.get()
    version = QuestionVersion.objects.order_by("pk")[0]
    page = visit(users.instructor, 360)
    speak(page, language)
    for address in (
        reverse("admin:statistics_quizversionstatistics_change", args=[statistics.pk]),
        reverse("admin:statistics_question", args=[statistics.pk, version.uuid]),
        reverse("admin:accounts_group_grade_scheme", args=[users.group.pk]),
    ):
        arrive(page, address)
        fits(page, address)
        assert page.evaluate(SCROLLED) == [], address
        assert page.locator(".own-stack td").count(), address
        unnamed = page.locator(".own-stack td:not([data-label])")
        assert unnamed.count() == 0, address


@pytest.mark.parametrize("width", [360, 768])
def test_the_names_of_the_gradebook_stay_in_sight(visit, users, bilingual, width):
    page = visit(users.instructor, width)
    into = create_bank(users)
    for number in range(8):
        questions = [create_question(into, f"more{number}")]
        create_quiz(users, questions, slug=f"more-{number}")
    arrive(page, reverse("admin:accounts_group_gradebook", args=[users.group.pk]))
    frame, name = page.locator(".gradebook-scroll"), page.locator(".gradebook tbody th").first
    assert frame.evaluate("(each) => each.scrollWidth > each.clientWidth")
    before = name.bounding_box()
    frame.evaluate("(each) => { each.scrollLeft = each.scrollWidth; }")
    after = name.bounding_box()
    assert (after["x"], after["width"]) == (before["x"], before["width"])
    assert after["width"] < width / 2


def test_times_of_the_room_stand_on_one_line(visit, users, bilingual):
    take_quiz(bilingual, users.learner, {0: "a"}, clock.now())
    page = visit(users.instructor, 768)
    arrive(page, reverse("admin:attempts_attempt_progress", args=[bilingual.uuid]))
    times = page.locator(".progress-time time")
    expect(times.first).to_be_visible()
    lines = times.evaluate_all(
        """(all) => all.map((each) =>
            new Set([...each.getClientRects()].map(({ bottom }) => Math.round(bottom))).size)"""
    )
    assert set(lines) == {1}
    assert page.evaluate(SCROLLED) == []
