"""Imports in the admin: a file is sent, shown beside its lines, chosen from, brought in."""

from html import unescape
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from quizzes.bank.models import Bank, Question
from quizzes.exchange import jobs, tasks
from quizzes.exchange.models import ImportJob, State
from tests.content import NOW, bank
from tests.people import Cast, signed_in
from tests.quizzes.exchange.formats.test_ochenta import GOOD

pytestmark = pytest.mark.django_db

SEEDS = Path(site.ROOT).parent / "shared" / "seeds"
ADD = "/admin/exchange/importjob/add/"


@pytest.fixture(autouse=True)
def _store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def into(cast: Cast) -> Bank:
    return bank(cast)


@pytest.fixture
def author(cast: Cast) -> Client:
    return signed_in(cast.instructor)


def send(client: Client, into: Bank, data: str = GOOD, name: str = "rivers.yaml", **more: str):
    file = SimpleUploadedFile(name, data.encode())
    return client.post(ADD, {"bank": into.pk, "file": file, **more})


def read(response) -> str:
    return unescape(response.content.decode())


def page(job: ImportJob, name: str = "change") -> str:
    return f"/admin/exchange/importjob/{job.pk}/{name}/"


def commit(client: Client, job: ImportJob, *numbers: int):
    shown = client.get(page(job))
    return client.post(
        page(job, "commit"), {"item": numbers, "digest": shown.context["digest"]}, follow=True
    )


def test_a_file_is_sent_shown_chosen_and_reported(author, into, cast):
    assert "Import a file" in read(author.get(ADD))
    response = send(author, into)
    job = ImportJob.objects.get()
    assert (response.status_code, response["Location"]) == (302, page(job))
    assert job.by == cast.instructor
    told = read(author.get(page(job)))
    for words in ("1 item in the file:", "1 new", "- name: danube", "Where?", "¿Dónde?", "checked"):
        assert words in told
    assert not Question.objects.exists()
    done = read(commit(author, job, 0))
    assert Question.objects.get().current is not None
    for words in ("1 question was chosen.", "danube", "published", "done"):
        assert words in done


def test_what_is_not_ticked_is_not_brought_in(author, into):
    send(author, into)
    commit(author, ImportJob.objects.get())
    assert not Question.objects.exists()


def test_a_changed_file_shows_what_differs_from_the_bank(author, into):
    send(author, into)
    commit(author, ImportJob.objects.get(), 0)
    send(author, into, GOOD.replace("Where?", "And now?"))
    told = read(author.get(page(ImportJob.objects.latest("pk"))))
    assert "1 changed" in told
    assert "<del>Where?</del>" in told
    assert "<ins>And now?</ins>" in told


def test_a_bank_that_changed_between_preview_and_import_is_shown_once_more(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    response = author.post(page(job, "commit"), {"item": [0], "digest": "another"})
    assert response.status_code == 409
    assert "look once more" in read(response)
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        ("plain words", "a.yaml", "no file of a format that is known"),
        (GOOD.replace("source: own\n", ""), "a.yaml", "line 1: the field 'source' is missing"),
        ("", "a.yaml", "empty"),
    ],
)
def test_a_refused_file_says_what_and_where_and_writes_nothing(author, into, data, name, said):
    response = send(author, into, data, name)
    assert response.status_code == 422
    assert said in read(response)
    assert not ImportJob.objects.exists()


def test_the_page_speaks_spanish(author, into, cast):
    cast.instructor.language = "es"
    cast.instructor.save()
    assert "Importar un archivo" in read(author.get(ADD))
    send(author, into)
    assert "1 elemento en el archivo:" in read(author.get(page(ImportJob.objects.get())))


def test_only_those_who_may_change_the_bank_send_see_choose_or_cancel(author, into, cast):
    send(author, into)
    job = ImportJob.objects.get()
    for person in (cast.outsider, cast.learner, cast.stranger):
        client = signed_in(person)
        assert client.get(page(job)).status_code == 404
        for name in ("commit", "cancel"):
            assert client.post(page(job, name), {"item": 0}).status_code == 404
        assert send(client, into).status_code in {403, 404, 422}
    assert Client().get(page(job)).status_code == 302
    assert signed_in(cast.administrator).get(page(job)).status_code == 200
    job.refresh_from_db()
    assert (job.state, ImportJob.objects.count()) == (State.UPLOADED, 1)


def test_an_import_is_cancelled_and_then_over(author, into):
    send(author, into)
    job = ImportJob.objects.get()
    told = read(author.post(page(job, "cancel"), follow=True))
    assert "cancelled" in told
    author.post(page(job, "commit"), {"item": 0})
    assert not Question.objects.exists()


def test_a_large_file_is_left_to_the_queue(author, into, monkeypatch):
    monkeypatch.setattr(jobs, "SMALL", 0)
    sent: list[int] = []
    monkeypatch.setattr(tasks, "soon", lambda task, pk: sent.append(pk))
    send(author, into)
    job = ImportJob.objects.get()
    told = read(commit(author, job, 0))
    assert sent == [job.pk]
    assert "0 of 1 items" in told
    jobs.run(pk=job.pk, now=NOW)
    assert "published" in read(author.get(page(job)))


def test_a_file_sent_from_elsewhere_is_refused(cast, into):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.instructor)
    assert send(client, into).status_code == 403
    assert not ImportJob.objects.exists()


def test_the_list_shows_the_imports_of_ones_own_banks(author, into, cast):
    send(author, into)
    assert "rivers.yaml" in read(author.get("/admin/exchange/importjob/"))
    assert "rivers.yaml" not in read(signed_in(cast.outsider).get("/admin/exchange/importjob/"))


def test_the_page_of_a_bank_leads_to_the_upload_with_the_bank_chosen(author, into):
    told = read(author.get(f"/admin/bank/bank/{into.pk}/change/"))
    assert f'href="{ADD}?bank={into.pk}"' in told
    assert f'value="{into.pk}" selected' in read(author.get(f"{ADD}?bank={into.pk}"))


def test_the_page_of_somebody_elses_bank_leads_nowhere(into, cast):
    Bank.objects.update(group=None)  # shared: everybody who teaches may read it
    told = read(signed_in(cast.outsider).get(f"/admin/bank/bank/{into.pk}/change/"))
    assert ADD not in told


def test_the_documents_of_origin_go_through_the_same_page(author, into):
    """Those beside the project, where they are; what they count is told in the formats' tests."""
    sources = [("own.yaml", GOOD.encode())]
    sources += [(one.name, one.read_bytes()) for one in sorted(SEEDS.glob("*.txt"))]
    for name, data in sources:
        send(author, into, data.decode(), name)
        job = ImportJob.objects.latest("pk")
        assert job.filename == name
        shown = author.get(page(job))
        assert sum(n for _, n in shown.context["counts"]) == job.total
        ticked = [one.planned.number for one in shown.context["items"] if one.chosen]
        done = commit(author, job, *ticked)
        assert "kept as a draft" in read(done) or "published" in read(done)
        send(author, into, data.decode(), name)
        again = author.get(page(ImportJob.objects.latest("pk")))
        assert again.context["chosen"] == 0, name
