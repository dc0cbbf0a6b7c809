"""One request of one author: the draft as forms, and posted forms as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from grading.kinds import KINDS
from quizzes.bank import access
from quizzes.bank.models import Bank, Draft, Question
from quizzes.bank.row_ids import are_free_row_ids
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.form_data import QuestionFormData
from quizzes.instructor.questions.form_mapping import document_to_form, form_to_document
from quizzes.instructor.questions.new_document import begin_document
from quizzes.instructor.questions.new_rows import complete_new_rows
from quizzes.instructor.questions.question_formset import (
    QuestionFormSet,
    bind_formset,
    build_formset,
)
from quizzes.instructor.translated_field import language_names


@dataclass
class QuestionEditor:
    """A question and its author's request. Without a question: a new one."""

    request: HttpRequest
    question: Question | None = None
    document: QuestionDocument = field(init=False)
    revision: int | None = field(init=False, default=None)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        draft = None if self.question is None else Draft.objects.get(question=self.question)
        self.document = (
            QuestionDocument.from_json(draft.data)
            if draft
            else begin_document(self.request.GET.get("kind", ""))
        )
        self.revision = draft.revision if draft else None
        options = [] if self.question is None else self.question.options.all()
        self.names = {str(option.uuid): option.name for option in options}

    @property
    def languages(self) -> dict[str, str]:
        """The languages to write in, the source first."""
        names = language_names(*self.document.words, *self.document.feedback)
        source = self.document.source_language
        return {source: names.get(source, source)} | names

    @property
    def requested_bank(self) -> str:
        """The bank that a new question is for: as the address says, or the filters of the list."""
        filters = QueryDict(self.request.GET.get("_changelist_filters", ""))
        return self.request.GET.get("bank") or filters.get("bank", "")

    def _list_banks(self) -> QuerySet[Bank] | None:
        """Return the banks that a new question may be put into."""
        return access.editable_by(self.request.user) if self.question is None else None

    def _build_formset(
        self, form_data: QuestionFormData, more: Mapping[str, Any]
    ) -> QuestionFormSet:
        return build_formset(form_data, more, languages=self.languages, banks=self._list_banks())

    def draft_formset(self) -> QuestionFormSet:
        """Return the forms of the saved draft."""
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        more = {
            "revision": self.revision,
            "tags": ", ".join(tags),
            "bank": self.requested_bank or None,
        }
        return self._build_formset(document_to_form(self.document, self.names), more)

    def bind(self, data: Mapping[str, Any]) -> QuestionFormSet:
        """Return the posted forms, of the kind that their page was rendered for."""
        posted_kind = str(data.get("q-rendered_kind") or data.get("q-kind") or "")
        kind = posted_kind if posted_kind in KINDS else self.document.kind
        formset = bind_formset(kind, data, languages=self.languages, banks=self._list_banks())
        if "_kind" in data:
            formset.form.make_name_optional()
        return formset

    def change_kind(self, formset: QuestionFormSet) -> QuestionFormSet:
        """Return posted forms as those of the kind that was chosen in them.

        What both kinds have, by the same names, stays as it was typed.
        """
        data = formset.form.cleaned_data
        typed = self._read_forms(formset)
        kind = KINDS[data["kind"]]
        converted = replace(
            form_to_document(typed, self.document),
            kind=data["kind"],
            scoring_method=typed.scoring_method
            if typed.scoring_method in kind.scoring_methods
            else "",
        )
        names = {row.id: row.name for row in typed.rows()}
        form_data = document_to_form(converted, names | self.names)
        unchanged = {
            name: data[name] for name in ("revision", "bank", "name", "note") if name in data
        }
        return self._build_formset(
            replace(form_data, up_to_date=typed.up_to_date),
            unchanged | {"tags": ", ".join(data["tags"])},
        )

    def _read_forms(self, formset: QuestionFormSet) -> QuestionFormData:
        """Return what was posted; refuse ids that are twice there or another question's."""
        form_data = formset.to_form_data(self.names)
        ids = [row.id for row in form_data.rows()]
        new_ids = set(ids) - self.names.keys()
        if len(set(ids)) < len(ids) or not are_free_row_ids(new_ids):
            raise BadRequest("a row that is not of this question")
        return form_data

    def parse(self, formset: QuestionFormSet) -> QuestionFormData:
        """Return what was posted, each new row with its short name."""
        return complete_new_rows(self._read_forms(formset), formset.schema, self.names)
