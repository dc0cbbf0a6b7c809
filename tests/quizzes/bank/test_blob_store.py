"""Bytes on the disk: whole before they have a name, kept once, dropped only when nobody wants."""

import io
import os
from datetime import timedelta
from hashlib import sha256

import pytest

from quizzes.bank import blob_store as bytes_store
from tests.factories import NOW

pytestmark = pytest.mark.usefixtures("store")

HELLO = sha256(b"hello").hexdigest()
LATER = NOW + timedelta(days=100 * 365)
BEFORE = NOW - timedelta(days=100 * 365)


def names(store) -> list[str]:
    return sorted(path.name for path in store.glob("??/*"))


def test_bytes_are_found_by_their_digest(store):
    assert bytes_store.save_blob(io.BytesIO(b"hello")) == (HELLO, 5)
    assert bytes_store.read_blob(HELLO) == b"hello"
    assert (store / bytes_store.build_name(HELLO)).read_bytes() == b"hello"
    assert list((store / "incoming").iterdir()) == []


def test_a_source_is_read_from_its_beginning_however_far_it_was_read():
    source = io.BytesIO(b"hello")
    source.read()
    assert bytes_store.save_blob(source) == (HELLO, 5)


def test_the_same_bytes_are_kept_once_and_are_young_again(store):
    bytes_store.save_blob(io.BytesIO(b"hello"))
    place = store / bytes_store.build_name(HELLO)
    os.utime(place, (0, 0))
    before = place.stat().st_ino
    bytes_store.save_blob(io.BytesIO(b"hello"))
    assert names(store) == [HELLO]
    assert place.stat().st_ino == before
    assert place.stat().st_mtime > 0


def test_what_is_killed_while_bytes_come_in_leaves_no_name(store, monkeypatch):
    def killed(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        bytes_store.save_blob(io.BytesIO(b"hello"))
    assert names(store) == []


def test_only_what_nobody_kept_lately_is_offered_to_the_sweep(store):
    bytes_store.save_blob(io.BytesIO(b"hello"))
    assert list(bytes_store.find_stale_blobs(BEFORE)) == []
    assert list(bytes_store.find_stale_blobs(LATER)) == [HELLO]
    bytes_store.delete_blob(HELLO)
    bytes_store.delete_blob(HELLO)
    assert names(store) == []


def test_leftovers_of_uploads_go_when_they_are_old(store):
    bytes_store.save_blob(io.BytesIO(b"hello"))
    leftover = store / "incoming" / "tmp123"
    leftover.write_bytes(b"half")
    assert list(bytes_store.find_stale_blobs(BEFORE)) == []
    assert leftover.exists()
    list(bytes_store.find_stale_blobs(LATER))
    assert not leftover.exists()


def test_an_empty_store_has_nothing_to_offer():
    assert list(bytes_store.find_stale_blobs(LATER)) == []
