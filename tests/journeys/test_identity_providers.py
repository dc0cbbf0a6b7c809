"""Signing in by an identity provider in a browser: first, again, linked, and by no stranger."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from accounts import invitations
from accounts.models import Membership, Role, User
from quizzes.lib import clock
from tests.identity_provider import PROVIDER, AlteringProvider, serve
from tests.journeys.conftest import Opened
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.browser

TEACHER = "teacher@example.org"
BUTTON = "Sign in with Example Campus"


@pytest.fixture
def campus(settings, transactional_db) -> Iterator[AlteringProvider]:
    """Serve a provider on this machine that the site knows."""
    altering = AlteringProvider()
    with serve(altering) as issuer:
        settings.IDENTITY_PROVIDERS = (replace(PROVIDER, issuer=issuer),)
        yield altering


@pytest.fixture
def page(visit: Opened, campus) -> Page:
    page = visit()
    page.context.route(re.compile(r"^https://"), lambda route: route.abort())
    return page


def authorize(page: Page, subject: str) -> None:
    """Sign in at the provider, where the page of the site has led by itself."""
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize", exact=True).click()


def sign_in_by_provider(page: Page, subject: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name=BUTTON).click()
    authorize(page, subject)


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def test_the_first_sign_in_the_second_and_the_answer_no(page: Page, campus, accessible):
    campus.add_person("ana", email="ana@example.org", email_verified=True, name="Ana Campus")
    for _ in range(2):
        sign_in_by_provider(page, "ana")
        expect(page.get_by_role("heading", name="My quizzes")).to_be_visible()
        expect(page.locator(".menu-name")).to_have_text("Ana Campus")
        sign_out(page)
    assert User.objects.filter(email="ana@example.org").count() == 1
    page.goto("/accounts/login/")
    page.get_by_role("button", name=BUTTON).click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_role("heading", name="You are not signed in")).to_be_visible()
    accessible(page)


def test_who_has_an_account_links_it_signs_in_and_unlinks(
    page: Page, campus, users: Users, accessible
):
    campus.add_person("x", email=users.learner.email, email_verified=True)
    sign_in_by_provider(page, "x")
    expect(page.get_by_text("Your address has an account here already.")).to_be_visible()
    page.locator("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Email").fill(users.learner.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Link").click()
    authorize(page, "x")
    expect(page.get_by_text("You can sign in with Example Campus now.")).to_be_visible()
    accessible(page)
    sign_out(page)
    sign_in_by_provider(page, "x")
    page.wait_for_url(re.compile(r"\d/$"))
    page.goto("/profile/sign-in/")
    page.get_by_role("button", name="Unlink").click()
    # Signed in a moment ago, as the provider tells: nobody is asked again.
    expect(page.get_by_text("It no longer signs in to your account.")).to_be_visible()


def register(page: Page, email: str, password: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("button", name="Make an account")).to_have_count(0)


def test_a_stranger_who_registers_an_instructors_address_gets_nothing_by_any_way(
    page: Page, campus, users: Users, visit: Opened, mailoutbox
):
    """Not by password, code, new password, invitation, linking, or another identity's word."""
    stranger_password = "the password of a stranger"
    register(page, TEACHER, stranger_password)
    stranger = User.objects.get(email=TEACHER)
    assert not stranger.is_confirmed
    # What its owner is given meanwhile waits: a role, an invitation.
    Membership.objects.create(user=stranger, group=users.group, role=Role.INSTRUCTOR)
    invitations.invite(
        by=users.administrator,
        email=TEACHER,
        now=clock.now(),
        group=users.other_group,
        role=Role.INSTRUCTOR,
    )
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Classes")).to_have_count(0)
    # Nor does the invitation show to who has the account and not the mail.
    page.goto("/")
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    # Linking an identity of the stranger to it.
    page.goto("/profile/sign-in/")
    expect(page.get_by_role("button", name="Link")).to_have_count(0)
    # Another identity that says the address is its own, without proof.
    other = visit()
    campus.add_person("mallory", email=TEACHER, email_verified=False)
    sign_in_by_provider(other, "mallory")
    expect(other.get_by_text("does not vouch for your e-mail address")).to_be_visible()
    # A code and a new password are sent by mail, to the owner, who reads neither here.
    other.goto("/accounts/login/code/")
    other.get_by_label("Email").fill(TEACHER)
    other.get_by_role("button", name="Send").click()
    assert not [mail for mail in mailoutbox if "code" in mail.subject and TEACHER in mail.to]
    # The owner comes, by the school's sign-in.
    campus.add_person("teacher", email=TEACHER, email_verified=True, name="Teacher")
    owner_page = visit()
    sign_in_by_provider(owner_page, "teacher")
    expect(owner_page.get_by_role("link", name="Teaching")).to_be_visible()
    owner = User.objects.get(email=TEACHER)
    assert owner.pk != stranger.pk
    # The stranger is out, and the password opens nothing.
    page.goto("/profile/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, TEACHER, stranger_password)
    expect(page.locator(".errorlist.nonfield")).to_be_visible()
    assert owner.memberships.get().role == Role.INSTRUCTOR
    assert not stranger.memberships.exists()
