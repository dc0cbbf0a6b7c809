"""Notes that explain differences of scores: each what it says, and no defect beside it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import FileError, ParsedFile, ParsedRow, SourceItem
from quizzes.formats.parsing.xml import iterate_children
from quizzes.source_scoring import compare_file
from quizzes.source_scoring.moodle_orders import read_order_rules
from tests.quizzes.source_scoring.test_comparison import QTI, change_rows, read


def write_moodle(kind: str, inner: str) -> str:
    return f'<quiz><question type="{kind}"><name><text>n</text></name>{inner}</question></quiz>'


def write_cloze(text: str) -> str:
    body = f'<questiontext format="html"><text><![CDATA[<p>{text}</p>]]></text></questiontext>'
    return write_moodle("cloze", body)


def write_options(*shares: str, single: bool = False) -> str:
    answers = "".join(
        f'<answer fraction="{share}"><text>word {n}</text></answer>'
        for n, share in enumerate(shares)
    )
    flag = str(single).lower()
    prompt = "<questiontext><text>Which?</text></questiontext>"
    return write_moodle("multichoice", f"{prompt}<single>{flag}</single>{answers}")


def write_order(grading_type: str, count: int = 4) -> str:
    answers = "".join(
        f'<answer fraction="{n}"><text>step {n}</text></answer>' for n in range(1, count + 1)
    )
    prompt = "<questiontext><text>In which order?</text></questiontext>"
    return write_moodle("ordering", f"{prompt}<gradingtype>{grading_type}</gradingtype>{answers}")


def write_range(low: str, high: str) -> str:
    """Return an item of QTI 1.2 whose number is between two that do not count."""
    return (
        '<questestinterop><item ident="i"><presentation><material><mattext>How many?</mattext>'
        '</material><response_num ident="R" numtype="Decimal"><render_fib fibtype="Decimal">'
        '<response_label ident="F"/></render_fib></response_num></presentation><resprocessing>'
        "<outcomes><decvar/></outcomes><respcondition><conditionvar><and>"
        f'<vargt respident="R">{low}</vargt><varlt respident="R">{high}</varlt></and>'
        '</conditionvar><setvar action="Set">1</setvar></respcondition></resprocessing>'
        "</item></questestinterop>"
    )


def write_gap_match(**points: float) -> str:
    """Return a text with two gaps; `points` of what fills them, `a_G1` the word a in gap G1."""
    words = "".join(f'<gapText identifier="{name}" matchMax="2">{name}</gapText>' for name in "abc")
    entries = "".join(
        f'<mapEntry mapKey="{pair.replace("_", " ")}" mappedValue="{earned}"/>'
        for pair, earned in points.items()
    )
    text = QTI.format(
        cardinality="multiple",
        base_type="directedPair",
        correct="<value>a G1</value><value>b G2</value>",
        body=f'<gapMatchInteraction responseIdentifier="RESPONSE">{words}<p>It <gap'
        ' identifier="G1"/> and <gap identifier="G2"/>.</p></gapMatchInteraction>',
    )
    text = text.replace("</correctResponse>", f"</correctResponse><mapping>{entries}</mapping>")
    return text.replace("match_correct", "map_response")


def write_pairs() -> str:
    """Return pairs of QTI 1.2 of which one has no left side."""
    labels = "".join(
        f'<response_label ident="{name}"><material><mattext>right {name}</mattext></material>'
        "</response_label>"
        for name in "XYZ"
    )
    responses = "".join(
        f'<response_lid ident="{ident}"><material><mattext>{text}</mattext></material>'
        f"<render_choice>{labels}</render_choice></response_lid>"
        for ident, text in (("r1", "left one"), ("r2", "left two"), ("r3", ""))
    )
    conditions = "".join(
        f'<respcondition><conditionvar><varequal respident="{ident}">{name}</varequal>'
        '</conditionvar><setvar varname="SCORE" action="Add">1</setvar></respcondition>'
        for ident, name in (("r1", "X"), ("r2", "Y"), ("r3", "Z"))
    )
    return (
        '<questestinterop><item ident="i"><itemmetadata><qtimetadata><qtimetadatafield>'
        "<fieldlabel>question_type</fieldlabel><fieldentry>matching_question</fieldentry>"
        "</qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext>"
        f"Pair them.</mattext></material>{responses}</presentation><resprocessing><outcomes>"
        f'<decvar maxvalue="3" minvalue="0" varname="SCORE"/></outcomes>{conditions}'
        "</resprocessing></item></questestinterop>"
    )


def write_costly_choice() -> str:
    """Return several choices of QTI 2 of which one costs more than all, within bounds."""
    choices = "".join(f'<simpleChoice identifier="{name}">{name}</simpleChoice>' for name in "abc")
    entries = "".join(
        f'<mapEntry mapKey="{name}" mappedValue="{points}"/>'
        for name, points in (("a", 2), ("b", -5), ("c", -0.5))
    )
    text = QTI.format(
        cardinality="multiple",
        base_type="identifier",
        correct="<value>a</value>",
        body='<choiceInteraction responseIdentifier="RESPONSE" maxChoices="0">'
        f"{choices}</choiceInteraction>",
    )
    mapping = f'<mapping lowerBound="-1" upperBound="2">{entries}</mapping>'
    text = text.replace("</correctResponse>", f"</correctResponse>{mapping}")
    return text.replace("match_correct", "map_response")


def write_open_ends() -> str:
    """Return a number of QTI 2 of which the ends of the tolerance do not count."""
    text = QTI.format(
        cardinality="single",
        base_type="float",
        correct="<value>3</value>",
        body='<p><textEntryInteraction responseIdentifier="RESPONSE"/></p>',
    )
    before, _, _ = text.partition("<responseProcessing")
    return (
        f"{before}<responseProcessing><responseCondition><responseIf><equal"
        ' toleranceMode="absolute" tolerance="1 0.5" includeLowerBound="false"'
        ' includeUpperBound="false"><variable identifier="RESPONSE"/><correct'
        ' identifier="RESPONSE"/></equal><setOutcomeValue identifier="SCORE"><baseValue'
        ' baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>'
        "</responseProcessing></assessmentItem>"
    )


OLX_RANGE = (
    '<problem><p>How many?</p><numericalresponse answer="({},{})"><formulaequationinput/>'
    "</numericalresponse></problem>"
)
TRUTH = write_moodle(
    "truefalse",
    "<questiontext><text>So?</text></questiontext>"
    '<answer fraction="100"><text>true</text></answer>'
    '<answer fraction="100"><text>false</text></answer>',
)
NOTED = [
    (write_cloze("It {0:SA:=red~%50%pink} and {1:SA:=salt~%50%sand}."), "moodle-xml",
     {"gap_points_changed"}),
    (write_cloze("It {2:MC:%50%red~blue} and {1:MC:=salt~sand~%50%sugar}."), "moodle-xml",
     {"key_unknown"}),
    (TRUTH, "moodle-xml", {"key_unknown"}),
    (write_options("100", "100", "0", single=True), "moodle-xml", {"several_right_options"}),
    (write_options("33", "33", "33", "-33"), "moodle-xml", {"weights_made_whole"}),
    *((write_order(grading_type), "moodle-xml", {"grading_nearly_the_same"})
      for grading_type in ("RELATIVE_NEXT_INCLUDE_LAST", "RELATIVE_ONE_PREVIOUS_AND_NEXT",
                           "RELATIVE_ALL_PREVIOUS_AND_NEXT", "LONGEST_ORDERED_SUBSET",
                           "LONGEST_CONTIGUOUS_SUBSET", "RELATIVE_TO_CORRECT")),
    (OLX_RANGE.format(2, 5), "olx", {"range_end_counts"}),
    (write_range("2", "5"), "qti-1.2", {"boundary_included"}),
    (write_gap_match(a_G1=1, b_G2=0.0123), "qti-2", {"gap_points_levelled"}),
    (write_gap_match(a_G1=1, c_G1=1, b_G2=2), "qti-2", {"several_right_options"}),
    (write_gap_match(a_G1=1, b_G2=2, c_G2=-5), "qti-2", {"cost_limited"}),
    (write_costly_choice(), "qti-2", {"cost_limited"}),
    (write_open_ends(), "qti-2", {"boundary_included"}),
    (write_cloze("It {3:MC:=salt~=tin} and {0:MC:%90%snow~%-50%salt~=wool}."), "moodle-xml",
     {"gap_points_changed", "several_right_options"}),
    (write_pairs(), "qti-1.2", {"empty_pair_left_out"}),
]  # fmt: skip


def toggle_right(row: ParsedRow) -> ParsedRow:
    right = None if "weight" in row.values else row.values.get("right")
    return row if right is None else replace(row, values={**row.values, "right": not right})


def change_credit(credit: list[int]) -> Any:
    def change(row: ParsedRow) -> ParsedRow:
        is_second = row.name.endswith("b") and ("credit" in row.values or "weight" in row.values)
        name = "credit" if "credit" in row.values else "weight"
        return replace(row, values={**row.values, name: credit}) if is_second else row

    return change


def widen(row: ParsedRow) -> ParsedRow:
    return replace(row, values={**row.values, "margin": "5.001"}) if "margin" in row.values else row


def move_start(row: ParsedRow) -> ParsedRow:
    is_range = row.values.get("tolerance") == "range"
    return replace(row, values={**row.values, "value": "1.5"}) if is_range else row


def turn_pairs(row: ParsedRow) -> ParsedRow:
    return replace(row, values={**row.values, "goes_with": "b"})


def accept_other_words(row: ParsedRow) -> ParsedRow:
    return replace(row, values={**row.values, "text": "qxzw vkj"}) if "text" in row.values else row


def weigh_first_gap(row: ParsedRow) -> ParsedRow:
    is_first = row.name in {"gap-1", "G1", "left-1"}
    return replace(row, values={**row.values, "points": 7}) if is_first else row


DEFECTS = (
    toggle_right,
    change_credit([1, 5]),
    change_credit([-1, 2]),
    widen,
    move_start,
    turn_pairs,
    accept_other_words,
    weigh_first_gap,
)


def compare_changed(data: bytes, format_: str, parsed_file: ParsedFile) -> SourceItem:
    (source_item,) = compare_file(data, format_, parsed_file).items
    return source_item


@pytest.mark.parametrize(("text", "format_", "codes"), NOTED)
def test_a_note_explains_what_it_says(text, format_, codes):
    source_item = read(text, format_)
    assert {note.code for note in source_item.notes} & codes == codes
    assert source_item.comparison is not None
    assert source_item.comparison.differences
    assert not source_item.comparison.has_surprise


@pytest.mark.parametrize(("text", "format_", "codes"), NOTED)
def test_a_defect_does_not_hide_behind_a_note_that_is_true(text, format_, codes):
    data = text.encode()
    parsed_file = FORMATS[format_].read(data, language="en")
    before = compare_changed(data, format_, parsed_file).comparison
    (source_item,) = parsed_file.items
    assert source_item.question is not None
    defects = [
        change_rows(parsed_file, table, defect)
        for table in source_item.question.tables
        for defect in DEFECTS
    ]
    if source_item.question.kind == "ordering":
        methods = {"all_or_nothing", "exact_place"} - {source_item.question.scoring_method}
        questions = (replace(source_item.question, scoring_method=name) for name in methods)
        defects = [
            replace(parsed_file, items=(replace(source_item, question=question),))
            for question in questions
        ]
    compared = (compare_changed(data, format_, defect).comparison for defect in defects)
    # A draft that cannot be scored, or a defect that changes no score, shows nothing.
    differing = [each for each in compared if each and each.compared > 1 and each != before]
    assert differing or text == TRUTH  # nothing is right there: no defect changes a score
    assert [each for each in differing if not each.has_surprise] == []


def test_a_second_option_that_is_wrong_in_the_file_does_not_hide_behind_several_right_ones():
    text = write_options("100", "100", "50", single=True)
    data = text.encode()
    parsed_file = FORMATS["moodle-xml"].read(data, language="en")
    (source_item,) = parsed_file.items
    assert source_item.question is not None

    def drop_weight(row: ParsedRow) -> ParsedRow:
        return replace(row, values={k: v for k, v in row.values.items() if k != "weight"})

    method = replace(source_item.question, scoring_method="all_or_nothing")
    changed = change_rows(
        replace(parsed_file, items=(replace(source_item, question=method),)), "options", drop_weight
    )
    comparison = compare_changed(data, "moodle-xml", changed).comparison
    assert comparison is not None
    assert comparison.has_surprise  # the half of the third option is lost, too


def test_answers_of_two_kinds_which_text2qti_refuses_are_not_compared():
    comparison = read("1. Who, and how many?\n* Ann\n= 3\n", "text2qti").comparison
    assert comparison is not None
    assert comparison.reason == "rule_unknown"


ORDERS = [
    ("ABSOLUTE_POSITION", "0213", Fraction(1, 2)),
    ("ALL_OR_NOTHING", "0213", Fraction(0)),
    ("RELATIVE_NEXT_EXCLUDE_LAST", "1230", Fraction(2, 3)),
    ("RELATIVE_NEXT_INCLUDE_LAST", "1230", Fraction(1, 2)),
    ("RELATIVE_NEXT_INCLUDE_LAST", "1023", Fraction(1, 2)),
    ("RELATIVE_ONE_PREVIOUS_AND_NEXT", "0132", Fraction(3, 8)),
    ("RELATIVE_ALL_PREVIOUS_AND_NEXT", "1023", Fraction(5, 6)),
    ("LONGEST_ORDERED_SUBSET", "1302", Fraction(1, 2)),
    ("LONGEST_ORDERED_SUBSET", "3210", Fraction(0)),
    ("LONGEST_CONTIGUOUS_SUBSET", "0213", Fraction(1, 2)),
    ("LONGEST_CONTIGUOUS_SUBSET", "3210", Fraction(0)),
    ("RELATIVE_TO_CORRECT", "3210", Fraction(1, 3)),
]


@pytest.mark.parametrize(("grading_type", "order", "share"), ORDERS)
def test_an_order_of_moodle_earns_what_its_grading_says(grading_type, order, share):
    (node,) = iterate_children(write_order(grading_type).encode())
    assert not isinstance(node, FileError)
    rules = read_order_rules(node)
    assert rules.compute({rules.slots[0].response: tuple(order)}) == share
    assert rules.compute({rules.slots[0].response: tuple("0123")}) == 1
