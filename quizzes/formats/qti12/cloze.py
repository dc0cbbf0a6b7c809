"""Items of QTI 1.2 with several responses in one text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Option,
    build_cloze,
    find_least_filling,
    settle_lower_bound,
)
from quizzes.formats.builders.answer_settling import settle_gap, settle_texts
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.export.tracker import plain_text
from quizzes.formats.qti.assessment_item import (
    CustomScoring,
    compute_credit,
    escape_accepted,
)
from quizzes.formats.qti12.item import Qti12Item, Qti12Response
from quizzes.formats.qti12.text_entry import read_accepted, read_comparison, read_numbers


def read_cloze(item: Qti12Item, head: Head, html: str) -> ParsedQuestion:
    """Read a text with gaps; `html` has the token of each response."""
    prompt = item.markdown(html)
    amounts = _read_amounts(item)
    points = item.scale_points(amounts)
    gaps = []
    for number, response in enumerate(item.responses, start=1):
        prompt, name = item.place_gap(prompt, number, response.id.removeprefix("response_"))
        comparison = read_comparison(item, response)
        gap = Gap(name, points=points[number - 1], comparison=comparison)
        gaps.append(_read_gap(item, response, gap))
    lower, full = item.min_score, sum(amounts) or 1
    fields, notes = settle_lower_bound(
        find_least_filling(gaps), lower and lower / full, line=item.node.line
    )
    item.add_notes(notes)
    return build_cloze(
        replace(head, prompt=prompt),
        gaps,
        **fields,
        scoring_method="all_or_nothing" if _is_whole(item) and len(gaps) > 1 else "per_gap",
    )


def _read_gap(item: Qti12Item, response: Qti12Response, gap: Gap) -> Gap:
    if response.tag != "response_lid":
        if response.is_number:
            return replace(gap, numbers=read_numbers(item, response))
        return replace(gap, accepted=read_accepted(item, response))
    labels = [label for label in response.labels if label.text.strip()]
    if item.metadata.get("question_type") == "fill_in_multiple_blanks_question":
        texts = [escape_accepted(plain_text(label.text)[0]) for label in labels]
        answers = [
            Accepted(text, feedback=item.find_feedback(label.id))
            for text, label in zip(texts, labels, strict=True)
        ]
        accepted, _, notes = settle_texts(answers, line=item.node.line)
        gap = replace(gap, accepted=accepted)
    else:
        weights = _read_weights(item, response)
        options = [
            Option(
                label.text,
                weight=weights.get(label.id, Fraction(0)),
                feedback=item.find_feedback(label.id),
                line=label.line,
            )
            for label in labels
        ]
        gap, notes = settle_gap(replace(gap, options=options), line=item.node.line)
    item.add_notes(notes)
    return gap


def _read_weights(item: Qti12Item, response: Qti12Response) -> Mapping[str, Fraction]:
    """Return what each option of a gap earns of the points of the gap; {} where none earns."""
    points: dict[str, Fraction] = {}
    for condition in item.scoring_conditions:
        operands = {
            test.operand
            for test in condition.tests
            if test.response == response.id and test.must_hold
        }
        for operand in operands:
            points[operand] = points.get(operand, Fraction(0)) + (condition.points or 0)
    full = max(points.values(), default=Fraction(0))
    return {operand: compute_credit(earned, full) for operand, earned in points.items() if full > 0}


def _is_whole(item: Qti12Item) -> bool:
    """Return whether one condition asks for all gaps at once."""
    conditions = item.scoring_conditions
    return len(conditions) == 1 and any(
        len({test.response for test in clause}) > 1 for clause in conditions[0].clauses
    )


def _read_amounts(item: Qti12Item) -> Sequence[Fraction]:
    """Return the most points of each response, or raise CustomScoring."""
    points: dict[str, Fraction] = {}
    for condition in item.scoring_conditions:
        responses = {test.response for test in condition.tests}
        if len(responses) > 1 and not _is_whole(item):
            raise CustomScoring(condition.line, " ".join(sorted(responses))[:200])
        for response in responses:
            earned = condition.points or Fraction(0)
            points[response] = max(points.get(response, Fraction(0)), earned)
    least = min(points.values(), default=Fraction(1))
    if least <= 0:
        raise CustomScoring(item.node.line)
    return [points.get(response.id, least) for response in item.responses]
