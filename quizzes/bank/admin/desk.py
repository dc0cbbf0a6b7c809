"""One question before one author: its draft as a sheet, and what was sent as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest

from grading.kinds import KINDS
from quizzes.bank import access
from quizzes.bank.admin.authored import Authored
from quizzes.bank.admin.drafting import read, write
from quizzes.bank.admin.naming import christened, is_new, numbered, settled
from quizzes.bank.admin.sheets import Sheet, drawn, received
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item
from quizzes.bank.models import Bank, Draft, Question


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
        asked = {"kind": self.request.GET.get("kind", "")}
        self.item = Item.from_json(draft.data if draft else asked)
        self.revision = draft.revision if draft else None
        options = [] if self.question is None else self.question.options.all()
        self.names = {str(option.uuid): option.name for option in options}

    @property
    def languages(self) -> dict[str, str]:
        """The languages to write in, the source first."""
        found = languages(*self.item.words, *self.item.feedback)
        source = self.item.source_language
        return {source: found.get(source, source)} | found

    def _banks(self) -> QuerySet[Bank] | None:
        """Give the banks that a new question may be put into."""
        return access.editable_by(self.request.user) if self.question is None else None

    def _shown(self, shown: Authored, more: Mapping[str, Any]) -> Sheet:
        return drawn(shown, more, languages=self.languages, banks=self._banks())

    def sheet(self) -> Sheet:
        """Give the sheet of the draft as it stands."""
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        bank = self.request.GET.get("bank")
        more = {"revision": self.revision, "tags": ", ".join(tags), "bank": bank}
        return self._shown(read(self.item, self.names), more)

    def sent(self, data: Mapping[str, Any]) -> Sheet:
        """Give the sheet that was sent, of the kind that its page was drawn for."""
        said = str(data.get("q-drawn") or data.get("q-kind") or "")
        kind = said if said in KINDS else self.item.kind
        made = received(kind, data, languages=self.languages, banks=self._banks())
        if "_kind" in data:
            made.form.need_no_name()
        return made

    def redrawn(self, sheet: Sheet) -> Sheet:
        """Give a sheet that was sent as one of the kind that was chosen on it.

        What both kinds have, by the same names, is on it as it was typed.
        """
        data = sheet.form.cleaned_data
        typed = self.written(sheet)
        kind = KINDS[data["kind"]]
        scheme = typed.scheme if typed.scheme in kind.schemes else ""
        turned = replace(typed, kind=data["kind"], scheme=scheme)
        names = {row.id: row.name for row in sheet.authored().rows()}
        shown = replace(read(turned, names | self.names), fresh=sheet.form.fresh())
        kept = {name: data[name] for name in ("revision", "bank", "name", "note") if name in data}
        return self._shown(
            settled(shown, kind.shape, numbered(shown)),
            kept | {"tags": ", ".join(data["tags"])},
        )

    def accepted(self, sheet: Sheet) -> Authored:
        """Give what was sent; an id that is not of a row of this question: refused."""
        authored = sheet.authored()
        ids = [row.id for row in authored.rows()]
        known = {id_ for id_ in ids if not is_new(id_)}
        if len(set(ids)) < len(ids) or not known <= set(self.names):
            raise BadRequest("a row that is not of this question")
        return authored

    def christened(self, sheet: Sheet) -> Authored:
        """Give what was sent, each new row with the short name that it would have."""
        return christened(self.accepted(sheet), sheet.shape, self.names)

    def written(self, sheet: Sheet) -> Item:
        """Give the item that was sent, new rows by what they are called until they have ids."""
        return write(self.christened(sheet), self.item)
