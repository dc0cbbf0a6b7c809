"""A class of 60 from a workbook, made by an instructor in the browser, with few clicks."""

import pytest

from accounts.models import Group
from tests.quizzes.instructor.classes.test_pages import workbook
from tests.users import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

UPLOAD = {"name": "class.xlsx", "mimeType": "application/octet-stream"}


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("es", 768)])
def test_a_class_of_60_takes_four_clicks(users, live_server, browser, language, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, locale=language)
    page = context.new_page()
    page.goto(f"{live_server.url}/accounts/login/")
    page.fill("[name=login]", users.instructor.email)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{live_server.url}/")
    page.goto(f"{live_server.url}/admin/accounts/group/")
    clicks = 0
    for control, address in (
        ("a[href$='/group/add/']", "**/group/add/"),
        ("[name=_save]", "**/people/"),
        ("form.ask button.main", "**/people/?list=*"),
        ("form.actions button.main", "**/class/"),
    ):
        if address.endswith("/people/"):
            page.fill("[name=name]", "Biología")
        if address.endswith("list=*"):
            page.set_input_files("[name=file]", {**UPLOAD, "buffer": workbook(60).read()})
        page.locator(control).first.click()
        page.wait_for_url(address)
        clicks += 1
    group = Group.objects.get(name="Biología")
    assert (group.invitations.count(), clicks) == (60, 4)
    assert page.locator(".class-people tbody tr").count() == 61
    context.close()
