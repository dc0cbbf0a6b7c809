"""Every format comes in by every entry: the upload page, the API, the commands; nothing raises."""

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from quizzes.bank.models import Bank
from quizzes.formats import FORMATS
from quizzes.formats.parsing import failures
from quizzes.imports.models import ImportJob, State
from quizzes.presentation.messages.imports import FILE_ERRORS
from tests.quizzes.api.programs import ROOT, Program, token
from tests.quizzes.formats.test_detection import BOTH
from tests.quizzes.imports.example_files import Example, corpus_examples, own_examples
from tests.quizzes.imports.sandbox.servers import changed_server
from tests.users import Users, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

OWN = own_examples()
CORPUS = corpus_examples()[::5]
"""A fifth of them: `test_corpora` opens all, without the pages."""
ADMIN = "/admin/imports/importjob/"
ADD = f"{ADMIN}add/"
REFUSED_WHOLE = {"qti12/instructure+qti/spec/fixtures/items_1.2/ordering.xml"}
"""It declares things inside its document type, as bombs do."""


@pytest.fixture
def author(users: Users) -> Client:
    return logged_in_client(users.instructor)


def basename(example: Example) -> str:
    return example.name.rpartition("/")[2]


def upload(author: Client, into: Bank, example: Example):
    file = SimpleUploadedFile(basename(example), example.data)
    return author.post(ADD, {"bank": into.pk, "file": file, "format": example.format})


def program(user: User) -> Program:
    return Program(token(user))


def send(client: Program, into: Bank, example: Example):
    file = SimpleUploadedFile(basename(example), example.data)
    body = {"file": file, "bank": into.uuid, "format": example.format}
    return client.client.post(
        f"{ROOT}imports", {name: field for name, field in body.items() if field}
    )


def import_by_command(path, into: Bank, format_: str) -> int:
    """Run the import without writing; return its exit status."""
    more = ["--format", format_] if format_ else []
    try:
        arguments = ["--bank", into.slug, "--dry-run", "--json", *more]
        call_command("import_bank", str(path), *arguments, stdout=StringIO())
    except SystemExit as end:
        return int(end.code or 0)
    except CommandError as error:
        return error.returncode
    return 0


def lint_by_command(path, format_: str) -> int:
    more = ["--format", format_] if format_ else []
    try:
        call_command("lint_bank", "--file", str(path), "--json", *more, stdout=StringIO())
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_there_is_an_example_of_every_format():
    assert {example.format for example in OWN} == FORMATS.keys()


@pytest.mark.parametrize("example", OWN, ids=str)
def test_every_example_comes_in_by_the_upload_page_and_is_shown(author, into, example):
    answer = upload(author, into, example)
    assert answer.status_code == 302, answer.context["errors"]
    assert author.get(answer["Location"]).status_code == 200
    job = ImportJob.objects.get()
    assert (job.format, job.state) == (example.format, State.READY)


@pytest.mark.parametrize("example", CORPUS, ids=str)
def test_every_file_of_other_people_comes_in_by_the_upload_page_and_is_shown(author, into, example):
    answer = upload(author, into, example)
    assert answer.status_code in {302, 422}
    if answer.status_code == 422:
        assert answer.context["errors"] == ["This is no file of a format that is known here."]
        return
    assert author.get(answer["Location"]).status_code == 200
    state = State.FAILED if example.name in REFUSED_WHOLE else State.READY
    assert ImportJob.objects.get().state == state


@pytest.mark.parametrize("example", OWN, ids=str)
def test_every_example_comes_in_over_the_api_with_its_plan(users, into, example):
    client = program(users.instructor)
    answer = send(client, into, example)
    assert answer.status_code == 202, answer.content
    job = answer.json()
    assert (job["state"], job["code"]) == ("ready", "")
    assert client.get(f"imports/{job['id']}/report").status_code == 200


@pytest.mark.parametrize("example", OWN, ids=str)
def test_every_example_comes_in_by_the_commands(into, tmp_path, example):
    path = tmp_path / basename(example)
    path.write_bytes(example.data)
    assert import_by_command(path, into, example.format) in {0, 1}
    assert lint_by_command(path, example.format) in {0, 1}


NEARER = "from quizzes.formats import detection\ndetection.NEAR = 0\n"
"""Has every format that reads a part of a text asked about."""


def test_a_file_of_two_formats_is_asked_about_on_the_page_and_over_the_api(users, author, into):
    example = Example("x", BOTH.encode(), "")
    with changed_server(NEARER):
        uploaded = upload(author, into, example)
        by_program = send(program(users.instructor), into, example)
    job, other_job = ImportJob.objects.order_by("pk")
    formats = [each["format"] for each in job.format_evidence]
    assert {"letter_key", "gift"} <= set(formats)
    readings = {each["format"]: (each["read_items"], each["items"]) for each in job.format_evidence}
    assert readings["gift"] != readings["letter_key"]
    answer = author.get(uploaded["Location"])
    names = [value for value, _ in answer.context["form"].fields["format"].choices]
    assert names == formats
    chosen = author.post(f"{ADMIN}{job.pk}/format/", {"format": "gift"})
    assert author.get(chosen["Location"]).context["items"]
    problem = by_program.json()
    assert (by_program.status_code, problem["code"]) == (409, "format_ambiguous")
    assert (problem["formats"], problem["import"]) == (names, str(other_job.uuid))
    assert problem["evidence"] == job.format_evidence
    answer = program(users.instructor).post(
        f"imports/{other_job.uuid}/format", {"format": "letter_key"}
    )
    assert (answer.status_code, answer.json()["state"]) == (202, "ready")
    assert set(ImportJob.objects.values_list("format", "state")) == {
        ("gift", State.READY),
        ("letter_key", State.READY),
    }


WORDS = "the words of somebody's file"


@pytest.fixture(scope="module")
def _failing():
    """Let every reader and every hook of every format raise, from here to the end of the module."""
    code = (
        "from quizzes.formats import FORMATS, LINES\n"
        f"def fail(*_, **__): raise KeyError({WORDS!r})\n"
        "for format_ in FORMATS.values(): format_.read = fail\n"
        "LINES.update(dict.fromkeys(LINES, fail))\n"
    )
    with changed_server(code):
        yield


ONE_OF_EACH = list({example.format: example for example in OWN}.values())


@pytest.mark.failing_readers
@pytest.mark.usefixtures("_failing")
@pytest.mark.parametrize("example", ONE_OF_EACH, ids=str)
def test_a_reader_that_raises_refuses_the_file_on_the_page_and_over_the_api(
    users, author, into, caplog, example
):
    answer = upload(author, into, example)
    errors = author.get(answer["Location"]).context["errors"]
    assert [(error["line"], error["message"]) for error in errors] == [
        (1, str(FILE_ERRORS["reader_failed"]))
    ]
    sent = send(program(users.instructor), into, example)
    assert sent.status_code == 202
    job = sent.json()
    assert (job["state"], job["code"]) == ("failed", "file_has_errors")
    assert [trouble["code"] for trouble in job["errors"]] == ["reader_failed"]
    assert set(ImportJob.objects.values_list("state", flat=True)) == {State.FAILED}
    assert_logged(caplog, example)


@pytest.mark.failing_readers
@pytest.mark.usefixtures("_failing")
@pytest.mark.parametrize("example", ONE_OF_EACH, ids=str)
def test_a_reader_that_raises_refuses_the_file_in_the_commands(into, tmp_path, caplog, example):
    path = tmp_path / basename(example)
    path.write_bytes(example.data)
    assert import_by_command(path, into, example.format) == 2
    with pytest.raises(CommandError) as caught:
        lint_by_command(path, example.format)
    assert caught.value.returncode == 2
    assert_logged(caplog, example)


def assert_logged(caplog, example: Example) -> None:
    """Hold that both failures were logged with their format, and not with the file's words."""
    messages = [
        record.getMessage() for record in caplog.records if record.name == failures.log.name
    ]
    assert len(messages) == 2
    assert all(f"of format {example.format}: KeyError\n  File" in message for message in messages)
    assert WORDS not in json.dumps(messages)
