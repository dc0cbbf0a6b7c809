"""Nothing that names a person is forgotten: by an export, or by an erasure."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import models

from accounts.models import User
from quizzes.privacy.personal_columns import (
    AFTER_ERASURE,
    CHILD_TABLES,
    NOT_EXPORTED,
    TABLES_OF_NOBODY,
)
from quizzes.privacy.personal_tables import (
    ADDRESSES,
    PERSONAL_COLUMNS,
    PERSONAL_TABLES,
    SECRET_COLUMNS,
    OnErasure,
)

WORDS = (
    *(models.CharField, models.TextField, models.JSONField, models.GenericIPAddressField),
    *(models.FileField, models.UUIDField),
)
"""Fields that can hold what somebody wrote, or who or where they are."""


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


def list_word_columns() -> Iterator[str]:
    """Yield the columns of personal tables that can hold words; those with choices do not."""
    by_address = {(table.model, table.field) for table in PERSONAL_TABLES if table.by_address}
    for label in {table.model for table in PERSONAL_TABLES}:
        for field in apps.get_model(label)._meta.concrete_fields:
            is_word = isinstance(field, WORDS) and not field.choices and field.name != "uuid"
            if is_word and (label, field.name) not in by_address:
                yield f"{label}.{field.name}"


def test_every_word_about_a_person_is_in_their_copy_or_says_why_not():
    """A column that is new fails here until it is exported, or named with a reason.

    So does JSON of which a copy has one member alone (`data__name`).
    """
    exported = {f"{table.model}.{column}" for table in PERSONAL_TABLES for column in table.columns}
    assert {*list_word_columns()} - exported == {*NOT_EXPORTED}


def test_every_word_about_a_person_goes_with_them_or_says_what_becomes_of_it():
    erased = {table.model for table in PERSONAL_TABLES if table.on_erasure is OnErasure.DELETED}
    staying = {name for name in list_word_columns() if name.rpartition(".")[0] not in erased}
    assert staying == {*AFTER_ERASURE}


def test_every_table_is_about_people_or_named():
    named = [*{table.model for table in PERSONAL_TABLES}, *CHILD_TABLES, *TABLES_OF_NOBODY]
    models_of_site = apps.get_models(include_auto_created=True)
    labels = [model._meta.label for model in models_of_site if model._meta.managed]
    assert sorted(named) == sorted(labels)
