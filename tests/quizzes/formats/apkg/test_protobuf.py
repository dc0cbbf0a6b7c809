"""Messages are read field by field, and what is none is refused."""

import pytest

from quizzes.formats.apkg.protobuf import ProtobufError, parse_fields, read_field

MESSAGE = b"\x08\x96\x01" + b"\x12\x02hi" + b"\x19" + b"8" * 8 + b"\x25four" + b"\x12\x03ho!"


def test_fields_come_in_their_order_with_their_numbers():
    assert list(parse_fields(MESSAGE)) == [
        (1, 150),
        (2, b"hi"),
        (3, b"8" * 8),
        (4, b"four"),
        (2, b"ho!"),
    ]


def test_the_last_field_of_a_number_counts():
    assert read_field(MESSAGE, 2, b"") == b"ho!"
    assert read_field(MESSAGE, 1, 0) == 150


def test_what_is_not_there_is_nothing():
    assert read_field(MESSAGE, 1, b"") == b""
    assert read_field(MESSAGE, 2, 0) == 0


@pytest.mark.parametrize("data", [b"\x08", b"\x12\x05hi", b"\x0b\x00", b"\x08" + b"\xff" * 20])
def test_what_is_no_message_is_refused(data):
    with pytest.raises(ProtobufError):
        list(parse_fields(data))
