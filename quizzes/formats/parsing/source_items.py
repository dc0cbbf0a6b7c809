"""One item of a file: where it is, and its status, which follows from its notes. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from quizzes.formats.contract import ImportStatus, Note, ParsedQuestion, SourceItem

LOST = frozenset({"media_elsewhere", "picture_elsewhere", "picture_without_words", "text_cut"})
"""What is lost with these may be what a question is about: a person must look."""
REVIEW_CODES = LOST | frozenset(
    """
    answer_empty answer_without_mark case_counts_in_some_gaps custom_response_processing
    file_unreadable files_asked_for full_credit_out_of_reach gap_answers_left_out
    gap_catch_all_left_out gap_missing_in_text gap_unreadable gap_weights_left_out key_unknown
    languages_mixed negative_credit number_unreadable option_empty options_not_in_rule
    pair_incomplete part_of_items_asked pattern_elsewhere penalty_unreadable prompt_missing
    several_right_options tags_in_markdown too_few_items too_few_options too_few_pairs
    too_many_gaps unit_unreadable weight_unreadable
    """.split()
)
"""Codes of what a person must look at, in every format."""
HARMLESS_CODES = frozenset(
    """
    hint_left_out notes_for_markers_left_out number_left_out penalty_left_out template_left_out
    """.split()
)
"""Codes of what changes nothing about a question; any other is of something that was repaired."""


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
        return replace(self, name=name, kind=kind, points=points)


def build_item(
    origin: Origin,
    question: ParsedQuestion | None,
    notes: Iterable[Note],
    review: Collection[str] = REVIEW_CODES,
    harmless: Collection[str] = HARMLESS_CODES,
) -> SourceItem:
    """Return the item with its status: without a question it is refused, under its own kind.

    A note with a code of `review` is for a person to look at; any other but the `harmless` ones
    says that something was repaired.
    """
    notes = tuple(notes)
    codes = {note.code for note in notes}.difference(harmless)
    status = ImportStatus.REPAIRED if codes else ImportStatus.IMPORTED
    if question is None:
        status = ImportStatus.REFUSED
    elif not codes.isdisjoint(review):
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
    )
