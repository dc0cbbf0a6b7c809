"""A store in a bucket: one request a file, away and back, two who want the same file."""

import socket
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from django.db import connection, transaction

from quizzes.lib import steady_clock
from quizzes.lib.file_store import get_file_store, s3
from quizzes.lib.file_store.contract import FileStoreUnavailable, create_draft
from tests.object_store import connect
from tools.object_store import BUCKET

pytestmark = [pytest.mark.django_db, pytest.mark.allow_hosts(["127.0.0.1"])]

LATER = datetime.now(UTC) + timedelta(days=365)


def test_files_lie_below_the_prefix_and_nothing_on_this_machine(bucket, store, object_server):
    bucket.save_bytes("imports/a.file", b"hello")
    rows = connect(object_server).list_objects_v2(Bucket=BUCKET)["Contents"]
    assert [row["Key"] for row in rows] == ["site/imports/a.file"]
    assert [path for path in store.rglob("*") if path.is_file()] == []


def test_others_files_in_the_bucket_are_not_ours(bucket, object_server):
    connect(object_server).put_object(Bucket=BUCKET, Key="imports/a.file", Body=b"x")
    assert list(bucket.list_files()) == []
    assert not bucket.exists("imports/a.file")


def test_a_large_file_is_one_request_with_its_digest(bucket, object_server):
    bucket.save_bytes("imports/a.file", b"x" * 20_000_000)
    client = connect(object_server)
    head = client.head_object(Bucket=BUCKET, Key="site/imports/a.file")
    assert "-" not in head["ETag"]  # of several parts it would say how many
    assert "Uploads" not in client.list_multipart_uploads(Bucket=BUCKET)


def test_more_files_than_a_list_has_rows_are_listed(bucket, monkeypatch):
    client = bucket.client
    paginator = client.get_paginator("list_objects_v2")
    monkeypatch.setattr(client, "get_paginator", lambda _name: paginator)
    real = paginator.paginate
    monkeypatch.setattr(
        paginator, "paginate", lambda **words: real(**words, PaginationConfig={"PageSize": 2})
    )
    for number in range(5):
        bucket.save_bytes(f"imports/{number}.file", b"x")
    assert len(list(bucket.list_files("imports/"))) == 5


def test_a_store_that_is_away_is_told_at_once_and_found_again(bucket, object_server, monkeypatch):
    bucket.save_bytes("imports/a.file", b"hello")
    object_server.stop()
    asks = [
        lambda: bucket.read("imports/a.file"),
        lambda: bucket.open("imports/a.file"),
        lambda: bucket.exists("imports/a.file"),
        lambda: bucket.delete("imports/a.file"),
        lambda: bucket.save_bytes("imports/b.file", b"x"),
        lambda: list(bucket.list_files()),
    ]
    for ask in asks:
        with pytest.raises(FileStoreUnavailable):
            ask()
    object_server.start()
    with pytest.raises(FileStoreUnavailable, match="NoAnswer"):  # nobody waits for it again
        bucket.read("imports/a.file")
    now = steady_clock.seconds()
    monkeypatch.setattr(steady_clock, "seconds", lambda: now + s3.PAUSE)
    assert bucket.read("imports/a.file") == b"hello"
    assert not bucket.exists("imports/b.file")


def test_a_store_that_is_frozen_is_waited_for_by_one_thread_at_a_time(
    bucket, settings, monkeypatch
):
    monkeypatch.setattr(s3, "ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as frozen:  # it accepts, and answers nothing
        address = f"http://127.0.0.1:{frozen.getsockname()[1]}"
        settings.S3_STORE = {**settings.S3_STORE, "endpoint_url": address}
        files = get_file_store()
        assert isinstance(files, s3.S3FileStore)
        with pytest.raises(FileStoreUnavailable, match="ReadTimeoutError"):
            files.read("imports/a.file")
        with pytest.raises(FileStoreUnavailable, match="NoAnswer"):
            files.read("imports/a.file")
        now = steady_clock.seconds()
        monkeypatch.setattr(steady_clock, "seconds", lambda: now + s3.PAUSE)
        others: list[str] = []
        real = files.client.get_object

        def ask_elsewhere(**words: object) -> object:
            try:
                files.exists("imports/a.file")
            except FileStoreUnavailable as error:
                others.append(str(error))
            return real(**words)

        monkeypatch.setattr(files.client, "get_object", ask_elsewhere)
        with pytest.raises(FileStoreUnavailable, match="ReadTimeoutError"):
            files.read("imports/a.file")
        assert others == ["NoAnswer"]


def test_a_store_that_goes_away_while_a_file_is_read_ends_the_reading(bucket, object_server):
    bucket.save_bytes("imports/a.file", b"x" * 2_000_000)
    with bucket.open("imports/a.file") as file:
        assert file.read(10) == b"x" * 10
        file.seek(1_000_000)
        object_server.stop()
        with pytest.raises(FileStoreUnavailable):
            file.read()


def test_a_file_that_is_replaced_while_it_is_read_is_not_mixed(bucket):
    bucket.save_bytes("imports/a.index", b"a" * 1_000_000)
    with bucket.open("imports/a.index") as file:
        assert file.read(10) == b"a" * 10
        bucket.save_bytes("imports/a.index", b"b" * 1_000_000)
        file.seek(900_000)
        with pytest.raises(FileStoreUnavailable):
            file.read()


def test_what_a_sweep_takes_while_it_is_added_anew_is_added_again(bucket, monkeypatch):
    real, swept = bucket.exists, list[str]()

    def sweep_before(name: str) -> bool:
        if not swept:
            swept.append(name)
            bucket.delete(name)
        return bool(real(name))

    monkeypatch.setattr(bucket, "exists", sweep_before)
    with create_draft() as draft:
        draft.write(b"hello")
        bucket.add("2c/2cf2", draft)
    assert swept == ["2c/2cf2"]
    assert bucket.read("2c/2cf2") == b"hello"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_sweep_takes_what_is_added_until_its_row_is_there(bucket):
    swept: list[bool] = []

    def sweep() -> None:
        try:
            swept.append(bucket.delete_stale("2c/2cf2", before=LATER, is_needed=lambda: False))
        finally:
            connection.close()

    def sweep_elsewhere() -> None:
        thread = Thread(target=sweep)
        thread.start()
        thread.join()

    with transaction.atomic(), create_draft() as draft:
        draft.write(b"hello")
        bucket.add("2c/2cf2", draft)
        sweep_elsewhere()
    sweep_elsewhere()
    assert swept == [False, True]
