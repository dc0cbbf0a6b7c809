"""Questions that are answered in words and numbers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.parsing.percentages import fraction, ratio, snapped
from quizzes.formats.parsing.xml import XmlNode

ANYTHING = "*"
_BACKSLASH = re.compile(r"\\(?!\*)")
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?")
_NO_UNITS_SHOWN = "3"


def short_answer(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read accepted answers; what is said to anything else is `otherwise`."""
    answers = {}
    texts = dict(head.told)
    for answer in question.find_all("answer"):
        text, credit = " ".join(read_raw(answer).split()), question.read_credit(answer)
        feedback = question.read_feedback(answer)
        if text == ANYTHING and not credit:
            texts["otherwise"] = feedback
        elif text in answers:
            question.note("duplicate_answer_left_out", answer, text)
        elif look(question, answer, text, credit):
            answers[text] = Accepted(wildcard(text), max(credit, Fraction(0)), feedback)
    _full(question, [one.credit for one in answers.values()])
    return builders.build_short_text(
        replace(head, told=texts),
        list(answers.values()),
        case=question.read_flag("usecase", default=False),
        accents=True,
        spaces=True,
        punctuation=True,
    )


def wildcard(text: str) -> str:
    r"""Write an answer as ours: there a backslash is itself, but for `\*`; here `\\` is one."""
    return _BACKSLASH.sub(r"\\\\", text)


def look(question: QuestionElement, at: XmlNode, text: str, credit: Fraction) -> bool:
    """Tell whether an answer can be accepted; one that costs, or says nothing, cannot."""
    if not text:
        question.note("answer_empty", at)
        return False
    if credit < 0:
        question.note("negative_credit", at, text)
    return True


def numerical(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read accepted numbers with their tolerances and units."""
    numbers, texts = [], dict(head.told)
    for answer in question.find_all("answer"):
        text, credit, feedback = (
            read_raw(answer).strip(),
            question.read_credit(answer),
            question.read_feedback(answer),
        )
        if text == ANYTHING and not credit:
            texts["otherwise"] = feedback
        elif not text:
            question.note("answer_empty", answer)
        else:
            margin = read_raw(answer.find("tolerance")).strip()
            if accepted := number(question, answer, text, margin):
                numbers.append(
                    replace(accepted, credit=max(credit, Fraction(0)), feedback=feedback)
                )
    _full(question, [one.credit for one in numbers])
    units = dict(_units(question))
    graded = question.read_value("unitgradingtype", "0") != "0"
    has_units = question.read_value("showunits", "0") != _NO_UNITS_SHOWN
    unit = ("required" if graded else "optional") if units and has_units else "none"
    parsed = builders.build_numeric(
        replace(head, told=texts), numbers, unit=unit, units=units if unit != "none" else {}
    )
    return _unit_credit(question, parsed) if unit == "required" else parsed


def number(question: QuestionElement, at: XmlNode, text: str, margin: str) -> Number | None:
    """Give an accepted number, exactly as written; None where it is none."""
    value, around = exact(text), exact(margin or "0")
    if value is None or around is None:
        question.note("number_unreadable", at, text if value is None else margin)
        return None
    near = Fraction(around)
    if not near:
        return Number(value)
    return Number(value, "absolute", around.removeprefix("-"))


def exact(text: str) -> str | None:
    """Write a number as our authors do: digits on both sides of a point; None if it is none."""
    text = text.replace("\N{MINUS SIGN}", "-").replace(" ", "")
    text = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    match = _NUMBER.fullmatch(text)
    if not match or not (match[2] or match[3]) or len(text) > 50:  # noqa: PLR2004  ours has 60
        return None
    sign, integer, places, power = match.groups(default="")
    if power and abs(int(power)) > 300:  # noqa: PLR2004  where floats end
        return None
    sign = sign.removeprefix("+")
    return f"{sign}{integer or 0}{'.' if places else ''}{places}{'e' if power else ''}{power}"


def essay(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read an essay; what its markers were told is noted."""
    for name, code in (
        ("graderinfo", "notes_for_markers_left_out"),
        ("responsetemplate", "template_left_out"),
    ):
        if text := question.read_value(name):
            question.note(code, question.node, text)
    if (
        question.read_value("attachmentsrequired", "0") != "0"
        or question.read_value("responseformat") == "noinline"
    ):
        question.note("files_asked_for")
    return builders.build_essay(
        head, minimum=_count(question, "minwordlimit"), maximum=_count(question, "maxwordlimit")
    )


def _count(question: QuestionElement, name: str) -> int | None:
    text = question.read_value(name)
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) else None


def _full(question: QuestionElement, earned: list[Fraction]) -> None:
    if not earned or max(earned) < 1:
        question.note("key_unknown")


def _units(question: QuestionElement) -> Iterator[tuple[str, str]]:
    """Give each unit's factor: there, what the number is multiplied by; here, what it is worth."""
    for units in question.find_all("units"):
        for unit in units:
            symbol = read_raw(unit.find("unit_name")).strip()
            times = exact(read_raw(unit.find("multiplier")).strip() or "1")
            if not symbol or times is None or not Fraction(times) > 0:
                question.note("unit_unreadable", question.node, symbol)
            else:
                yield symbol, str(1 / Fraction(times))


def _unit_credit(question: QuestionElement, parsed: ParsedQuestion) -> ParsedQuestion:
    """Say what a right number keeps without its unit."""
    penalty = fraction(question.read_value("unitpenalty", "0.1"))
    if penalty is None or not 0 <= penalty <= 1:
        question.note("penalty_unreadable", question.node, question.read_value("unitpenalty"))
        return parsed
    credit = ratio(snapped(1 - penalty, Fraction(1, 10**6)))
    return replace(parsed, fields={**parsed.fields, "unit_credit": credit})
