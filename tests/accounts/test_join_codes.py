"""Joining a class by a code: what it takes, and when it ends."""

import math
from datetime import timedelta
from functools import partial

import pytest

from accounts import join_codes
from accounts.classes import archive_class
from accounts.join_codes import (
    ALPHABET,
    LENGTH,
    MAX_WRONG_CODES,
    create_join_code,
    end_join_code,
    find_join_code,
    format_code,
    join_class,
    normalize_code,
)
from accounts.models import JoinCode, Membership, Role
from quizzes.lib.errors import Invalid, NotFound, Refused
from tests.factories import NOW
from tests.invitations import create_invitation
from tests.threads import at_once
from tests.users import Users, create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def code(users) -> str:
    return create_join_code(group=users.group, by=users.instructor, now=NOW).code


def test_a_code_cannot_be_guessed():
    assert LENGTH * math.log2(len(ALPHABET)) >= 40
    assert not set(ALPHABET) & set("01OILAEU")


def test_a_code_is_read_as_it_is_typed(code):
    assert normalize_code(f" {format_code(code).lower()} ") == code
    assert [normalize_code(text) for text in ("", "ABC", code[:-1] + "0")] == ["", "", ""]


def test_who_has_the_code_joins_as_a_learner_once(users, code):
    for _ in range(2):
        membership = join_class(text=code, user=users.stranger, now=NOW)
        assert (membership.group, membership.role) == (users.group, Role.LEARNER)
    assert JoinCode.objects.get(code=code).uses == 1


def test_who_is_in_the_class_stays_what_they_are(users, code):
    assert join_class(text=code, user=users.instructor, now=NOW).role == Role.INSTRUCTOR


def test_an_address_that_is_not_confirmed_joins_nothing(users, code):
    users.stranger.confirmed_email = ""
    users.stranger.save()
    with pytest.raises(Refused, match="address_not_confirmed"):
        join_class(text=code, user=users.stranger, now=NOW)
    assert not Membership.objects.filter(user=users.stranger).exists()


def test_who_is_on_the_list_joins_as_the_list_says(users, code):
    invitation = create_invitation(
        users.group,
        users.stranger.email,
        by=users.instructor,
        now=NOW,
        role=Role.ASSISTANT,
        school_id="0042",
    )
    assert join_class(text=code, user=users.stranger, now=NOW).role == Role.ASSISTANT
    users.stranger.refresh_from_db()
    assert users.stranger.school_id == "0042"
    invitation.refresh_from_db()
    assert invitation.accepted_at == NOW


def test_a_code_ends_by_time_by_hand_by_a_new_one_and_with_the_class(users, code):
    at_its_end = NOW + timedelta(days=join_codes.DEFAULT_DAYS)
    find_join_code(text=code, user=users.stranger, now=at_its_end - timedelta(seconds=1))
    with pytest.raises(NotFound):
        find_join_code(text=code, user=users.stranger, now=at_its_end)
    renewed = create_join_code(group=users.group, by=users.instructor, now=NOW).code
    with pytest.raises(NotFound):
        join_class(text=code, user=users.stranger, now=NOW)
    assert end_join_code(group=users.group, by=users.instructor, now=NOW)
    assert not end_join_code(group=users.group, by=users.instructor, now=NOW)
    with pytest.raises(NotFound):
        join_class(text=renewed, user=users.stranger, now=NOW)
    last = create_join_code(group=users.group, by=users.instructor, now=NOW).code
    archive_class(group=users.group, by=users.instructor, now=NOW)
    with pytest.raises(NotFound):
        join_class(text=last, user=users.stranger, now=NOW)


def test_a_code_lets_in_as_many_as_it_says(users):
    code = create_join_code(group=users.group, by=users.instructor, now=NOW, max_uses=1).code
    join_class(text=code, user=users.stranger, now=NOW)
    with pytest.raises(NotFound):
        join_class(text=code, user=users.outsider, now=NOW)


def test_whoever_guesses_is_stopped_and_nobody_else_is(users, code):
    for _ in range(MAX_WRONG_CODES):
        with pytest.raises(NotFound):
            join_class(text="22222-22222", user=users.stranger, now=NOW)
    with pytest.raises(Refused, match="too_many_codes"):
        join_class(text=code, user=users.stranger, now=NOW)
    assert join_class(text=code, user=users.outsider, now=NOW).group == users.group
    later = NOW + timedelta(minutes=16)
    assert join_class(text=code, user=users.stranger, now=later).group == users.group


@pytest.mark.parametrize("bounds", [{"days": 0}, {"days": 367}, {"max_uses": 0}])
def test_a_code_has_bounds(users, bounds):
    with pytest.raises(Invalid):
        create_join_code(group=users.group, by=users.instructor, now=NOW, **bounds)


def test_nobody_makes_a_code_for_a_class_that_they_do_not_teach(users):
    for person in (users.outsider, users.learner, create_user("other")):
        with pytest.raises(NotFound):
            create_join_code(group=users.group, by=person, now=NOW)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_codes_tried_at_once_ten_are_looked_at(users: Users):
    call = partial(find_join_code, text="BCDFGHJKMN", user=users.stranger, now=NOW)
    answers = at_once([call] * 30)
    assert sum(isinstance(answer, NotFound) for answer in answers) == MAX_WRONG_CODES
    assert sum(isinstance(answer, Refused) for answer in answers) == 30 - MAX_WRONG_CODES
