"""What several persons' marks of one answer come to."""

from fractions import Fraction

import pytest

from grading.contract import ItemScore, NeedsManualGrading
from grading.essay.scoring import score_by_share
from quizzes.results.double_grading import (
    EffectiveGrade,
    apply_grades,
    effective_grades,
    reconcile,
)


def judged(*grades: tuple[int, str, int], graders: int = 1) -> list[EffectiveGrade]:
    """Marks in their order: who, for what, and how many tenths."""
    return [
        EffectiveGrade(number, who, purpose, score_by_share(tenths, 10), graders)
        for number, (who, purpose, tenths) in enumerate(grades, start=1)
    ]


def outcome(*grades: tuple[int, str, int], graders: int = 1) -> Fraction | str:
    reconciled = reconcile(judged(*grades, graders=graders))
    return reconciled.credit if isinstance(reconciled, ItemScore) else reconciled.reason


def test_of_one_marker_the_newest_mark_counts():
    assert outcome((1, "first", 3)) == Fraction(3, 10)
    assert outcome((1, "first", 3), (1, "first", 5)) == Fraction(1, 2)


def test_one_mark_of_two_waits_for_the_other():
    assert outcome((1, "first", 3), graders=2) == "second_grade_missing"
    assert outcome((1, "first", 3), (1, "first", 3), graders=2) == "second_grade_missing"


@pytest.mark.parametrize(("second", "came_to"), [(3, Fraction(3, 10)), (4, "grades_differ")])
def test_two_marks_count_if_they_are_the_same(second, came_to):
    assert outcome((1, "first", 3), (2, "second", second), graders=2) == came_to


def test_a_marker_who_marks_again_keeps_their_place():
    effective = effective_grades(
        judged((1, "first", 3), (2, "second", 4), (1, "first", 4), graders=2)
    )
    assert [(grade.grader, grade.number) for grade in effective] == [(1, 3), (2, 2)]
    again = ((1, "first", 3), (2, "second", 4), (1, "first", 4))
    assert outcome(*again, graders=2) == Fraction(2, 5)


def test_a_final_mark_settles_it_and_the_newest_of_them_counts():
    differing = ((1, "first", 3), (2, "second", 9))
    assert outcome(*differing, (3, "final", 5), graders=2) == Fraction(1, 2)
    assert outcome(*differing, (3, "final", 5), (1, "final", 6), graders=2) == Fraction(3, 5)
    assert outcome((1, "first", 3), (2, "final", 5)) == Fraction(1, 2)


def test_how_many_must_mark_is_what_the_first_was_told():
    changed = [*judged((1, "first", 3)), *judged((1, "first", 4), graders=2)]
    assert not isinstance(reconcile(changed), NeedsManualGrading)


def test_only_an_override_changes_a_computed_score():
    computed = score_by_share(1, 10)
    assert apply_grades(computed, judged((1, "first", 5))) == computed
    assert apply_grades(computed, ()) == computed
    overridden = apply_grades(computed, judged((1, "override", 5), (2, "override", 3)))
    assert isinstance(overridden, ItemScore)
    assert overridden.credit == Fraction(3, 10)
    assert [line.earned for line in overridden.ledger] == [Fraction(1, 10), Fraction(1, 5)]


def test_what_waits_for_persons_has_the_score_of_their_grades():
    waiting = NeedsManualGrading("marked_by_a_person")
    assert apply_grades(waiting, ()) == waiting
    graded = apply_grades(waiting, judged((1, "first", 4)))
    assert isinstance(graded, ItemScore)
    assert graded.credit == Fraction(2, 5)
