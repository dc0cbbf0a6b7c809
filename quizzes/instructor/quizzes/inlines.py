"""The rows of a quiz's page: its sections, and in them its questions and draws."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.checks import InlineModelAdminChecks
from django.core.checks import CheckMessage
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from quizzes.instructor.admin_base import TabularInline
from quizzes.instructor.quizzes.forms import SectionForm, SlotFormSet, build_slot_formset
from quizzes.presentation.messages.quiz_problems import describe_quiz_problem
from quizzes.publishing.draw_allocation import count_drawable
from quizzes.publishing.models import Quiz, Section, Slot
from quizzes.publishing.services import (
    PlannedVersionItem,
    count_draws,
    list_drawable,
    plan_quiz_version,
)

MAX_SLOTS = 500


def describe_slots(quiz: Quiz) -> list[str]:
    """Return the sections and slots of a draft in their order, as the audit log has them."""
    slots = Slot.objects.filter(section__quiz=quiz).order_by("section__position", "position", "pk")
    return [
        f"{slot.section.position}.{slot.position} {slot} × {slot.points}"
        for slot in slots.select_related("section", "question", "pool_bank", "pool_tag")
    ]


def read_slots(request: HttpRequest, quiz: Quiz) -> list[Slot]:
    """Return the slots of a form as posted, without those removed or not filled in yet."""
    rows = Slot.objects.select_related("section", "question__current", "pool_bank", "pool_tag")
    formset_class = build_slot_formset(request.user, extra=0, removable=True, most=MAX_SLOTS)
    formset = formset_class(request.POST, instance=quiz, queryset=rows)
    formset.is_valid()
    return [
        form.instance
        for form in formset.forms
        if not form.cleaned_data.get("DELETE")
        and (form.instance.question_id or form.instance.pool_bank_id)
    ]


class SectionInline(TabularInline):
    """Sections with a title; a quiz without any gets one when it is saved."""

    model = Section
    form = SectionForm
    fields = ("position", "title")
    ordering = ("position", "pk")


class _Checks(InlineModelAdminChecks):
    """A slot belongs to a section, not to the quiz itself: our formset sees to that."""

    def _check_exclude_of_parent_model(self, *_args: Any) -> list[CheckMessage]:
        return []

    def _check_relation(self, *_args: Any) -> list[CheckMessage]:
        return []


class SlotInline(TabularInline):
    """Slots: one question, or a draw from a bank; each shows what it would publish."""

    model = Slot
    formset = SlotFormSet  # type: ignore[assignment]  # as Django's generic inlines do
    checks_class = _Checks
    fields = (
        "part",
        "position",
        "question",
        "pool_bank",
        "pool_tag",
        "draw",
        "points",
        "planned_content",
    )
    readonly_fields = ("planned_content",)
    verbose_name = _("question or draw")
    verbose_name_plural = _("questions and draws")
    ordering = ("section__position", "section", "position", "pk")
    extra = 3

    planned: dict[int, PlannedVersionItem]
    most_drawable: dict[int, int]
    problems: dict[str, list[str]]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Slot]:
        """Fetch what a row shows in the same query."""
        rows: QuerySet[Slot] = super().get_queryset(request)
        return rows.select_related("section", "question__bank", "pool_bank", "pool_tag")

    def get_formset(self, request: HttpRequest, obj: Quiz | None = None, **_kwargs: Any) -> Any:
        """Return the formset, and plan the slots (this object lives for one page)."""
        planned, problems = plan_quiz_version(obj) if obj and obj.pk else ((), ())
        self.planned = {planned_item.slot.pk: planned_item for planned_item in planned}
        most = count_drawable(count_draws(planned), list_drawable(planned))
        self.most_drawable = dict(zip(self.planned, most, strict=True))
        self.problems = {}
        for problem in problems:
            self.problems.setdefault(problem.where, []).append(describe_quiz_problem(problem))
        return build_slot_formset(
            request.user,
            extra=self.extra if self.has_add_permission(request, obj) else 0,
            removable=self.has_delete_permission(request, obj),
            most=MAX_SLOTS,
        )

    @admin.display(description=_("Section"))
    def part(self, slot: Slot) -> int:
        """Return the number of its section, where nothing may be changed."""
        return slot.section.position

    @admin.display(description=_("will publish"))
    def planned_content(self, slot: Slot) -> str:
        """Return what would be published here, or what is wrong."""
        wrong = self.problems.get(f"slots.{slot.pk}", ())
        if wrong:
            notes = format_html_join(
                "", '<li class="note note-problem">{}</li>', ((text,) for text in wrong)
            )
            return format_html('<ul class="notes">{}</ul>', notes)
        planned_item = self.planned.get(slot.pk)
        if planned_item is None:
            return "–"
        if slot.question_id:
            return _("version %(number)s") % {"number": planned_item.versions[0].number}
        return describe_draw(planned_item, self.most_drawable[slot.pk])


def describe_draw(planned_item: PlannedVersionItem, most: int) -> str:
    """Return what a draw takes and, where the rest of the quiz leaves it less, how much that is."""
    count, tag = len(planned_item.versions), planned_item.slot.pool_tag
    numbers = {"draw": planned_item.draw, "count": count, "tag": tag}
    sentence = (
        _("draws %(draw)s of the %(count)s tagged %(tag)s")
        if tag
        else _("draws %(draw)s of %(count)s")
    )
    sentences = [sentence % numbers]
    if most < count:
        sentences.append(_("%(most)s remain for it beside the rest of the quiz") % {"most": most})
    return "; ".join(sentences)
