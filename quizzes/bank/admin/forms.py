"""The authoring page's form and its grid of options; columns come from the languages there are."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from quizzes.bank.admin.drafting import Authored, Row
from quizzes.bank.admin.sayings import KINDS, SCHEMES
from quizzes.bank.models import Bank
from quizzes.lib.markup import MAX_CHARACTERS

if TYPE_CHECKING:
    _AnyForms = forms.BaseFormSet[Any]
else:
    _AnyForms = forms.BaseFormSet

MOST_OPTIONS = 60
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _text(language: str, label: str, rows: int) -> forms.CharField:
    """Make a box for an author's text: nothing of it is stripped, a code listing may begin it."""
    attrs = {"lang": language, "rows": rows, "aria-label": label}
    return forms.CharField(
        required=False, strip=False, max_length=MAX_CHARACTERS, widget=forms.Textarea(attrs)
    )


def _clean(text: str) -> str:
    """Take a browser's line ends away; blanks alone are nothing."""
    return text.replace("\r\n", "\n") if text.strip() else ""


class QuestionForm(forms.Form):
    """Everything of a question but its options."""

    revision = forms.IntegerField(widget=forms.HiddenInput, required=False)
    bank = forms.ModelChoiceField(Bank.objects.none(), label=_("Bank"), to_field_name="slug")
    name = forms.SlugField(label=_("Short name"), max_length=100)
    kind = forms.ChoiceField(label=_("Kind"), choices=KINDS)
    scheme = forms.ChoiceField(
        label=_("Scoring"), choices={"": _("as is usual for the kind"), **SCHEMES}, required=False
    )
    source_language = forms.ChoiceField(label=_("Source language"))
    shuffle = forms.BooleanField(label=_("Shuffle options"), required=False)
    none_apply = forms.BooleanField(label=_("Offer “none of these”"), required=False)
    tags = forms.CharField(label=_("Tags"), max_length=600, required=False)
    note = forms.CharField(label=_("What changed"), max_length=300, required=False)

    def __init__(
        self, *args: Any, languages: Mapping[str, str], banks: QuerySet[Bank] | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.languages = languages
        if banks is None:  # a question that exists stays where it is, by the name it has
            del self.fields["bank"], self.fields["name"]
        else:
            self.fields["bank"].queryset = banks  # type: ignore[attr-defined]  # a ModelChoiceField
        self.fields["source_language"].choices = list(languages.items())  # type: ignore[attr-defined]  # a ChoiceField
        for code, name in languages.items():
            self.fields[f"prompt_{code}"] = _text(code, f"{_('Prompt')}, {name}", 3)
            self.fields[f"explanation_{code}"] = _text(code, f"{_('Explanation')}, {name}", 2)
            self.fields[f"fresh_{code}"] = forms.BooleanField(
                label=_("The translation is up to date"), required=False
            )

    def clean_tags(self) -> tuple[str, ...]:
        """Read the tags, apart by commas or blanks."""
        typed = str(self.cleaned_data["tags"]).replace(",", " ").split()
        tags = (slugify(one, allow_unicode=True) for one in typed)
        found = tuple(dict.fromkeys(one for one in tags if one))
        if any(len(one) > MOST_OPTIONS for one in found):
            raise forms.ValidationError(_("A tag has at most 60 characters."))
        return found

    def texts(self, part: str) -> dict[str, str]:
        """Give what was written for prompt or explanation, by language."""
        return {code: _clean(self.cleaned_data[f"{part}_{code}"]) for code in self.languages}

    def authored(self, rows: list[Row], scheme: str) -> Authored:
        """Give the page as values; `scheme` stands where none was chosen."""
        data = self.cleaned_data
        return Authored(
            kind=data["kind"],
            scheme=data["scheme"] or scheme,
            source_language=data["source_language"],
            none_apply=data["none_apply"],
            shuffle=data["shuffle"],
            prompt=self.texts("prompt"),
            explanation=self.texts("explanation"),
            rows=rows,
            fresh=frozenset(code for code in self.languages if data[f"fresh_{code}"]),
        )


class OptionForm(forms.Form):
    """One option: a row of the grid."""

    id = forms.CharField(widget=forms.HiddenInput, required=False)
    order = forms.CharField(
        required=False, max_length=4, widget=forms.TextInput({"inputmode": "numeric"})
    )
    name = forms.CharField(required=False, max_length=60)
    right = forms.BooleanField(label=_("Correct"), required=False)
    weight = forms.CharField(label=_("Weight"), required=False, max_length=20)
    pinned = forms.BooleanField(label=_("Pinned"), required=False)

    def __init__(self, *args: Any, languages: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.languages = languages
        for code, name in languages.items():
            self.fields[f"text_{code}"] = _text(code, f"{_('Text')}, {name}", 2)
            self.fields[f"feedback_{code}"] = _text(code, f"{_('Feedback')}, {name}", 2)
        labels = {"order": _("Position"), "name": _("Key"), "weight": _("Weight")}
        for name, label in {**labels, "right": _("Correct"), "pinned": _("Pinned")}.items():
            self.fields[name].widget.attrs["aria-label"] = label

    def row(self) -> Row:
        """Give the row as values."""
        data = self.cleaned_data
        return Row(
            id=data["id"],
            name=slugify(data["name"]),
            right=data["right"],
            pinned=data["pinned"],
            weight=data["weight"],
            text={code: _clean(data[f"text_{code}"]) for code in self.languages},
            feedback={code: _clean(data[f"feedback_{code}"]) for code in self.languages},
        )


class _OptionForms(_AnyForms):
    """The grid. Rows with nothing in them are no options."""

    def kept(self) -> Iterator[tuple[str, Row]]:
        """Give the rows that stay, each with the position that was typed."""
        for form in self.forms:
            if not form.cleaned_data:  # a blank row, sent back as it was
                continue
            row = form.row()
            written = (row.name, row.weight, *row.text.values(), *row.feedback.values())
            if not form.cleaned_data.get("DELETE") and (row.id or any(written)):
                yield form.cleaned_data["order"], row


OptionForms = forms.formset_factory(
    OptionForm,
    formset=_OptionForms,
    extra=0,
    can_delete=True,
    max_num=MOST_OPTIONS,
    absolute_max=2 * MOST_OPTIONS,
)


def ordered(rows: Iterator[tuple[str, Row]]) -> list[Row]:
    """Put rows in the order of their numbers; one without a number goes to the end."""
    listed = list(rows)
    return [
        row
        for _position, row in sorted(
            listed, key=lambda one: int(one[0]) if one[0].isdecimal() else len(listed) + 1000
        )
    ]


def named(rows: list[Row], taken: Mapping[str, str]) -> dict[int, str]:
    """Choose a short name for each new row: the one typed if it is free, else the next letter.

    `taken` are the names of the rows that have an id. Gives position → name.
    """
    used = {taken[row.id] for row in rows if row.id in taken}
    chosen: dict[int, str] = {}
    for position, row in enumerate(rows):
        if not row.id:
            name: str = row.name if row.name and row.name not in used else _free(used)
            used.add(name)
            chosen[position] = name
    return chosen


def _free(used: set[str]) -> str:
    names: list[str] = [*LETTERS, *(f"o{number}" for number in range(1, 2 * MOST_OPTIONS))]
    return next(name for name in names if name not in used)
