"""A question as a form and grids, of any kind: drawn from values, or received and read again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from grading.kinds import KINDS
from grading.shape import Shape, Table
from quizzes.bank.models import Bank
from quizzes.instructor.questions.field_labels import label_for_table
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData, TextByLanguage
from quizzes.instructor.questions.form_fields import Choices
from quizzes.instructor.questions.forms import QuestionForm
from quizzes.instructor.questions.row_formset import RowFormSet, build_row_formset
from quizzes.instructor.questions.row_names import (
    is_temporary_id,
    keep_temporary_ids,
    resolve_row_ids,
)

BLANK_LINES = 2
BLANK_AT_FIRST = 4


@dataclass(frozen=True, slots=True)
class QuestionFormSet:
    """The form of a question and the grids of its tables, as shown or as sent."""

    kind: str
    form: QuestionForm
    grids: Mapping[str, RowFormSet]

    @property
    def shape(self) -> Shape:
        """What the sheet was drawn for."""
        return self.form.shape

    def is_valid(self) -> bool:
        """Return whether all of it can be saved, whatever else is wrong; check every part."""
        return all(
            [self.form.is_valid(), *(table_grid.is_valid() for table_grid in self.grids.values())]
        )

    def offer(self, names: Mapping[str, str], language: str) -> dict[str, Choices]:
        """Let fields that name rows offer the lines there are; return those, table → choices."""
        rows = {
            name: table_grid.choices(names, language) for name, table_grid in self.grids.items()
        }
        for table_grid in self.grids.values():
            for form in table_grid.forms:
                form.offer(rows)
        return rows

    def authored(self) -> QuestionFormData:
        """Return what was sent as values, by the kind that the page was drawn for."""
        data = self.form.cleaned_data
        kind = KINDS.get(self.kind)
        sent = QuestionFormData(
            kind=self.kind,
            scoring_method=data["scoring_method"] or (kind.scoring_methods[0] if kind else ""),
            source_language=data["source_language"],
            languages=tuple(self.form.languages),
            values=self.form.values(),
            texts=self.form.texts(),
            tables={name: table_grid.rows() for name, table_grid in self.grids.items()},
            fresh=self.form.fresh(),
        )
        return resolve_row_ids(sent, self.shape, keep_temporary_ids(row.id for row in sent.rows()))


def build_formset(
    authored: QuestionFormData,
    more: Mapping[str, Any],
    *,
    languages: Mapping[str, str],
    banks: QuerySet[Bank] | None,
) -> QuestionFormSet:
    """Return the sheet of these values; `more` is what the form holds beside the question."""
    initial = {**_initial_values(authored), **more}
    form = QuestionForm(
        kind=authored.kind, languages=languages, banks=banks, initial=initial, prefix="q"
    )
    grids = {
        table.name: build_row_formset(
            table,
            languages,
            rows=_initial_rows(table, authored.tables.get(table.name, ())),
            blank=_count_blank_lines(table, n, authored),
        )
        for n, table in enumerate(form.shape.tables)
    }
    return QuestionFormSet(authored.kind, form, grids)


def bind_formset(
    kind: str,
    data: Mapping[str, Any],
    *,
    languages: Mapping[str, str],
    banks: QuerySet[Bank] | None,
) -> QuestionFormSet:
    """Return the sheet that was sent, drawn for this kind."""
    form = QuestionForm(data, kind=kind, languages=languages, banks=banks, prefix="q")
    grids = {
        table.name: build_row_formset(table, languages, data=data) for table in form.shape.tables
    }
    return QuestionFormSet(kind, form, grids)


def _count_blank_lines(table: Table, place: int, authored: QuestionFormData) -> int:
    """Return how many blank lines a grid has: most at first, and where a question begins."""
    if table.fixed:
        return 0
    if place or label_for_table(table).aside:
        return 1 if label_for_table(table).aside or authored.tables.get(table.name) else BLANK_LINES
    return BLANK_LINES if any(authored.tables.values()) else BLANK_AT_FIRST


def _initial_values(authored: QuestionFormData) -> dict[str, Any]:
    return {
        **_initial_texts(authored.texts),
        **{f"field_{name}": value for name, value in authored.values.items()},
        **{f"fresh_{code}": True for code in authored.fresh},
        "drawn": authored.kind,
        "kind": authored.kind,
        "scoring_method": authored.scoring_method,
        "source_language": authored.source_language,
    }


def _initial_rows(table: Table, rows: Any) -> list[dict[str, Any]]:
    """Lay rows out, and those that must be there and are not yet."""
    there = {row.stands for row in rows}
    missing = [RowFormData(name=name, stands=name) for name in table.fixed if name not in there]
    return [_initial_row(row, n) for n, row in enumerate((*rows, *missing), start=1)]


def _initial_row(row: RowFormData, position: int) -> dict[str, Any]:
    return {
        **_initial_texts(row.texts),
        **{f"field_{name}": value for name, value in row.values.items()},
        "id": "" if is_temporary_id(row.id) else row.id,
        "order": position,
        "name": row.name,
        "stands": row.stands,
    }


def _initial_texts(texts: Mapping[str, TextByLanguage]) -> dict[str, str]:
    return {
        f"{stem}_{code}": text
        for stem, by_language in texts.items()
        for code, text in by_language.items()
    }
