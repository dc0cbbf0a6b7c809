"""Marking gaps: each is marked by its family, and counts by its points beside the others.

The ledger tells gap after gap: a line named by the gap says how it went, then come the lines of
its family, as shares of the whole.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.cloze.gap_kinds import GAP_KINDS
from grading.cloze.parts import GapPart, load_gap_parts
from grading.cloze.structure import GAP_WEIGHTS
from grading.contract import (
    ONE,
    UNANSWERED,
    WITHDRAWN,
    ZERO,
    ItemScore,
    LedgerLine,
    build_rule,
    build_withdrawn,
)
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import list_clamps, read_lower_bound
from grading.partial_credit import ALL_OR_NOTHING, credit_code

PER_GAP = "per_gap"
SCORING_METHODS = (PER_GAP, ALL_OR_NOTHING, GAP_WEIGHTS)

VERDICTS = frozenset({"full_credit", "partial_credit", "no_credit", "negative_credit", UNANSWERED})


@dataclass(frozen=True, slots=True)
class GapScore:
    """What became of one gap: its lines, and the causes that its family names."""

    lines: tuple[LedgerLine, ...]
    causes: tuple[str, ...] = ()
    answered: bool = True


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the model answer of each gap."""
    return {"gaps": {part.gap.id: part.correct_answer() for part in load_gap_parts(content, key)}}


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    answers, gap_parts = _answers_by_gap(answer), load_gap_parts(content, key)
    outcomes = [_score_part(part, json.dumps(answers.get(part.gap.id))) for part in gap_parts]
    withdrawn = answers.keys() - {part.gap.id for part in gap_parts}
    outcomes += [_withdraw(id_) for id_ in sorted(withdrawn)]
    lines = tuple(line for outcome in outcomes for line in outcome.lines)
    earned = sum((line.earned for line in lines if line.earned), ZERO)
    rules = _rules(method, earned, read_lower_bound(content, []))
    credit = earned + sum((line.earned for line in rules), ZERO)
    causes = dict.fromkeys(cause for outcome in outcomes for cause in outcome.causes)
    applied = (line.reason for line in rules)
    answered = any(outcome.answered for outcome in outcomes)
    code = credit_code(credit) if answered else UNANSWERED
    return ItemScore(credit, (*lines, *rules), (code, *causes, *applied))


def _answers_by_gap(answer: Json) -> Mapping[str, Json]:
    if answer is None:
        return {}
    answers = answer.get("gaps") if isinstance(answer, dict) else None
    if not isinstance(answers, dict) or not answers:
        raise ValueError("not a canonical answer")
    return answers


@lru_cache(maxsize=8192)
def _score_part(part: GapPart, stored: str) -> GapScore:
    """Mark one gap, once for all equal answers; `stored` is the answer as JSON."""
    answer = json.loads(stored)
    if answer is None:
        return GapScore((build_rule(part.gap.id, ZERO, UNANSWERED),), answered=False)
    if _form(answer) != part.family.answer_field:
        return _withdraw(part.gap.id)
    gap_score = part.score(answer)
    lines = (_verdict_line(part.gap.id, gap_score.credit), *_lines(part, gap_score))
    return GapScore(lines, tuple(reason for reason in gap_score.reasons if reason not in VERDICTS))


def _form(answer: Json) -> str:
    """Return the form of the family an answer is of: a gap may have been of another kind before."""
    forms = [family.answer_field for family in GAP_KINDS.values()]
    names = answer.keys() if isinstance(answer, dict) else ()
    matches = [form for form in forms if form in names]
    if len(matches) != 1:
        raise ValueError("not a canonical answer of a gap")
    return matches[0]


def _verdict_line(id_: str, credit: Fraction) -> LedgerLine:
    """Return the line of a gap; one that earns a part is neither right nor wrong."""
    if credit == ONE:
        return LedgerLine(id_, chosen=True, right=True, earned=ZERO, reason="gap_right")
    if credit > 0:
        return LedgerLine(id_, chosen=True, right=None, earned=ZERO, reason="gap_partly")
    return LedgerLine(id_, chosen=True, right=False, earned=ZERO, reason="gap_wrong")


def _lines(part: GapPart, gap_score: ItemScore) -> Iterator[LedgerLine]:
    """Yield the lines of the family as shares of the whole; what is no row's is the gap's."""
    for line in gap_score.ledger:
        part_id = line.part if line.part in part.ids else part.gap.id
        yield LedgerLine(part_id, line.chosen, line.right, line.earned * part.share, line.reason)


def _withdraw(id_: str) -> GapScore:
    return GapScore(tuple(build_withdrawn([id_])), (WITHDRAWN,), answered=False)


def _rules(method: str, earned: Fraction, lower_bound: Fraction) -> tuple[LedgerLine, ...]:
    if method == ALL_OR_NOTHING and earned not in {ZERO, ONE}:
        return (build_rule(ALL_OR_NOTHING, -earned, "not_all_right"),)
    return tuple(list_clamps(earned, lower_bound))
