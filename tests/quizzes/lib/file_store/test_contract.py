"""What holds of every store of files: complete or not there, stored once, swept by age."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from quizzes.lib.file_store.contract import FileStore, create_draft

pytestmark = [pytest.mark.django_db, pytest.mark.allow_hosts(["127.0.0.1"])]

LATER = datetime.now(UTC) + timedelta(days=365)
BEFORE = datetime.now(UTC) - timedelta(days=365)


def add(files: FileStore, name: str, data: bytes) -> None:
    with create_draft() as draft:
        draft.write(data)
        files.add(name, draft)


def names(files: FileStore, prefix: str = "") -> list[str]:
    return [file.name for file in files.list_files(prefix)]


@pytest.mark.parametrize("is_durable", [True, False])
def test_what_is_saved_is_read_and_replaced(files, store, is_durable):
    files.save_bytes("imports/a.file", b"hello", is_durable=is_durable)
    assert files.exists("imports/a.file")
    assert files.measure("imports/a.file") == 5
    files.save_bytes("imports/a.file", b"good morning", is_durable=is_durable)
    assert files.read("imports/a.file") == b"good morning"
    assert names(files) == ["imports/a.file"]
    assert list((store / "incoming").iterdir()) == []


def test_an_empty_file_is_a_file(files):
    files.save_bytes("imports/a.stop", b"")
    assert files.exists("imports/a.stop")
    assert (files.measure("imports/a.stop"), files.read("imports/a.stop")) == (0, b"")


def test_what_is_not_there_is_told(files):
    assert not files.exists("imports/a.file")
    for ask in (files.open, files.read, files.measure):
        with pytest.raises(FileNotFoundError):
            ask("imports/a.file")
    files.delete("imports/a.file")
    assert names(files) == names(files, "imports/") == []


def test_a_file_is_read_from_any_place(files):
    body = bytes(range(256)) * 8192
    files.save_bytes("imports/a.plan", body)
    with files.open("imports/a.plan") as file:
        assert file.seek(0, 2) == len(body)
        assert file.read() == b""
        file.seek(1_000_003)
        assert file.read(5) == body[1_000_003:1_000_008]
        assert file.tell() == 1_000_008
        file.seek(10)
        assert file.readline() == b"\n"
        file.seek(-3, 1)
        assert file.read(2) == body[8:10]
        assert file.read() == body[10:]


def test_a_draft_that_fails_leaves_no_name(files, store):
    with suppress(KeyboardInterrupt), create_draft() as draft:
        draft.write(b"half")
        raise KeyboardInterrupt
    assert names(files) == []
    assert list((store / "incoming").iterdir()) == []


def test_the_same_bytes_are_added_once_and_are_young_again(files):
    add(files, "2c/2cf2", b"hello")
    (first,) = files.list_files()
    add(files, "2c/2cf2", b"hello")
    (second,) = files.list_files()
    assert second.name == "2c/2cf2"
    assert second.saved_at >= first.saved_at
    assert files.read("2c/2cf2") == b"hello"


def test_a_list_has_what_begins_as_asked_with_its_age(files):
    for name in ("imports/ab.file", "imports/ab.done", "imports/abc.file", "exports/ab.zip"):
        files.save_bytes(name, b"x")
    add(files, "ab/abcd", b"hello")
    assert names(files, "imports/ab.") == ["imports/ab.done", "imports/ab.file"]
    assert names(files, "imports/") == ["imports/ab.done", "imports/ab.file", "imports/abc.file"]
    assert set(names(files)) == {"ab/abcd", "exports/ab.zip", *names(files, "imports/")}
    now = datetime.now(UTC).timestamp()
    assert all(now - 60 < file.saved_at < now + 60 for file in files.list_files())


def test_only_what_is_old_and_not_needed_is_swept(files):
    add(files, "2c/2cf2", b"hello")
    sweep = files.delete_stale
    assert not sweep("2c/2cf2", before=BEFORE, is_needed=lambda: False)
    assert not sweep("2c/2cf2", before=LATER, is_needed=lambda: True)
    assert files.exists("2c/2cf2")
    assert sweep("2c/2cf2", before=LATER, is_needed=lambda: False)
    assert not sweep("2c/2cf2", before=LATER, is_needed=lambda: False)
    assert names(files) == []


def test_what_is_deleted_while_it_is_listed_is_no_error(files):
    for name in ("imports/a.done", "imports/a.file"):
        files.save_bytes(name, b"x")
    for file in files.list_files("imports/a."):
        files.delete(file.name)
    assert names(files) == []
