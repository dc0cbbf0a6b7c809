"""The forms of a quiz: its own fields, its sections and its slots."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.db.models import QuerySet
from django.forms.models import ModelChoiceIterator
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.models import Bank, Question, Tag
from quizzes.instructor.admin_base import RowForm
from quizzes.instructor.quizzes.draft_effects import describe_draft_reveal
from quizzes.instructor.quizzes.reveal_field import REVEAL_FIELDS, RevealField
from quizzes.instructor.theme import select, text_input
from quizzes.instructor.translated_field import TranslatedField, TranslatedForm, language_names
from quizzes.presentation.messages.kinds import SCORING_METHOD_LABELS
from quizzes.presentation.messages.quiz_problems import describe_quiz_problem
from quizzes.publishing.models import Quiz, Section, Slot
from quizzes.publishing.services import plan_quiz_version

if TYPE_CHECKING:
    _BaseModelFormSet = forms.BaseModelFormSet[Any, Any]
    _ModelChoiceField = forms.ModelChoiceField[Any]
else:
    _BaseModelFormSet = forms.BaseModelFormSet
    _ModelChoiceField = forms.ModelChoiceField


def strip_zeros(number: Decimal | int | str) -> Decimal:
    """Return a number without the zeros that its column adds: 80, not 80.0000 nor 8E+1."""
    return Decimal(f"{Decimal(number).normalize():f}")


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
        self.initial["reveal"] = {part: getattr(self.instance, part) for part in REVEAL_FIELDS}
        if "source_language" in self.fields:  # not on a page that is for reading alone
            self.fields["source_language"].choices = list(language_names().items())  # type: ignore[attr-defined]  # a ChoiceField
        if "reveal" in self.fields:
            sentences = ((sentence,) for sentence in describe_draft_reveal(self.instance))
            self.fields["reveal"].help_text = format_html(
                '<ul class="reveal-effect" data-effect="reveal" aria-live="polite">{}</ul>',
                format_html_join("", "<li>{}</li>", sentences),
            )
        self.initial["pass_percent"] = strip_zeros(self.instance.pass_percent)
        if self.instance.pk and not self.is_bound:
            self._show_problems()

    def _show_problems(self) -> None:
        for problem in plan_quiz_version(self.instance)[1]:
            if field := self.fields.get(problem.where):
                field.help_text = format_html(
                    '<span class="note note-problem">{}</span>', describe_quiz_problem(problem)
                )

    def clean(self) -> dict[str, Any]:
        """Spread the table over its columns."""
        cleaned = super().clean()
        for part, moment in (cleaned.get("reveal") or {}).items():
            setattr(self.instance, part, moment)
        return cleaned


class SectionForm(TranslatedForm, RowForm):
    """A part of the quiz, by its number."""

    title = TranslatedField(label=_("Title"), required=False)

    class Meta:
        model = Section
        fields = ("position", "title")


class _NamedRowField(_ModelChoiceField):
    """A row chosen by typing its name; the list to choose from stands once in the page."""

    iterator = ModelChoiceIterator

    def __init__(self, rows: QuerySet[Any], listed: str, **kwargs: Any) -> None:
        widget = text_input(attrs={"list": listed, "autocomplete": "off"})
        super().__init__(rows, required=False, widget=widget, **kwargs)


class QuestionField(_NamedRowField):
    """A question by `name (bank)`, or by its name where no other bank has one like it."""

    def to_python(self, value: Any) -> Question | None:
        """Return the question of this name in the banks that may be read."""
        if not value:
            return None
        name, _paren, bank = str(value).strip().removesuffix(")").partition(" (")
        rows: QuerySet[Any] = self.queryset  # type: ignore[assignment]  # given, always
        rows = rows.filter(name=name, **({"bank__slug": bank} if bank else {}))
        matches: list[Question] = list(rows[:2])
        if not matches:
            raise forms.ValidationError(_("There is no such question in your banks."))
        if len(matches) > 1:
            raise forms.ValidationError(
                _("Several banks have a question of this name: add the bank in brackets.")
            )
        return matches[0]

    def prepare_value(self, value: Any) -> Any:
        """Write it."""
        return f"{value.name} ({value.bank.slug})" if isinstance(value, Question) else value


class SlotForm(RowForm):
    """A slot: one question, or a draw from a bank; `part` is the number of its section."""

    part = forms.IntegerField(label=_("Section"), min_value=0, max_value=1000, required=False)
    question = QuestionField(Question.objects.none(), "questions", label=_("Question"))
    pool_tag = _NamedRowField(
        Tag.objects.all(), "tags", label=_("Only with tag"), to_field_name="name"
    )

    class Meta:
        model = Slot
        fields = ("part", "position", "question", "pool_bank", "pool_tag", "draw", "points")
        widgets = {"pool_bank": select}
        labels = {"position": _("No."), "draw": _("Draw"), "points": _("Points each")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self._keep_choice()
            self.initial["part"] = self.instance.section.position
            self.initial["question"] = self.instance.question
            self.initial["pool_tag"] = self.instance.pool_tag and self.instance.pool_tag.name
        for name in ("part", "position", "draw", "points"):
            label = self.fields[name].label
            widget = text_input(attrs={"inputmode": "decimal", "aria-label": label})
            self.fields[name].widget = widget
        self.initial["points"] = strip_zeros(self.initial.get("points", self.instance.points))

    def _keep_choice(self) -> None:
        """Offer what this slot has, though it is retired or not shared: else no page is saved."""
        field = cast("QuestionField", self.fields["question"])
        offered: QuerySet[Any] = field.queryset  # type: ignore[assignment]  # given, always
        field.queryset = offered | Question.objects.filter(pk=self.instance.question_id or 0)
        if isinstance(pool := self.fields["pool_bank"], _SharedChoices):
            pool.keep(self.instance)


class SlotFormSet(_BaseModelFormSet):
    """The slots of all sections of one quiz, as Django expects of an inline."""

    instance: Quiz

    def __init__(
        self,
        data: Any = None,
        files: Any = None,
        *,
        instance: Quiz,
        queryset: QuerySet[Slot],
        save_as_new: bool = False,
        **kwargs: Any,
    ) -> None:
        self.instance = instance
        rows = queryset.filter(section__quiz=instance) if instance.pk else queryset.none()
        super().__init__(data, files, queryset=rows, **kwargs)

    @classmethod
    def get_default_prefix(cls) -> str:
        """Return the prefix of the controls."""
        return "slots"

    def save_new(self, form: Any, commit: bool = True) -> Any:
        """Save a new slot in its section."""
        form.instance.section = self._section(form)
        return super().save_new(form, commit=commit)

    def save_existing(self, form: Any, obj: Any, commit: bool = True) -> Any:
        """Move a slot if its section's number was changed."""
        form.instance.section = self._section(form)
        return super().save_existing(form, obj, commit=commit)

    def _section(self, form: Any) -> Section:
        """Return the section of this number, or the first; created if there is none."""
        number = form.cleaned_data.get("part")
        sections = Section.objects.filter(quiz=self.instance)
        section = sections.first() if number is None else sections.filter(position=number).first()
        return section or Section.objects.create(quiz=self.instance, position=number or 1)


def build_slot_formset(person: Any, *, extra: int, removable: bool, most: int) -> type[SlotFormSet]:
    """Return the formset class of slots, with the questions and banks a person may read."""
    banks = banks_whose_keys_are_visible_to(person)
    questions = Question.objects.filter(bank__in=banks, retired_at=None)
    form = type(
        "SlotFormOfPerson",
        (SlotForm,),
        {
            "question": QuestionField(
                questions.select_related("bank"), "questions", label=_("Question")
            ),
            "pool_bank": _SharedChoices(banks, label=_("or draw from bank"), required=False),
        },
    )
    return cast(
        "type[SlotFormSet]",
        forms.modelformset_factory(
            Slot, form=form, formset=SlotFormSet, extra=extra, can_delete=removable, max_num=most
        ),
    )


class _SharedChoices(_ModelChoiceField):
    """A list to choose from that is read once for all rows of a page."""

    def __init__(self, rows: QuerySet[Bank], **kwargs: Any) -> None:
        super().__init__(rows, widget=select, **kwargs)
        self._titles: dict[int, str] = {bank.pk: str(bank) for bank in rows}
        self.choices = [("", "–"), *self._titles.items()]

    def keep(self, slot: Slot) -> None:
        """Offer the bank that a slot draws from, which this person may not see."""
        if slot.pool_bank_id and slot.pool_bank_id not in self._titles:
            titles = self._titles | {slot.pool_bank_id: str(slot.pool_bank)}
            self.queryset = Bank.objects.filter(pk__in=titles)
            self.choices = [("", "–"), *titles.items()]
