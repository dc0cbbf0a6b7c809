"""The controls of the authoring page: one for what each field of a shape holds.

They refuse nothing but what is too long: what makes no sense is kept, and named by the check.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise

from grading.shape import Field, Holds
from quizzes.instructor.questions.field_labels import of_choice, of_field
from quizzes.instructor.questions.field_values import shown
from quizzes.lib.markup import MAX_CHARACTERS

MOST_ROWS = 60
LONGEST_LINE = 400
LONGEST_ID = 60
SIZES = {Holds.RATIO: 5, Holds.COUNT: 4, Holds.LINE: 16}

Choices = Sequence[tuple[str, Promise | str]]


class Chooser(forms.Select):
    """A choice that shows what is chosen though it is not, or no longer, offered."""

    def optgroups(self, name: str, value: list[str], attrs: Any = None) -> Any:
        """Offer it beside the others."""
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


class SeveralRows(forms.MultipleChoiceField):
    """Ids of rows, of those there are and of those about to be."""

    widget = forms.CheckboxSelectMultiple

    def valid_value(self, value: str) -> bool:
        """Take any; the check names what is not there."""
        return len(value) <= LONGEST_ID

    def clean(self, value: Any) -> Any:
        """Return them as one tuple."""
        return tuple(super().clean(value))


def text_box(language: str, label: str, rows: int) -> forms.CharField:
    """Make a box for an author's text: nothing of it is stripped, a code listing may begin it."""
    attrs = {"lang": language, "rows": rows, "aria-label": label}
    return forms.CharField(
        required=False, strip=False, max_length=MAX_CHARACTERS, widget=forms.Textarea(attrs)
    )


def clean(text: str) -> str:
    """Take a browser's line ends away; blanks alone are nothing."""
    return text.replace("\r\n", "\n") if text.strip() else ""


def control(field: Field) -> forms.Field:
    """Make the control of a field, holding its default, called by its name wherever it stands."""
    form_field = _control(field)
    if field.holds != Holds.ROWS:  # each of its ticks has a name of its own
        form_field.widget.attrs["aria-label"] = of_field(field).name
    return form_field


def _control(field: Field) -> forms.Field:
    options: dict[str, Any] = {
        "label": of_field(field).name,
        "initial": shown(field, field.default),
        "required": False,
    }
    if field.holds == Holds.FLAG:
        return forms.BooleanField(**options)
    if field.holds == Holds.ROWS:
        return SeveralRows(**options)
    if field.holds in {Holds.CHOICE, Holds.ROW}:
        return forms.CharField(max_length=LONGEST_ID, widget=_chooser(field), **options)
    attrs = {"size": SIZES[field.holds], "autocomplete": "off"}
    if field.holds == Holds.COUNT:
        attrs["inputmode"] = "numeric"
    return forms.CharField(
        max_length=LONGEST_LINE, strip=False, widget=forms.TextInput(attrs), **options
    )


def _chooser(field: Field) -> forms.Select:
    values = field.among if field.holds == Holds.CHOICE else ()
    choices = [(value, of_choice(value)) for value in values]
    return Chooser(choices=choices if field.default in values else [("", "–"), *choices])


def offer(form_field: forms.Field, field: Field, rows: Choices) -> None:
    """Let a field that names rows offer these, id → what an author knows the row by."""
    if field.holds == Holds.ROW:
        form_field.widget.choices = [("", "–"), *rows]
    elif field.holds == Holds.ROWS:
        form_field.choices = list(rows)  # type: ignore[attr-defined]  # SeveralRows
