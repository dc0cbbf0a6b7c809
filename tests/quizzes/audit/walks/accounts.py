"""Signing in and out, one's own account, second factors, tokens, identities."""

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client

from accounts.login_throttle import MAX_ATTEMPTS
from accounts.services import issue_token
from quizzes.audit.codes import AuditCode
from tests.factories import open_to_anyone
from tests.identity_provider import authorize, go
from tests.quizzes.audit.walks.world import ORIGIN, World, walk
from tests.users import PASSWORD

LOGIN, MOVED = "/accounts/login/", "moved@example.org"


def enter(client: Client, email: str, password: str = PASSWORD) -> None:
    client.post(LOGIN, {"login": email, "password": password})


@walk(AuditCode.SIGNED_IN, "learner")
def sign_in_by_password(world: World) -> None:
    enter(world.browser(), world.users.learner.email)


@walk(AuditCode.SIGNED_OUT, "learner")
def sign_out(world: World) -> None:
    world.press(world.users.learner, "/accounts/logout/")


@walk(AuditCode.SIGN_IN_FAILED, "")
def guess_once(world: World) -> None:
    enter(world.browser(), world.users.learner.email, "a wrong password")


@walk(AuditCode.SIGN_IN_LOCKED, "")
def guess_too_often(world: World) -> None:
    client = world.browser()
    for number in range(MAX_ATTEMPTS + 3):
        enter(client, world.users.learner.email, f"wrong password {number}")


@walk(AuditCode.ACCOUNT_CREATED, "owner")
def sign_up(world: World) -> None:
    form = {"email": "new@example.org", "password1": PASSWORD, "name": "New"}
    world.browser().post("/accounts/signup/", form)


@walk(AuditCode.PASSWORD_CHANGED, "learner")
def change_password(world: World) -> None:
    new = "another good long password"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    world.press(world.users.learner, "/accounts/password/change/", form)


@walk(AuditCode.ADDRESS_CONFIRMED, "owner")
def confirm_address(world: World) -> None:
    client = world.browser()
    form = {"email": "new@example.org", "password1": PASSWORD, "name": "New"}
    client.post("/accounts/signup/", form)
    follow_link(client, r"/accounts/confirm-email/[^\s/]+/", mail.outbox[-1])


def follow_link(client: Client, pattern: str, message: mail.EmailMessage) -> None:
    """Open the link of a mail, and press its button."""
    (address,) = set(re.findall(pattern, str(message.body)))
    client.post(address, {})


@walk(AuditCode.ADDRESS_CHANGED, "learner", "address confirmed", "address")
def change_address(world: World) -> None:
    client = world.browser(world.users.learner)
    client.post("/accounts/email/", {"email": MOVED})
    (message,) = (message for message in mail.outbox if message.to == [MOVED])
    follow_link(client, r"/accounts/email/[^\s/]+/", message)


@walk(AuditCode.SECOND_FACTOR_CHANGED, "learner", "factor", "factor")
def set_up_an_app(world: World) -> None:
    client, page = world.browser(world.users.learner), "/accounts/2fa/totp/activate/"
    secret = re.search(r"<code>([A-Z2-7]+)</code>", client.get(page).text)
    assert secret is not None
    client.post(page, {"code": format_hotp_value(hotp_value(secret[1], int(time.time()) // 30))})


@walk(AuditCode.IDENTITY_LINKED, "learner", "", "provider")
def link_an_identity(world: World) -> None:
    link(world, world.browser(world.users.learner))


def link(world: World, client: Client) -> None:
    world.provider.add_person("s1", email="someone@elsewhere.example")
    client.get(authorize(world.provider, go(client, "/profile/sign-in/campus/link"), "s1"))


@walk(AuditCode.IDENTITY_UNLINKED, "learner", "provider", "")
def unlink_an_identity(world: World) -> None:
    client = world.browser(world.users.learner)
    link(world, client)
    client.post(f"/profile/sign-in/{SocialAccount.objects.get().pk}/unlink")


@walk(AuditCode.GUEST_KEPT, "stranger", "", "guest")
def keep_results_of_a_guest(world: World) -> None:
    quiz, client = open_to_anyone(world.quiz), world.browser()
    address = client.post(f"/quizzes/{quiz.slug}/start")["Location"]
    client.post(f"{address}submit")
    client.force_login(world.users.stranger)
    client.post("/guest/keep", {"answer": "keep"})


@walk(AuditCode.SESSIONS_ENDED, "learner", "", "sessions")
def sign_out_elsewhere(world: World) -> None:
    world.browser(world.users.learner)
    world.press(world.users.learner, "/profile/devices/sign-out")


@walk(AuditCode.TOKEN_CREATED, "instructor", "", "scopes expires_at")
def make_a_token(world: World) -> None:
    form = {"name": "A program", "scopes": ["read"], "days": "9"}
    world.browser(world.users.instructor).post("/profile/tokens/", form)


@walk(AuditCode.TOKEN_REVOKED, "instructor", "scopes expires_at", "")
def revoke_a_token(world: World) -> None:
    issued, _ = issue_token(user=world.users.instructor, name="Sync", scopes=["read"], days=1)
    world.call(world.users.instructor, f"tokens/{issued.token_key}", method="delete")


@walk(AuditCode.TOKEN_USED, "instructor", "", "scopes expires_at")
def use_a_token_from_another_address(world: World) -> None:
    _, text = issue_token(user=world.users.instructor, name="Sync", scopes=["read"], days=1)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    for _ in range(2):
        client.get("/api/v1/me", **ORIGIN)


@walk(AuditCode.NOTIFICATIONS_CHANGED, "learner", "wanted", "wanted")
def choose_notifications(world: World) -> None:
    world.press(world.users.learner, "/profile/notifications/", {"kinds": ["graded"]})
