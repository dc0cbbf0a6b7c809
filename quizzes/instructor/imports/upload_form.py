"""The form that sends a file to a bank."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Bank
from quizzes.formats import FORMATS
from quizzes.imports import sayings
from quizzes.imports.report_format import message_for
from quizzes.instructor.admin_base import select
from quizzes.instructor.translated_field import language_names


class UploadForm(forms.Form):
    """A file for a bank; language and format may be found out."""

    bank = forms.ModelChoiceField(Bank.objects.none(), label=_("Bank"), widget=select)
    file = forms.FileField(label=_("File"))
    language = forms.ChoiceField(label=_("Language"), required=False, widget=select)
    format = forms.ChoiceField(label=_("Format"), required=False, widget=select)

    def __init__(self, *of_it: Any, banks: QuerySet[Bank], **more: Any) -> None:
        super().__init__(*of_it, **more)
        self.fields["bank"].queryset = banks  # type: ignore[attr-defined]  # a ModelChoiceField
        found_out = ("", _("find out"))
        self.fields["language"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            found_out,
            *language_names().items(),
        ]
        self.fields["format"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            found_out,
            *((name, message_for(name, sayings.FORMATS)) for name in FORMATS),
        ]
