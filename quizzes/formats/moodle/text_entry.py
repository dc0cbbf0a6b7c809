"""Questions that are answered in words and numbers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.item import Item, raw
from quizzes.formats.parsing.percentages import fraction, ratio, snapped
from quizzes.formats.parsing.xml import XmlNode

ANYTHING = "*"
_BACKSLASH = re.compile(r"\\(?!\*)")
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?")
_NO_UNITS_SHOWN = "3"


def short_answer(item: Item, head: Head) -> ParsedQuestion:
    """Read accepted answers; what is said to anything else is `otherwise`."""
    answers = {}
    texts = dict(head.told)
    for answer in item.children("answer"):
        text, credit = " ".join(raw(answer).split()), item.percent(answer)
        feedback = item.feedback(answer)
        if text == ANYTHING and not credit:
            texts["otherwise"] = feedback
        elif text in answers:
            item.repaired("duplicate_answer_left_out", answer, text)
        elif look(item, answer, text, credit):
            answers[text] = Accepted(wildcard(text), max(credit, Fraction(0)), feedback)
    _full(item, [one.credit for one in answers.values()])
    return builders.short_text(
        replace(head, told=texts),
        list(answers.values()),
        case=item.flag("usecase", default=False),
        accents=True,
        spaces=True,
        punctuation=True,
    )


def wildcard(text: str) -> str:
    r"""Write an answer as ours: there a backslash is itself, but for `\*`; here `\\` is one."""
    return _BACKSLASH.sub(r"\\\\", text)


def look(item: Item, at: XmlNode, text: str, credit: Fraction) -> bool:
    """Tell whether an answer can be accepted; one that costs, or says nothing, cannot."""
    if not text:
        item.review("answer_empty", at)
        return False
    if credit < 0:
        item.review("negative_credit", at, text)
    return True


def numerical(item: Item, head: Head) -> ParsedQuestion:
    """Read accepted numbers with their tolerances and units."""
    numbers, texts = [], dict(head.told)
    for answer in item.children("answer"):
        text, credit, feedback = raw(answer).strip(), item.percent(answer), item.feedback(answer)
        if text == ANYTHING and not credit:
            texts["otherwise"] = feedback
        elif not text:
            item.review("answer_empty", answer)
        else:
            margin = raw(answer.find("tolerance")).strip()
            if parsed := number(item, answer, text, margin):
                numbers.append(replace(parsed, credit=max(credit, Fraction(0)), feedback=feedback))
    _full(item, [one.credit for one in numbers])
    units = dict(_units(item))
    graded = item.value("unitgradingtype", "0") != "0"
    has_units = item.value("showunits", "0") != _NO_UNITS_SHOWN
    unit = ("required" if graded else "optional") if units and has_units else "none"
    question = builders.numeric(
        replace(head, told=texts), numbers, unit=unit, units=units if unit != "none" else {}
    )
    return _unit_credit(item, question) if unit == "required" else question


def number(item: Item, at: XmlNode, text: str, margin: str) -> Number | None:
    """Give an accepted number, exactly as written; None where it is none."""
    value, around = exact(text), exact(margin or "0")
    if value is None or around is None:
        item.review("number_unreadable", at, text if value is None else margin)
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


def essay(item: Item, head: Head) -> ParsedQuestion:
    """Read an essay; what its markers were told is noted."""
    for name, code in (
        ("graderinfo", "notes_for_markers_left_out"),
        ("responsetemplate", "template_left_out"),
    ):
        if text := item.value(name):
            item.note(code, item.node, text)
    if item.value("attachmentsrequired", "0") != "0" or item.value("responseformat") == "noinline":
        item.review("files_asked_for", item.node)
    return builders.essay(
        head, minimum=_count(item, "minwordlimit"), maximum=_count(item, "maxwordlimit")
    )


def _count(item: Item, name: str) -> int | None:
    text = item.value(name)
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) else None


def _full(item: Item, earned: list[Fraction]) -> None:
    if not earned or max(earned) < 1:
        item.review("key_unknown", item.node)


def _units(item: Item) -> Iterator[tuple[str, str]]:
    """Give each unit's factor: there, what the number is multiplied by; here, what it is worth."""
    for units in item.children("units"):
        for unit in units:
            symbol = raw(unit.find("unit_name")).strip()
            times = exact(raw(unit.find("multiplier")).strip() or "1")
            if not symbol or times is None or not Fraction(times) > 0:
                item.review("unit_unreadable", item.node, symbol)
            else:
                yield symbol, str(1 / Fraction(times))


def _unit_credit(item: Item, question: ParsedQuestion) -> ParsedQuestion:
    """Say what a right number keeps without its unit."""
    penalty = fraction(item.value("unitpenalty", "0.1"))
    if penalty is None or not 0 <= penalty <= 1:
        item.review("penalty_unreadable", item.node, item.value("unitpenalty"))
        return question
    credit = ratio(snapped(1 - penalty, Fraction(1, 10**6)))
    return replace(question, fields={**question.fields, "unit_credit": credit})
