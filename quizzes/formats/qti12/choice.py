"""Items of QTI 1.2 that are answered by choosing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    compute_full_points,
    exceeds_weights,
    share_points,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti.choice import OptionShares
from quizzes.formats.qti12.conditions import RespCondition
from quizzes.formats.qti12.item import Qti12Item, ResponseLabel

Weights = Mapping[str, Fraction]


def read_single_choice(
    item: Qti12Item, head: Head, truths: Sequence[bool | None] = ()
) -> ParsedQuestion:
    """Read a choice of one; each option earns what the conditions give to it."""
    labels = item.responses[0].labels
    points = {label.id: _compute_points(item, label.id) for label in labels}
    item.note_maximum(points.values())
    return _settle(item, head, _share_points(item, points, many=False), many=False, truths=truths)


def read_true_false(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Read a statement if the two options mean true and false, else a choice."""
    truths = [_parse_boolean(label) for label in item.responses[0].labels if label.text.strip()]
    return read_single_choice(item, head, truths)


def _parse_boolean(label: ResponseLabel) -> bool | None:
    """Return whether an option means true or false, by its text, else by its identifier."""
    truth = parse_boolean(label.text, letters=True)
    return parse_boolean(label.id, letters=True) if truth is None else truth


def read_multiple_choice(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Read a choice of several: scored as a whole, or by the option."""
    labels = item.responses[0].labels
    conditions = item.scoring_conditions
    if not conditions:
        return _settle(item, head, OptionShares({}), many=True)
    if len(conditions) == 1 and len(conditions[0].clauses) == 1 < len(conditions[0].tests):
        tests = conditions[0].tests
        right = {test.operand for test in tests if test.must_hold}
        options = {label.id for label in labels if label.text.strip()} - {
            none_of_the_above.IDENTIFIER
        }
        if {test.operand for test in tests} < options:
            item.note("options_not_in_rule", line=conditions[0].line)
        weights = {label.id: Fraction(label.id in right) for label in labels}
        shares = OptionShares(weights, is_whole=True)
        return _settle(item, head, shares, many=True, none_apply=not right)
    points = {**{label.id: Fraction(0) for label in labels}, **_read_points(conditions)}
    is_reachable = max(points.values()) <= item.max_score
    if item.max_score and not is_reachable:
        item.note("maximum_score_ignored", line=conditions[0].line)
    maximum = item.max_score if is_reachable else None
    shares = _share_points(item, points, many=True, maximum=maximum)
    if not shares.weights:
        raise CustomScoring(conditions[0].line)
    is_whole = item.metadata.get("scoring_algorithm", "").lower() == "allornothing"
    return _settle(item, head, replace(shares, is_whole=is_whole), many=True)


def _share_points(
    item: Qti12Item, points: Weights, *, many: bool, maximum: Fraction | None = None
) -> OptionShares:
    """Return what each option earns of everything, and the least that an answer may."""
    full, lower = compute_full_points(points, many=many, maximum=maximum), item.min_score
    if exceeds_weights(points, full, None if many else lower):
        item.note("cost_limited")
    weights = share_points(points, many=many, maximum=maximum)
    return OptionShares(weights, lower_bound=lower and lower / (full or 1))


def _read_points(conditions: Sequence[RespCondition]) -> Weights:
    """Return what each option adds, or raise CustomScoring if a condition asks for more.

    One that undoes what those before it added, or keeps those after it from adding, does.
    """
    points: dict[str, Fraction] = {}
    for condition in conditions:
        is_first, is_last = condition is conditions[0], condition is conditions[-1]
        if (condition.sets_score and not is_first) or (condition.stops and not is_last):
            raise CustomScoring(condition.line)
        match condition.clauses:
            case ((test,),) if (
                test.must_hold and test.operator == "=" and not condition.holds_always
            ):
                earned = condition.points or Fraction(0)
                points[test.operand] = points.get(test.operand, Fraction(0)) + earned
            case _:
                raise CustomScoring(condition.line)
    return points


def _settle(  # noqa: PLR0913  as SourceChoice
    item: Qti12Item,
    head: Head,
    shares: OptionShares,
    *,
    many: bool,
    none_apply: bool = False,
    truths: Sequence[bool | None] = (),
) -> ParsedQuestion:
    response, weights = item.responses[0], shares.weights
    if not weights:
        item.note_unknown_key()
    options = [
        Option(
            label.text,
            weight=weights.get(label.id),
            feedback=item.find_feedback(label.id),
            pinned=label.pinned,
            line=label.line,
        )
        for label in response.labels
        if label.id != none_of_the_above.IDENTIFIER
    ]
    is_shuffled = many or not weights or item.is_canvas
    source = SourceChoice(
        options,
        many=many,
        scoring_method="all_or_nothing" if shares.is_whole else "",
        shuffle=response.is_shuffled(default=is_shuffled),
        none_apply=none_apply or len(options) < len(response.labels),
        truths=truths,
        keeps_words=True,
        drops_empty=True,
        lower_bound=shares.lower_bound,
    )
    return item.settle_choice(head, source)


def _compute_points(item: Qti12Item, label: str) -> Fraction:
    """Return what choosing one option earns, condition by condition."""
    response = item.responses[0].id
    earned, any_holds = Fraction(0), False
    for condition in item.conditions:
        holds = any(
            all(
                test.response == response and (test.operand == label) == test.must_hold
                for test in clause
            )
            for clause in condition.clauses
        )
        if condition.points is None or not (holds or (condition.holds_always and not any_holds)):
            continue
        any_holds = True
        earned = condition.points if condition.sets_score else earned + condition.points
        if condition.stops:
            break
    return earned
