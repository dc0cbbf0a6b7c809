"""Every kind of the register in a browser: its controls and our modules speak of one answer."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from grading.kinds import KINDS
from quizzes.attempts.models import Attempt
from quizzes.attempts.selectors import load_attempt_view
from tests.factories import create_bank, create_quiz
from tests.journeys.conftest import again, all_saved, speak, start, submit
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

SAMPLES = samples()


@pytest.fixture
def everything(transactional_db, users):
    """A quiz with every question of the examples, in the author's order."""
    into = create_bank(users)
    questions = [
        publish_document(into, str(n), document(sample)) for n, sample in enumerate(SAMPLES)
    ]
    return create_quiz(users, questions, shuffle_questions=False)


ROUND = """async (cases) => {
  const answers = await import("/static/web/js/answer-controls.js");
  return cases.map(([slot, answer]) => {
    const fieldset = answers.findQuestion(slot);
    answers.write(fieldset, { answer, flagged: true });
    const text = answers.renderAnswer(fieldset, answer, "nothing");
    return [answers.read(fieldset), text, answers.listPaths(fieldset)];
  });
}"""


def cases():
    for slot, sample in enumerate(SAMPLES):
        expected_answers = [example.source["answer"] for example in sample.readable]
        yield from ((slot, answer) for answer in [*expected_answers, None])


def test_an_answer_that_is_written_into_the_page_is_read_back(visit, users, everything):
    page = visit(users.learner)
    start(page)
    for (slot, answer), (read, message, paths) in zip(
        cases(), page.evaluate(ROUND, list(cases())), strict=True
    ):
        sample, where = SAMPLES[slot], f"{SAMPLES[slot]} {json.dumps(answer)}: {read}"
        assert KINDS[sample.kind].parse(sample.content, read["answer"]) == answer, where
        assert read["flagged"] is True
        assert (message == "nothing") == (answer is None), where
        assert paths, where


SOLVE = """async (cases) => {
  const answers = await import("/static/web/js/answer-controls.js");
  return cases.map(([slot, answer]) => {
    const fieldset = answers.findQuestion(slot);
    answers.write(fieldset, { answer, flagged: false });
    const control = answers.listControls(fieldset)[0];
    control.dispatchEvent(new Event("change", { bubbles: true }));
    return answers.read(fieldset).answer;
  });
}"""


READ = """async (slots) => {
  const answers = await import("/static/web/js/answer-controls.js");
  return slots.map((slot) => answers.read(answers.findQuestion(slot)).answer);
}"""


def test_every_kind_is_saved_and_stands_again_after_a_reload(visit, users, everything):
    page = visit(users.learner)
    start(page)
    chosen = {slot: answer for slot, answer in cases() if answer is not None}
    sent = page.evaluate(SOLVE, list(chosen.items()))  # as if typed here, in this page's language
    expected = {slot: canonical(slot, raw) for slot, raw in zip(chosen, sent, strict=True)}
    expect(page.locator("[data-count=answered]").first).to_have_text(str(len(expected)))
    all_saved(page)
    attempt = Attempt.objects.get()
    heads = load_attempt_view(attempt=attempt.uuid, learner=users.learner).responses
    assert {head.slot: head.answer for head in heads} == expected
    again(page)
    for slot in expected:
        assert page.locator(f"#q-{slot}").get_attribute("data-answered") == "true"
    for (slot, answer), raw in zip(
        expected.items(), page.evaluate(READ, list(expected)), strict=True
    ):
        assert canonical(slot, raw) == answer, SAMPLES[slot]


def canonical(slot: int, raw: Any) -> Any:
    return KINDS[SAMPLES[slot].kind].parse(SAMPLES[slot].content, raw)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_nothing_serious(visit, users, everything, accessible, language, theme, width):
    page = visit(users.learner, width, color_scheme=theme)
    speak(page, language)
    start(page)
    accessible(page, "unanswered")
    page.evaluate(SOLVE, [case for case in cases() if case[1] is not None])
    all_saved(page)
    accessible(page, "answered")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for question in page.locator(".number-question[data-asks]").all():
        question.locator("[value=decimal]").check()
    all_saved(page)
    submit(page)
    accessible(page, "looked back on")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
