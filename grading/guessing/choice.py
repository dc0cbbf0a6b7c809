"""Options ticked by lot: which ones does not matter, only how many are right and how they weigh."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod

from grading.choice.parsing import build_answer
from grading.choice.structure import NONE_APPLY, load_content, load_key
from grading.guessing.guess_score import UNKNOWN, GuessScore, score_answer
from grading.json_types import Content, Json, Key, ratio_to_json
from grading.lower_bound import LOWER_BOUND
from grading.partial_credit import OPTION_WEIGHTS

MAX_ANSWERS = 4096
"""So many answers that differ in what they earn are tried; of more, nothing is known."""

ONE_ONLY = frozenset({"single_choice", "true_false"})

OptionType = tuple[bool, Fraction | None]
"""All that tells two options apart in a mark: whether it is right, and what it weighs."""


def score_guesses(kind: str, content: Content, key: Key, method: str) -> GuessScore:
    """Return what ticking earns: every option, random options, the best number of options."""
    question, solved = load_content(content), load_key(key)
    weights = solved.weights if method == OPTION_WEIGHTS else {}
    sorts = sorted(
        ((id_ in solved.right, weights.get(id_)) for id_ in question.ids),
        key=lambda sort: (sort[0], sort[1] or Fraction(0)),
    )
    return _compute(
        kind, tuple(sorts), method, question.lower_bound, none_apply=question.none_apply
    )


@lru_cache(maxsize=4096)
def _compute(
    kind: str,
    sorts: tuple[OptionType, ...],
    method: str,
    lower_bound: Fraction,
    *,
    none_apply: bool,
) -> GuessScore:
    """Compute once for all questions whose options differ only in their texts."""
    groups = Counter(sorts)
    if prod(many + 1 for many in groups.values()) > MAX_ANSWERS:
        return UNKNOWN
    most = 1 if kind in ONE_ONLY else len(sorts)
    ways, sums = Counter[int](), defaultdict[int, Fraction](Fraction)
    content, key = _question(sorts, lower_bound, none_apply=none_apply)
    for tick_counts in _list_tick_counts(tuple(groups.values()), most):
        size = sum(tick_counts)
        chances = prod(comb(many, n) for many, n in zip(groups.values(), tick_counts, strict=True))
        answer = build_answer(_ids(groups, tick_counts), none_apply=False)
        ways[size] += chances
        sums[size] += chances * score_answer(kind, content, key, answer, method)
    everything = sums[most] if most > 1 else None
    if none_apply:  # as good a guess as any one option
        ways[1] += 1
        sums[1] += score_answer(kind, content, key, build_answer([], none_apply=True), method)
    lot = sum(sums.values(), Fraction(0)) / ways.total()
    return GuessScore(everything, lot, max(sums[size] / ways[size] for size in ways))


def _question(
    sorts: Sequence[OptionType], lower_bound: Fraction, *, none_apply: bool
) -> tuple[Content, Key]:
    """Return a question with such options, their positions as ids."""
    ids = [str(n) for n in range(len(sorts))]
    options: list[Json] = [{"id": id_} for id_ in ids]
    right: list[Json] = [id_ for id_, (is_right, _) in zip(ids, sorts, strict=True) if is_right]
    weights: dict[str, Json] = {
        id_: ratio_to_json(weight)
        for id_, (_, weight) in zip(ids, sorts, strict=True)
        if weight is not None
    }
    key: Key = {"right": right, "weights": weights} if weights else {"right": right}
    bound = ratio_to_json(lower_bound)
    return {"options": options, NONE_APPLY: none_apply, LOWER_BOUND.name: bound}, key


def _list_tick_counts(groups: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Yield how many options of each group may be ticked: every way, with at least one in all."""
    for tick_counts in product(*(range(many + 1) for many in groups)):
        if 1 <= sum(tick_counts) <= most:
            yield tick_counts


def _ids(groups: Counter[OptionType], tick_counts: Sequence[int]) -> list[str]:
    """Return the ids of the first options of each group, as many as are ticked."""
    ids, begin = list[str](), 0
    for many, n in zip(groups.values(), tick_counts, strict=True):
        ids += [str(begin + at) for at in range(n)]
        begin += many
    return ids
