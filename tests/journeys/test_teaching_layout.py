"""The pages of teaching with a class on them: what belongs on one line stands on one line."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Locator

from quizzes.bank.models import Question
from quizzes.challenges.services import challenge_question
from quizzes.lib import clock
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.factories import (
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.journeys.conftest import arrive, speak
from tests.journeys.test_accessible import fits
from tests.journeys.test_small_pages import SCROLLED

pytestmark = pytest.mark.browser


@pytest.fixture
def exam(transactional_db, users):
    """A quiz that opened yesterday and closes tomorrow."""
    question = create_question(create_bank(users), "first", right="ab")
    quiz = create_quiz(users, [question], slug="exam", time_limit=30)
    now = clock.now()
    quiz.assignments.update(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    return quiz


def list_bottoms(targets: Locator) -> list[int]:
    """Return where these boxes end, in pixels from the top of the page."""
    bottoms: list[int] = targets.evaluate_all(
        "(all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom))"
    )
    return bottoms


def count_lines(targets: Locator) -> set[int]:
    """Return on how many lines each of these texts stands."""
    lines = targets.evaluate_all(
        """(all) => all.map((each) =>
            new Set([...each.getClientRects()].map(({ bottom }) => Math.round(bottom))).size)"""
    )
    return set(lines)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_search_of_a_gradebook_and_the_windows_of_a_class_are_one_line(
    visit, users, exam, language
):
    page = visit(users.instructor, 1280)
    speak(page, language)
    arrive(page, reverse("admin:accounts_group_gradebook", args=[users.group.pk]))
    bottoms = list_bottoms(page.locator("form.class-bar :is(input, select, button)"))
    assert len(bottoms) == 4
    assert max(bottoms) - min(bottoms) < 8
    arrive(page, reverse("admin:accounts_group_class", args=[users.group.pk]))
    times = page.locator("td time")
    assert times.count() == 2
    assert count_lines(times) == {1}
    fits(page, page.url)


@pytest.fixture
def corrected(exam, users):
    """The exam, taken once; the key of its question was corrected after."""
    take_quiz(exam, users.learner, {0: "a"}, clock.now())
    question = Question.objects.get(name="first")
    publish_change(question, key={"right": option_ids(question, "a")})
    return question


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_preview_of_a_regrade_is_read_row_by_row_on_a_phone(
    visit, users, exam, corrected, language
):
    page = visit(users.instructor, 360)
    speak(page, language)
    address = reverse("admin:publishing_quiz_regrade_question", args=[exam.pk, corrected.uuid])
    arrive(page, address)
    fits(page, address)
    assert page.evaluate(SCROLLED) == []
    assert page.locator(".own-stack tbody tr").count() == 4
    assert page.locator(".own-stack td:not([data-label])").count() == 0


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_course_total_fits_a_tablet(visit, users, exam, language):
    page = visit(users.instructor, 768)
    speak(page, language)
    arrive(page, reverse("admin:accounts_group_grade_scheme", args=[users.group.pk]))
    assert page.evaluate(SCROLLED) == []


CUT_BREADCRUMBS = """() => [...document.querySelectorAll("h1, h1 > .breadcrumb")]
    .filter((each) => getComputedStyle(each).display !== "inline")
    .filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => each.textContent)"""


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_class_its_lists_and_challenges_are_read_row_by_row_on_a_phone(
    visit, users, exam, language
):
    attempt = take_quiz(exam, users.learner, {0: "a"}, clock.now())
    challenge_question(
        attempt=attempt.uuid,
        slot=0,
        learner=users.learner,
        reason="key",
        comment="It is the other one.",
        language="en",
        now=clock.now(),
    )
    update_statistics()
    page = visit(users.instructor, 360)
    speak(page, language)
    for address in (
        reverse("admin:accounts_group_class", args=[users.group.pk]),
        reverse("admin:challenges_challenge_changelist"),
        reverse("admin:challenges_question", args=[Question.objects.get(name="first").uuid]),
        reverse("admin:publishing_quiz_farmability", args=[exam.pk]),
    ):
        arrive(page, address)
        fits(page, address)
        if "guessing" not in address:  # a table of figures keeps its columns, and its shadow
            assert page.evaluate(SCROLLED) == [], address
            assert page.locator(".own-stack td").count(), address
        assert page.evaluate(CUT_BREADCRUMBS) == [], address
        captions = page.locator("caption span")
        for right in captions.evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect().right)"
        ):
            assert right <= 360, address
    people = reverse("admin:accounts_group_people", args=[users.group.pk])
    arrive(page, people)
    page.locator("textarea").fill("Petra Nueva,petra@example.org,2026-1000")
    with page.expect_navigation():
        page.locator("form.ask button.main").click()
    assert page.locator(".own-stack td[data-label]").count() == 5
    assert page.evaluate(SCROLLED) == []


CUT = """(all) => all
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.textContent.trim())"""


@pytest.mark.parametrize("width", [768, 1280])
def test_no_name_above_the_ticks_of_an_option_is_cut_off_in_spanish(visit, users, exam, width):
    page = visit(users.instructor, width)
    speak(page, "es")
    question = Question.objects.get(name="first")
    arrive(page, reverse("admin:bank_question_change", args=[question.pk]))
    names = page.locator(".question-row .tick .cell-label")
    assert names.count() > 3
    assert names.evaluate_all(CUT) == []


@pytest.mark.parametrize(("width", "highest"), [(360, 190), (768, 100), (1280, 70)])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_row_of_a_list_is_compact_at_every_width(visit, users, exam, language, width, highest):
    """At 768 pixels fifty attempts were 19,000 pixels tall: each column of a row had a line."""
    take_quiz(exam, users.learner, {0: "a"}, clock.now())
    page = visit(users.instructor, width)
    speak(page, language)
    for model in ("attempts_attempt", "bank_question", "publishing_quiz", "accounts_group"):
        address = reverse(f"admin:{model}_changelist")
        arrive(page, address)
        fits(page, address)
        row = page.locator("#result_list .data-row").first.bounding_box()
        assert row is not None
        assert row["height"] < highest, address
        labels = page.locator("#result_list tbody tr").evaluate_all(
            """(rows) => rows.flatMap((row) => [...row.cells].slice(1)).filter((cell) =>
                getComputedStyle(cell, "::before").display !== "none").length"""
        )
        assert (labels > 0) == (width < 768), address
