"""States add up, come apart again and lie in a table as JSON, without a remainder."""

import copy
import json
import random
from dataclasses import replace

import pytest

from quizzes.statistics.domain.attempt_record import AttemptRecord
from quizzes.statistics.domain.frequencies import NotCounted
from quizzes.statistics.domain.states import (
    QuizState,
    read_answer_state,
    read_score_state,
    to_json,
)
from tests.quizzes.statistics.domain.attempt_samples import (
    build_attempt,
    build_state,
    draw_attempts,
)


def test_removing_returns_exactly_to_the_state_before():
    rng = random.Random(1)
    attempts = draw_attempts(rng, most=40)
    before = build_state(attempts)
    state = copy.deepcopy(before)
    more = [build_attempt(["1/3"] * 3, "fr", 9), *attempts]
    for attempt in more:
        state.add(attempt)
    assert state != before
    rng.shuffle(more)
    for attempt in more:
        state.remove(attempt)
    assert state == before


def test_a_state_without_attempts_is_empty():
    attempt = build_attempt([1, 0])
    state = build_state([attempt])
    state.remove(attempt)
    assert state == QuizState()


def test_an_attempt_that_was_not_counted_is_refused_and_nothing_changes():
    state = build_state([build_attempt([1, 0])])
    before = copy.deepcopy(state)
    for stranger in (
        build_attempt([0, 1]),
        build_attempt([1, 0], "es"),
        replace(build_attempt([1, 0]), seconds=1),
    ):
        with pytest.raises(NotCounted):
            state.remove(stranger)
        assert state == before


def test_states_of_parts_merge_to_the_state_of_all():
    attempts = draw_attempts(random.Random(2), most=40)
    merged = QuizState()
    merged.merge([build_state(attempts[::2]), build_state(attempts[1::2])])
    assert merged == build_state(attempts)


def test_a_state_comes_back_from_its_json():
    state = build_state(draw_attempts(random.Random(3), most=40))
    for scores in state.scores.values():
        assert read_score_state(json.loads(json.dumps(to_json(scores)))) == scores
    for answers in state.answers.values():
        assert read_answer_state(json.loads(json.dumps(to_json(answers)))) == answers


def test_equal_states_have_equal_json_in_whatever_order_they_were_counted():
    attempts = draw_attempts(random.Random(4), most=40)
    states = [build_state(attempts), build_state(attempts[::-1])]
    texts = [[to_json(part) for _key, part in sorted(state.answers.items())] for state in states]
    assert texts[0] == texts[1]


def test_languages_and_attempt_numbers_are_selected_apart():
    state = build_state([build_attempt([1, 0]), build_attempt([0, 0], "es", 2)])
    assert state.select_answers("q00").rows.n == 2
    assert state.select_answers("q00", lambda key: key[0] == "es").rows.n == 1
    assert state.select_scores(lambda key: key == ("en", 2)).rows.n == 0


def test_times_without_an_end_count_as_a_day_and_missing_ones_not_at_all():
    attempt = build_attempt([1])
    untimed = AttemptRecord("en", 1, attempt.score, attempt.maximum, attempt.responses)
    state = build_state([replace(attempt, seconds=10**9), untimed])
    assert dict(state.select_scores().seconds) == {86400: 1}
