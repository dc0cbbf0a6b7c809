"""Authors of a typed key see at once what it accepts and refuses; on a phone, in Spanish, too."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import create_bank
from tests.short_text_factory import create_short_text

pytestmark = pytest.mark.browser


@pytest.fixture
def question(transactional_db, users):
    return create_short_text(create_bank(users))


def open_editor(page: Page, question) -> None:
    page.goto(f"/admin/bank/question/{question.pk}/change/")


def listed(page: Page, verdict: str, text: str):
    items = page.locator(f".comparison-lists > div:has(.is-{verdict}) code")
    return items.get_by_text(text, exact=True)


def test_examples_follow_key_and_sort_as_they_are_typed(question, visit, users):
    page = visit(users.instructor)
    open_editor(page, question)
    expect(listed(page, "accepted", "PARIS")).to_be_visible()
    page.fill("[name=accepted-0-field_text]", "a != b")
    expect(listed(page, "accepted", "A != B")).to_be_visible()
    expect(listed(page, "refused", "a = b")).to_be_visible()
    page.select_option("[name=q-field_sort]", "code")
    expect(listed(page, "refused", "A != B")).to_be_visible()
    page.select_option("[name=q-field_case]", "ignored")
    expect(listed(page, "accepted", "A != B")).to_be_visible()
    page.get_by_label("Try an answer").fill("a = b")
    expect(page.locator(".comparison-tried")).to_contain_text("refused")
    expect(page.locator("[data-comparison-status]")).to_contain_text("The tried answer is refused.")
    expect(page.get_by_label("Try an answer")).to_be_focused()


def test_the_examples_fit_a_phone_and_are_accessible(question, visit, users, accessible):
    page = visit(users.instructor, width=360, locale="es", color_scheme="dark")
    open_editor(page, question)
    page.fill("[name=accepted-0-field_text]", "una_identificadora_muy_larga" * 4)
    expect(page.locator("[data-comparison-status]")).to_contain_text("Ejemplos")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)


def test_a_lost_connection_is_told_and_the_examples_come_back(question, visit, users):
    page = visit(users.instructor)
    open_editor(page, question)
    page.route("**/examples/", lambda route: route.abort())
    page.fill("[name=accepted-0-field_text]", "Roma")
    expect(page.locator("[data-comparison-status]")).to_contain_text("could not be brought up")
    page.unroute("**/examples/")
    page.fill("[name=accepted-0-field_text]", "Rom")
    expect(listed(page, "accepted", "ROM")).to_be_visible()
