"""Messages to learners who are at a quiz: to whom, what is refused, what the log keeps."""

import pytest

from quizzes.attempts.instructor_messages import send_message
from quizzes.attempts.models import MAX_MESSAGE_LENGTH, Attempt, AttemptMessage
from quizzes.attempts.selectors import load_attempt_view
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Invalid
from tests.attempt_helpers import finish, later, start
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def send(users, text: str, attempts=None, now=NOW) -> int:
    chosen = Attempt.objects.all() if attempts is None else attempts
    return send_message(attempts=chosen, text=text, by=users.instructor, now=now)


def read(attempt: Attempt) -> list[str]:
    attempt_view = load_attempt_view(attempt=attempt.uuid, learner=attempt.learner)
    return [message.text for message in attempt_view.messages]


def test_all_who_are_in_it_read_it_and_who_handed_in_or_begins_later_does_not(users, a_quiz):
    gone = finish(start(a_quiz, users.learner))
    attempt = start(a_quiz, users.other_learner)
    assert send(users, " Question 3: read “left” as “right”. ", now=later(minutes=1)) == 1
    again = start(a_quiz, users.learner, later(hours=1))
    assert [read(each) for each in (gone, attempt, again)] == [
        [],
        ["Question 3: read “left” as “right”."],
        [],
    ]


def test_one_learner_reads_what_only_they_are_written_and_all_in_their_order(users, a_quiz):
    attempts = [start(a_quiz, person) for person in (users.learner, users.other_learner)]
    send(users, "To all")
    assert send(users, "To one", Attempt.objects.filter(pk=attempts[0].pk)) == 1
    assert [read(each) for each in attempts] == [["To all", "To one"], ["To all"]]


def test_it_is_in_the_audit_log_of_each_attempt(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    send(users, "Five minutes more for everybody.")
    event = AuditEvent.objects.get(code=AuditCode.MESSAGE_SENT)
    assert (event.subject, event.actor) == (attempt.uuid, users.instructor.uuid)
    assert event.after == {"text": "Five minutes more for everybody."}
    assert AttemptMessage.objects.get().sent_by == users.instructor


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_MESSAGE_LENGTH + 1)])
def test_no_text_and_one_too_long_are_refused(users, a_quiz, text):
    start(a_quiz, users.learner)
    with pytest.raises(Invalid):
        send(users, text)
    assert not AttemptMessage.objects.exists()
