"""The pages of checkpoints, for administrators: the list, one with its verification, the file."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import UserOrAnonymous, is_administrator
from accounts.reauthentication import reauthentication_required
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.results.checkpoint_verification import verify_checkpoint
from quizzes.results.checkpoints import export_checkpoint, summarize_checkpoint
from quizzes.results.models import Checkpoint

MAX_COMPARED = 200
"""Attempts that the page compares with an entry each; `verify_record` compares all."""


@admin.register(Checkpoint)
class CheckpointAdmin(ModelAdmin):
    """Signed states of the whole record, to be downloaded, kept elsewhere and verified."""

    administrators_only = True
    list_display = ("name", "made_at", "entries", "digest", "key", "file")
    ordering = ("-number",)
    sortable_by = ("made_at",)
    list_display_links = ("name",)

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[Any]:
        """Return all for administrators, and none for others."""
        return self.rows() if is_administrator(person) else self.rows().none()

    def get_urls(self) -> list[URLPattern]:
        """Add the file of a checkpoint."""
        view = self.admin_site.admin_view(self.download_view)
        name = "results_checkpoint_download"
        return [path("<int:pk>/download/", view, name=name), *super().get_urls()]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show one checkpoint; on POST verify it."""
        row = self.get_row(request, object_id)
        is_asked = request.method == "POST"
        context = {
            "checkpoint": row,
            "summary": summarize_checkpoint(row),
            "verification": verify_checkpoint(row, most=MAX_COMPARED) if is_asked else None,
        }
        title = _("Checkpoint %(number)s") % {"number": row.number}
        return self.render_page(request, "results/checkpoint/checkpoint", context, title=title)

    @method_decorator(reauthentication_required())
    def download_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Send a checkpoint with its entries, a line each: what `export_checkpoint` prints."""
        row = self.get_row(request, pk)
        record(AuditCode.CHECKPOINT_EXPORTED, about=row, label=str(row.number))
        name = f"checkpoint-{row.number}.jsonl"
        return StreamingHttpResponse(
            _generate_lines(row),
            content_type="application/x-ndjson; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: these rows never change."""
        return False

    @admin.display(description=gettext_lazy("checkpoint"))
    def name(self, row: Checkpoint) -> str:
        """Return its number."""
        return _("Checkpoint %(number)s") % {"number": row.number}

    @admin.display(description=gettext_lazy("entries"))
    def entries(self, row: Checkpoint) -> int:
        """Return how many attempts and practised questions had changed since the one before."""
        return summarize_checkpoint(row).entries

    @admin.display(description=gettext_lazy("digest"))
    def digest(self, row: Checkpoint) -> str:
        """Return the beginning of its digest."""
        return format_html("<code>{}…</code>", summarize_checkpoint(row).digest[:12])

    @admin.display(description=gettext_lazy("key"))
    def key(self, row: Checkpoint) -> str:
        """Return the beginning of the id of the key that signed it."""
        return format_html("<code>{}…</code>", summarize_checkpoint(row).key[:12])

    @admin.display(description=gettext_lazy("file"))
    def file(self, row: Checkpoint) -> str:
        """Return the link to its file."""
        address = reverse("admin:results_checkpoint_download", args=[row.pk])
        label = _("Download checkpoint %(number)s") % {"number": row.number}
        return format_html('<a href="{}" aria-label="{}">{}</a>', address, label, _("Download"))


def _generate_lines(row: Checkpoint) -> Iterator[str]:
    for line in export_checkpoint(row):
        yield json.dumps(line) + "\n"
