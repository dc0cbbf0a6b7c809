"""Code, formulas and tables of a text, larger: by a tap, by Enter, in an option by a button."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.bank.models import Draft
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import option, start, submit
from tests.quizzes.results.test_media_access import with_texts

pytestmark = pytest.mark.browser

WIDE_LINE = "total = sum(weight * credit for weight, credit in zip(weights, credits, strict=True))"
OPTION_LINE = "total = sum(weight * credit for weight in weights)"
"""Wider than an option on a phone alone."""
PROMPT = f"""What comes out?

```python
{WIDE_LINE}
```

$$\\sum_{{k=1}}^{{n}} k = \\frac{{n(n+1)}}{{2}}$$

| a | b |
|---|---|
| 1 | 2 |
"""
FONT_SIZE = "(element) => parseFloat(getComputedStyle(element).fontSize)"


@pytest.fixture
def quiz(transactional_db, users):
    question = create_question(create_bank(users), "many")
    content = Draft.objects.get(question=question).data["content"]
    ids = [option["id"] for option in content["options"]]
    wide, short = f"```python\n{OPTION_LINE}\n```", "```python\nx = 1\n```"
    options = dict(zip(ids, ("`x` and $y^2$", wide, short), strict=False))
    texts = {"prompt": PROMPT, "options": options}
    return create_quiz(users, [with_texts(question, **texts)], shuffle_options=False)


@pytest.fixture
def dialog(visit, users, quiz):
    """The dialog of a page that is opened on a phone."""
    page = visit(users.learner, 360, has_touch=True, is_mobile=True)
    start(page)
    return page.locator("dialog[data-enlargement]")


def enlarge(page: Page, selector: str):
    """Tap on something of the prompt; return how many times larger it comes."""
    small = page.locator(f".prompt {selector}").first
    size = small.evaluate(FONT_SIZE)
    small.tap()
    large = page.locator(f"dialog[data-enlargement][open] {selector}").first
    expect(large).to_be_visible()
    assert large.text_content() == small.text_content()
    return large.evaluate(FONT_SIZE) / size


@pytest.mark.parametrize("selector", ["pre.code", "math", ".table-scroll"])
def test_a_tap_shows_it_larger_and_the_button_goes_back(dialog, accessible, selector):
    page = dialog.page
    assert enlarge(page, selector) > 1.3
    accessible(page, selector)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_be_hidden()


def test_a_wide_line_scrolls_and_the_keys_of_the_page_rest_meanwhile(dialog):
    page = dialog.page
    enlarge(page, "pre.code")
    content = dialog.locator("[data-enlargement-content]")
    assert content.evaluate("(element) => element.scrollWidth > element.clientWidth")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(option(page, 0, 0)).not_to_be_checked()


def test_a_tap_in_an_option_chooses_it(dialog):
    page = dialog.page
    page.locator("#q-0 .option code").first.tap()
    expect(option(page, 0, 0)).to_be_checked()
    expect(dialog).to_be_hidden()


def test_what_is_wider_than_its_option_has_a_button_below_it(dialog, accessible):
    page = dialog.page
    (button,) = page.locator("#q-0").get_by_role("button", name="Enlarge").all()
    button.tap()
    expect(dialog.locator("pre.code")).to_have_text(OPTION_LINE)
    accessible(page, "an option's code")
    page.keyboard.press("Escape")
    expect(option(page, 0, 1)).not_to_be_checked()
    page.set_viewport_size({"width": 1600, "height": 900})
    expect(button).to_be_hidden()


def test_a_tap_beside_it_closes_it_on_the_result_too(dialog):
    page = dialog.page
    submit(page)
    enlarge(page, "pre.code")
    page.touchscreen.tap(3, 3)
    expect(dialog).to_be_hidden()


def test_with_a_mouse_text_can_be_selected_and_enter_enlarges(visit, users, quiz):
    page = visit(users.learner)
    start(page)
    dialog = page.locator("dialog[data-enlargement]")
    page.locator(".prompt pre.code").click()
    expect(dialog).to_be_hidden()
    page.locator(".prompt pre.code").press("Enter")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".prompt pre.code")).to_be_focused()
