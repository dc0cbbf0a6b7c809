"""The pages of banks."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.forms import Field
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from accounts.access import groups_taught
from accounts.reauthentication import reauthentication_required
from quizzes.attempts.key_access import banks_hidden_from_taker, banks_whose_keys_are_visible_to
from quizzes.bank import access
from quizzes.bank.models import Bank, Media
from quizzes.bank.services import save_bank
from quizzes.instructor.admin_base import GroupOwnedAdmin
from quizzes.instructor.banks import checks, sharing
from quizzes.instructor.banks.export_page import show_export
from quizzes.instructor.banks.files import delete_file, show_files
from quizzes.instructor.banks.picture_upload import save_picture
from quizzes.instructor.banks.study_offers import show_study_offers
from quizzes.instructor.permissions import current_user
from quizzes.instructor.theme import select
from quizzes.instructor.translated_field import TranslatedField, TranslatedForm, language_names
from quizzes.lib.short_names import retry_taken


class BankForm(TranslatedForm):
    """A bank in every language at once."""

    title = TranslatedField(label=_("Title"))
    description = TranslatedField(label=_("Description"), lines=3, required=False)

    class Meta:
        model = Bank
        fields = ("slug", "title", "description", "source", "licence", "source_language", "group")


@admin.register(Bank)
class BankAdmin(GroupOwnedAdmin):
    """Collections of questions: one's own, those of one's classes, and those shared with one."""

    key_pages = frozenset({"bank_bank_checks", "bank_bank_export"})
    form = BankForm
    instead_of_deleting = _(
        "Banks are not deleted, because quizzes and attempts rest on them. Retire the questions"
        " that are no longer wanted."
    )
    list_display = ("name", "questions", "published", "files", "group", "licence")
    list_select_related = ("group",)
    ordering = ("slug",)
    search_fields = ("slug", "title__en", "title__es")
    fields = ("title", "description", ("slug", "source_language"), ("source", "licence"), "group")

    visible_to = staticmethod(banks_whose_keys_are_visible_to)
    editable_by = staticmethod(access.editable_by)

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
        """Add the pages of files, of checks, of sharing, of study and of exports."""
        # Exempt: the token is in the body, and the page looks for it once it knows the sender.
        views: dict[str, tuple[str, Callable[..., HttpResponse]]] = {
            "files": ("files/", csrf_exempt(self.files_view)),
            "delete_file": ("files/<uuid:uuid>/delete/", self.delete_file_view),
            "checks": ("checks/", self.checks_view),
            "sharing": ("sharing/", self.sharing_view),
            "study": ("study/", self.study_view),
            "export": ("export/", self.export_view),
            "waive": ("checks/waive/", self.waive_view),
        }
        own = [
            path(f"<int:pk>/{route}", self.admin_site.admin_view(view), name=f"bank_bank_{name}")
            for name, (route, view) in views.items()
        ]
        picture = path(
            "picture/",
            self.admin_site.admin_view(csrf_exempt(self.picture_view)),
            name="bank_bank_picture",
        )
        return [*own, picture, *super().get_urls()]

    def files_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the files of a bank, and save others."""
        return show_files(self, request, self.get_row(request, pk))

    def picture_view(self, request: HttpRequest) -> HttpResponse:
        """Save a file that is put into a text."""
        return save_picture(self, request)

    def delete_file_view(self, request: HttpRequest, pk: int, uuid: UUID) -> HttpResponse:
        """Ask whether to delete a file, and do it on POST."""
        return delete_file(self, request, self.get_row(request, pk), uuid)

    def checks_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the findings of a bank."""
        return checks.show_checks(self, request, self.get_row(request, pk))

    @method_decorator(reauthentication_required("POST"))
    def sharing_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show with whom a bank is shared, and change that."""
        return sharing.show_sharing(self, request, self.get_row(request, pk))

    @method_decorator(reauthentication_required("POST"))
    def study_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show who may study the cards of a bank, and change that."""
        return show_study_offers(self, request, self.get_row(request, pk))

    def export_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the formats of exports with what each loses, and send the file."""
        return show_export(self, request, self.get_row(request, pk))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Add which banks are hidden from this person because they may be asked of them."""
        hidden = [str(bank) for bank in banks_hidden_from_taker(request.user)]
        return super().changelist_view(request, {"hidden_banks": hidden})

    @method_decorator(reauthentication_required("POST"))  # its class decides who sees the keys
    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add with whom the bank is shared."""
        bank = self.get_object(request, object_id)
        more = {"shares": sharing.list_shares(bank)} if isinstance(bank, Bank) else {}
        return super().change_view(request, object_id, form_url, more)

    def changeform_view(self, *arguments: Any, **options: Any) -> Any:
        """Validate the form anew where somebody took its short name meanwhile."""
        return retry_taken(partial(super().changeform_view, *arguments, **options))

    def waive_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Waive a finding, or revoke that."""
        bank = self.get_row(request, pk)
        if request.method != "POST":
            return redirect("admin:bank_bank_checks", bank.pk)
        return checks.update_waiver(self, request, bank)

    def save_model(self, request: HttpRequest, obj: Bank, form: Any, change: bool) -> None:
        """Save it; who makes one owns it."""
        save_bank(bank=obj, by=current_user(request))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Make the short name of a bank read-only, and a class that this person does not teach.

        Files find the bank by its short name. Of that class it could not be again.
        """
        if obj is None:
            return ()
        taught = groups_taught(request.user)
        is_other = obj.group_id is not None and not taught.filter(pk=obj.group_id).exists()
        return ("slug", "group") if is_other else ("slug",)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Leave the class open: a bank without one is its owner's."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.required = False
        return field

    def formfield_for_dbfield(
        self, db_field: Any, request: HttpRequest, **kwargs: Any
    ) -> Field | None:
        """Offer the languages there are."""
        if db_field.name == "source_language":
            kwargs["widget"] = select(choices=list(language_names().items()))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description=_("bank"), ordering="slug")
    def name(self, bank: Bank) -> str:
        """Return its title."""
        return str(bank)

    @admin.display(description=_("questions"), ordering="question_count")
    def questions(self, bank: Any) -> str:
        """Return a link to them, with their number."""
        address = reverse("admin:bank_question_changelist")
        return format_html('<a href="{}?bank={}">{}</a>', address, bank.slug, bank.question_count)

    @admin.display(description=_("published"), ordering="published_count")
    def published(self, bank: Any) -> int:
        """Return how many are published."""
        return int(bank.published_count)

    @admin.display(description=_("files"), ordering="file_count")
    def files(self, bank: Any) -> str:
        """Return a link to them, with their number."""
        address = reverse("admin:bank_bank_files", args=[bank.pk])
        return format_html('<a href="{}">{}</a>', address, bank.file_count)
