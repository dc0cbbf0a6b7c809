"""What the comparison of scores finds, format by format; and that it can fail."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from time import process_time
from typing import Any

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import (
    Note,
    ParsedFile,
    ParsedRow,
    ScoreComparison,
    SourceItem,
)
from quizzes.presentation.messages.import_notes import NOTES
from quizzes.source_scoring import compare_file
from quizzes.source_scoring import comparison as comparing
from quizzes.source_scoring.lists import read_lettered
from quizzes.source_scoring.noted_rules import CHANGES
from quizzes.source_scoring.rules import NotComparable
from quizzes.source_scoring.sampling import MOST_ANSWERS
from quizzes.source_scoring.table_rules import read_csv

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


def test_the_best_answer_is_among_those_compared_though_the_file_names_another_as_correct():
    choices = "".join(f'<simpleChoice identifier="{name}">{name}</simpleChoice>' for name in "abcd")
    mapping = "".join(
        f'<mapEntry mapKey="{name}" mappedValue="{points}"/>'
        for name, points in (("a", 0.25), ("b", 1.5), ("c", 0.25), ("d", -0.5))
    )
    text = QTI.format(
        cardinality="multiple",
        base_type="identifier",
        correct="<value>a</value>",
        body='<choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">'
        f"{choices}</choiceInteraction>",
    )
    text = text.replace("</correctResponse>", f"</correctResponse><mapping>{mapping}</mapping>")
    assert_same(compare(text.replace("match_correct", "map_response"), "qti-2"))


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


@pytest.mark.parametrize(
    "text",
    [
        "::n::How many?{#3:0.1 =%50%5}",
        "::n::How many?{#%50%3:0.1 =5}",
        "::n::How many?{#3:0.1 ~#no}",
        "::w::Which city?{Lima =%50%Quito}",
        "::m::Match.{Peru -> Lima =Chile -> Santiago}",
    ],
)
def test_the_first_typed_answer_of_gift_is_compared_without_its_sign(text):
    assert_same(compare(text, "gift"))
    left_out = text.replace("3:0.1 ", "").replace("%50%=", "=").replace("Lima =%", "=%")
    parsed_file = FORMATS["gift"].read(left_out.replace("Peru -> Lima ", "").encode())
    (source_item,) = compare_file(text.encode(), "gift", parsed_file).items
    comparison = source_item.comparison
    assert comparison is not None
    assert comparison.differences or comparison.reason


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


@pytest.mark.parametrize("gap", ["=3~%50%*", "=3~%50%*~%20%4", "=3~*#no~%20%4", "%50%7~=3~%-20%*"])
def test_any_other_number_in_a_gap_earns_what_it_earns_in_the_file(gap):
    assert_same(compare(CLOZE.replace("=3:0.1", gap), "moodle-xml"))


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("::q::Which?{=new  york =%50%York}", "gift"),
        ("1. Which?\n* new  york\n", "text2qti"),
        ("::q::Which?{=%50%new york =York}", "gift"),
    ],
)
def test_two_blanks_in_an_answer_are_two(text, format_):
    assert_same(compare(text, format_))


def test_a_number_is_tried_as_whoever_types_it_means_it():
    text = "::n::How many?{#=%25%*:0 =315:0.5}"
    assert_same(compare(text.replace("*:0 ", "314..314 ").replace("=%25%", "=%20%"), "gift"))
    assert_same(compare("::n::How many?{#=%20%1249..1251 =%10%1.25:0.01 =0:1}", "gift"))


def test_what_costs_most_in_each_gap_is_tried_though_the_sample_is_small():
    words = "".join(
        f'<gapText identifier="{name}" matchMax="3">{name}</gapText>' for name in "abcd"
    )
    mapping = "".join(
        f'<mapEntry mapKey="{pair}" mappedValue="{points}"/>'
        for pair, points in (("a G1", 1), ("b G2", 2), ("b G3", 0.5), ("c G3", 1), ("d G3", -2))
    )
    gaps = " ".join(f'<gap identifier="G{n}"/>' for n in (1, 2, 3))
    text = QTI.format(
        cardinality="multiple",
        base_type="directedPair",
        correct="<value>a G1</value>",
        body=f'<gapMatchInteraction responseIdentifier="RESPONSE">{words}<p>{gaps}</p>'
        "</gapMatchInteraction>",
    ).replace("match_correct", "map_response")
    mapping = f'</correctResponse><mapping lowerBound="-1">{mapping}</mapping>'
    comparison = compare(text.replace("</correctResponse>", mapping), "qti-2")
    assert comparison.differences
    assert comparison.is_told


def test_a_marked_letter_earns_everything_and_any_other_nothing():
    assert_same(compare("Which?\nA. this\nB. that\nC. those\nANSWER: B\n", "aiken"))


NOT_COMPARED = [
    ("#separator:tab\n#columns:Front\tBack\nWhich?\tThat.\n", "anki-tsv", "self_graded"),
    ("Q: Which?\nA: That.\n", "flashcards", "self_graded"),
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


def write_standard_matching() -> str:
    """Write pairs of unequal worth with a cost for each other pair: no method here scores so."""
    sides = "".join(
        "<simpleMatchSet>"
        + "".join(
            f'<simpleAssociableChoice identifier="{name}" matchMax="1">{name}'
            "</simpleAssociableChoice>"
            for name in names
        )
        + "</simpleMatchSet>"
        for names in (("L1", "L2"), ("R1", "R2"))
    )
    text = QTI.format(
        cardinality="multiple",
        base_type="directedPair",
        correct="<value>L1 R1</value><value>L2 R2</value>",
        body=f'<matchInteraction responseIdentifier="RESPONSE">{sides}</matchInteraction>',
    ).replace("match_correct", "map_response")
    mapping = (
        '</correctResponse><mapping defaultValue="-1"><mapEntry mapKey="L1 R1" mappedValue="1"/>'
        '<mapEntry mapKey="L2 R2" mappedValue="2"/></mapping>'
    )
    return text.replace("</correctResponse>", mapping)


def test_standard_processing_that_no_method_here_has_is_compared_and_told():
    source_item = read(write_standard_matching(), "qti-2")
    assert "custom_response_processing" in [note.code for note in source_item.notes]
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert source_item.comparison.is_told


def test_another_key_does_not_hide_behind_processing_of_the_files_own():
    data = write_standard_matching().encode()
    parsed_file = FORMATS["qti-2"].read(data, language="en")
    other = {"left-1": "right-2", "left-2": "right-1"}
    changed = change_rows(
        parsed_file,
        "lefts",
        lambda row: replace(row, values={**row.values, "goes_with": other[row.name]}),
    )
    (source_item,) = compare_file(data, "qti-2", changed).items
    assert source_item.comparison is not None
    assert source_item.comparison.has_surprise


def test_a_difference_that_a_note_explains_is_listed_as_explained():
    comparison = compare("::both::Two are right{=a =b ~c}", "gift")
    assert comparison.differences
    assert comparison.is_told
    assert not comparison.has_surprise


def write_conditions(decvar: str, **points: int) -> str:
    conditions = "".join(
        f'<respcondition><conditionvar><varequal respident="R">{name}</varequal></conditionvar>'
        f'<setvar action="Add">{earned}</setvar></respcondition>'
        for name, earned in points.items()
    )
    labels = "".join(
        f'<response_label ident="{name}"><material><mattext>{name} word</mattext></material>'
        "</response_label>"
        for name in points
    )
    return (
        '<questestinterop><item ident="i"><presentation><material><mattext>Which?</mattext>'
        '</material><response_lid ident="R" rcardinality="Multiple"><render_choice>'
        f"{labels}</render_choice></response_lid></presentation><resprocessing><outcomes>"
        f"<decvar {decvar}/></outcomes>"
        f"{conditions}</resprocessing></item></questestinterop>"
    )


LOW_MAXIMUM = write_conditions('maxvalue="10" minvalue="0"', A=50, B=50, C=-50)


def test_a_maximum_below_one_option_is_noted():
    source_item = read(LOW_MAXIMUM, "qti-1.2")
    assert [note.code for note in source_item.notes] == ["maximum_score_ignored"]
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert not source_item.comparison.has_surprise


def weigh(value: list[int]) -> Any:
    """Return a change that gives the second row another weight or credit, where it has one."""

    def change(row: ParsedRow) -> ParsedRow:
        name = next((name for name in ("weight", "credit") if name in row.values), "")
        is_second = name and row.name in {"b", "gap-1-b"}
        return replace(row, values={**row.values, name: value}) if is_second else row

    return change


def drop_weights(row: ParsedRow) -> ParsedRow:
    """Return a row that is right or wrong, the other way round in the first one."""
    values = {name: value for name, value in row.values.items() if name != "weight"}
    is_first = row.name in {"a", "gap-1-a"}
    return replace(row, values={**values, "right": bool(row.values.get("right")) != is_first})


def accept_other_words(row: ParsedRow) -> ParsedRow:
    return replace(row, values={**row.values, "text": "qxzw vkj"}) if row.name == "gap-2-a" else row


GAPS = """<quiz><question type="cloze"><questiontext format="html"><text><![CDATA[<p>It is
{2:SA:=red~%-300%blue} and {1:SA:=salt~%50%pepper}.</p>]]></text></questiontext></question>
</quiz>"""
COSTLY_OPTION = write_conditions('maxvalue="2" minvalue="-5"', A=1, B=1, C=-4)
BOTH_NOTES = write_conditions('maxvalue="10" minvalue="-900"', A=50, B=50, C=-150)


@pytest.mark.parametrize(
    ("text", "format_", "codes"),
    [
        (LOW_MAXIMUM, "qti-1.2", {"maximum_score_ignored"}),
        (COSTLY_OPTION, "qti-1.2", {"cost_limited"}),
        (BOTH_NOTES, "qti-1.2", {"cost_limited", "maximum_score_ignored"}),
        (GAPS, "moodle-xml", {"negative_credit"}),
        (GAPS.replace(":SA:", ":MC:"), "moodle-xml", {"cost_limited"}),
    ],
)
def test_a_note_on_costs_or_the_maximum_explains_what_it_says_and_no_defect(text, format_, codes):
    data = text.encode()
    parsed_file = FORMATS[format_].read(data, language="en")
    (source_item,) = compare_file(data, format_, parsed_file).items
    assert {note.code for note in source_item.notes} - {"score_below_zero"} == codes
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert not source_item.comparison.has_surprise
    question, defects = source_item.question, set[Any]()
    assert question is not None
    table = "accepted" if "accepted" in question.tables else "options"
    for defect in (drop_weights, weigh([1, 3]), weigh([-1, 2]), accept_other_words):
        changed = change_rows(parsed_file, table, defect)
        (changed_item,) = compare_file(data, format_, changed).items
        assert changed_item.comparison is not None
        is_scored = changed_item.comparison.compared > 1  # the draft is one that can be scored
        if is_scored and changed_item.comparison != source_item.comparison:
            defects.add(defect)
            assert changed_item.comparison.has_surprise
    assert defects


def test_a_note_on_costs_is_applied_where_the_file_does_not_say_how_words_are_compared():
    text = (
        "Kind,Question,Correct,Settings\n"
        "short text,Who?,Ann; Eva=50%; Bob=-150%,lower_bound=-200%\n"
    )
    source_item = read(text, "csv")
    assert [note.code for note in source_item.notes] == ["negative_credit"]
    assert source_item.comparison is not None
    answers = [difference.answer for difference in source_item.comparison.differences]
    assert answers == [("Bob",), (" Bob ",)]
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


KAHOOT_HEADINGS = "Question,Answer 1,Answer 2,Answer 3,Time limit,Correct answer(s)\n"


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("Which?\nA. this\nB. that\nC. those\nANSWER: B, C\n", "aiken"),
        ("Which?\n\n- [ ] this\n- [x] that\n- [x] those\n", "checklist"),
        ("1. Which?\n[ ] this\n[*] that\n[*] those\n", "text2qti"),
        (f'{KAHOOT_HEADINGS}Which?,this,that,those,20,"2,3"\n', "kahoot"),
        ('Question,A,B,C,Correct\nWhich?,this,that,those,"B, C"\n', "csv"),
    ],
)
def test_of_several_right_options_only_what_the_file_says_is_compared(text, format_):
    assert_same(compare(text, format_))


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        (f"{KAHOOT_HEADINGS}Which?,this,that,those,20,2\n", "kahoot"),
        ("Question,A,B,Correct\nWhich?,this,that,B\n", "csv"),
        (("Kind,Question,Correct,Settings\nshort text,Who?,Ann; Eva=50%; Bob=-50%,"
         "lower_bound=-50%\n"), "csv"),
        ("Kind,Question,Correct\nshort text,Who?,Ann; Eva=50%; Bob=-50%\n", "csv"),
        ("Question,Correct\nHow many?,7; 8=50%\n", "csv"),
        ("Question,Correct\nSo?,false\n", "csv"),
        (("Question,A,B,Correct,Weight A,Weight B,Scoring,Settings\n"
         "Which?,this,that,A,100%,-50%,option_weights,lower_bound=-50%\n"), "csv"),
    ],
)  # fmt: skip
def test_a_sheet_scores_as_its_own_columns_say(text, format_):
    assert_same(compare(text, format_))


SHEET = "Kind,Question,Correct\nshort text,Who?,Ann; Eva=50%\n"


def test_a_reader_of_sheets_that_loses_a_credit_is_found_out():
    data = SHEET.encode()
    parsed_file = FORMATS["csv"].read(data, language="en")

    def pay_fully(row: ParsedRow) -> ParsedRow:
        return replace(row, values={**row.values, "credit": [1, 1]})

    changed = change_rows(parsed_file, "accepted", pay_fully)
    (source_item,) = compare_file(data, "csv", changed).items
    assert source_item.comparison is not None
    differences = source_item.comparison.differences
    assert [difference.answer for difference in differences] == [("Eva",), (" Eva ",)]
    assert {difference.in_file for difference in differences} == {Fraction(1, 2)}


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("range_end_counts", False),  # of numbers
        ("grading_nearly_the_same", False),  # of orders
        ("weights_made_whole", False),  # of shares that change a little
        ("hint_left_out", False),  # of no score at all
        ("maximum_score_ignored", False),  # a wrong key is no maximum
        ("cost_limited", False),
        ("weight_unreadable", False),
        ("key_unknown", False),  # of answers that earn less here
    ],
)
def test_only_a_note_of_this_kind_of_difference_tells_of_it(code, is_told):
    data = MOODLE.encode()
    parsed_file = FORMATS["moodle-xml"].read(data, language="en")
    (source_item,) = change_rows(parsed_file, "options", toggle_first).items
    source_item = replace(source_item, notes=(*source_item.notes, Note(code, 1)))
    noted = replace(parsed_file, items=(source_item,))
    (source_item,) = compare_file(data, "moodle-xml", noted).items
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert source_item.comparison.has_surprise == (not is_told)


def test_every_code_that_changes_rules_is_one_that_readers_note():
    assert CHANGES.keys() <= NOTES.keys()


LETTERED = "1. Which?\na) this\nb) that\nc) those\nd) none\n\nAnswer: {}\n"


@pytest.mark.parametrize(
    "key", ["B/D", "B D", "B; D", "B and D", "B, D", "B) that, D) none", "B. that D. none", "B"]
)
def test_a_key_of_several_letters_is_never_taken_for_its_first(key):
    comparison = read(LETTERED.format(key), "letter_key").comparison
    assert comparison is not None
    assert comparison.differences == ()


@pytest.mark.parametrize("rest", [" ", ", B", " and ", "\t ", ","])
def test_a_long_key_takes_no_longer_than_its_length(rest):
    begun = process_time()
    with suppress(NotComparable):
        read_lettered(["a) x", "b) y", f"Answer: B{rest * 20_000}!"])
    list(read_csv(f"Question,Correct\nWho?,Ann{rest.strip(',') * 20_000}x\n".encode()))
    assert process_time() - begun < 1
