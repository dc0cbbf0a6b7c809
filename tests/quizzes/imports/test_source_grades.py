"""What a file claims of grades and points: exact as values, short as words."""

from fractions import Fraction

import pytest

from quizzes.formats.contract import FileMetadata
from quizzes.imports import source_grades


def test_what_a_file_claims_is_kept_exactly():
    metadata = FileMetadata(
        title="Rivers", language="en", grade=Fraction(2, 3), pass_threshold=Fraction(4, 5)
    )
    told = source_grades.as_json(metadata)
    assert told == {"title": "Rivers", "language": "en", "grade": "2/3", "pass_mark": "4/5"}
    assert source_grades.parse_exact(told["grade"]) == metadata.grade
    assert source_grades.parse_exact(source_grades.as_json(FileMetadata())["grade"]) is None


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, ""),
        ({"grade": None, "pass_mark": None}, ""),
        ({"grade": "0", "pass_mark": None}, "Grade: 0\xa0%."),
        ({"grade": None, "pass_mark": "4/5"}, "Pass mark: 80\xa0%."),
        ({"grade": "1/3", "pass_mark": "4/5"}, "Grade: 33 1/3\xa0%. Pass mark: 80\xa0%."),
    ],
)
def test_it_is_said_in_a_sentence_each(told, said):
    assert source_grades.sentence(told) == said


def test_points_are_said_where_there_are_any():
    assert source_grades.worth(Fraction(5, 2)) == "Points: 2.5"
    assert source_grades.worth(Fraction(0)) == "Points: 0"
    assert source_grades.worth(None) == ""
