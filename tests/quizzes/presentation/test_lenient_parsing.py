"""Reading what a page sent: one part without sense costs no other."""

from typing import Any

import pytest
from django.utils import translation

from quizzes.presentation import lenient_parsing
from tests.question_factory import public_version, samples
from tests.quizzes.presentation.kinds import test_cloze as cloze

EBRO = {"text": "Ebro"}
ZERO = {"typed": "zero", "language": "en"}


def of(kind: str) -> Any:
    return public_version(next(sample for sample in samples() if sample.kind == kind))


def told(raw: Any, version: Any = None) -> tuple[Any, list[str]]:
    answer, wrong = lenient_parsing.parse_leniently(version or cloze.public_version(), raw)
    return answer, [str(problem.detail["where"]) for problem in wrong]


def test_what_makes_sense_is_read_whole():
    assert told({"gaps": {"river": EBRO}}) == ({"gaps": {"river": EBRO}}, [])
    assert told(None) == (None, [])


def test_a_part_without_sense_is_left_out_and_named():
    raw = {"gaps": {"river": EBRO, "pi": ZERO}}
    assert told(raw) == ({"gaps": {"river": EBRO}}, ["gaps.pi.typed"])
    assert raw == {"gaps": {"river": EBRO, "pi": ZERO}}


def test_each_part_without_sense_is_left_out():
    raw = {"gaps": {"river": EBRO, "pi": ZERO, "capital": 5}}
    answer, wrong = told(raw)
    assert answer == {"gaps": {"river": EBRO}}
    assert wrong == ["gaps.capital", "gaps.pi.typed"]


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ("x", "answer"),
        ({"gaps": 5}, "gaps"),
        ({"gaps": {"river": EBRO, "none": EBRO}}, "gaps"),
        ({"gaps": {"river": EBRO}, "more": 1}, "answer"),
    ],
)
def test_what_is_wrong_with_the_whole_leaves_nothing(raw, where):
    assert told(raw) == (None, [where])


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("numeric", {"typed": "zero", "language": "en"}),
        ("multiple_choice", {"chosen": ["<b>"]}),
        ("short_text", {"text": 5}),
    ],
)
def test_an_answer_of_one_part_is_read_or_not(kind, raw):
    answer, wrong = told(raw, of(kind))
    assert (answer, len(wrong)) == (None, 1)


def test_what_is_wrong_is_said_gap_by_gap_in_the_language_of_the_page():
    version = cloze.public_version()
    _answer, wrong = lenient_parsing.parse_leniently(version, {"gaps": {"pi": ZERO, "capital": 5}})
    with translation.override("es"):
        sentences = lenient_parsing.describe_problems(version, wrong, "es")
    assert sentences.startswith("Hueco 1: ")
    assert "Hueco 3: Esto no" in sentences


def test_without_a_name_for_the_part_only_what_is_wrong_is_said():
    _answer, wrong = lenient_parsing.parse_leniently(cloze.public_version(), {"gaps": 5})
    with translation.override("en"):
        assert not lenient_parsing.describe_problems(
            cloze.public_version(), wrong, "en"
        ).startswith("Gap")
