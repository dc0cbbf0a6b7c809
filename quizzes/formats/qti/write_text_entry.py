"""Writing QTI items that are answered in words and numbers, and gaps of that kind."""

from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.tolerance import ABSOLUTE, EXACT, RANGE, RELATIVE
from grading.short_text.folding import STAR
from grading.short_text.wildcard import decode_wildcards
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker, answers
from quizzes.formats.export.answers import FULL
from quizzes.formats.export.elements import append_element, build_element, write_flag
from quizzes.formats.export.option_weights import read_credit
from quizzes.formats.qti import rules
from quizzes.formats.qti.item_writer import QtiItemWriter
from quizzes.formats.qti.qti_versions import GAP
from quizzes.formats.qti.rules import RESPONSE, SCORE


def write_short_text(writer: QtiItemWriter) -> None:
    """Write accepted answers, of which the first that matches counts."""
    tracker = writer.tracker
    answers.warn_of_comparison(tracker, keeps_end_blanks=True)
    writer.settle_total(*(read_credit(tracker, row) for row, _ in _list_literals(tracker)))
    writer.append_line(write_accepted(writer, RESPONSE))


def write_accepted(
    writer: QtiItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> Element:
    """Declare and score accepted texts, and return the place to type them in."""
    tracker, case = writer.tracker, answers.read_comparison(writer.tracker, gap).case
    amounts, right, tests = dict[str, str](), [], []
    for row, text in _list_literals(tracker, gap):
        credit = read_credit(tracker, row)
        right += [text] if credit == 1 else []
        amounts.setdefault(text, writer.write_points(credit, share))
        options = {"caseSensitive": write_flag(case)}
        tests.append(
            (rules.build_comparison("stringMatch", response, "string", text, **options), row)
        )
    writer.declare_response(response, "single", "string", right[:1])
    writer.add_mapping(amounts, case=case)
    if gap:
        is_empty = build_element("isNull", rules.build_variable(response))
        score = rules.build_score(rules.build_mapped_score(response), add=True)
        writer.add_condition([(build_element("not", is_empty), score)])
    else:
        writer.score_mapped()
    writer.add_answer_feedback(response, "accepted", tests)
    return _build_entry(response, gap)


def _list_literals(tracker: ExportTracker, gap: str = "") -> Iterator[tuple[ParsedRow, str]]:
    """Yield the accepted answers that are plain words."""
    has_counted_ends = answers.read_comparison(tracker, gap).has_counted_ends
    for row, text in answers.list_accepted(tracker, gap):
        words = tracker.clean(decode_wildcards(text))
        if STAR in words:
            tracker.warn("wildcard_left_out")
        else:
            yield row, words if has_counted_ends else words.strip()


def _build_entry(response: str, gap: str) -> Element:
    gap_class = {"class": GAP} if gap else {}
    return build_element("textEntryInteraction", responseIdentifier=response, **gap_class)


def write_numeric(writer: QtiItemWriter) -> None:
    """Write accepted numbers, of which the first that matches counts."""
    tracker = writer.tracker
    writer.settle_total(*(read_credit(tracker, row) for row in tracker.rows("numbers")))
    writer.append_line(write_numbers(writer, RESPONSE))


def write_numbers(
    writer: QtiItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> Element:
    """Declare and score accepted numbers, and return the place to type them in."""
    tracker, right, branches, tests = writer.tracker, [], [], []
    for row in answers.list_gap_rows(tracker, "numbers", gap):
        credit = read_credit(tracker, row)
        right += [_write_number(tracker, row)[0]] if credit == 1 else []
        score = rules.build_score(writer.write_points(credit, share), add=bool(gap))
        branches.append((_build_test(writer, response, row), score))
        tests.append((_build_test(writer, response, row), row))
    writer.declare_response(response, "single", "float", right[:1])
    writer.add_condition(branches)
    writer.add_answer_feedback(response, "numbers", tests)
    return _build_entry(response, gap)


def _build_test(writer: QtiItemWriter, response: str, row: ParsedRow) -> Element:
    """Return the test whether a number is near enough."""
    number, mode, tolerance = _write_number(writer.tracker, row)
    options = {"toleranceMode": mode, **({"tolerance": tolerance} if tolerance else {})}
    return rules.build_comparison("equal", response, "float", number, **options)


def _write_number(tracker: ExportTracker, row: ParsedRow) -> tuple[str, str, str]:
    """Return value, mode and tolerance."""
    target = answers.read_target(tracker, row)
    if target is None:
        return "0", EXACT, ""
    value, margin = str(tracker.value("value", row)), str(tracker.value("margin", row) or "0")
    if target.tolerance in {EXACT, ABSOLUTE, RELATIVE}:
        number = answers.write_decimal(tracker, target.value, value)
        if target.tolerance == EXACT:
            return number, EXACT, ""
        if target.tolerance == RELATIVE:
            around = answers.write_decimal(tracker, target.margin * 100)
        else:
            around = answers.write_decimal(tracker, target.margin, margin)
        return number, target.tolerance, f"{around} {around}"
    low, high = target.bounds
    least = answers.write_decimal(tracker, low, value if target.tolerance == RANGE else "")
    return least, ABSOLUTE, f"0 {answers.write_decimal(tracker, high - low)}"


def write_essay(writer: QtiItemWriter) -> None:
    """Write an essay, which people grade."""
    writer.declare_response(RESPONSE, "single", "string", ())
    writer.declare_scores()
    if writer.has_external_scoring:
        writer.outcomes[SCORE].set("externalScored", "human")
    append_element(writer.body, "extendedTextInteraction", responseIdentifier=RESPONSE)
