"""One question before one author: its draft as a sheet, and what was sent as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest

from grading.kinds import KINDS
from quizzes.bank import access
from quizzes.bank.models import Bank, Draft, Question
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.form_data import QuestionFormData
from quizzes.instructor.questions.form_mapping import document_to_form, form_to_document
from quizzes.instructor.questions.question_formset import (
    QuestionFormSet,
    bind_formset,
    build_formset,
)
from quizzes.instructor.questions.row_names import (
    assign_row_names,
    is_temporary_id,
    renumber_temporary_ids,
    resolve_row_ids,
)
from quizzes.instructor.translated_field import language_names


@dataclass
class QuestionEditor:
    """One question before one author. Without a question: one that is about to be made."""

    request: HttpRequest
    question: Question | None = None
    item: QuestionDocument = field(init=False)
    revision: int | None = field(init=False, default=None)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        draft = None if self.question is None else Draft.objects.get(question=self.question)
        requested = {"kind": self.request.GET.get("kind", "")}
        self.item = QuestionDocument.from_json(draft.data if draft else requested)
        self.revision = draft.revision if draft else None
        options = [] if self.question is None else self.question.options.all()
        self.names = {str(option.uuid): option.name for option in options}

    @property
    def languages(self) -> dict[str, str]:
        """The languages to write in, the source first."""
        names = language_names(*self.item.words, *self.item.feedback)
        source = self.item.source_language
        return {source: names.get(source, source)} | names

    def _banks(self) -> QuerySet[Bank] | None:
        """Return the banks that a new question may be put into."""
        return access.editable_by(self.request.user) if self.question is None else None

    def _shown(self, authored: QuestionFormData, more: Mapping[str, Any]) -> QuestionFormSet:
        return build_formset(authored, more, languages=self.languages, banks=self._banks())

    def sheet(self) -> QuestionFormSet:
        """Return the sheet of the draft as it stands."""
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        bank = self.request.GET.get("bank")
        more = {"revision": self.revision, "tags": ", ".join(tags), "bank": bank}
        return self._shown(document_to_form(self.item, self.names), more)

    def sent(self, data: Mapping[str, Any]) -> QuestionFormSet:
        """Return the sheet that was sent, of the kind that its page was drawn for."""
        posted_kind = str(data.get("q-drawn") or data.get("q-kind") or "")
        kind = posted_kind if posted_kind in KINDS else self.item.kind
        sheet = bind_formset(kind, data, languages=self.languages, banks=self._banks())
        if "_kind" in data:
            sheet.form.need_no_name()
        return sheet

    def redrawn(self, sheet: QuestionFormSet) -> QuestionFormSet:
        """Return a sheet that was sent as one of the kind that was chosen on it.

        What both kinds have, by the same names, is on it as it was typed.
        """
        data = sheet.form.cleaned_data
        typed = self.written(sheet)
        kind = KINDS[data["kind"]]
        scoring_method = (
            typed.scoring_method if typed.scoring_method in kind.scoring_methods else ""
        )
        turned = replace(typed, kind=data["kind"], scoring_method=scoring_method)
        names = {row.id: row.name for row in sheet.authored().rows()}
        authored = replace(document_to_form(turned, names | self.names), fresh=sheet.form.fresh())
        unchanged = {
            name: data[name] for name in ("revision", "bank", "name", "note") if name in data
        }
        return self._shown(
            resolve_row_ids(authored, kind.shape, renumber_temporary_ids(authored)),
            unchanged | {"tags": ", ".join(data["tags"])},
        )

    def accepted(self, sheet: QuestionFormSet) -> QuestionFormData:
        """Return what was sent; an id that is not of a row of this question: refused."""
        authored = sheet.authored()
        ids = [row.id for row in authored.rows()]
        existing = {id_ for id_ in ids if not is_temporary_id(id_)}
        if len(set(ids)) < len(ids) or not existing <= set(self.names):
            raise BadRequest("a row that is not of this question")
        return authored

    def christened(self, sheet: QuestionFormSet) -> QuestionFormData:
        """Return what was sent, each new row with the short name that it would have."""
        return assign_row_names(self.accepted(sheet), sheet.shape, self.names)

    def written(self, sheet: QuestionFormSet) -> QuestionDocument:
        """Return the item that was sent, new rows by what they are called until they have ids."""
        return form_to_document(self.christened(sheet), self.item)
