"""One question before one author: its draft as a form and grids, and what was sent as a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from grading.kinds import KINDS
from grading.shape import Shape, Table
from quizzes.bank import access
from quizzes.bank.admin.controls import Choices
from quizzes.bank.admin.drafting import Authored, Row, read, write
from quizzes.bank.admin.forms import QuestionForm
from quizzes.bank.admin.grids import Grid, grid
from quizzes.bank.admin.labels import of_table
from quizzes.bank.admin.naming import christened, is_new, numbered, settled, themselves
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item
from quizzes.bank.models import Draft, Question

BLANK_LINES = 2
BLANK_AT_FIRST = 4


@dataclass(frozen=True, slots=True)
class Sheet:
    """The form of a question and the grids of its tables, as shown or as sent."""

    kind: str
    form: QuestionForm
    grids: Mapping[str, Grid]

    @property
    def shape(self) -> Shape:
        """What the sheet was drawn for."""
        return self.form.shape

    def is_valid(self) -> bool:
        """Whether all of it can be kept, whatever else is wrong with it; looks at every part."""
        return all([self.form.is_valid(), *(one.is_valid() for one in self.grids.values())])

    def offer(self, names: Mapping[str, str], language: str) -> dict[str, Choices]:
        """Let fields that name rows offer the lines there are; give those, table → choices."""
        rows = {name: one.choices(names, language) for name, one in self.grids.items()}
        for one in self.grids.values():
            for form in one.forms:
                form.offer(rows)
        return rows

    def authored(self) -> Authored:
        """Give what was sent as values, by the kind that the page was drawn for."""
        data = self.form.cleaned_data
        kind = KINDS.get(self.kind)
        sent = Authored(
            kind=self.kind,
            scheme=data["scheme"] or (kind.schemes[0] if kind else ""),
            source_language=data["source_language"],
            languages=tuple(self.form.languages),
            values=self.form.values(),
            texts=self.form.texts(),
            tables={name: one.rows() for name, one in self.grids.items()},
            fresh=self.form.fresh(),
        )
        return settled(sent, self.shape, themselves(row.id for row in sent.rows()))


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

    def sheet(self) -> Sheet:
        """Give the sheet of the draft as it stands."""
        tags = [] if self.question is None else self.question.tags.values_list("name", flat=True)
        bank = self.request.GET.get("bank")
        more = {"revision": self.revision, "tags": ", ".join(tags), "bank": bank}
        return self._shown(read(self.item, self.names), more)

    def sent(self, data: Mapping[str, Any]) -> Sheet:
        """Give the sheet that was sent, of the kind that its page was drawn for."""
        wanted = (data.get("q-drawn"), data.get("q-kind"))
        kind = next((str(name) for name in wanted if name in KINDS), self.item.kind)
        form = self._form(kind, data=data)
        grids = {table.name: grid(table, self.languages, data=data) for table in form.shape.tables}
        made = Sheet(kind, form, grids)
        made.offer(self.names, self.item.source_language)
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

    def _form(self, kind: str, **given: Any) -> QuestionForm:
        banks = access.editable_by(self.request.user) if self.question is None else None
        return QuestionForm(kind=kind, languages=self.languages, banks=banks, prefix="q", **given)

    def _shown(self, shown: Authored, more: Mapping[str, Any]) -> Sheet:
        form = self._form(shown.kind, initial={**_initial(shown), **more})
        grids = {
            table.name: grid(
                table,
                self.languages,
                rows=_lines(table, shown.tables.get(table.name, ())),
                blank=_blank(table, n, shown),
            )
            for n, table in enumerate(form.shape.tables)
        }
        made = Sheet(shown.kind, form, grids)
        made.offer(self.names, self.item.source_language)
        return made


def _blank(table: Table, place: int, shown: Authored) -> int:
    """Say how many blank lines a grid has: most at first, and where a question begins."""
    if table.fixed:
        return 0
    if place or of_table(table).aside:
        return 1 if of_table(table).aside or shown.tables.get(table.name) else BLANK_LINES
    return BLANK_LINES if any(shown.tables.values()) else BLANK_AT_FIRST


def _initial(shown: Authored) -> dict[str, Any]:
    texts = {
        f"{stem}_{code}": text
        for stem, by_language in shown.texts.items()
        for code, text in by_language.items()
    }
    return {
        **texts,
        **{f"field_{name}": value for name, value in shown.values.items()},
        **{f"fresh_{code}": True for code in shown.fresh},
        "drawn": shown.kind,
        "kind": shown.kind,
        "scheme": shown.scheme,
        "source_language": shown.source_language,
    }


def _lines(table: Table, rows: Any) -> list[dict[str, Any]]:
    """Lay rows out, and those that must be there and are not yet."""
    there = {row.stands for row in rows}
    missing = [Row(name=name, stands=name) for name in table.fixed if name not in there]
    return [_line(row, n) for n, row in enumerate((*rows, *missing), start=1)]


def _line(row: Row, position: int) -> dict[str, Any]:
    texts = {
        f"{stem}_{code}": text
        for stem, by_language in row.texts.items()
        for code, text in by_language.items()
    }
    return {
        **texts,
        **{f"field_{name}": value for name, value in row.values.items()},
        "id": "" if is_new(row.id) else row.id,
        "order": position,
        "name": row.name,
        "stands": row.stands,
    }
