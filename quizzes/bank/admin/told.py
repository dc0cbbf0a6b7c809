"""Findings in words, question by question, each with the way to its place."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext

from quizzes.bank.admin import labels
from quizzes.bank.admin.words import summary
from quizzes.bank.checks import Meant, Told
from quizzes.bank.lint import SCHEME, Finding, Severity
from quizzes.bank.sayings import SEVERITY, language_name, say


@dataclass(frozen=True, slots=True)
class Line:
    """A finding in words; `may_stand`: an author may say that it is meant so."""

    severity: Severity
    word: Promise | str
    text: str
    place: str
    address: str
    code: str
    about: str
    may_stand: bool
    meant: Meant | None


@dataclass(frozen=True, slots=True)
class Group:
    """What was found in one question; without one: in the bank as a whole."""

    pk: int | None
    name: str
    prompt: str
    digest: str
    lines: tuple[Line, ...]


def apart(told: Iterable[Told]) -> list[list[Told]]:
    """Give the findings of each question, and before them those of the bank, as they come."""
    return [list(listed) for _of, listed in groupby(told, key=lambda one: one.question)]


def grouped(told: Sequence[Told]) -> Group:
    """Put the findings of one question into words, one at least."""
    of, lines = told[0].question, tuple(_line(one) for one in told)
    if of is None:
        return Group(None, "", "", "", lines)
    return Group(of.pk, of.name, summary(of.prompt), of.digest, lines)


def _line(one: Told) -> Line:
    found = one.finding
    return Line(
        severity=found.severity,
        word=SEVERITY[found.severity],
        text=say(found.code, found.figures),
        place=place(found, one.row),
        address=address(found, one.question.pk) if one.question and one.question.pk else "",
        code=found.code,
        about=found.about,
        may_stand=one.question is not None and found.severity != Severity.ERROR,
        meant=one.meant,
    )


def place(found: Finding, row: str) -> str:
    """Say where in a question it is; `row` is the short name of the row, if it is of one."""
    return " · ".join(_place(found, row))


def _place(found: Finding, row: str) -> Iterator[str]:
    table, text = labels.TABLES.get(found.part), labels.TEXTS.get(found.part)
    if found.path == SCHEME:
        yield gettext("Scoring")
    if table and row:
        yield f"{table.one} {row}"
    elif text:
        yield str(text.name)
    elif table:
        yield str(table.name)
    if found.path.startswith("feedback.") and row:
        yield str(labels.FEEDBACK)
    if found.path and found.language:
        yield language_name(found.language)


def address(found: Finding, question: int) -> str:
    """Give the address of the place on the authoring page."""
    page = reverse("admin:bank_question_change", args=[question])
    steps = found.path.split(".")
    if found.path == SCHEME:
        return f"{page}#id_q-scheme"
    if found.row:
        return f"{page}#row-{found.row}"
    if steps[0] in {"words", "feedback"} and found.part:
        told = "told" if steps[0] == "feedback" else "words"
        return f"{page}#id_q-{told}_{found.part}_{found.language}"
    return page
