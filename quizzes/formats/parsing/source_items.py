"""One item of a file: where it is, and its status, which follows from its notes. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.contract import ImportStatus, Note, ParsedQuestion, SourceItem
from quizzes.formats.parsing.reading_limits import READING_LIMITS

REVIEW_CODES = frozenset(
    """
    answer_ambiguous answer_empty answer_unknown answer_without_mark answers_of_two_kinds
    back_missing box_missing card_by_program cards_without_header cell_has_error cell_is_date
    cell_left_out cost_limited custom_response_processing element_unknown explanation_or_prompt
    file_unreadable files_asked_for formula_without_value full_credit_out_of_reach
    gap_answers_left_out
    gap_catch_all_left_out gap_missing_in_text gap_unreadable identifier_missing identifier_twice
    key_in_prompt key_unknown keys_differ languages_differ languages_mixed latex_as_text
    letter_twice letter_unknown media_elsewhere negative_credit number_unreadable
    option_empty options_guessed options_missing options_not_in_rule
    pair_incomplete part_of_items_asked pattern_elsewhere penalty_unreadable picture_elsewhere
    prompt_missing question_below quote_left_open scoring_method_unknown setting_unreadable
    several_keyed_lists several_prompts several_right_options stem_damaged stem_missing
    tags_in_markdown task_list text_among_options text_cut
    too_few_items too_few_options too_few_pairs too_many_gaps translation_missing unit_unreadable
    weight_unreadable
    """.split()
)
"""Codes of what a person must look at: what is right, or a part of the question, may be lost."""
DAMAGED_CODES = frozenset(
    """
    answer_ambiguous answer_unknown answer_without_mark answers_of_two_kinds identifier_twice
    key_in_prompt key_unknown keys_differ languages_mixed letter_twice letter_unknown
    line_left_over option_empty options_guessed options_missing pair_incomplete prompt_missing
    quote_left_open several_keyed_lists several_right_options
    stem_damaged stem_missing task_list text_among_options text_cut too_few_items too_few_options
    too_few_pairs
    """.split()
)
"""Codes of questions without a key, or with a part missing: not imported unless a person asks."""
HARMLESS_CODES = frozenset(
    """
    cards_left_out detail_left_out end_blanks_ignored field_left_out hint_left_out layout_left_out
    notes_for_markers_left_out number_left_out penalty_left_out score_below_zero
    share_without_effect template_left_out
    time_limit_left_out
    """.split()
)
"""Codes of what changes nothing about a question; any other says that it was repaired."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an item comes from: its lines, its file in a package; and what it is called there."""

    line: int
    end_line: int
    archive_path: str = ""
    name: str = ""
    kind: str = ""
    points: Fraction | None = None

    def with_name(self, name: str, kind: str = "", points: Fraction | None = None) -> "Origin":
        """Return the origin with the name, the kind and the points that the file gives."""
        # Not by `replace`, which takes three times as long: a file has tens of thousands of items.
        return Origin(self.line, self.end_line, self.archive_path, name, kind, points)


def build_item(
    origin: Origin,
    question: ParsedQuestion | None,
    notes: Iterable[Note],
) -> SourceItem:
    """Return the item with the status that its notes give it; refused without a question."""
    notes = tuple(notes)
    if question is not None and _has_too_many_options(question):
        detail = {"maximum": READING_LIMITS.options}
        question, notes = None, (*notes, Note("too_many_options", origin.line, "", detail))
    codes = {note.code for note in notes} - HARMLESS_CODES
    status = ImportStatus.REPAIRED if codes else ImportStatus.IMPORTED
    if question is None:
        status = ImportStatus.REFUSED
    elif codes & REVIEW_CODES:
        status = ImportStatus.REVIEW
    return SourceItem(
        line=origin.line,
        end_line=origin.end_line,
        name=origin.name,
        kind=question.kind if question else origin.kind,
        status=status,
        question=question,
        notes=notes,
        archive_path=origin.archive_path,
        points=origin.points,
        is_damaged=bool(codes & DAMAGED_CODES),
    )


def _has_too_many_options(question: ParsedQuestion) -> bool:
    return any(len(rows) > READING_LIMITS.options for rows in question.tables.values())
