"""Gaps in a table, in code and in a sentence: filled by keyboard, on a phone, without scripts."""

from typing import Any

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt
from quizzes.attempts.selectors import load_attempt_view
from quizzes.document import QuestionDocument
from quizzes.publishing.models import RevealMoment
from tests.factories import create_bank, create_quiz
from tests.grading.cloze.questions import CONTENT, KEY
from tests.journeys.conftest import again, all_saved, at_work, follow, speak, start, submit
from tests.journeys.test_accessible import fits
from tests.journeys.test_small_pages import BROKEN_WORDS
from tests.journeys.test_without import press, tab_to
from tests.question_factory import publish_document

pytestmark = pytest.mark.browser

PROMPT = """{}

| capital | river |
|---|---|
| the capital is [[1]] | [[2]] |

```python
import math
assert round(math.pi, 2) == [[3]]  # to two decimals
```
"""
FILLED = ("madrid", "Ebro", "3.14")
# Both places in one moment: between two readings a font may load and move the line.
COMPARE_PLACES = """(number, field) => {
    const [place, other] = [number, field].map((each) => each.getBoundingClientRect());
    return [place.y < other.y, place.x <= other.x];
}"""


@pytest.fixture
def spain(transactional_db, users):
    options = {"madrid": "Madrid", "rome": "A capital with quite a long name, for a phone"}
    words = {
        "en": {"prompt": PROMPT.format("Spain"), "options": options},
        "es": {"prompt": PROMPT.format("España"), "options": options},
    }
    feedback = {
        "en": {"options": {"rome": "That is in Italy."}, "accepted": {"tajo": "Nearly."}},
        "es": {"options": {"rome": "Está en Italia."}, "accepted": {"tajo": "Casi."}},
    }
    document = QuestionDocument(
        kind="cloze",
        scoring_method="per_gap",
        content=CONTENT,
        key=KEY,
        words=words,
        feedback=feedback,
    )
    return create_quiz(
        users,
        [publish_document(create_bank(users), "gaps", document)],
        reveal_key=RevealMoment.AFTER_SUBMIT,
    )


def control(page, id_: str):
    return page.locator(f"#q-0 [data-answer^='gaps.{id_}.']:not([type=hidden], [type=radio])")


def fill(page, capital: str, river: str, pi: str) -> None:
    control(page, "capital").select_option(capital)
    control(page, "river").fill(river)
    control(page, "pi").fill(pi)
    control(page, "pi").blur()


def stands(users) -> Any:
    attempt = Attempt.objects.get(learner=users.learner)
    return load_attempt_view(attempt=attempt.uuid, learner=users.learner).responses[0].answer


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_gaps_fit_and_are_accessible_asked_and_reviewed(
    visit, users, spain, accessible, language, theme, width
):
    page = visit(users.learner, width, color_scheme=theme)
    speak(page, language)
    start(page)
    accessible(page, "asked")
    fits(page, "asked")
    assert page.evaluate(BROKEN_WORDS, "td, th") == []
    fill(page, "rome", "Tajo", "3,14" if language == "es" else "3.14")
    all_saved(page)
    submit(page)
    accessible(page, "reviewed")
    fits(page, "reviewed")
    expect(page.locator("table .gap-filled.is-wrong")).to_have_count(1)
    expect(page.locator("table .gap-filled.is-partly")).to_have_count(1)
    expect(page.locator("pre .gap-filled.is-right")).to_have_count(1)
    feedback = "That is in Italy." if language == "en" else "Está en Italia."
    expect(page.locator(".picked .feedback").first).to_have_text(feedback)
    expect(page.locator(".given-expected strong")).to_have_text(["Madrid", "Ebro"])


def test_the_keyboard_alone_fills_every_gap_in_the_order_of_the_text(visit, users, spain):
    page = visit(users.learner)
    start(page)
    tab_to(page, "[data-answer^='gaps.capital']")
    press(page, "M")
    for id_, typed in (("river", "Ebro"), ("pi", "3.14")):
        tab_to(page, f"[data-answer^='gaps.{id_}']", most=3)  # code that scrolls is a stop, too
        page.keyboard.type(typed)
    tab_to(page, "button[value=review].button")
    all_saved(page)
    submit(page)
    assert "100" in page.locator(".verdict-percent").inner_text()


def test_gaps_stand_as_they_were_left_after_a_reload_and_in_the_other_language(visit, users, spain):
    page = visit(users.learner)
    start(page)
    fill(page, *FILLED)
    all_saved(page)
    again(page)
    follow(page, "header button[value=es]")
    at_work(page)
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(control(page, "capital")).to_have_value("madrid")
    expect(control(page, "river")).to_have_value("Ebro")
    expect(control(page, "pi")).to_have_value("3.14")
    control(page, "pi").fill("3,14")
    control(page, "pi").blur()
    all_saved(page)
    submit(page)
    assert stands(users)["gaps"]["pi"]["typed"] == "3,14"
    assert "100" in page.locator(".verdict-percent").inner_text()


def test_what_is_no_number_is_said_at_once_and_costs_and_marks_its_gap_alone(visit, users, spain):
    page = visit(users.learner)
    start(page)
    fill(page, "madrid", "Ebro", "three")
    expect(page.locator("#e-0")).to_contain_text("Gap 3: This cannot be read as a number")
    assert sorted(stands(users)["gaps"]) == ["capital", "river"]
    again(page)
    expect(page.locator("#e-0")).to_contain_text("Gap 3: This cannot be read as a number")
    expect(control(page, "pi")).to_have_value("three")
    expect(control(page, "pi")).to_have_attribute("aria-invalid", "true")
    expect(control(page, "river")).to_have_attribute("aria-invalid", "false")
    control(page, "pi").fill("3.14")
    control(page, "pi").blur()
    expect(page.locator("#e-0")).to_be_empty()
    all_saved(page)
    assert sorted(stands(users)["gaps"]) == ["capital", "pi", "river"]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_number_of_a_gap_in_code_stands_outside_the_line(visit, users, spain, scripts):
    page = visit(users.learner, java_script_enabled=scripts)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    number, field = page.locator("pre .gap-number"), control(page, "pi")
    expect(number).to_have_css("position", "absolute")
    above, left = number.evaluate(COMPARE_PLACES, field.element_handle())
    assert above
    assert left
    expect(page.locator("table .gap-number").first).to_have_css("position", "static")


def test_without_scripts_gaps_are_filled_corrected_and_kept_over_a_change_of_language(
    visit, users, spain
):
    page = visit(users.learner, 320, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    fill(page, "madrid", "Tajo", "3 apples and a half")
    follow(page, "button.save-now")
    expect(page.locator("#e-0")).to_contain_text("Gap 3: This cannot be read as a number")
    expect(page.locator("#q-0 [aria-invalid=true]")).to_have_count(1)
    assert sorted(stands(users)["gaps"]) == ["capital", "river"]
    follow(page, "header button[value=es]")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("#e-0")).to_contain_text("Hueco 3: Esto no")
    expect(control(page, "pi")).to_have_value("3 apples and a half")
    follow(page, "header button[value=en]")
    expect(control(page, "river")).to_have_value("Tajo")
    control(page, "pi").fill("3.14")
    follow(page, "header button[value=es]")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert stands(users)["gaps"]["pi"]["language"] == "en"
    control(page, "river").fill("Ebro")
    submit(page)
    assert "100" in page.locator(".verdict-percent").inner_text()
