"""The form of a quiz: its settings. What it asks is composed on a page of its own."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.admin.utils import label_for_field
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from quizzes.instructor.composer.draft_effects import describe_draft_reveal
from quizzes.instructor.composer.rows import write_number
from quizzes.instructor.quizzes.reveal_field import REVEAL_FIELDS, RevealField
from quizzes.instructor.theme import select
from quizzes.instructor.translated_field import TranslatedField, TranslatedForm, language_names
from quizzes.lib.translated_texts import choose_title
from quizzes.presentation.messages.kinds import SCORING_METHOD_LABELS
from quizzes.presentation.messages.quiz_problems import describe_quiz_problems
from quizzes.publishing.models import BOUNDS, Quiz
from quizzes.publishing.planned_version import plan_quiz_version
from quizzes.publishing.settings_version import compute_settings_version, list_changed_settings
from quizzes.publishing.short_names import suggest_short_name

VERSION = "settings_version"


class QuizForm(TranslatedForm):
    """A quiz in every language at once, with the problems of its draft at the fields."""

    title = TranslatedField(label=_("Title"))
    intro = TranslatedField(label=_("Introduction"), lines=3, required=False)
    source_language = forms.ChoiceField(label=_("Source language"), widget=select)
    scoring_method = forms.ChoiceField(
        label=_("Scoring of multiple choice"),
        required=False,
        widget=select,
        choices={"": _("as set in each question"), **SCORING_METHOD_LABELS},
    )
    reveal = RevealField()

    class Meta:
        model = Quiz
        exclude = ("current", "retired_at", *REVEAL_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_short_name_suggested = False
        self.settings_version = compute_settings_version(self.instance)
        """What the page carries, so that a save can tell what others saved meanwhile."""
        self.initial["reveal"] = {part: getattr(self.instance, part) for part in REVEAL_FIELDS}
        if "source_language" in self.fields:  # not on a page that is for reading alone
            self.fields["source_language"].choices = list(language_names().items())  # type: ignore[attr-defined]  # a ChoiceField
        if "reveal" in self.fields:
            sentences = ((sentence,) for sentence in describe_draft_reveal(self.instance))
            self.fields["reveal"].help_text = format_html(
                '<ul class="reveal-effect" data-effect="reveal" aria-live="polite">{}</ul>',
                format_html_join("", "<li>{}</li>", sentences),
            )
        # The browser says so before the server does.
        for name in self.fields.keys() & BOUNDS.keys():
            least, most = BOUNDS[name]
            self.fields[name].widget.attrs.update({"min": least, "max": most})
        self.initial["pass_percent"] = write_number(Decimal(self.instance.pass_percent))
        if self.instance.pk is None:
            self._suggest()
        elif not self.is_bound:
            self._show_problems()

    def _suggest(self) -> None:
        """Ask of a new quiz only what is not clear: the name and the class may be."""
        self.fields["slug"].required = False
        self.fields["slug"].help_text = _(
            "It is in the address of the quiz. Left empty, it follows from the title."
        )
        groups = self.fields["group"].queryset[:2]  # type: ignore[attr-defined]  # a ModelChoiceField
        if len(groups) == 1 and self.fields["group"].required:
            self.initial.setdefault("group", groups[0].pk)

    def _show_problems(self) -> None:
        for problem in describe_quiz_problems(plan_quiz_version(self.instance)[1]):
            if field := self.fields.get(problem.place):
                field.help_text = format_html(
                    '<span class="note note-problem">{}</span>', problem.sentence
                )

    def clean(self) -> dict[str, Any]:
        """Spread the table over its columns; refuse what would undo what others saved meanwhile."""
        self._check_unchanged()
        cleaned = super().clean()
        if self.instance.pk is None and not cleaned.get("slug") and "slug" not in self.errors:
            title = cleaned.get("title") or {}
            self.is_short_name_suggested = True
            cleaned["slug"] = suggest_short_name(
                choose_title(title, cleaned.get("source_language", ""))
            )
        for part, moment in (cleaned.get("reveal") or {}).items():
            setattr(self.instance, part, moment)
        return cleaned

    def validate_unique(self) -> None:
        """Leave a short name that nobody typed to the save, which looks for another one."""
        if not self.is_short_name_suggested:
            super().validate_unique()

    def _check_unchanged(self) -> None:
        """Name the settings that others changed since the page was shown; saved again, they go.

        The row stays locked until what is saved is saved.
        """
        version = self.data.get(VERSION, "")
        if self.instance.pk is None or not version:
            return
        stored = Quiz.objects.select_for_update().get(pk=self.instance.pk)
        self.settings_version = compute_settings_version(stored)
        if changed := list_changed_settings(stored, version):
            labels = ", ".join(str(label_for_field(name, Quiz)) for name in changed)
            self.add_error(
                None,
                _(
                    "Somebody else changed meanwhile: %(settings)s. Yours are not saved yet. "
                    "Save again to put them in place of the others."
                )
                % {"settings": labels},
            )
