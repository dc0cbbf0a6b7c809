"""Questions as GIFT: each text as Markdown, so that it is read back as it was."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from grading.numeric.exact import parse_exact
from quizzes.formats.contract import ExportWarning, ParsedQuestion, ParsedRow
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.percentages import decimal

_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "~=#{}:\\"} | {"\n": "\\n"})
_GUARDED = ("[", "%")
_ONE_SCORING_METHOD = ("all_or_nothing", "option_weights", "accepted_answers", "per_pair", "rubric")
_SCORING_METHODS = {
    "matching": ("per_pair",),
    "multiple_choice": ("right_minus_wrong", "option_weights"),
}
_ARROWS = {"short_text": 0, "matching": 1}
"""How many arrows a line may hold: any other would be read as a pair."""

_BOUNDS = ("value", "margin")

Lines = Iterator[str]


def written(question: ParsedQuestion, language: str) -> tuple[str, tuple[ExportWarning, ...]]:
    """Give a question as text ("" if it cannot be one), and what of it is lost."""
    if refusal := find_refusal(question, _WRITERS, language):
        return "", refusal
    tracker = ExportTracker(question, language)
    lines = list(_WRITERS[question.kind](tracker))
    if any(line.count("->") > _ARROWS.get(question.kind, len(line)) for line in lines):
        return "", (ExportWarning(question.name, "arrow_left_out"),)
    body = "".join(f"\n\t{line}" for line in _explained(lines, tracker))
    prompt = tracker.text("prompt").translate(_ESCAPES)
    text = f"::{question.name}::[markdown]{prompt}{{{body}}}\n\n"
    return text, tracker.warnings(*_SCORING_METHODS.get(question.kind, _ONE_SCORING_METHOD))


def _explained(lines: Iterable[str], tracker: ExportTracker) -> Lines:
    yield from lines
    if explanation := tracker.text("explanation", told=True):
        yield f"####{_said(explanation)}"


def _said(text: str) -> str:
    guard = "[markdown]" if text.startswith(_GUARDED) else ""
    return guard + text.translate(_ESCAPES)


def _feedback(text: str) -> str:
    return f"#{_said(text)}" if text else ""


def _percent(weight: Fraction) -> str:
    """Write a weight; thirds and their like with five decimals, as Moodle does."""
    hundredths = weight * 100
    if hundredths.denominator == 1:
        return f"%{hundredths.numerator}%"
    digits = round(abs(hundredths) * 100_000)
    sign = "-" if weight < 0 else ""
    return f"%{sign}{digits // 100_000}.{digits % 100_000:05d}".rstrip("0") + "%"


def _choice(tracker: ExportTracker) -> Lines:
    many = tracker.question.kind == "multiple_choice"
    rows = tracker.rows("options")
    right = sum(bool(tracker.value("right", row)) for row in rows)
    for row in rows:
        weight = _weight(tracker, row, right)
        plainly = not many and weight in {0, 1}
        sign = "=" if not many and weight == 1 else "~"
        text, feedback = (
            tracker.text("options", row=row),
            tracker.text("options", told=True, row=row),
        )
        yield sign + ("" if plainly else _percent(weight)) + _said(text) + _feedback(feedback)


def _weight(tracker: ExportTracker, row: ParsedRow, right: int) -> Fraction:
    """Give what choosing an option pays, whatever the scoring method is called."""
    is_right = bool(tracker.value("right", row))
    if tracker.question.scoring_method == "option_weights":
        return tracker.ratio("weight", row) if row.values.get("weight") else Fraction(is_right)
    if tracker.question.kind == "single_choice":
        return Fraction(is_right)
    return Fraction(1 if is_right else -1, max(right, 1))


def _truth(tracker: ExportTracker) -> Lines:
    said: dict[bool, str] = {}
    right = True
    for row in tracker.rows("options"):
        tracker.text("options", row=row)
        said[row.name == "true"] = tracker.text("options", told=True, row=row)
        right = right if not tracker.value("right", row) else row.name == "true"
    wrong, good = said.get(not right, ""), said.get(right, "")
    told = f"#{_said(wrong)}" if wrong or good else ""
    yield f"{str(right).upper()}{told}{_feedback(good)}"


def _short(tracker: ExportTracker) -> Lines:
    for row in tracker.rows("accepted"):
        if tracker.value("pattern", row):
            tracker.warn("pattern_left_out")
            continue
        words = str(tracker.value("text", row)).replace("\\\\", "\\")
        yield _accepted(tracker, row, "accepted", _said(words))
    yield from _otherwise(tracker, "=%0%*")


def _accepted(tracker: ExportTracker, row: ParsedRow, table: str, words: str) -> str:
    credit = tracker.ratio("credit", row)
    percent = "" if credit == 1 else _percent(credit)
    return f"={percent}{words}{_feedback(tracker.text(table, told=True, row=row))}"


def _otherwise(tracker: ExportTracker, sign: str) -> Lines:
    if told := tracker.text("otherwise", told=True):
        yield sign + _feedback(told)


def _numeric(tracker: ExportTracker) -> Lines:
    yield "#"
    for row in tracker.rows("numbers"):
        value, margin = (_decimal(tracker, str(tracker.value(one, row))) for one in _BOUNDS)
        shape = {"exact": "{0}", "absolute": "{0}:{1}", "range": "{0}..{1}"}
        form = shape.get(str(tracker.value("tolerance", row)))
        if form is None:
            tracker.warn("tolerance_left_out")
            continue
        yield _accepted(tracker, row, "numbers", form.format(value, margin))
    yield from _otherwise(tracker, "~")


def _decimal(tracker: ExportTracker, text: str) -> str:
    """Write a number with digits: what has no end is rounded, and that is told."""
    if "/" not in text:
        return text
    value = parse_exact(text)
    if Fraction(decimal(value)) != value:
        tracker.warn("number_rounded", number=text)
    return decimal(value)


def _matching(tracker: ExportTracker) -> Lines:
    tracker.value("shuffle")
    words = {row.name: tracker.plain("rights", row=row) for row in tracker.rows("rights")}
    used = set()
    for row in tracker.rows("lefts"):
        right = str(tracker.value("goes_with", row))
        used.add(right)
        yield f"= {_said(tracker.text('lefts', row=row))} -> {_escaped(words.get(right, ''))}"
    yield from (f"=  -> {_escaped(text)}" for name, text in words.items() if name not in used)


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _essay(tracker: ExportTracker) -> Lines:
    del tracker
    return iter(())


_WRITERS: Mapping[str, Callable[[ExportTracker], Lines]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _truth,
    "short_text": _short,
    "numeric": _numeric,
    "matching": _matching,
    "essay": _essay,
}
