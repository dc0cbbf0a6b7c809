"""A question of any kind laid out on a sheet, sent as a browser would, is read as it was."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from grading.schema import Field, FieldType, QuestionData, QuestionRow, Table
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.form_mapping import document_to_form, form_to_document
from quizzes.instructor.questions.question_formset import (
    QuestionFormSet,
    bind_formset,
    build_formset,
)

LANGUAGES = {"en": "English", "es": "Español"}
LINES = st.text(alphabet="abc*[] ñ1/2.,", min_size=1, max_size=8).map(str.strip).filter(bool)
RATIOS = st.tuples(st.integers(-20, 20), st.integers(1, 20)).map(list)


def values(field: Field, ids: list[str]) -> st.SearchStrategy[Any]:
    if field.type == FieldType.ROW:
        return st.sampled_from(ids) if ids else st.none()
    if field.type == FieldType.ROWS:
        return st.lists(st.sampled_from(ids), unique=True).map(sorted) if ids else st.just([])
    return {
        FieldType.FLAG: st.booleans(),
        FieldType.RATIO: RATIOS.filter(lambda ratio: lowest(ratio) == ratio),
        FieldType.COUNT: st.integers(0, 500),
        FieldType.LINE: LINES,
        FieldType.CHOICE: st.sampled_from(field.choices or ("",)),
    }[field.type]


def lowest(ratio: list[int]) -> list[int]:
    numerator, denominator = ratio
    factor = next(n for n in range(denominator, 0, -1) if not (numerator % n or denominator % n))
    return [numerator // factor, denominator // factor]


@st.composite
def layouts(draw: Any, kind: str) -> QuestionData:
    schema = KINDS[kind].schema
    ids: dict[str, list[str]] = {}
    for table in schema.tables:
        count = len(table.fixed_rows) or draw(st.integers(0, 3))
        ids[table.name] = [f"{table.name}{n}" for n in range(count)]
    return QuestionData(
        {field.name: draw(values(field, [])) for field in schema.fields},
        {
            table.name: [draw(rows(table, id_, ids)) for id_ in ids[table.name]]
            for table in schema.tables
        },
    )


@st.composite
def rows(draw: Any, table: Table, id_: str, ids: Mapping[str, list[str]]) -> QuestionRow:
    fields = {
        row_field.name: draw(
            values(row_field, ids.get(row_field.choices[0], []) if row_field.choices else [])
        )
        for row_field in table.row_fields
    }
    fixed = list(table.fixed_rows.values())
    return QuestionRow(id_, fields | dict(fixed[ids[table.name].index(id_)] if fixed else {}))


def as_browsers_send(sheet: QuestionFormSet) -> dict[str, Any]:
    """Give what a browser would send of this sheet, untouched."""
    forms: list[Any] = [sheet.form]
    for grid in sheet.row_formsets.values():
        forms += [grid.management_form, *grid.forms]
    fields: dict[str, Any] = {}
    for form in forms:
        for bound in form:
            value = bound.value()
            if value is True:
                fields[bound.html_name] = "on"
            elif isinstance(value, list | tuple):
                fields[bound.html_name] = list(value)
            elif value is not None and value is not False:
                fields[bound.html_name] = str(value).replace("\n", "\r\n")
    return fields


class Posted(dict[str, Any]):
    """What a request gives: a value, or several of one name."""

    def getlist(self, name: str) -> list[Any]:
        return list(self.get(name, []))


def round_trip(item: QuestionDocument) -> QuestionDocument:
    """Draw an item, send it back, and write it upon nothing but its languages."""
    page = build_formset(document_to_form(item, {}), {}, languages=LANGUAGES, banks=None)
    sheet = bind_formset(item.kind, Posted(as_browsers_send(page)), languages=LANGUAGES, banks=None)
    assert sheet.is_valid(), (
        sheet.form.errors,
        [grid.errors for grid in sheet.row_formsets.values()],
    )
    form_data = sheet.to_form_data(item.row_ids)
    return form_to_document(form_data, QuestionDocument(item.kind, item.scoring_method))


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data())
def test_a_layout_comes_back_from_its_page(kind, data):
    schema = KINDS[kind].schema
    content, key = schema.dump(data.draw(layouts(kind)))
    loaded = schema.load(content, key)
    words: dict[str, dict[str, Any]] = {
        code: {text.name: f"{text.name}\n{code}" for text in schema.texts if not text.is_feedback}
        for code in LANGUAGES
    }
    for table in schema.tables:
        for text in table.texts:
            for code, of_language in words.items():
                if not text.is_feedback and loaded.tables[table.name]:
                    of_language[text.name] = {
                        row.id: f" {row.id} {code}" for row in loaded.tables[table.name]
                    }
    item = QuestionDocument(
        kind, KINDS[kind].scoring_methods[0], content=content, key=key, words=words
    )
    document = round_trip(item)
    assert schema.load(document.content, document.key) == loaded
    assert (document.words, document.feedback) == (words, {})
