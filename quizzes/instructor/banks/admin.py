"""The pages of banks."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.forms import Field
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from accounts.access import UserOrAnonymous, groups_taught, is_instructor
from quizzes.bank import access
from quizzes.bank.models import Bank, Media
from quizzes.instructor.admin_base import ModelAdmin, get_permissions, select
from quizzes.instructor.banks import checks
from quizzes.instructor.banks.files import delete_file, show_files
from quizzes.instructor.translated_field import TranslatedField, TranslatedForm, language_names


class BankForm(TranslatedForm):
    """A bank in every language at once."""

    title = TranslatedField(label=_("Title"))
    description = TranslatedField(label=_("Description"), lines=3, required=False)

    class Meta:
        model = Bank
        fields = ("slug", "title", "description", "source", "licence", "source_language", "group")


@admin.register(Bank)
class BankAdmin(ModelAdmin):
    """Collections of questions."""

    form = BankForm
    list_display = ("name", "questions", "published", "files", "group", "licence")
    list_select_related = ("group",)
    search_fields = ("slug", "title__en", "title__es")
    fields = ("title", "description", ("slug", "source_language"), ("source", "licence"), "group")

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Bank]:
        """Ask the access module."""
        return access.visible_to(person)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Bank]:
        """Ask the access module."""
        return access.editable_by(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Let those who teach begin a bank for a group of theirs."""
        return is_instructor(person)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bank]:
        """Count the questions in use, those of them that are published, and the files."""
        media = Media.objects.filter(bank=OuterRef("pk")).order_by().values("bank")
        used = Q(questions__retired_at=None)
        rows: QuerySet[Bank] = super().get_queryset(request)
        return rows.annotate(
            question_count=Count("questions", used),
            published_count=Count("questions", used & Q(questions__current__isnull=False)),
            file_count=Coalesce(Subquery(media.annotate(n=Count("pk")).values("n")), 0),
        )

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of files and of checks."""
        guard = self.admin_site.admin_view
        # Exempt: the token is in the body, and the page looks for it once it knows the sender.
        own = [
            path("<int:pk>/files/", guard(csrf_exempt(self.files_view)), name="bank_bank_files"),
            path(
                "<int:pk>/files/<uuid:uuid>/forget/",
                guard(self.forget_view),
                name="bank_bank_forget",
            ),
            path("<int:pk>/checks/", guard(self.checks_view), name="bank_bank_checks"),
            path("<int:pk>/checks/decide/", guard(self.decide_view), name="bank_bank_decide"),
        ]
        return own + super().get_urls()

    def files_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the files of a bank, and take others."""
        return show_files(self, request, self._found(request, pk))

    def forget_view(self, request: HttpRequest, pk: int, uuid: UUID) -> HttpResponse:
        """Let a file go."""
        return delete_file(self, request, self._found(request, pk), uuid)

    def checks_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what is worth a look in a bank."""
        return checks.show_checks(self, request, self._found(request, pk))

    def decide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let a finding stand, or take it up again."""
        bank = self._found(request, pk)
        if request.method != "POST":
            return redirect("admin:bank_bank_checks", bank.pk)
        return checks.decide_waiver(self, request, bank)

    def _found(self, request: HttpRequest, pk: int) -> Bank:
        bank: Bank | None = self.get_queryset(request).filter(pk=pk).first()
        if bank is None:
            raise Http404
        return bank

    def get_readonly_fields(
        self,
        request: HttpRequest,
        obj: Bank | None = None,
    ) -> tuple[str, ...]:
        """Keep a bank's short name: files find it by that."""
        return ("slug",) if obj else ()

    def formfield_for_dbfield(
        self, db_field: Any, request: HttpRequest, **kwargs: Any
    ) -> Field | None:
        """Offer the languages there are."""
        if db_field.name == "source_language":
            kwargs["widget"] = select(choices=list(language_names().items()))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the groups one teaches; only administrators keep a bank for everybody."""
        kwargs["queryset"] = groups_taught(request.user)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.required = not get_permissions(request).is_administrator
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

    @admin.display(description=_("files"), ordering="file_count")
    def files(self, bank: Any) -> str:
        """Lead to them."""
        address = reverse("admin:bank_bank_files", args=[bank.pk])
        return format_html('<a href="{}">{}</a>', address, bank.file_count)
