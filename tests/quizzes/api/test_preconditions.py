"""ETag, If-Match and If-None-Match: nobody overwrites what another has changed meanwhile."""

from functools import partial
from queue import Queue
from threading import Thread
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections, transaction

from quizzes.attempts.models import Attempt, Response
from quizzes.imports import selection
from quizzes.imports.models import ImportJob
from quizzes.lib import clock
from quizzes.results import services as results
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.query_counts import statements
from tests.quizzes.api.import_helpers import gift, report, sent
from tests.quizzes.api.programs import ROOT, program
from tests.quizzes.api.programs import sent as written
from tests.threads import at_once


@pytest.fixture
def question(users):
    return create_question(create_bank(users), "q0")


@pytest.fixture
def learner(users, question):
    return program(users.learner)


@pytest.fixture
def attempt(users, question, learner):
    return learner.start(create_quiz(users, [question]))


@pytest.fixture
def job(users, store):
    into = create_bank(users, "into")
    return sent(program(users.instructor), into, gift(3), "a.gift")


def path(attempt) -> str:
    return f"attempts/{attempt['id']}"


def read_etag(reader, address, **query) -> str:
    response = reader.get(address, **query)
    assert response.status_code == 200
    return str(response["ETag"])


def save(learner, attempt, question, letter, **headers):
    body = {"responses": [written(0, option_ids(question, letter))]}
    return learner.post(f"{path(attempt)}/responses", body, **headers)


def check_refused(response) -> None:
    assert response.status_code == 412
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "precondition_failed"


@pytest.mark.django_db
def test_an_answer_over_a_state_that_changed_is_refused_and_not_kept(learner, attempt, question):
    etag = read_etag(learner, path(attempt))
    assert etag.startswith('"')
    assert save(learner, attempt, question, "a", **{"If-Match": etag}).status_code == 200
    check_refused(save(learner, attempt, question, "b", **{"If-Match": etag}))
    assert Response.objects.count() == 1
    newer = read_etag(learner, path(attempt))
    assert newer != etag
    either = {"If-Match": f"{etag}, {newer}"}
    assert save(learner, attempt, question, "b", **either).status_code == 200


@pytest.mark.django_db
def test_a_submit_over_an_answer_that_one_has_not_seen_is_refused(learner, attempt, question):
    etag = read_etag(learner, path(attempt))
    save(learner, attempt, question, "a")
    check_refused(learner.post(f"{path(attempt)}/submit", None, **{"If-Match": etag}))
    assert Attempt.objects.get().state == "open"
    newer = read_etag(learner, path(attempt))
    done = learner.post(f"{path(attempt)}/submit", None, **{"If-Match": newer})
    assert done.status_code == 200
    assert Attempt.objects.get().state == "graded"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("if_match", "status"),
    [("*", 200), (None, 200), ('"x"', 412), ("x", 412), ("", 412), ("W/{}", 412), ("{}", 200)],
)
def test_what_if_match_may_say(learner, attempt, question, if_match, status):
    etag = read_etag(learner, path(attempt))
    headers = {} if if_match is None else {"If-Match": if_match.format(etag)}
    assert save(learner, attempt, question, "a", **headers).status_code == status


@pytest.mark.django_db
def test_the_version_is_that_of_every_language_and_the_etag_of_one(learner, attempt, question):
    english, spanish = (read_etag(learner, path(attempt), lang=lang) for lang in ("en", "es"))
    assert english != spanish
    assert save(learner, attempt, question, "a", **{"If-Match": spanish}).status_code == 200


@pytest.mark.django_db
def test_a_repeated_write_gets_its_first_answer_whatever_if_match_says(learner, attempt, question):
    headers = {"If-Match": read_etag(learner, path(attempt)), "Idempotency-Key": "once"}
    body = {"responses": [written(0, option_ids(question, "a"))]}
    first, again = (learner.post(f"{path(attempt)}/responses", body, **headers) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert again["Idempotent-Replayed"] == "true"


@pytest.mark.django_db
@pytest.mark.parametrize("attempt_or_import", ["attempt", "import"])
def test_what_one_has_is_not_sent_again(users, request, attempt_or_import, question):
    if attempt_or_import == "attempt":
        address = path(request.getfixturevalue("attempt"))
        reader = program(users.learner)
    else:
        address = f"imports/{request.getfixturevalue('job')['id']}"
        reader = program(users.instructor)
    etag = read_etag(reader, address)
    for header in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        response = reader.client.get(ROOT + address, headers={"If-None-Match": header})
        assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)
    response = reader.client.get(ROOT + address, headers={"If-None-Match": '"x"'})
    assert (response.status_code, response["ETag"]) == (200, etag)
    head = reader.client.head(ROOT + address)
    assert (head.status_code, head["ETag"]) == (200, etag)


@pytest.mark.django_db
def test_an_import_that_a_person_ticked_meanwhile_is_not_committed(users, job):
    author, address = program(users.instructor), f"imports/{job['id']}"
    etag = read_etag(author, address)
    selection.select_items(job=ImportJob.objects.get(), on_page={0, 1, 2}, ticked={1}, by=None)
    for step in ("commit", "cancel", "matches"):
        body = {"answers": [{"item": 0, "question": "x", "same": True}]}
        sent_body = body if step == "matches" else {} if step == "commit" else None
        check_refused(author.post(f"{address}/{step}", sent_body, **{"If-Match": etag}))
    assert ImportJob.objects.get().state == "ready"
    etag = read_etag(author, address)
    assert author.post(f"{address}/commit", {}, **{"If-Match": etag}).status_code == 202
    assert report(author, job)["committed"] is True


@pytest.mark.django_db
def test_where_nothing_has_an_etag_none_matches(users, learner, question):
    quiz = create_quiz(users, [question], slug="other")
    body = {"quiz": str(quiz.uuid)}
    check_refused(learner.post("attempts", body, **{"If-Match": '"x"'}))
    assert not Attempt.objects.exists()
    assert learner.post("attempts", body, **{"If-Match": "*"}).status_code == 201


@pytest.mark.django_db
def test_strangers_learn_nothing_by_etags(users, attempt, question):
    response = save(program(users.other_learner), attempt, question, "a", **{"If-Match": '"x"'})
    assert response.status_code == 404


@pytest.mark.django_db
def test_reading_etags_costs_no_query_and_comparing_them_three(learner, attempt, question):
    with statements() as plain:
        save(learner, attempt, question, "a")
    with statements() as reading:
        etag = read_etag(learner, path(attempt))
    with statements() as compared:
        assert save(learner, attempt, question, "b", **{"If-Match": etag}).status_code == 200
    assert len(reading) <= 2
    assert len(compared) == len(plain) + 3  # two that compare, one for the next ETag


@pytest.mark.django_db
def test_a_problem_document_is_in_the_language_of_the_request(learner, attempt, question):
    body = {"responses": [written(0, option_ids(question, "a"))]}
    response = learner.post(f"{path(attempt)}/responses?lang=es", body, **{"If-Match": '"x"'})
    assert response.json()["title"] == "Se cambió entretanto"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_over_one_version_one_writes(learner, attempt, question):
    etag = read_etag(learner, path(attempt))
    calls = [
        partial(save, learner, attempt, question, letter, **{"If-Match": etag})
        for letter in "abcabc"
    ]
    statuses = [getattr(response, "status_code", 0) for response in at_once(calls)]
    assert sorted(statuses) == [200, *[412] * 5]
    assert Response.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_comparison_waits_for_the_lock_of_another_connection(learner, attempt, question):
    etag = read_etag(learner, path(attempt))
    locked: Queue[str] = Queue()
    responses: Queue[object] = Queue()

    def write() -> None:
        try:
            locked.get(timeout=30)
            responses.put(save(learner, attempt, question, "b", **{"If-Match": etag}))
        finally:
            connections.close_all()

    other = Thread(target=write, daemon=True)
    other.start()
    with transaction.atomic():
        row = Attempt.objects.select_for_update().get()
        locked.put("the attempt")
        other.join(1)
        assert other.is_alive()  # it waits, though what it compares is still as it was
        Response.objects.create(
            attempt=row,
            learner_id=row.learner_id,
            sequence=1,
            slot=0,
            revision=1,
            answer=None,
            answer_digest=bytes(32),
            digest=bytes(32),
            idempotency_key=uuid4(),
            received_at=row.started_at,
        )
    other.join(30)
    check_refused(responses.get(timeout=1))
    assert Response.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", [{}, {"Idempotency-Key": "each"}])
def test_an_attempt_is_changed_again_by_the_etag_of_the_last_change(users, question, learner, key):
    """Started, answered twice and submitted, without reading it in between."""
    quiz = create_quiz(users, [question])
    started = learner.post("attempts", {"quiz": str(quiz.uuid)})
    assert (started.status_code, started["ETag"]) == (
        201,
        read_etag(learner, path(started.json())),
    )
    attempt, etag = started.json(), started["ETag"]
    for letter in "ab":
        headers = {name: f"{value}-{letter}" for name, value in key.items()}
        saved = save(learner, attempt, question, letter, **{"If-Match": etag}, **headers)
        assert saved.status_code == 200
        check_refused(save(learner, attempt, question, "c", **{"If-Match": etag}))
        etag = saved["ETag"]
    submitted = learner.post(f"{path(attempt)}/submit", None, **{"If-Match": etag})
    assert submitted.status_code == 200
    again = learner.post(f"{path(attempt)}/submit", None, **{"If-Match": submitted["ETag"]})
    assert (again.status_code, again["ETag"]) == (200, submitted["ETag"])
    check_refused(learner.post(f"{path(attempt)}/submit", None, **{"If-Match": etag}))


@pytest.mark.django_db
def test_an_answer_that_is_given_again_has_the_etag_of_then(learner, attempt, question):
    body = {"responses": [written(0, option_ids(question, "a"))]}
    headers = {"Idempotency-Key": "one", "If-Match": "*"}
    first = learner.post(f"{path(attempt)}/responses", body, **headers)
    assert save(learner, attempt, question, "b").status_code == 200
    again = learner.post(f"{path(attempt)}/responses", body, **headers)
    assert (again["Idempotent-Replayed"], again["ETag"]) == ("true", first["ETag"])
    check_refused(save(learner, attempt, question, "c", **{"If-Match": again["ETag"]}))


@pytest.mark.django_db
def test_what_does_not_count_has_no_etag(learner, attempt, question):
    saved = save(learner, attempt, question, "a")
    stale = {"responses": [written(0, option_ids(question, "b"), base_revision=0)]}
    conflict = learner.post(f"{path(attempt)}/responses", stale, **{"If-Match": "*"})
    assert (saved.status_code, conflict.status_code, "ETag" in conflict) == (200, 409, False)


@pytest.mark.django_db
def test_a_star_in_quotes_is_no_star(learner, attempt, question):
    check_refused(save(learner, attempt, question, "a", **{"If-Match": '"*"'}))


@pytest.mark.django_db
def test_an_import_is_changed_again_by_the_etag_of_the_last_change(users, store):
    author, into = program(users.instructor), create_bank(users, "into")
    form = {"bank": str(into.uuid), "file": SimpleUploadedFile("a.gift", gift(3).encode())}
    created = author.client.post(f"{ROOT}imports", form)
    address = f"imports/{created.json()['id']}"
    assert created["ETag"] == read_etag(author, address)
    committed = author.post(f"{address}/commit", {}, **{"If-Match": created["ETag"]})
    assert committed.status_code == 202
    check_refused(author.post(f"{address}/commit", {}, **{"If-Match": created["ETag"]}))
    again = author.post(f"{address}/commit", {}, **{"If-Match": committed["ETag"]})
    assert (again.status_code, again["ETag"]) == (202, read_etag(author, address))


@pytest.mark.django_db
def test_an_import_is_cancelled_by_the_etag_of_its_beginning(users, store):
    author, into = program(users.instructor), create_bank(users, "into")
    form = {"bank": str(into.uuid), "file": SimpleUploadedFile("a.gift", gift(3).encode())}
    created = author.client.post(f"{ROOT}imports", form)
    address = f"imports/{created.json()['id']}/cancel"
    cancelled = author.post(address, None, **{"If-Match": created["ETag"]})
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert author.post(address, None, **{"If-Match": cancelled["ETag"]}).status_code == 200


def test_a_join_code_that_another_made_anew_is_not_ended(users):
    client, code = program(users.instructor), f"classes/{users.group.uuid}/join-code"
    created = client.post(code, {})
    etag = read_etag(client, code)
    assert created["ETag"] == etag
    assert client.client.get(ROOT + code, headers={"If-None-Match": etag}).status_code == 304
    program(users.administrator).post(code, {})
    check_refused(client.client.delete(ROOT + code, headers={"If-Match": etag}))
    check_refused(client.post(code, {}, **{"If-Match": etag}))
    current = read_etag(client, code)
    assert client.client.delete(ROOT + code, headers={"If-Match": current}).status_code == 204
    check_refused(client.client.delete(ROOT + code, headers={"If-Match": current}))


def test_an_invitation_that_was_sent_again_meanwhile_is_not_withdrawn(users):
    client = program(users.instructor)
    body = {"email": "new@example.org", "class_id": str(users.group.uuid)}
    created = client.post("invitations", body)
    address = f"invitations/{created.json()['id']}"
    etag = read_etag(client, address)
    assert created["ETag"] == etag
    again = client.post(f"{address}/send", **{"If-Match": etag})
    assert again["ETag"] == read_etag(client, address) != etag
    check_refused(client.post(f"{address}/send", **{"If-Match": etag}))
    check_refused(client.client.delete(ROOT + address, headers={"If-Match": etag}))
    current = {"If-Match": again["ETag"]}
    assert client.client.delete(ROOT + address, headers=current).status_code == 204
    assert client.get(address).json()["state"] == "withdrawn"


@pytest.mark.django_db
def test_more_time_that_another_instructor_gave_meanwhile_is_not_taken_back(users):
    author, other = program(users.instructor), program(users.administrator)
    address = f"people/{users.learner.uuid}/accommodation"
    first = read_etag(author, address)
    changed = other.post(address, {"time_percent": 150}, **{"If-Match": first})
    assert changed["ETag"] == read_etag(author, address) != first
    check_refused(author.post(address, {"extra_minutes": 10}, **{"If-Match": first}))
    assert author.get(address).json()["time_percent"] == 150
    assert author.post(address, {}, **{"If-Match": changed["ETag"]}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["classes/{group}/assignments/{quiz}", "quizzes/{quiz}/accommodations/{person}"]
)
def test_a_closing_that_another_instructor_set_meanwhile_is_not_overwritten(users, a_quiz, path):
    author, other = program(users.instructor), program(users.administrator)
    address = path.format(group=users.group.uuid, quiz=a_quiz.uuid, person=users.learner.uuid)
    first = read_etag(author, address)
    changed = other.post(address, {"closes_at": "2031-05-12T18:00:00Z"}, **{"If-Match": first})
    assert changed["ETag"] == read_etag(author, address) != first
    check_refused(author.post(address, {}, **{"If-Match": first}))
    assert author.get(address).json()["closes_at"] == "2031-05-12T18:00:00.000000Z"
    assert author.post(address, {}, **{"If-Match": changed["ETag"]}).status_code == 200


@pytest.mark.django_db
def test_a_choice_of_notifications_over_another_is_refused(users):
    client, address = program(users.learner), "me/notifications"
    first = read_etag(client, address)
    chosen = client.post(address, {"kinds": ["graded"]}, **{"If-Match": first})
    assert chosen["ETag"] == read_etag(client, address) != first
    check_refused(client.post(address, {"kinds": []}, **{"If-Match": first}))
    assert client.get(address).json() == {"kinds": ["graded"]}


@pytest.mark.django_db
def test_what_a_certificate_shows_is_changed_over_what_one_has_seen(users):
    question = create_question(create_bank(users), "one", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], gives_certificates=True)
    passed = take_quiz(quiz, users.learner, {0: "a"}, clock.now())
    client, address = program(users.learner), f"attempts/{passed.uuid}/certificate"
    check_refused(client.post(address, {}, **{"If-Match": '"x"'}))
    created = client.post(address, {"shows_score": True})
    assert (created.status_code, created["ETag"]) == (201, read_etag(client, address))
    changed = client.post(address, {}, **{"If-Match": created["ETag"]})
    check_refused(client.post(address, {"is_public": True}, **{"If-Match": created["ETag"]}))
    check_refused(client.client.delete(ROOT + address, headers={"If-Match": created["ETag"]}))
    current = {"If-Match": changed["ETag"]}
    assert client.client.delete(ROOT + address, headers=current).status_code == 204


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["shows_name", "shows_score"])
def test_what_a_certificate_shows_counts_where_it_does_not_hold(users, part):
    question = create_question(create_bank(users), "one", right="a", kind="single_choice")
    quiz = create_quiz(users, [question], gives_certificates=True)
    passed = take_quiz(quiz, users.learner, {0: "a"}, clock.now())
    client, address = program(users.learner), f"attempts/{passed.uuid}/certificate"
    client.post(address, {})
    results.void(attempt=passed.uuid, by=users.instructor, reason="Copied.", now=clock.now())
    etag = read_etag(client, address)
    changed = client.post(address, {part: True}, **{"If-Match": etag})
    assert (changed.status_code, changed.json()["document"]) == (200, None)
    check_refused(client.post(address, {}, **{"If-Match": etag}))
    assert client.post(address, {}, **{"If-Match": changed["ETag"]}).status_code == 200
