"""Answered options on a result page: right, partly right, wrong or missed."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from grading.kinds import KINDS
from quizzes.presentation.kinds import single_choice
from tests.question_factory import public_version, samples

WEIGHTED = next(
    sample for sample in samples() if (sample.kind, sample.name) == ("single_choice", "weighted")
)


def option_states(chosen: str, *, shows_key: bool) -> dict[str, str]:
    kind: Any = KINDS["single_choice"]
    answer = {"chosen": [chosen], "none_apply": False}
    item: Any = SimpleNamespace(
        answer=answer,
        ledger=kind.score(WEIGHTED.content, WEIGHTED.key, answer, "option_weights").ledger,
        solution=kind.correct_answer(WEIGHTED.content, WEIGHTED.key) if shows_key else None,
        feedback={},
        feedback_language="en",
        public_version=public_version(WEIGHTED),
        manifest_slot=SimpleNamespace(order=["best", "near", "far", "harmful"]),
    )
    with translation.override("en"):
        fragments = single_choice.build_review(item, "en").fragments["rows"]
    rows: list[Any] = [fragment.row for fragment in fragments]
    return dict(zip(item.manifest_slot.order, [row.state for row in rows], strict=True))


@pytest.mark.parametrize("shows_key", [True, False])
@pytest.mark.parametrize(
    ("chosen", "state"), [("best", "right"), ("near", "partly"), ("far", "wrong")]
)
def test_an_option_that_earned_a_part_is_never_called_wrong(chosen, state, shows_key):
    states = option_states(chosen, shows_key=shows_key)
    others = {id_: mark for id_, mark in states.items() if id_ not in {chosen, "best"}}
    assert states[chosen] == state
    assert set(others.values()) == {""}
