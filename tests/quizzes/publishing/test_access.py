"""Who may read and edit quizzes: every user, one by one."""

import pytest
from django.contrib.auth.models import AnonymousUser

from quizzes.publishing import access
from quizzes.publishing.models import Quiz
from tests.users import Users

pytestmark = pytest.mark.django_db

OWN, OTHERS, SHARED = "own", "others", "shared"


@pytest.fixture
def three(users: Users) -> dict[str, Quiz]:
    groups = {OWN: users.group, OTHERS: users.other_group, SHARED: None}
    return {slug: Quiz.objects.create(slug=slug, group=group) for slug, group in groups.items()}


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
    assert {quiz.slug for quiz in access.visible_to(user)} == sees
    assert {quiz.slug for quiz in access.editable_by(user)} == edits
    assert {slug for slug, quiz in three.items() if access.may_edit(user, quiz)} == edits
