"""Items of QTI 1.2 that are answered by pairing and by putting in order."""

from collections.abc import Sequence
from fractions import Fraction

from quizzes.formats.builders import (
    Head,
    add_row_feedback,
    build_matching,
    build_ordering,
    settle_wrong_order,
)
from quizzes.formats.builders.answer_settling import SourceMatching, settle_matching
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti12.conditions import RespCondition
from quizzes.formats.qti12.item import Qti12Item


def read_ordering(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build an order that one condition gives, value by value."""
    labels = item.responses[0].labels
    texts = {label.id: label.text for label in labels if label.text.strip()}
    if not all(label.text.strip() for label in labels):
        item.note("empty_option_left_out")
    conditions = item.scoring_conditions
    if not conditions:
        item.note_unknown_key()
        return build_ordering(head, list(texts.values()))
    first, *others = conditions
    cost = _read_cost(item, others)
    if len(first.clauses) != 1 or not first.points or first.points < 0:
        raise CustomScoring(first.line)
    fields, notes = settle_wrong_order(
        min(cost / first.points, Fraction(1)),
        item.min_score and item.min_score / first.points,
        line=item.node.line,
    )
    item.add_notes(notes)
    order = [
        test.operand for test in conditions[0].tests if test.must_hold and test.operator == "="
    ]
    if sorted(order) != sorted(texts):
        raise CustomScoring(conditions[0].line, " ".join(order))
    items = [texts[label] for label in order]
    return build_ordering(head, items, scoring_method="all_or_nothing", **fields)


def _read_cost(item: Qti12Item, conditions: Sequence[RespCondition]) -> Fraction:
    """Return the points that any other order costs, no answer excepted; else CustomScoring."""
    match conditions:
        case []:
            return Fraction(0)
        case [RespCondition(holds_always=True, points=Fraction() as points)] if (
            points < 0 and item.node.find(".//unanswered") is not None
        ):
            return -points
    raise CustomScoring(conditions[0].line)


def read_matching(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build pairs; rights without a left are distractors."""
    lefts = {response.id: response.text for response in item.responses if response.text}
    if len(lefts) < len(item.responses):
        item.note("empty_pair_left_out")
    rights = {label.id: label.text for response in item.responses for label in response.labels}
    is_together = len(item.scoring_conditions) == 1 < len(lefts)
    source = SourceMatching(lefts, rights, _read_points(item), together=is_together)
    settled, notes = settle_matching(source, line=item.node.line)
    key = settled.key
    if settled.scoring_method is None:
        raise CustomScoring(item.scoring_conditions[0].line)
    item.add_notes(notes)
    question = build_matching(
        head,
        [(text, rights.get(key.get(left, ""), "")) for left, text in lefts.items()],
        [text for text in rights.values() if text],
        points=item.scale_points(settled.points) if settled.points else (),
        scoring_method=settled.scoring_method,
    )
    feedback = {
        f"left-{number}": "\n\n".join(
            filter(
                None,
                (
                    item.join_feedback(condition.feedback)
                    for condition in item.conditions
                    if any(test.response == left for test in condition.tests)
                ),
            )
        )
        for number, left in enumerate(lefts, start=1)
    }
    return add_row_feedback(question, head.language, "lefts", feedback)


def _read_points(item: Qti12Item) -> list[tuple[str, str, Fraction]]:
    """Return the points of each pair that a condition tests, or raise CustomScoring."""
    conditions = item.scoring_conditions
    tests = [test for condition in conditions for test in condition.tests]
    if any(len(condition.clauses) != 1 for condition in conditions) or any(
        not test.must_hold or test.operator != "=" for test in tests
    ):
        raise CustomScoring(conditions[0].line)
    return [
        (test.response, test.operand, condition.points or Fraction(0))
        for condition in conditions
        for test in condition.tests
    ]
