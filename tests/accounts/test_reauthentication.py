"""Before what matters a person says again who they are; what they were sending is not lost."""

import re
import time

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, Session, User
from accounts.second_factors import list_second_factors
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.results.checkpoints import make_checkpoint
from tests.browser_forms import form_values
from tests.factories import create_bank, create_question
from tests.quizzes.study.helpers import create_card_question
from tests.users import PASSWORD, Users, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db

ASK, ASK_CODE = "/accounts/reauthenticate/", "/accounts/2fa/reauthenticate/"
TOKEN = {"name": "A program", "scopes": ["read"], "days": "9"}
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
NAVIGATION = {"Sec-Fetch-Mode": "navigate"}


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def client_signed_in_long_ago(user: User) -> Client:
    client = logged_in_client(user)
    authenticate_at(client, user, time.time() - 31 * 60)
    return client


def test_a_form_that_is_posted_is_not_lost(users: Users):
    client = client_signed_in_long_ago(users.learner)
    answer = client.post("/profile/tokens/?from=menu", TOKEN)
    assert answer["Location"] == f"{ASK}?next=%2Fprofile%2Ftokens%2F"
    assert not ApiToken.objects.exists()
    wrong = client.post(ASK, {"password": "wrong", "next": "/profile/tokens/"})
    assert wrong.status_code == 200
    page = client.post(ASK, {"password": PASSWORD, "next": "/profile/tokens/"})
    assert ApiToken.objects.get().name == "A program"
    assert "och_" in page.content.decode()
    assert client.post("/profile/tokens/", TOKEN).status_code == 200
    assert ApiToken.objects.count() == 2


def test_only_a_form_that_is_kept_is_said_not_to_be_lost(users: Users):
    client = client_signed_in_long_ago(users.learner)
    sentence = "What you have filled in is not lost."
    client.post("/profile/tokens/", TOKEN)
    assert sentence in client.get(f"{ASK}?next=/profile/tokens/").content.decode()
    client.post("/profile/tokens/", {**TOKEN, "password": PASSWORD})
    assert sentence not in client.get(f"{ASK}?next=/profile/tokens/").content.decode()


def test_within_the_time_of_the_setting_nobody_is_asked(users: Users, settings):
    client = client_signed_in_long_ago(users.learner)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 32 * 60
    assert client.post("/profile/tokens/", TOKEN).status_code == 200


def test_another_address_asks_and_the_confirmation_of_the_own_does_not(users: Users, mailoutbox):
    client = client_signed_in_long_ago(users.learner)
    client.post("/accounts/email/", {"email": "other@example.org"})
    assert mailoutbox == []
    client.post(ASK, {"password": PASSWORD, "next": "/accounts/email/"})
    assert mailoutbox[0].to == ["other@example.org"]
    User.objects.filter(pk=users.stranger.pk).update(confirmed_email="")
    stranger = client_signed_in_long_ago(users.stranger)
    answer = stranger.post("/accounts/email/", {"action_send": "1"})
    assert answer["Location"] == "/accounts/email/"


@pytest.mark.parametrize("page", ["totp/activate/", "webauthn/add/"])
def test_setting_up_a_factor_asks(users: Users, page: str):
    client = client_signed_in_long_ago(users.learner)
    assert client.get(f"/accounts/2fa/{page}")["Location"].startswith(ASK)


def test_with_a_second_factor_the_password_does_not_answer(users: Users):
    TOTP.activate(users.learner, SECRET)
    client = client_signed_in_long_ago(users.learner)
    assert client.get("/accounts/2fa/totp/deactivate/")["Location"].startswith(ASK_CODE)
    answer = client.post(ASK, {"password": PASSWORD, "next": "/profile/"})
    assert answer["Location"].startswith(ASK_CODE)
    assert client.post("/accounts/2fa/totp/deactivate/").status_code == 302
    assert list_second_factors(users.learner).exists()
    code = format_hotp_value(hotp_value(SECRET, int(time.time()) // 30))
    client.post(ASK_CODE, {"code": code, "next": "/accounts/2fa/totp/deactivate/"})
    assert not list_second_factors(users.learner).exists()


def test_exports_ask_by_page_and_by_rest_but_not_a_token(users: Users):
    bank = create_bank(users)
    addresses = ("/admin/audit/auditevent/export/", "/api/v1/results.csv")
    export = f"/api/v1/banks/{bank.uuid}/export?format=gift"
    client = client_signed_in_long_ago(users.instructor)
    for address in (*addresses, export):
        answer = client.get(address, headers=NAVIGATION)
        assert answer["Location"].startswith(ASK), address
        if address.startswith("/api/"):
            refusal = client.get(address)
            assert (refusal.status_code, refusal.json()["code"]) == (
                403,
                "reauthentication_required",
            )
    assert not AuditEvent.objects.filter(code__endswith="_exported").exists()
    _, secret = ApiToken.objects.create(user=users.instructor, scopes=["results"])
    headers = {"Authorization": f"Bearer {secret}"}
    assert Client(headers=headers).get("/api/v1/results.csv").status_code == 200
    client.post(ASK, {"password": PASSWORD})
    for address in (*addresses, export):
        assert client.get(address).status_code == 200, address


def test_recovery_codes_ask_and_the_page_that_asks_is_not_saved_as_their_file(users: Users):
    """A link with `download` saves whatever it leads to, under the name of the file."""
    TOTP.activate(users.learner, SECRET)
    RecoveryCodes.activate(users.learner)
    client = logged_in_client(users.learner)
    page, file = reverse("mfa_view_recovery_codes"), reverse("mfa_download_recovery_codes")
    link = re.search(rf'<a[^>]*href="{file}"[^>]*>', client.get(page).content.decode())
    assert link
    assert "download" not in link[0].replace(file, "")
    assert "attachment" in client.get(file)["Content-Disposition"]
    late = client_signed_in_long_ago(users.learner)
    assert late.get(file).get("Location", "").startswith(ASK_CODE)


def test_the_file_of_a_bank_asks_by_its_page_too(users: Users):
    """The page itself shows what a format loses, and asks as the pages with keys do."""
    bank = create_bank(users)
    client = client_signed_in_long_ago(users.administrator)
    page = f"/admin/bank/bank/{bank.pk}/export/?format=aiken&language=en"
    assert client.get(page).status_code == 200
    assert client.get(f"{page}&download=1").get("Location", "").startswith(ASK)
    assert not AuditEvent.objects.filter(code=AuditCode.BANK_EXPORTED).exists()
    client.post(ASK, {"password": PASSWORD})
    assert "attachment" in client.get(f"{page}&download=1")["Content-Disposition"]


@pytest.mark.parametrize(
    ("name", "control"),
    [("sharing", "audience"), ("study", "audience"), ("change", "group")],
    ids=["sharing", "study", "class"],
)
def test_giving_the_keys_of_a_bank_to_others_asks_and_keeps_the_form(
    users: Users, name: str, control: str
):
    """Sharing and study name them; the class of a bank makes its instructors editors."""
    bank = create_bank(users)
    create_card_question(bank, "first")
    client = client_signed_in_long_ago(users.administrator)
    address = reverse(f"admin:bank_bank_{name}", args=[bank.pk])
    values = {"audience": "everyone", "group": str(users.other_group.pk)}
    form = form_values(client.get(address), control) | {control: values[control]}
    codes = [AuditCode.BANK_SHARED, AuditCode.STUDY_OFFERED, AuditCode.BANK_CHANGED]
    events = AuditEvent.objects.filter(code__in=codes, subject=bank.uuid)
    count = events.count()
    assert client.post(address, form).get("Location", "").startswith(ASK)
    assert events.count() == count
    client.post(ASK, {"password": PASSWORD, "next": address})
    assert events.count() == count + 1
    assert events.latest("pk").actor == users.administrator.uuid


def test_moving_questions_to_another_bank_asks_and_keeps_the_form(users: Users):
    """Whoever that bank is shared with sees their keys from now on."""
    question = create_question(create_bank(users), "first", right="a")
    target = create_bank(users, "target")
    client = client_signed_in_long_ago(users.instructor)
    address = reverse("admin:bank_question_changelist")
    form = {"action": "move_to_bank", "_selected_action": str(question.pk), "is_asked": "1"}
    form |= {"bank": str(target.pk), "is_confirmed": "1"}
    assert client.post(address, form).get("Location", "").startswith(ASK)
    question.refresh_from_db()
    assert question.bank != target
    client.post(ASK, {"password": PASSWORD, "next": address})
    question.refresh_from_db()
    assert question.bank == target


def test_copying_a_question_asks_only_before_the_copy_is_shown(users: Users):
    """It stays in its bank, and the page that asks for its name shows no key (ADR 29)."""
    question = create_question(create_bank(users), "first", right="a")
    client = client_signed_in_long_ago(users.administrator)
    authenticate_at(client, users.administrator, time.time() - 13 * 60 * 60)
    page = reverse("admin:bank_question_copy", args=[question.pk])
    text = client.get(page).content.decode()
    assert "Option a" not in text
    assert "Feedback" not in text
    copy = client.post(page, {"name": "second"})["Location"]
    assert client.get(copy).get("Location", "").startswith(ASK)


def test_tables_of_regrades_statistics_and_answers_ask_as_other_exports_do(users: Users, a_quiz):
    question = a_quiz.sections.get().slots.first().question
    checkpoint = make_checkpoint(now=clock.now())
    client = client_signed_in_long_ago(users.administrator)
    addresses = (
        reverse("admin:publishing_quiz_regrade_csv", args=[a_quiz.pk, question.uuid]),
        f"/admin/results/checkpoint/{checkpoint.pk}/download/",
        f"/api/v1/quizzes/{a_quiz.uuid}/statistics.csv",
        f"/api/v1/classes/{users.group.uuid}/gradebook/answers?quiz={a_quiz.uuid}",
    )
    for address in addresses:
        answer = client.get(address, headers=NAVIGATION)
        assert answer.get("Location", "").startswith(ASK), (address, answer.status_code)
    assert not AuditEvent.objects.filter(code__endswith="_exported").exists()


def test_a_token_by_rest_asks(users: Users):
    client = client_signed_in_long_ago(users.learner)
    body = {"name": "A program", "scopes": ["read"]}
    answer = client.post("/api/v1/tokens", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "reauthentication_required")
    assert client.get("/api/v1/tokens").status_code == 200


def test_people_and_classes_ask_and_keep_the_form(users: Users):
    client = client_signed_in_long_ago(users.administrator)
    page = f"/admin/accounts/group/{users.group.pk}/change/"
    management = {
        f"memberships-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS", "MIN_NUM_FORMS")
    }
    form = {"name": "Class Z", **management}
    assert client.post(f"{page}?_changelist_filters=q", form)["Location"].startswith(ASK)
    answer = client.post(ASK, {"password": PASSWORD, "next": page})
    assert answer.status_code == 302, answer.content.decode()
    users.group.refresh_from_db()
    assert users.group.name == "Class Z"


def test_an_administrator_removes_the_factors_of_a_person_and_that_is_recorded(users: Users):
    TOTP.activate(users.learner, SECRET)
    client = client_signed_in_long_ago(users.administrator)
    action = {"action": "remove_second_factors", "_selected_action": [users.learner.pk]}
    page = "/admin/accounts/user/"
    assert client.post(page, action)["Location"].startswith(ASK)
    assert list_second_factors(users.learner).exists()
    client.post(ASK, {"password": PASSWORD, "next": page})
    assert not list_second_factors(users.learner).exists()
    event = AuditEvent.objects.filter(code=AuditCode.SECOND_FACTOR_CHANGED).latest("pk")
    assert (event.actor, event.subject) == (users.administrator.uuid, users.learner.uuid)


def test_who_has_no_password_here_is_not_asked(users: Users):
    users.learner.set_unusable_password()
    users.learner.save()
    client = client_signed_in_long_ago(users.learner)
    assert client.post("/profile/tokens/", TOKEN).status_code == 200


def test_who_says_again_who_they_are_gets_a_new_session_key(users: Users):
    client = client_signed_in_long_ago(users.learner)
    before = client.cookies["session"].value
    client.post(ASK, {"password": "wrong"})
    assert client.cookies["session"].value == before
    client.post(ASK, {"password": PASSWORD})
    assert client.cookies["session"].value != before
    assert not Session.objects.filter(session_key=before).exists()
    assert client.get("/profile/").status_code == 200


def test_ending_sessions_elsewhere_asks(users: Users):
    client = client_signed_in_long_ago(users.learner)
    elsewhere = logged_in_client(users.learner)
    assert client.post(reverse("sign_out_elsewhere"))["Location"].startswith(ASK)
    assert elsewhere.get("/profile/").status_code == 200
    client.post(f"{ASK}?next={reverse('sign_out_elsewhere')}", {"password": PASSWORD})
    assert elsewhere.get("/profile/").status_code == 302
