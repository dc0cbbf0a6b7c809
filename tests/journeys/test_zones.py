"""Times are those of the browser's own clock, from signing up on, and say so."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.users import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MADRID = "Europe/Madrid"


def zone(address: str) -> tuple[str, bool]:
    return User.objects.values_list("time_zone", "time_zone_chosen").get(email=address)


def test_who_signs_up_sees_the_times_of_their_place(visit):
    page = visit(timezone_id=MADRID)
    page.goto("/accounts/signup/")
    page.fill("input[name=email]", "new@example.org")
    page.fill("input[name=password1]", PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url("**/")
    assert zone("new@example.org") == (MADRID, False)
    page.goto("/profile/devices/")
    expect(page.locator("time .zone").first).to_have_text("CET")
    expect(page.locator(".zone-offer")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "es"])
def test_one_tap_changes_to_the_zone_of_the_browser(visit, users, width, language, accessible):
    page = visit(users.learner, width=width, timezone_id=MADRID, locale=language)
    page.goto("/")  # tells the zone
    page.goto("/profile/devices/")
    expect(page.locator("time .zone").first).to_have_text("UTC")
    accessible(page)
    page.locator(".zone-offer button[value=use]").click()
    page.wait_for_url("**/profile/devices/")
    expect(page.locator(".zone-offer")).to_have_count(0)
    expect(page.locator("time .zone").first).to_have_text("CET")
    assert zone(users.learner.email) == (MADRID, True)


def test_without_scripts_times_are_in_utc_and_say_so(visit, users):
    page = visit(users.learner, timezone_id=MADRID, java_script_enabled=False)
    page.goto("/")
    page.goto("/profile/devices/")
    expect(page.locator("time .zone").first).to_have_text("UTC")
    expect(page.locator(".zone-offer")).to_have_count(0)
