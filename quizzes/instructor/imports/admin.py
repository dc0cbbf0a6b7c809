"""The pages of imports: upload, preview, report."""

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
from quizzes.bank.access import editable_by
from quizzes.bank.models import Bank
from quizzes.imports import access, import_reading, job_files, jobs, report_format, selection, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.imports.parse import MAX_UPLOAD_BYTES
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.imports import preview_page, report_page, sheet_template
from quizzes.instructor.imports.upload_form import UploadForm
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.file_response import ranged_file_response
from quizzes.lib.filetypes import KINDS
from quizzes.lib.upload_handlers import allow_uploads, is_too_large

CHANGED = 409
FIRST = preview_page.View()


@admin.register(ImportJob)
class ImportJobAdmin(ModelAdmin):
    """Files on their way into banks."""

    list_display = ("filename", "bank", "format", "state", "total", "by", "created_at")
    list_select_related = ("bank", "by")

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_visible_to(person)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[ImportJob]:
        """Ask the access module."""
        return access.imports_visible_to(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Let those who may change a bank send files to it."""
        return editable_by(person).exists()

    def get_urls(self) -> list[URLPattern]:
        """Add sending with a file, and choosing and cancelling."""
        guard = self.admin_site.admin_view
        own = [
            # Exempt: the token is in the body, and the page looks for it once it knows the sender.
            path("add/", guard(csrf_exempt(self.upload_view)), name="imports_importjob_add"),
            path("<int:pk>/commit/", guard(self.commit_view), name="imports_importjob_commit"),
            path("<int:pk>/choose/", guard(self.choose_view), name="imports_importjob_choose"),
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
                {"ending": extension},
                name=f"imports_importjob_{extension}",
            )
            for extension in sheet_template.TEMPLATE_WRITERS
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
        allow_uploads(request)
        protected: HttpResponse = csrf_protect(self._received)(request)
        return protected

    def template_view(self, request: HttpRequest, ending: str) -> HttpResponse:
        """Give the sheet to begin with."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return sheet_template.answer(ending, get_language() or "en")

    def _received(self, request: HttpRequest) -> HttpResponse:
        form = UploadForm(request.POST, request.FILES, banks=_banks(request))
        if not form.is_valid():
            return self._form(request, form, status=422)
        sent, author = form.cleaned_data["file"], request.user
        try:
            receive = import_reading.take if sent.size > import_reading.LIGHT else jobs.receive
            job = receive(
                bank=form.cleaned_data["bank"],
                data=sent.read(MAX_UPLOAD_BYTES + 1),
                filename=str(sent.name or ""),
                format_=form.cleaned_data["format"],
                language=form.cleaned_data["language"],
                by=author if author.is_authenticated else None,
            )
        except Invalid as error:
            troubles = [str(file_error) for file_error in error.detail.get("troubles", ())]
            return self._form(
                request, form, [report_format.refusal_message(error), *troubles], status=422
            )
        self._goes_on(job.pk)
        return self._job(job.pk)

    def job_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what would be done, how far it is, or what was done."""
        job = self._found(request, pk)
        if job.state == State.READY:
            return self._preview(request, job)
        more = report_page.report(job, request.GET.get("page", ""))
        return self._page(request, "report", str(job), more)

    def _preview(self, request: HttpRequest, job: ImportJob, status: int = 200) -> HttpResponse:
        view = preview_page.View.read(request.META.get("QUERY_STRING", ""))
        more = preview_page.preview(job, import_reading.load_plan(job), view)
        more["changed"] = status == CHANGED or "code" in job.report
        title = _("Import into %(bank)s") % {"bank": job.bank}
        return self._page(request, "preview", title, more, status)

    @method_decorator(require_POST)
    def choose_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Keep what was ticked on a page, and go on to another."""
        job = self._found(request, pk)
        try:
            preview_page.keep(job, request.POST)
            preview_page.act(job, request.POST)
        except Conflict:
            return self._job(pk)
        self._goes_on(pk)
        view = preview_page.View.read(request.POST.get("go", request.POST.get("here", "")))
        return self._job(pk, view)

    @method_decorator(require_POST)
    def commit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Bring in what is chosen, on this page and all others; small files at once."""
        job = self._found(request, pk)
        if job.state != State.READY:
            return self._job(pk)
        plan = import_reading.load_plan(job)
        if request.POST.get("digest") != plan.digest:
            return self._preview(request, job, status=CHANGED)
        try:
            preview_page.keep(job, request.POST)
            job.refresh_from_db()
            chosen = selection.selected_items(job, plan)
            jobs.confirm_selection(job=job, selected=chosen)
        except Conflict:
            return self._job(pk)
        self.log_change(request, job.bank, f"file {job.uuid} imported")
        if job.total <= jobs.INLINE_MAX_ITEMS:
            jobs.run(pk=pk, now=clock.now())
        else:
            tasks.soon(tasks.run_import, pk)
        job.refresh_from_db(fields=["state"])
        if job.state != State.READY:
            sentence = ngettext(
                "%(n)s question was chosen.", "%(n)s questions were chosen.", len(chosen)
            )
            messages.success(request, sentence % {"n": len(chosen)})
        return self._job(pk)

    @method_decorator(require_POST)
    def cancel_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Cancel an import that is not over."""
        jobs.cancel(job=self._found(request, pk), now=clock.now())
        return self._job(pk)

    def picture_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
        """Send a picture that the file brought and the bank does not have yet."""
        job = self._found(request, pk)
        if job.state != State.READY or name not in import_reading.load_plan(job).media:
            raise Http404
        media_type = KINDS[name.rpartition(".")[2]].media_type
        return ranged_file_response(
            request, job_files.picture_path(job.uuid, name), name, media_type
        )

    def _goes_on(self, pk: int) -> None:
        """Have a file read that is to be read without anybody waiting."""
        if ImportJob.objects.filter(pk=pk, state=State.READING).exists():
            tasks.soon(tasks.read_import, pk)

    def _job(self, pk: int, view: preview_page.View = FIRST) -> HttpResponse:
        address = reverse("admin:imports_importjob_change", args=[pk])
        return redirect(f"{address}?{view.address}" if view.address else address)

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
            request, f"admin/imports/importjob/{name}.html", context, status=status
        )


def _banks(request: HttpRequest) -> QuerySet[Bank]:
    return editable_by(request.user)
