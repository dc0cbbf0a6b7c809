"""Numbers of which nobody said how they are meant: the reading that earns more counts."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from grading.numeric.readings import list_unconfirmed, resolve_readings

NUMERIC: Any = KINDS["numeric"]
SHORT_TEXT: Any = KINDS["short_text"]
CLOZE: Any = KINDS["cloze"]
SORT = {"sort": "number"}
GAPS = {
    "gaps": [
        {"id": "number", "placeholder": "1", "kind": "numeric"},
        {"id": "text", "placeholder": "2", "kind": "short_text", **SORT},
    ],
    "options": [],
}


def list_rows(**credits_: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"is{text}", "value": text.replace("_", "."), "text": text.replace("_", ".")}
        | {"credit": credit}
        for text, credit in credits_.items()
    ]


def score_each(key_rows: list[dict[str, Any]], **raw: Any) -> list[Any]:
    """Score a number typed into each of the places where one is compared."""
    typed = raw.pop("typed")
    numeric = NUMERIC.parse({}, {"typed": typed, **raw})
    text = SHORT_TEXT.parse(SORT, {"text": typed, **raw})
    gaps = CLOZE.parse(GAPS, {"gaps": {"number": {"typed": typed, **raw}}})
    more = CLOZE.parse(GAPS, {"gaps": {"text": {"text": typed, **raw}}})
    key = {
        "numbers": [{**row, "gap": "number"} for row in key_rows],
        "accepted": [{**row, "id": f"t{row['id']}", "gap": "text"} for row in key_rows],
    }
    return [
        NUMERIC.score({}, {"numbers": key_rows}, numeric, "accepted_answers"),
        SHORT_TEXT.score(SORT, {"accepted": key_rows}, text, "accepted_answers"),
        CLOZE.score(GAPS, key, gaps, "per_gap"),
        CLOZE.score(GAPS, key, more, "per_gap"),
    ]


FULL = [Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("typed", ["3.125", "3,125"])
def test_the_reading_that_earns_more_counts_whatever_the_language(typed, language):
    for rows in (list_rows(**{"3_125": [1, 1]}), list_rows(**{"3125": [1, 1]})):
        scores = score_each(rows, typed=typed, language=language)
        assert [score.credit for score in scores] == FULL


def test_the_ledger_says_that_the_other_reading_counts():
    rows = list_rows(**{"3_125": [1, 1], "3125": [1, 2]})
    for score in score_each(rows, typed="3.125", language="es"):
        assert "other_reading" in score.reasons
        [line] = [line for line in score.ledger if line.reason == "other_reading"]
        assert (line.chosen, line.right, line.earned) == (None, None, 0)
    for score in score_each(rows, typed="3.125", language="en"):
        assert "other_reading" not in score.reasons


@pytest.mark.parametrize("credit", [[1, 1], [1, 3], [0, 1]])
def test_where_both_readings_earn_the_same_that_of_the_language_stands(credit):
    rows = list_rows(**{"3_125": credit, "3125": credit, "7": [1, 1]})
    for score in score_each(rows, typed="3.125", language="es"):
        assert "other_reading" not in score.reasons
    numeric, *_ = score_each(rows, typed="3.125", language="es")
    assert numeric.ledger[0].part == "is3125"


@given(st.sampled_from(["decimal", "thousands"]), st.sampled_from(["en", "es"]))
def test_what_the_writer_says_is_never_read_otherwise(separator, language):
    rows = list_rows(**{"3_125": [1, 1]})
    scores = score_each(rows, typed="3.125", language=language, separator=separator)
    expected = FULL if separator == "decimal" else [Fraction(0)] * 4
    assert [score.credit for score in scores] == expected


def test_unconfirmed_numbers_are_listed_by_their_paths():
    raw = {"typed": "3.125", "language": "en"}
    gaps = {"number": raw, "text": {"text": "4.125", "language": "en"}}
    answer = CLOZE.parse(GAPS, {"gaps": gaps})
    assert list(list_unconfirmed(answer)) == ["gaps.number.typed", "gaps.text.text"]
    assert list(list_unconfirmed(NUMERIC.parse({}, raw))) == ["typed"]
    confirmed = NUMERIC.parse({}, {**raw, "separator": "decimal"})
    assert list(list_unconfirmed(confirmed)) == list(list_unconfirmed(None)) == []


def test_the_numbers_that_count_follow_from_answer_and_ledger():
    rows = list_rows(**{"3_125": [1, 1]})
    answer = NUMERIC.parse({}, {"typed": "3.125", "language": "es"})
    numeric, _text, gap, _ = score_each(rows, typed="3.125", language="es")
    counted = resolve_readings(answer, numeric.ledger)
    assert counted == {**answer, "number": [25, 8], "read_by": "score"}
    assert resolve_readings(answer, ()) == answer
    own, *_ = score_each(list_rows(**{"7": [1, 1]}), typed="3.125", language="es")
    assert resolve_readings(answer, own.ledger) == {**answer, "read_by": "score"}
    plain = NUMERIC.parse({}, {"typed": "7", "language": "es"})
    gaps: Any = {"gaps": {"number": answer, "text": {"text": "seven"}}}
    assert resolve_readings(gaps, gap.ledger) == {
        "gaps": {"number": counted, "text": {"text": "seven"}}
    }
    assert resolve_readings(plain, numeric.ledger) == plain
    assert resolve_readings(None, numeric.ledger) is None
