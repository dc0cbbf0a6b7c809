"""The pages of imports: upload, preview, report."""

from collections import Counter
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from accounts.access import Person
from accounts.backoffice import ModelAdmin
from quizzes.bank.access import editable_by
from quizzes.bank.models import Bank
from quizzes.exchange import access, jobs, keeping, tasks, telling
from quizzes.exchange.admin.forms import UploadForm
from quizzes.exchange.admin.showing import WHATS, items, plans, said
from quizzes.exchange.models import ImportJob, State
from quizzes.exchange.opening import LARGEST
from quizzes.exchange.sayings import NOTES
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.receiving import is_too_large, take_files

MOST_SHOWN = 100
"""Items on the page of a preview; the others are brought in as usual."""


@admin.register(ImportJob)
class ImportJobAdmin(ModelAdmin):
    """Files on their way into banks."""

    list_display = ("filename", "bank", "format", "state", "total", "by", "created_at")
    list_select_related = ("bank", "by")

    def visible(self, person: Person) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_of(person)

    def editable(self, person: Person) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_of(person)

    def may_add(self, person: Person) -> bool:
        """Let those who may change a bank send files to it."""
        return editable_by(person).exists()

    def get_urls(self) -> list[URLPattern]:
        """Add sending with a file, and choosing and cancelling."""
        guard = self.admin_site.admin_view
        own = [
            # Exempt: the token is in the body, and the page looks for it once it knows the sender.
            path("add/", guard(csrf_exempt(self.upload_view)), name="exchange_importjob_add"),
            path("<int:pk>/commit/", guard(self.commit_view), name="exchange_importjob_commit"),
            path("<int:pk>/cancel/", guard(self.cancel_view), name="exchange_importjob_cancel"),
            path("<int:pk>/change/", guard(self.job_view), name="exchange_importjob_change"),
        ]
        return own + super().get_urls()

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file; on POST keep it, or say what is wrong with it, and where."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            bank = request.GET.get("bank", "")
            return self._form(request, UploadForm(banks=_banks(request), initial={"bank": bank}))
        if is_too_large(request):
            form = UploadForm(banks=_banks(request))
            return self._form(request, form, [_("The file is too large.")], status=413)
        take_files(request)
        protected: HttpResponse = csrf_protect(self._received)(request)
        return protected

    def _received(self, request: HttpRequest) -> HttpResponse:
        form = UploadForm(request.POST, request.FILES, banks=_banks(request))
        if not form.is_valid():
            return self._form(request, form, status=422)
        sent, author = form.cleaned_data["file"], request.user
        try:
            job = jobs.receive(
                bank=form.cleaned_data["bank"],
                data=sent.read(LARGEST + 1),
                filename=str(sent.name or ""),
                format_=form.cleaned_data["format"],
                language=form.cleaned_data["language"],
                by=author if author.is_authenticated else None,
            )
        except Invalid as error:
            troubles = [str(one) for one in error.detail.get("troubles", ())]
            return self._form(request, form, [telling.refusal(error), *troubles], status=422)
        return redirect("admin:exchange_importjob_change", job.pk)

    def job_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what would be done, or what was."""
        job = self._found(request, pk)
        if job.state == State.UPLOADED:
            return self._preview(request, job)
        lines = job.report.get("items", [])
        more = {
            "job": job,
            "done": keeping.told(job.uuid),
            "counts": _counts(job.report.get("counts", {})),
            "lines": [_told(line) for line in lines],
            "open": job.state in {State.READING, State.PLANNED, State.RUNNING},
        }
        return self._page(request, "report", str(job), more)

    def _preview(self, request: HttpRequest, job: ImportJob, status: int = 200) -> HttpResponse:
        parcel, planned = plans(job)
        more = {
            "job": job,
            "about": parcel.about,
            "counts": _counts(Counter(one.what for one in planned)),
            "total": len(planned),
            "items": list(items(job, planned[:MOST_SHOWN])),
            "rest": len(planned[MOST_SHOWN:]),
            "usual": sum(one.usual for one in planned),
            "noise": [said(note) for note in parcel.noise],
            "digest": telling.digest(planned),
        }
        title = _("Import into %(bank)s") % {"bank": job.bank}
        return self._page(request, "preview", title, more, status)

    @method_decorator(require_POST)
    def commit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Bring in what was ticked, and of what was not shown the usual; small files at once."""
        job = self._found(request, pk)
        if job.state != State.UPLOADED:
            return redirect("admin:exchange_importjob_change", job.pk)
        _parcel, planned = plans(job)
        if request.POST.get("digest") != telling.digest(planned):
            messages.warning(request, _("The bank was changed meanwhile: look once more."))
            return self._preview(request, job, status=409)
        ticked = {int(one) for one in request.POST.getlist("item") if one.isdecimal()}
        chosen = ticked | {one.number for one in planned[MOST_SHOWN:] if one.usual}
        try:
            jobs.choose(job=job, chosen=chosen)
        except Conflict:
            return redirect("admin:exchange_importjob_change", job.pk)
        if job.total <= jobs.SMALL:
            jobs.run(pk=job.pk, now=clock.now())
        else:
            tasks.wake(tasks.run_import, job.pk)
        self.log_change(request, job.bank, f"file {job.uuid} imported")
        told = ngettext("%(n)s question was chosen.", "%(n)s questions were chosen.", len(chosen))
        messages.success(request, told % {"n": len(chosen)})
        return redirect("admin:exchange_importjob_change", job.pk)

    @method_decorator(require_POST)
    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Cancel an import that is not over."""
        jobs.cancel(job=self._found(request, pk), now=clock.now())
        return redirect("admin:exchange_importjob_change", pk)

    def _found(self, request: HttpRequest, pk: int) -> ImportJob:
        rows = self.get_queryset(request).select_related("bank", "by")
        job: ImportJob | None = rows.filter(pk=pk).first()
        if job is None:
            raise Http404
        return job

    def _form(
        self,
        request: HttpRequest,
        form: UploadForm,
        troubles: list[str] | None = None,
        status: int = 200,
    ) -> HttpResponse:
        more = {"form": form, "troubles": troubles or []}
        return self._page(request, "upload", _("Import a file"), more, status)

    def _page(
        self,
        request: HttpRequest,
        name: str,
        title: str,
        more: dict[str, Any],
        status: int = 200,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            **more,
        }
        return TemplateResponse(
            request, f"admin/exchange/importjob/{name}.html", context, status=status
        )


def _banks(request: HttpRequest) -> QuerySet[Bank]:
    return editable_by(request.user)


def _counts(counts: Any) -> list[tuple[str, int]]:
    """Give each count with its word, in the order of a plan."""
    return [(str(word), counts[what]) for what, word in WHATS.items() if counts.get(what)]


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """Put a line of a report into the words of whoever reads it now."""
    notes = [{**note, "message": telling.words(note["code"], NOTES)} for note in line["notes"]]
    return {**line, "notes": notes, "said": WHATS[line["what"]]}
