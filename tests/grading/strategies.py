"""Questions with options, and answers to them, as Hypothesis draws them."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from grading.json_types import ratio_to_json
from grading.kinds import multiple_choice
from grading.partial_credit import OPTION_WEIGHTS

COUNTING = tuple(
    scoring_method
    for scoring_method in multiple_choice.scoring_methods
    if scoring_method != OPTION_WEIGHTS
)
FRACTIONS = st.fractions(min_value=0, max_value=1, max_denominator=60)


@dataclass(frozen=True)
class Drawn:
    """A multiple-choice question, the options chosen in it, and the scoring method."""

    ids: tuple[str, ...]
    right: frozenset[str]
    chosen: frozenset[str]
    none_apply: bool
    offered: bool
    scoring_method: str
    weights: dict[str, Fraction]

    def content(self, ids=None):
        options = [{"id": id_, "pinned": False} for id_ in ids or self.ids]
        return {"options": options, "none_apply": self.offered, "shuffle": True}

    @property
    def key(self):
        weights = {id_: ratio_to_json(weight) for id_, weight in self.weights.items()}
        return {"right": sorted(self.right), "weights": weights}

    @property
    def raw(self):
        return {"chosen": sorted(self.chosen, reverse=True), "none_apply": self.none_apply}

    @property
    def answered(self):
        return self.none_apply or bool(self.chosen)


@st.composite
def _weights(draw, ids, right):
    """Draw weights that pass the check: what is right adds up to one or more."""
    wrong = st.fractions(min_value=-1, max_value=Fraction(9, 10), max_denominator=12)
    weights = {id_: draw(FRACTIONS if id_ in right else wrong) for id_ in ids}
    if right and sum(weights[id_] for id_ in right) < 1:
        weights[min(right)] = Fraction(1)
    return weights


@st.composite
def drawn(draw, scoring_methods=multiple_choice.scoring_methods):
    ids = tuple(draw(st.permutations("abcdefg"[: draw(st.integers(2, 7))])))
    offered = draw(st.booleans())
    right = draw(st.frozensets(st.sampled_from(ids), min_size=0 if offered else 1))
    none_apply = offered and draw(st.booleans())
    chosen = frozenset() if none_apply else draw(st.frozensets(st.sampled_from(ids)))
    scoring_method = draw(st.sampled_from(scoring_methods))
    weights = draw(_weights(ids, right)) if scoring_method == OPTION_WEIGHTS else {}
    return Drawn(ids, right, chosen, none_apply, offered, scoring_method, weights)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["options", "id", "pinned", "right", "weights", "chosen", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
