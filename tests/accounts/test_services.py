"""Making people, and putting them into groups: safe to ask for twice."""

import pytest
from django.test import RequestFactory
from django.utils import translation

from accounts.adapter import AccountAdapter
from accounts.forms import SignupForm
from accounts.models import Membership, Role
from accounts.services import add_to_group
from tests.users import create_user

pytestmark = pytest.mark.django_db


def test_whoever_joins_again_takes_on_the_new_role(users):
    add_to_group(user=users.learner, group=users.group, role=Role.INSTRUCTOR, by=None)
    assert Membership.objects.get(user=users.learner).role == Role.INSTRUCTOR
    add_to_group(user=users.stranger, group=users.group, role=Role.LEARNER, by=None)
    assert Membership.objects.get(user=users.stranger).group == users.group


def test_an_address_is_cleaned_before_anything_compares():
    assert AccountAdapter().clean_email("  Ada@Example.ORG ") == "ada@example.org"


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_new_person_keeps_the_language_they_signed_up_in(language):
    user = create_user("new")
    form = SignupForm({"name": "Ada"})
    assert form.is_valid()
    with translation.override(language):
        form.signup(RequestFactory().post("/"), user)
    user.refresh_from_db()
    assert (user.name, user.language) == ("Ada", language)
