"""Kinds that are answered by choosing, by keyboard alone, in both languages."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Response
from tests.factories import create_bank, create_quiz
from tests.journeys.conftest import again, all_saved, speak, start
from tests.journeys.test_without import tab_to
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

CHOOSING = ("single_choice", "multiple_choice", "true_false", "flashcard")


@pytest.fixture
def choosing(transactional_db, users):
    into = create_bank(users)
    chosen_samples = [
        next(sample for sample in samples() if sample.kind == kind) for kind in CHOOSING
    ]
    questions = [publish_document(into, sample.kind, document(sample)) for sample in chosen_samples]
    return create_quiz(users, questions, shuffle_questions=False)


@pytest.mark.parametrize("language", ["en", "es"])
def test_each_is_answered_without_a_mouse(visit, users, choosing, language):
    page = visit(users.learner)
    start(page)
    speak(page, language)
    for slot in range(len(CHOOSING)):
        # Radio buttons are one stop, at "Clear" to begin with; an arrow goes on and chooses.
        tab_to(page, f"#q-{slot} .option input, #q-{slot} [data-no-answer]")
        radio = page.evaluate("document.activeElement.type === 'radio'")
        page.keyboard.press("ArrowDown" if radio else "Space")
        page.wait_for_selector(f"#q-{slot}[data-answered=true]")
    page.keyboard.press("Tab")
    all_saved(page)
    again(page)
    expect(page.locator("fieldset[data-answered=true]")).to_have_count(len(CHOOSING))
    slots = set(Response.objects.exclude(answer=None).values_list("slot", flat=True))
    assert slots == set(range(len(CHOOSING)))
