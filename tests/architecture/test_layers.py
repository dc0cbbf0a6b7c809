"""What import-linter cannot see: foreign keys point down, no module is a hub."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.backends.postgresql import psycopg_any

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
HUBS = {"utils", "helpers", "common", "misc", "tools", "base"}
PRESCRIBED = {ROOT / "config/postgresql_backend/base.py"}
"""Django loads an engine of the database by this name."""


def heights() -> dict[str, int]:
    """Return how high each app stands in the first contract, by its label."""
    layers = [re.findall(r"[\w.]+", layer) for layer in reversed(CONTRACTS[0]["layers"])]
    return {
        package.rpartition(".")[2]: height
        for height, packages in enumerate(layers)
        for package in packages
    }


HEIGHTS = heights()


def foreign_keys() -> Iterator[tuple[str, str, str]]:
    for model in apps.get_models():
        for field in model._meta.get_fields():
            target = field.related_model
            if field.concrete and isinstance(target, type) and model._meta.app_label in HEIGHTS:
                name = f"{model._meta.label}.{field.name}"
                yield name, model._meta.app_label, target._meta.app_label


def climbing(keys: list[tuple[str, str, str]]) -> list[str]:
    """Return the keys from a lower layer to a higher one."""
    return [name for name, here, there in keys if HEIGHTS.get(there, -1) > HEIGHTS[here]]


def test_foreign_keys_point_down():
    keys = list(foreign_keys())
    assert len(keys) > 30
    assert climbing(keys) == []


def test_a_foreign_key_that_points_up_is_seen():
    keys = [("bank.Question.attempt", "bank", "attempts"), ("results.R.a", "results", "attempts")]
    assert climbing(keys) == ["bank.Question.attempt"]


def test_every_app_of_ours_has_its_layer():
    ours = {app.label for app in apps.get_app_configs() if Path(app.path).is_relative_to(ROOT)}
    ours = {label for label in ours if ".venv" not in apps.get_app_config(label).path}
    assert ours <= set(HEIGHTS)


def test_there_is_no_hub_to_throw_things_into():
    files = [
        path
        for top in ("accounts", "config", "grading", "quizzes")
        for path in (ROOT / top).rglob("*.py")
    ]
    assert len(files) > 60
    hubs = [path for path in files if HUBS & {path.stem, path.parent.name}]
    assert set(hubs) == PRESCRIBED


@pytest.mark.django_db
def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_postgresql_is_spoken_to_by_psycopg2():
    """Django takes psycopg 3 whenever it can be imported, and that is not what we tested."""
    assert not psycopg_any.is_psycopg3
    assert version("psycopg2-binary").startswith("2.")
