"""The kinds of record, and exact numbers from two columns."""

from fractions import Fraction

import pytest

from quizzes.events.models import Event
from quizzes.lib.base_models import ImmutableRowError, fraction_or_none
from tests.factories import NOW


@pytest.mark.parametrize(
    ("numerator", "denominator", "value"),
    [(2, 3, Fraction(2, 3)), (0, 1, Fraction(0)), (None, 1, None), (1, None, None)],
)
def test_a_fraction_is_read_from_two_columns_or_is_none(numerator, denominator, value):
    assert fraction_or_none(numerator, denominator) == value


@pytest.mark.django_db
def test_a_frozen_row_is_written_once_and_says_so():
    row = Event(kind="test", subject="00000000-0000-0000-0000-000000000001", occurred_at=NOW)
    row.save()
    with pytest.raises(ImmutableRowError, match=r"Event .* is written once"):
        row.save()
    with pytest.raises(ImmutableRowError, match=r"Event .* is never deleted"):
        row.delete()
    with pytest.raises(ImmutableRowError):
        Event.objects.get().save(update_fields=["kind"])
