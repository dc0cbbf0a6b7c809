"""Every row of ours says what it is, for logs and the admin, without asking more than it must."""

import pytest
from django.apps import apps

from quizzes.attempts.models import Accommodation
from quizzes.bank.services import set_tags
from tests.attempt_helpers import save_choice, start, take_quiz

OURS = {
    "accounts",
    "events",
    "bank",
    "publishing",
    "attempts",
    "results",
    "challenges",
    "course_grades",
    "practice",
    "certificates",
    "study",
}


@pytest.mark.django_db
def test_every_row_says_what_it_is(users, a_quiz, questions):
    set_tags(question=questions[0], names=["gpu"], by=None)
    Accommodation.objects.create(quiz=a_quiz, learner=users.learner, time_percent=150)
    take_quiz(a_quiz, users.learner, {0: "a"})
    save_choice(start(a_quiz, users.other_learner), 0, "a")
    representations = {}
    for model in apps.get_models():
        if model._meta.app_label in OURS and (row := model._default_manager.first()):
            representations[model.__name__] = str(row)
    assert len(representations) >= 20
    assert representations["Bank"] == "Bank"
    assert representations["Quiz"] == "A quiz"
    assert representations["Accommodation"] == "Learner: 150%"
    assert all(text and "object (" not in text for text in representations.values())
