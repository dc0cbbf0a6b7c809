"""Every kind and scoring method has words; what is new here is called by its own name."""

import pytest

from grading.kinds import KINDS
from quizzes.instructor.questions import draft_notes


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_and_each_way_it_is_scored_has_a_name_and_a_sentence(kind):
    assert kind in draft_notes.KINDS
    assert kind in draft_notes.ASKED
    assert set(KINDS[kind].scoring_methods) <= set(draft_notes.SCORING_METHODS)


def test_what_is_new_is_called_by_its_own_name():
    assert draft_notes.kind_name("hot_spot") == "Hot spot"
    assert draft_notes.scoring_method_label("by_eye") == "By eye"
    assert draft_notes.kinds_described(["hot_spot"]) == [("hot_spot", "Hot spot", "")]
