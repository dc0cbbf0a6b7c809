"""Each gap with all that marks it, put together once for all the answers to a question."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.cloze.gap_kinds import GAP_KINDS, GapKind
from grading.cloze.structure import Gap, Rows, load_gaps, load_rows
from grading.contract import ItemScore
from grading.json_types import Answer, Content, Json, Key


@dataclass(frozen=True, slots=True, eq=False)
class GapPart:
    """One gap, the question that its rows make, and their ids; `share`: what it can earn in all.

    Two parts are the same only if they are one: so marks can be remembered by it.
    """

    gap: Gap
    family: GapKind
    content: Content
    key: Key
    share: Fraction
    ids: frozenset[Json]

    def score(self, answer: Json) -> ItemScore:
        """Mark an answer to this gap, as if it were all."""
        return self.family.score(self.content, self.key, answer)

    def correct_answer(self) -> Answer:
        """Return the model answer of this gap."""
        return self.family.correct_answer(self.content, self.key)


def load_gap_parts(content: Content, key: Key) -> tuple[GapPart, ...]:
    """Return each gap in the author's order; of unchecked content: ValueError."""
    return _parts(json.dumps([content, key]))


@lru_cache(maxsize=512)
def _parts(stored: str) -> tuple[GapPart, ...]:
    content, key = json.loads(stored)
    all_gaps = load_gaps(content)
    total, rows = sum(gap.points for gap in all_gaps), load_rows(content, key)
    return tuple(
        _part(gap, rows[gap.kind].get(gap.id, []), key, Fraction(gap.points, total))
        for gap in all_gaps
    )


def _part(gap: Gap, rows: Rows, key: Key, share: Fraction) -> GapPart:
    ids = frozenset(row.get("id") for row in rows)
    family = GAP_KINDS[gap.kind]
    return GapPart(gap, family, *family.build_question(gap, rows, key), share, ids)
