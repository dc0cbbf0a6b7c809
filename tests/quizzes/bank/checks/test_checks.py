"""The checks of a bank: its drafts as they are now, its files, and what was let stand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.bank import services
from quizzes.bank.checks import AverageScore, CheckReport, load_report
from quizzes.bank.lint import Severity
from quizzes.bank.models import Bank, Draft, Question
from quizzes.bank.waivers import waive
from quizzes.document import QuestionDocument
from tests import media_files
from tests.factories import NOW, create_bank, create_question, option_ids
from tests.media_files import media_markdown, upload
from tests.short_text_factory import create_short_text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture
def into(users) -> Bank:
    return create_bank(users)


def told(report: CheckReport) -> list[tuple[str, str, str]]:
    return [
        (
            open_finding.finding.code,
            open_finding.question.name if open_finding.question else "",
            open_finding.row,
        )
        for open_finding in report.open
    ]


def revise(question: Question, **parts) -> None:
    item = replace(QuestionDocument.from_json(Draft.objects.get(question=question).data), **parts)
    services.save_draft(question=question, item=item, revision=None, by=None)


def speaking(question: Question) -> None:
    """Let option c speak of the others."""
    words = QuestionDocument.from_json(question.draft.data).words
    options = {**words["en"]["options"], option_ids(question, "c")[0]: "All of the above"}
    revise(question, words={**words, "en": {**words["en"], "options": options}})


def test_a_sound_bank_has_nothing_to_tell_but_its_figures(into):
    create_question(into, "many")
    create_question(into, "single", right="b", kind="single_choice", options="abc")
    create_short_text(into)
    report = load_report(into)
    assert told(report) == []
    assert report.questions == 3
    assert (report.everything, report.guess) == (
        AverageScore(Fraction(0), 1),
        AverageScore((Fraction(1, 3) + mean_of_four()) / 2, 2),
    )


def mean_of_four() -> Fraction:
    """By `right_minus_wrong` with two of four right: one right, both, both and one more."""
    return (2 * Fraction(1, 2) + 1 + 2 * Fraction(1, 2)) / 15


def test_a_bank_without_questions_has_no_figures(into):
    assert load_report(into) == CheckReport(0, (), None, None)


def test_a_finding_names_its_question_and_its_row_by_the_authors_own_names(into):
    question = create_question(into, "many")
    speaking(question)
    (open_finding,) = load_report(into).open
    assert (open_finding.finding.code, open_finding.row) == ("catch_all_shuffled", "c")
    assert open_finding.question is not None
    assert (open_finding.question.pk, open_finding.question.uuid) == (question.pk, question.uuid)
    assert open_finding.question.prompts["en"] == "Question many?"


def test_rows_that_have_no_name_are_called_by_their_ids(into):
    question = create_short_text(into)
    key = {"accepted": [{"id": "row-0", "text": "<b>Paris</b>", "credit": [1, 1]}]}
    revise(question, key=key)
    assert told(load_report(into)) == [("needs_markup", "city", "row-0")]


def test_what_is_saved_is_looked_at_anew_and_what_is_retired_no_more(into):
    question = create_question(into, "many")
    revise(question, key={"right": []})
    report = load_report(into)
    assert told(report) == [("nothing_right", "many", "")]
    assert report.counts() == {Severity.ERROR: 1, Severity.WARNING: 0, Severity.HINT: 0}
    services.retire(question=question, by=None, now=NOW)
    assert load_report(into).questions == 0


def test_files_are_held_against_those_of_this_bank(into, users):
    here = upload(into, media_files.png())
    other = upload(create_bank(users, "other"), media_files.png(2, 2))
    question = create_question(into, "many")
    words = QuestionDocument.from_json(question.draft.data).words
    prompt = f"See {media_markdown(other)} and {media_markdown(other)}"
    revise(question, words={lang: {**of, "prompt": prompt} for lang, of in words.items()})
    findings = [finding for finding in told(load_report(into)) if finding[0] != "untranslated"]
    assert findings == [("file_unused", "", ""), *[("media_unknown", "many", "")] * 4]
    assert not other.uses.exists()
    revise(
        question, words={lang: {**of, "prompt": media_markdown(here)} for lang, of in words.items()}
    )
    assert told(load_report(into)) == []


def test_a_file_that_only_a_published_version_shows_is_used(into):
    here = upload(into, media_files.png())
    question = create_question(into, "many")
    words = QuestionDocument.from_json(question.draft.data).words
    revise(
        question, words={lang: {**of, "prompt": media_markdown(here)} for lang, of in words.items()}
    )
    services.publish(question=question, by=None, now=NOW)
    revise(question, words=words)
    assert told(load_report(into)) == []


def test_what_was_let_stand_is_told_apart_until_the_question_changes(into, users):
    question = create_question(into, "many", right="abc")
    (open_finding,) = load_report(into).open
    assert open_finding.question is not None
    waive(
        question=question,
        code="select_all_pays",
        digest=open_finding.question.digest,
        by=users.instructor,
    )
    report = load_report(into)
    (stands,) = report.waived
    assert (report.open, stands.finding.code) == ((), "select_all_pays")
    assert stands.waived_by is not None
    assert stands.waived_by.by == str(users.instructor)
    users.instructor.delete()
    assert [
        waived_finding.waived_by.by
        for waived_finding in load_report(into).waived
        if waived_finding.waived_by
    ] == [""]
    revise(question, feedback={})
    assert {open_finding.finding.code for open_finding in load_report(into).open} == {
        "select_all_pays",
        "no_feedback",
    }


def test_a_twin_that_was_let_stand_is_that_twin_alone(into):
    create_question(into, "one")
    two = create_question(into, "two")
    prompts = {"en": {"prompt": "Which of the one?"}, "es": {"prompt": "¿Cuál de uno?"}}
    for question in Question.objects.all():
        words = QuestionDocument.from_json(question.draft.data).words
        revise(question, words={lang: {**of, **prompts[lang]} for lang, of in words.items()})
    (open_finding,) = load_report(into).open
    assert (open_finding.finding.code, open_finding.finding.about) == ("duplicate", "one")
    assert open_finding.question is not None
    digest = open_finding.question.digest
    waive(question=two, code="duplicate", about="three", digest=digest, by=None)
    assert len(load_report(into).open) == 1
    waive(question=two, code="duplicate", about="one", digest=digest, by=None)
    assert load_report(into).open == ()


@pytest.mark.parametrize("many", [1, 12])
def test_the_queries_are_as_many_for_one_question_as_for_a_dozen(into, counted, many):
    for n in range(many):
        speaking(create_question(into, f"q{n}"))
    with counted() as first:
        load_report(into)
    with counted() as again:
        load_report(into)
    assert (len(first), len(again)) == (8, 4)
