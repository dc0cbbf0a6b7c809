"""Second factors: codes of an app, recovery codes, what is recorded, told and refused."""

import re
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import login_throttle
from accounts.login_throttle import MAX_ATTEMPTS
from accounts.models import SecurityNotice, User
from accounts.second_factors import remove_second_factors
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LOGIN, STEP, PAGE = "/accounts/login/", "/accounts/2fa/authenticate/", "/accounts/2fa/"


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def code(secret: str = SECRET, *, periods: int = 0) -> str:
    """Return the code of an app, now or some half minutes from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + periods)))


def enter_password(user: User, client: Client | None = None) -> Client:
    client = client or Client()
    client.post(LOGIN, {"login": user.email, "password": PASSWORD})
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/profile/").status_code == 200


def set_up_app(client: Client) -> str:
    """Set up an app by the page; return its secret."""
    page = client.get(f"{PAGE}totp/activate/").content.decode()
    secret = re.search(r"<code>([A-Z2-7]+)</code>", page)[1]  # type: ignore[index]  # or the test fails
    answer = client.post(f"{PAGE}totp/activate/", {"code": code(secret)})
    assert answer.status_code == 302, answer.content.decode()
    return secret


def recovery_codes(client: Client) -> list[str]:
    page = client.get(f"{PAGE}recovery-codes/").content.decode()
    return re.findall(r"<code>(\d{8})</code>", page)


def changes(user: User) -> list[tuple[Any, Any]]:
    events = AuditEvent.objects.filter(code=AuditCode.SECOND_FACTOR_CHANGED, subject=user.uuid)
    return [
        ((event.before or {}).get("factor"), (event.after or {}).get("factor"))
        for event in events.order_by("pk")
    ]


@pytest.fixture
def protected(users: Users) -> User:
    """A learner with an app."""
    TOTP.activate(users.learner, SECRET)
    return users.learner


def test_an_app_is_set_up_by_the_page_and_then_asked_for(users: Users):
    client = enter_password(users.learner)
    secret = set_up_app(client)
    assert len(recovery_codes(client)) == 10
    assert changes(users.learner) == [("", "totp")]
    assert SecurityNotice.objects.filter(user=users.learner).count() == 1
    elsewhere = enter_password(users.learner)
    assert not is_signed_in(elsewhere)
    elsewhere.post(STEP, {"code": code(secret)})
    assert is_signed_in(elsewhere)


def test_a_wrong_first_code_sets_up_nothing(users: Users):
    client = enter_password(users.learner)
    client.get(f"{PAGE}totp/activate/")
    assert client.post(f"{PAGE}totp/activate/", {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.exists()


def test_without_a_confirmed_address_there_is_no_second_factor(users: Users, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    User.objects.filter(pk=users.learner.pk).update(confirmed_email="")
    client = enter_password(users.learner)
    assert client.get(f"{PAGE}totp/activate/")["Location"] == PAGE
    page = client.get(PAGE).content.decode()
    assert "totp/activate" not in page
    assert "/accounts/email/" in page


def test_the_password_alone_opens_nothing(protected: User):
    client = enter_password(protected)
    for address in ("/profile/", PAGE, "/profile/tokens/"):
        assert "/accounts/login/" in client.get(address)["Location"]
    assert client.get("/api/v1/me").status_code == 401
    assert not AuditEvent.objects.filter(code=AuditCode.SIGNED_IN).exists()


def test_the_admin_asks_for_it_as_well(users: Users):
    TOTP.activate(users.administrator, SECRET)
    client = Client()
    assert "/accounts/login/" in client.get("/admin/login/")["Location"]
    form = {"login": users.administrator.email, "password": PASSWORD}
    answer = client.post(f"{LOGIN}?next=/admin/", form)
    assert answer["Location"] == STEP
    assert client.get("/admin/").status_code == 302
    assert client.post(STEP, {"code": code()})["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("periods", [-1, 0, 1])
def test_a_code_counts_once_as_long_as_any_clock_takes_it(protected: User, periods: int):
    with time_machine.travel(NOON, tick=False) as clock:
        used = code(periods=periods)
        first = enter_password(protected)
        first.post(STEP, {"code": used})
        assert is_signed_in(first)
        for seconds in (0, 29, 31, 59):
            clock.move_to(NOON.timestamp() + seconds)
            second = enter_password(protected)
            second.post(STEP, {"code": f"{used[:3]} {used[3:]}"})
            assert not is_signed_in(second), seconds


@pytest.mark.parametrize("periods", [-2, 2])
def test_a_code_of_another_time_does_not_count(protected: User, periods: int):
    client = enter_password(protected)
    client.post(STEP, {"code": code(periods=periods)})
    assert not is_signed_in(client)


@pytest.mark.parametrize("periods", [-1, 1])
def test_with_right_clocks_a_code_lives_for_half_a_minute(protected: User, settings, periods: int):
    assert settings.MFA_TOTP_TOLERANCE == 1
    settings.MFA_TOTP_TOLERANCE = 0
    client = enter_password(protected)
    client.post(STEP, {"code": code(periods=periods)})
    assert not is_signed_in(client)


def test_guesses_are_counted_for_the_account_whatever_the_network_address(protected: User):
    for guess in range(MAX_ATTEMPTS):
        address = f"192.0.2.{guess}"
        enter_password(protected).post(STEP, {"code": f"00000{guess}"}, REMOTE_ADDR=address)
    client = enter_password(protected)
    answer = client.post(STEP, {"code": code()}, REMOTE_ADDR="198.51.100.1")
    assert "Too many" in answer.content.decode()
    assert not is_signed_in(client)
    failed = AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED, subject=protected.uuid)
    assert failed.count() == MAX_ATTEMPTS
    assert AuditEvent.objects.filter(code=AuditCode.SIGN_IN_LOCKED, subject=protected.uuid).exists()


def test_a_recovery_code_counts_once(users: Users):
    client = enter_password(users.learner)
    set_up_app(client)
    first, second, *_ = recovery_codes(client)
    for number, expected in ((first, True), (first, False), (second, True)):
        elsewhere = enter_password(users.learner)
        elsewhere.post(STEP, {"code": number})
        assert is_signed_in(elsewhere) == expected


def test_new_recovery_codes_replace_the_old_ones_and_are_told(users: Users):
    client = enter_password(users.learner)
    set_up_app(client)
    old = recovery_codes(client)
    client.post(f"{PAGE}recovery-codes/generate/")
    assert not set(old) & set(recovery_codes(client))
    assert changes(users.learner)[-1] == ("recovery_codes", "recovery_codes")
    assert SecurityNotice.objects.filter(user=users.learner).count() == 2
    download = client.get(f"{PAGE}recovery-codes/download/")
    assert set(download.content.decode().split()) >= set(recovery_codes(client))


def test_removing_the_app_is_recorded_and_takes_the_codes_along(users: Users):
    client = enter_password(users.learner)
    set_up_app(client)
    assert client.post(f"{PAGE}totp/deactivate/")["Location"] == PAGE
    assert not Authenticator.objects.exists()
    assert changes(users.learner) == [("", "totp"), ("totp", "")]
    assert is_signed_in(enter_password(users.learner))


def test_after_a_factor_is_gone_its_page_leads_to_the_sessions_elsewhere(users: Users):
    client = enter_password(users.learner)
    set_up_app(client)
    elsewhere = logged_in_client(users.learner)
    page = client.post(f"{PAGE}totp/deactivate/", follow=True).content.decode()
    assert f'href="{reverse("devices")}"' in page
    client.post(reverse("sign_out_elsewhere"))
    assert not is_signed_in(elsewhere)


def test_a_new_password_by_mail_leaves_the_second_factor(protected: User, mailoutbox):
    client = Client()
    client.post("/accounts/password/reset/", {"email": protected.email})
    link = re.search(r"/accounts/password/reset/key/\S+", mailoutbox[-1].body)[0]  # type: ignore[index]  # no match fails
    form = client.get(link, follow=True)
    passwords = {"password1": "another good one", "password2": "another good one"}
    client.post(form.redirect_chain[-1][0], passwords)
    client.post(LOGIN, {"login": protected.email, "password": "another good one"})
    assert not is_signed_in(client)
    client.post(STEP, {"code": code()})
    assert is_signed_in(client)


def test_the_database_alone_makes_no_codes(users: Users):
    client = enter_password(users.learner)
    secret = set_up_app(client)
    numbers = recovery_codes(client)
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert not [number for number in numbers if number in stored]
    assert Authenticator.objects.get(type="totp").data["secret"].startswith("gAAAA")


def test_a_replaced_secret_key_refuses_and_its_former_one_still_reads(protected: User, settings):
    settings.SECRET_KEY, former = "x" * 60, settings.SECRET_KEY
    client = enter_password(protected)
    assert client.post(STEP, {"code": code()}).status_code == 200
    assert not is_signed_in(client)
    settings.SECRET_KEY_FALLBACKS = [former]
    client.post(STEP, {"code": code(periods=1)})
    assert is_signed_in(client)


def test_removing_all_factors_of_a_person_is_recorded(users: Users):
    client = enter_password(users.learner)
    set_up_app(client)
    assert remove_second_factors(user=users.learner, by=users.administrator) == 1
    assert changes(users.learner) == [("", "totp"), ("totp", "")]
    assert remove_second_factors(user=users.learner, by=users.administrator) == 0


def test_a_person_who_is_deleted_takes_the_factors_along(protected: User):
    protected.memberships.all().delete()
    User.objects.get(pk=protected.pk).delete()
    assert not Authenticator.objects.exists()


def test_an_address_is_changed_with_a_second_factor_too(protected: User, mailoutbox):
    client = logged_in_client(protected)
    client.post("/accounts/email/", {"email": "moved@example.org"})
    link = re.search(r"/accounts/email/\S+", mailoutbox[0].body)[0]  # type: ignore[index]  # no match fails
    assert client.post(link).status_code == 302
    protected.refresh_from_db()
    assert protected.email == "moved@example.org"
    assert not is_signed_in(enter_password(protected))


def test_the_profile_leads_there(users: Users):
    client = enter_password(users.learner)
    assert f'href="{PAGE}"' in client.get("/profile/").content.decode()
    for language, heading in (("en", "Second factor"), ("es", "Segundo factor")):
        client.cookies["language"] = language
        assert f"<h1>{heading}</h1>" in client.get(PAGE).content.decode()


def test_the_page_costs_the_same_as_any_of_the_profile(protected: User, counted):
    client = Client()
    client.force_login(protected)
    with counted() as queries:
        assert client.get(PAGE).status_code == 200
    assert len(queries) <= 4, queries


MALFORMED = ("", "{}", "[]", "5", "null", '{"id":1}', '{"rawId":"YQ","id":"YQ","response":{}}', "{")


@pytest.mark.parametrize("credential", MALFORMED)
def test_what_is_no_passkey_is_refused_without_a_crash(users: Users, credential: str):
    client = Client(headers={"accept": "application/json"})
    assert client.get(f"{PAGE}webauthn/login/").json()["request_options"]
    answer = Client().post(f"{PAGE}webauthn/login/", {"credential": credential})
    assert answer["Location"] == LOGIN
    signed_in = enter_password(users.learner)
    signed_in.get(f"{PAGE}webauthn/add/")
    for page in ("add", "reauthenticate"):
        answer = signed_in.post(f"{PAGE}webauthn/{page}/", {"credential": credential})
        assert answer.status_code in {200, 302}
    assert not Authenticator.objects.exists()


def test_a_refused_passkey_is_recorded():
    Client().post(f"{PAGE}webauthn/login/", {"credential": '{"id":1}'})
    assert AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED).count() == 1


def test_a_hall_signs_in_by_passkeys_from_one_address():
    for _ in range(30):
        answer = Client().post(f"{PAGE}webauthn/login/", {"credential": "{}"})
        assert answer.status_code == 302


def test_somebody_elses_passkey_is_not_there(users: Users):
    passkey = Authenticator.objects.create(user=users.instructor, type="webauthn", data={})
    client = enter_password(users.learner)
    for page in ("edit", "remove"):
        address = f"{PAGE}webauthn/keys/{passkey.pk}/{page}/"
        assert client.get(address).status_code == client.post(address).status_code == 404


def test_the_first_factor_ends_the_sessions_that_began_without_one(users: Users):
    here, elsewhere = enter_password(users.learner), enter_password(users.learner)
    assert is_signed_in(elsewhere)
    set_up_app(here)
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)


def test_unlocking_lets_a_person_try_codes_again(protected: User):
    for guess in range(MAX_ATTEMPTS):
        enter_password(protected).post(STEP, {"code": f"00000{guess}"})
    login_throttle.forget_failures(user=protected)
    client = enter_password(protected)
    client.post(STEP, {"code": code()})
    assert is_signed_in(client)
