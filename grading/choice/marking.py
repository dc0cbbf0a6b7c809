"""Marking chosen options: every option gets its line, so that "why 2/3?" has an answer."""

from dataclasses import dataclass
from fractions import Fraction

from grading.choice import rates
from grading.choice.reading import canonical, in_order
from grading.choice.structure import NONE_APPLY, solution, structure
from grading.contract import ONE, ZERO, ItemScore, LedgerLine
from grading.json_types import Answer, Content, Json, Key
from grading.partial import OPTION_WEIGHTS, Counts, credit, verdict, weighted

UNANSWERED = "unanswered"
WITHDRAWN = "withdrawn"
"""Chosen once, but the version now marked by no longer offers it."""
CAUSES = (rates.MISSED, rates.WRONG_CHOSEN, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer beside what is offered and what is right; `none_apply` counts as one more part."""

    parts: tuple[str, ...]
    options: tuple[str, ...]  # what scoring methods count: the parts but for `none_apply`
    right: frozenset[str]
    counted: frozenset[str]
    withdrawn: tuple[str, ...]

    def reason(self, part: str) -> str:
        """Return the reason code of how this part was decided."""
        return rates.REASONS[part in self.counted, part in self.right]

    def counts(self) -> Counts:
        """Return the answer as counts."""
        hits = len(self.counted & self.right)
        right = len(self.right.intersection(self.options))
        return Counts(len(self.options), right, hits, len(self.counted) - hits)


def model_answer(content: Content, key: Key) -> Answer:
    """Return the answer that chooses what is right, or 'none of these' where nothing is."""
    right = solution(key).right
    return canonical(in_order(structure(content).options, right), none_apply=not right)


def mark(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    question, solved = structure(content), solution(key)
    chosen = _chosen(answer)
    parts = (*question.ids, NONE_APPLY) if question.none_apply else question.ids
    choice = Choice(
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
        return _by_weights(choice, solved.weights)
    return _by_counts(choice, method)


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


def _unanswered(choice: Choice) -> ItemScore:
    lines = [_line(choice, part, ZERO, UNANSWERED) for part in choice.parts]
    return _mark(choice, ZERO, lines, [])


def _none_apply(choice: Choice) -> ItemScore:
    """Mark all or nothing, whatever the scoring method: 'none of these' is right or it is not."""
    due = ONE if choice.counted == choice.right else ZERO
    return _mark(choice, due, _lines(choice, {NONE_APPLY: due}), [])


def _by_weights(choice: Choice, weights: dict[str, Fraction]) -> ItemScore:
    earned = {part: weights[part] for part in choice.counted}
    due = weighted(earned.values())
    return _mark(choice, due, _lines(choice, earned), rates.clamped(sum(earned.values(), ZERO)))


def _by_counts(choice: Choice, method: str) -> ItemScore:
    counts = choice.counts()
    rate, due = rates.rates(method, counts), credit(method, counts)
    earned = {part: rate.get(choice.reason(part), ZERO) for part in choice.options}
    return _mark(choice, due, _lines(choice, earned), rates.adjusting(method, counts))


def _lines(choice: Choice, earned: dict[str, Fraction]) -> list[LedgerLine]:
    return [
        _line(choice, part, earned.get(part, ZERO), choice.reason(part)) for part in choice.parts
    ]


def _line(choice: Choice, part: str, earned: Fraction, reason: str) -> LedgerLine:
    return LedgerLine(part, part in choice.counted, part in choice.right, earned, reason)


def _mark(
    choice: Choice, due: Fraction, lines: list[LedgerLine], rules: list[LedgerLine]
) -> ItemScore:
    gone = [
        LedgerLine(part, chosen=True, right=None, earned=ZERO, reason=WITHDRAWN)
        for part in choice.withdrawn
    ]
    ledger = (*lines, *gone, *rules)
    reasons = {line.reason for line in ledger}
    causes = [cause for cause in CAUSES if cause in reasons]
    applied = [line.reason for line in rules if line.reason != rates.START]
    verdict_code = verdict(due) if choice.counted else UNANSWERED
    return ItemScore(due, ledger, (verdict_code, *causes, *applied))
