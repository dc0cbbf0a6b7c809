"""The commands import_bank and export_bank: what they say, and their exit status."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.imports import parse
from tests.quizzes.formats.test_ochenta import GOOD

pytestmark = pytest.mark.django_db

GIFT = """::volcano:: Which volcano erupted in 1883 and reduced global temperature? {
=Krakatoa ~Vesuvius ~Etna
}
"""
GIFT_IN_SPANISH = """::volcan:: ¿Qué volcán hizo erupción en 1883 y redujo la temperatura global? {
=Krakatoa ~Vesubio ~Etna
}
"""


@pytest.fixture
def into() -> Bank:
    return services.update_or_create_bank(
        slug="rivers", group=None, fields={"title": {"en": "Rivers"}}, by=None
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.yaml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    """Run a command; give its exit status and what it said on both streams."""
    out, err = StringIO(), StringIO()
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue(), err.getvalue()
    except CommandError as error:
        return error.returncode, out.getvalue(), str(error)
    return 0, out.getvalue(), err.getvalue()


def test_an_import_tells_each_item_by_its_line_and_ends_with_0(into, file):
    status, out, _ = run("import_bank", file, "--bank", "rivers")
    assert (status, out) == (0, "rivers.yaml:9: danube: imported, new\n1 new\n")
    assert run("import_bank", file, "--bank", "rivers")[1].endswith("1 same\n")


def test_a_dry_run_says_the_same_and_writes_nothing(into, file):
    assert run("import_bank", file, "--bank", "rivers", "--dry-run")[1].endswith("1 new\n")
    assert not Question.objects.exists()


def test_a_report_may_be_had_as_json(into, file):
    report = json.loads(run("import_bank", file, "--bank", "rivers", "--json")[1])
    assert report["committed"] is True
    assert sum(report["action_counts"].values()) == sum(report["status_counts"].values()) == 1
    assert report["items"][0]["published"] is True


def test_what_needs_a_person_ends_with_1_and_says_why(into, file):
    file.write_text(GOOD.replace("kind: single_choice", "kind: riddle"), encoding="utf-8")
    status, out, _ = run("import_bank", file, "--bank", "rivers")
    assert status == 1
    assert out == "rivers.yaml:9: danube: refused\n  line 9: unknown kind “riddle”\n1 refused\n"
    file.write_text(GOOD.replace("        right: true\n", ""), encoding="utf-8")
    status, out, _ = run("import_bank", file, "--bank", "rivers")
    assert (status, Question.objects.get().current) == (1, None)
    assert "  key: no right option\n" in out or "right" in out


@pytest.mark.parametrize(
    ("bank", "text", "message"),
    [
        ("none", GOOD, "no bank called 'none'"),
        ("rivers", "plain words", "no file of a format that is known"),
        ("rivers", GOOD.replace("source: own\n", ""), "rivers.yaml:1: the field 'source' is miss"),
    ],
)
def test_what_cannot_be_imported_at_all_ends_with_2(into, file, bank, text, message):
    file.write_text(text, encoding="utf-8")
    status, _, error = run("import_bank", file, "--bank", bank)
    assert status == 2
    assert message in error
    assert not Question.objects.exists()


def test_a_file_that_is_not_there_or_too_large_ends_with_2(into, file, monkeypatch):
    status, _, error = run("import_bank", file.with_name("none.yaml"), "--bank", "rivers")
    assert (status, "No such file" in error) == (2, True)
    monkeypatch.setattr(parse, "MAX_UPLOAD_BYTES", 10)
    status, _, error = run("import_bank", file, "--bank", "rivers")
    assert (status, "10 are the most" in error) == (2, True)


def test_an_export_is_imported_as_the_same(into, file, tmp_path):
    run("load_bank", file)
    to = tmp_path / "out.yaml"
    assert run("export_bank", "rivers", "-o", to) == (0, "", "")
    assert run("import_bank", to, "--bank", "rivers")[1].endswith("1 same\n")
    assert run("export_bank", "rivers")[1] == to.read_text(encoding="utf-8")


def test_what_does_not_fit_is_listed_and_ends_with_1(into):
    status, _, error = run("export_bank", "rivers")
    assert status == 1
    assert "bank: The bank does not say where it comes from" in error


def test_an_export_that_cannot_be_written_ends_with_2(into, tmp_path):
    assert run("export_bank", "none")[0] == 2
    status, _, error = run("export_bank", "rivers", "-o", tmp_path / "no" / "such.yaml")
    assert (status, "No such file" in error) == (2, True)


def test_twins_are_told_joined_or_kept_quiet_as_is_asked(into, tmp_path):
    english = tmp_path / "a.gift"
    english.write_text(GIFT, encoding="utf-8")
    spanish = tmp_path / "b.gift"
    spanish.write_text(GIFT_IN_SPANISH, encoding="utf-8")
    run("import_bank", english, "--bank", "rivers", "--language", "en")
    arguments = ("import_bank", spanish, "--bank", "rivers", "--language", "es")
    status, out, _ = run(*arguments, "--dry-run")
    assert "It may be “volcano” in another language" in out
    assert "in another language" not in run(*arguments, "--dry-run", "--matches", "none")[1]
    assert run(*arguments, "--dry-run", "--matches=above:1")[1].endswith("1 new\n")
    status, out, _ = run(*arguments, "--matches=above:0.6")
    assert (status, out.splitlines()[-1]) == (0, "1 translation")
    assert run(*arguments)[1].endswith("1 same\n")


@pytest.mark.parametrize("message", ["some", "above", "above:x", "above:2"])
def test_what_is_to_be_done_with_twins_must_make_sense(into, file, message):
    status, _, err = run("import_bank", file, "--bank", "rivers", f"--matches={message}")
    assert "neither ask, none, nor above:0.9" in err
    assert status != 0
