"""People and the groups that tie them together."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import (
    ApiToken,
    Group,
    Invitation,
    InvitationState,
    Membership,
    Role,
    Session,
    User,
)
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def test_an_address_is_kept_in_lower_case():
    user = User.objects.create_user("  Ada@Example.ORG ", "a good long password")
    assert user.email == "ada@example.org"
    assert User.objects.get_by_natural_key(" ADA@example.org") == user


def test_two_addresses_that_differ_in_case_are_one_person():
    User.objects.create_user("ada@example.org")
    with pytest.raises(ValidationError):
        User.objects.create_user("ADA@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(email="Ada@example.org")


@pytest.mark.parametrize("address", ["", "ada", "ada@", "a b@example.org"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValidationError):
        User.objects.create_user(address)


def test_without_a_password_nobody_can_sign_in():
    assert not User.objects.create_user("ada@example.org").has_usable_password()


@pytest.mark.parametrize("field", ["language", "time_zone"])
def test_language_and_time_zone_must_fit(field):
    with pytest.raises(ValidationError):
        User.objects.create_user("ada@example.org", **{field: "x" * 70})


def test_only_an_administrator_is_staff():
    assert User.objects.create_superuser("boss@example.org", "a good long password").is_staff
    assert not User.objects.create_user("ada@example.org").is_staff


def test_people_are_called_by_name_else_by_address():
    assert str(User(name="Ada", email="ada@example.org")) == "Ada"
    assert str(User(email="ada@example.org")) == "ada@example.org"


def test_a_school_id_is_kept_without_blanks_and_belongs_to_one_person(users):
    users.learner.school_id = " 0042\t"
    users.learner.full_clean()
    users.learner.save()
    assert users.learner.school_id == "0042"
    users.other_learner.school_id = "0042"
    with pytest.raises(ValidationError, match="Another person has this school id"):
        users.other_learner.full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        users.other_learner.save()


def test_the_database_refuses_a_school_id_with_a_blank_at_its_end(users):
    users.learner.school_id = "0042 "
    with pytest.raises(IntegrityError), transaction.atomic():
        users.learner.save()


def test_any_number_of_people_have_no_school_id(users):
    assert not User.objects.exclude(school_id="").exists()
    users.learner.full_clean()


def test_a_person_has_one_role_in_a_group(users):
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(group=users.group, user=users.learner, role=Role.INSTRUCTOR)


def test_everything_says_what_it_is(users):
    membership = Membership.objects.get(user=users.learner)
    assert str(membership) == "Learner: learner (Class A)"
    assert str(Group(name="Class A")) == "Class A"
    assert str(Session(user=users.learner, expire_date=NOW)) == "Learner until 2026-11-21"
    assert str(ApiToken(name="reports", token_key="abc")) == "reports (abc…)"


def test_a_role_with_more_rights_has_a_higher_rank():
    assert Role.LEARNER.rank < Role.ASSISTANT.rank < Role.INSTRUCTOR.rank


@pytest.mark.parametrize("ending", ["accepted", "declined", "withdrawn"])
def test_an_invitation_that_ended_stays_so_when_its_time_is_over(ending: str):
    invitation = Invitation(expires_at=NOW, **{f"{ending}_at": NOW - timedelta(days=1)})
    assert invitation.state_at(NOW - timedelta(hours=1)) == InvitationState(ending)
    assert invitation.state_at(NOW + timedelta(hours=1)) == InvitationState(ending)


def test_an_invitation_that_waits_is_open_until_its_time_is_over():
    invitation = Invitation(expires_at=NOW)
    assert invitation.state_at(NOW - timedelta(seconds=1)) == InvitationState.OPEN
    assert invitation.state_at(NOW) == InvitationState.EXPIRED
