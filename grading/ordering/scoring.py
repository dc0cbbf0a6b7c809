"""Marking an order: every item gets its line, and rules theirs where they change the sum.

Withdrawn items leave the learner's order and the others move up; an item that is new since the
answer has no place in it, and earns nothing.
"""

from fractions import Fraction

from grading.contract import UNANSWERED, ZERO, ItemScore, LedgerLine, build_withdrawn
from grading.json_types import Answer, Content, Json, Key
from grading.lower_bound import list_clamps, read_lower_bound
from grading.ordering.parsing import build_answer
from grading.ordering.scoring_methods import SCORERS, ComparedOrder, OrderScore
from grading.ordering.structure import ORDER, load_items, load_order, parse_ids, read_penalty
from grading.partial_credit import credit_code

NOT_PLACED = "not_placed"


def correct_answer(content: Content, key: Key) -> Answer:
    """Return the right order."""
    item_ids = set(load_items(content))
    return build_answer([id_ for id_ in load_order(key) if id_ in item_ids])


def score(content: Content, key: Key, answer: Json, method: str) -> ItemScore:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    answered_ids, item_ids, right_order = (
        _answer_order(answer),
        set(load_items(content)),
        load_order(key),
    )
    order = tuple(id_ for id_ in answered_ids if id_ in item_ids)
    withdrawn_lines = build_withdrawn(sorted(set(answered_ids) - item_ids))
    if not order:
        lines = [_unplaced(id_, UNANSWERED) for id_ in sorted(right_order)]
        return _build_score(ZERO, [*lines, *withdrawn_lines], UNANSWERED)
    penalty, lower_bound = read_penalty(content, []), read_lower_bound(content, [])
    order_score = SCORERS[method](ComparedOrder(order, right_order, penalty))
    clamps = list_clamps(order_score.credit, lower_bound)
    credit = max(order_score.credit, lower_bound)
    new_lines = [_unplaced(id_, NOT_PLACED) for id_ in sorted(set(right_order) - set(order))]
    return _build_score(
        credit,
        [*_lines(order, order_score), *new_lines, *withdrawn_lines, *order_score.rules, *clamps],
        credit_code(credit),
    )


def _answer_order(answer: Json) -> tuple[str, ...]:
    if answer is None:
        return ()
    if (
        isinstance(answer, dict)
        and answer.keys() == {ORDER}
        and (order := parse_ids(answer[ORDER]))
    ):
        return order
    raise ValueError("not a canonical answer")


def _lines(order: tuple[str, ...], order_score: OrderScore) -> list[LedgerLine]:
    """Return the lines of the items in the learner's order: any other would reveal the key."""
    return [
        LedgerLine(
            id_,
            chosen=True,
            right=id_ in order_score.right,
            earned=order_score.earned.get(id_, ZERO),
            reason=order_score.reasons[id_ in order_score.right],
        )
        for id_ in order
    ]


def _unplaced(id_: str, reason: str) -> LedgerLine:
    return LedgerLine(id_, chosen=False, right=None, earned=ZERO, reason=reason)


def _build_score(credit: Fraction, ledger: list[LedgerLine], code: str) -> ItemScore:
    """Build the mark; its reasons are the verdict and each cause once, in the ledger's order."""
    causes = dict.fromkeys(line.reason for line in ledger if line.right is not True)
    causes.pop(UNANSWERED, None)
    return ItemScore(credit, tuple(ledger), (code, *causes))
