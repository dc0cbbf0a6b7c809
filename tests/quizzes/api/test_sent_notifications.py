"""The mails that learners got, over REST: which, which not and why; and sent again."""

from datetime import timedelta

import pytest

from accounts.models import Membership, Role
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.notifications.models import Notification, NotificationState
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def mails(users, a_quiz):
    """Two mails on one quiz: sent, and not sent."""
    return [
        Notification.objects.create(
            recipient=users.learner,
            kind="graded",
            cause=state,
            quiz=a_quiz,
            state=state,
            error=error,
            sent_at=clock.now() if state == "sent" else None,
            next_try_at=clock.now() - timedelta(days=1),
        )
        for state, error in (("sent", ""), ("not_sent", "unwanted"))
    ]


def test_mails_are_listed_filtered_and_told_in_a_language(users, a_quiz, mails):
    client = program(users.instructor, "results")
    sent, unsent = client.get("notifications").json()["items"]
    assert (sent["delivery"], sent["quiz"], sent["recipient"]["email"], sent["reason"]) == (
        "sent",
        str(a_quiz.uuid),
        users.learner.email,
        "",
    )
    (chosen,) = client.get("notifications", delivery="not_sent", kind="graded").json()["items"]
    assert chosen == unsent
    assert client.get("notifications", quiz=str(users.group.uuid)).json()["items"] == []
    spanish = client.get("notifications", delivery="not_sent", lang="es").json()["items"]
    assert spanish[0]["reason"] != unsent["reason"] != ""
    first = client.get("notifications", limit=1).json()
    assert client.get("notifications", cursor=first["cursor"]).json()["items"] == [unsent]


def test_what_was_not_sent_is_tried_again_and_the_others_stay(users, mails):
    body = {"notifications": [str(mail.uuid) for mail in mails]}
    answer = program(users.instructor).post("notifications/send", body)
    assert answer.json() == {"again": 1, "unchanged": 1}
    states = Notification.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [NotificationState.SENT, NotificationState.WAITING]
    assert AuditEvent.objects.filter(code="notification_sent_again").count() == 1


def test_assistants_see_those_they_oversee_and_others_none(users, mails):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    assert len(program(assistant).get("notifications").json()["items"]) == 2
    body = {"notifications": [str(mails[1].uuid)]}
    for person in (users.learner, users.outsider, users.stranger):
        assert program(person).get("notifications").json()["items"] == []
        assert program(person).post("notifications/send", body).status_code == 404
    mails[1].refresh_from_db()
    assert mails[1].state == NotificationState.NOT_SENT


def test_the_list_costs_the_same_for_more_mails(users, a_quiz, mails, counted):
    client = program(users.instructor)
    client.get("notifications")
    with counted() as few:
        client.get("notifications")
    for number in range(3):
        Notification.objects.create(
            recipient=users.other_learner,
            kind="graded",
            cause=str(number),
            quiz=a_quiz,
            next_try_at=clock.now(),
        )
    with counted() as many:
        client.get("notifications")
    assert len(few) == len(many)
