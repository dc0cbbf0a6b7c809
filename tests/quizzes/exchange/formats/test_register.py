"""The register of formats: each claims its own files, and none another's."""

import pytest

from quizzes.exchange.formats import FORMATS, WRITERS, claiming
from tests.quizzes.exchange.formats.test_ochenta import GOOD


def test_a_format_is_registered_under_its_own_name():
    assert all(format_.name == name for name, format_ in FORMATS.items())
    assert WRITERS.keys() <= FORMATS.keys()


def test_a_bank_file_is_claimed_by_our_own_format():
    found = claiming(GOOD.encode(), "rivers.yaml")
    assert found is FORMATS["ochenta-bank/1"]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("data", [b"", b"\x00" * 9, b"<", b"PK\x03\x04", "año".encode("cp1252")])
def test_claiming_survives_any_bytes(name, data):
    assert FORMATS[name].claims(data, "x.bin") in {True, False}


def test_what_nobody_knows_nobody_claims():
    assert claiming(b"\x00\x01\x02", "x.bin") is None
