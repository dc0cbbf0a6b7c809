"""Nothing that names a person is forgotten: by an export, or by an erasure."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models

from accounts.models import User
from quizzes.privacy.personal_tables import (
    ADDRESSES,
    PERSONAL_COLUMNS,
    PERSONAL_TABLES,
    SECRET_COLUMNS,
)


def list_relations() -> Iterator[tuple[str, str]]:
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if field.is_relation and field.related_model is User:
                yield model._meta.label, field.name


def test_every_relation_to_people_is_listed_and_no_other():
    listed = [(table.model, table.field) for table in PERSONAL_TABLES if not table.by_address]
    assert sorted(listed) == sorted(list_relations())


def test_what_is_not_exported_says_why_and_what_stays_too():
    for table in PERSONAL_TABLES:
        assert bool(table.columns) == bool(table.file), table
        assert table.reason or (table.file and table.on_erasure.value == "deleted"), table


def test_every_exported_column_exists():
    for table in PERSONAL_TABLES:
        rows: Any = apps.get_model(table.model)._base_manager
        str(rows.values_list(*table.columns).query)


def test_every_column_of_a_person_is_exported_or_secret():
    columns = {field.name for field in User._meta.concrete_fields}
    assert columns == {*PERSONAL_COLUMNS, *SECRET_COLUMNS}
    assert not {*PERSONAL_COLUMNS} & {*SECRET_COLUMNS}


def test_every_column_with_an_address_is_in_a_listed_table():
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.EmailField)
    }
    assert columns == ADDRESSES
