"""The reveal policy as one small table: what is shown, and when."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.admin.utils import label_for_field
from django.utils.translation import gettext_lazy as _

from quizzes.instructor.translated_field import ProjectTemplateWidget
from quizzes.publishing.models import Quiz, RevealMoment

REVEAL_FIELDS = (
    "reveal_score",
    "reveal_correctness",
    "reveal_feedback",
    "reveal_hints",
    "reveal_key",
    "reveal_explanation",
)


class RevealTable(ProjectTemplateWidget):
    """A row for each thing that may be shown, a column for each moment."""

    template_name = "admin/widgets/reveal_table.html"

    def __init__(self) -> None:
        rows: dict[str, forms.Widget | type[forms.Widget]] = {
            part: forms.RadioSelect(choices=RevealMoment.choices) for part in REVEAL_FIELDS
        }
        super().__init__(rows)

    def decompress(self, value: Any) -> list[Any]:
        """Return the moments of a policy, a row each."""
        return [value.get(part) for part in REVEAL_FIELDS] if isinstance(value, Mapping) else []

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Add the labels of rows and columns."""
        context = super().get_context(name, value, attrs)
        context["moments"] = RevealMoment.labels
        for row, part in zip(context["widget"]["subwidgets"], REVEAL_FIELDS, strict=True):
            row["label"] = label_for_field(part, Quiz)
        return context


class RevealField(forms.MultiValueField):
    """Column of the quiz → moment."""

    def __init__(self, **kwargs: Any) -> None:
        fields = [forms.ChoiceField(choices=RevealMoment.choices) for _part in REVEAL_FIELDS]
        super().__init__(
            fields,
            widget=RevealTable(),
            label=_("What learners may see, and when"),
            **kwargs,
        )

    def compress(self, data_list: list[str]) -> dict[str, str]:
        """Return column → moment."""
        return dict(zip(REVEAL_FIELDS, data_list, strict=True)) if data_list else {}
