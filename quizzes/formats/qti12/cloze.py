"""Items of QTI 1.2 with several responses in one text."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from quizzes.formats.builders import Accepted, Gap, Head, Option, build_cloze
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.export.tracker import plain_text
from quizzes.formats.qti.assessment_item import (
    CustomScoring,
    build_gap_name,
    escape_accepted,
    placeholder,
)
from quizzes.formats.qti12.item import Qti12Item, Qti12Response
from quizzes.formats.qti12.text_entry import (
    drop_duplicates,
    is_case_sensitive,
    read_accepted,
    read_numbers,
)

_MAX_POINTS = 20
_ROUNDING = Fraction(1, 50)


def read_cloze(item: Qti12Item, head: Head, html: str) -> ParsedQuestion:
    """Build a text with gaps; `html` has the placeholder of each response."""
    prompt = item.markdown(html)
    points = _read_points(item)
    gaps = []
    for number, response in enumerate(item.responses, start=1):
        name = build_gap_name(response.id.removeprefix("response_"), number)
        if placeholder(number) in prompt:
            prompt = prompt.replace(placeholder(number), f"[[{name}]]")
        else:
            item.note("gap_missing_in_text", response.id)
            prompt = f"{prompt}\n\n[[{name}]]"
        gap = _read_gap(item, response, name)
        if not (gap.options or gap.accepted or gap.numbers):
            item.note_unknown_key()
        gaps.append(replace(gap, points=points.get(response.id, 1)))
    return build_cloze(
        replace(head, prompt=prompt),
        gaps,
        scoring_method="all_or_nothing" if _is_whole(item) and len(gaps) > 1 else "per_gap",
        case=is_case_sensitive(item),
        accents=True,
        punctuation=True,
    )


def _read_gap(item: Qti12Item, response: Qti12Response, name: str) -> Gap:
    if response.tag != "response_lid":
        if response.is_number:
            return Gap(name, numbers=read_numbers(item, response))
        return Gap(name, accepted=read_accepted(item, response))
    labels = [label for label in response.labels if label.text.strip()]
    if item.metadata.get("question_type") == "fill_in_multiple_blanks_question":
        accepted = [
            Accepted(
                escape_accepted(plain_text(label.text)[0]),
                feedback=item.find_feedback(label.id),
            )
            for label in labels
        ]
        return Gap(name, accepted=drop_duplicates(item, accepted, case=False))
    right = {
        test.operand
        for condition in item.scoring_conditions
        for test in condition.tests
        if test.response == response.id and test.expected
    }
    if not right:
        item.note_unknown_key()
    options = [
        Option(
            label.text,
            right=label.id in right,
            feedback=item.find_feedback(label.id),
            line=label.line,
        )
        for label in labels
    ]
    return Gap(name, options=options)


def _is_whole(item: Qti12Item) -> bool:
    """Return whether one condition asks for all gaps at once."""
    conditions = item.scoring_conditions
    return len(conditions) == 1 and any(
        len({test.response for test in clause}) > 1 for clause in conditions[0].clauses
    )


def _read_points(item: Qti12Item) -> Mapping[str, int]:
    """Return the points of each response in whole numbers; none if no small ones fit."""
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
    for times in range(1, _MAX_POINTS + 1):
        shares = {response: earned / least * times for response, earned in points.items()}
        if all(abs(share - round(share)) < _ROUNDING for share in shares.values()):
            return {response: round(share) for response, share in shares.items()}
    item.note("gap_points_levelled")
    return {}
