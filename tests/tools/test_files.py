"""Notes of the tools are whole or not there."""

import os

import pytest

from tools.files import read_note, write_note


def test_a_note_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "note.json"
    write_note(path, {"stamp": "a"})
    write_note(path, {"stamp": "b"})
    assert read_note(path) == {"stamp": "b"}
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_is_full_leaves_the_note_before(tmp_path, monkeypatch):
    path = tmp_path / "note.json"
    write_note(path, {"stamp": "a"})

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_note(path, {"stamp": "b"})
    assert read_note(path) == {"stamp": "a"}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "{half", "[]", "null", "\0\0\0", '{"stamp": 1}'])
def test_what_is_not_a_note_is_none(tmp_path, text):
    path = tmp_path / "note.json"
    path.write_text(text)
    assert read_note(path) == {}
    assert read_note(tmp_path / "none.json") == {}
