"""Builds a question from the parts of a text2qti file that belong to it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats import builders
from quizzes.formats.builders import Head, Number, SourceChoice, settle_choice
from quizzes.formats.contract import LONGEST_QUOTE, Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.media import LOCAL_PICTURE
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.numbers import build_tolerance
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.text2qti.parts import Part

FEEDBACK = frozenset({"explanation", "plus", "minus", "solution"})
OPTIONS = frozenset({"single_choice", "multiple_choice"})
ANSWERS = OPTIONS | {"text", "number", "essay", "upload"}
_MARGIN = re.compile(r"(\S+)\s*\+-\s*([\d._]+)\s*(%?)")
_RANGE = re.compile(r"\[([^,\]]+),([^,\]]+)\]")


@dataclass(slots=True)
class QuestionBuilder:
    """One question as it stands in a file."""

    question: Part
    title: str
    points: Fraction | None
    shuffle: bool
    in_group: bool  # of which some questions are drawn
    first_line: int  # of its settings above it
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def last(self) -> Part:
        """Return its last part."""
        return self.parts[-1] if self.parts else self.question

    @property
    def origin(self) -> Origin:
        """Return where it stands."""
        return Origin(self.first_line, self.last.end_line)

    def join(self, strays: Iterable[Part]) -> None:
        """Join lines at the margin to the text above them."""
        for part in strays:
            self.last.more += [part.first, *part.more]
            self.last.end_line = part.end_line
            self.note("line_at_margin", part)

    def note(self, code: str, part: Part) -> None:
        """Note the first line of a part."""
        self.notes.append(Note(code, part.line, part.first[:LONGEST_QUOTE]))

    def build(self, names: Names, language: str) -> SourceItem:
        """Return the item."""
        prompt, line, notes = self.question.text, self.question.line, self.notes
        if self.in_group:
            notes.insert(0, Note("group_draws", line))
        name = names.assign(self.title, prompt)
        general, by_option = self._collect_feedback()
        if "solution" in general:
            notes.append(Note("solution_left_out", line, general["solution"][:LONGEST_QUOTE]))
        if LOCAL_PICTURE.search("\n".join([prompt, *(part.text for part in self.parts)])):
            notes.append(Note("picture_missing", line))
        answers = [part for part in self.parts if part.type in ANSWERS]
        kind = answers[0].type if answers else ""
        if any(answer.type != kind for answer in answers):
            self.note("answers_of_two_kinds", answers[0])
            answers = [answer for answer in answers if answer.type == kind]
        head = Head(line, name, language, prompt, general.get("explanation", ""))
        question = self._build(kind, head, answers, by_option)
        if question:
            bands = {Fraction(1): general.get("plus", ""), Fraction(0): general.get("minus", "")}
            question = builders.add_score_feedback(question, language, bands)
        origin = self.origin.with_name(name, kind, self.points)
        return build_item(origin, question, notes)

    def _collect_feedback(self) -> tuple[dict[str, str], dict[int, str]]:
        """Return the feedback on the question by type, and the feedback by the line of its option.

        What follows an option is no feedback on the question.
        """
        types = [part.type for part in self.parts]
        first = next((place for place, type_ in enumerate(types) if type_ in OPTIONS), None)
        general = {part.type: part.text for part in self.parts[:first] if part.type in FEEDBACK}
        by_option: dict[int, str] = {}
        option = 0
        for part in self.parts:
            if part.type in ANSWERS:
                option = part.line
            elif part.type == "explanation":
                by_option[option] = part.text
        return general, by_option

    def _build(
        self, kind: str, head: Head, answers: list[Part], feedback: dict[int, str]
    ) -> ParsedQuestion | None:
        if kind in OPTIONS and len(answers) > 1:
            return self._build_choice(head, answers, feedback)
        if kind == "text":
            return builders.build_short_text(
                head,
                [
                    builders.Accepted(builders.escape_wildcards(answer.first.strip()))
                    for answer in answers
                ],
                # As Canvas compares a short answer, for which such a file is made.
                **builders.build_strict_comparison(case=False),
            )
        if kind == "number":
            number = parse_number(answers[0].first.strip())
            if number is None:
                self.note("number_unreadable", answers[0])
            return builders.build_numeric(head, [number] if number else [])
        if kind == "essay":
            return builders.build_essay(head)
        code = "file_upload" if kind == "upload" else "options_missing"
        self.notes.append(Note(code, head.line, head.prompt[:LONGEST_QUOTE]))
        return None

    def _build_choice(
        self, head: Head, answers: list[Part], feedback: dict[int, str]
    ) -> ParsedQuestion:
        options = [
            builders.Option(
                answer.text,
                right=answer.mark == "*",
                feedback=feedback.get(answer.line, ""),
                line=answer.line,
            )
            for answer in answers
        ]
        question, notes = settle_choice(
            head,
            SourceChoice(
                options,
                many=answers[0].type == "multiple_choice",
                shuffle=self.shuffle,
                truths=[parse_boolean(option.text) for option in options],
                quote=head.prompt,
            ),
        )
        self.notes += notes
        return question


def parse_number(text: str) -> Number | None:
    """Return an accepted number: exact, with a margin, or a range; None for anything else."""
    value: Fraction | None
    if match := _MARGIN.fullmatch(text):
        value, margin = _parse_decimal(match[1]), _parse_decimal(match[2])
        if value is None or margin is None:
            return None
        margin = abs(value) * margin / 100 if match[3] else margin
        bounds = [value - margin, value + margin]
    else:
        match = _RANGE.fullmatch(text)
        value = None if match else _parse_decimal(text)
        texts = match.groups() if match else (text, text)
        bounds = [bound for bound in map(_parse_decimal, texts) if bound is not None]
        if len(bounds) <= 1:
            return None
    tolerance, number, margin_text = build_tolerance(value, *sorted(bounds))
    return Number(number, tolerance, margin_text)


def _parse_decimal(text: str) -> Fraction | None:
    """Return a number; its exponent has three digits at most."""
    digits, _, power = text.strip().replace("_", "").lower().partition("e")
    value = parse_decimal(digits)
    if value is None or not power:
        return value
    return value * Fraction(10) ** int(power) if re.fullmatch(r"[+-]?\d{1,3}", power) else None
