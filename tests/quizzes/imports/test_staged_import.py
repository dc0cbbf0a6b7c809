"""On SQLite a large import is made ready before the transaction that writes it."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from quizzes.bank import services
from quizzes.bank.models import (
    Bank,
    Draft,
    Option,
    Question,
    VersionFeedback,
    VersionKey,
    VersionMedia,
)
from quizzes.events.models import Event
from quizzes.imports import importer
from quizzes.imports.import_plan.planner import plan_items
from quizzes.lib import row_writers
from quizzes.lib.errors import Conflict
from quizzes.lib.row_writers import StagedWriter
from tests.factories import NOW
from tests.media_files import png
from tests.quizzes.imports.parcels import asked, parcel

pytestmark = pytest.mark.django_db(transaction=True)
OWN = {"id", "uuid", "created_at", "updated_at", "question", "version", "current", "bank"}
OWN |= {"subject", "data", "key", "texts", "imported_fingerprint"}


def build_bank(slug: str) -> Bank:
    return services.update_or_create_bank(
        slug=slug, group=None, fields={"title": {"en": slug}}, by=None
    )


def run(into: Bank, *prompts: str, **options: Any) -> None:
    questions = [asked(f"q{n}", prompt=prompt) for n, prompt in enumerate(prompts)]
    importer.run_import(bank=into, parsed_file=parcel(*questions), by=None, now=NOW, **options)


def list_rows(into: Bank) -> list[list[dict[str, Any]]]:
    """Return all rows of a bank's questions, without what each has of its own."""
    questions = Question.objects.filter(bank=into).order_by("name")
    versions = [version for question in questions for version in question.versions.all()]
    subjects = [question.uuid for question in questions]
    querysets: list[Any] = [
        questions,
        Draft.objects.filter(question__in=questions).order_by("question__name"),
        Option.objects.filter(question__in=questions).order_by("question__name", "name"),
        VersionKey.objects.filter(version__in=versions),
        VersionFeedback.objects.filter(version__in=versions),
        Event.objects.filter(subject__in=subjects),
    ]
    return [
        [
            {
                field.name: getattr(row, field.name)
                for field in row._meta.concrete_fields
                if field.name not in OWN
            }
            for row in rows
        ]
        for rows in querysets
    ] + [[{"versions": [(version.number, version.kind) for version in versions]}]]


def test_rows_that_were_staged_are_those_that_are_written_at_once(monkeypatch):
    first, second = build_bank("one"), build_bank("two")
    for prompts in (("Which?", "What?"), ("Which?", "Where?", "Who?")):
        run(first, *prompts)
        with monkeypatch.context() as patched:
            patched.setattr(importer, "may_stage", lambda: False)
            run(second, *prompts)
    assert list_rows(first) == list_rows(second)
    questions = Question.objects.filter(bank=first).select_related("current")
    digests = [
        (each.imported_fingerprint, each.current.digest) for each in questions if each.current
    ]
    assert [stored for stored, _ in digests] == [published for _, published in digests]
    current = Question.objects.filter(bank=first).values_list("name", "current__number")
    assert dict(current) == {"q0": 1, "q1": 2, "q2": 1}


def test_nothing_is_locked_while_an_import_is_made_ready():
    locked = []

    def look(_: int) -> None:
        locked.append(connection.in_atomic_block)

    run(build_bank("one"), "Which?", on_progress=look)
    assert locked == [False]
    assert Question.objects.count() == 1


def load_own_file(slug: str = "rivers") -> None:
    questions = [asked("q0", prompt="Which?")]
    fields = {"title": {"en": "Rivers"}, "source": "own", "licence": "own"}
    file = replace(parcel(*questions), slug=slug, fields=fields)
    importer.import_bank_file(parsed_file=file, group=None, by=None, now=NOW)


def test_nothing_is_locked_while_the_own_file_of_a_bank_is_made_ready(monkeypatch):
    locked = []

    def look(*args: Any, **options: Any) -> Any:
        locked.append((connection.in_atomic_block, Bank.objects.exists()))
        return plan_items(*args, **options)

    monkeypatch.setattr(importer, "plan_items", look)
    load_own_file()
    load_own_file()
    assert locked == [(False, False), (False, True)]
    assert Question.objects.get().bank == Bank.objects.get()


def test_a_bank_that_another_load_makes_meanwhile_is_the_one_that_is_filled(monkeypatch):
    def race(*args: Any, **options: Any) -> Any:
        if not Bank.objects.exists():
            build_bank("rivers")
        return plan_items(*args, **options)

    monkeypatch.setattr(importer, "plan_items", race)
    load_own_file()
    assert Question.objects.get().bank == Bank.objects.get()


def test_a_bank_that_changes_meanwhile_is_planned_again():
    into = build_bank("one")

    def add(_: int) -> None:
        if not Question.objects.exists():
            run(into, "Which?")

    run(into, "Which?", "What?", on_progress=add)
    assert sorted(Question.objects.values_list("name", flat=True)) == ["q0", "q1"]


@pytest.mark.parametrize("step", ["stage", "write"])
def test_an_import_that_fails_at_any_step_leaves_nothing(step):
    into = build_bank("one")

    def fail(*_: object) -> None:
        raise Conflict("bank_changed")

    options = {"on_report" if step == "stage" else "on_finish": fail}
    with pytest.raises(Conflict):
        run(into, "Which?", **options)
    assert not Question.objects.exists()
    assert not Event.objects.exists()
    run(into, "What?")
    assert Question.objects.get().draft.data["words"]["en"]["prompt"] == "What?"


def test_reserved_ids_are_given_once():
    staged = StagedWriter()
    (question,) = staged.insert(
        Question, [Question(bank=build_bank("one"), name="a")], have_parts=True
    )
    reserved = row_writers.reserve_ids(Question, 2)
    other = Question.objects.create(bank=build_bank("two"), name="b")
    assert question.pk < min(reserved) <= max(reserved) < other.pk


@pytest.mark.usefixtures("store")
def test_a_picture_is_held_by_the_version_that_shows_it():
    parsed_file = parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": png()})
    importer.run_import(bank=build_bank("one"), parsed_file=parsed_file, by=None, now=NOW)
    assert VersionMedia.objects.get().version == Question.objects.get().current
