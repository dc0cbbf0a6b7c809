"""The checks of a file, before anything of it is in a bank; and the command that tells them."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.schema import PROMPT
from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.imports import lint_file, parse
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.findings import FINDINGS
from quizzes.presentation.messages.problems import PROBLEMS
from tests import media_files
from tests.factories import create_bank, create_question

BANKS = Path(__file__).resolve().parents[3] / "fixtures" / "banks"
AIKEN = "What is printed?\nA. one\nB. one\nANSWER: A\n"


def told(parcel: ParsedFile) -> list[tuple[str, str, str]]:
    return [
        (listed.finding.code, listed.question.name if listed.question else "", listed.row)
        for listed in lint_file.lint_parsed_file(parcel).open
        if listed.finding.code != "no_feedback"
    ]


def test_a_file_is_looked_at_as_if_it_were_a_bank():
    parcel = parse.parse_upload(AIKEN.encode(), "some.txt")
    ((code, _name, row),) = told(parcel)
    assert (code, row) == ("equal_rows", "b")


def test_what_was_refused_is_no_question_and_an_empty_file_has_nothing():
    refused = SourceItem(1, 2, "x", "dance", ImportStatus.REFUSED)
    findings = lint_file.lint_parsed_file(ParsedFile(items=(refused,)))
    assert (findings.questions, findings.open, findings.everything, findings.guess) == (
        0,
        (),
        None,
        None,
    )


def with_prompt(prompt: str, **media: bytes) -> ParsedFile:
    question = ParsedQuestion(1, "q", "essay", "rubric", texts={PROMPT: {"en": prompt}})
    item = SourceItem(1, 1, "q", "essay", ImportStatus.IMPORTED, question)
    names = {name.replace("_", "."): data for name, data in media.items()}
    return ParsedFile(items=(item,), media=names)


def of_files(parcel: ParsedFile) -> list[str]:
    return [code for code, _, _ in told(parcel) if code in {"media_unknown", "file_unused"}]


def test_files_that_it_brought_are_known_and_those_nobody_shows_are_told():
    prompt = "See ![a cat](media:cat.png)"
    assert of_files(with_prompt(prompt, cat_png=media_files.png())) == []
    assert (
        of_files(with_prompt("Look", cat_png=media_files.png(), notes_txt=b""))
        == ["file_unused"] * 2
    )
    codes = [code for code, _, _ in told(with_prompt(prompt))]
    assert "media_malformed" in codes


@pytest.mark.parametrize("path", sorted(BANKS.glob("*.yaml")), ids=lambda path: path.stem)
def test_our_own_banks_have_nothing_to_look_at(path):
    assert run("--file", str(path)) == (0, "nothing to look at\n")


def run(*arguments: str) -> tuple[int, str]:
    """Run the command; give its exit status and what it said."""
    out = StringIO()
    try:
        call_command("lint_bank", *arguments, stdout=out, stderr=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def spoiled(tmp_path) -> str:
    path = tmp_path / "some.txt"
    path.write_text(AIKEN, encoding="utf-8")
    return str(path)


def test_a_file_is_told_line_by_line_with_status_1(spoiled):
    status, output = run("--file", spoiled)
    first, second, counts = output.splitlines()
    assert status == 1
    assert first.startswith("what-is-printed, options.b, en: error: Two rows read “one”")
    assert second.startswith("what-is-printed: hint: There is no feedback")
    assert counts == "1 error, 1 hint"


def test_only_what_is_grave_enough_is_listed_and_counts_for_the_status(spoiled, tmp_path):
    assert "no_feedback" not in run("--file", spoiled, "--severity", "warning")[1]
    fair = tmp_path / "fair.txt"
    fair.write_text(AIKEN.replace("B. one", "B. two"), encoding="utf-8")
    assert run("--file", str(fair))[0] == 1
    assert run("--file", str(fair), "--severity", "error") == (0, "1 hint\n")


def test_the_report_is_json_where_asked_for(spoiled):
    status, output = run("--file", spoiled, "--json", "--severity", "error")
    report = json.loads(output)
    assert status == 1
    assert report["counts"] == {"error": 1, "warning": 0, "hint": 1}
    assert [finding["code"] for finding in report["findings"]] == ["equal_rows"]
    assert report["findings"][0]["question"] is None


def test_it_speaks_the_language_asked_for(spoiled):
    assert "Español" not in run("--file", spoiled)[1]
    assert run("--file", spoiled, "--language", "es")[0] == 1


@pytest.mark.django_db
def test_a_bank_is_told_by_its_short_name_and_nothing_is_written(users):
    into: Bank = create_bank(users)
    create_question(into, "pays", right="abc")
    before = Question.objects.get().updated_at
    status, output = run("bank")
    assert status == 1
    assert output.startswith("pays, scoring_method: warning: Ticking everything earns 67%")
    assert Question.objects.get().updated_at == before
    assert run("bank", "--severity", "error") == (0, "1 warning\n")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["none"], "no bank called 'none'"),
        (["--file", "none.yaml"], "No such file"),
        (["--file", __file__, "--format", "moodle-xml"], "nothing of it can be used"),
    ],
)
def test_what_cannot_be_looked_at_ends_with_status_2(arguments, reason):
    with pytest.raises(CommandError, match=reason) as caught:
        run(*arguments)
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "reason"), [([], "is required"), (["bank", "--file", "x.yaml"], "not allowed")]
)
def test_it_is_a_bank_or_a_file(arguments, reason):
    with pytest.raises(CommandError, match=reason):
        run(*arguments)


def test_whatever_people_wrote_is_looked_at_and_every_code_has_a_sentence():
    corpora = BANKS.parents[2] / "shared" / "corpora"
    for name in ("gift", "text2qti", "qti12"):
        for path in sorted(path for path in (corpora / name).rglob("*") if path.is_file()):
            try:
                parcel = parse.parse_upload(path.read_bytes(), path.name)
            except Invalid:
                continue  # no file of questions: a licence, say
            findings = lint_file.lint_parsed_file(parcel)
            assert {listed.finding.code for listed in findings.open} <= {*FINDINGS, *PROBLEMS}, path
            assert findings.questions == len(parcel.questions), path
