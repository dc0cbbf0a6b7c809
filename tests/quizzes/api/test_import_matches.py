"""The language matches of an import over REST: seen side by side, answered, committed."""

import json

import pytest

from config.wsgi import application
from quizzes.api.openapi import schema
from quizzes.bank.models import Question
from quizzes.document import QuestionDocument
from quizzes.imports.models import ImportJob
from tests.query_counts import statements
from tests.quizzes.api.client import ApiClient
from tests.quizzes.api.import_helpers import commit, report, sent
from tests.quizzes.api.programs import program, token
from tests.quizzes.instructor.imports.test_admin import page
from tests.quizzes.instructor.imports.test_match_view import ENGLISH, SPANISH
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store", "kept_connection")]


@pytest.fixture
def author(users, into):
    author = program(users.instructor, "authoring")
    assert commit(author, sent(author, into, ENGLISH, "english.gift", language="en")).json()
    return author


def send_spanish(author, into):
    return sent(author, into, SPANISH, "spanish.gift", language="es")


def answer(author, job, *answers, **headers):
    sent_answers = [
        {"item": number, "question": question, "same": same} for number, question, same in answers
    ]
    return author.post(f"imports/{job['id']}/matches", {"answers": sent_answers}, **headers)


def matches(author, job, **query):
    response = author.get(f"imports/{job['id']}/matches", **query)
    assert response.status_code == 200, response.content
    return response.json()


def test_answers_to_matches_may_name_the_language_of_the_words(author, into):
    job = send_spanish(author, into)
    body = {"answers": [{"item": 0, "question": "volcano", "same": True}]}
    path = f"imports/{job['id']}/matches"
    assert author.post(f"{path}?lang=fr", body).status_code == 422
    answered = author.post(f"{path}?lang=es", body)
    assert answered.status_code == 202, answered.content


def test_a_program_sees_both_questions_and_answers_each(users, author, into):
    job = send_spanish(author, into)
    listed = matches(author, job, lang="es")
    assert [(match["item"], match["question"]) for match in listed["items"]] == [
        (0, "volcano"),
        (1, "gas"),
        (2, "gpu"),
    ]
    first = listed["items"][0]
    assert first["question_id"] == str(Question.objects.get(name="volcano").uuid)
    assert first["answer"] == "open"
    assert 0 < first["percent"] <= 100
    assert first["reasons"][0]["message"]
    assert (first["item_text"]["language"], first["existing_text"]["language"]) == ("es", "en")
    assert "¿Qué volcán" in first["item_text"]["prompt_html"]
    assert "Which volcano" in first["existing_text"]["prompt_html"]
    pairs = {
        (pair["item"]["html"], pair["existing"]["html"], pair["item"]["correct"])
        for pair in first["options"]
    }
    assert ("Krakatoa", "Krakatoa", True) in pairs
    answered = answer(author, job, (0, "volcano", True), (1, "gas", False))
    assert answered.status_code == 202, answered.content
    assert answered.json()["state"] == "ready"
    assert answered.json()["action_counts"]["translation"] == 1
    by_answer = {
        kind: [match["item"] for match in matches(author, job, answer=kind)["items"]]
        for kind in ("same", "different", "open", "confirmed")
    }
    assert by_answer == {"same": [0], "different": [1], "open": [2], "confirmed": []}
    items = {item["number"]: item for item in report(author, job)["items"]}
    assert (items[0]["action"], items[1]["action"]) == ("translation", "new")
    done = commit(author, job, items=[0, 1]).json()
    assert done["state"] == "done"
    volcano = Question.objects.get(name="volcano").draft.data
    assert set(QuestionDocument.from_json(volcano).languages) == {"en", "es"}
    assert Question.objects.filter(name__in=("gases", "gas")).count() == 2


def test_all_that_are_sure_are_accepted_at_once_but_what_was_rejected(author, into):
    job = send_spanish(author, into)
    assert answer(author, job, (0, "volcano", False)).status_code == 202
    sure = author.post(f"imports/{job['id']}/matches", {"accept_sure": True})
    assert sure.status_code == 202, sure.content
    by_number = {match["item"]: match for match in matches(author, job)["items"]}
    assert by_number[0]["answer"] == "different"
    # Another key than the bank's is at stake in item 1: a person looks at it.
    assert (by_number[1]["key_change"], by_number[1]["answer"]) == ("differs", "open")
    assert (by_number[2]["percent"] >= 90, by_number[2]["answer"]) == (True, "same")
    assert sure.json()["action_counts"]["translation"] == 1


def test_a_program_answers_or_accepts_what_is_sure_and_not_both(author, into):
    job = send_spanish(author, into)
    both = {"answers": [{"item": 0, "question": "volcano", "same": True}], "accept_sure": True}
    for body in ({}, both, {"accept_sure": False}):
        refused = author.post(f"imports/{job['id']}/matches", body)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid")


def test_a_confirmed_match_is_shown_again_on_the_page_and_to_programs(users, author, into):
    job = send_spanish(author, into)
    answer(author, job, (0, "volcano", True))
    commit(author, job, items=[0])
    again = ImportJob.objects.get(uuid=send_spanish(author, into)["id"])
    text = logged_in_client(users.instructor).get(page(again)).content.decode()
    assert "Which volcano erupted" in text
    assert "The same question as volcano, as was said before" in text


def test_an_answer_is_taken_back(author, into):
    job = send_spanish(author, into)
    answer(author, job, (0, "volcano", True))
    answer(author, job, (0, "volcano", None))
    assert [match["item"] for match in matches(author, job, answer="open")["items"]] == [0, 1, 2]
    assert ImportJob.objects.get(uuid=job["id"]).report["action_counts"]["translation"] == 0


def test_what_was_confirmed_before_is_told_and_not_asked_again(author, into):
    job = send_spanish(author, into)
    answer(author, job, (0, "volcano", True))
    commit(author, job, items=[0])
    again = send_spanish(author, into)
    (confirmed,) = matches(author, again, answer="confirmed")["items"]
    assert (confirmed["item"], confirmed["question"]) == (0, "volcano")
    refused = answer(author, again, (0, "volcano", False))
    assert (refused.status_code, refused.json()["code"]) == (409, "match_gone")


def test_pages_go_on_after_the_cursor_and_read_no_more_than_they_show(author, into):
    job = send_spanish(author, into)
    first = matches(author, job, limit=2)
    assert [match["item"] for match in first["items"]] == [0, 1]
    rest = matches(author, job, limit=2, cursor=first["cursor"])
    assert ([match["item"] for match in rest["items"]], rest["next"]) == ([2], None)
    with statements() as executed:
        matches(author, job)
    assert len(executed) <= 4


@pytest.mark.parametrize(
    ("answers", "status", "code"),
    [
        ([(0, "gas", True)], 409, "match_gone"),
        ([(99, "volcano", True)], 409, "match_gone"),
        ([(0, "volcano", True), (1, "volcano", True)], 409, "match_gone"),
        ([(0, "volcano", True), (0, "volcano", False)], 422, "invalid"),
        ([], 422, "invalid"),
        ([(-1, "volcano", True)], 422, "invalid"),
        ([(0, "volcano", "perhaps")], 422, "invalid"),
    ],
)
def test_answers_that_fit_nothing_are_refused_as_a_whole(author, into, answers, status, code):
    job = send_spanish(author, into)
    refused = answer(author, job, *answers)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    stored = ImportJob.objects.get(uuid=job["id"])
    assert (stored.state, stored.match_answers) == ("ready", None)


def test_who_may_not_change_the_bank_neither_sees_nor_answers(users, author, into):
    job = send_spanish(author, into)
    for other in (program(users.learner), program(users.stranger)):
        assert other.get(f"imports/{job['id']}/matches").status_code == 404
        assert answer(other, job, (0, "volcano", True)).status_code == 404
    reader = program(users.instructor, "read")
    assert answer(reader, job, (0, "volcano", True)).json()["code"] == "scope_missing"


def test_an_import_that_waits_for_nothing_has_no_matches_to_answer(author, into):
    job = send_spanish(author, into)
    commit(author, job)
    for refused in (
        author.get(f"imports/{job['id']}/matches"),
        answer(author, job, (0, "volcano", True)),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "import_is_not_waiting")


def test_a_program_that_knows_the_schema_alone_answers_what_is_sure(users, author, into):
    client = ApiClient(json.loads(schema()), application, token(users.instructor, "authoring"))
    job = client.createImport(
        {"bank": str(into.uuid), "language": "es", "file": ("a.gift", SPANISH.encode())}
    )
    listed = client.listImportMatches(job=job["id"])["items"]
    answers = [
        {"item": match["item"], "question": match["question"], "same": True} for match in listed
    ]
    client.getImport(job=job["id"])
    etag = client.headers["ETag"]
    planned = client.answerImportMatches(
        {"answers": answers}, **{"job": job["id"], "If-Match": etag}
    )
    assert planned["action_counts"]["translation"] == 3
