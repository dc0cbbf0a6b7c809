"""The forms of a question of any kind: one for the question, one formset a table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from grading.kinds import KINDS
from grading.schema import QuestionSchema, Table
from quizzes.bank.models import Bank
from quizzes.instructor.questions.field_labels import label_for_table
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData, TextByLanguage
from quizzes.instructor.questions.form_fields import Choices
from quizzes.instructor.questions.forms import QuestionForm
from quizzes.instructor.questions.row_formset import RowFormSet, build_row_formset

BLANK_ROWS = 2
BLANK_AT_FIRST = 4


@dataclass(frozen=True, slots=True)
class QuestionFormSet:
    """The form of a question and the formsets of its tables, with a draft or with posted data."""

    kind: str
    form: QuestionForm
    row_formsets: Mapping[str, RowFormSet]

    @property
    def schema(self) -> QuestionSchema:
        """The schema that the forms were built for."""
        return self.form.schema

    def is_valid(self) -> bool:
        """Return whether all of it can be saved, whatever else is wrong; check every part."""
        return all(
            [
                self.form.is_valid(),
                *(row_formset.is_valid() for row_formset in self.row_formsets.values()),
            ]
        )

    def set_row_choices(self, names: Mapping[str, str], language: str) -> dict[str, Choices]:
        """Offer the rows there are in fields that name rows; return those, table → choices."""
        rows = {
            name: row_formset.list_choices(names, language)
            for name, row_formset in self.row_formsets.items()
        }
        for row_formset in self.row_formsets.values():
            for form in row_formset.forms:
                form.set_row_choices(rows)
        return rows

    def to_form_data(self, existing: Collection[str]) -> QuestionFormData:
        """Return the posted values, of the kind that the page was rendered for.

        `existing` are the ids of rows that the question has: another row counts once it is filled.
        """
        data = self.form.cleaned_data
        kind = KINDS.get(self.kind)
        return QuestionFormData(
            kind=self.kind,
            scoring_method=data["scoring_method"] or (kind.scoring_methods[0] if kind else ""),
            source_language=data["source_language"],
            languages=tuple(self.form.languages),
            values=self.form.values(),
            texts=self.form.texts(),
            tables={
                name: row_formset.rows(existing) for name, row_formset in self.row_formsets.items()
            },
            up_to_date=self.form.up_to_date_languages(),
        )


def build_formset(
    form_data: QuestionFormData,
    more: Mapping[str, Any],
    *,
    languages: Mapping[str, str],
    banks: QuerySet[Bank] | None,
) -> QuestionFormSet:
    """Return the forms with these values; `more` are values of fields beside the question."""
    initial = {**_initial_values(form_data), **more}
    form = QuestionForm(
        kind=form_data.kind, languages=languages, banks=banks, initial=initial, prefix="q"
    )
    row_formsets = {
        table.name: build_row_formset(
            table,
            languages,
            rows=_initial_rows(table, form_data.tables.get(table.name, ())),
            blank=_count_blank_rows(table, n, form_data),
        )
        for n, table in enumerate(form.schema.tables)
    }
    return QuestionFormSet(form_data.kind, form, row_formsets)


def bind_formset(
    kind: str,
    data: Mapping[str, Any],
    *,
    languages: Mapping[str, str],
    banks: QuerySet[Bank] | None,
) -> QuestionFormSet:
    """Return the forms of this kind with posted data."""
    form = QuestionForm(data, kind=kind, languages=languages, banks=banks, prefix="q")
    row_formsets = {
        table.name: build_row_formset(table, languages, data=data) for table in form.schema.tables
    }
    return QuestionFormSet(kind, form, row_formsets)


def _count_blank_rows(table: Table, place: int, form_data: QuestionFormData) -> int:
    """Return how many blank rows a table has: most in the first table of a new question."""
    if table.fixed_rows:
        return 0
    if place or label_for_table(table).optional:
        return (
            1 if label_for_table(table).optional or form_data.tables.get(table.name) else BLANK_ROWS
        )
    return BLANK_ROWS if any(form_data.tables.values()) else BLANK_AT_FIRST


def _initial_values(form_data: QuestionFormData) -> dict[str, Any]:
    return {
        **_initial_texts(form_data.texts),
        **{f"field_{name}": value for name, value in form_data.values.items()},
        **{f"up_to_date_{code}": True for code in form_data.up_to_date},
        "rendered_kind": form_data.kind,
        "kind": form_data.kind,
        "scoring_method": form_data.scoring_method,
        "source_language": form_data.source_language,
    }


def _initial_rows(table: Table, rows: Any) -> list[dict[str, Any]]:
    """Return the rows as initial data, with the fixed rows that are missing."""
    existing = {row.fixed_row for row in rows}
    missing = [
        RowFormData(name=name, fixed_row=name) for name in table.fixed_rows if name not in existing
    ]
    return [_initial_row(row, n) for n, row in enumerate((*rows, *missing), start=1)]


def _initial_row(row: RowFormData, position: int) -> dict[str, Any]:
    return {
        **_initial_texts(row.texts),
        **{f"field_{name}": value for name, value in row.values.items()},
        "id": row.id,
        "order": position,
        "name": row.name,
        "fixed_row": row.fixed_row,
    }


def _initial_texts(texts: Mapping[str, TextByLanguage]) -> dict[str, str]:
    return {
        f"{stem}_{code}": text
        for stem, by_language in texts.items()
        for code, text in by_language.items()
    }
