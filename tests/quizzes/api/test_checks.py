"""The checks of a bank for programs: what is found, narrowed, in pages, in two languages."""

from dataclasses import replace

import pytest

from quizzes.bank import services
from quizzes.bank.models import Bank, Draft, Question, QuestionVersion
from quizzes.bank.waivers import waive
from quizzes.document import QuestionDocument
from tests.factories import create_bank, create_question
from tests.quizzes.api.programs import Program, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


@pytest.fixture
def spoiled(users) -> Bank:
    into = create_bank(users)
    create_question(into, "pays", right="abc")
    silent = create_question(into, "silent")
    item = replace(item_of(silent), feedback={})
    services.save_draft(question=silent, item=item, revision=None, by=None)
    return into


def item_of(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def told(client: Program, of: Bank, **query: object):
    return client.get(f"banks/{of.uuid}/checks", **query).json()


def codes(client: Program, of: Bank, **query: object) -> list[str]:
    return [finding["code"] for finding in told(client, of, **query)["items"]]


def test_each_finding_has_its_place_its_figures_and_a_sentence(author, spoiled):
    body = told(author, spoiled)
    first, second = body["items"]
    assert (body["questions"], body["next"]) == (2, None)
    assert body["counts"] == {"error": 0, "warning": 1, "hint": 1}
    assert body["select_all"] == {"numerator": 1, "denominator": 3, "questions": 2}
    assert body["random_guess"]["questions"] == 2
    assert first == {
        "code": "select_all_pays",
        "severity": "warning",
        "topic": "scoring",
        "question": str(Question.objects.get(name="pays").uuid),
        "name": "pays",
        "language": "",
        "part": "scoring_method",
        "row": "",
        "message_params": {"credit": "2/3"},
        "message": first["message"],
        "about": "",
        "digest": QuestionVersion.objects.get(question__name="pays").digest,
        "waiver": None,
    }
    assert first["message"].startswith("Ticking everything earns 67%")
    assert (second["code"], second["name"]) == ("no_feedback", "silent")


def test_findings_are_narrowed_and_come_in_pages(author, spoiled):
    assert codes(author, spoiled, severity="hint") == ["no_feedback"]
    assert codes(author, spoiled, topic="scoring") == ["select_all_pays"]
    assert codes(author, spoiled, code="no_feedback", severity="warning") == []
    first = told(author, spoiled, limit=1)
    rest = author.client.get(first["next"]).json()
    listed = [finding["code"] for finding in first["items"] + rest["items"]]
    assert listed == ["select_all_pays", "no_feedback"]
    assert rest["next"] is None
    assert author.get(f"banks/{spoiled.uuid}/checks", severity="awful").status_code == 422


def test_what_is_meant_so_is_listed_apart_with_person_and_time(author, spoiled, users):
    pays = Question.objects.get(name="pays")
    digest = item_of(pays).digest()
    waive(question=pays, code="select_all_pays", digest=digest, by=users.instructor)
    assert codes(author, spoiled) == ["no_feedback"]
    (finding,) = told(author, spoiled, waived="true")["items"]
    assert finding["code"] == "select_all_pays"
    assert finding["waiver"]["by"] == str(users.instructor)
    assert finding["waiver"]["at"].endswith("Z")


def test_an_empty_bank_has_no_figures(author, users):
    body = told(author, create_bank(users))
    assert (body["items"], body["select_all"], body["random_guess"]) == ([], None, None)


@pytest.mark.parametrize("many", [1, 9])
def test_it_costs_the_same_however_many_questions_there_are(author, users, many, counted):
    into = create_bank(users)
    for n in range(many):
        create_question(into, f"q{n}", right="abc")
    codes(author, into)
    with counted() as queries:
        assert len(codes(author, into)) == (1 if many == 1 else many)
    assert len(queries) <= 7
