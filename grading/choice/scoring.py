"""Marking chosen options: every option gets its line, so that "why 2/3?" has an answer."""

from dataclasses import dataclass
from fractions import Fraction

from grading.choice import ledger
from grading.choice.parsing import build_answer, in_order
from grading.choice.structure import NONE_APPLY, load_content, load_key
from grading.contract import (
    ONE,
    UNANSWERED,
    WITHDRAWN,
    ZERO,
    ItemScore,
    LedgerLine,
    build_withdrawn,
)
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import list_clamps
from grading.partial_credit import (
    OPTION_WEIGHTS,
    OptionCounts,
    credit_code,
    get_credit,
    sum_weights,
)

CAUSES = (ledger.MISSED, ledger.PARTLY_RIGHT_CHOSEN, ledger.WRONG_CHOSEN, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class ComparedChoice:
    """An answer beside what is offered and what is right; `none_apply` counts as one more part."""

    parts: tuple[str, ...]
    options: tuple[str, ...]  # what scoring methods count: the parts but for `none_apply`
    right: frozenset[str]
    counted: frozenset[str]
    withdrawn: tuple[str, ...]

    def reason(self, part: str) -> str:
        """Return the reason code of how this part was decided."""
        return ledger.REASONS[part in self.counted, part in self.right]

    def counts(self) -> OptionCounts:
        """Return the answer as counts."""
        hits = len(self.counted & self.right)
        right = len(self.right.intersection(self.options))
        return OptionCounts(len(self.options), right, hits, len(self.counted) - hits)


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the answer that chooses what is right, or 'none of these' where nothing is."""
    right = load_key(key).right
    return build_answer(in_order(load_content(content).options, right), none_apply=not right)


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    question, solved = load_content(content), load_key(key)
    chosen = _chosen(answer)
    parts = (*question.ids, NONE_APPLY) if question.none_apply else question.ids
    choice = ComparedChoice(
        parts,
        question.ids,
        solved.right or frozenset({NONE_APPLY}),
        chosen.intersection(parts),
        tuple(sorted(chosen.difference(parts))),
    )
    if not choice.counted:
        return _unanswered(choice)
    if NONE_APPLY in choice.counted | choice.right:
        return _none_apply(choice)
    if method == OPTION_WEIGHTS:
        return _by_weights(choice, solved.weights, question.lower_bound)
    return _by_counts(choice, method, question.lower_bound)


def _chosen(answer: Json) -> frozenset[str]:
    match answer:
        case None:
            return frozenset()
        case {"chosen": [], "none_apply": True}:
            return frozenset({NONE_APPLY})
        case {"chosen": [*listed], "none_apply": False}:
            chosen = frozenset(id_ for id_ in listed if isinstance(id_, str))
            if len(chosen) == len(listed):
                return chosen
    raise ValueError("not a canonical answer")


def _unanswered(choice: ComparedChoice) -> ItemScore:
    lines = [_line(choice, part, ZERO, UNANSWERED) for part in choice.parts]
    return _build_score(choice, ZERO, lines, [])


def _none_apply(choice: ComparedChoice) -> ItemScore:
    """Mark all or nothing, whatever the scoring method: 'none of these' is right or it is not."""
    credit = ONE if choice.counted == choice.right else ZERO
    return _build_score(choice, credit, _lines(choice, {NONE_APPLY: credit}), [])


def _by_weights(
    choice: ComparedChoice, weights: dict[str, Fraction], lower_bound: Fraction
) -> ItemScore:
    earned = [weights[part] for part in choice.counted]
    lines = [_weighted_line(choice, part, weights.get(part, ZERO)) for part in choice.parts]
    rules = list_clamps(sum(earned, ZERO), lower_bound)
    return _build_score(choice, sum_weights(earned, lower_bound), lines, rules)


def _weighted_line(choice: ComparedChoice, part: str, weight: Fraction) -> LedgerLine:
    """Return the line of an option; one that earns without being right is not wrong either."""
    chosen = part in choice.counted
    earned = weight if chosen else ZERO
    if weight <= 0 or part in choice.right:
        return _line(choice, part, earned, choice.reason(part))
    reason = ledger.PARTLY_RIGHT_CHOSEN if chosen else ledger.NOT_CHOSEN
    return LedgerLine(part, chosen, None, earned, reason)


def _by_counts(choice: ComparedChoice, method: str, lower_bound: Fraction) -> ItemScore:
    counts = choice.counts()
    rate, credit = ledger.list_rates(method, counts), get_credit(method, counts, lower_bound)
    earned = {part: rate.get(choice.reason(part), ZERO) for part in choice.options}
    rules = ledger.list_adjustments(method, counts, lower_bound)
    return _build_score(choice, credit, _lines(choice, earned), rules)


def _lines(choice: ComparedChoice, earned: dict[str, Fraction]) -> list[LedgerLine]:
    return [
        _line(choice, part, earned.get(part, ZERO), choice.reason(part)) for part in choice.parts
    ]


def _line(choice: ComparedChoice, part: str, earned: Fraction, reason: str) -> LedgerLine:
    return LedgerLine(part, part in choice.counted, part in choice.right, earned, reason)


def _build_score(
    choice: ComparedChoice, credit: Fraction, lines: list[LedgerLine], rules: list[LedgerLine]
) -> ItemScore:
    all_lines = (*lines, *build_withdrawn(choice.withdrawn), *rules)
    reasons = {line.reason for line in all_lines}
    causes = [cause for cause in CAUSES if cause in reasons]
    applied = [line.reason for line in rules if line.reason != ledger.START]
    code = credit_code(credit) if choice.counted else UNANSWERED
    return ItemScore(credit, all_lines, (code, *causes, *applied))
