"""The counted rows of a quiz version as the states of the domain, and its answer patterns."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from quizzes.results.models import ItemResult
from quizzes.statistics.domain.purification import Answers, ResponsePatterns
from quizzes.statistics.domain.states import QuizState, read_answer_state, read_score_state
from quizzes.statistics.models import CountedAttempt, CountedRow, CountedTable

StateKey = tuple[str | None, str, int]
"""Question version (none: the quiz itself), language, attempt number."""


def load_state(quiz_version: int) -> QuizState:
    """Return everything that is counted of a quiz version; one query, so that it agrees."""
    rows = CountedRow.objects.filter(quiz_version=quiz_version)
    columns = ("version__uuid", "language", "attempt_number", "table", "row", "count")
    payloads: dict[StateKey, dict[str, list[Any]]] = defaultdict(
        lambda: {"rows": [], "seconds": []}
    )
    for version, language, number, table, row, count in rows.values_list(*columns).iterator():
        key = (None if version is None else str(version), language, number)
        name = "rows" if table == CountedTable.RESULTS else "seconds"
        payloads[key][name].append([*row, count])
    state = QuizState()
    for (version, language, number), payload in payloads.items():
        if version is None:
            state.scores[language, number] = read_score_state(payload)
        else:
            state.answers[version, language, number] = read_answer_state(payload)
    return state


def load_patterns(quiz_version: int) -> ResponsePatterns:
    """Return what the first attempts of learners answered together, by language; two queries."""
    first = CountedAttempt.objects.filter(quiz_version=quiz_version, attempt__number=1)
    languages = dict(first.values_list("grading", "language"))
    rows = ItemResult.objects.filter(
        grading__in=first.values("grading"), credit_numerator__isnull=False
    ).order_by("grading_id")
    patterns = ResponsePatterns()
    for grading, answers in _group(rows):
        if grading in languages:
            patterns.rows.add((languages[grading], answers))
    return patterns


def _group(rows: Any) -> Iterator[tuple[int, Answers]]:
    """Yield the answers of each grading; equal answers are one tuple, for there are many."""
    equal: dict[tuple[Any, ...], tuple[str, Fraction, Fraction]] = {}
    grading: int | None = None
    answers: list[tuple[str, Fraction, Fraction]] = []
    columns = (
        *("grading_id", "version__uuid", "credit_numerator", "credit_denominator"),
        *("points_numerator", "points_denominator"),
    )
    for row_grading, *columns_read in rows.values_list(*columns).iterator():
        if grading is not None and row_grading != grading:
            yield grading, tuple(sorted(answers))
            answers = []
        grading = row_grading
        version, numerator, denominator, points, points_denominator = columns_read
        answers.append(
            equal.setdefault(
                tuple(columns_read),
                (
                    str(version),
                    Fraction(numerator, denominator),
                    Fraction(points, points_denominator),
                ),
            )
        )
    if grading is not None:
        yield grading, tuple(sorted(answers))
