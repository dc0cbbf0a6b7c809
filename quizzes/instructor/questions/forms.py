"""The authoring page's form: what a question has once; its parts come from the kind's schema."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from grading.kinds import KINDS
from grading.schema import QuestionSchema
from quizzes.bank.models import Bank
from quizzes.instructor.questions.field_labels import label_for_text
from quizzes.instructor.questions.field_values import TypedValue
from quizzes.instructor.questions.form_data import TextByLanguage, field_prefix
from quizzes.instructor.questions.form_fields import (
    OpenSelect,
    build_form_field,
    build_text_field,
    normalize_text,
)
from quizzes.lib.tag_names import parse_tag_names
from quizzes.presentation.messages.kinds import kind_label, scoring_method_label


class QuestionForm(forms.Form):
    """Everything of a question but its rows. `rendered_kind` is the kind that the page is for."""

    revision = forms.IntegerField(widget=forms.HiddenInput, required=False)
    rendered_kind = forms.CharField(widget=forms.HiddenInput, required=False, max_length=30)
    bank = forms.ModelChoiceField(Bank.objects.none(), label=_("Bank"), to_field_name="slug")
    name = forms.SlugField(label=_("Short name"), max_length=100)
    kind = forms.ChoiceField(label=_("Kind"))
    scoring_method = forms.CharField(label=_("Scoring"), required=False, max_length=40)
    source_language = forms.ChoiceField(label=_("Source language"))
    tags = forms.CharField(label=_("Tags"), max_length=600, required=False)
    note = forms.CharField(label=_("What changed"), max_length=300, required=False)

    def __init__(
        self,
        *args: Any,
        kind: str,
        languages: Mapping[str, str],
        banks: QuerySet[Bank] | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.languages = languages
        self.schema = KINDS[kind].schema if kind in KINDS else QuestionSchema(texts=())
        self._set_choices(kind, banks)
        for field in self.schema.fields:
            self.fields[f"field_{field.name}"] = build_form_field(field)
        for code, language in languages.items():
            for text in self.schema.texts:
                label = f"{label_for_text(text).name}, {language}"
                self.fields[f"{field_prefix(text)}_{code}"] = build_text_field(
                    code, label, 2 + text.required
                )
            self.fields[f"up_to_date_{code}"] = forms.BooleanField(
                label=_("The translation is up to date"), required=False
            )

    def _set_choices(self, kind: str, banks: QuerySet[Bank] | None) -> None:
        """Set what may be chosen: banks, kinds, the scoring methods of this kind, languages."""
        if banks is None:  # a question that exists stays where it is, by the name it has
            del self.fields["bank"], self.fields["name"]
        else:
            self.fields["bank"].queryset = banks  # type: ignore[attr-defined]  # a ModelChoiceField
        self.fields["kind"].choices = [(name, kind_label(name)) for name in KINDS]  # type: ignore[attr-defined]  # a ChoiceField
        scoring_methods = KINDS[kind].scoring_methods if kind in KINDS else ()
        named = [(name, scoring_method_label(name)) for name in scoring_methods]
        self.fields["scoring_method"].widget = OpenSelect(
            choices=[("", _("default of this kind")), *named]
        )
        self.fields["source_language"].choices = list(self.languages.items())  # type: ignore[attr-defined]  # a ChoiceField

    def make_name_optional(self) -> None:
        """Make bank and name optional: nothing is saved yet."""
        for name in {"bank", "name"} & set(self.fields):
            self.fields[name].required = False

    def clean_tags(self) -> tuple[str, ...]:
        """Read the tags, apart by commas or blanks."""
        return parse_tag_names(str(self.cleaned_data["tags"]))

    def texts(self) -> dict[str, TextByLanguage]:
        """Return what was written outside the tables: stem → language → text."""
        return {
            field_prefix(text): {
                code: normalize_text(self.cleaned_data[f"{field_prefix(text)}_{code}"])
                for code in self.languages
            }
            for text in self.schema.texts
        }

    def values(self) -> dict[str, TypedValue]:
        """Return what the controls of the fields hold."""
        return {
            field.name: self.cleaned_data[f"field_{field.name}"] for field in self.schema.fields
        }

    def up_to_date_languages(self) -> frozenset[str]:
        """Return the languages that are declared to be up to date."""
        return frozenset(code for code in self.languages if self.cleaned_data[f"up_to_date_{code}"])
