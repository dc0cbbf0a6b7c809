"""Writing QTI 1.2 items that are answered in words and numbers, and texts with gaps."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.tolerance import DIGITS, RANGE
from grading.short_text.folding import STAR
from grading.short_text.wildcard import encode_stars
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export.answers import (
    FULL,
    list_accepted,
    list_gap_rows,
    read_target,
    warn_of_comparison,
    write_decimal,
)
from quizzes.formats.export.elements import build_element
from quizzes.formats.parsing.placeholders import build_placeholder, find_free_word
from quizzes.formats.qti12.item_writer import (
    RESPONSE,
    Qti12ItemWriter,
    build_equal,
    build_test,
)

_MARK = re.compile(r"[\w-]{1,40}", re.ASCII)


def write_short_text(writer: Qti12ItemWriter) -> None:
    """Write accepted answers, of which the first that matches counts."""
    _write_accepted(writer, RESPONSE)
    warn_of_comparison(writer.tracker)


def _write_accepted(
    writer: Qti12ItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> None:
    writer.add_entry(response)
    tests = [
        (_build_text_test(writer, response, text), row)
        for row, text in list_accepted(writer.tracker, gap)
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
            credit = writer.tracker.ratio("credit", row) * share
            writer.add_score(test, credit, add=response != RESPONSE, feedback=ident)


def _build_text_test(writer: Qti12ItemWriter, response: str, text: str) -> Element | None:
    """Return the test whether these words were typed, or are part of what was; else None."""
    words = encode_stars(text)
    plain = writer.tracker.clean(words.replace(STAR, "")).strip()
    if STAR in words and words != f"{STAR}{plain}{STAR}":
        writer.tracker.warn("wildcard_left_out")
        return None
    tag = "varsubstring" if STAR in words else "varequal"
    return build_test(tag, response, plain, case="Yes" if writer.tracker.value("case") else "No")


def write_numeric(writer: Qti12ItemWriter) -> None:
    """Write accepted numbers, of which the first that matches counts."""
    _write_numbers(writer, RESPONSE)


def _write_numbers(
    writer: Qti12ItemWriter, response: str, gap: str = "", share: Fraction = FULL
) -> None:
    writer.add_entry(response, fibtype="Decimal")
    rows = list_gap_rows(writer.tracker, "numbers", gap)
    tests = [(_build_number_test(writer, response, row), row) for row in rows]
    _score_answers(writer, response, "numbers", tests, share)


def _build_number_test(writer: Qti12ItemWriter, response: str, row: ParsedRow) -> Element | None:
    """Return the test whether a number is near enough; None if it is unreadable."""
    target = read_target(writer.tracker, row)
    if target is None:
        return None
    low, high = target.bounds
    is_equal = build_equal(response, write_decimal(writer.tracker, target.value))
    if low == high:
        return is_equal
    is_between = build_element(
        "and",
        build_test("vargte", response, write_decimal(writer.tracker, low)),
        build_test("varlte", response, write_decimal(writer.tracker, high)),
    )
    if target.tolerance in {RANGE, DIGITS}:
        return is_between
    return build_element("or", is_equal, is_between)


def write_essay(writer: Qti12ItemWriter) -> None:
    """Write an essay, which people grade."""
    writer.add_entry(RESPONSE)


def write_cloze(writer: Qti12ItemWriter) -> Element:
    """Write the gaps, and return the text, in which each is its name in brackets."""
    tracker, gaps = writer.tracker, writer.tracker.rows("gaps")
    warn_of_comparison(tracker)
    text = tracker.text("prompt")
    word, names = find_free_word([text]), list(_list_names(text, gaps))
    for number, gap in enumerate(gaps, start=1):
        text = text.replace(
            f"[[{tracker.value('placeholder', gap)}]]", build_placeholder(word, number)
        )
    points = [Fraction(int(str(tracker.value("points", gap)))) for gap in gaps]
    total = sum(points, Fraction(0)) or FULL
    for name, gap, gap_points in zip(names, gaps, points, strict=True):
        _write_gap(writer, f"response_{name}", gap, gap_points / total)
    if tracker.question.scoring_method == "all_or_nothing" and _is_exact(writer):
        scores = [rule for rule in writer.rules if rule.find("setvar") is not None]
        writer.rules = [rule for rule in writer.rules if rule not in scores]
        tests = (test for rule in scores for test in rule.iter("varequal"))
        writer.add_score(build_element("and", *tests), FULL)
    prompt = writer.build_material(text)
    for mattext in prompt:
        for number, name in enumerate(names, start=1):
            placeholder = build_placeholder(word, number)
            mattext.text = (mattext.text or "").replace(placeholder, f"[{name}]")
    return prompt


def _list_names(text: str, gaps: Sequence[ParsedRow]) -> Iterator[str]:
    """Yield a name for each gap: its mark, unless the text has that in brackets already."""
    rest = text.replace("[[", "").replace("]]", "")
    marks = [str(gap.values.get("placeholder")) for gap in gaps]
    for number, mark in enumerate(marks, start=1):
        if _MARK.fullmatch(mark) and f"[{mark}" not in rest:
            yield mark
            continue
        name = f"gap_{number}"
        while name in marks or f"[{name}" in rest:
            name += "_"
        yield name


def _write_gap(writer: Qti12ItemWriter, response: str, gap: ParsedRow, share: Fraction) -> None:
    kind = writer.tracker.value("kind", gap)
    if kind == "single_choice":
        _write_options(writer, response, gap.name, share)
    elif kind == "numeric":
        _write_numbers(writer, response, gap.name, share)
    else:
        _write_accepted(writer, response, gap.name, share)


def _write_options(writer: Qti12ItemWriter, response: str, gap: str, share: Fraction) -> None:
    tracker, rows = writer.tracker, list_gap_rows(writer.tracker, "options", gap)
    idents = [f"{response}-{number}" for number, _ in enumerate(rows, start=1)]
    texts = [tracker.text("options", row) for row in rows]
    writer.add_choices(response, "Single", zip(idents, texts, strict=True))
    for ident, row in zip(idents, rows, strict=True):
        feedback = tracker.feedback("options", row)
        writer.add_rule_feedback(build_equal(response, ident), f"{ident}_fb", feedback)
        if tracker.value("right", row):
            writer.add_score(build_equal(response, ident), share, add=True)


def _is_exact(writer: Qti12ItemWriter) -> bool:
    """Return whether each gap accepts its one right answer only; a warning says if not."""
    tracker = writer.tracker
    rows = tracker.rows("accepted")
    gaps = [row.values.get("gap") for row in rows]
    is_full = all(tracker.ratio("credit", row) == 1 for row in rows)
    has_feedback = any(tracker.feedback("accepted", row) for row in rows)
    if len({*gaps}) == len(gaps) and is_full and not has_feedback and not tracker.rows("numbers"):
        return True
    tracker.warn("scoring_method_left_out", scoring_method="all_or_nothing")
    return False
