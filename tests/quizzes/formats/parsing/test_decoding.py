"""Bytes become text, whatever program saved them."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.parsing.decoding import decode


@pytest.mark.parametrize(
    "data",
    [
        "año\n".encode(),
        codecs.BOM_UTF8 + "año\n".encode(),
        codecs.BOM_UTF16_LE + "año\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "año\n".encode("utf-16-be"),
        "año\r\n".encode(),
        "año\r".encode(),
    ],
)
def test_unicode_is_read_without_a_word(data):
    assert decode(data) == ("año\n", ())


def test_windows_1252_is_told_with_its_first_line():
    text, notes = decode("one\n“año”".encode("cp1252"))
    assert text == "one\n“año”"
    assert [(note.code, note.line) for note in notes] == [("read_as_windows_1252", 2)]


def test_control_characters_go_and_that_is_told():
    text, notes = decode(b"one\ntwo\x00\x07\tthree")
    assert text == "one\ntwo\tthree"
    assert [(note.code, note.line) for note in notes] == [("control_characters_removed", 2)]


@given(st.binary(max_size=200))
def test_any_bytes_are_some_text(data):
    text, _ = decode(data)
    assert "\r" not in text
    assert "\x00" not in text
