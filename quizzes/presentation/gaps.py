"""The gaps of a text as they were filled: its name, how it went, its feedback."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext

from grading.cloze.structure import OPTIONS, group_by_gap, parse_gaps
from grading.contract import LedgerLine
from grading.json_types import Content, ratio_from_json
from grading.numeric.formatting import format_number
from grading.numeric.readings import OTHER_READING
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.ledger_messages import safe_html
from quizzes.presentation.messages.attempts import describe_reason
from quizzes.presentation.number_questions import answer_with_reading, format_correct_answer
from quizzes.presentation.text_answers import format_text_answer, format_text_solution

GAP = re.compile(r'<span class="gap" data-gap="([^"]*)"></span>')
"""Where a gap stands in a rendered prompt."""

STATES = {"gap_right": "right", "gap_partly": "partly", "gap_wrong": "wrong"}


@dataclass(frozen=True, slots=True)
class Gaps:
    """The gaps of an answered question by their ids, numbered as the text of a language has them.

    `comparisons` says of gaps for words how these are compared. `lines` are those of the ledger
    that each gap has, `rules` the others.
    """

    numbers: Mapping[str, int]
    options: Mapping[str, Sequence[str]]
    texts: Mapping[str, str]
    lang: str
    comparisons: Mapping[str, Content] = field(default_factory=dict)
    lines: Mapping[str, list[LedgerLine]] = field(default_factory=dict)
    rules: Sequence[LedgerLine] = ()

    def name(self, id_: str) -> str:
        """Return the name of a gap, which has its number."""
        return gettext("Gap %(number)s") % {"number": self.numbers[id_]}

    def state(self, id_: str) -> str:
        """Return how a gap went, as far as the ledger is shown."""
        lines = self.lines.get(id_)
        return STATES.get(lines[0].reason, "") if lines else ""

    def answer(self, id_: str, answer: Mapping[str, Any], language: str) -> str:
        """Return what is in a gap: an option's words, a text, or a number and how it was read."""
        if "chosen" in answer:
            return ", ".join(excerpt(self.texts.get(option, "")) for option in answer["chosen"])
        if "text" in answer:
            return format_text_answer(answer, self.comparisons.get(id_, {}), language)
        return _format_number(answer, language)

    def solution(self, id_: str, solved: Mapping[str, Any], language: str) -> str:
        """Return what is right in a gap."""
        if "text" in solved:
            return format_text_solution(solved, self.comparisons.get(id_, {}), language)
        if "typed" in solved:
            return format_correct_answer(solved, language)
        return self.answer(id_, solved, language)

    def earned(self, id_: str) -> Fraction:
        """Return what a gap earned, as a share of the question's points."""
        return sum((line.earned for line in self.lines.get(id_, ())), Fraction())

    def describe_lines(self, id_: str) -> list[tuple[str, Fraction]]:
        """Return the lines of a gap in words, with what each earned; the first for none."""
        lines = self.lines.get(id_, [])
        done = [
            line for line in lines[1:] if line.chosen or line.earned or line.reason == OTHER_READING
        ]
        return [(self._line_text(line), line.earned) for line in done or lines[:1]]

    def _line_text(self, line: LedgerLine) -> str:
        reason = describe_reason(line.reason)
        text = self.texts.get(line.part)
        return f"{quote(excerpt(text))}: {reason}" if text else reason

    def feedback(
        self, id_: str, feedback: Mapping[str, str], answer: Mapping[str, Any]
    ) -> dict[str, str]:
        """Return the feedback, by ids of rows, that belongs to this gap.

        Feedback on an option that was not chosen stands after its name.
        """
        chosen = answer.get("chosen", ())
        called = [line.part for line in self.lines.get(id_, ()) if line.chosen]
        listed = dict.fromkeys([*called, *self.options.get(id_, ())])
        return {
            part: feedback[part]
            if part in called or part in chosen
            else self._with_option_name(part, feedback[part])
            for part in listed
            if part in feedback
        }

    def _with_option_name(self, option: str, html: str) -> str:
        return format_html(
            "<p>{}:</p>{}", quote(excerpt(self.texts.get(option, ""))), safe_html(html) or ""
        )


def build_gaps(
    public_version: PublicVersion, language: str, ledger: Sequence[LedgerLine] = ()
) -> Gaps:
    """Return the gaps of a question with what the ledger says of each."""
    words = public_version.words(language)
    numbers = {id_: number for number, id_ in enumerate(GAP.findall(words.prompt), 1)}
    lines, rules = _lines_by_gap(ledger, numbers)
    return Gaps(
        numbers,
        _options_by_gap(public_version.content),
        words.parts,
        words.language,
        {gap.id: gap.comparison for gap in parse_gaps(public_version.content)[0]},
        lines,
        rules,
    )


def _options_by_gap(content: Content) -> dict[str, list[str]]:
    by_gap = group_by_gap(content.get(OPTIONS))
    return {gap: [str(row["id"]) for row in rows] for gap, rows in by_gap.items()}


def _lines_by_gap(
    ledger: Sequence[LedgerLine], numbers: Mapping[str, int]
) -> tuple[dict[str, list[LedgerLine]], list[LedgerLine]]:
    """Return the lines of each gap, from one that names it up to the next, and the others."""
    lines: dict[str, list[LedgerLine]] = {}
    rules, current = list[LedgerLine](), ""
    for line in ledger:
        current = line.part if line.part in numbers else current
        stray = line.chosen is None or line.reason in {"withdrawn", "not_chosen"}
        if not current or (stray and line.part != current):
            rules.append(line)
        else:
            lines.setdefault(current, []).append(line)
    return lines, rules


def _format_number(answer: Mapping[str, Any], language: str) -> str:
    """Return a number as typed, and as the reader would write it where that differs."""
    if "read_by" in answer:
        return answer_with_reading(answer, language)
    number = format_number(ratio_from_json(answer["number"]), language, answer["digits"])
    return str(answer["typed"]) if answer["typed"] == number else f"{answer['typed']} ({number})"
