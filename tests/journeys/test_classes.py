"""The first class of a new instructor: 60 people from a workbook, by keyboard, to who joins it."""

import re

import pytest
from django.core import mail

from accounts.models import Group, User
from accounts.tasks import send_security_notices
from quizzes.instructor.classes.class_page import MEMBERS_PER_PAGE
from tests.quizzes.instructor.classes.test_pages import workbook
from tests.users import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

UPLOAD = {"name": "class.xlsx", "mimeType": "application/octet-stream"}
MOST_TABS = 120


def press_on(page, control: str) -> None:
    """Go to a control by Tab, as somebody without a mouse does, and press Enter."""
    for _ in range(MOST_TABS):
        if page.evaluate("selector => document.activeElement.matches(selector)", control):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} is not reached by Tab")


def sign_in(page, url: str, email: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.fill("[name=login]", email)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/")


@pytest.mark.parametrize(
    ("language", "width", "words"),
    [("en", 1280, "60 people are invited"), ("es", 768, "Se invita por correo a 60 personas")],
)
def test_a_new_instructor_fills_their_first_class_by_keyboard(
    users, live_server, browser, language, width, words
):
    User.objects.filter(pk=users.stranger.pk).update(may_make_classes=True)
    context = browser.new_context(viewport={"width": width, "height": 900}, locale=language)
    page, pressed = context.new_page(), 0
    sign_in(page, live_server.url, users.stranger.email)
    for control, address in (
        ("a[href='/admin/']", "**/admin/"),
        ("a.class-main", "**/group/add/"),
        ("[name=_save]", "**/people/"),
        ("form.ask button.main", "**/people/?list=*"),
        ("form.actions button.main", "**/class/"),
    ):
        if control == "[name=_save]":
            page.fill("[name=name]", "Biología")
        if address.endswith("list=*"):
            page.set_input_files("[name=file]", {**UPLOAD, "buffer": workbook(60).read()})
        press_on(page, control)
        page.wait_for_url(address)
        pressed += 1
    group = Group.objects.get(name="Biología")
    assert (group.invitations.count(), pressed) == (60, 5)
    assert words in page.content()
    assert page.locator(".class-people tbody tr").count() == MEMBERS_PER_PAGE
    assert "61" in page.locator(".own-pages p").inner_text()
    assert send_security_notices() == 60
    context.close()


def test_who_is_invited_by_a_list_makes_an_account_and_sees_the_class(users, live_server, browser):
    page = browser.new_context(locale="en").new_page()
    sign_in(page, live_server.url, users.instructor.email)
    page.goto(f"{live_server.url}/admin/accounts/group/{users.group.pk}/people/")
    page.fill("[name=text]", "new@example.org, New Person, 0042")
    page.locator("form.ask button.main").click()
    page.wait_for_url("**/people/?list=*")
    page.locator("form.actions button.main").click()
    page.wait_for_url("**/class/")
    send_security_notices()
    link = re.search(r"/accounts/invitation/\w+/", str(mail.outbox[-1].body))
    assert link
    learner = browser.new_context(locale="en").new_page()
    learner.goto(f"{live_server.url}{link[0]}")
    learner.fill("[name=password]", PASSWORD)
    learner.locator("form button.button-main").click()
    learner.wait_for_url(f"{live_server.url}/")
    person = User.objects.get(email="new@example.org")
    assert (person.name, person.school_id) == ("New Person", "0042")
    assert list(person.teams.all()) == [users.group]
    page.reload()
    assert "0042" in page.locator(".class-people").inner_text()
    for opened in (page, learner):
        opened.context.close()
