"""Gaps filled by lot: any option where there are some, whatever comes to mind elsewhere."""

from fractions import Fraction
from math import prod

from grading.blind.figures import Blind, credit
from grading.blind.typed import WHATEVER
from grading.contract import NOTHING, Content, Json, Key
from grading.gaps.marking import PER_GAP
from grading.gaps.structure import SINGLE_CHOICE, Gap, gaps, rows_of
from grading.partial import ALL_OR_NOTHING

KIND = "cloze"


def blind(content: Content, key: Key, scheme: str) -> Blind:
    """Give what filling every gap by lot earns: gaps are independent, so their means add up."""
    found = gaps(content)
    total = sum(gap.points for gap in found)
    means = [_mean(gap, content, key) for gap in found]
    lot = sum(means, NOTHING)
    if scheme == ALL_OR_NOTHING:
        lot = prod(
            (mean * total / gap.points for gap, mean in zip(found, means, strict=True)),
            start=Fraction(1),
        )
    return Blind(lot=lot, best=lot)


def _mean(gap: Gap, content: Content, key: Key) -> Fraction:
    """Give what this gap alone earns of the whole, filled by lot."""
    raws: tuple[Json, ...]
    if gap.kind == SINGLE_CHOICE:
        options = rows_of(content, {})[SINGLE_CHOICE][gap.id]
        raws = tuple({"chosen": [row["id"]]} for row in options)
    else:
        raws = WHATEVER[gap.kind]
    marks = [credit(KIND, content, key, {"gaps": {gap.id: raw}}, PER_GAP) for raw in raws]
    return sum((mark or NOTHING for mark in marks), NOTHING) / len(marks)
