"""A site whose machines share a bucket and no disk: what one saves the others read."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.db import connection
from django.urls import reverse

from quizzes.bank import blob_store, uploads
from quizzes.bank.models import Bank, Media, Question
from quizzes.imports import import_reading, importer, job_files, jobs, tasks
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.models import ImportJob, State
from quizzes.lib import clock
from quizzes.lib.file_store.contract import FileStoreUnavailable
from quizzes.privacy import data_requests
from quizzes.privacy.export_files import export_name
from quizzes.privacy.models import DataRequest
from quizzes.privacy.person_erasure import erase_person
from quizzes.privacy.tasks import handle_data_requests
from quizzes.web.views import personal_data
from tests import media_files
from tests.attempt_helpers import start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.media_files import media_markdown, upload
from tests.object_store import connect
from tests.quizzes.api.import_helpers import send
from tests.quizzes.api.programs import Program, program
from tests.quizzes.formats.test_ochenta import GOOD
from tests.quizzes.imports.import_jobs import create_unread_job
from tests.quizzes.imports.parcels import asked, parcel
from tests.quizzes.results.test_media_access import with_texts
from tests.users import logged_in_client
from tools.object_store import BUCKET

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.usefixtures("bucket"),
]


@pytest.fixture
def other_machine(settings, tmp_path):
    """Go on as a machine with an empty folder of its own."""

    def become() -> None:
        settings.MEDIA_ROOT = tmp_path / f"machine-{len(list(tmp_path.iterdir()))}"

    return become


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def author(users) -> Program:
    cache.clear()
    return program(users.instructor, "authoring")


def read(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def keys(object_server, prefix: str = "site/") -> list[str]:
    rows = connect(object_server).list_objects_v2(Bucket=BUCKET, Prefix=prefix)
    return [row["Key"] for row in rows.get("Contents", ())]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_learner_sees_a_picture_that_another_machine_took(users, into, other_machine, store):
    media = upload(into, media_files.wav())
    assert files_in(store) == []
    question = with_texts(create_question(into, "many"), prompt=media_markdown(media, "A cat"))
    start(create_quiz(users, [question]), users.learner, clock.now())
    other_machine()
    client, address = logged_in_client(users.learner), f"/media/{media.uuid}.wav"
    response = client.get(address)
    assert (response.status_code, read(response)) == (200, media_files.wav())
    assert response["ETag"] == f'"{media.sha256}"'
    part = client.get(address, headers={"Range": "bytes=4-7"})
    assert (part.status_code, read(part)) == (206, media_files.wav()[4:8])
    head = client.head(address)
    assert (head.status_code, head["Content-Length"]) == (200, str(media.size))
    assert client.get(address, headers={"If-None-Match": response["ETag"]}).status_code == 304
    assert client.get(address, headers={"Range": "bytes=99999-"}).status_code == 416


def test_who_may_not_see_a_picture_is_told_nothing_of_the_bucket(users, into):
    media = upload(into, media_files.png())
    response = logged_in_client(users.outsider).get(f"/media/{media.uuid}.png")
    assert response.status_code == 404
    assert BUCKET not in str(response.headers) + response.text


def test_an_import_is_read_and_written_by_other_machines(into, other_machine, object_server):
    job = create_unread_job(into)
    other_machine()
    import_reading.read_and_plan(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.total) == (State.READY, 1)
    other_machine()
    assert len(import_reading.load_plan(job).entries) == 1
    jobs.confirm_selection(job=job, selected=None, by=None)
    other_machine()
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.DONE
    assert Question.objects.get().current is not None
    assert keys(object_server) == []


@pytest.mark.django_db(transaction=True)
def test_an_import_sends_its_pictures_outside_of_its_transaction(into, bucket, monkeypatch):
    real, sent = bucket.client.put_object, dict[str, bool]()

    def watch(**words: object) -> object:
        sent[str(words["Key"])] = connection.in_atomic_block
        return real(**words)

    monkeypatch.setattr(bucket.client, "put_object", watch)
    pictures = parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": media_files.png()})
    importer.run_import(bank=into, parsed_file=pictures, by=None, now=NOW)
    (media,) = Media.objects.all()
    assert sent == {f"site/{blob_store.build_name(media.sha256)}": False}
    assert blob_store.read_blob(media.sha256) == media_files.png()


def test_who_asks_an_import_to_stop_is_heard_on_another_machine(into, other_machine, monkeypatch):
    job = create_unread_job(into)
    import_reading.read_and_plan(pk=job.pk, now=NOW)
    jobs.confirm_selection(job=job, selected=None, by=None)

    def stop(*, on_progress, **_: object) -> None:
        other_machine()
        assert job_files.read_progress(job.uuid).done == 0
        jobs.cancel(job=job, by=None, now=NOW)
        on_progress(1)

    monkeypatch.setattr(importer, "run_import", stop)
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.READY


def test_what_was_left_of_an_import_is_swept(into, object_server):
    job = create_unread_job(into)
    ImportJob.objects.filter(pk=job.pk).delete()
    jobs.sweep(now=clock.now())
    assert keys(object_server) == [f"site/imports/{job.uuid}.file"]
    jobs.sweep(now=clock.now() + jobs.RUN_TIMEOUT * 2)
    assert keys(object_server) == []


def test_a_copy_is_made_by_a_worker_and_downloaded_from_the_web(
    users, a_quiz, monkeypatch, other_machine, object_server
):
    take_quiz(a_quiz, users.learner, {0: "ab"})
    monkeypatch.setattr(personal_data, "IMMEDIATELY", 0)
    client = logged_in_client(users.learner)
    client.post(reverse("ask_for_copy"))
    other_machine()
    assert handle_data_requests() == 1
    other_machine()
    (export,) = DataRequest.objects.all()
    response = client.get(reverse("download_copy", args=[export.uuid]))
    assert "data.json" in ZipFile(BytesIO(response.getvalue())).namelist()
    week = data_requests.EXPORT_LIFETIME
    assert data_requests.purge_exports(now=clock.now() + week + timedelta(minutes=1)) == 1
    assert keys(object_server) == []


def test_a_file_that_nothing_names_is_swept_from_the_bucket(into, object_server):
    uploads.delete_media(media=upload(into, media_files.png()), by=None)
    remaining = upload(into, media_files.gif())
    assert uploads.sweep(now=clock.now()) == 0
    assert uploads.sweep(now=clock.now() + timedelta(days=2)) == 1
    assert keys(object_server) == [f"site/{blob_store.build_name(remaining.sha256)}"]


def test_an_upload_that_is_tried_again_finds_its_file(into, bucket, monkeypatch, object_server):
    real, calls = bucket.client.put_object, list[str]()

    def lose_the_answer(**words: object) -> object:
        answer = real(**words)
        calls.append(str(words["Key"]))
        if len(calls) == 1:
            raise FileStoreUnavailable("ReadTimeoutError")
        return answer

    monkeypatch.setattr(bucket.client, "put_object", lose_the_answer)
    with pytest.raises(FileStoreUnavailable):
        upload(into, media_files.png())
    assert not Media.objects.exists()
    media = upload(into, media_files.png())
    assert keys(object_server) == [f"site/{blob_store.build_name(media.sha256)}"]
    assert calls[0] == calls[1]


def test_without_the_store_an_upload_is_refused_and_nothing_is_half_written(
    author, into, users, object_server
):
    object_server.stop()
    answer = send(author, into)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["code"] == "unavailable"
    assert not ImportJob.objects.exists()
    with pytest.raises(FileStoreUnavailable):
        upload(into, media_files.png())
    assert not Media.objects.exists()
    object_server.start()
    assert keys(object_server) == []


def test_without_the_store_a_picture_is_a_503_and_the_page_is_there(users, into, object_server):
    media = upload(into, media_files.png())
    question = with_texts(create_question(into, "many"), prompt=media_markdown(media, "A cat"))
    attempt = start(create_quiz(users, [question]), users.learner, clock.now())
    object_server.stop()
    client = logged_in_client(users.learner)
    client.raise_request_exception = False
    response = client.get(f"/media/{media.uuid}.png")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert client.get(reverse("attempt", args=[attempt.uuid])).status_code == 200
    api = program(users.learner, "read").get(f"media/{media.uuid}")
    assert (api.status_code, api.json()["code"]) == (503, "unavailable")


def test_an_import_waits_for_the_store_and_costs_no_try(into, object_server, bucket):
    job = create_unread_job(into)
    object_server.stop()
    with pytest.raises(FileStoreUnavailable):
        import_reading.read_and_plan(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.tries) == (State.READING, 0)
    object_server.start()
    bucket._away_until = 0.0
    import_reading.sweep(now=NOW + import_reading.PICKUP_TIMEOUT * 2)
    job.refresh_from_db()
    assert job.state == State.READY
    jobs.confirm_selection(job=job, selected=None, by=None)
    object_server.stop()
    with pytest.raises(FileStoreUnavailable):
        jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.tries) == (State.QUEUED, 0)
    object_server.start()
    bucket._away_until = 0.0
    jobs.run(pk=job.pk, now=NOW)
    job.refresh_from_db()
    assert job.state == State.DONE


def test_an_import_that_is_being_written_needs_no_store_for_its_progress(object_server, into):
    job = create_unread_job(into)
    object_server.stop()
    job_files.write_progress(job.uuid, ImportProgress(ImportStep.WRITING, 1, 2))
    assert not job_files.is_cancelled(job.uuid)


@pytest.mark.django_db(transaction=True)
def test_a_copy_outlives_an_erasure_without_the_store_by_its_week_alone(
    users, a_quiz, object_server, caplog, bucket
):
    take_quiz(a_quiz, users.learner, {0: "ab"})
    export = data_requests.request_export(person=users.learner, now=clock.now())
    assert data_requests.handle(pk=export.pk, now=clock.now())
    object_server.stop()
    erase_person(person=users.learner, by=None, now=clock.now())
    assert "are deleted later" in caplog.text
    object_server.start()
    bucket._away_until = 0.0
    assert keys(object_server) == [f"site/{export_name(export.uuid)}"]
    data_requests.purge_exports(now=clock.now() + data_requests.EXPORT_LIFETIME * 2)
    assert keys(object_server) == []


def test_a_large_upload_is_measured_where_it_lies(into, settings):
    job = create_unread_job(into)
    assert job_files.measure_upload(job.uuid) == len(GOOD.encode())
    settings.IMPORT_PROCESS_BYTES = len(GOOD.encode())
    assert tasks.is_large(job.pk)
