"""The formsets of the editor: one a table of the kind, one form a row."""

from collections.abc import Collection, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from grading.schema import FieldType, Table
from quizzes.instructor.questions.field_labels import label_for_row_text
from quizzes.instructor.questions.field_values import format_value, list_editable_fields
from quizzes.instructor.questions.form_data import RowFormData, field_prefix
from quizzes.instructor.questions.form_fields import (
    MAX_ID_LENGTH,
    MAX_ROWS,
    Choices,
    build_form_field,
    build_text_field,
    normalize_text,
    set_row_choices,
)
from quizzes.instructor.translated_field import summarize

if TYPE_CHECKING:
    _AnyForms = forms.BaseFormSet[Any]
else:
    _AnyForms = forms.BaseFormSet


NEW_ROW_ID = "__row_id__"
"""Stands in the blank row that static/admin/authoring.js copies for an id that it makes."""


class RowForm(forms.Form):
    """One row of a table; its id is made with the form and stays."""

    id = forms.CharField(widget=forms.HiddenInput, required=False, max_length=MAX_ID_LENGTH)
    fixed_row = forms.CharField(widget=forms.HiddenInput, required=False, max_length=MAX_ID_LENGTH)
    order = forms.CharField(
        required=False, max_length=4, widget=forms.TextInput({"inputmode": "numeric"})
    )
    name = forms.CharField(
        required=False, max_length=60, widget=forms.TextInput({"autocomplete": "off"})
    )

    def __init__(
        self, *args: Any, table: Table, languages: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table, self.languages = table, languages
        if not self.initial.get("id"):
            self.initial["id"] = NEW_ROW_ID if "__prefix__" in str(self.prefix) else str(uuid4())
        for field in list_editable_fields(table):
            self.fields[f"field_{field.name}"] = build_form_field(field)
        for code, language in languages.items():
            for text in table.texts:
                label = f"{label_for_row_text(text).name}, {language}"
                self.fields[f"{field_prefix(text)}_{code}"] = build_text_field(code, label, 2)
        self.fields["order"].widget.attrs["aria-label"] = _("Position")
        self.fields["name"].widget.attrs["aria-label"] = _("Row name")

    @property
    def row_id(self) -> str:
        """The id of the row."""
        return str(self["id"].value() or "")

    def clean_id(self) -> str:
        """Return the id, made here for a row that was sent without one."""
        return self.cleaned_data["id"] or str(uuid4())

    def set_row_choices(self, rows: Mapping[str, Choices]) -> None:
        """Offer the rows of other tables in the fields that name them."""
        for field in list_editable_fields(self.table):
            if field.type in {FieldType.ROW, FieldType.ROWS}:
                set_row_choices(
                    self.fields[f"field_{field.name}"], field, rows.get(field.choices[0], ())
                )

    def first_words(self, language: str) -> str:
        """Return the beginning of the first text of the row, or of its first line."""
        texts = [
            f"{field_prefix(text)}_{language}" for text in self.table.texts if not text.is_feedback
        ]
        lines = [
            f"field_{field.name}"
            for field in list_editable_fields(self.table)
            if field.type == FieldType.LINE
        ]
        feedback = [
            f"{field_prefix(text)}_{language}" for text in self.table.texts if text.is_feedback
        ]
        written = (str(self[name].value() or "") for name in (*texts, *lines, *feedback))
        return summarize(next((text for text in written if text.strip()), ""), 40)

    def to_row(self) -> RowFormData:
        """Return the row as values."""
        data = self.cleaned_data
        return RowFormData(
            id=data["id"],
            name=slugify(data["name"]),
            fixed_row=data["fixed_row"],
            values={
                field.name: data[f"field_{field.name}"]
                for field in list_editable_fields(self.table)
            },
            texts={
                field_prefix(text): {
                    code: normalize_text(data[f"{field_prefix(text)}_{code}"])
                    for code in self.languages
                }
                for text in self.table.texts
            },
        )

    def is_empty(self) -> bool:
        """Return whether nothing is written in it: ticks and choices alone make no row."""
        row = self.to_row()
        texts = (text for by_language in row.texts.values() for text in by_language.values())
        changed = (
            row.values[field.name] not in {"", (), format_value(field, field.default)}
            for field in list_editable_fields(self.table)
            if field.type not in {FieldType.FLAG, FieldType.CHOICE}
        )
        return not (row.fixed_row or row.name or any(texts) or any(changed))


class RowFormSet(_AnyForms):
    """The rows of a table; a form with nothing in it is no row."""

    table: Table

    def add_fields(self, form: Any, index: int | None) -> None:
        """Label the checkbox that removes a row: only the first row shows its label."""
        super().add_fields(form, index)
        form.fields["DELETE"].widget.attrs["aria-label"] = _("Remove")

    def iter_rows(self, existing: Collection[str]) -> Iterator[tuple[int, RowFormData]]:
        """Yield the rows that stay, each with its position; those that exist stay though empty."""
        for form in self.forms:
            data = form.cleaned_data
            if not data.get("DELETE") and (data["id"] in existing or not form.is_empty()):
                yield int(data["order"]) if data["order"].isdecimal() else 10**4, form.to_row()

    def rows(self, existing: Collection[str]) -> list[RowFormData]:
        """Return the rows in the order of their numbers; one without a number goes to the end."""
        return [row for _position, row in sorted(self.iter_rows(existing), key=itemgetter(0))]

    def list_choices(self, names: Mapping[str, str], language: str) -> Choices:
        """Return the rows as choices for fields that name rows: by short name and first words."""
        choices = []
        for number, form in enumerate(self.forms, start=1):
            name = names.get(form.row_id) or str(form["name"].value() or "") or str(number)
            words = dict.fromkeys((name, form.first_words(language)))
            choices.append((form.row_id, " · ".join(filter(None, words))))
        return choices


_Forms: Any = forms.formset_factory(
    RowForm,
    formset=RowFormSet,
    extra=0,
    can_delete=True,
    max_num=MAX_ROWS,
    absolute_max=2 * MAX_ROWS,
)


def build_row_formset(
    table: Table,
    languages: Mapping[str, str],
    *,
    data: Any = None,
    rows: list[dict[str, Any]] | None = None,
    blank: int = 0,
) -> RowFormSet:
    """Return the formset of a table: of posted data, else of these rows and some blank ones."""
    formset: RowFormSet = _Forms(
        data,
        prefix=table.name,
        initial=rows if data is None else None,
        form_kwargs={"table": table, "languages": languages},
    )
    formset.extra = blank
    formset.table = table
    return formset
