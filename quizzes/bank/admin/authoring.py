"""Writing a question: shows the draft, keeps what is sent whatever is wrong with it, publishes."""

from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.kinds import KINDS
from quizzes.bank import access, services
from quizzes.bank.admin.differences import Difference, between
from quizzes.bank.admin.drafting import Row, read, write
from quizzes.bank.admin.forms import OptionForms, QuestionForm, named, ordered
from quizzes.bank.admin.page import lay_out
from quizzes.bank.admin.sayings import notes
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item
from quizzes.bank.models import Draft, Question
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid

BLANK_ROWS = 2
BLANK_AT_FIRST = 4
KEPT = "draft"


@dataclass
class Desk:
    """One question before one author. Without a question: one that is about to be made."""

    request: HttpRequest
    question: Question | None = None
    item: Item = field(init=False)
    revision: int | None = field(init=False, default=None)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        draft = None if self.question is None else Draft.objects.get(question=self.question)
        self.item = Item.from_json(draft.data if draft else {})
        self.revision = draft.revision if draft else None
        options = [] if self.question is None else self.question.options.all()
        self.names = {str(option.uuid): option.name for option in options}

    @property
    def languages(self) -> dict[str, str]:
        """The languages to write in, the source first."""
        found = languages(*self.item.words)
        source = self.item.source_language
        return {source: found.get(source, source)} | found

    def form(self, data: Any = None) -> QuestionForm:
        """Give the form, filled from the draft or from what was sent."""
        banks = access.editable_by(self.request.user) if self.question is None else None
        return QuestionForm(
            data, languages=self.languages, banks=banks, initial=self._initial(), prefix="q"
        )

    def options(self, data: Any = None) -> Any:
        """Give the grid, filled likewise."""
        forms = OptionForms(
            data,
            prefix="options",
            initial=self._rows(),
            form_kwargs={"languages": self.languages},
        )
        forms.extra = BLANK_ROWS if self.names else BLANK_AT_FIRST
        return forms

    def _initial(self) -> dict[str, Any]:
        shown = read(self.item, self.names)
        texts = {f"prompt_{code}": text for code, text in shown.prompt.items()}
        texts |= {f"explanation_{code}": text for code, text in shown.explanation.items()}
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        return texts | {
            "revision": self.revision,
            "kind": shown.kind,
            "scheme": shown.scheme,
            "source_language": shown.source_language,
            "shuffle": shown.shuffle,
            "none_apply": shown.none_apply,
            "tags": ", ".join(tags),
            "bank": self.request.GET.get("bank"),
        }

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "id": row.id,
                "order": position,
                "name": row.name,
                "right": row.right,
                "pinned": row.pinned,
                "weight": row.weight,
                **{f"text_{code}": text for code, text in row.text.items()},
                **{f"feedback_{code}": text for code, text in row.feedback.items()},
            }
            for position, row in enumerate(read(self.item, self.names).rows, start=1)
        ]

    def written(self, form: QuestionForm, rows: list[Row]) -> Item:
        """Give the item that was sent; every row must have its id by now."""
        kind = KINDS[form.cleaned_data["kind"]]
        return write(form.authored(rows, kind.schemes[0]), self.item)

    def sent_rows(self, options: Any) -> list[Row]:
        """Give the rows that were sent, in order; an id that is not of this question: refused."""
        rows = ordered(options.kept())
        ids = [row.id for row in rows if row.id]
        if len(set(ids)) < len(ids) or not set(ids) <= set(self.names):
            raise BadRequest("an option that is not of this question")
        return rows


def author(admin: Any, request: HttpRequest, question: Question | None) -> HttpResponse:
    """Answer the authoring page's address."""
    desk = Desk(request, question)
    if request.method != "POST":
        return show(admin, desk)
    may = admin.has_change_permission(request, question) if question else True
    if not may or (question is None and not admin.has_add_permission(request)):
        raise PermissionDenied
    form, options = desk.form(request.POST), desk.options(request.POST)
    if not (form.is_valid() and options.is_valid()):
        return show(admin, desk, form, options, status=422)
    rows = desk.sent_rows(options)
    try:
        saved, version = _save(desk, form, rows, publish="_publish" in request.POST)
    except Conflict as clash:
        return _clashed(admin, desk, form, options, rows=rows, reason=clash)
    _tell(admin, desk, saved, version, made=question is None)
    return redirect("admin:bank_question_change", saved.pk)


@transaction.atomic
def _save(
    desk: Desk, form: QuestionForm, rows: list[Row], *, publish: bool
) -> tuple[Question, Any]:
    """Keep the draft and, if asked to, publish just that; problems leave it a draft."""
    author = desk.request.user
    if not author.is_authenticated:
        raise PermissionDenied
    data = form.cleaned_data
    question, revision = desk.question, data["revision"] or 0
    if question is None:
        empty = Item(kind=data["kind"], scheme="", source_language=data["source_language"])
        question = services.add_question(
            bank=data["bank"], name=data["name"], item=empty, by=author
        )
        revision = 1
    elif not Draft.objects.select_for_update().filter(question=question, revision=revision):
        raise Conflict("draft_changed", question=question.name)
    rows = _with_ids(question, rows, desk.names)
    item = desk.written(form, rows)
    services.revise(question=question, item=item, revision=revision, by=author)
    services.set_tags(question=question, names=data["tags"])
    if not publish:
        return question, KEPT
    try:
        version = services.publish(question=question, by=author, now=clock.now(), note=data["note"])
    except Invalid:
        return question, None
    return question, version


def _with_ids(question: Question, rows: list[Row], names: dict[str, str]) -> list[Row]:
    chosen = named(rows, names)
    ids = services.option_ids(question=question, names=chosen.values())
    return [
        replace(row, id=ids[chosen[position]], name=chosen[position]) if position in chosen else row
        for position, row in enumerate(rows)
    ]


def _tell(admin: Any, desk: Desk, question: Question, version: Any, *, made: bool) -> None:
    """Say what became of it, here and in the log."""
    request = desk.request
    log = admin.log_addition if made else admin.log_change
    saved = Item.from_json(Draft.objects.get(question=question).data)
    blocking = sum(note.blocks for note in notes(saved))
    if version is None:
        log(request, question, "draft")
        messages.error(request, _("The draft is saved, but not published. ") + _count(blocking))
    elif version is KEPT:
        log(request, question, "draft")
        messages.success(request, _("The draft is saved. ") + _count(blocking))
    else:
        log(request, question, f"published as version {version.number}")
        messages.success(
            request,
            _(
                "Version %(number)s is published. Quizzes ask it once they are published again; "
                "attempts that are open keep the version they began with."
            )
            % {"number": version.number},
        )


def _count(blocking: int) -> str:
    if not blocking:
        return _("It can be published.")
    return ngettext(
        "%(n)s problem keeps it from being published; it is named below.",
        "%(n)s problems keep it from being published; they are named below.",
        blocking,
    ) % {"n": blocking}


def _clashed(  # noqa: PLR0913  what a page is made of
    admin: Any,
    desk: Desk,
    form: QuestionForm,
    options: Any,
    *,
    rows: list[Row],
    reason: Conflict,
) -> HttpResponse:
    """Show both: what the author wrote stays in the form, what stands is listed beside it."""
    if reason.code == "name_taken":
        form.add_error("name", _("There is a question of this name in the bank."))
        return show(admin, desk, form, options, status=422)
    mine = desk.written(form, unsaved(rows))
    chosen = named(rows, desk.names)
    names = desk.names | {unsaved(rows)[place].id: name for place, name in chosen.items()}
    shown = desk.request.POST.copy()
    shown["q-revision"] = str(desk.revision)  # saving again is then an answer to what is shown
    again = desk.form(shown)
    again.is_valid()
    found = between(desk.item, mine, names)
    draft = Draft.objects.select_related("updated_by").get(question=desk.question)
    return show(admin, desk, again, options, clash=found, saved=draft, status=409)


def unsaved(rows: list[Row]) -> list[Row]:
    """Give rows that are not kept ids of their own for as long as they are shown."""
    return [row if row.id else replace(row, id=f"new-{n}") for n, row in enumerate(rows)]


def show(  # noqa: PLR0913  what a page is made of
    admin: Any,
    desk: Desk,
    form: QuestionForm | None = None,
    options: Any = None,
    *,
    clash: tuple[Difference, ...] = (),
    saved: Draft | None = None,
    status: int = 200,
) -> HttpResponse:
    """Draw the page."""
    request, question = desk.request, desk.question
    told = notes(desk.item) if question else ()
    form, options = form or desk.form(), options or desk.options()
    page = lay_out(form, options, desk.item, desk.names, told)
    context = {
        **admin.admin_site.each_context(request),
        "title": _("Question") if question is None else question.name,
        "opts": admin.opts,
        "original": question,
        "desk": desk,
        "page": page,
        "clash": clash,
        "saved": saved,
        "may_edit": question is None or admin.has_change_permission(request, question),
        "schemes": {name: " ".join(kind.schemes) for name, kind in KINDS.items()},
        "section": "edit",
    }
    return TemplateResponse(request, "admin/bank/question/author.html", context, status=status)
