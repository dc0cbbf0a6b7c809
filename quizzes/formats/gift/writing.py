"""Questions as GIFT: each text as Markdown, so that it is read back as it was."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from grading.numbers.exact import exact
from quizzes.formats.contract import ExportWarning, ParsedQuestion, ParsedRow
from quizzes.formats.parsing.credits import decimal
from quizzes.formats.parsing.taking import Taking, find_refusal

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
    taking = Taking(question, language)
    lines = list(_WRITERS[question.kind](taking))
    if any(line.count("->") > _ARROWS.get(question.kind, len(line)) for line in lines):
        return "", (ExportWarning(question.name, "arrow_left_out"),)
    body = "".join(f"\n\t{line}" for line in _explained(lines, taking))
    prompt = taking.text("prompt").translate(_ESCAPES)
    text = f"::{question.name}::[markdown]{prompt}{{{body}}}\n\n"
    return text, taking.losses(*_SCORING_METHODS.get(question.kind, _ONE_SCORING_METHOD))


def _explained(lines: Iterable[str], taking: Taking) -> Lines:
    yield from lines
    if explanation := taking.text("explanation", told=True):
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


def _choice(taking: Taking) -> Lines:
    many = taking.question.kind == "multiple_choice"
    rows = taking.rows("options")
    right = sum(bool(taking.value("right", row)) for row in rows)
    for row in rows:
        weight = _weight(taking, row, right)
        plainly = not many and weight in {0, 1}
        sign = "=" if not many and weight == 1 else "~"
        text, feedback = taking.text("options", row=row), taking.text("options", told=True, row=row)
        yield sign + ("" if plainly else _percent(weight)) + _said(text) + _feedback(feedback)


def _weight(taking: Taking, row: ParsedRow, right: int) -> Fraction:
    """Give what choosing an option pays, whatever the scoring method is called."""
    is_right = bool(taking.value("right", row))
    if taking.question.scoring_method == "option_weights":
        return taking.ratio("weight", row) if row.values.get("weight") else Fraction(is_right)
    if taking.question.kind == "single_choice":
        return Fraction(is_right)
    return Fraction(1 if is_right else -1, max(right, 1))


def _truth(taking: Taking) -> Lines:
    said: dict[bool, str] = {}
    right = True
    for row in taking.rows("options"):
        taking.text("options", row=row)
        said[row.name == "true"] = taking.text("options", told=True, row=row)
        right = right if not taking.value("right", row) else row.name == "true"
    wrong, good = said.get(not right, ""), said.get(right, "")
    told = f"#{_said(wrong)}" if wrong or good else ""
    yield f"{str(right).upper()}{told}{_feedback(good)}"


def _short(taking: Taking) -> Lines:
    for row in taking.rows("accepted"):
        if taking.value("pattern", row):
            taking.lose("pattern_left_out")
            continue
        words = str(taking.value("text", row)).replace("\\\\", "\\")
        yield _accepted(taking, row, "accepted", _said(words))
    yield from _otherwise(taking, "=%0%*")


def _accepted(taking: Taking, row: ParsedRow, table: str, words: str) -> str:
    credit = taking.ratio("credit", row)
    percent = "" if credit == 1 else _percent(credit)
    return f"={percent}{words}{_feedback(taking.text(table, told=True, row=row))}"


def _otherwise(taking: Taking, sign: str) -> Lines:
    if told := taking.text("otherwise", told=True):
        yield sign + _feedback(told)


def _numeric(taking: Taking) -> Lines:
    yield "#"
    for row in taking.rows("numbers"):
        value, margin = (_decimal(taking, str(taking.value(one, row))) for one in _BOUNDS)
        shape = {"exact": "{0}", "absolute": "{0}:{1}", "range": "{0}..{1}"}
        form = shape.get(str(taking.value("tolerance", row)))
        if form is None:
            taking.lose("tolerance_left_out")
            continue
        yield _accepted(taking, row, "numbers", form.format(value, margin))
    yield from _otherwise(taking, "~")


def _decimal(taking: Taking, text: str) -> str:
    """Write a number with digits: what has no end is rounded, and that is told."""
    if "/" not in text:
        return text
    value = exact(text)
    if Fraction(decimal(value)) != value:
        taking.lose("number_rounded", number=text)
    return decimal(value)


def _matching(taking: Taking) -> Lines:
    taking.value("shuffle")
    words = {row.name: taking.plain("rights", row=row) for row in taking.rows("rights")}
    used = set()
    for row in taking.rows("lefts"):
        right = str(taking.value("goes_with", row))
        used.add(right)
        yield f"= {_said(taking.text('lefts', row=row))} -> {_escaped(words.get(right, ''))}"
    yield from (f"=  -> {_escaped(text)}" for name, text in words.items() if name not in used)


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _essay(taking: Taking) -> Lines:
    del taking
    return iter(())


_WRITERS: Mapping[str, Callable[[Taking], Lines]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _truth,
    "short_text": _short,
    "numeric": _numeric,
    "matching": _matching,
    "essay": _essay,
}
