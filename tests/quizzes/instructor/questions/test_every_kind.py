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

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "es")
EXAMPLES = {
    kind: json.loads((Path("fixtures/kinds") / f"{kind}.json").read_text(encoding="utf-8"))
    for kind in KINDS
}
QUESTIONS = [
    pytest.param(kind, made, id=f"{kind}: {name}")
    for kind, file in EXAMPLES.items()
    for name, made in file["questions"].items()
]


def controls(kind: str, loaded: QuestionData, marks: str) -> dict[str, Any]:
    """Write a layout into the controls of the page, with some words in both languages."""
    schema = KINDS[kind].schema
    found: dict[str, Any] = {}
    for one in schema.fields:
        found[f"q-field_{one.name}"] = ticked(format_value(one, loaded.fields[one.name]))
    for code in LANGUAGES:
        for text in schema.texts:
            said = f"{text.name} {code}" + (marks if text.name == "prompt" else "")
            found[f"q-{field_prefix(text)}_{code}"] = said
    lines = {row.id: str(uuid4()) for rows in loaded.tables.values() for row in rows}
    for table in schema.tables:
        rows = loaded.tables[table.name]
        found[f"{table.name}-TOTAL_FORMS"] = str(len(rows))
        found[f"{table.name}-INITIAL_FORMS"] = "0"
        for n, row in enumerate(rows):
            prefix = f"{table.name}-{n}"
            found |= a_line(table, prefix, row.values, lines)
            found |= {f"{prefix}-name": f"key-{row.id}", f"{prefix}-order": str(n + 1)}
            found |= {f"{prefix}-id": lines[row.id]}
    return found


def a_line(
    table: Table, prefix: str, values: Mapping[str, Any], lines: Mapping[str, str]
) -> dict[str, Any]:
    found = {
        f"{prefix}-{field_prefix(text)}_{code}": f"{field_prefix(text)} {code} {prefix}"
        for text in table.texts
        for code in LANGUAGES
    }
    for name, fixed in table.fixed_rows.items():
        if all(values.get(one) == value for one, value in fixed.items()):
            found[f"{prefix}-fixed_row"] = name
    for one in list_editable_fields(table):
        typed = format_value(one, values[one.name])
        if one.type == FieldType.ROW:
            typed = lines.get(str(typed), "")
        elif isinstance(typed, tuple):
            typed = tuple(lines[id_] for id_ in typed)
        found[f"{prefix}-field_{one.name}"] = ticked(typed)
    return found


def ticked(typed: Any) -> Any:
    if isinstance(typed, bool):
        return "on" if typed else None
    return list(typed) if isinstance(typed, tuple) else typed


def sent(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value is not None}


def renamed(kind: str, loaded: QuestionData, ids: Mapping[str, str]) -> QuestionData:
    """Put the ids that rows were given in the place of an example's, wherever rows are named."""
    naming = {
        (table.name, one.name)
        for table in KINDS[kind].schema.tables
        for one in table.fields
        if one.type in {FieldType.ROW, FieldType.ROWS}
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


@pytest.mark.parametrize(("kind", "made"), QUESTIONS)
def test_an_example_is_written_in_both_languages_and_published(users, kind, made):
    create_bank(users)
    author = logged_in_client(users.instructor)
    schema = KINDS[kind].schema
    loaded = schema.load(made["content"], made["key"])
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
        "q-scoring_method": made["scoring_methods"][0],
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
    assert version.scoring_method == made["scoring_methods"][0]
    languages = VersionTranslation.objects.filter(version=version).values_list(
        "language", flat=True
    )
    assert set(languages) == set(LANGUAGES)
    for code in LANGUAGES:
        words = VersionTranslation.objects.get(version=version, language=code).texts
        assert words["prompt"] == f"prompt {code}{marks}"
        told = VersionFeedback.objects.get(version=version, language=code).texts
        assert told["explanation"] == f"explanation {code}"
        for table in schema.tables:
            for text in table.texts:
                said = (told if text.is_feedback else words).get(text.name, {})
                of_table = {ids[row.id] for row in loaded.tables[table.name]}
                assert of_table <= set(said)


@pytest.mark.parametrize(("kind", "made"), QUESTIONS)
def test_a_page_of_any_kind_sent_back_untouched_changes_nothing(users, kind, made):
    create_bank(users)
    author = logged_in_client(users.instructor)
    address = f"/admin/bank/question/add/?kind={kind}"
    loaded = KINDS[kind].schema.load(made["content"], made["key"])
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
