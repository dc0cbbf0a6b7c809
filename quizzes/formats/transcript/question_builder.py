"""Builds our question from a question as it stands on a page, with notes on what was repaired."""

from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.transcript.answer_key import PageKey, find_key, is_chosen
from quizzes.formats.transcript.page_markdown import is_ended, split_listing, write_markdown
from quizzes.formats.transcript.page_reader import PageOption, PageQuestion
from quizzes.formats.transcript.vocabulary import MARKS

_MOST_UNSURE_STEMS = 2


def build_question(
    question: PageQuestion, name: str, language: str, *, has_full_grade: bool, ended: int
) -> SourceItem:
    """Return the item; `ended`: how many stems of the page end as sentences do."""
    notes = [*question.notes, *_note_stem(question, ended)]
    notes += (
        Note("letter_as_mark", option.line, f"{option.mark} {option.text}"[:LONGEST_QUOTE])
        for option in question.options
        if option.mark and option.mark not in MARKS
    )
    head = Head(question.line, name, language, write_markdown(question.stem))
    origin = Origin(question.line, question.end_line, name=name, points=question.points)
    if question.listing:
        listings = split_listing(question.listing)
        question.options = [PageOption(question.line, code, mark) for mark, code in listings]
    if len(question.options) <= 1:
        notes.append(Note("options_missing", question.line, question.quote))
        return build_item(origin, None, notes)
    key = find_key(question, has_full_grade=has_full_grade)
    if not question.stem:
        key = PageKey(many=key.many)
    right = key.right or [False] * len(question.options)
    explanation = question.feedback if key.many else _assign_feedback(question, right)
    options = [
        Option(
            write_markdown([option.text]),
            right=is_right,
            feedback=write_markdown(option.feedback),
            line=option.line,
        )
        for option, is_right in zip(question.options, right, strict=True)
    ]
    source = SourceChoice(
        options,
        many=key.many,
        truths=[parse_boolean(option.text) for option in question.options],
        quote=question.quote,
    )
    parsed, settled = settle_choice(replace(head, explanation=write_markdown(explanation)), source)
    return build_item(origin, parsed, [*notes, *settled, *key.notes])


def _note_stem(question: PageQuestion, ended: int) -> list[Note]:
    """Note a stem that breaks off where all others end, or below a line of no question."""
    if not question.stem:
        first = question.listing.strip().split("\n")[0].strip()
        return [Note("stem_missing", question.line, first[:LONGEST_QUOTE])]
    if is_ended(question.stem[-1]) or not (question.interrupted or ended > _MOST_UNSURE_STEMS):
        return []
    return [Note("stem_damaged", question.line, question.quote)]


def _assign_feedback(question: PageQuestion, right: Sequence[bool]) -> list[str]:
    """Move all feedback to the one chosen option; return what explains the whole question."""
    options = question.options
    feedback = [*question.feedback, *(text for option in options for text in option.feedback)]
    chosen = [option for option in options if is_chosen(option)]
    chosen = chosen or [option for option, it in zip(options, right, strict=True) if it]
    for option in options:
        option.feedback = []
    if len(chosen) != 1:
        return feedback
    chosen[0].feedback = feedback
    return []
