"""Texts with gaps on pages: the controls stand in the text, and so do the answers afterwards."""

import re
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

from grading.contract import LedgerLine
from grading.kinds import KINDS
from quizzes.attempts.selectors import CurrentResponse
from quizzes.bank.selectors import PublicVersion, render_texts
from quizzes.presentation import question_rendering
from quizzes.presentation.kinds import cloze
from quizzes.presentation.question_rendering import QuestionState
from tests.grading.cloze.questions import CONTENT, KEY, MODEL

kind: Any = KINDS["cloze"]
PROMPT = {
    "en": "# Spain\n\n`pi = [[3]]`\n\n| capital | river |\n|---|---|\n| [[1]] | [[2]] |\n",
    "es": "[[1]], [[2]], [[3]]",
}
OPTIONS = {"madrid": "Madrid", "rome": "**Rome** & more"}
NUMBERS = {"pi": 1, "capital": 2, "river": 3}


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def public_version() -> PublicVersion:
    marks = {gap["placeholder"]: gap["id"] for gap in CONTENT["gaps"]}
    texts = {
        code: render_texts(code, {"prompt": prompt, "options": OPTIONS}, marks)
        for code, prompt in PROMPT.items()
    }
    return PublicVersion(uuid4(), 0, "cloze", "per_gap", CONTENT, "en", texts)


def drawn(answer: Any = None, language: str = "en", order: Any = ("madrid", "rome")) -> str:
    slot: Any = SimpleNamespace(points=Fraction(3), scoring_method="per_gap", order=order)
    state = QuestionState(CurrentResponse(0, 1, answer), answer, flagged=False)
    with translation.override(language):
        return question_rendering.render_question(public_version(), slot, state, language)


def posted(**fields: str) -> QueryDict:
    form = QueryDict(mutable=True)
    form.update({f"q-2-gaps-{name.replace('__', '-')}": value for name, value in fields.items()})
    return form


def report(answer: Any = None, **revealed: Any) -> Any:
    item = SimpleNamespace(
        answer=answer,
        solution=None,
        feedback={},
        feedback_language="en",
        ledger=(),
        public_version=public_version(),
    )
    item.__dict__.update(revealed)
    return item


def ledger(gaps: Any, scoring_method: str = "per_gap") -> Any:
    return kind.score(CONTENT, KEY, gaps and {"gaps": gaps}, scoring_method).ledger


def rows(item: Any, language: str = "en") -> dict[str, Any]:
    listed: list[Any] = [
        piece.row for piece in cloze.build_review(item, language).fragments["rows"]
    ]
    return {row.label: row for row in listed}


def test_a_gap_in_code_and_gaps_in_a_table_hold_their_controls():
    html = drawn()
    assert re.search(r"<code>pi = <span class=\"gap\">.*?-gaps-pi-typed", html, re.DOTALL)
    cells = re.findall(r"<td>(.*?)</td>", html, re.DOTALL)
    assert ["<select" in cell for cell in cells] == [True, False]
    assert "data-gap" not in html


def test_no_control_stands_in_the_legend():
    legend, rest = drawn().split("</legend>")
    assert "Question 1" in legend
    assert "<select" not in legend
    assert "Fill in the gaps." in rest


def test_each_control_is_named_by_its_place_in_the_text_of_the_language():
    def labels(language):
        return re.findall(
            r'data-answer="gaps\.(\w+)\.(?!language)[^>]*aria-label="([^"]+)"',
            drawn(language=language),
        )

    assert labels("en") == [
        ("pi", "Gap 1 of 3"),
        ("capital", "Gap 2 of 3"),
        ("river", "Gap 3 of 3"),
    ]
    assert labels("es")[0][0] == "capital"


def test_options_to_choose_from_are_plain_words_in_the_order_of_the_attempt():
    html = drawn(order=("rome", "madrid"))
    assert re.findall(r'<option value="(\w+)" >([^<]+)<', html) == [
        ("rome", "Rome &amp; more"),
        ("madrid", "Madrid"),
    ]


def test_what_was_answered_stands_in_its_controls():
    html = drawn({"gaps": {**MODEL, "river": {"text": '"Ebro"'}}})
    assert '<option value="madrid" selected>' in html
    assert 'value="&quot;Ebro&quot;"' in html
    assert html.count('value="3.14"') == 2  # what stands in it, and what stood in it


def test_what_is_posted_is_read_gap_by_gap_and_blanks_are_left_out():
    form = posted(capital__chosen="rome", river__text=" ", pi__typed="3,1", pi__page="es")
    form["f-2"] = "1"  # the flag stands in the same form
    assert cloze.parse_form(form, 2) == {
        "gaps": {"capital": {"chosen": ["rome"]}, "pi": {"typed": "3,1", "language": "es"}}
    }
    assert cloze.parse_form(form, 3) is None
    assert cloze.parse_form(posted(river__text="Ebro "), 2) == {
        "gaps": {"river": {"text": "Ebro "}}
    }


def test_a_number_that_nobody_touched_stays_in_the_language_it_was_typed_in():
    fields = {"pi__was": "1.234", "pi__language": "en", "pi__page": "es"}
    untouched = cloze.parse_form(posted(pi__typed="1.234", **fields), 2)
    changed = cloze.parse_form(posted(pi__typed="1.235", **fields), 2)
    assert untouched == {"gaps": {"pi": {"typed": "1.234", "language": "en"}}}
    assert changed == {"gaps": {"pi": {"typed": "1.235", "language": "es"}}}


@pytest.mark.parametrize("name", ["capital", "capital__key", "x__y__chosen"])
def test_a_field_that_no_page_has_is_ignored_or_left_for_grading_to_refuse(name):
    assert cloze.parse_form(posted(**{name: "1"}), 2) in (
        None,
        {"gaps": {"x-y": {"chosen": ["1"]}}},
    )


def test_an_answer_is_said_gap_by_gap_as_the_text_has_them():
    text = cloze.answer_text(public_version(), {"gaps": MODEL}, "en")
    assert text == "Gap 1: “3.14”; Gap 2: “Madrid”; Gap 3: “Ebro”"


def test_the_text_comes_back_with_each_answer_in_its_gap():
    item = report(
        {"gaps": {"capital": MODEL["capital"]}}, ledger=ledger({"capital": MODEL["capital"]})
    )
    built = cloze.build_review(item, "en")
    assert re.findall("\x02(gap:[^\x03]+)\x03", str(built.frame)) == [
        "gap:pi",
        "gap:capital",
        "gap:river",
    ]
    [piece] = built.fragments["gap:capital"]
    assert piece.row == cloze.FilledGap(2, "Madrid", "en", "right")
    html = render_to_string(piece.template, {"row": piece.row})
    assert "i-right" in html
    assert re.search(r'visually-hidden">\s*right\s*<', html)
    [empty] = built.fragments["gap:river"]
    assert empty.row == cloze.FilledGap(3, "", "en", "")
    assert "no answer" in render_to_string(empty.template, {"row": empty.row})


def test_the_list_tells_how_each_gap_went_and_what_it_earned():
    gaps = {
        "capital": {"chosen": ["rome"], "none_apply": False},
        "river": {"text": "tajo"},
        "pi": MODEL["pi"],
    }
    told_rows = rows(report({"gaps": gaps}, ledger=ledger(gaps)))
    assert {name: (row.state, row.earned) for name, row in told_rows.items()} == {
        "Gap 1": ("right", "+1/2"),
        "Gap 2": ("wrong", None),
        "Gap 3": ("partly", "+1/6"),
    }
    assert {row.expected for row in told_rows.values()} == {None}


def test_what_is_not_revealed_is_not_in_the_list():
    told_rows = rows(report({"gaps": MODEL}))
    assert {(row.state, row.earned, row.expected) for row in told_rows.values()} == {
        ("", None, None)
    }


def test_the_right_answer_stands_beside_every_gap_that_was_not_right():
    gaps = {"capital": MODEL["capital"], "pi": {**MODEL["pi"], "number": [3, 1], "typed": "3"}}
    item = report({"gaps": gaps}, ledger=ledger(gaps), solution={"gaps": MODEL})
    assert {name: row.expected for name, row in rows(item).items()} == {
        "Gap 1": "3.14",
        "Gap 2": None,
        "Gap 3": "Ebro",
    }


def test_a_number_stands_as_typed_and_as_the_reader_would_write_it():
    typed = {
        "typed": "3,14",
        "language": "es",
        "separator": "",
        "number": [157, 50],
        "digits": 3,
        "unit": "",
    }
    item = report({"gaps": {"pi": typed}})
    assert rows(item)["Gap 1"].answer == "3,14 (3.14)"
    assert rows(item, "es")["Gap 3"].answer == "3,14"


def test_feedback_stands_at_the_gap_it_is_said_of():
    gaps = {"capital": MODEL["capital"], "river": {"text": "tajo"}}
    remarks = {"madrid": "<p>Yes</p>", "tajo": "<p>Nearly</p>"}
    told_rows = rows(report({"gaps": gaps}, ledger=ledger(gaps), feedback=remarks))
    assert {name: row.feedback_html for name, row in told_rows.items()} == {
        "Gap 1": None,
        "Gap 2": "<p>Yes</p>",
        "Gap 3": "<p>Nearly</p>",
    }


def test_feedback_on_an_option_that_was_not_chosen_says_whose_it_is():
    item = report({"gaps": {"capital": MODEL["capital"]}}, feedback={"rome": "<p>No</p>"})
    assert rows(item)["Gap 2"].feedback_html == "<p>“Rome &amp; more”:</p><p>No</p>"


def test_feedback_that_no_gap_can_be_told_for_still_stands_beneath():
    item = report({"gaps": {"river": {"text": "tajo"}}}, feedback={"tajo": "<p>Nearly</p>"})
    [piece] = cloze.build_review(item, "en").fragments["unplaced"]
    assert "<p>Nearly</p>" in render_to_string(piece.template, {"row": piece.row})


def test_why_tells_gap_by_gap_and_never_what_was_rightly_left():
    gaps = {"capital": MODEL["capital"], "river": {"text": "tajo"}}
    lines = cloze.ledger_rows(report({"gaps": gaps}, ledger=ledger(gaps, "all_or_nothing")), "en")
    assert [(line.text, line.earned) for line in lines] == [
        ("Gap 1: Not answered", "0"),
        ("Gap 2: “Madrid”: Chosen, and right", "+1/6"),
        (lines[2].text, "+1/6"),
        ("Not everything was right, so it earns nothing", "−1/3"),
    ]
    assert lines[2].text.startswith("Gap 3: ")


def test_why_names_a_gap_that_is_no_longer_there_by_what_became_of_it():
    gone = LedgerLine("old", chosen=True, right=None, earned=Fraction(0), reason="withdrawn")
    lines = cloze.ledger_rows(report(None, ledger=(*ledger(None), gone)), "en")
    assert lines[-1].text == "Chosen, but no longer offered"


def test_why_says_nothing_where_nothing_may_be_told():
    assert cloze.ledger_rows(report({"gaps": MODEL}), "en") == []
