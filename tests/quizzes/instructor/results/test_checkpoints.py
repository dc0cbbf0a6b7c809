"""Administrators see the checkpoints of the record, keep their files, and verify them."""

import json

import pytest
from django.urls import reverse

from quizzes.attempts.models import Response
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import Checkpoint, CheckpointEntry
from tests.attempt_helpers import later, take_quiz
from tests.factories import NOW
from tests.forged_rows import overwrite
from tests.query_counts import Counted
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
LIST = "/admin/results/checkpoint/"


@pytest.fixture
def checkpoint(users: Users, a_quiz) -> Checkpoint:
    """The second checkpoint, of one attempt; the first has another."""
    take_quiz(a_quiz, users.learner, {0: "ab"})
    make_checkpoint(now=NOW)
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    return make_checkpoint(now=later(days=1))


def test_the_list_and_a_checkpoint_say_what_it_is(users: Users, checkpoint: Checkpoint):
    client = logged_in_client(users.administrator)
    page = client.get(LIST).content.decode()
    assert "Checkpoint 2" in page
    key = checkpoint.document["key"]
    assert key[:12] in page
    page = client.get(f"{LIST}{checkpoint.pk}/change/").content.decode()
    for text in (key, checkpoint.document["checkpoint"]["previous"], "Verify this checkpoint"):
        assert text in page
    assert "is genuine" not in page


def test_the_file_is_what_the_command_exports(users: Users, checkpoint: Checkpoint):
    response = logged_in_client(users.administrator).get(f"{LIST}{checkpoint.pk}/download/")
    assert response["Content-Disposition"] == 'attachment; filename="checkpoint-2.jsonl"'
    document, entry = map(json.loads, response.getvalue().decode().splitlines())
    assert document == checkpoint.document
    assert entry["attempt"] == str(CheckpointEntry.objects.get(checkpoint=2).attempt)
    event = AuditEvent.objects.get(code=AuditCode.CHECKPOINT_EXPORTED)
    assert (event.actor, event.subject_label) == (users.administrator.uuid, "2")


def test_verifying_says_that_it_holds_or_what_differs(users: Users, checkpoint: Checkpoint):
    client, address = logged_in_client(users.administrator), f"{LIST}{checkpoint.pk}/change/"
    page = client.post(address).content.decode()
    assert "This checkpoint is genuine" in page
    assert "1 entry was compared" in page
    overwrite(Response.objects.filter(attempt__learner=users.other_learner), digest=bytes(32))
    page = client.post(address).content.decode()
    assert "This checkpoint is genuine" not in page
    assert "1 place differs" in page
    assert "responses, row 1" in page
    overwrite(Checkpoint.objects.filter(number=1), document={"forged": True})
    page = client.post(address).content.decode()
    assert "checkpoint 2, previous" in page
    assert client.get(LIST).status_code == 200


def test_a_long_list_costs_as_many_statements_as_a_short_one(
    users: Users, checkpoint: Checkpoint, counted: Counted
):
    client = logged_in_client(users.administrator)
    with counted() as few:
        assert client.get(LIST).status_code == 200
    for day in range(2, 12):
        make_checkpoint(now=later(days=day))
    with counted() as many:
        assert client.get(LIST).status_code == 200
    assert len(many) == len(few)


def test_they_are_for_administrators_alone(users: Users, checkpoint: Checkpoint):
    for person in (users.instructor, users.learner):
        client = logged_in_client(person)
        for address in (f"{LIST}{checkpoint.pk}/change/", f"{LIST}{checkpoint.pk}/download/"):
            assert client.get(address).status_code == 404
        assert client.get(LIST).status_code in {403, 404}
        assert LIST not in client.get(reverse("check_receipt")).content.decode()
    page = logged_in_client(users.administrator).get(reverse("check_receipt")).content.decode()
    assert LIST in page
