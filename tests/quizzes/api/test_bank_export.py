"""Banks as files for programs: bytes that can be sent back, safe names, and what does not fit."""

from dataclasses import replace

import pytest
from django.core.cache import cache

from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats import FORMATS, WRITERS
from quizzes.imports import exporter
from tests.factories import create_bank, create_question
from tests.quizzes.api.import_helpers import commit, sent
from tests.quizzes.api.programs import Program, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture(autouse=True)
def _no_history():
    cache.clear()


@pytest.fixture
def out_of(users) -> Bank:
    bank = create_bank(users, "rivers")
    create_question(bank, "one", kind="single_choice", right="a")
    create_question(bank, "many")
    return bank


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


def test_what_is_exported_is_imported_as_the_same(author, out_of):
    answer = author.get(f"banks/{out_of.uuid}/export")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/yaml")
    assert answer["Content-Disposition"] == 'attachment; filename="rivers.yaml"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in answer["Cache-Control"]
    job = sent(author, out_of, answer.content.decode())
    assert job["action_counts"]["same"] == job["progress"]["total"] == 2


def test_it_goes_into_another_bank_by_another_format_and_keeps_its_key(author, out_of, users):
    to = create_bank(users, "to")
    data = author.get(f"banks/{out_of.uuid}/export", format="moodle-xml", language="es").content
    commit(author, sent(author, to, data.decode(), "a.xml"))
    old = QuestionDocument.from_json(Question.objects.get(bank=out_of, name="one").draft.data)
    new = QuestionDocument.from_json(to.questions.get(kind="single_choice").draft.data)
    options = new.words["es" if "es" in new.words else new.source_language]["options"]
    right = [text for id_, text in options.items() if id_ in str(new.key["right"])]
    texts = old.words["es"]["options"].items()
    assert right == [text for id_, text in texts if id_ in str(old.key["right"])]
    assert len(right) == 1


@pytest.mark.parametrize("format_", list(WRITERS))
def test_every_format_that_is_written_gives_a_file_and_its_losses(author, out_of, format_):
    answer = author.get(f"banks/{out_of.uuid}/export", format=format_)
    body = author.get(f"banks/{out_of.uuid}/export/warnings", format=format_, lang="en").json()
    assert answer["Content-Disposition"] == f'attachment; filename="{body["filename"]}"'
    assert body["filename"].rpartition(".")[2] in FORMATS[format_].extensions
    assert answer["Content-Type"].partition(";")[0] == body["media_type"]
    assert body["media_type"] != exporter.DEFAULT_MEDIA_TYPE
    assert int(answer["Ochenta-Export-Warnings"]) == len(body["warnings"])
    assert body["size"] == len(answer.content)


def test_losses_name_the_question_and_say_why_in_either_language(author, out_of):
    path = f"banks/{out_of.uuid}/export/warnings"
    english = author.get(path, format="aiken", lang="en").json()["warnings"]
    spanish = author.get(path, format="aiken", lang="es").json()["warnings"]
    assert ("many", "kind_not_held") in {
        (warning["question"], warning["code"]) for warning in english
    }
    assert [warning["code"] for warning in english] == [warning["code"] for warning in spanish]
    assert {warning["message"] for warning in english}.isdisjoint(
        warning["message"] for warning in spanish
    )


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ({"format": "transcript"}, "format"),
        ({"format": ""}, "format"),
        ({"language": "eo"}, "language"),
        ({"as": "zip"}, "as"),
    ],
)
def test_what_cannot_be_written_is_refused_with_its_place(author, out_of, query, where):
    for path in ("export", "export/warnings"):
        answer = author.get(f"banks/{out_of.uuid}/{path}", **query)
        assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, where)


@pytest.mark.parametrize(
    ("slug", "data", "name"),
    [
        ('a"; filename="x.exe', b"<quiz/>", "a-filename-x-exe.zip"),
        ("../../etc", b"PK\3\4", "etc.zip"),
        ("ríos\r\nSet-Cookie: a", b"<quiz/>", "r-os-Set-Cookie-a.zip"),
        ("¿?", b"<quiz/>", "bank.zip"),
    ],
)
def test_a_name_is_made_of_plain_letters(slug, data, name):
    packed = data.startswith(b"PK")
    filename, media_type = exporter.name_export(bank=Bank(slug=slug), format_="qti-3", data=data)
    assert filename == (name if packed else name.replace(".zip", ".xml"))
    assert media_type == ("application/zip" if packed else "application/xml")


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_a_bank_of_others_is_none(users, out_of, who):
    for path in ("export", "export/warnings"):
        answer = program(getattr(users, who)).get(f"banks/{out_of.uuid}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_only_the_scope_for_authoring_exports(users, out_of):
    answer = program(users.instructor, "read", "results").get(f"banks/{out_of.uuid}/export")
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


@pytest.mark.parametrize("many", [1, 20])
def test_an_export_costs_the_same_however_many_questions(author, users, many, counted):
    into = create_bank(users)
    for n in range(many):
        create_question(into, f"q{n}")
    author.get("me")
    for path in ("export", "export/warnings"):
        with counted() as queries:
            author.get(f"banks/{into.uuid}/{path}", format="gift")
        assert len(queries) <= 6, path


def test_drafts_are_exported_as_they_are(author, out_of):
    question = Question.objects.get(name="one")
    item = QuestionDocument.from_json(question.draft.data)
    words = {**item.words, "en": {**item.words["en"], "prompt": "Written since?"}}
    services.save_draft(question=question, item=replace(item, words=words), revision=None, by=None)
    data = author.get(f"banks/{out_of.uuid}/export", format="gift", language="en").content
    assert b"Written since?" in data
