"""What is worth a look in the questions of a file stands by each of them before it is written."""

import json
from contextlib import suppress
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from quizzes.imports import importer, jobs
from quizzes.imports.item_linter import ItemLinter
from quizzes.imports.models import ImportJob
from tests.factories import NOW
from tests.quizzes.api.import_helpers import report, sent
from tests.quizzes.api.programs import program
from tests.quizzes.imports.import_jobs import create_ready_job
from tests.quizzes.imports.parcels import asked, parcel
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

LISTED = """::river::Which of these rivers is the longest? {=Danube ~Rhine ~None of these}

::twin::Which of these rivers is the longest? {=Danube ~Rhine ~None of these}

::rows::Which of these lakes is the deepest? {=Garda ~Garda ~Como}
"""


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


def read(client: Client, job: ImportJob) -> str:
    answer = client.get(f"/admin/imports/importjob/{job.pk}/change/")
    return " ".join(unescape(answer.content.decode()).split())


def test_what_stops_publishing_is_told_apart_from_warnings_and_hints(into, author, users):
    job = create_ready_job(into, LISTED, "a.gift")
    findings = [[finding["code"] for finding in item["findings"]] for item in job.report["items"]]
    assert findings == [
        ["catch_all_shuffled", "no_feedback"],
        ["duplicate", "catch_all_shuffled", "no_feedback"],
        ["no_feedback"],
    ]
    assert [problem["code"] for problem in job.report["items"][2]["problems"]] == ["equal_rows"]
    text = read(author, job)
    assert text.count("<strong>Cannot be published:</strong> Two rows read “Garda”") == 1
    assert text.count('<span class="note-label">warning:</span>') == 3
    assert "It says the same as “river”; keep one of the two." in text
    assert text.count("<summary> 1 hint </summary>") == 3
    users.instructor.language = "es"
    users.instructor.save()
    spanish = read(author, job)
    assert spanish.count("<strong>No se puede publicar:</strong> Dos filas") == 1
    assert spanish.count('<span class="note-label">aviso:</span>') == 3
    assert spanish.count("<summary> 1 sugerencia </summary>") == 3


def test_the_report_of_what_was_written_has_the_findings_of_the_plan(into, author):
    job = create_ready_job(into, LISTED, "a.gift")
    before = [item["findings"] for item in job.report["items"]]
    jobs.confirm_selection(job=job, selected=[1, 2], by=None)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert [item["findings"] for item in job.report["items"]] == before
    text = read(author, job)
    assert "Cannot be published: Two rows read “Garda”" in text
    assert "<small>It says the same as “river”; keep one of the two.</small>" in text


def test_programs_read_the_findings_in_either_language(into, users):
    author = program(users.instructor, "authoring")
    job = sent(author, into, LISTED, "a.gift")
    english, spanish = (
        report(author, job, lang=language)["items"][1]["findings"] for language in ("en", "es")
    )
    assert [(finding["severity"], finding["code"]) for finding in english] == [
        ("warning", "duplicate"),
        ("warning", "catch_all_shuffled"),
        ("hint", "no_feedback"),
    ]
    assert english[0]["message"] == "It says the same as “river”; keep one of the two."
    assert spanish[0]["message"].startswith("Dice lo mismo que «river»")


@pytest.mark.parametrize("more", [["--dry-run"], []], ids=["planned", "written"])
def test_the_command_tells_the_findings(into, tmp_path, more):
    path = tmp_path / "a.gift"
    path.write_text(LISTED)
    texts = []
    for options in (["--dry-run", "--json"], more):
        out = StringIO()
        with suppress(SystemExit):
            call_command("import_bank", str(path), "--bank", into.slug, *options, stdout=out)
        texts.append(out.getvalue())
    findings = json.loads(texts[0])["items"][1]["findings"]
    assert [finding["severity"] for finding in findings] == ["warning", "warning", "hint"]
    assert findings[1]["message"] in texts[1]
    assert f"  warning: {findings[1]['message']}\n" in texts[1]


def test_a_file_too_large_to_look_at_says_how_many_questions_were_not(
    into, author, users, monkeypatch
):
    linters = iter([ItemLinter(seconds_left=1e-9)])
    monkeypatch.setattr(importer, "ItemLinter", lambda: next(linters))
    job = create_ready_job(into, LISTED, "a.gift")
    findings = [item["findings"] for item in job.report["items"]]
    assert findings[0]
    assert findings[1:] == [None, None]
    assert "2 questions were not looked at" in read(author, job)
    users.instructor.language = "es"
    users.instructor.save()
    assert "2 preguntas quedaron sin revisar" in read(author, job)


def test_of_what_the_bank_has_already_nothing_is_said(into):
    importer.run_import(bank=into, parsed_file=parcel(asked("one")), by=None, now=NOW)
    preview = importer.preview_import(bank=into, parsed_file=parcel(asked("one")))
    assert [(item.action, item.findings) for item in preview.items] == [("same", ())]
