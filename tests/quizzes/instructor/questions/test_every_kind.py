"""Every kind is written on one page: what its examples are made of goes in and comes out again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from grading.kinds import KINDS
from grading.schema import FieldType, QuestionData, QuestionRow, Table
from quizzes.bank.models import Draft, Question, VersionFeedback, VersionKey, VersionTranslation
from quizzes.document import QuestionDocument, find_problems
from quizzes.instructor.questions.field_values import format_value, list_editable_fields
from quizzes.instructor.questions.form_data import field_prefix
from tests.browser_forms import form_values
from tests.factories import create_bank
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LANGUAGES = ("en", "es")
EXAMPLES = {
    kind: json.loads((Path("fixtures/kinds") / f"{kind}.json").read_text(encoding="utf-8"))
    for kind in KINDS
}
QUESTIONS = [
    pytest.param(kind, source, id=f"{kind}: {name}")
    for kind, file in EXAMPLES.items()
    for name, source in file["questions"].items()
]


def controls(kind: str, loaded: QuestionData, marks: str) -> dict[str, Any]:
    """Write a layout into the controls of the page, with some words in both languages."""
    schema = KINDS[kind].schema
    form: dict[str, Any] = {}
    for field in schema.fields:
        form[f"q-field_{field.name}"] = ticked(format_value(field, loaded.fields[field.name]))
    for code in LANGUAGES:
        for text in schema.texts:
            words = f"{text.name} {code}" + (marks if text.name == "prompt" else "")
            is_link = text.name == "reading_link"
            form[f"q-{field_prefix(text)}_{code}"] = (
                f"[{words}](https://example.org)" if is_link else words
            )
    lines = {row.id: str(uuid4()) for rows in loaded.tables.values() for row in rows}
    for table in schema.tables:
        rows = loaded.tables[table.name]
        form[f"{table.name}-TOTAL_FORMS"] = str(len(rows))
        form[f"{table.name}-INITIAL_FORMS"] = "0"
        for n, row in enumerate(rows):
            prefix = f"{table.name}-{n}"
            form |= a_line(table, prefix, row.values, lines)
            form |= {f"{prefix}-name": f"key-{row.id}", f"{prefix}-order": str(n + 1)}
            form |= {f"{prefix}-id": lines[row.id]}
    return form


def a_line(
    table: Table, prefix: str, values: Mapping[str, Any], lines: Mapping[str, str]
) -> dict[str, Any]:
    form = {
        f"{prefix}-{field_prefix(text)}_{code}": f"{field_prefix(text)} {code} {prefix}"
        for text in table.texts
        for code in LANGUAGES
    }
    for name, fixed in table.fixed_rows.items():
        if all(values.get(name) == value for name, value in fixed.items()):
            form[f"{prefix}-fixed_row"] = name
    for field in list_editable_fields(table):
        typed = format_value(field, values[field.name])
        if field.type == FieldType.ROW:
            typed = lines.get(str(typed), "")
        elif isinstance(typed, tuple):
            typed = tuple(lines[id_] for id_ in typed)
        form[f"{prefix}-field_{field.name}"] = ticked(typed)
    return form


def ticked(typed: Any) -> Any:
    if isinstance(typed, bool):
        return "on" if typed else None
    return list(typed) if isinstance(typed, tuple) else typed


def sent(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None}


def renamed(kind: str, loaded: QuestionData, ids: Mapping[str, str]) -> QuestionData:
    """Put the ids that rows were given in the place of an example's, wherever rows are named."""
    naming = {
        (table.name, field.name)
        for table in KINDS[kind].schema.tables
        for field in table.fields
        if field.type in {FieldType.ROW, FieldType.ROWS}
    }
    return QuestionData(
        loaded.fields,
        {
            table: [
                QuestionRow(
                    ids[row.id],
                    {
                        name: _renamed(value, ids) if (table, name) in naming else value
                        for name, value in row.values.items()
                    },
                )
                for row in rows
            ]
            for table, rows in loaded.tables.items()
        },
    )


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    return [ids[id_] for id_ in value] if isinstance(value, list) else ids.get(value)


@pytest.mark.parametrize(("kind", "source"), QUESTIONS)
def test_an_example_is_written_in_both_languages_and_published(users, kind, source):
    create_bank(users)
    author = logged_in_client(users.instructor)
    schema = KINDS[kind].schema
    loaded = schema.load(source["content"], source["key"])
    marks = "".join(
        f" [[{row.values['placeholder']}]]"
        for table in schema.tables
        if table.placeholder_in
        for row in loaded.tables[table.name]
    )
    address = f"/admin/bank/question/add/?kind={kind}"
    page = form_values(author.get(address), "q-kind")
    begun = {
        "q-bank": "bank",
        "q-name": "new",
        "q-scoring_method": source["scoring_methods"][0],
        "_publish": "1",
    }
    answer = author.post(address, sent(page | controls(kind, loaded, marks) | begun))
    question = Question.objects.get(name="new")
    problems = find_problems(QuestionDocument.from_json(Draft.objects.get(question=question).data))
    assert answer.status_code == 302
    version = question.current
    assert problems == ()
    assert version is not None

    ids = {row.name.removeprefix("key-"): str(row.uuid) for row in question.options.all()}
    stored = VersionKey.objects.get(version=version).key
    expected = schema.dump(renamed(kind, loaded, ids))
    assert schema.dump(schema.load(version.content, stored)) == expected
    assert version.scoring_method == source["scoring_methods"][0]
    languages = VersionTranslation.objects.filter(version=version).values_list(
        "language", flat=True
    )
    assert set(languages) == set(LANGUAGES)
    for code in LANGUAGES:
        words = VersionTranslation.objects.get(version=version, language=code).texts
        assert words["prompt"] == f"prompt {code}{marks}"
        feedback = VersionFeedback.objects.get(version=version, language=code).texts
        assert feedback["explanation"] == f"explanation {code}"
        for table in schema.tables:
            for text in table.texts:
                translated = (feedback if text.is_feedback else words).get(text.name, {})
                of_table = {ids[row.id] for row in loaded.tables[table.name]}
                assert of_table <= set(translated)


@pytest.mark.parametrize(("kind", "source"), QUESTIONS)
def test_a_page_of_any_kind_sent_back_untouched_changes_nothing(users, kind, source):
    create_bank(users)
    author = logged_in_client(users.instructor)
    address = f"/admin/bank/question/add/?kind={kind}"
    loaded = KINDS[kind].schema.load(source["content"], source["key"])
    page = form_values(author.get(address), "q-kind")
    begun = {"q-bank": "bank", "q-name": "new", "_save": "1"}
    author.post(address, sent(page | controls(kind, loaded, "") | begun))
    question = Question.objects.get(name="new")
    before = QuestionDocument.from_json(Draft.objects.get(question=question).data)

    change = reverse("admin:bank_question_change", args=[question.pk])
    answer = author.post(change, form_values(author.get(change), "q-kind") | {"_save": "1"})
    assert answer.status_code == 302
    after = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    assert after == before
