"""A draft as its learners will see it, in each language, and all that stands behind it.

How a kind is asked is the business of a door, above this floor: settings name the function that
draws it (QUESTION_DRAWER). Without one, and for a draft that it cannot draw, its parts are listed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from grading.shape import PROMPT, Holds, Table
from quizzes.bank.selectors import Paper, prompt_gaps, rendered
from quizzes.document import QuestionDocument
from quizzes.instructor.questions import field_labels
from quizzes.instructor.questions.field_labels import Saying
from quizzes.instructor.questions.field_values import asked
from quizzes.instructor.questions.form_data import Authored, Row, stem
from quizzes.instructor.questions.form_mapping import read
from quizzes.instructor.translated_field import languages, summary
from quizzes.lib.markup import MAX_CHARACTERS, render, render_with_gaps

NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Part:
    """A text in the words of the page, or a line about a row: what it is called, and its HTML."""

    label: Saying
    html: str
    is_feedback: bool = False


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row: its short name, its texts, and what its fields hold."""

    name: str
    texts: tuple[Part, ...]
    values: tuple[tuple[Saying, str], ...]

    @property
    def seen(self) -> tuple[Part, ...]:
        """What a learner reads of it."""
        return tuple(text for text in self.texts if not text.is_feedback)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """The rows of a table; `seen`: a learner sees them."""

    label: Saying
    rows: tuple[ShownRow, ...]
    seen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A question in one language: drawn as it is asked, else `drawn` is empty; and its parts."""

    code: str
    name: str
    prompt: str
    drawn: str
    texts: tuple[Part, ...]
    tables: tuple[ShownTable, ...]
    values: tuple[tuple[Saying, str], ...]

    @property
    def seen(self) -> tuple[ShownTable, ...]:
        """The tables whose rows a learner reads."""
        return tuple(table for table in self.tables if table.seen)


def preview(item: QuestionDocument, names: Mapping[str, str]) -> tuple[Shown, ...]:
    """Lay a draft out in each of its languages, whatever is wrong with it."""
    authored = read(item, names)
    return tuple(
        _shown(item, authored, names, code, slot) for slot, code in enumerate(item.languages)
    )


def _shown(
    item: QuestionDocument, authored: Authored, names: Mapping[str, str], code: str, slot: int
) -> Shown:
    shape = item.schema
    prompt = authored.texts.get(f"words_{PROMPT.name}", {}).get(code, "")[:MAX_CHARACTERS]
    row_labels = _known(authored, names, code)
    return Shown(
        code=code,
        name=languages(code)[code],
        prompt=render_with_gaps(prompt, prompt_gaps(item.kind, item.content)),
        drawn=_drawn(item, code, slot),
        texts=tuple(
            Part(field_labels.of_text(text).name, html, text.told)
            for text in shape.texts
            if text.name != PROMPT.name
            and (html := _html(authored.texts[stem(text)].get(code, "")))
        ),
        tables=tuple(
            ShownTable(
                field_labels.of_table(table).name,
                tuple(_row(table, row, row_labels, code) for row in authored.tables[table.name]),
                any(not text.told for text in table.texts),
            )
            for table in shape.tables
            if authored.tables[table.name]
        ),
        values=tuple(
            (
                field_labels.of_field(field).name,
                field_labels.in_words(field, authored.values[field.name], row_labels),
            )
            for field in shape.fields
        ),
    )


def _known(authored: Authored, names: Mapping[str, str], code: str) -> dict[str, str]:
    """Return what rows are known by where others name them: short name and first words."""
    row_labels = {}
    for row in authored.rows():
        texts = (summary(by_language.get(code), 40) for by_language in row.texts.values())
        words = (names.get(row.id, ""), next(filter(None, texts), ""))
        row_labels[row.id] = " · ".join(filter(None, words))
    return row_labels


def _row(table: Table, row: Row, row_labels: Mapping[str, str], code: str) -> ShownRow:
    texts = (
        Part(field_labels.of_row_text(text).name, html, text.told)
        for text in table.texts
        if (html := _html(row.texts[stem(text)].get(code, "")))
    )
    values = (
        (
            field_labels.of_field(field).name,
            field_labels.in_words(field, row.values[field.name], row_labels),
        )
        for field in asked(table)
        if field.holds != Holds.FLAG or row.values[field.name]
    )
    stands = field_labels.STANDS.get(row.stands, row.stands)
    name = " · ".join(filter(None, (row.name, str(stands))))
    return ShownRow(name, tuple(texts), tuple((label, text) for label, text in values if text))


def _html(text: str) -> str:
    """Render a text; of one that is too long, its beginning."""
    return render(text[:MAX_CHARACTERS], inline="\n" not in text.strip())


def _drawn(item: QuestionDocument, code: str, slot: int) -> str:
    """Let the door draw the question; what it cannot draw is listed instead."""
    drawer = getattr(settings, "QUESTION_DRAWER", "")
    if not drawer:
        return ""
    try:
        words = rendered(code, item.words.get(code, {}), prompt_gaps(item.kind, item.content))
        paper = Paper(
            uuid=NOBODY,
            version_id=0,
            kind=item.kind,
            scoring_method=item.scoring_method,
            content=item.content,
            source_language=code,
            renditions={code: words},
        )
        return str(import_string(drawer)(paper, code, slot))
    except (KeyError, ValueError):  # what any verb may raise of a draft that is not whole
        return ""
