"""The pages of banks."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.forms import Field
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.access import Person, groups_taught, is_instructor
from accounts.backoffice import ModelAdmin, rights, select
from quizzes.bank import access
from quizzes.bank.admin.words import WordsField, WordsForm, languages
from quizzes.bank.models import Bank


class BankForm(WordsForm):
    """A bank in every language at once."""

    title = WordsField(label=_("Title"))
    description = WordsField(label=_("Description"), lines=3, required=False)

    class Meta:
        model = Bank
        fields = ("slug", "title", "description", "source", "licence", "source_language", "group")


@admin.register(Bank)
class BankAdmin(ModelAdmin):
    """Collections of questions."""

    form = BankForm
    list_display = ("name", "questions", "published", "group", "licence")
    list_select_related = ("group",)
    search_fields = ("slug", "title__en", "title__es")
    fields = ("title", "description", ("slug", "source_language"), ("source", "licence"), "group")

    def visible(self, person: Person) -> QuerySet[Bank]:
        """Ask the access module."""
        return access.visible_to(person)

    def editable(self, person: Person) -> QuerySet[Bank]:
        """Ask the access module."""
        return access.editable_by(person)

    def may_add(self, person: Person) -> bool:
        """Let those who teach begin a bank for a group of theirs."""
        return is_instructor(person)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bank]:
        """Count the questions in use, and those of them that are published."""
        used = Q(questions__retired_at=None)
        rows: QuerySet[Bank] = super().get_queryset(request)
        return rows.annotate(
            question_count=Count("questions", used),
            published_count=Count("questions", used & Q(questions__current__isnull=False)),
        )

    def get_readonly_fields(
        self,
        request: HttpRequest,  # noqa: ARG002  Django's signature
        obj: Bank | None = None,
    ) -> tuple[str, ...]:
        """Keep a bank's short name: files find it by that."""
        return ("slug",) if obj else ()

    def formfield_for_dbfield(
        self, db_field: Any, request: HttpRequest, **kwargs: Any
    ) -> Field | None:
        """Offer the languages there are."""
        if db_field.name == "source_language":
            kwargs["widget"] = select(choices=list(languages().items()))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the groups one teaches; only administrators keep a bank for everybody."""
        kwargs["queryset"] = groups_taught(request.user)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.required = not rights(request).administrator
        return field

    @admin.display(description=_("bank"), ordering="slug")
    def name(self, bank: Bank) -> str:
        """Show its title."""
        return str(bank)

    @admin.display(description=_("questions"), ordering="question_count")
    def questions(self, bank: Any) -> str:
        """Lead to them."""
        address = reverse("admin:bank_question_changelist")
        return format_html('<a href="{}?bank={}">{}</a>', address, bank.slug, bank.question_count)

    @admin.display(description=_("published"), ordering="published_count")
    def published(self, bank: Any) -> int:
        """How many can be asked."""
        return int(bank.published_count)
