"""A score that changes is told by mail: once, in one's language, and no more than reveal shows."""

import re
from fractions import Fraction

import pytest
from django.core import mail

from accounts.models import User
from quizzes.attempts import services as lifecycle
from quizzes.challenges.services import answer_challenges, challenge_question
from quizzes.events.models import UnreadEvent
from quizzes.notifications.models import Notification, NotificationState
from quizzes.notifications.tasks import send_notifications
from quizzes.publishing.models import RevealMoment
from quizzes.results.manual_grading import override_score
from tests.attempt_helpers import finish, start, take_quiz
from tests.essay_factory import TEXT, attempt_with_essay, create_essay, grade_essay, save_text
from tests.factories import NOW, create_question, create_quiz
from tests.quizzes.notifications.regrades import REASON, html_of, regrade, send_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(into):
    return create_question(into, "corrected", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, into, corrected):
    other = create_question(into, "other", right="a", kind="single_choice")
    return create_quiz(users, [corrected, other], window_attempts=None)


def test_old_and_new_score_and_the_reason_come_in_the_language_of_each(users, quiz, corrected):
    users.other_learner.language, users.other_learner.name = "es", "Otra"
    users.other_learner.save()
    attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    take_quiz(quiz, users.other_learner, {0: "a", 1: "a"})
    regrade(quiz, corrected, users)
    mails = send_all()
    english, spanish = mails["learner@example.org"], mails["other_learner@example.org"]
    assert english.subject == "[Ochenta] Your score in “A quiz” has changed"
    for text in (english.body, html_of(english)):
        assert "1 of 2 points, 50%" in text
        assert "2 of 2 points, 100%, passed" in text
        assert f"/attempts/{attempt.uuid}/result" in text
    assert f"Reason: {REASON}" in english.body
    assert "The key of &lt;one&gt; was wrong." in html_of(english)
    assert spanish.subject == "[Ochenta] Tu puntuación en «Un examen» cambió"
    assert "2 de 2 puntos, 100\xa0%, aprobado" in spanish.body
    assert "1 de 2 puntos, 50\xa0%" in spanish.body
    assert '<html lang="es">' in html_of(spanish)
    assert re.search(r'<a href="[^"]+/result/?"[^>]*>Ver el resultado</a>', html_of(spanish))
    assert not UnreadEvent.objects.exists()


def test_whose_score_stays_gets_no_mail_and_a_second_run_sends_nothing(users, quiz, corrected):
    take_quiz(quiz, users.learner, {0: "b"})
    take_quiz(quiz, users.other_learner, {0: "c"})
    regrade(quiz, corrected, users)
    assert list(send_all()) == ["learner@example.org"]
    assert send_notifications() == 0
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("moment", [RevealMoment.AFTER_CLOSE, RevealMoment.NEVER])
def test_a_score_that_is_hidden_is_not_in_the_mail_and_its_change_is_no_news(
    users, into, corrected, moment
):
    quiz = create_quiz(users, [corrected], window_attempts=None, reveal_score=moment)
    take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, corrected, users)
    assert send_all() == {}
    row = Notification.objects.get()
    assert (row.state, row.error) == (NotificationState.NOT_SENT, "score_hidden")


def test_a_reason_is_not_told_before_the_key(users, into, corrected):
    quiz = create_quiz(
        users, [corrected], window_attempts=None, reveal_key=RevealMoment.AFTER_CLOSE
    )
    take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, corrected, users)
    message = send_all()["learner@example.org"]
    assert "1 of 1 point," in message.body
    assert "Reason" not in message.body + html_of(message)
    assert "The key of" not in message.body + html_of(message)


def test_graded_by_a_person_is_told_once_the_last_answer_is(users, into):
    essays = [create_essay(into, name) for name in ("why", "how")]
    quiz = create_quiz(users, essays, window_attempts=None)
    attempt = start(quiz, users.learner)
    for slot in range(2):
        save_text(attempt, slot, TEXT)
    finish(attempt)
    grade_essay(attempt, users.instructor, slot=0)
    assert send_all() == {}
    grade_essay(attempt, users.instructor, slot=1)
    message = send_all()["learner@example.org"]
    assert message.subject == "[Ochenta] Your answers in “A quiz” are graded"
    assert "no longer provisional" in message.body
    assert "Your score: 2 of 2 points, 100%, passed" in html_of(message).replace("<strong>", "")


def test_graded_by_a_person_is_told_without_a_score_that_is_hidden(users, into):
    quiz = create_quiz(
        users, [create_essay(into)], window_attempts=None, reveal_score=RevealMoment.NEVER
    )
    grade_essay(attempt_with_essay(quiz, users.learner), users.instructor)
    message = send_all()["learner@example.org"]
    assert "Your score is shown later." in message.body
    assert "points" not in message.body + html_of(message)


def test_a_score_that_a_person_changed_is_told(users, quiz):
    attempt = take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    override_score(
        attempt=attempt.uuid,
        slot=0,
        share=Fraction(1, 2),
        reason="Half of it is right.",
        by=users.instructor,
        now=NOW,
    )
    assert "1.5 of 2 points, 75%" in send_all()["learner@example.org"].body


def test_an_attempt_that_was_voided_meanwhile_is_not_written_of(users, quiz, corrected):
    attempt = take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, corrected, users)
    lifecycle.void(attempt=attempt.uuid, by=users.instructor, reason="Twice.", now=NOW)
    assert send_all() == {}
    assert Notification.objects.get().error == "attempt_voided"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"is_active": False}, "account_ended"),
        ({"confirmed_email": ""}, "address_not_confirmed"),
    ],
)
def test_nobody_is_written_to_at_an_account_that_is_not_theirs_any_more(
    users, quiz, corrected, change, code
):
    take_quiz(quiz, users.learner, {0: "b"})
    regrade(quiz, corrected, users)
    User.objects.filter(pk=users.learner.pk).update(**change)
    assert send_all() == {}
    assert Notification.objects.get().error == code


@pytest.mark.parametrize("key", [RevealMoment.AFTER_SUBMIT, RevealMoment.NEVER])
def test_an_answered_challenge_says_what_its_page_says(users, into, corrected, key):
    quiz = create_quiz(users, [corrected], window_attempts=None, reveal_key=key)
    attempt = take_quiz(quiz, users.learner, {0: "b"})
    challenge = challenge_question(
        attempt=attempt.uuid,
        slot=0,
        learner=users.learner,
        reason="key",
        comment="The book says b.",
        language="en",
        now=NOW,
    )
    answer_challenges(
        challenges=[challenge.uuid],
        by=users.instructor,
        verdict="accepted",
        answer="Right: it is b.",
        now=NOW,
    )
    message = send_all()["learner@example.org"]
    assert f"/attempts/{attempt.uuid}/questions/1/challenge" in message.body
    for text in (message.body, html_of(message)):
        assert ("Right: it is b." in text) == (key == RevealMoment.AFTER_SUBMIT)
        assert ("It was accepted." in text) == (key == RevealMoment.AFTER_SUBMIT)
        assert ("once the right answers are shown" in text) == (key == RevealMoment.NEVER)
