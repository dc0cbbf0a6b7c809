"""Policies as a quiz version keeps them."""

from dataclasses import asdict
from datetime import timedelta

import pytest

from quizzes.publishing.policies import Policies, RevealPolicy


def test_a_graded_quiz_lets_three_attempts_in_eight_hours_by_default():
    assert (Policies().window_attempts, Policies().window_hours) == (3, 8)


def test_what_is_written_is_read_again():
    policies = Policies(
        time_limit_minutes=30, attempt_grade_policy="average", reveal=RevealPolicy(key="never")
    )
    assert Policies.from_json(policies.to_json()) == policies
    assert [*policies.to_json().items()] == [*asdict(policies).items()]


def test_what_an_old_edition_does_not_name_has_its_default():
    assert Policies.from_json({"grace_seconds": 20}) == Policies(grace_seconds=20)


def test_a_rule_that_this_code_does_not_know_is_not_passed_over():
    with pytest.raises(TypeError):
        Policies.from_json({"proctored": True})
    with pytest.raises(TypeError):
        Policies.from_json({"reveal": {"whispers": "never"}})


def test_times_are_spans():
    policies = Policies(time_limit_minutes=90, grace_seconds=15)
    assert policies.time_limit == timedelta(hours=1.5)
    assert policies.grace == timedelta(seconds=15)


def test_no_limit_is_no_span():
    assert Policies().time_limit is None
