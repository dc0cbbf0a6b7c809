"""The form that uploads a file for a bank."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.boundfield import BoundWidget
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Bank
from quizzes.formats import FORMATS
from quizzes.instructor.theme import select
from quizzes.instructor.translated_field import language_names
from quizzes.presentation.messages.imports import FORMAT_LABELS
from quizzes.presentation.messages.kinds import kind_label
from quizzes.presentation.messages.sentences import describe


class UploadForm(forms.Form):
    """A file for a bank; language and format can be detected."""

    bank = forms.ModelChoiceField(Bank.objects.none(), label=_("Bank"), widget=select)
    file = forms.FileField(label=_("File"))
    language = forms.ChoiceField(label=_("Language"), required=False, widget=select)
    format = forms.ChoiceField(label=_("Format"), required=False, widget=select)

    def __init__(self, *arguments: Any, banks: QuerySet[Bank], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["bank"].queryset = banks  # type: ignore[attr-defined]  # a ModelChoiceField
        detect = ("", _("Detect automatically"))
        self.fields["language"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            detect,
            *language_names().items(),
        ]
        self.fields["format"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            detect,
            *((name, describe(name, FORMAT_LABELS)) for name in FORMATS),
        ]


class FormatForm(forms.Form):
    """Which of several formats a file is of; none is chosen before."""

    format = forms.ChoiceField(label=_("Format"), widget=forms.RadioSelect)

    def __init__(
        self, *arguments: Any, evidence: Sequence[Mapping[str, Any]], **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._evidence = evidence
        self.fields["format"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            (each["format"], describe(each["format"], FORMAT_LABELS)) for each in evidence
        ]

    @property
    def rows(self) -> list[tuple[BoundWidget, Mapping[str, Any], str]]:
        """The choices, each with what its format makes of the file, and of which kinds that is."""
        kinds = [
            ", ".join(map(str, map(kind_label, each.get("kinds", ())))) for each in self._evidence
        ]
        return list(zip(self["format"], self._evidence, kinds, strict=True))
