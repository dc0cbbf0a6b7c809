"""No cell that is written runs, numbers stay numbers, and all is read back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib.formula_injection import escape_formula, is_formula, unescape_formula


@pytest.mark.parametrize(
    "cell", ["=1+1", "+SUM(A1)", "-1+1", "@x", " =1", "\t=1", "\r", "=", "-", "'=1", "|cmd", "＝1"]
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell):
    assert is_formula(cell)
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-5", "+3.5", "-0,5", "-50%", "a=1", "'quoted'", "", "¿=?"])
def test_numbers_and_words_stay_as_they_are(cell):
    assert escape_formula(cell) == cell


@given(st.text("'=+-@ \t5a%,|"))
def test_what_was_guarded_is_bare_again(cell):
    assert unescape_formula(escape_formula(cell)) == cell


def test_an_apostrophe_of_words_is_not_taken():
    assert unescape_formula("'twas") == "'twas"
    assert unescape_formula("'=1") == "=1"
