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
from quizzes.instructor.questions.form_data import Authored
from quizzes.instructor.questions.form_mapping import read, write
from quizzes.instructor.questions.question_formset import Sheet, drawn, received
from quizzes.instructor.questions.row_names import christened, is_new, numbered, settled
from quizzes.instructor.translated_field import languages


@dataclass
class Desk:
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
        names = languages(*self.item.words, *self.item.feedback)
        source = self.item.source_language
        return {source: names.get(source, source)} | names

    def _banks(self) -> QuerySet[Bank] | None:
        """Return the banks that a new question may be put into."""
        return access.editable_by(self.request.user) if self.question is None else None

    def _shown(self, authored: Authored, more: Mapping[str, Any]) -> Sheet:
        return drawn(authored, more, languages=self.languages, banks=self._banks())

    def sheet(self) -> Sheet:
        """Return the sheet of the draft as it stands."""
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        bank = self.request.GET.get("bank")
        more = {"revision": self.revision, "tags": ", ".join(tags), "bank": bank}
        return self._shown(read(self.item, self.names), more)

    def sent(self, data: Mapping[str, Any]) -> Sheet:
        """Return the sheet that was sent, of the kind that its page was drawn for."""
        posted_kind = str(data.get("q-drawn") or data.get("q-kind") or "")
        kind = posted_kind if posted_kind in KINDS else self.item.kind
        sheet = received(kind, data, languages=self.languages, banks=self._banks())
        if "_kind" in data:
            sheet.form.need_no_name()
        return sheet

    def redrawn(self, sheet: Sheet) -> Sheet:
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
        authored = replace(read(turned, names | self.names), fresh=sheet.form.fresh())
        unchanged = {
            name: data[name] for name in ("revision", "bank", "name", "note") if name in data
        }
        return self._shown(
            settled(authored, kind.shape, numbered(authored)),
            unchanged | {"tags": ", ".join(data["tags"])},
        )

    def accepted(self, sheet: Sheet) -> Authored:
        """Return what was sent; an id that is not of a row of this question: refused."""
        authored = sheet.authored()
        ids = [row.id for row in authored.rows()]
        existing = {id_ for id_ in ids if not is_new(id_)}
        if len(set(ids)) < len(ids) or not existing <= set(self.names):
            raise BadRequest("a row that is not of this question")
        return authored

    def christened(self, sheet: Sheet) -> Authored:
        """Return what was sent, each new row with the short name that it would have."""
        return christened(self.accepted(sheet), sheet.shape, self.names)

    def written(self, sheet: Sheet) -> QuestionDocument:
        """Return the item that was sent, new rows by what they are called until they have ids."""
        return write(self.christened(sheet), self.item)
