"""Classes, roles, school id and second factor, as a provider says and the settings map."""

import re
import time
from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from accounts.access import groups_taught, is_administrator, lacks_second_factor
from accounts.classes import create_class, update_class
from accounts.identity_providers import ClassRole
from accounts.models import Membership, Role, Session, Term, User
from accounts.services import issue_token
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Conflict
from tests.identity_provider import AlteringProvider, sign_in, trust
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

CLASSES = {
    "a-learners": ClassRole("Class A", "learner"),
    "a-staff": ClassRole("Class A", "instructor"),
    "gone": ClassRole("No such class", "instructor"),
}


@pytest.fixture
def campus(provider: AlteringProvider, users: Users, settings) -> AlteringProvider:
    trust(settings, classes=CLASSES, school_id_claim="student_number")
    return provider


def sign_in_with(campus: AlteringProvider, **claims: Any) -> User:
    usual = {"email": "new@example.org", "email_verified": True}
    campus.add_person("s1", **usual, **claims)
    response = sign_in(Client(), campus, "s1")
    assert response.status_code == 302
    return User.objects.get(email="new@example.org")


def find_role(user: User) -> str:
    membership = user.memberships.filter(group__name="Class A").first()
    return membership.role if membership else ""


def test_a_role_follows_the_groups_of_the_provider(campus):
    steps: list[tuple[Any, str]] = [
        (["others"], ""),
        (["a-learners", "gone"], "learner"),
        (["a-learners", "a-staff"], "instructor"),
        (["a-learners"], "learner"),
        ("a-staff", "learner"),
        ([], ""),
    ]
    for groups, role in steps:
        user = sign_in_with(campus, groups=groups)
        assert find_role(user) == role, groups
    added = AuditEvent.objects.filter(code=AuditCode.MEMBERSHIP_ADDED).count()
    removed = AuditEvent.objects.filter(code=AuditCode.MEMBERSHIP_REMOVED).count()
    assert (added, removed) == (1, 1)


def test_a_provider_that_says_nothing_of_groups_takes_nothing(campus):
    sign_in_with(campus, groups=["a-staff"])
    assert find_role(sign_in_with(campus)) == "instructor"


def test_a_role_that_was_given_here_is_neither_taken_nor_lowered(campus, users: Users):
    user = sign_in_with(campus, groups=[])
    Membership.objects.create(user=user, group=users.group, role=Role.ASSISTANT)
    sign_in_with(campus, groups=["a-learners"])
    assert find_role(user) == "assistant"
    sign_in_with(campus, groups=["a-staff"])
    assert find_role(user) == "instructor"
    sign_in_with(campus, groups=["a-learners"])
    assert find_role(user) == "assistant"
    sign_in_with(campus, groups=[])
    assert find_role(user) == "assistant"


def test_a_role_that_was_changed_here_stays(campus):
    user = sign_in_with(campus, groups=["a-learners"])
    Membership.objects.filter(user=user).update(role=Role.ASSISTANT)
    sign_in_with(campus, groups=[])
    assert find_role(user) == "assistant"


def test_nobody_comes_to_an_archived_class_or_leaves_it(campus, users: Users):
    user = sign_in_with(campus, groups=["a-learners"])
    type(users.group).objects.update(archived_at=timezone.now())
    sign_in_with(campus, groups=[])
    assert find_role(user) == "learner"
    type(users.group).objects.update(archived_at=None)
    sign_in_with(campus, groups=[])
    assert find_role(user) == ""
    type(users.group).objects.update(archived_at=timezone.now())
    sign_in_with(campus, groups=["a-staff"])
    assert find_role(user) == ""


def test_without_a_mapping_groups_give_nothing_and_nothing_makes_an_administrator(
    provider, users: Users
):
    user = sign_in_with(
        provider, groups=["a-staff", "Class A"], is_superuser=True, roles=["administrator"]
    )
    assert not user.memberships.exists()
    assert not is_administrator(user)


def test_the_school_id_comes_with_the_sign_in_and_is_never_that_of_another(campus, users: Users):
    user = sign_in_with(campus, student_number=" 4711 ")
    assert user.school_id == "4711"
    assert AuditEvent.objects.filter(code=AuditCode.SCHOOL_ID_CHANGED).count() == 1
    User.objects.filter(pk=users.learner.pk).update(school_id="4712")
    for student_number in ("4712", "", "9" * 65, 4713, None):
        assert sign_in_with(campus, student_number=student_number).school_id == "4711"
    assert sign_in_with(campus, student_number="4714").school_id == "4714"


@pytest.mark.parametrize(
    ("methods", "is_staff"), [(["pwd", "mfa"], True), (["pwd"], False), ("mfa", False)]
)
def test_a_second_factor_of_the_provider_counts_where_the_settings_say_so(
    campus, settings, methods: Any, is_staff: bool
):
    settings.STAFF_SECOND_FACTOR = True
    trust(settings, classes=CLASSES, second_factors=frozenset({"mfa"}))
    campus.claims["amr"] = methods
    campus.add_person("s1", email="new@example.org", email_verified=True, groups=["a-staff"])
    client = Client()
    sign_in(client, campus, "s1")
    assert (client.get("/admin/").status_code == 200) == is_staff
    user = User.objects.get(email="new@example.org")
    assert lacks_second_factor(user) != is_staff
    assert groups_taught(user).exists() == is_staff


def test_only_the_signed_token_says_that_there_was_a_second_factor(campus, settings):
    settings.STAFF_SECOND_FACTOR = True
    trust(settings, classes=CLASSES, second_factors=frozenset({"mfa"}))
    campus.userinfo = {"amr": ["mfa"], "acr": "mfa"}
    assert lacks_second_factor(sign_in_with(campus, groups=["a-staff"]))


def test_without_the_setting_no_word_of_the_provider_stands_for_a_second_factor(campus, settings):
    settings.STAFF_SECOND_FACTOR = True
    campus.claims["amr"] = ["mfa"]
    user = sign_in_with(campus, groups=["a-staff"])
    assert lacks_second_factor(user)


@pytest.mark.parametrize(("methods", "asks"), [(["pwd"], True), (["mfa"], False)])
def test_who_has_a_second_factor_here_is_asked_for_it_unless_the_provider_did(
    campus, settings, methods: list[str], asks: bool
):
    trust(settings, second_factors=frozenset({"mfa"}))
    user = sign_in_with(campus)
    TOTP.activate(user, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    Session.objects.all().delete()
    campus.claims["amr"] = methods
    client = Client()
    response = sign_in(client, campus, "s1")
    assert (response["Location"] == "/accounts/2fa/authenticate/") == asks
    assert client.get("/profile/").status_code == (302 if asks else 200)
    assert "token" not in str(client.session.get("account_login"))
    assert SocialAccount.objects.get().extra_data["second_factor"] != asks


def test_a_stolen_password_sets_up_no_factor_beside_that_of_the_provider(campus, settings):
    settings.STAFF_SECOND_FACTOR = True
    trust(settings, classes=CLASSES, second_factors=frozenset({"mfa"}))
    campus.claims["amr"] = ["mfa"]
    user = sign_in_with(campus, groups=["a-staff"])
    user.set_password(PASSWORD)
    user.save()
    thief, owner = Client(), Client()
    thief.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    answer = set_up_app(thief)
    assert answer.status_code == 200
    assert "where your school signs you in" in answer.content.decode()
    assert thief.get("/admin/")["Location"] == "/accounts/2fa/"
    sign_in(owner, campus, "s1")
    assert set_up_app(owner).status_code == 302
    assert owner.get("/admin/").status_code == 200


def set_up_app(client: Client) -> Any:
    """Send the first code of an app; return the answer."""
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.search(r"<code>([A-Z2-7]+)</code>", page)[1]  # type: ignore[index]  # or the test fails
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    return client.post("/accounts/2fa/totp/activate/", {"code": code})


def test_a_factor_that_somebody_else_gave_in_a_session_counts_for_nobody(campus, settings):
    settings.STAFF_SECOND_FACTOR = True
    trust(settings, classes=CLASSES, second_factors=frozenset({"mfa"}))
    campus.claims["amr"] = ["mfa"]
    campus.add_person("s1", email="new@example.org", email_verified=True, groups=["a-staff"])
    client = Client()
    sign_in(client, campus, "s1")
    assert client.get("/admin/").status_code == 200
    session = client.session
    for step in session["account_authentication_methods"]:
        step["second_factor"] = str(uuid4())
    session.save()
    assert client.get("/admin/")["Location"] == "/accounts/2fa/"


def test_a_token_made_with_the_factor_of_a_provider_keeps_the_role(campus, settings):
    settings.STAFF_SECOND_FACTOR = True
    trust(settings, classes=CLASSES, second_factors=frozenset({"mfa"}))
    campus.claims["amr"] = ["mfa"]
    user = sign_in_with(campus, groups=["a-staff"])
    _, secret = issue_token(user=user, name="grades", scopes=["results"], days=1)
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    assert program.get("/api/v1/results").status_code == 200
    campus.claims["amr"] = ["pwd"]
    sign_in_with(campus, groups=["a-staff"])
    assert program.get("/api/v1/results").status_code == 403


def test_only_an_administrator_names_a_class_that_a_provider_gives_roles_in(campus, users: Users):
    for name in ("No such class", " No  such class "):
        with pytest.raises(Conflict, match="class_name_reserved"):
            create_class(name=name, by=users.instructor)
        with pytest.raises(Conflict, match="class_name_reserved"):
            update_class(group=users.group, name=name, term=None, by=users.instructor)
    term = Term.objects.create(name="Spring", begins_on="2027-01-11", ends_on="2027-05-28")
    update_class(group=users.group, name="Class A", term=term, by=users.instructor)
    page = logged_in_client(users.instructor).post(
        "/admin/accounts/group/add/", {"name": "No such class", "term": ""}
    )
    assert "This name is kept for people who sign in by the school" in page.content.decode()
    create_class(name="No such class", by=users.administrator)
    assert sign_in_with(campus, groups=["gone"]).memberships.get().role == "instructor"
