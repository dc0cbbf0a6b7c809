"""Items of QTI 1.2 that are answered by choosing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from quizzes.formats.builders import Head, Option, build_choice, build_true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.qti.assessment_item import CustomScoring, compute_credit
from quizzes.formats.qti12.conditions import RespCondition
from quizzes.formats.qti12.item import Qti12Item, ResponseLabel

_ROUNDING = Fraction(1, 1000)
Weights = Mapping[str, Fraction]


def read_single_choice(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build a choice of one; each option earns what the conditions give to it."""
    labels = item.read_labels(item.responses[0])
    points = {label.id: _compute_points(item, label.id) for label in labels}
    full = max(points.values(), default=Fraction(0))
    weights = {}
    if full <= 0:
        item.note_unknown_key()
    else:
        weights = {label: compute_credit(earned, full) for label, earned in points.items()}
    if sum(weight == 1 for weight in weights.values()) > 1:
        item.note("several_right_options")
        weights = {}
    return _build_choice(item, head, labels, weights, many=False)


def read_true_false(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build a statement if the two options mean true and false, else a choice."""
    labels = {
        truth: label
        for label in item.read_labels(item.responses[0])
        if (truth := _parse_boolean(label)) is not None
    }
    points = {truth: _compute_points(item, label.id) for truth, label in labels.items()}
    if len(item.responses[0].labels) != 2 or len(labels) != 2 or len({*points.values()}) == 1:  # noqa: PLR2004
        return read_single_choice(item, head)
    feedback = {truth: item.find_feedback(label.id) for truth, label in labels.items()}
    words = labels[True].text, labels[False].text
    return build_true_false(
        head, right=points[True] > points[False], feedback=feedback, words=words
    )


def _parse_boolean(label: ResponseLabel) -> bool | None:
    """Return what an option means, by its text, else by its identifier."""
    truth = parse_boolean(label.text, letters=True)
    return parse_boolean(label.id, letters=True) if truth is None else truth


def read_multiple_choice(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Build a choice of several: scored as a whole, or by the option."""
    labels = item.read_labels(item.responses[0])
    conditions = item.scoring_conditions
    if not conditions:
        item.note_unknown_key()
        return _build_choice(item, head, labels, {}, many=True)
    if len(conditions) == 1 and len(conditions[0].clauses) == 1 < len(conditions[0].tests):
        return _read_all_or_nothing(item, head, labels, conditions[0])
    points = _read_points(conditions)
    full = sum((earned for earned in points.values() if earned > 0), Fraction(0))
    if full <= 0:
        raise CustomScoring(conditions[0].line)
    if max(points.values()) <= item.max_score < full:
        full = item.max_score
    weights = _level(
        {label.id: compute_credit(points.get(label.id, Fraction(0)), full) for label in labels}
    )
    is_whole = item.metadata.get("scoring_algorithm", "").lower() == "allornothing"
    scoring_method = "all_or_nothing" if is_whole else ""
    return _build_choice(item, head, labels, weights, many=True, scoring_method=scoring_method)


def _read_all_or_nothing(
    item: Qti12Item, head: Head, labels: Sequence[ResponseLabel], condition: RespCondition
) -> ParsedQuestion:
    right = {test.operand for test in condition.tests if test.expected}
    options = {label.id for label in labels} - {none_of_the_above.IDENTIFIER}
    if {test.operand for test in condition.tests} < options:
        item.note("options_not_in_rule", line=condition.line)
    weights = {label.id: Fraction(label.id in right) for label in labels}
    return _build_choice(
        item,
        head,
        labels,
        weights,
        many=True,
        scoring_method="all_or_nothing",
        none_apply=not right,
    )


def _read_points(conditions: Sequence[RespCondition]) -> Weights:
    """Return what each option adds, or raise CustomScoring if a condition asks for more."""
    points: dict[str, Fraction] = {}
    for condition in conditions:
        match condition.clauses:
            case ((test,),) if test.expected and test.operator == "=" and not condition.always:
                earned = condition.points or Fraction(0)
                points[test.operand] = points.get(test.operand, Fraction(0)) + earned
            case _:
                raise CustomScoring(condition.line)
    return points


def _level(weights: Weights) -> Weights:
    """Return the weights, equal where only rounding made the right ones unequal."""
    right = [weight for weight in weights.values() if weight > 0]
    share = Fraction(1, len(right) or 1)
    if any(abs(weight - share) >= _ROUNDING for weight in right):
        return weights
    return {label: share if weight > 0 else weight for label, weight in weights.items()}


def _build_choice(  # noqa: PLR0913  as builders.choice
    item: Qti12Item,
    head: Head,
    labels: Sequence[ResponseLabel],
    weights: Weights,
    *,
    many: bool,
    scoring_method: str = "",
    none_apply: bool = False,
) -> ParsedQuestion:
    response = item.responses[0]
    is_multiple = response.cardinality == "multiple"
    options = [
        Option(
            label.text,
            right=weights.get(label.id, 0) > 0 if is_multiple else weights.get(label.id) == 1,
            weight=weights.get(label.id),
            feedback=item.find_feedback(label.id),
            pinned=label.pinned,
            line=label.line,
        )
        for label in labels
        if label.id != none_of_the_above.IDENTIFIER
    ]
    return build_choice(
        head,
        options,
        many=many,
        scoring_method=scoring_method,
        shuffle=response.is_shuffled(
            default=many or not weights or "question_type" in item.metadata
        ),
        none_apply=none_apply or len(options) < len(labels),
    )


def _compute_points(item: Qti12Item, label: str) -> Fraction:
    """Return what choosing one option earns, condition by condition."""
    response = item.responses[0].id
    earned, any_holds = Fraction(0), False
    for condition in item.conditions:
        holds = any(
            all(
                test.response == response and (test.operand == label) == test.expected
                for test in clause
            )
            for clause in condition.clauses
        )
        if condition.points is None or not (holds or (condition.always and not any_holds)):
            continue
        any_holds = True
        earned = condition.points if condition.sets_score else earned + condition.points
        if condition.stops:
            break
    return earned
