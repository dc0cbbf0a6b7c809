"""The gradebook as a file over REST: cell for cell what the page exports."""

from io import BytesIO

import pytest
from django.db import OperationalError
from django.urls import reverse
from openpyxl import load_workbook

from accounts.models import Membership, Role
from quizzes.audit.models import AuditEvent
from quizzes.lib import read_replica
from quizzes.presentation import gradebook_files, gradebook_tables
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def quizzes(users):
    """Two quizzes, of which the learners took the first."""
    bank = create_bank(users)
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(2)]
    first, second = (create_quiz(users, questions, slug=slug) for slug in ("first", "second"))
    take_quiz(first, users.learner, {0: "a", 1: "b"})
    take_quiz(first, users.learner, {0: "a", 1: "a"})
    return first, second


@pytest.fixture
def address(users):
    return f"classes/{users.group.uuid}/gradebook/export"


def read(response) -> bytes:
    assert response.status_code == 200
    data: bytes = response.getvalue()
    return data


def test_an_export_whose_replica_fails_half_way_is_read_again_and_recorded_once(
    users, quizzes, address, monkeypatch
):
    tried, build = [], gradebook_tables.build_attempt_table

    def build_table(*arguments):
        tried.append(read_replica._is_active.get())
        if tried[-1]:
            raise OperationalError("the replica is gone")
        return build(*arguments)

    monkeypatch.setattr(read_replica, "is_fit", lambda: True)
    monkeypatch.setattr(read_replica, "_give_up", lambda: None)
    monkeypatch.setattr(gradebook_files, "build_attempt_table", build_table)
    form = {"quiz": "", "rows": "attempts", "format": "csv"}
    page = reverse("admin:accounts_group_gradebook_export", args=[users.group.pk])
    read(logged_in_client(users.instructor).get(page, form))
    read(program(users.instructor, "results").get(address, rows="attempts"))
    assert tried == [True, False, True, False]
    assert AuditEvent.objects.filter(code="results_exported").count() == 2


@pytest.mark.parametrize("rows", ["grades", "attempts", "items"])
@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_file_has_the_cells_of_that_of_the_page(
    users, quizzes, address, rows, file_format, language
):
    users.instructor.time_zone, users.instructor.language = "America/Bogota", language
    users.instructor.save()
    form = {"quiz": "", "rows": rows, "format": file_format}
    page = reverse("admin:accounts_group_gradebook_export", args=[users.group.pk])
    expected = read(logged_in_client(users.instructor).get(page, form))
    response = program(users.instructor, "results").get(address, rows=rows, format=file_format)
    assert response["Content-Disposition"].endswith(f'.{file_format}"')
    assert "no-store" in response["Cache-Control"]
    exported = read(response)
    if file_format == "csv":
        assert exported == expected
        assert exported.count(b"\n") >= 2
    else:
        assert _cells(exported) == _cells(expected)


def _cells(data: bytes):
    (sheet,) = load_workbook(BytesIO(data)).worksheets
    return list(sheet.iter_rows(values_only=True))


def test_of_one_quiz_and_no_other(users, quizzes, address):
    client = program(users.instructor)
    text = read(client.get(address, quiz=str(quizzes[1].uuid))).decode()
    assert "(second)" not in text.splitlines()[0]
    assert len(text.splitlines()[0]) < len(read(client.get(address)).decode().splitlines()[0])
    assert client.get(address, quiz=str(users.group.uuid)).status_code == 404
    assert client.get(address, rows="people").status_code == 422


def test_more_columns_than_a_workbook_has_are_refused(users, quizzes, address, monkeypatch):
    monkeypatch.setattr(gradebook_files, "MAX_WORKBOOK_COLUMNS", 5)
    refused = program(users.instructor).get(address, format="xlsx")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_columns")


def test_each_export_is_recorded_and_answers_as_keys(users, quizzes, address):
    read(program(users.instructor).get(address, rows="items"))
    codes = AuditEvent.objects.filter(actor=users.instructor.uuid).values_list("code", flat=True)
    assert {"results_exported", "keys_viewed"} <= set(codes)


def test_assistants_export_what_they_oversee_and_others_nothing(users, quizzes, address):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    read(program(assistant).get(address))
    for person in (users.learner, users.outsider, users.stranger):
        assert program(person).get(address).status_code == 404


def test_it_costs_the_same_queries_for_more_learners(users, quizzes, address, counted):
    client = program(users.instructor)
    read(client.get(address, rows="attempts"))
    with counted() as few:
        read(client.get(address, rows="attempts"))
    take_quiz(quizzes[0], users.other_learner, {0: "a"})
    with counted() as many:
        read(client.get(address, rows="attempts"))
    assert len(few) == len(many)
