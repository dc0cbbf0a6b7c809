"""Days of study in the learner's zone, and the clocks of devices."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.study.domain.times import correct_time, find_study_day

ZONES = ("UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
RECEIVED = datetime(2026, 11, 21, 12, tzinfo=UTC)


@given(minutes=st.integers(0, 3 * 366 * 1440), zone=st.sampled_from(ZONES), hour=st.integers(0, 23))
def test_each_moment_is_in_its_day_and_days_follow_each_other(minutes, zone, hour):
    now = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    day = find_study_day(now, ZoneInfo(zone), hour)
    assert now in day
    assert timedelta(hours=22) < day.end - day.start < timedelta(hours=26)
    assert find_study_day(day.end, ZoneInfo(zone), hour).start == day.end
    assert find_study_day(day.start, ZoneInfo(zone), hour) == day


def test_a_day_begins_at_the_hour_of_the_learners_clock():
    late = datetime(2026, 11, 21, 2, 30, tzinfo=UTC)  # 3:30 in Madrid
    day = find_study_day(late, ZoneInfo("Europe/Madrid"), 4)
    assert day.end == datetime(2026, 11, 21, 3, tzinfo=UTC)
    assert late not in find_study_day(late, ZoneInfo("Europe/Madrid"), 3)._replace(
        end=datetime(2026, 11, 21, 2, tzinfo=UTC)
    )
    assert "noon" not in day


@pytest.mark.parametrize("wrong_by", [timedelta(days=1), timedelta(hours=-5), timedelta()])
def test_a_clock_that_is_wrong_moves_no_review(wrong_by):
    """Reviewed an hour before it was sent, whatever the clock of the device shows."""
    moment = correct_time(
        RECEIVED + wrong_by - timedelta(hours=1),
        sent_at=RECEIVED + wrong_by,
        received_at=RECEIVED,
        earliest=RECEIVED - timedelta(days=30),
    )
    assert moment == RECEIVED - timedelta(hours=1)


def test_the_way_to_the_server_is_no_error_of_a_clock():
    sent_at = RECEIVED - timedelta(seconds=5)
    moment = correct_time(
        sent_at, sent_at=sent_at, received_at=RECEIVED, earliest=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert moment == sent_at


def test_nothing_was_before_its_card_or_after_it_was_received():
    """A clock that was changed between the review and the sending."""
    earliest = RECEIVED - timedelta(days=2)
    for device_at, expected in (
        (RECEIVED + timedelta(days=400), RECEIVED),
        (RECEIVED - timedelta(days=400), earliest),
    ):
        moment = correct_time(device_at, sent_at=RECEIVED, received_at=RECEIVED, earliest=earliest)
        assert moment == expected
