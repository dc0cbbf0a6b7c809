"""Items of QTI 1.2 that are answered in words and numbers."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders import (
    END_BLANKS_IGNORED,
    Accepted,
    Head,
    Number,
    are_end_blanks_ignored,
    build_essay,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    settle_lower_bound,
)
from quizzes.formats.builders.answer_settling import settle_credits, settle_texts
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.numbers import build_tolerance, format_number, parse_number
from quizzes.formats.qti.assessment_item import CustomScoring, compute_credit, escape_accepted
from quizzes.formats.qti.text_entry import build_pattern
from quizzes.formats.qti12.condition_order import order_by_precedence
from quizzes.formats.qti12.conditions import RespCondition
from quizzes.formats.qti12.item import Qti12Item, Qti12Response


def read_short_text(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Read a short text, or an essay where nothing gives points; only case is ignored."""
    if not item.scoring_conditions and item.metadata.get("question_type", "essay") == "essay":
        return build_essay(head)
    accepted = read_accepted(item, item.responses[0])
    comparison = read_comparison(item, item.responses[0])
    return build_short_text(head, accepted, **comparison, **_settle_bound(item, accepted))


def read_number(item: Qti12Item, head: Head) -> ParsedQuestion:
    """Read a number, exact or within bounds."""
    numbers = read_numbers(item, item.responses[0])
    return build_numeric(head, numbers, bound=_settle_bound(item, numbers))


def _settle_bound(item: Qti12Item, answers: Sequence[Accepted | Number]) -> dict[str, Json]:
    """Return how far below zero an answer takes the score, as far as the file says; it is noted."""
    least = min((answer.credit for answer in answers if answer.credit < 0), default=Fraction(0))
    points = [condition.points or Fraction(0) for condition in item.scoring_conditions]
    item.note_maximum(points)
    lower = item.min_score and item.min_score / (max(points, default=Fraction(0)) or 1)
    bound, notes = settle_lower_bound(least, lower, line=item.node.line)
    item.add_notes(notes)
    return bound


def is_case_sensitive(item: Qti12Item, response: Qti12Response) -> bool:
    """Return whether a test of a response that gives points distinguishes case."""
    tests = (test for condition in item.scoring_conditions for test in condition.tests)
    return any(test.case for test in tests if test.response == response.id)


def read_comparison(item: Qti12Item, response: Qti12Response) -> dict[str, str]:
    """Return how words are compared in a response; blanks around them count unless Canvas trims.

    Around what is typed they do so here only where they are asked for, which a note says.
    """
    tests = (test for condition in item.scoring_conditions for test in condition.tests)
    texts = [test.typed for test in tests if test.response == response.id and not item.is_canvas]
    if are_end_blanks_ignored(texts):
        item.note(END_BLANKS_IGNORED)
    return build_strict_comparison(case=is_case_sensitive(item, response), texts=texts)


def read_accepted(item: Qti12Item, response: Qti12Response) -> Sequence[Accepted]:
    """Return the accepted answers of a response; patterns where case counts for some only."""
    accepted, case = list[Accepted](), is_case_sensitive(item, response)
    for condition, credit in _read_credits(item, response):
        for clause in condition.clauses:
            tests = [test for test in clause if test.response == response.id]
            if len(tests) != 1 or not tests[0].must_hold or tests[0].operator not in {"=", "in"}:
                raise CustomScoring(condition.line)
            typed = tests[0].operand if item.is_canvas else tests[0].typed
            if typed:
                is_pattern = case and not tests[0].case
                text = build_pattern(typed) if is_pattern else escape_accepted(typed)
                if tests[0].operator == "in":
                    text = f".*{text}.*" if is_pattern else f"*{text}*"
                feedback = item.find_feedback(tests[0].operand, response.id)
                accepted.append(Accepted(text, credit, feedback, is_pattern))
    settled, _, notes = settle_texts(accepted, line=item.node.line, case=case)
    item.add_notes(notes)
    return settled


def read_numbers(item: Qti12Item, response: Qti12Response) -> Sequence[Number]:
    """Return the accepted numbers of a response."""
    numbers: dict[tuple[str, str, str], Number] = {}
    for condition, credit in _read_credits(item, response):
        number, bounds = _read_bounds(item, condition, response)
        if bounds:
            tolerance, text, margin = build_tolerance(number, *bounds)
        else:
            tolerance, text, margin = "exact", format_number(number or Fraction(0)), ""
        feedback = item.join_feedback(condition.feedback)
        accepted = Number(text, tolerance, margin, credit, feedback)
        numbers.setdefault((text, tolerance, margin), accepted)
    settled, notes = settle_credits(list(numbers.values()), line=item.node.line)
    item.add_notes(notes)
    return settled


def _read_credits(
    item: Qti12Item, response: Qti12Response
) -> Iterator[tuple[RespCondition, Fraction]]:
    """Yield the conditions that score this response, each with its credit; the first counts."""
    conditions = [
        condition
        for condition in item.conditions
        if condition.points is not None
        and (condition.points or not condition.holds_always)
        and any(test.response == response.id for test in condition.tests)
    ]
    full = max((condition.points or Fraction(0) for condition in conditions), default=Fraction(0))
    for condition in order_by_precedence(conditions):
        if condition.points is None or condition.holds_always or full <= 0:
            raise CustomScoring(condition.line)
        yield condition, compute_credit(condition.points, full)


def _read_bounds(
    item: Qti12Item, condition: RespCondition, response: Qti12Response
) -> tuple[Fraction | None, tuple[Fraction, Fraction] | None]:
    """Return the number and the bounds that a condition accepts; at least one is there."""
    number: Fraction | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    for clause in condition.clauses:
        operands = {
            test.operator: _parse_operand(condition, test.operand)
            for test in clause
            if test.must_hold
        }
        if len(operands) != sum(test.response == response.id for test in clause):
            raise CustomScoring(condition.line)
        if set(operands) == {"="} and number is None:
            number = operands["="]
            continue
        low, high = (operands.get(f"{sign}=", operands.get(sign)) for sign in "><")
        is_range = len(operands) == 2 and bounds is None  # noqa: PLR2004  both ends
        if not is_range or low is None or high is None or low > high:
            raise CustomScoring(condition.line)
        if not all(test.operator.endswith("=") for test in clause):
            item.note("boundary_included", line=condition.line)
        bounds = low, high
    return number, bounds


def _parse_operand(condition: RespCondition, operand: str) -> Fraction:
    number = parse_number(operand)
    if number is None:
        raise CustomScoring(condition.line, operand[:200])
    return number
