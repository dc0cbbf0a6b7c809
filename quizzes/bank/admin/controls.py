"""The controls of the authoring page: one for what each field of a shape holds.

They refuse nothing but what is too long: what makes no sense is kept, and named by the check.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise

from grading.shape import Field, Holds
from quizzes.bank.admin.labels import of_choice, of_field
from quizzes.bank.admin.values import shown
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
        known = {str(one) for one, _label in self.choices}
        gone = [(one, f"{one[:12]} ?") for one in value if one and one not in known]
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
        """Give them as one value."""
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


def control(one: Field) -> forms.Field:
    """Make the control of a field, holding its default, called by its name wherever it stands."""
    made = _control(one)
    if one.holds != Holds.ROWS:  # each of its ticks has a name of its own
        made.widget.attrs["aria-label"] = of_field(one).name
    return made


def _control(one: Field) -> forms.Field:
    said: dict[str, Any] = {
        "label": of_field(one).name,
        "initial": shown(one, one.default),
        "required": False,
    }
    if one.holds == Holds.FLAG:
        return forms.BooleanField(**said)
    if one.holds == Holds.ROWS:
        return SeveralRows(**said)
    if one.holds in {Holds.CHOICE, Holds.ROW}:
        return forms.CharField(max_length=LONGEST_ID, widget=_chooser(one), **said)
    attrs = {"size": SIZES[one.holds], "autocomplete": "off"}
    if one.holds == Holds.COUNT:
        attrs["inputmode"] = "numeric"
    return forms.CharField(
        max_length=LONGEST_LINE, strip=False, widget=forms.TextInput(attrs), **said
    )


def _chooser(one: Field) -> forms.Select:
    values = one.among if one.holds == Holds.CHOICE else ()
    choices = [(value, of_choice(value)) for value in values]
    return Chooser(choices=choices if one.default in values else [("", "–"), *choices])


def offer(field: forms.Field, one: Field, rows: Choices) -> None:
    """Let a field that names rows offer these, id → what an author knows the row by."""
    if one.holds == Holds.ROW:
        field.widget.choices = [("", "–"), *rows]
    elif one.holds == Holds.ROWS:
        field.choices = list(rows)  # type: ignore[attr-defined]  # SeveralRows
