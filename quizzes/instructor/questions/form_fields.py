"""The controls of the authoring page: one for what each field of a shape holds.

They refuse nothing but what is too long: what makes no sense is kept, and named by the check.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.schema import Field, FieldType
from quizzes.instructor.questions.field_labels import label_for_choice, label_for_field
from quizzes.instructor.questions.field_values import format_value
from quizzes.lib.markup import MAX_CHARACTERS

MAX_ROWS = 60
MAX_LINE_LENGTH = 400
MAX_ID_LENGTH = 60
SIZES = {FieldType.RATIO: 5, FieldType.COUNT: 4, FieldType.LINE: 16}

Choices = Sequence[tuple[str, Promise | str]]


class OpenSelect(forms.Select):
    """A choice that shows what is chosen though it is not, or no longer, offered."""

    def optgroups(self, name: str, value: list[str], attrs: Any = None) -> Any:
        """Add the chosen value to the choices."""
        offered_values = {str(choice) for choice, _label in self.choices}
        gone = [
            (choice, f"{choice[:12]} ?")
            for choice in value
            if choice and choice not in offered_values
        ]
        offered, self.choices = self.choices, [*self.choices, *gone]
        try:
            return super().optgroups(name, value, attrs)
        finally:
            self.choices = offered


class RowIdsField(forms.MultipleChoiceField):
    """Ids of rows, of those there are and of those about to be."""

    widget = forms.CheckboxSelectMultiple

    def valid_value(self, value: str) -> bool:
        """Return whether a value may be an id; the check finds those that do not exist."""
        return len(value) <= MAX_ID_LENGTH

    def clean(self, value: Any) -> Any:
        """Return them as one tuple."""
        return tuple(super().clean(value))


def build_text_field(language: str, label: str, rows: int) -> forms.CharField:
    """Return the field of an author's text: nothing is stripped, since it may begin with code."""
    attrs = {"lang": language, "rows": rows, "aria-label": label}
    return forms.CharField(
        required=False, strip=False, max_length=MAX_CHARACTERS, widget=forms.Textarea(attrs)
    )


def normalize_text(text: str) -> str:
    """Return a text with plain line ends; "" for blanks alone."""
    return text.replace("\r\n", "\n") if text.strip() else ""


def build_form_field(field: Field) -> forms.Field:
    """Return the form field of a field of the schema, with its default and its label."""
    form_field = _build_form_field(field)
    if field.type != FieldType.ROWS:  # each of its ticks has a name of its own
        form_field.widget.attrs["aria-label"] = label_for_field(field).name
    return form_field


def _build_form_field(field: Field) -> forms.Field:
    options: dict[str, Any] = {
        "label": label_for_field(field).name,
        "initial": format_value(field, field.default),
        "required": False,
    }
    if field.type == FieldType.FLAG:
        return forms.BooleanField(**options)
    if field.type == FieldType.ROWS:
        return RowIdsField(**options)
    if field.type in {FieldType.CHOICE, FieldType.ROW}:
        return forms.CharField(max_length=MAX_ID_LENGTH, widget=_build_select(field), **options)
    attrs = {"size": SIZES[field.type], "autocomplete": "off"}
    if field.type == FieldType.COUNT:
        attrs["inputmode"] = "numeric"
    return forms.CharField(
        max_length=MAX_LINE_LENGTH, strip=False, widget=forms.TextInput(attrs), **options
    )


def _build_select(field: Field) -> forms.Select:
    values = field.choices if field.type == FieldType.CHOICE else ()
    choices = [(value, label_for_choice(value)) for value in values]
    return OpenSelect(
        choices=choices if field.default in values else [("", _("as usual")), *choices]
    )


def set_row_choices(form_field: forms.Field, field: Field, rows: Choices) -> None:
    """Set the rows, id → label, that a field can name."""
    if field.type == FieldType.ROW:
        form_field.widget.choices = [("", "–"), *rows]
    elif field.type == FieldType.ROWS:
        form_field.choices = list(rows)  # type: ignore[attr-defined]  # RowIdsField
