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
from grading.partial_credit import (
    ALL_OR_NOTHING,
    RIGHT_MINUS_WRONG,
    OptionCounts,
    credit_code,
    get_credit,
)

PER_PAIR = "per_pair"
SCORING_METHODS = (PER_PAIR, ALL_OR_NOTHING, RIGHT_MINUS_WRONG)

RIGHT_PAIR = "right_pair"
WRONG_PAIR = "wrong_pair"
NOT_PAIRED = "not_paired"
CAUSES = (NOT_PAIRED, WRONG_PAIR, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Pairing:
    """An answer beside the key: what became of each left, and which parts are gone since."""

    outcomes: Mapping[str, str]
    withdrawn: tuple[str, ...]

    @property
    def right(self) -> int:
        """The lefts that were paired rightly."""
        return sum(outcome == RIGHT_PAIR for outcome in self.outcomes.values())

    @property
    def wrong(self) -> int:
        """The lefts that were paired wrongly."""
        return sum(outcome == WRONG_PAIR for outcome in self.outcomes.values())

    @property
    def counts(self) -> OptionCounts:
        """The answer in numbers: each left has one right pair to be found."""
        lefts = len(self.outcomes)
        return OptionCounts(lefts, lefts, self.right, self.wrong)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the answer that pairs every left with its right."""
    return build_answer(load_content(content), load_pairs(key)) or {}


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    question = load_content(content)
    pairing = _pairing(question, load_pairs(key), _answer_pairs(answer))
    if not pairing.right + pairing.wrong:
        return _build_score(pairing, ZERO, {}, [])
    each = Fraction(1, len(pairing.outcomes))
    rates = {RIGHT_PAIR: each}
    if method == RIGHT_MINUS_WRONG:
        rates[WRONG_PAIR] = -each
        rules = list_clamps(each * (pairing.right - pairing.wrong), question.lower_bound)
    else:
        rules = _list_all_or_nothing(pairing, each) if method == ALL_OR_NOTHING else []
    if method == PER_PAIR:
        credit = each * pairing.right
    else:
        credit = get_credit(method, pairing.counts, question.lower_bound)
    return _build_score(pairing, credit, rates, rules)


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
    return Pairing(outcomes, tuple(sorted(withdrawn_ids)))


def _list_all_or_nothing(pairing: Pairing, each: Fraction) -> list[LedgerLine]:
    """Return the line that takes back what some right pairs earned."""
    if 0 < pairing.right < len(pairing.outcomes):
        return [build_rule("all_or_nothing", -each * pairing.right, "not_all_right")]
    return []


def _build_score(
    pairing: Pairing, credit: Fraction, rates: Mapping[str, Fraction], rules: list[LedgerLine]
) -> ItemScore:
    lines = [
        _line(left, outcome, rates.get(outcome, ZERO)) for left, outcome in pairing.outcomes.items()
    ]
    ledger = (*lines, *build_withdrawn(pairing.withdrawn), *rules)
    reasons = {line.reason for line in ledger}
    causes = [cause for cause in CAUSES if cause in reasons]
    code = UNANSWERED if UNANSWERED in reasons else credit_code(credit)
    return ItemScore(credit, ledger, (code, *causes, *(line.reason for line in rules)))


def _line(left: str, outcome: str, earned: Fraction) -> LedgerLine:
    """Return the line of a left part; one that was not paired is neither right nor wrong."""
    paired = outcome in {RIGHT_PAIR, WRONG_PAIR}
    return LedgerLine(left, paired, outcome == RIGHT_PAIR if paired else None, earned, outcome)
