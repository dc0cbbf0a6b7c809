"""Files sent by programs: kept, read, refused with the place, and seen by those who may author."""

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from quizzes.api import imports
from quizzes.bank.models import Bank, Question
from quizzes.imports import import_reading, importer, job_files, jobs, tasks
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.models import ImportJob, State
from quizzes.imports.parse import MAX_UPLOAD_BYTES
from quizzes.imports.sandbox import reading_process
from quizzes.lib import clock
from quizzes.lib.upload_handlers import FORM_OVERHEAD
from tests.quizzes.api.import_helpers import GIFT, gift, send, sent
from tests.quizzes.api.programs import ROOT, Program, program, token
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import EVIDENCE, refuse_as_ambiguous
from tests.quizzes.imports.sandbox.servers import all_turns_taken
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]
BROKEN = GOOD.replace("source: own\n", "")


@pytest.fixture(autouse=True)
def _no_history():
    cache.clear()


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


def test_a_small_file_is_ready_at_once_and_nothing_is_written(author, into, users):
    answer = send(author, into)
    job = answer.json()
    assert (answer.status_code, answer["Location"]) == (202, f"{ROOT}imports/{job['id']}")
    assert (job["state"], job["format"], job["filename"]) == (
        "ready",
        "ochenta-bank/1",
        "rivers.yaml",
    )
    assert job["bank"] == {"id": str(into.uuid), "slug": "bank"}
    assert job["by"] == {"id": str(users.instructor.uuid), "name": "Instructor"}
    assert job["progress"] == {"step": "", "done": 0, "total": 1}
    assert (job["action_counts"]["new"], job["status_counts"]["imported"], job["published"]) == (
        1,
        1,
        1,
    )
    assert (job["code"], job["errors"], job["finished_at"]) == ("", [], None)
    assert author.get(f"imports/{job['id']}").json() == job
    assert not Question.objects.exists()


def test_a_file_that_takes_long_is_reading_and_then_ready(author, into, monkeypatch):
    progress: list[int] = []
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda _, pk: progress.append(pk))
    job = sent(author, into)
    assert (job["state"], job["action_counts"], job["status_counts"], job["bank_fingerprint"]) == (
        "reading",
        None,
        None,
        "",
    )
    import_reading.read_and_plan(pk=progress[0], now=clock.now())
    assert author.get(f"imports/{job['id']}").json()["state"] == "ready"


def test_progress_counts_what_is_read_and_then_what_is_planned(author, into, monkeypatch):
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda *_: None)
    job, stages = sent(author, into), []

    def look():
        stages.append(author.get(f"imports/{job['id']}").json()["progress"])

    real_read, real_plan = import_reading.load_file, importer.preview_import

    def read(import_job):
        job_files.write_progress(import_job.uuid, ImportProgress(ImportStep.READING, 125, 0))
        look()
        return real_read(import_job)

    def plan(**options):
        look()
        return real_plan(**options)

    monkeypatch.setattr(import_reading, "load_file", read)
    monkeypatch.setattr(importer, "preview_import", plan)
    look()
    import_reading.read_and_plan(pk=ImportJob.objects.get().pk, now=clock.now())
    look()
    assert stages == [
        {"step": "reading", "done": 0, "total": 0},
        {"step": "reading", "done": 125, "total": 0},
        {"step": "planning", "done": 0, "total": 1},
        {"step": "", "done": 0, "total": 1},
    ]


def test_a_file_whose_reader_was_killed_is_found_by_the_sweep(author, into, monkeypatch):
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda *_: None)
    job = sent(author, into)
    ImportJob.objects.update(tries=1)
    jobs.sweep(now=clock.now() + import_reading.READ_TIMEOUT * 2)
    assert author.get(f"imports/{job['id']}").json()["state"] == "ready"


def test_a_file_that_cannot_be_read_has_failed_and_names_the_lines(author, into):
    job = sent(author, into, BROKEN)
    assert (job["state"], job["code"], job["action_counts"]) == (
        "failed",
        "file_has_errors",
        None,
    )
    assert job["finished_at"]
    (trouble,) = job["errors"]
    assert (trouble["line"], trouble["code"]) == (1, "missing_field")
    assert "source" in trouble["message"]


@pytest.mark.parametrize(
    ("change", "where", "code"),
    [
        ({"file": SimpleUploadedFile("a.yaml", b"plain words")}, "file", "format_unknown"),
        ({"file": SimpleUploadedFile("a.yaml", b"")}, "file", "empty"),
        ({"file": "no file"}, "file", "invalid"),
        ({"file": None}, "file", "required"),
        ({"bank": None}, "bank", "required"),
        ({"bank": "bank"}, "bank", "invalid"),
        ({"format": "word"}, "format", "invalid_choice"),
        ({"language": "eo"}, "language", "invalid_choice"),
        ({"owner": "me"}, "owner", "unknown_field"),
        ({"format": ["gift", "gift"]}, "format", "repeated"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(author, into, change, where, code):
    body = {"file": SimpleUploadedFile("a.yaml", GOOD.encode()), "bank": str(into.uuid), **change}
    answer = author.client.post(f"{ROOT}imports", {k: v for k, v in body.items() if v is not None})
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert (where, code) in {(error["where"], error["code"]) for error in answer.json()["errors"]}
    assert not ImportJob.objects.exists()


def test_nothing_sent_is_a_file_that_is_missing(author):
    answer = author.client.post(f"{ROOT}imports")
    assert {error["where"] for error in answer.json()["errors"]} == {"file", "bank"}
    assert author.client.post(f"{ROOT}imports", b"", content_type="").status_code == 422


def test_only_forms_are_read(author, into):
    assert author.post("imports", {"bank": str(into.uuid)}).status_code == 415


def test_a_format_and_a_language_may_be_said(author, into):
    job = sent(author, into, GIFT, "river.txt", format="gift", language="es")
    assert (job["format"], job["language"], job["progress"]["total"]) == ("gift", "es", 1)


def test_a_body_that_is_too_large_is_not_even_read(author, into, monkeypatch):
    body_of_a_file = imports.ImportsView.max_bytes
    monkeypatch.setattr(imports.ImportsView, "max_bytes", 500)
    answer = send(author, into, "x" * 500)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert body_of_a_file <= MAX_UPLOAD_BYTES + FORM_OVERHEAD


def test_a_file_that_is_too_large_is_refused_whatever_else_is_sent(author, into, monkeypatch):
    monkeypatch.setattr(imports, "MAX_UPLOAD_BYTES", 10)
    answer = send(author, into)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert not ImportJob.objects.exists()


def test_while_too_many_files_are_read_a_program_is_told_when_to_come_back(author, into):
    with all_turns_taken():
        answer = send(author, into)
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert int(answer["Retry-After"]) > 0
    assert not ImportJob.objects.exists()
    assert send(author, into).status_code == 202


def test_other_addresses_take_no_files_and_no_large_bodies(author):
    big = SimpleUploadedFile("a", b"x" * 2_000_000)
    assert author.client.post(f"{ROOT}attempts", {"file": big}).status_code in {403, 413}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("../../etc/passwd.yaml", "passwd.yaml"),
        ("C:\\fakepath\\a.yaml", "a.yaml"),
        ("a\u202etxt.yaml", "atxt.yaml"),
        ('<img src=x>".yaml', '<img src=x>".yaml'),
        ("ñ" * 300 + ".yaml", ""),
    ],
)
def test_the_name_of_a_file_is_a_label_and_no_path(author, into, name, label, settings):
    job = sent(author, into, name=name)
    assert job["filename"] == label or (not label and len(job["filename"]) <= 200)
    (stored,) = (settings.MEDIA_ROOT / "imports").glob("*.file")
    assert stored.name == f"{job['id']}.file"


def test_the_same_key_gives_the_first_answer_and_no_second_import(author, into):
    key = {"Idempotency-Key": "one"}
    first, again = (send(author, into, **key) for _ in range(2))
    assert again.content == first.content
    assert (again["Idempotent-Replayed"], again["Location"]) == ("true", first["Location"])
    other = send(author, into, GOOD.replace("Where?", "Then?"), **key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    renamed = send(author, into, name="other.yaml", **key)
    assert renamed.json()["code"] == "idempotency_key_reused"
    assert ImportJob.objects.count() == 1


def test_a_file_of_several_formats_is_kept_until_a_program_says_which(author, into, monkeypatch):
    monkeypatch.setattr(reading_process, "detect_and_read", refuse_as_ambiguous)
    answers = [send(author, into, **{"Idempotency-Key": "one"}) for _ in range(2)]
    problem = answers[0].json()
    assert [answer.status_code for answer in answers] == [409, 409]
    assert answers[1].json() == problem
    assert (problem["code"], problem["formats"]) == (
        "format_ambiguous",
        ["gift", "ochenta-bank/1"],
    )
    assert problem["evidence"] == [*EVIDENCE]
    path = f"imports/{problem['import']}"
    assert answers[0]["Location"] == f"{ROOT}{path}"
    job = author.get(path).json()
    assert (job["state"], job["format"], job["formats"]) == ("ambiguous", "", problem["formats"])
    assert job["evidence"] == problem["evidence"]
    assert author.post(f"{path}/commit", {}).json()["code"] == "import_not_read"
    assert author.post(f"{path}/format", {"format": "word"}).status_code == 422
    for _ in range(2):
        answer = author.post(f"{path}/format", {"format": "ochenta-bank/1"})
        assert (answer.status_code, answer.json()["state"]) == (202, "ready")
    assert author.post(f"{path}/format", {"format": "gift"}).json()["code"] == "format_is_chosen"
    assert ImportJob.objects.count() == 1


def test_two_columns_are_asked_about_over_rest(author, into):
    answer = send(author, into, "river\trío\nhouse\tcasa\nsun\tsol\n", name="words.tsv")
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "format_ambiguous")
    assert [
        (each["format"], each["kinds"], each["read_items"]) for each in problem["evidence"]
    ] == [
        ("anki-tsv", ["flashcard"], 3),
        ("csv", ["short_text"], 3),
    ]
    path = f"imports/{problem['import']}"
    assert author.get(path).json()["evidence"] == problem["evidence"]
    chosen = author.post(f"{path}/format", {"format": "csv"}).json()
    assert (chosen["state"], chosen["status_counts"]["imported"]) == ("ready", 3)


def test_sending_is_limited_and_the_limit_announced(author, into, monkeypatch):
    monkeypatch.setattr(imports.ImportsView, "max_per_hour", 2)
    answers = [send(author, into) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert author.get("imports").status_code == 200


def test_a_browser_sends_with_its_csrf_token_alone(users, into):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.instructor)
    file = SimpleUploadedFile("a.yaml", GOOD.encode())
    refused = strict.post(f"{ROOT}imports", {"file": file, "bank": str(into.uuid)})
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    assert not ImportJob.objects.exists()
    strict.cookies["csrftoken"] = "a" * 32
    file.seek(0)
    sent_by_it = strict.post(
        f"{ROOT}imports",
        {"file": file, "bank": str(into.uuid)},
        headers={"X-CSRFToken": "a" * 32},
    )
    assert sent_by_it.status_code == 202


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_a_bank_of_others_is_none(users, into, who):
    answer = send(program(getattr(users, who)), into)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not ImportJob.objects.exists()


def test_a_shared_bank_is_changed_by_administrators_alone(users, into):
    Bank.objects.update(group=None)
    assert send(program(users.instructor), into).status_code == 404
    assert send(program(users.administrator), into).status_code == 202


def test_a_token_without_the_scope_sends_nothing(users, into):
    answer = send(program(users.instructor, "read", "attempt", "results"), into)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert send(Program(), into).status_code == 401
    assert send(Program(token(users.instructor, days=-1)), into).status_code == 401


def test_the_list_has_what_was_sent_for_ones_own_banks(author, into, users):
    first, failed = sent(author, into), sent(author, into, BROKEN)
    logged_in_client(users.instructor).post(
        "/admin/imports/importjob/add/",
        {"bank": into.pk, "file": SimpleUploadedFile("of-admin.yaml", GOOD.encode())},
    )
    listed = author.get("imports").json()["items"]
    assert [job["filename"] for job in listed] == ["rivers.yaml", "rivers.yaml", "of-admin.yaml"]
    assert {name: first[name] for name in listed[0]} == listed[0]
    assert listed[2]["action_counts"] == listed[0]["action_counts"]
    assert program(users.outsider).get("imports").json()["items"] == []
    ready = author.get("imports", state="ready", bank=str(into.uuid)).json()["items"]
    assert failed["id"] not in {job["id"] for job in ready}
    assert len(ready) == 2
    assert author.get("imports", bank=str(users.group.uuid)).json()["items"] == []
    assert author.get("imports", state="queued").status_code == 422


def test_the_list_comes_in_pages(author, into):
    job_ids = [sent(author, into)["id"] for _ in range(3)]
    first = author.get("imports", limit=2).json()
    rest = author.client.get(first["next"]).json()
    assert [job["id"] for job in first["items"] + rest["items"]] == job_ids
    assert rest["next"] is None


@pytest.mark.parametrize("many", [1, 6])
def test_lists_and_single_imports_cost_the_same_however_many(author, into, many, counted):
    job = [sent(author, into, gift(3), "a.gift") for _ in range(many)][-1]
    with counted() as queries:
        assert len(author.get("imports").json()["items"]) == many
    assert len(queries) <= 3
    with counted() as queries:
        assert author.get(f"imports/{job['id']}").status_code == 200
    assert len(queries) <= 2
    ImportJob.objects.update(state=State.FAILED)
    with counted() as queries:
        assert author.get(f"imports/{job['id']}").status_code == 200
    assert len(queries) <= 3
