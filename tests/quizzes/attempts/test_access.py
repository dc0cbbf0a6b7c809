"""Who may see which attempt: the filter, by role."""

import pytest

from quizzes.attempts import services
from quizzes.attempts.access import may_see, visible_to
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        ("learner", True),
        ("instructor", True),
        ("administrator", True),
        ("other_learner", False),
        ("outsider", False),
        ("stranger", False),
    ],
)
def test_an_attempt_is_seen_by_its_learner_and_by_those_who_oversee_it(users, a_quiz, who, sees):
    attempt = services.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    person = getattr(users, who)
    assert may_see(person, attempt) is sees
    assert visible_to(person).filter(pk=attempt.pk).exists() is sees
