"""Every kind and scoring method has words; what is new here is called by its own name."""

import pytest

from grading.kinds import KINDS
from quizzes.presentation.messages import kinds


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_and_each_way_it_is_scored_has_a_name_and_a_sentence(kind):
    assert kind in kinds.KIND_LABELS
    assert kind in kinds.KIND_DESCRIPTIONS
    assert set(KINDS[kind].scoring_methods) <= set(kinds.SCORING_METHOD_LABELS)


def test_what_is_new_is_called_by_its_own_name():
    assert kinds.kind_label("hot_spot") == "Hot spot"
    assert kinds.scoring_method_label("by_eye") == "By eye"
    assert kinds.describe_kinds(["hot_spot"]) == [("hot_spot", "Hot spot", "")]
