"""Signing in with a second factor in a browser: an app's code, a passkey, a recovery code."""

import re
import time

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Opened
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.browser

KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def page(visit: Opened, transactional_db) -> Page:
    return visit()


def enter_password(page: Page, users: Users) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(users.learner.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def leave(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def add_virtual_key(page: Page) -> None:
    """Give the browser a device that asks nobody."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


def add_passkey(page: Page, *, alone: bool) -> None:
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Add", exact=True).click()
    page.get_by_label("Sign in with it alone").set_checked(alone)
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("The passkey is added.")).to_be_visible()


def test_an_app_and_recovery_codes_let_in_and_each_counts_once(page, users):
    enter_password(page, users)
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Set up").click()
    page.get_by_text("You cannot scan it?").click()
    secret = page.locator(".secret code").inner_text()
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    page.get_by_label("Code that the app shows").fill(code)
    page.get_by_role("button", name="Set it up").click()
    recovery_code = page.locator(".recovery-codes code").first.inner_text()
    leave(page)
    for attempt, number in enumerate((code, recovery_code, recovery_code)):
        enter_password(page, users)
        page.get_by_label("Code from your app").fill(number)
        page.get_by_role("button", name="Sign in with the code").click()
        if attempt < 2:
            expect(page.get_by_role("heading", name="My quizzes")).to_be_visible()
            leave(page)
    expect(page.get_by_text("This code is not right")).to_be_visible()


def test_a_passkey_signs_in_alone_and_says_again_who_one_is(page, users):
    add_virtual_key(page)
    enter_password(page, users)
    add_passkey(page, alone=True)
    page.goto("/accounts/2fa/webauthn/reauthenticate/?next=/profile/")
    page.get_by_role("button", name="Use the passkey").click()
    page.wait_for_url(re.compile(r"\d/profile/$"))
    leave(page)
    page.goto("/accounts/login/?next=/attempts/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(re.compile(r"\d/attempts/$"))


def test_a_security_key_is_asked_for_after_the_password(page, users):
    add_virtual_key(page)
    enter_password(page, users)
    add_passkey(page, alone=False)
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("This device has a passkey of this account")).to_be_visible()
    leave(page)
    enter_password(page, users)
    expect(page.get_by_role("heading", name="Your second factor")).to_be_visible()
    page.get_by_role("button", name="Use the passkey").click()
    expect(page.get_by_role("heading", name="My quizzes")).to_be_visible()
