"""The pages of imports: upload, preview, report."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from accounts.access import UserOrAnonymous
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.access import editable_by
from quizzes.bank.models import Bank
from quizzes.imports import access, import_reading, job_files, jobs, selection, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.imports.parse import MAX_UPLOAD_BYTES
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.imports import preview_page, report_page, sheet_template
from quizzes.instructor.imports.preview_page import PreviewView
from quizzes.instructor.imports.upload_form import FormatForm, UploadForm
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import Busy, Conflict, Invalid, ServiceError
from quizzes.lib.file_response import ranged_file_response
from quizzes.lib.filetypes import KINDS
from quizzes.lib.upload_handlers import allow_uploads, is_too_large
from quizzes.presentation.messages.imports import describe_import_error

CONFLICT_STATUS = 409
DEFAULT_VIEW = PreviewView()


@admin.register(ImportJob)
class ImportJobAdmin(ModelAdmin):
    """Imports of files into banks."""

    key_pages = frozenset({"imports_importjob_change"})
    list_display = ("filename", "bank", "format", "state", "total", "by", "created_at")
    list_select_related = ("bank", "by")

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_visible_to(person)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_visible_to(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person may change any bank."""
        return editable_by(person).exists()

    def get_urls(self) -> list[URLPattern]:
        """Add uploading a file, selecting from it, and cancelling."""
        guard = self.admin_site.admin_view
        own = [
            # Exempt: the token is in the body, and the page looks for it once it knows the sender.
            path("add/", guard(csrf_exempt(self.upload_view)), name="imports_importjob_add"),
            path("<int:pk>/commit/", guard(self.commit_view), name="imports_importjob_commit"),
            path("<int:pk>/select/", guard(self.select_view), name="imports_importjob_select"),
            path("<int:pk>/format/", guard(self.format_view), name="imports_importjob_format"),
            path("<int:pk>/cancel/", guard(self.cancel_view), name="imports_importjob_cancel"),
            path(
                "<int:pk>/pictures/<str:name>",
                guard(self.picture_view),
                name="imports_importjob_picture",
            ),
            path("<int:pk>/change/", guard(self.job_view), name="imports_importjob_change"),
        ]
        view = guard(self.template_view)
        own += [
            path(
                f"template.{extension}",
                view,
                {"extension": extension},
                name=f"imports_importjob_{extension}",
            )
            for extension in sheet_template.TEMPLATE_WRITERS
        ]
        return own + super().get_urls()

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file; on POST save and read it, or say why it is refused."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            bank = request.GET.get("bank", "")
            return self._form(request, UploadForm(banks=_banks(request), initial={"bank": bank}))
        if is_too_large(request):
            form = UploadForm(banks=_banks(request))
            return self._form(request, form, [_("The file is too large.")], status=413)
        allow_uploads(request)
        protected: HttpResponse = csrf_protect(self._upload)(request)
        return protected

    def template_view(self, request: HttpRequest, extension: str) -> HttpResponse:
        """Return the sheet to begin with."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return sheet_template.build_response(extension, get_language() or "en")

    def _upload(self, request: HttpRequest) -> HttpResponse:
        form = UploadForm(request.POST, request.FILES, banks=_banks(request))
        if not form.is_valid():
            return self._form(request, form, status=422)
        file = form.cleaned_data["file"]
        try:
            job = jobs.create_import(
                bank=form.cleaned_data["bank"],
                data=file.read(MAX_UPLOAD_BYTES + 1),
                filename=str(file.name or ""),
                format_=form.cleaned_data["format"],
                language=form.cleaned_data["language"],
                by=current_user(request),
            )
        except Invalid as error:
            return self._form(request, form, [describe_import_error(error)], status=422)
        except Busy as error:
            return self._form(request, form, [describe_import_error(error)], status=503)
        tasks.advance(job.pk)
        return self._redirect(job.pk)

    def job_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what would be done, how far it is, or what was done."""
        job = self._get_job(request, pk)
        record(AuditCode.KEYS_VIEWED, about=job.bank, once=True)
        if job.state == State.READY:
            return self._preview(request, job)
        if job.state == State.AMBIGUOUS:
            return self._ask_format(request, job, FormatForm(evidence=job.format_evidence))
        context = report_page.build_report(job, request.GET.get("page", ""))
        return self._page(request, "report", str(job), context)

    @method_decorator(require_POST)
    def format_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Read an ambiguous file as the format that was chosen."""
        job = self._get_job(request, pk)
        form = FormatForm(request.POST, evidence=job.format_evidence)
        if job.state == State.AMBIGUOUS and not form.is_valid():
            return self._ask_format(request, job, form, status=422)
        try:
            jobs.choose_format(
                job=job, format_=form.data.get("format", ""), by=current_user(request)
            )
        except ServiceError:  # it was chosen before, or the import is over
            return self._redirect(pk)
        tasks.advance(pk)
        return self._redirect(pk)

    def _ask_format(
        self, request: HttpRequest, job: ImportJob, form: FormatForm, status: int = 200
    ) -> HttpResponse:
        title = _("Import into %(bank)s") % {"bank": job.bank}
        return self._page(request, "format", title, {"job": job, "form": form}, status)

    def _preview(self, request: HttpRequest, job: ImportJob, status: int = 200) -> HttpResponse:
        view = PreviewView.from_query(request.META.get("QUERY_STRING", ""))
        context = preview_page.build_preview(job, import_reading.load_plan(job), view)
        context["changed"] = status == CONFLICT_STATUS or "code" in job.report
        title = _("Import into %(bank)s") % {"bank": job.bank}
        return self._page(request, "preview", title, context, status)

    @method_decorator(require_POST)
    def select_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Save what was ticked on a page, do what the button says, and show the next page."""
        job, by = self._get_job(request, pk), current_user(request)
        try:
            preview_page.save_ticks(job, request.POST, by)
            preview_page.press_button(job, request.POST, by)
        except Conflict:
            return self._redirect(pk)
        tasks.advance(pk)
        query = request.POST.get("view", request.POST.get("current_view", ""))
        return self._redirect(pk, PreviewView.from_query(query))

    @method_decorator(require_POST)
    def commit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Import what is selected, on this page and all others."""
        job, by = self._get_job(request, pk), current_user(request)
        if job.state != State.READY:
            return self._redirect(pk)
        plan = import_reading.load_plan(job)
        if request.POST.get("digest") != plan.digest:
            return self._preview(request, job, status=CONFLICT_STATUS)
        try:
            preview_page.save_ticks(job, request.POST, by)
            job.refresh_from_db()
            selected = selection.list_selected(job, plan)
            jobs.confirm_selection(job=job, selected=selected, by=by)
        except Conflict:
            return self._redirect(pk)
        self.log_change(request, job.bank, f"file {job.uuid} imported")
        tasks.advance(pk)
        job.refresh_from_db(fields=["state"])
        if job.state != State.READY:
            sentence = ngettext(
                "%(n)s question was chosen.", "%(n)s questions were chosen.", len(selected)
            )
            messages.success(request, sentence % {"n": len(selected)})
        return self._redirect(pk)

    @method_decorator(require_POST)
    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Cancel an import that is not over."""
        job = self._get_job(request, pk)
        jobs.cancel(job=job, by=current_user(request), now=clock.now())
        return self._redirect(pk)

    def picture_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
        """Send a picture that the file brought and the bank does not have yet."""
        job = self._get_job(request, pk)
        if job.state != State.READY or name not in import_reading.load_plan(job).media:
            raise Http404
        media_type = KINDS[name.rpartition(".")[2]].media_type
        return ranged_file_response(
            request, job_files.open_picture(job.uuid, name), name, media_type
        )

    def _redirect(self, pk: int, view: PreviewView = DEFAULT_VIEW) -> HttpResponse:
        address = reverse("admin:imports_importjob_change", args=[pk])
        return redirect(f"{address}?{view.query}" if view.query else address)

    def _get_job(self, request: HttpRequest, pk: int) -> ImportJob:
        rows = self.get_queryset(request).select_related("bank", "by")
        job: ImportJob | None = rows.filter(pk=pk).first()
        if job is None:
            raise Http404
        return job

    def _form(
        self,
        request: HttpRequest,
        form: UploadForm,
        errors: Sequence[str] = (),
        status: int = 200,
    ) -> HttpResponse:
        context = {"form": form, "errors": errors}
        return self._page(request, "upload", _("Import a file"), context, status)

    def _page(
        self,
        request: HttpRequest,
        name: str,
        title: str,
        page_context: dict[str, Any],
        status: int = 200,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            **page_context,
        }
        return TemplateResponse(
            request, f"admin/imports/importjob/{name}.html", context, status=status
        )


def _banks(request: HttpRequest) -> QuerySet[Bank]:
    return editable_by(request.user)
