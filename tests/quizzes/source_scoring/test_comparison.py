"""What the comparison of scores finds, format by format; and that it can fail."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ParsedFile, ParsedRow, ScoreComparison, SourceItem
from quizzes.source_scoring import compare_file
from quizzes.source_scoring import comparison as comparing
from quizzes.source_scoring.sampling import MOST_ANSWERS

MOODLE = """<quiz><question type="multichoice"><questiontext><text>Which?</text></questiontext>
<single>false</single><answer fraction="50"><text>a</text></answer>
<answer fraction="50"><text>b</text></answer><answer fraction="-50"><text>c</text></answer>
<answer fraction="-50"><text>d</text></answer></question></quiz>"""
QTI = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i">
<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" baseType="{base_type}">
<correctResponse>{correct}</correctResponse></responseDeclaration><itemBody>{body}</itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"
/></assessmentItem>"""


def read(text: str, format_: str) -> SourceItem:
    data = text.encode()
    parsed_file = FORMATS[format_].read(data, language="en")
    (source_item,) = compare_file(data, format_, parsed_file).items
    return source_item


def compare(text: str, format_: str) -> ScoreComparison:
    comparison = read(text, format_).comparison
    assert comparison is not None
    return comparison


def assert_same(comparison: ScoreComparison) -> None:
    assert comparison.compared > 1, comparison
    assert comparison == ScoreComparison(comparison.compared)


def change_rows(parsed_file: ParsedFile, table: str, change: Any) -> ParsedFile:
    """Return a file as a reader with a defect would: with other values in one table."""
    (source_item,) = parsed_file.items
    question = source_item.question
    assert question is not None
    rows = tuple(change(row) for row in question.tables[table])
    question = replace(question, tables={**question.tables, table: rows})
    return replace(parsed_file, items=(replace(source_item, question=question),))


def toggle_first(row: ParsedRow) -> ParsedRow:
    is_first = row.name == "a"
    return replace(row, values={**row.values, "right": row.values["right"] != is_first})


def test_several_right_options_of_moodle_score_as_in_the_file():
    assert_same(compare(MOODLE, "moodle-xml"))


def test_a_reader_that_turned_the_key_is_found_out():
    data = MOODLE.encode()
    parsed_file = FORMATS["moodle-xml"].read(data, language="en")
    turned = change_rows(parsed_file, "options", toggle_first)
    (source_item,) = compare_file(data, "moodle-xml", turned).items
    comparison = source_item.comparison
    assert comparison is not None
    assert comparison.has_surprise
    by_answer = {difference.answer: difference for difference in comparison.differences}
    assert by_answer["a",].in_file == Fraction(1, 2)
    assert by_answer["a",].here <= 0
    assert by_answer["a", "b"].in_file == 1


def test_a_reader_that_took_another_scoring_method_is_found_out():
    data = MOODLE.encode()
    parsed_file = FORMATS["moodle-xml"].read(data, language="en")
    (source_item,) = parsed_file.items
    assert source_item.question is not None
    question = replace(source_item.question, scoring_method="all_or_nothing")
    changed = replace(parsed_file, items=(replace(source_item, question=question),))
    (source_item,) = compare_file(data, "moodle-xml", changed).items
    assert source_item.comparison is not None
    assert source_item.comparison.has_surprise


def write_order(*correct: str) -> str:
    values = "".join(f"<value>{value}</value>" for value in correct)
    choices = "".join(
        f'<simpleChoice identifier="{name}">The <b>{name}</b></simpleChoice>' for name in "ABC"
    )
    body = f'<orderInteraction responseIdentifier="RESPONSE">{choices}</orderInteraction>'
    return QTI.format(cardinality="ordered", base_type="identifier", correct=values, body=body)


def test_an_order_of_qti_scores_as_in_the_file_and_another_order_does_not():
    assert_same(compare(write_order("C", "A", "B"), "qti-2"))
    data = write_order("C", "A", "B").encode()
    swapped = FORMATS["qti-2"].read(write_order("A", "C", "B").encode(), language="en")
    (source_item,) = compare_file(data, "qti-2", swapped).items
    assert source_item.comparison is not None
    assert source_item.comparison.has_surprise


def test_pairs_of_qti_score_as_in_the_file():
    sides = "".join(
        "<simpleMatchSet>"
        + "".join(
            f'<simpleAssociableChoice identifier="{name}">{name}</simpleAssociableChoice>'
            for name in names
        )
        + "</simpleMatchSet>"
        for names in (("L1", "L2"), ("R1", "R2"))
    )
    text = QTI.format(
        cardinality="multiple",
        base_type="directedPair",
        correct="<value>L1 R2</value><value>L2 R1</value>",
        body=f'<matchInteraction responseIdentifier="RESPONSE">{sides}</matchInteraction>',
    )
    assert_same(compare(text, "qti-2"))


def test_numbers_are_tried_at_the_tolerance_and_just_beyond():
    text = "::n::About?{#=3:0.1 =%50%3:0.5}"
    assert_same(compare(text, "gift"))
    data = text.encode()
    parsed_file = FORMATS["gift"].read(data, language="en")

    def widen(row: ParsedRow) -> ParsedRow:
        is_first = row.name == "a"
        return replace(row, values={**row.values, "margin": "0.1001"}) if is_first else row

    widened = change_rows(parsed_file, "numbers", widen)
    (source_item,) = compare_file(data, "gift", widened).items
    assert source_item.comparison is not None
    answers = {difference.answer for difference in source_item.comparison.differences}
    assert answers & {("3.1001",), ("2.8999",)}


CLOZE = """<quiz><question type="cloze"><questiontext format="html"><text><![CDATA[<p>It is
{2:MULTICHOICE:=red~blue} and {1:NUMERICAL:=3:0.1}.</p>]]></text></questiontext></question>
</quiz>"""


def test_gaps_score_as_in_the_file_by_their_points():
    assert_same(compare(CLOZE, "moodle-xml"))
    data = CLOZE.encode()
    other = CLOZE.replace("{2:M", "{3:M").encode()
    parsed_file = FORMATS["moodle-xml"].read(other, language="en")
    (source_item,) = compare_file(data, "moodle-xml", parsed_file).items
    assert source_item.comparison is not None
    assert Fraction(2, 3) in {part.in_file for part in source_item.comparison.differences}


def test_a_marked_letter_earns_everything_and_any_other_nothing():
    assert_same(compare("Which?\nA. this\nB. that\nC. those\nANSWER: B\n", "aiken"))


NOT_COMPARED = [
    ("Which?\nA. this\nB. that\nC. those\nANSWER: B, C\n", "aiken", "no_rule"),
    ("::e::Write about it.{}", "gift", "by_person"),
    (MOODLE.replace('"multichoice"', '"essay"'), "moodle-xml", "by_person"),
    ("Which?\nA. this\nB. that\nC. those\nANSWER: Z\n", "aiken", "no_key"),
]


@pytest.mark.parametrize(("text", "format_", "reason"), NOT_COMPARED)
def test_what_is_not_compared_says_why(text, format_, reason):
    assert compare(text, format_).reason == reason


def test_custom_scoring_is_not_compared():
    assert compare(CUSTOM, "qti-2").reason == "custom_scoring"


CUSTOM = QTI.format(
    cardinality="single",
    base_type="identifier",
    correct="<value>A</value>",
    body='<choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">'
    '<simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice>'
    "</choiceInteraction>",
).replace("match_correct", "of_our_own")


def test_a_difference_that_a_note_explains_is_listed_as_explained():
    comparison = compare("::both::Two are right{=a =b ~c}", "gift")
    assert comparison.differences
    assert comparison.is_told
    assert not comparison.has_surprise


def test_a_maximum_below_one_option_is_noted():
    conditions = "".join(
        f'<respcondition><conditionvar><varequal respident="R">{name}</varequal></conditionvar>'
        f'<setvar action="Add">{points}</setvar></respcondition>'
        for name, points in (("A", 50), ("B", 50), ("C", -50))
    )
    labels = "".join(
        f'<response_label ident="{name}"><material><mattext>{name} word</mattext></material>'
        "</response_label>"
        for name in "ABC"
    )
    text = (
        '<questestinterop><item ident="i"><presentation><material><mattext>Which?</mattext>'
        '</material><response_lid ident="R" rcardinality="Multiple"><render_choice>'
        f"{labels}</render_choice></response_lid></presentation><resprocessing><outcomes>"
        '<decvar maxvalue="10" minvalue="0"/></outcomes>'
        f"{conditions}</resprocessing></item></questestinterop>"
    )
    source_item = read(text, "qti-1.2")
    assert [note.code for note in source_item.notes] == ["maximum_score_ignored"]
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert not source_item.comparison.has_surprise


@pytest.mark.failing_readers
def test_a_mistake_in_comparing_refuses_nothing(monkeypatch, caplog):
    words = "words of the " + "file"

    def fail(*_: object) -> None:
        raise KeyError(words)

    monkeypatch.setattr(comparing, "sample_answers", fail)
    source_item = read(MOODLE, "moodle-xml")
    assert source_item.question is not None
    assert source_item.comparison == ScoreComparison(reason="comparison_failed")
    assert "KeyError" in caplog.text
    assert words not in caplog.text


@pytest.mark.parametrize(("count", "most"), [(10, MOST_ANSWERS), (30, 8), (300, 4), (301, 0)])
def test_the_sample_is_bounded_and_always_the_same(count, most):
    options = "".join(f'<answer fraction="{10 if n < 9 else -10}"><text>word {n}</text></answer>'
                      for n in range(count))  # fmt: skip
    text = (
        '<quiz><question type="multichoice"><questiontext><text>Which?</text></questiontext>'
        f"<single>false</single>{options}</question></quiz>"
    )
    comparison = compare(text, "moodle-xml")
    assert comparison.compared == most
    assert compare(text, "moodle-xml") == comparison
