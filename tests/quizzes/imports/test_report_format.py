"""What an import or an export is told with: sentences whose gaps are filled."""

import pytest

from quizzes.formats.contract import ExportWarning
from quizzes.imports import report_format
from quizzes.imports.sayings import LOSSES, NOTES, REFUSALS


def test_a_loss_names_the_question_and_the_part():
    told = report_format.warning_line(ExportWarning("rivers", "rows_left_out", {"part": "numbers"}))
    assert told == "rivers: A part of the question is left out: numbers."
    assert report_format.warning_line(ExportWarning("", "kind_not_held")).startswith("bank: ")


@pytest.mark.parametrize("sayings", [NOTES, LOSSES, REFUSALS])
def test_no_sentence_breaks_for_want_of_a_detail(sayings):
    assert not [code for code in sayings if "%(" in report_format.message_for(code, sayings)]


def test_a_code_without_a_sentence_stands_for_itself():
    assert report_format.message_for("never_seen", NOTES) == "never seen"
