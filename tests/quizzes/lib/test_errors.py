"""What services raise: a stable code for programs, and the place."""

import pytest

from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused, ServiceError


@pytest.mark.parametrize(
    ("error", "code"),
    [(NotFound, "not_found"), (Refused, "refused"), (Invalid, "invalid"), (Conflict, "conflict")],
)
def test_every_error_has_a_code_of_its_own(error, code):
    assert issubclass(error, ServiceError)
    assert error().code == code
    assert str(error()) == code


def test_a_code_and_a_place_can_be_given():
    error = Invalid("unknown_slot", where="slot", slot=3)
    assert (error.code, error.detail) == ("unknown_slot", {"where": "slot", "slot": 3})
    assert str(error) == "unknown_slot {'where': 'slot', 'slot': 3}"


def test_what_one_error_tells_does_not_stick_to_its_class():
    Refused("closed", left=0)
    assert Refused().code == "refused"
    assert Refused().detail == {}
