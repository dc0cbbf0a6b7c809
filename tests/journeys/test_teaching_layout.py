"""The pages of teaching with a class on them: what belongs on one line stands on one line."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Locator

from quizzes.lib import clock
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import arrive, speak
from tests.journeys.test_accessible import fits

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
