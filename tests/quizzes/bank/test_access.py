"""Who may read and edit banks: every user, one by one."""

import pytest
from django.contrib.auth.models import AnonymousUser

from quizzes.bank import access
from quizzes.bank.models import Bank, Question
from tests.users import Users

pytestmark = pytest.mark.django_db

OWN, OTHERS, SHARED = "own", "others", "shared"


@pytest.fixture
def three(users: Users) -> dict[str, Bank]:
    groups = {OWN: users.group, OTHERS: users.other_group, SHARED: None}
    return {slug: Bank.objects.create(slug=slug, group=group) for slug, group in groups.items()}


@pytest.mark.parametrize(
    ("who", "sees", "edits"),
    [
        ("administrator", {OWN, OTHERS, SHARED}, {OWN, OTHERS, SHARED}),
        ("instructor", {OWN, SHARED}, {OWN}),
        ("outsider", {OTHERS, SHARED}, {OTHERS}),
        ("learner", set(), set()),
        ("stranger", set(), set()),
        (None, set(), set()),
    ],
)
def test_authors_edit_their_own_and_read_what_is_shared(users, three, who, sees, edits):
    user = getattr(users, who) if who else AnonymousUser()
    assert {bank.slug for bank in access.visible_to(user)} == sees
    assert {bank.slug for bank in access.editable_by(user)} == edits
    assert {slug for slug, bank in three.items() if access.may_edit(user, bank)} == edits
    for bank in three.values():
        Question.objects.create(bank=bank, name=bank.slug, kind="multiple_choice")
    assert {question.name for question in access.questions_visible_to(user)} == sees
