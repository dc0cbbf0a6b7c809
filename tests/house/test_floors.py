"""What import-linter cannot see: keys point down the stairs, the ground is pure, names are ours."""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.backends.postgresql import psycopg_any

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("lib", "accounts", "events", "bank", "publishing", "attempts", "results", "exchange")
DOORS = ("web", "api")
OURS = {*FLOORS, *DOORS}

# What a file name means (house.md), by the apps where it may stand.
EVERYWHERE = (
    "__init__ apps models access selectors services tasks admin forms urls verify management"
    " migrations"
).split()
ROOMS = {
    "accounts": (
        "adapter addresses backoffice checks email_confirmation hashers login_forms login_throttle"
        " middleware sessions zones"
    ),
    "quizzes/lib": (
        "clock errors guards markup memory prepared_query receiving records sending sniffing"
        " statements"
    ),
    "quizzes/events": "",
    "quizzes/bank": "bulk checks extents lint sayings store telling uploads waving",
    "quizzes/publishing": "blueprint policies",
    "quizzes/attempts": "extending journal manifest rules saving",
    "quizzes/results": (
        "accepting by_hand facts failures feedback judging marking persons report reveal standings"
        " viewing waiting writing written"
    ),
    "quizzes/exchange": (
        "arriving claims contract exporting formats holding illustrating importing jobs"
        " keeping linting opening outlook picking plan planning reading sayings sources telling"
        " twinning twins"
    ),
}
HUBS = {"utils", "helpers", "common", "misc", "tools", "base"}


def height(label: str) -> int:
    return len(FLOORS) if label in DOORS else FLOORS.index(label)


def keys() -> Iterator[tuple[str, str, str]]:
    for model in apps.get_models():
        for field in model._meta.get_fields():
            target = field.related_model
            if field.concrete and isinstance(target, type) and model._meta.app_label in OURS:
                name = f"{model._meta.label}.{field.name}"
                yield name, model._meta.app_label, target._meta.app_label


def test_foreign_keys_point_down_the_stairs():
    found = list(keys())
    climbing = [
        name for name, here, there in found if there in OURS and height(there) > height(here)
    ]
    assert len(found) > 30
    assert climbing == []


def test_every_app_of_ours_has_its_floor():
    ours = {app.label for app in apps.get_app_configs() if Path(app.path).is_relative_to(ROOT)}
    assert {label for label in ours if ".venv" not in apps.get_app_config(label).path} <= OURS


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0] if not node.level else "grading"


@pytest.mark.parametrize("path", sorted((ROOT / "grading").rglob("*.py")), ids=lambda p: p.stem)
def test_the_ground_floor_imports_the_standard_library_alone(path):
    assert set(imported(path)) <= {*sys.stdlib_module_names, "grading"}


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_name_is_on_the_list(room):
    names = {one.stem for one in (ROOT / room).iterdir() if not one.name.startswith("__pycache__")}
    assert names - {*EVERYWHERE, *ROOMS[room].split()} == set()


def test_there_is_no_hub_to_throw_things_into():
    files = [
        path
        for top in ("accounts", "config", "grading", "quizzes")
        for path in (ROOT / top).rglob("*.py")
    ]
    assert len(files) > 60
    assert [path for path in files if HUBS & {path.stem, path.parent.name}] == []


@pytest.mark.django_db
def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_postgresql_is_spoken_to_by_psycopg2():
    """Django takes psycopg 3 whenever it can be imported, and that is not what we tested."""
    assert not psycopg_any.is_psycopg3
    assert version("psycopg2-binary").startswith("2.")
