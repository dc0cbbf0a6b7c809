"""What keeps a row from being a whole question, noted for a person to look at."""

from collections.abc import Sequence

from quizzes.formats.parsing.source_items import LOST
from quizzes.formats.spreadsheet.columns import heading
from quizzes.formats.spreadsheet.keys import Told
from quizzes.formats.spreadsheet.pairs import pair
from quizzes.formats.spreadsheet.record import Record

REVIEW = LOST | frozenset(
    "answer_ambiguous answer_unknown back_missing cell_has_error cell_is_date "
    "cell_left_out formula_without_value key_unknown languages_differ "
    "number_unreadable pair_incomplete prompt_missing quote_left_open scoring_method_unknown "
    "setting_unreadable several_right_options too_few_items too_few_options too_few_pairs "
    "translation_missing weight_unreadable".split()
)
"""What a person must look at; any other note is of something that was mended."""
_FEWEST = 2


def check(record: Record, told: Told, spoken: Sequence[str]) -> None:
    """Note what is missing, in any of the languages that the question is asked in."""
    if not record.languages("question"):
        record.note("prompt_missing", " | ".join(record.row.cells))
    for language in spoken:
        if not record.raw("question", language) and record.languages("question"):
            record.note("translation_missing", f"{language}: question")
        missing = [one for one in record.letters() if not record.raw("option", language, one)]
        if missing:
            record.note("translation_missing", f"{language}: {', '.join(missing).upper()}")
    if told.kind == "matching":
        _check_pairs(record, spoken)
    if told.kind == "ordering" and len(record.letters()) < _FEWEST:
        record.note("too_few_items")
    if told.kind == "flashcard" and not (record.letters() or record.cell("correct")):
        record.note("back_missing")


def note_left_out(record: Record) -> None:
    """Note the cells that the kind of question has no place for, once all others were read."""
    for column, cell in record.unread():
        if column.part == "hint":
            record.note("hint_left_out", cell)
        else:
            called = heading(column.part, column.letter, column.language, spoken=record.language)
            record.note("cell_left_out", f"{called}: {cell}")


def _check_pairs(record: Record, spoken: Sequence[str]) -> None:
    for language in spoken:
        cells = [record.raw("option", language, one) for one in record.letters()]
        pairs = [pair(one) for one in cells if one]
        for cell, found in zip(filter(None, cells), pairs, strict=True):
            if found is None or (found[0] and not found[1]):
                record.note("pair_incomplete", cell)
        if sum(one is None or bool(one[0]) for one in pairs) < _FEWEST:
            record.note("too_few_pairs", language)
