"""Sufficient statistics: what every measure is computed from, small, exact and additive.

A `QuizState` holds, for each language and attempt number, a table of scores and, for each question
version, a table of its answers. A row of a table is what cannot be told apart by any measure, with
how often it occurs; so states add up, an attempt can be taken out again (a regrade, a voided
attempt), and nothing is read twice. A database stores one `ScoreState` or `AnswerState` a row:
`to_json` is its column.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from quizzes.statistics.domain.attempt_record import AttemptRecord, Choice, ItemResponse
from quizzes.statistics.domain.frequencies import FrequencyTable

LONGEST_SECONDS = 24 * 3600
"""A time on a question or quiz beyond a day counts as a day: the table stays small."""


class ScoreRow(NamedTuple):
    """What an attempt is to the measures of a quiz; fractions as numerator and denominator."""

    score: tuple[int, int]
    maximum: tuple[int, int]
    questions: int
    mark_total: tuple[int, int]
    mark_squares: tuple[int, int]
    """Sum of the squared marks: how much the marks of an attempt differ among themselves."""


class ResponseRow(NamedTuple):
    """What a response is to the measures of a question; fractions as numerator and denominator."""

    credit: tuple[int, int]
    points: tuple[int, int]
    mark_total: tuple[int, int]
    choice: str | None
    """Option ids in order, joined by blanks; none where the kind has no options."""
    is_omitted: bool


@lru_cache(maxsize=4096)
def _join_choice(choice: Choice) -> str:
    return " ".join(sorted(choice))


def _limit_seconds(seconds: int) -> int:
    return min(max(seconds, 0), LONGEST_SECONDS)


Change = tuple[FrequencyTable[Any], Any]
"""A table and a row that is to be counted in it."""


@dataclass
class ScoreState:
    """The attempts at a quiz version, by score."""

    rows: FrequencyTable[ScoreRow] = field(default_factory=FrequencyTable)
    seconds: FrequencyTable[int] = field(default_factory=FrequencyTable)

    def build_changes(self, attempt: AttemptRecord) -> list[Change]:
        """Return the rows that an attempt counts in."""
        squares = sum((response.mark**2 for response in attempt.responses), Fraction())
        row = ScoreRow(
            attempt.score.as_integer_ratio(),
            attempt.maximum.as_integer_ratio(),
            len(attempt.responses),
            attempt.mark_total.as_integer_ratio(),
            squares.as_integer_ratio(),
        )
        if attempt.seconds is None:
            return [(self.rows, row)]
        return [(self.rows, row), (self.seconds, _limit_seconds(attempt.seconds))]


@dataclass
class AnswerState:
    """The answers to a question version in a quiz version, by credit, total and choice."""

    rows: FrequencyTable[ResponseRow] = field(default_factory=FrequencyTable)
    seconds: FrequencyTable[int] = field(default_factory=FrequencyTable)

    def build_changes(self, response: ItemResponse, mark_total: Fraction) -> list[Change]:
        """Return the rows that a response counts in, of an attempt with this sum of marks."""
        row = ResponseRow(
            response.credit.as_integer_ratio(),
            response.points.as_integer_ratio(),
            mark_total.as_integer_ratio(),
            None if response.choice is None else _join_choice(response.choice),
            response.is_omitted,
        )
        if response.seconds is None:
            return [(self.rows, row)]
        return [(self.rows, row), (self.seconds, _limit_seconds(response.seconds))]


ScoreKey = tuple[str, int]
"""Language and attempt number."""
AnswerKey = tuple[str, str, int]
"""Question version, language and attempt number."""


@dataclass
class QuizState:
    """Everything that the measures of one quiz version need."""

    scores: dict[ScoreKey, ScoreState] = field(default_factory=dict)
    answers: dict[AnswerKey, AnswerState] = field(default_factory=dict)

    def add(self, attempt: AttemptRecord) -> None:
        """Count a graded attempt."""
        key = (attempt.language, attempt.number)
        changes = self.scores.setdefault(key, ScoreState()).build_changes(attempt)
        total = attempt.mark_total
        for response in attempt.responses:
            state = self.answers.setdefault((response.question, *key), AnswerState())
            changes += state.build_changes(response, total)
        for table, row in changes:
            table.add(row)

    def remove(self, attempt: AttemptRecord) -> None:
        """Take out an attempt as it was counted; NotCounted, and no change, where it was not."""
        key = (attempt.language, attempt.number)
        changes = self.scores.get(key, ScoreState()).build_changes(attempt)
        total = attempt.mark_total
        answer_keys = [(response.question, *key) for response in attempt.responses]
        for answer_key, response in zip(answer_keys, attempt.responses, strict=True):
            state = self.answers.get(answer_key, AnswerState())
            changes += state.build_changes(response, total)
        for table, row in changes:
            table.check(row)
        for table, row in changes:
            table.remove(row)
        if not self.scores[key].rows:
            del self.scores[key]
        for answer_key in answer_keys:
            if not self.answers[answer_key].rows:
                del self.answers[answer_key]

    def merge(self, states: Iterable["QuizState"]) -> None:
        """Add what other states counted."""
        for state in states:
            for score_key, score_state in state.scores.items():
                scores = self.scores.setdefault(score_key, ScoreState())
                scores.rows.merge([score_state.rows])
                scores.seconds.merge([score_state.seconds])
            for key, answer_state in state.answers.items():
                answers = self.answers.setdefault(key, AnswerState())
                answers.rows.merge([answer_state.rows])
                answers.seconds.merge([answer_state.seconds])

    def select_scores(self, keep: Callable[[ScoreKey], bool] = lambda _key: True) -> ScoreState:
        """Return the scores of some languages and attempt numbers, together."""
        states = [state for key, state in self.scores.items() if keep(key)]
        selected = ScoreState()
        selected.rows.merge(state.rows for state in states)
        selected.seconds.merge(state.seconds for state in states)
        return selected

    def select_answers(
        self, question: str, keep: Callable[[ScoreKey], bool] = lambda _key: True
    ) -> AnswerState:
        """Return the answers to a question in some languages and attempt numbers, together."""
        states = [
            state for key, state in self.answers.items() if key[0] == question and keep(key[1:])
        ]
        selected = AnswerState()
        selected.rows.merge(state.rows for state in states)
        selected.seconds.merge(state.seconds for state in states)
        return selected

    @property
    def questions(self) -> list[str]:
        """Return the question versions that were answered, in order of their ids."""
        return sorted({key[0] for key in self.answers})


def to_json(state: ScoreState | AnswerState) -> dict[str, Any]:
    """Return a state as JSON: equal states, equal JSON."""
    rows = sorted(([*row, count] for row, count in state.rows), key=repr)
    return {"rows": rows, "seconds": sorted(state.seconds)}


def _read_ratio(pair: list[int]) -> tuple[int, int]:
    numerator, denominator = pair
    return numerator, denominator


def read_score_state(payload: dict[str, Any]) -> ScoreState:
    """Read what `to_json` wrote."""
    state = ScoreState()
    for score, maximum, questions, total, squares, count in payload["rows"]:
        row = ScoreRow(
            _read_ratio(score),
            _read_ratio(maximum),
            questions,
            _read_ratio(total),
            _read_ratio(squares),
        )
        state.rows.add(row, count)
    for seconds, count in payload["seconds"]:
        state.seconds.add(seconds, count)
    return state


def read_answer_state(payload: dict[str, Any]) -> AnswerState:
    """Read what `to_json` wrote."""
    state = AnswerState()
    for credit, points, total, choice, is_omitted, count in payload["rows"]:
        row = ResponseRow(
            _read_ratio(credit), _read_ratio(points), _read_ratio(total), choice, is_omitted
        )
        state.rows.add(row, count)
    for seconds, count in payload["seconds"]:
        state.seconds.add(seconds, count)
    return state
