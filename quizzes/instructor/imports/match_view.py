"""The rows of a language match as a page lets a person pair them."""

from dataclasses import dataclass

from django.utils.functional import Promise

from quizzes.document import QuestionDocument
from quizzes.instructor.translated_field import summarize
from quizzes.matching.language_match import LanguageMatch
from quizzes.presentation.messages.imports import PAIR_BASES


@dataclass(frozen=True, slots=True)
class RowChoice:
    """A row of one question; `candidates` are the other's: (id, text, whether it is paired)."""

    id: str
    text: str
    basis: Promise | str
    candidates: tuple[tuple[str, str, bool], ...]


def build_row_choices(
    document: QuestionDocument, existing: QuestionDocument, match: LanguageMatch, code: str
) -> tuple[RowChoice, ...]:
    """Return each row that may be paired, with the rows of its table that it may go with."""
    pairs = {pair.left: pair for pair in match.rows}
    texts = _summarize_rows(existing, code)
    tables, existing_tables = _tables_by_row(document), _tables_by_row(existing)
    return tuple(
        RowChoice(
            id_,
            text,
            PAIR_BASES.get(pairs[id_].basis, "") if id_ in pairs else "",
            tuple(
                (other, texts[other], id_ in pairs and pairs[id_].right == other)
                for other in texts
                if existing_tables[other] == tables[id_]
            ),
        )
        for id_, text in _summarize_rows(document, match.language).items()
    )


def _summarize_rows(document: QuestionDocument, code: str) -> dict[str, str]:
    """Return every row by id, with the beginning of its first text."""
    rows = dict.fromkeys(_tables_by_row(document), "")
    for slot in document.text_slots:
        if slot.id:
            rows[slot.id] = rows[slot.id] or summarize(document.text_at(code, slot), 60)
    return rows


def _tables_by_row(document: QuestionDocument) -> dict[str, str]:
    return {row.id: table.name for table, row in document.iter_rows()}
