"""Writing items that are answered in words and numbers."""

from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import ABSOLUTE, DIGITS, EXACT, RANGE, RELATIVE, Target
from grading.short_text.folding import STAR
from grading.short_text.wildcard import encode_stars
from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.qti.xml_writer.elements import (
    FEEDBACK,
    RESPONSE,
    SCORE,
    base,
    chain,
    made,
    setting,
    variable,
    within,
)
from quizzes.formats.qti.xml_writer.item_writer import Leaf

_FOLDING = ("accents", "spaces", "punctuation")
_OTHERWISE = "otherwise"


def short_text(leaf: Leaf) -> None:
    """Write accepted answers as a mapping; what is said to them hangs on tests of its own."""
    tracker = leaf.tracker
    case = bool(tracker.value("case"))
    folding(leaf)
    accepted = list(literals(leaf, tracker.rows("accepted")))
    leaf.worth([*(tracker.ratio("credit", row) for row, _ in accepted), *leaf.begins()])
    full = [text for row, text in accepted if tracker.ratio("credit", row) == 1]
    leaf.response(RESPONSE, "single", "string", full[:1])
    amounts = {text: leaf.amount(tracker.ratio("credit", row)) for row, text in accepted[::-1]}
    leaf.mapping(dict(reversed(amounts.items())), case=case)
    leaf.pay_mapped()
    entry(leaf)
    tests = [(same(RESPONSE, text, case=case), row) for row, text in accepted]
    remarks(leaf, "accepted", tests)


def folding(leaf: Leaf) -> None:
    """Say that there all but case counts; where no words are asked for, nothing does."""
    counts = [leaf.tracker.value(name) for name in _FOLDING]
    if leaf.tracker.rows("accepted") and not all(counts):
        leaf.tracker.warn("comparison_stricter")


def literals(leaf: Leaf, rows: tuple[ParsedRow, ...]) -> Iterator[tuple[ParsedRow, str]]:
    """Give each accepted answer as the words that it means; patterns have no place."""
    for row in rows:
        words = str(leaf.tracker.value("text", row))
        if leaf.tracker.value("pattern", row):
            leaf.tracker.warn("pattern_left_out")
            continue
        text = encode_stars(words)
        if STAR in text:
            leaf.tracker.warn("wildcard_left_out")
            continue
        yield row, text.strip()


def same(response: str, text: str, *, case: bool) -> Element:
    """Ask whether these words were typed."""
    test = made("stringMatch", variable(response), base("string", text))
    test.set("caseSensitive", str(case).lower())
    return test


def entry(leaf: Leaf) -> None:
    """Give a place to type in, in a line of its own."""
    line = within(leaf.body, "p")
    within(line, "textEntryInteraction", responseIdentifier=RESPONSE)


def remarks(leaf: Leaf, table: str, tests: list[tuple[Element, ParsedRow]]) -> None:
    """Write what is said to each answer, and to any other."""
    branches = list(called(leaf, FEEDBACK, table, tests))
    last = []
    if otherwise := leaf.tracker.text("otherwise", told=True):
        leaf.remark(FEEDBACK, _OTHERWISE, otherwise)
        last.append(setting(FEEDBACK, base("identifier", _OTHERWISE)))
    if leaf.remarks:
        leaf.outcome(FEEDBACK, "single", "identifier")
        leaf.rules.append(chain(branches, last))


def called(
    leaf: Leaf, outcome: str, table: str, tests: list[tuple[Element, ParsedRow]]
) -> Iterator[tuple[Element, list[Element]]]:
    """Give each test with the setting that calls up what is said to it."""
    for at, (test, row) in enumerate(tests, start=1):
        feedback = leaf.tracker.text(table, told=True, row=row)
        ident = f"{outcome}-{at}"
        if feedback:
            leaf.remark(outcome, ident, feedback)
        value = base("identifier", ident) if feedback else made("null")
        yield test, [setting(outcome, value)]


def numeric(leaf: Leaf) -> None:
    """Write accepted numbers, the first that is met pays."""
    tracker = leaf.tracker
    rows = tracker.rows("numbers")
    leaf.worth([*(tracker.ratio("credit", row) for row in rows), *leaf.begins()])
    full = [row for row in rows if tracker.ratio("credit", row) == 1]
    leaf.response(RESPONSE, "single", "float", [number(leaf, row)[0] for row in full[:1]])
    paying = [
        (
            near(leaf, RESPONSE, row),
            [setting(SCORE, base("float", leaf.amount(tracker.ratio("credit", row))))],
        )
        for row in rows
    ]
    leaf.rules.append(chain(paying, []))
    entry(leaf)
    remarks(leaf, "numbers", [(near(leaf, RESPONSE, row), row) for row in rows])


def near(leaf: Leaf, response: str, row: ParsedRow) -> Element:
    """Ask whether a number is near enough."""
    value, mode, around = number(leaf, row)
    test = made("equal", variable(response), base("float", value))
    test.set("toleranceMode", mode)
    if around:
        test.set("tolerance", around)
    return test


def number(leaf: Leaf, row: ParsedRow) -> tuple[str, str, str]:
    """Give value, mode and tolerance; what has no end as a decimal is rounded, and told."""
    tracker = leaf.tracker
    value, margin = str(tracker.value("value", row)), str(tracker.value("margin", row) or "0")
    tolerance = str(tracker.value("tolerance", row) or EXACT)
    try:
        target = Target(parse_exact(value), tolerance, parse_exact(margin))
    except ValueError:
        tracker.warn("number_unreadable", number=f"{value} {margin}"[:60])
        return "0", EXACT, ""
    if tolerance == EXACT:
        return _plain(leaf, value, target.value), EXACT, ""
    if tolerance in {ABSOLUTE, RELATIVE}:
        share = target.margin * (100 if tolerance == RELATIVE else 1)
        around = _plain(leaf, margin, share) if tolerance == ABSOLUTE else _plain(leaf, "", share)
        return _plain(leaf, value, target.value), tolerance, f"{around} {around}"
    if tolerance == DIGITS:
        tracker.warn("digits_left_out")
    low, high = target.bounds
    return (
        _plain(leaf, value if tolerance == RANGE else "", low),
        ABSOLUTE,
        (f"0 {_plain(leaf, '', high - low)}"),
    )


def _plain(leaf: Leaf, text: str, value: Fraction) -> str:
    """Write a number as its author did where that is a decimal, else worked out."""
    if text and "/" not in text:
        return text.strip()
    if Fraction(decimal(value)) != value:
        leaf.tracker.warn("number_rounded", number=str(value)[:60])
    return decimal(value)


def essay(leaf: Leaf) -> None:
    """Write an essay, which people mark."""
    leaf.response(RESPONSE, "single", "string", ())
    leaf.scored()
    leaf.outcomes[SCORE].set("externalScored", "human")
    within(leaf.body, "extendedTextInteraction", responseIdentifier=RESPONSE)
