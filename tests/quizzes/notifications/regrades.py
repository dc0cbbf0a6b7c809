"""A corrected key that is committed, and the mails that follow."""

from collections.abc import Mapping
from datetime import datetime

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from quizzes.bank.models import Question
from quizzes.notifications.delivery import send_due
from quizzes.notifications.event_reading import read_events
from quizzes.publishing.models import Quiz
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import commit_regrade, continue_regrades
from tests.factories import NOW, option_ids, publish_change
from tests.users import Users

REASON = "The key of <one> was wrong."


def regrade(quiz: Quiz, question: Question, users: Users, right: str = "b") -> None:
    """Correct the key of a question, and regrade all attempts by it."""
    version = publish_change(question, key={"right": option_ids(question, right)}).current
    assert version is not None
    commit_regrade(
        quiz=quiz,
        question=question,
        version=version.uuid,
        policy=RegradePolicy.BY_KEY,
        reason=REASON,
        by=users.instructor,
        now=NOW,
    )
    continue_regrades(now=NOW)


def send_all(now: datetime = NOW) -> Mapping[str, EmailMultiAlternatives]:
    """Read the outbox, send what waits; return all mails so far by address."""
    while read_events(now=now):
        pass
    send_due(now=now)
    return {
        message.to[0]: message
        for message in mail.outbox
        if isinstance(message, EmailMultiAlternatives)
    }


def html_of(message: EmailMultiAlternatives) -> str:
    """Return the HTML of a mail."""
    return str(message.alternatives[0][0])
