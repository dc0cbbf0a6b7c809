"""Writing QTI 1.2 items that are answered in words and numbers, and texts with gaps."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.tolerance import DIGITS, RANGE
from grading.short_text.folding import STAR
from grading.short_text.wildcard import decode_wildcards
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker, answers
from quizzes.formats.export.answers import FULL
from quizzes.formats.export.elements import build_element
from quizzes.formats.export.option_weights import read_credit, read_gap_weights
from quizzes.formats.qti12.item_writer import RESPONSE, Qti12ItemWriter, build_equal, build_test

_NAME = re.compile(r"[\w-]{1,40}", re.ASCII)


def write_short_text(writer: Qti12ItemWriter) -> None:
    """Write accepted answers, of which the first that matches counts."""
    _write_accepted(writer, RESPONSE)
    answers.warn_of_comparison(writer.tracker)


def _write_accepted(
    writer: Qti12ItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> None:
    writer.add_entry(response)
    case = answers.read_comparison(writer.tracker, gap).case
    tests = [
        (_build_text_test(writer, response, text, case=case), row)
        for row, text in answers.list_accepted(writer.tracker, gap)
    ]
    _score_answers(writer, response, "accepted", tests, share)


def _score_answers(
    writer: Qti12ItemWriter,
    response: str,
    table: str,
    tests: Sequence[tuple[Element | None, ParsedRow]],
    share: Fraction,
) -> None:
    for number, (test, row) in enumerate(tests, start=1):
        if test is not None:
            feedback = writer.tracker.feedback(table, row)
            ident = writer.add_feedback(f"{response}-{number}_fb", feedback)
            credit = read_credit(writer.tracker, row) * share
            writer.add_score(test, credit, add=response != RESPONSE, feedback=ident)


def _build_text_test(
    writer: Qti12ItemWriter, response: str, text: str, *, case: bool
) -> Element | None:
    """Return the test whether these words were typed, or are part of what was; else None."""
    words = decode_wildcards(text)
    plain = writer.tracker.clean(words.replace(STAR, "")).strip()
    if STAR in words and words != f"{STAR}{plain}{STAR}":
        writer.tracker.warn("wildcard_left_out")
        return None
    tag = "varsubstring" if STAR in words else "varequal"
    return build_test(tag, response, plain, case="Yes" if case else "No")


def write_numeric(writer: Qti12ItemWriter) -> None:
    """Write accepted numbers, of which the first that matches counts."""
    _write_numbers(writer, RESPONSE)


def _write_numbers(
    writer: Qti12ItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> None:
    writer.add_entry(response, fibtype="Decimal")
    rows = answers.list_gap_rows(writer.tracker, "numbers", gap)
    tests = [(_build_number_test(writer, response, row), row) for row in rows]
    _score_answers(writer, response, "numbers", tests, share)


def _build_number_test(writer: Qti12ItemWriter, response: str, row: ParsedRow) -> Element | None:
    """Return the test whether a number is near enough; None if it is unreadable."""
    target = answers.read_target(writer.tracker, row)
    if target is None:
        return None
    low, high = target.bounds
    is_equal = build_equal(response, answers.write_decimal(writer.tracker, target.value))
    if low == high:
        return is_equal
    is_between = build_element(
        "and",
        build_test("vargte", response, answers.write_decimal(writer.tracker, low)),
        build_test("varlte", response, answers.write_decimal(writer.tracker, high)),
    )
    if target.tolerance in {RANGE, DIGITS}:
        return is_between
    return build_element("or", is_equal, is_between)


def write_essay(writer: Qti12ItemWriter) -> None:
    """Write an essay, which people grade."""
    writer.add_entry(RESPONSE)


def write_cloze(writer: Qti12ItemWriter) -> Element:
    """Write the gaps, and return the text, in which each is its name in brackets."""
    tracker = writer.tracker
    answers.warn_of_comparison(tracker)
    text = tracker.text("prompt")
    rest = text.replace("[[", "").replace("]]", "")
    gaps = answers.list_gaps(
        tracker, lambda name: bool(_NAME.fullmatch(name)) and f"[{name}" not in rest
    )
    for gap in gaps:
        text = text.replace(f"[[{gap.mark}]]", gap.placeholder)
        write_gap = _WRITERS.get(gap.kind, _write_accepted)
        write_gap(writer, f"response_{gap.name}", gap.row, gap.share)
    is_together = tracker.question.scoring_method == "all_or_nothing"
    if is_together and answers.can_score_together(tracker, are_plain=_are_plain(tracker)):
        scores = [rule for rule in writer.rules if rule.find("setvar") is not None]
        writer.rules = [rule for rule in writer.rules if rule not in scores]
        tests = (test for rule in scores for test in rule.iter("varequal"))
        writer.add_score(build_element("and", *tests), FULL)
    prompt = writer.build_material(text)
    for gap in gaps:
        prompt[0].text = str(prompt[0].text).replace(gap.placeholder, f"[{gap.name}]")
    return prompt


def _are_plain(tracker: ExportTracker) -> bool:
    """Return whether gaps accept no numbers, and nothing that earns less or has feedback."""
    rows = tracker.rows("accepted")
    is_full = all(read_credit(tracker, row) == 1 for row in rows)
    has_feedback = any(tracker.feedback("accepted", row) for row in rows)
    return is_full and not has_feedback and not tracker.rows("numbers")


def _write_options(writer: Qti12ItemWriter, response: str, gap: str, share: Fraction) -> None:
    tracker, rows = writer.tracker, answers.list_gap_rows(writer.tracker, "options", gap)
    idents = answers.number_rows(rows, response)
    choices = [(idents[row.name], tracker.text("options", row)) for row in rows]
    writer.add_choices(response, "Single", choices)
    weights = read_gap_weights(tracker, gap)
    for row in rows:
        ident, feedback = idents[row.name], tracker.feedback("options", row)
        writer.add_rule_feedback(build_equal(response, ident), f"{ident}_fb", feedback)
        if weight := weights[row.name]:
            writer.add_score(build_equal(response, ident), weight * share, add=True)


_WRITERS: Mapping[str, Callable[[Qti12ItemWriter, str, str, Fraction], None]] = {
    "single_choice": _write_options,
    "numeric": _write_numbers,
}
