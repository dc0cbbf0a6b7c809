"""Moving times by days: the clocks of the zone show the same, or it is refused."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib.errors import Invalid
from quizzes.lib.wall_time import move_days

ZONES = [
    "Europe/Madrid",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "UTC",
]
MADRID = ZoneInfo("Europe/Madrid")


def test_the_time_of_day_stays_though_the_clocks_have_changed():
    winter = datetime(2027, 2, 1, 18, tzinfo=MADRID)
    moved = move_days(winter, 182, MADRID)
    assert moved == datetime(2027, 8, 2, 18, tzinfo=MADRID)
    assert moved - winter == timedelta(days=182, hours=-1)


@pytest.mark.parametrize(
    ("moment", "code"),
    [
        (datetime(2027, 3, 27, 2, 30, tzinfo=MADRID), "time_does_not_exist"),
        (datetime(2027, 10, 30, 2, 30, tzinfo=MADRID), "time_occurs_twice"),
    ],
)
def test_a_time_that_is_no_moment_or_two_is_refused(moment, code):
    with pytest.raises(Invalid) as refused:
        move_days(moment, 1, MADRID)
    assert refused.value.code == code
    assert refused.value.detail["wall_time"] == moment.replace(tzinfo=None) + timedelta(days=1)


def test_a_time_that_is_not_moved_stays_the_moment_it_is():
    second = datetime(2027, 10, 31, 2, 30, tzinfo=MADRID, fold=1)
    assert move_days(second, 0, MADRID).astimezone(UTC) == second.astimezone(UTC)


@given(
    st.integers(0, 2 * 365 * 24 * 60),
    st.integers(-400, 400),
    st.sampled_from(ZONES),
)
def test_what_is_not_refused_shows_the_same_time_of_day_that_many_days_later(minutes, days, name):
    zone = ZoneInfo(name)
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    try:
        moved = move_days(moment, days, zone)
    except Invalid:
        return
    before, after = moment.astimezone(zone), moved.astimezone(zone)
    assert after.time() == before.time()
    assert after.date() - before.date() == timedelta(days=days)
