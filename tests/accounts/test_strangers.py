"""A stranger who registers the address of somebody else gets nothing, before and after its owner.

Beside what tests of each way hold (`test_email_confirmation`, `test_invitations`,
`test_identities`, `test_login_codes`): what was filed under the address, and what they leave.
"""

import io
import time
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings as site
from django.core import mail
from django.test import Client

from accounts import rosters
from accounts.email_confirmation import change_address
from accounts.identities import ProviderIdentity, sign_in
from accounts.identity_providers import IdentityProvider
from accounts.invitation_acceptance import (
    accept_invitation,
    accept_with_new_account,
    list_invitations,
)
from accounts.invitation_links import build_token
from accounts.models import Membership, Role, User
from quizzes.attempts.attempt_verification import verify_accommodations
from quizzes.attempts.deadline_settings import save_accommodation, save_standing_accommodation
from quizzes.attempts.models import Accommodation, StandingAccommodation
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.privacy import data_requests
from tests.accounts.test_email_confirmation import ADDRESS, OWN_PASSWORD, choose_password, sign_up
from tests.attempt_helpers import start
from tests.factories import create_quiz
from tests.invitations import create_invitation
from tests.users import Users, authenticate_at

pytestmark = pytest.mark.django_db

MARKS = ("S-4711", "Class A", "Class B", "needs a scribe")
PAGES = (
    *("/", "/profile/", "/profile/data/", "/profile/sign-in/", "/profile/notifications/"),
    *("/attempts/", "/progress/", "/study/", "/join/", "/api/v1/me", "/api/v1/quizzes"),
    *("/api/v1/classes", "/api/v1/invitations", "/api/v1/attempts", "/api/v1/audit-events"),
)


def bring_list(users: Users, *, by: User, role: Role = Role.INSTRUCTOR) -> None:
    """Bring a list of Class A that names the teacher, with a school id."""
    line = {"line": 1, "name": "Teacher", "email": ADDRESS, "school_id": "S-4711", "problem": ""}
    now = clock.now()
    roster = rosters.create_roster_import(
        group=users.group, by=by, now=now, people=[line], role=role
    )
    plan = rosters.plan_roster(roster, by=by, now=now)
    rosters.commit_roster(roster=roster, by=by, now=now, fingerprint=plan.fingerprint)


@pytest.fixture
def stranger(users: Users, a_quiz) -> Client:
    """Who signed up with a teacher's address, before people here filed things under it."""
    browser = sign_up()
    user = User.objects.get(email=ADDRESS)
    User.objects.filter(pk=user.pk).update(school_id="S-4711")  # as an administrator may enter
    Membership.objects.create(user=user, group=users.other_group, role=Role.INSTRUCTOR)
    columns = {"learner": user, "time_percent": 150, "reason": "needs a scribe"}
    save_accommodation(
        accommodation=Accommodation(quiz=a_quiz, **columns), by=None, now=clock.now()
    )
    save_standing_accommodation(
        accommodation=StandingAccommodation(**columns), by=None, now=clock.now()
    )
    return browser


def read_zip(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def test_no_page_and_no_copy_shows_what_was_filed_under_the_address(stranger):
    for page in PAGES:
        text = stranger.get(page).content.decode()
        assert not [mark for mark in MARKS if mark in text], page
    user = User.objects.get(email=ADDRESS)
    authenticate_at(stranger, user, time.time())
    stranger.post("/profile/data/copy")
    for copy in data_requests.list_requests(user):
        answer = stranger.get(f"/profile/data/copy/{copy.uuid}")
        text = read_zip(b"".join(answer)) if answer.status_code == 200 else ""
        assert not [mark for mark in MARKS if mark in text]


def come_by_new_password(_: Users) -> None:
    choose_password()


def come_by_empty_account(_: Users) -> None:
    choose_password(new_account="on")


def come_by_invitation(users: Users) -> None:
    invitation = create_invitation(
        users.other_group, ADDRESS, by=users.administrator, role=Role.INSTRUCTOR
    )
    accept_with_new_account(
        token=build_token(invitation), name="T", password=OWN_PASSWORD, now=clock.now()
    )


def come_by_provider(_: Users) -> None:
    provider = IdentityProvider(
        id="school",
        name="School",
        issuer="https://school.example",
        client_id="c",
        secret="s",
        trusted_domains=frozenset({"school.example"}),
    )
    claims = {"sub": "t", "email": ADDRESS, "email_verified": True}
    sign_in(ProviderIdentity(provider, claims))


WAYS = (come_by_new_password, come_by_empty_account, come_by_invitation, come_by_provider)
Way = Callable[[Users], None]


@pytest.mark.parametrize("come", WAYS)
def test_the_owner_has_all_that_was_filed_and_the_stranger_nothing(stranger, users, come: Way):
    before = set(User.objects.values_list("pk", flat=True))
    come(users)
    owner = User.objects.get(email=ADDRESS)
    assert owner.is_confirmed
    roles = dict(owner.memberships.values_list("group__name", "role"))
    assert roles.get("Class B") == Role.INSTRUCTOR
    assert owner.school_id == "S-4711"
    assert [row.learner for row in Accommodation.objects.all()] == [owner]
    assert [row.learner for row in StandingAccommodation.objects.all()] == [owner]
    assert not [difference for difference in verify_accommodations() if difference]
    others = User.objects.filter(pk__in=before).exclude(pk=owner.pk)
    assert not others.filter(school_id="S-4711").exists()
    assert stranger.get("/profile/").status_code == 302


def test_another_address_takes_nothing_along_that_was_filed_under_one_not_confirmed(
    stranger, users
):
    user = User.objects.get(email=ADDRESS)
    User.objects.filter(pk=user.pk).update(is_superuser=True, may_make_classes=True)
    change_address(user=user, address="stranger@evil.example")
    user.refresh_from_db()
    assert user.is_confirmed
    assert (user.is_superuser, user.may_make_classes, user.school_id) == (False, False, "")
    assert not user.memberships.exists()
    assert not Accommodation.objects.filter(learner=user).exists()
    assert stranger.get("/admin/").status_code == 404
    assert not [difference for difference in verify_accommodations() if difference]
    waiting = User.objects.get(email=ADDRESS)
    assert not waiting.is_confirmed
    assert not waiting.has_usable_password()
    come_by_new_password(users)
    owner = User.objects.get(email=ADDRESS)
    assert (owner.is_confirmed, owner.school_id) == (True, "S-4711")
    assert owner.memberships.get().role == Role.INSTRUCTOR
    assert [row.learner for row in Accommodation.objects.all()] == [owner]
    assert [row.learner for row in StandingAccommodation.objects.all()] == [owner]


def test_a_mistyped_address_that_is_put_right_leaves_no_account(users):
    browser = sign_up("mistiped@school.example")
    user = User.objects.get(email="mistiped@school.example")
    change_address(user=user, address=ADDRESS)
    assert not User.objects.filter(email="mistiped@school.example").exists()
    assert browser.get("/profile/").status_code == 200


def test_who_has_an_accommodation_keeps_it_when_another_is_filed_under_a_new_address(
    stranger, users, a_quiz
):
    own = Accommodation.objects.create(quiz=a_quiz, learner=users.learner, time_percent=125)
    change_address(user=users.learner, address=ADDRESS)
    assert list(Accommodation.objects.all()) == [own]
    assert StandingAccommodation.objects.get().learner == users.learner


def test_more_time_that_comes_with_an_address_moves_the_deadline_of_what_runs(
    stranger, users, questions
):
    """60 minutes become 90 for the attempts that are not over, and for nobody else's."""
    quiz = create_quiz(users, questions, slug="timed", time_limit=60)
    now = clock.now()
    running, foreign = (
        start(quiz, learner, now) for learner in (users.learner, users.other_learner)
    )
    assert running.deadline_at == now + timedelta(minutes=60)
    change_address(user=users.learner, address=ADDRESS)
    running.refresh_from_db()
    foreign.refresh_from_db()
    assert running.deadline_at == now + timedelta(minutes=90)
    assert foreign.deadline_at == now + timedelta(minutes=60)
    assert AuditEvent.objects.filter(code=AuditCode.TIME_GIVEN, subject=running.uuid).exists()


def test_a_list_asks_the_owner_and_gives_nothing_to_who_only_signed_up(users):
    browser = sign_up()
    bring_list(users, by=users.administrator)
    user = User.objects.get(email=ADDRESS)
    assert (user.school_id, user.memberships.count()) == ("", 0)
    assert "Class A" not in browser.get("/").content.decode()
    come_by_new_password(users)
    user.refresh_from_db()
    invitation = list_invitations(user, now=clock.now()).get()
    accept_invitation(invitation=invitation.uuid, user=user, now=clock.now())
    assert (user.school_id, user.memberships.get().role) == ("S-4711", Role.INSTRUCTOR)


@pytest.mark.parametrize("come", WAYS)
def test_an_erasure_that_a_stranger_asked_for_erases_no_owner(stranger, users, come: Way):
    authenticate_at(stranger, User.objects.get(email=ADDRESS), time.time())
    stranger.post("/profile/data/erasure")
    stranger.post("/api/v1/me/erasure")
    come(users)
    data_requests.handle_due(now=clock.now() + timedelta(days=site.ERASURE_DAYS + 1))
    owner = User.objects.get(email=ADDRESS)
    assert owner.erased_at is None
    assert owner.check_password(OWN_PASSWORD) or come is come_by_provider


def test_a_passkey_of_before_opens_nothing_to_who_had_the_account(users):
    """An administrator writes another address into an account; its owner comes by mail."""
    user = users.stranger
    Authenticator.objects.create(
        user=user, type="webauthn", data={"name": "Mine", "credential": {}}
    )
    User.objects.filter(pk=user.pk).update(email=ADDRESS)
    choose_password()
    owner = User.objects.get(email=ADDRESS)
    assert owner.is_confirmed
    assert not Authenticator.objects.filter(user=owner).exists()


VARIANTS = (
    "Teacher@School.Example",
    "teacher@school.example.",
    " teacher@school.example ",
    "ｔｅａｃｈｅｒ@school.example",
    "teacher＠school.example",
    "teacher@school。example",
    "teacher@ſchool.example",
    "TEACHER@SCHOOL.EXAMPLE",
    "teacher@SCHOOL.EXAMPLE\u200b",
    "teacher\u00ad@school.example",
    "teacher@schoo\u217c.example",
    '"teacher"@school.example',
    "teacher+x@school.example",
    "tea\u0441her@school.example",
    "teacher@s\u0441hool.example",
    "teacher%school.example@evil.example",
)


@pytest.mark.parametrize("written", VARIANTS)
def test_an_address_written_otherwise_is_the_teacher_s_or_another_and_never_both(
    users, written: str
):
    teacher = User.objects.create_user(ADDRESS, OWN_PASSWORD, name="Teacher")
    Membership.objects.create(user=teacher, group=users.group, role=Role.INSTRUCTOR)
    browser = sign_up(written)
    assert list(User.objects.filter(email=ADDRESS)) == [teacher]
    for page in ("/admin/", "/api/v1/classes"):
        assert "Class A" not in browser.get(page).content.decode()
    assert {address for letter in mail.outbox for address in letter.to} <= {
        ADDRESS,
        *User.objects.exclude(pk=teacher.pk).values_list("email", flat=True),
    }
    teacher.refresh_from_db()
    assert teacher.check_password(OWN_PASSWORD)
    create_invitation(users.other_group, ADDRESS, by=users.administrator)
    assert "Class B" not in browser.get("/").content.decode()
