"""Writing items of QTI 1.2 that are answered in words and numbers, and texts with gaps."""

import re
from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import DIGITS, RANGE, Target
from grading.short_text.folding import STAR
from grading.short_text.wildcard import encode_stars
from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.qti.xml_writer.elements import made
from quizzes.formats.qti12.xml_writer.item_writer import FULL, RESPONSE, Leaf, equal

_FOLDING = ("accents", "spaces", "punctuation")
_MARK = re.compile(r"[\w-]{1,40}", re.ASCII)
_ALL = Fraction(1)


def short_text(leaf: Leaf) -> None:
    """Write accepted answers, the first that is met pays."""
    leaf.type_ = "short_answer_question"
    leaf.entry(RESPONSE)
    _words(leaf, RESPONSE, leaf.tracker.rows("accepted"), _ALL, action="Set")
    folding(leaf)


def folding(leaf: Leaf) -> None:
    """Say that there all but case counts."""
    counts = [leaf.tracker.value(name) for name in _FOLDING]
    if leaf.tracker.rows("accepted") and not all(counts):
        leaf.tracker.warn("comparison_stricter")


def _words(
    leaf: Leaf, response: str, rows: tuple[ParsedRow, ...], share: Fraction, *, action: str
) -> None:
    tracker, case = leaf.tracker, bool(leaf.tracker.value("case"))
    for at, row in enumerate(rows, start=1):
        test = _typed(leaf, response, row, case=case)
        if test is None:
            continue
        amount = leaf.amount(tracker.ratio("credit", row) * share)
        feedback = tracker.text("accepted", told=True, row=row)
        leaf.pay(test, amount, action=action, says=leaf.remark(f"{response}-{at}_fb", feedback))


def _typed(leaf: Leaf, response: str, row: ParsedRow, *, case: bool) -> Element | None:
    """Ask whether these words were typed, or stand in what was; None for other patterns."""
    words = encode_stars(str(leaf.tracker.value("text", row)))
    if leaf.tracker.value("pattern", row):
        leaf.tracker.warn("pattern_left_out")
        return None
    plain = leaf.tracker.clean(words.replace(STAR, "")).strip()
    test = equal(response, plain, case=case)
    if STAR not in words:
        return test
    if words != f"{STAR}{plain}{STAR}":
        leaf.tracker.warn("wildcard_left_out")
        return None
    test.tag = "varsubstring"
    return test


def numeric(leaf: Leaf) -> None:
    """Write accepted numbers, the first that is met pays."""
    leaf.type_ = "numerical_question"
    leaf.entry(RESPONSE, fibtype="Decimal")
    _numbers(leaf, RESPONSE, leaf.tracker.rows("numbers"), _ALL, action="Set")


def _numbers(
    leaf: Leaf, response: str, rows: tuple[ParsedRow, ...], share: Fraction, *, action: str
) -> None:
    for at, row in enumerate(rows, start=1):
        test = _near(leaf, response, row)
        if test is not None:
            amount = leaf.amount(leaf.tracker.ratio("credit", row) * share)
            feedback = leaf.tracker.text("numbers", told=True, row=row)
            leaf.pay(test, amount, action=action, says=leaf.remark(f"{response}-{at}_fb", feedback))


def _near(leaf: Leaf, response: str, row: ParsedRow) -> Element | None:
    """Ask whether a number is near enough."""
    tracker = leaf.tracker
    value, margin = str(tracker.value("value", row)), str(tracker.value("margin", row) or "0")
    tolerance = str(tracker.value("tolerance", row))
    try:
        target = Target(parse_exact(value), tolerance, parse_exact(margin))
    except ValueError:
        tracker.warn("number_unreadable", number=f"{value} {margin}"[:60])
        return None
    if tolerance == DIGITS:
        tracker.warn("digits_left_out")
    low, high = target.bounds
    alone = equal(response, _decimal(leaf, target.value))
    if low == high:
        return alone
    ends = (("vargte", low), ("varlte", high))
    within = made(
        "and", *(made(name, text=_decimal(leaf, end), respident=response) for name, end in ends)
    )
    return within if tolerance in {RANGE, DIGITS} else made("or", alone, within)


def _decimal(leaf: Leaf, value: Fraction) -> str:
    text = decimal(value)
    if Fraction(text) != value:
        leaf.tracker.warn("number_rounded", number=str(value)[:60])
    return text


def essay(leaf: Leaf) -> None:
    """Write an essay, which people mark."""
    leaf.type_ = "essay_question"
    leaf.entry(RESPONSE)


def cloze(leaf: Leaf) -> str:
    """Write the gaps; give the text, in which each stands as its name in brackets."""
    tracker, gaps = leaf.tracker, leaf.tracker.rows("gaps")
    leaf.type_ = "multiple_dropdowns_question"
    folding(leaf)
    text = tracker.text("prompt")
    names = dict(_names(text, gaps))
    for gap in gaps:
        text = text.replace(f"[[{tracker.value('placeholder', gap)}]]", f"qti{names[gap.name]}qti")
    points = {gap.name: Fraction(int(str(tracker.value("points", gap)))) for gap in gaps}
    total = sum(points.values(), Fraction(0)) or _ALL
    is_whole = tracker.question.scoring_method == "all_or_nothing" and _whole(leaf)
    right: list[Element] = []
    for gap in gaps:
        response = f"response_{names[gap.name]}"
        share = points[gap.name] / total
        right += _gap(leaf, response, gap, share, whole=is_whole)
    if is_whole:
        leaf.pay(made("and", *right), str(FULL))
    return text


def bracketed(leaf: Leaf, html: str) -> str:
    """Put the names of gaps in brackets, once all else of the text is written."""
    for response in leaf.shown:
        name = str(response.get("ident")).removeprefix("response_")
        html = html.replace(f"qti{name}qti", f"[{name}]")
    return html


def _names(text: str, gaps: tuple[ParsedRow, ...]) -> Iterator[tuple[str, str]]:
    """Name each gap by its mark, unless that stands in brackets in the text already."""
    rest = text.replace("[[", "").replace("]]", "")
    marks = {str(gap.values.get("placeholder")) for gap in gaps}
    for at, gap in enumerate(gaps, start=1):
        mark = str(gap.values.get("placeholder"))
        if _MARK.fullmatch(mark) and f"[{mark}" not in rest:
            yield gap.name, mark
            continue
        name = f"gap_{at}"
        while name in marks or f"[{name}" in rest:
            name += "_"
        yield gap.name, name


def _of(leaf: Leaf, table: str, gap: ParsedRow) -> tuple[ParsedRow, ...]:
    return tuple(
        row for row in leaf.tracker.rows(table) if leaf.tracker.value("gap", row) == gap.name
    )


def _gap(
    leaf: Leaf, response: str, gap: ParsedRow, share: Fraction, *, whole: bool
) -> list[Element]:
    """Write one gap; give what it asks for, where only all of them together pay."""
    kind = leaf.tracker.value("kind", gap)
    if kind == "single_choice":
        _options(leaf, response, _of(leaf, "options", gap), share)
    elif kind == "numeric":
        leaf.entry(response, fibtype="Decimal")
        _numbers(leaf, response, _of(leaf, "numbers", gap), share, action="Add")
    else:
        leaf.entry(response)
        _words(leaf, response, _of(leaf, "accepted", gap), share, action="Add")
    if not whole:
        return []
    paying = [rule for rule in leaf.rules if rule.find("setvar") is not None]
    leaf.rules = [rule for rule in leaf.rules if rule not in paying]
    return [test for rule in paying for test in rule.iter("varequal")]


def _options(leaf: Leaf, response: str, rows: tuple[ParsedRow, ...], share: Fraction) -> None:
    tracker = leaf.tracker
    ids = [f"{response}-{at}" for at, _ in enumerate(rows, start=1)]
    texts = [leaf.material(tracker.text("options", row=row)) for row in rows]
    leaf.offer(response, zip(ids, texts, strict=True), cardinality="Single")
    for ident, row in zip(ids, rows, strict=True):
        test = equal(response, ident)
        leaf.say(test, f"{ident}_fb", tracker.text("options", told=True, row=row))
        if tracker.value("right", row):
            leaf.pay(equal(response, ident), leaf.amount(share), action="Add")


def _whole(leaf: Leaf) -> bool:
    """Tell whether the one right answer of each gap is all that it accepts."""
    tracker = leaf.tracker
    words = [row.values.get("gap") for row in tracker.rows("accepted")]
    full = all(tracker.ratio("credit", row) == 1 for row in tracker.rows("accepted"))
    has_feedback = any(
        tracker.text("accepted", told=True, row=row) for row in tracker.rows("accepted")
    )
    if len({*words}) == len(words) and full and not has_feedback and not tracker.rows("numbers"):
        return True
    tracker.warn("scoring_method_left_out", scoring_method="all_or_nothing")
    return False
