"""Marking an order: every item gets its line, and rules theirs where they change the sum.

Withdrawn items leave the learner's order and the others move up; an item that is new since the
answer has no place in it, and earns nothing.
"""

from fractions import Fraction

from grading.contract import NOTHING, Answer, Content, Json, Key, Line, Mark
from grading.orders.reading import canonical
from grading.orders.schemes import PAY, Placed, Told
from grading.orders.structure import ORDER, ids_of, items, solved
from grading.partial import verdict

UNANSWERED = "unanswered"
NOT_PLACED = "not_placed"
WITHDRAWN = "withdrawn"


def model_answer(content: Content, key: Key) -> Answer:
    """Give the order that is looked for."""
    known = set(items(content))
    return canonical([id_ for id_ in solved(key) if id_ in known])


def mark(content: Content, key: Key, answer: Json, scheme: str) -> Mark:
    """Mark a canonical answer, or None for unanswered; an answer of another form: ValueError."""
    given, known, looked_for = _given(answer), set(items(content)), solved(key)
    order = tuple(id_ for id_ in given if id_ in known)
    gone = [
        Line(id_, chosen=True, right=None, earned=NOTHING, reason=WITHDRAWN)
        for id_ in sorted(set(given) - known)
    ]
    if not order:
        lines = [_unplaced(id_, UNANSWERED) for id_ in sorted(looked_for)]
        return _mark(NOTHING, [*lines, *gone], UNANSWERED)
    pay = PAY[scheme](Placed(order, looked_for))
    new = [_unplaced(id_, NOT_PLACED) for id_ in sorted(set(looked_for) - set(order))]
    return _mark(pay.credit, [*_lines(order, pay), *new, *gone, *pay.rules], verdict(pay.credit))


def _given(answer: Json) -> tuple[str, ...]:
    if answer is None:
        return ()
    if isinstance(answer, dict) and answer.keys() == {ORDER} and (order := ids_of(answer[ORDER])):
        return order
    raise ValueError("not a canonical answer")


def _lines(order: tuple[str, ...], pay: Told) -> list[Line]:
    """Give the lines of the items in the learner's order: any other would tell of the key."""
    return [
        Line(
            id_,
            chosen=True,
            right=id_ in pay.right,
            earned=pay.earned.get(id_, NOTHING),
            reason=pay.reasons[id_ in pay.right],
        )
        for id_ in order
    ]


def _unplaced(id_: str, reason: str) -> Line:
    return Line(id_, chosen=False, right=None, earned=NOTHING, reason=reason)


def _mark(due: Fraction, ledger: list[Line], said: str) -> Mark:
    """Name beside the verdict what cost something: each cause once, in the ledger's order."""
    causes = dict.fromkeys(line.reason for line in ledger if line.right is not True)
    causes.pop(UNANSWERED, None)
    return Mark(due, tuple(ledger), (said, *causes))
