"""What the linter found is kept for all processes, and never shown of another state of a draft."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from django.db.models import QuerySet

from quizzes.bank import bulk, services
from quizzes.bank.checks import (
    lint_store,
    linter_version,
    load_report,
    refresh_findings,
    report_loader,
)
from quizzes.bank.lint import LintResult, lint_question
from quizzes.bank.models import Bank, BankLint, Draft, DraftLint, Question
from quizzes.document import QuestionDocument
from quizzes.lib import dataclass_json
from tests.factories import NOW, create_bank, create_question
from tests.question_factory import document, samples

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def bank(users) -> Bank:
    return create_bank(users)


@pytest.fixture
def linted(monkeypatch) -> list[str]:
    """Return the prompts of the questions that are linted from now on."""
    prompts: list[str] = []

    def lint_and_note(document: QuestionDocument) -> LintResult:
        prompts.append(document.words[document.source_language]["prompt"])
        return lint_question(document)

    monkeypatch.setattr(lint_store, "lint_question", lint_and_note)
    return prompts


def read_codes(bank: Bank) -> list[str]:
    return [checked.finding.code for checked in load_report(bank).findings]


def read_document(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def test_another_process_lints_nothing_again(bank, linted):
    create_question(bank, "pays", right="abc")
    DraftLint.objects.all().delete()
    linted.clear()
    first = load_report(bank)
    assert linted == ["Question pays?"]
    assert [checked.finding.code for checked in first.findings] == ["select_all_pays"]
    assert load_report(bank) == first
    assert linted == ["Question pays?"]


def test_only_the_question_that_changed_is_linted_anew(bank, linted):
    for name in ("one", "two", "three"):
        create_question(bank, name)
    load_report(bank)
    linted.clear()
    two = Question.objects.get(name="two")
    silent = replace(read_document(two), feedback={})
    services.save_draft(question=two, item=silent, revision=None, by=None)
    assert linted == ["Question two?"]
    assert read_codes(bank) == ["no_feedback"]
    assert linted == ["Question two?"]


def test_what_nobody_told_the_store_of_is_seen_all_the_same(bank):
    """By hand in the database, by a restore, or by code that forgets: the revision is the same."""
    question = create_question(bank, "many")
    assert read_codes(bank) == []
    data = replace(read_document(question), feedback={}).to_json()
    Draft.objects.filter(question=question).update(data=data)
    assert read_codes(bank) == ["no_feedback"]
    Draft.objects.filter(question=question).update(
        data=read_document(question).to_json() | {"key": {"right": []}}
    )
    assert read_codes(bank) == ["nothing_right", "no_feedback"]


def test_a_retired_twin_is_no_twin(bank):
    first = create_question(bank, "one")
    second = create_question(bank, "two")
    services.save_draft(question=second, item=read_document(first), revision=None, by=None)
    assert read_codes(bank) == ["duplicate"]
    services.retire(question=first, by=None, now=NOW)
    assert read_codes(bank) == []


def test_another_linter_looks_anew(bank, linted, monkeypatch):
    create_question(bank, "many")
    load_report(bank)
    linted.clear()
    monkeypatch.setattr(lint_store, "compute_linter_version", lambda: "another")
    load_report(bank)
    assert linted == ["Question many?"]


def test_a_draft_that_is_saved_meanwhile_is_not_stored_as_what_it_was(bank, monkeypatch):
    question = create_question(bank, "many")
    before = read_document(question)
    DraftLint.objects.all().delete()

    def save_after_reading(questions: QuerySet[Question]) -> list[lint_store.DraftState]:
        states = lint_store.load_draft_states(questions)
        silent = replace(before, feedback={}).to_json()
        Draft.objects.filter(question=question).update(data=silent)
        return states

    with monkeypatch.context() as patch:
        patch.setattr(report_loader, "load_draft_states", save_after_reading)
        assert read_codes(bank) == ["no_feedback"]
    Draft.objects.filter(question=question).update(data=before.to_json())
    assert read_codes(bank) == []


def test_what_a_file_brings_is_linted_when_it_is_written(bank, linted):
    document = read_document(create_question(bank, "many"))
    state = bulk.QuestionState("pays", replace(document, feedback={}))
    bulk.update_or_create_questions(bank=bank, states=[state], by=None, now=NOW)
    linted.clear()
    refresh_findings(bank)
    assert linted == ["Question many?"]
    assert read_codes(bank) == ["duplicate", "no_feedback"]
    assert linted == ["Question many?"]


def test_two_visits_at_once_leave_one_row(bank):
    question = create_question(bank, "many")
    for _ in range(2):
        lint_store.lint_drafts([question.pk])
    assert DraftLint.objects.count() == 1
    load_report(bank)
    BankLint.objects.get(bank=bank)


@pytest.mark.parametrize("sample", samples(), ids=str)
def test_what_is_stored_reads_back_as_it_was(sample):
    result = lint_question(document(sample))
    stored = json.loads(json.dumps(dataclass_json.to_json(result)))
    assert dataclass_json.from_json(type(result), stored) == result


def imported_modules() -> Iterator[tuple[str, str]]:
    """Yield each module that a process has which imports the linter alone, with its file."""
    script = (
        "import json, sys\n"
        "before = set(sys.modules)  # a process may begin with modules of its installation\n"
        "import quizzes.bank.lint\n"
        "print(json.dumps([(n, getattr(m, '__file__', None) or '') for n, m in"
        " sys.modules.items() if n not in before]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    yield from json.loads(done.stdout)


def test_the_version_covers_all_that_the_linter_imports():
    libraries, modules = set[str](), dict(imported_modules())
    folders = [ROOT / package for package in linter_version.PACKAGES]
    for name, file in modules.items():
        path = Path(file)
        if file and path.is_relative_to(ROOT) and ".venv" not in path.parts:
            covered = any(path.is_relative_to(folder) for folder in folders)
            assert covered or not path.read_text(), f"{name} decides findings, too"
        elif name.partition(".")[0] not in sys.stdlib_module_names:
            libraries.update(packages_distributions().get(name.partition(".")[0], ()))
    assert {name.lower() for name in libraries} == {*linter_version.LIBRARIES}
    assert "quizzes.bank.lint.duplicates" in modules


def test_another_source_makes_another_version(tmp_path, monkeypatch):
    for package in linter_version.PACKAGES:
        (tmp_path / package).mkdir(parents=True)
    rule = tmp_path / "quizzes/bank/lint/rule.py"
    rule.write_text("LIMIT = 250\n")
    monkeypatch.setattr(linter_version, "ROOT", tmp_path)
    compute = linter_version.compute_linter_version.__wrapped__
    before = compute()
    assert compute() == before
    rule.write_text("LIMIT = 251\n")
    assert compute() != before
