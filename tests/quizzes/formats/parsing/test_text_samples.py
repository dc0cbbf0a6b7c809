"""Samples of long texts: of every sort of marks some, wherever it stands."""

import pytest

from quizzes.formats.parsing.text_samples import SHORT, drop_unmarked, take_sample
from tests.cpu_time import measure_growth

PROSE = "It was a dark night and so on.\n"
BOXES = "Which is it?\n- [x] a\n- [ ] b\n\n"
BRACES = "Which is it? {=a ~b}\n\n"


def test_a_short_text_is_its_own_sample():
    text = PROSE * 100
    assert take_sample(text) is text


@pytest.mark.parametrize("above", [0, 5_000, 50_000])
@pytest.mark.parametrize("below", [0, 5_000, 50_000])
def test_a_sample_has_the_marks_of_a_text_wherever_they_stand(above, below):
    text = PROSE * above + "\n" + BOXES * 2_000 + PROSE * below
    sample = take_sample(text)
    assert len(sample) <= SHORT + 2_000
    assert sample.count("[x]") > 400


def test_of_two_sorts_there_are_as_many_parts_as_they_have():
    sample = take_sample(BRACES * 10_000 + PROSE * 10_000 + BOXES * 2_000)
    braces, boxes = len(BRACES) * sample.count("{="), len(BOXES) * sample.count("[x]")
    assert 2 * boxes > braces / 4
    assert braces > 2 * boxes


def test_a_sort_that_is_rare_is_in_it():
    sample = take_sample(BRACES * 10_000 + "\n" + BOXES * 80 + "\n" + BRACES * 10_000)
    assert sample.count("[x]") > 10


def test_no_part_is_in_it_twice():
    sample = take_sample(PROSE * 2_000 + "\n" + BOXES.replace("it", "that") * 3 + PROSE * 2_000)
    assert sample.count("that") == 3


def test_a_text_without_marks_has_its_beginning_and_parts_of_the_rest():
    sample = take_sample(PROSE * 10_000)
    assert 20_000 < len(sample) <= SHORT


def test_the_time_of_a_sample_grows_with_the_text():
    n, double, fourfold = measure_growth(
        lambda times: take_sample((PROSE + BOXES) * times), (20_000, 40_000, 80_000)
    )
    assert double < 3 * n
    assert fourfold < 6 * n


def test_prose_is_dropped_but_for_what_is_right_above_a_question():
    lines = ["words", "more", "", "", "", "", "It is so.", "", "A. yes", "B. no", "", "words"]
    rest = drop_unmarked(lines)
    assert rest == [""] * 6 + ["It is so.", "", "A. yes", "B. no", "", ""]
