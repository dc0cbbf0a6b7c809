"""Marking pairs: every left part gets its line, and rules theirs where they change the sum."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import (
    UNANSWERED,
    WITHDRAWN,
    ZERO,
    ItemScore,
    LedgerLine,
    build_rule,
    build_withdrawn,
)
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import list_clamps
from grading.matching.parsing import build_answer
from grading.matching.structure import PAIRS, Sides, load_content, load_pairs, parse_pairs
from grading.partial_credit import ALL_OR_NOTHING, RIGHT_MINUS_WRONG, credit_code

PER_PAIR = "per_pair"
SCORING_METHODS = (PER_PAIR, ALL_OR_NOTHING, RIGHT_MINUS_WRONG)

RIGHT_PAIR = "right_pair"
WRONG_PAIR = "wrong_pair"
NOT_PAIRED = "not_paired"
CAUSES = (NOT_PAIRED, WRONG_PAIR, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Pairing:
    """An answer beside the key: what became of each left, and which parts are gone since.

    `shares`: what the pair of each left counts.
    """

    outcomes: Mapping[str, str]
    withdrawn: tuple[str, ...]

    shares: Mapping[str, Fraction]

    def sum_shares(self, outcome: str) -> Fraction:
        """Return the part of all points that the lefts of this outcome count."""
        return sum((self.shares[left] for left in self._list_lefts(outcome)), ZERO)

    def _list_lefts(self, outcome: str) -> list[str]:
        return [left for left, other in self.outcomes.items() if other == outcome]


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the answer that pairs every left with its right."""
    return build_answer(load_content(content), load_pairs(key)) or {}


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    question = load_content(content)
    pairing = _pairing(question, load_pairs(key), _answer_pairs(answer))
    right, wrong = pairing.sum_shares(RIGHT_PAIR), pairing.sum_shares(WRONG_PAIR)
    if not right + wrong:
        return _build_score(pairing, {}, [])
    signs, rules = {RIGHT_PAIR: 1}, list[LedgerLine]()
    if method == RIGHT_MINUS_WRONG:
        signs[WRONG_PAIR] = -1
        rules = list_clamps(right - wrong, question.lower_bound)
    elif method == ALL_OR_NOTHING and 0 < right < 1:
        rules = [build_rule("all_or_nothing", -right, "not_all_right")]
    elif method not in SCORING_METHODS:
        raise ValueError("no such scoring_method")
    return _build_score(pairing, signs, rules)


def _answer_pairs(answer: Json) -> dict[str, str]:
    if answer is None:
        return {}
    if (
        isinstance(answer, dict)
        and answer.keys() == {PAIRS}
        and (pairs := parse_pairs(answer[PAIRS]))
    ):
        return pairs
    raise ValueError("not a canonical answer")


def _pairing(question: Sides, key: Mapping[str, str], pairs: Mapping[str, str]) -> Pairing:
    lefts, rights = set(question.lefts), set(question.rights)
    valid_pairs = {
        left: right for left, right in pairs.items() if left in lefts and right in rights
    }
    withdrawn_ids = {
        right if left in lefts else left for left, right in pairs.items() if left not in valid_pairs
    }
    rest = NOT_PAIRED if valid_pairs else UNANSWERED
    outcomes = {
        left: (RIGHT_PAIR if valid_pairs[left] == key[left] else WRONG_PAIR)
        if left in valid_pairs
        else rest
        for left in question.lefts
    }
    return Pairing(outcomes, tuple(sorted(withdrawn_ids)), question.shares)


def _build_score(pairing: Pairing, signs: Mapping[str, int], rules: list[LedgerLine]) -> ItemScore:
    """Return the score: each pair counts its share, by the sign of its outcome."""
    lines = [
        _line(left, outcome, pairing.shares[left] * signs.get(outcome, 0))
        for left, outcome in pairing.outcomes.items()
    ]
    ledger = (*lines, *build_withdrawn(pairing.withdrawn), *rules)
    credit = sum((line.earned for line in ledger), ZERO)
    reasons = {line.reason for line in ledger}
    causes = [cause for cause in CAUSES if cause in reasons]
    code = UNANSWERED if UNANSWERED in reasons else credit_code(credit)
    return ItemScore(credit, ledger, (code, *causes, *(line.reason for line in rules)))


def _line(left: str, outcome: str, earned: Fraction) -> LedgerLine:
    """Return the line of a left part; one that was not paired is neither right nor wrong."""
    paired = outcome in {RIGHT_PAIR, WRONG_PAIR}
    return LedgerLine(left, paired, outcome == RIGHT_PAIR if paired else None, earned, outcome)
