"""Gaps filled by lot: any option where there are some, whatever comes to mind elsewhere."""

from fractions import Fraction
from functools import lru_cache
from math import prod

from grading.choice.structure import parse_key
from grading.cloze.scoring import PER_GAP
from grading.cloze.structure import (
    OPTIONS,
    SHORT_TEXT,
    SINGLE_CHOICE,
    TABLES,
    Gap,
    Rows,
    load_gaps,
    load_rows,
)
from grading.contract import ONE, ZERO
from grading.guessing.guess_score import GuessScore, score_raw_answer
from grading.guessing.text_entry import MEANINGLESS_ANSWERS, accepts_more_than_words
from grading.json_types import Content, Key, ratio_to_json
from grading.lower_bound import LOWER_BOUND, read_lower_bound
from grading.partial_credit import ALL_OR_NOTHING

KIND = "cloze"
ID = "gap"
"""Of the only gap of a text made to try one."""


def score_guesses(content: Content, key: Key, method: str) -> GuessScore:
    """Return what random filling of every gap earns: gaps are independent, so the means add up.

    Where gaps cost points, the lower bound of a question lifts some fillings: then the mean is a
    little higher than what is returned.
    """
    all_gaps, rows = load_gaps(content), load_rows(content, key)
    means = [_mean(gap, content, rows[gap.kind][gap.id], key) for gap in all_gaps]
    if method == ALL_OR_NOTHING:
        lot = prod(means, start=Fraction(1))
    else:
        total = sum(gap.points for gap in all_gaps)
        lot = sum((mean * gap.points for gap, mean in zip(all_gaps, means, strict=True)), ZERO)
        lot = max(lot / total, read_lower_bound(content, []))
    return GuessScore(random_guess=lot, best_guess=lot)


def _mean(gap: Gap, content: Content, rows: Rows, key: Key) -> Fraction:
    """Return the mean share that a randomly filled gap earns."""
    if gap.kind == SINGLE_CHOICE:
        return _by_lot(_list_weights(rows, key))
    if gap.kind == SHORT_TEXT and not accepts_more_than_words(list(rows)):
        return ZERO
    lone_gap = {"id": ID, "placeholder": ID, "kind": gap.kind, **gap.comparison}
    alone = {"gaps": [lone_gap], OPTIONS: []}
    gap_key = {**key, TABLES[gap.kind]: [{**row, "gap": ID} for row in rows]}
    return _filled(gap.kind, {**content, **alone}, gap_key)


def _list_weights(rows: Rows, key: Key) -> tuple[Fraction, ...]:
    """Return what each option of a gap earns: without weights, one of them earns everything."""
    weights = parse_key({"right": [], "weights": key.get("weights", {})})[0].weights
    listed = [weights.get(str(row["id"])) for row in rows]
    if any(weight is None for weight in listed):
        return (ONE, *[ZERO] * (len(rows) - 1))
    return tuple(weight for weight in listed if weight is not None)


@lru_cache(maxsize=256)
def _by_lot(weights: tuple[Fraction, ...]) -> Fraction:
    """Return the mean of choosing any of the options that earn these."""
    ids = [str(n) for n in range(len(weights))]
    content: Content = {
        "gaps": [{"id": ID, "placeholder": ID, "kind": SINGLE_CHOICE}],
        OPTIONS: [{"id": id_, "gap": ID} for id_ in ids],
        LOWER_BOUND.name: [-1, 1],
    }
    listed = {id_: ratio_to_json(weight) for id_, weight in zip(ids, weights, strict=True)}
    key: Key = {"right": ids[:1], "weights": listed}
    raws = [{"gaps": {ID: {"chosen": [id_]}}} for id_ in ids]
    marks = [score_raw_answer(KIND, content, key, raw, PER_GAP) or ZERO for raw in raws]
    return sum(marks, ZERO) / len(marks)


def _filled(kind: str, content: Content, key: Key) -> Fraction:
    """Return the mean of typing meaningless texts into the only gap."""
    raws = [{"gaps": {ID: raw}} for raw in MEANINGLESS_ANSWERS[kind]]
    marks = [score_raw_answer(KIND, content, key, raw, PER_GAP) or ZERO for raw in raws]
    return sum(marks, ZERO) / len(marks)
