"""Every kind and scoring method has words; what is new here is called by its own name."""

import pytest

from grading.kinds import KINDS
from quizzes.bank.admin import sayings


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_and_each_way_it_is_scored_has_a_name_and_a_sentence(kind):
    assert kind in sayings.KINDS
    assert kind in sayings.ASKED
    assert set(KINDS[kind].scoring_methods) <= set(sayings.SCORING_METHODS)


def test_what_is_new_is_called_by_its_own_name():
    assert sayings.kind_name("hot_spot") == "Hot spot"
    assert sayings.scoring_method_label("by_eye") == "By eye"
    assert sayings.kinds_described(["hot_spot"]) == [("hot_spot", "Hot spot", "")]
