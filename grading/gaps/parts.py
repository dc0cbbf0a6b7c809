"""Each gap with all that marks it, put together once for all the answers to a question."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.contract import ItemScore
from grading.gaps.families import FAMILIES, Family
from grading.gaps.structure import Gap, Rows, gaps, rows_of
from grading.json_types import Content, Json, Key


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One gap, its rows with their ids, and the key; `share` is what it can earn of the whole.

    Two parts are the same only if they are one: so marks can be remembered by it.
    """

    gap: Gap
    family: Family
    rows: Rows
    key: Key
    share: Fraction
    ids: frozenset[Json]

    def mark(self, answer: Json) -> ItemScore:
        """Mark an answer to this gap, as if it were all."""
        return self.family.mark(self.rows, self.key, answer)


def parts(content: Content, key: Key) -> tuple[Part, ...]:
    """Return each gap in the author's order; of unchecked content: ValueError."""
    return _parts(json.dumps([content, key]))


@lru_cache(maxsize=512)
def _parts(stored: str) -> tuple[Part, ...]:
    content, key = json.loads(stored)
    all_gaps = gaps(content)
    total, rows = sum(gap.points for gap in all_gaps), rows_of(content, key)
    return tuple(
        _part(gap, rows[gap.kind].get(gap.id, []), key, Fraction(gap.points, total))
        for gap in all_gaps
    )


def _part(gap: Gap, rows: Rows, key: Key, share: Fraction) -> Part:
    ids = frozenset(row.get("id") for row in rows)
    return Part(gap, FAMILIES[gap.kind], rows, key, share, ids)
