"""Answers that cost points: each format's word on it, as our scoring pays it, and the note."""

from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest

from grading.json_types import Json
from grading.totals import add_points, is_passed
from quizzes.formats import gift, moodle, qti2, qti3, qti12
from quizzes.formats.contract import (
    ImportStatus,
    ParsedFile,
    ScoreComparison,
    ScoreDifference,
    SourceItem,
)
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING
from quizzes.formats.qti12.condition_order import find_undoing_condition
from quizzes.formats.qti12.conditions import RespCondition, ResponseTest
from quizzes.source_scoring import compare_file
from tests.quizzes.imports.sample_answers import credit

END_BLANKS = "end_blanks_ignored"

THIRD = Fraction(1, 3)

GIFT = "::q::Which? {=right ~%-33.33333%wrong ~%-33.33333%other ~nothing}"
GIFT_MANY = "::q::Which? {~%50%a ~%50%b ~%-100%c}"


def moodle_xml(single: str, *answers: tuple[str, str]) -> str:
    options = "".join(
        f'<answer fraction="{share}"><text>{text}</text></answer>' for text, share in answers
    )
    return (
        '<quiz><question type="multichoice"><name><text>q</text></name>'
        f"<questiontext><text>Which?</text></questiontext><single>{single}</single>"
        f"{options}</question></quiz>"
    )


def moodle_cloze(text: str) -> str:
    return (
        '<quiz><question type="cloze"><name><text>q</text></name>'
        f"<questiontext><text>{text}</text></questiontext></question></quiz>"
    )


ONE = ("right", "100"), ("wrong", "-33.33333"), ("other", "-33.33333"), ("nothing", "0")


def qti2_item(declaration: str, body: str) -> str:
    return f"""<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1"
 identifier="q" title="q" adaptive="false" timeDependent="false">
<responseDeclaration identifier="RESPONSE" {declaration}</responseDeclaration>
<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
<itemBody>{body}</itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>
</assessmentItem>"""


def mapping(attributes: str, **points: str) -> str:
    entries = "".join(
        f'<mapEntry mapKey="{key.replace("_", " ")}" mappedValue="{earned}"/>'
        for key, earned in points.items()
    )
    return f"<mapping {attributes}>{entries}</mapping>"


def qti2_choice(cardinality: str, attributes: str, **points: str) -> str:
    choices = "".join(
        f'<simpleChoice identifier="{name}">{name}</simpleChoice>'
        for name in ("right", "wrong", "other", "nothing")
    )
    most = "1" if cardinality == "single" else "0"
    return qti2_item(
        f'cardinality="{cardinality}" baseType="identifier">{mapping(attributes, **points)}',
        f'<choiceInteraction responseIdentifier="RESPONSE" maxChoices="{most}">'
        f"<prompt>Which?</prompt>{choices}</choiceInteraction>",
    )


def qti12_item(decvar: str, texts: tuple[str, ...] = ("right", "wrong", "other", "nothing")) -> str:
    labels = "".join(
        f'<response_label ident="{text}"><material><mattext>{text}</mattext></material>'
        "</response_label>"
        for text in texts
    )
    scores = "".join(
        f'<respcondition continue="No"><conditionvar><varequal respident="r">{text}</varequal>'
        f'</conditionvar><setvar action="Set" varname="SCORE">{points}</setvar></respcondition>'
        for text, points in zip(texts, ("3", "-1", "-1"), strict=False)
    )
    return f"""<questestinterop><item ident="q" title="q"><presentation>
<material><mattext>Which?</mattext></material><response_lid ident="r" rcardinality="Single">
<render_choice>{labels}</render_choice></response_lid></presentation><resprocessing><outcomes>
<decvar varname="SCORE" vartype="Decimal" {decvar}/></outcomes>{scores}</resprocessing></item>
</questestinterop>"""


MAPPED = {"right": "3", "wrong": "-1", "other": "-1"}
ONE_OF_FOUR = [
    pytest.param(gift, GIFT, -THIRD, id="gift"),
    pytest.param(moodle, moodle_xml("true", *ONE), -THIRD, id="moodle"),
    pytest.param(qti12, qti12_item('maxvalue="3"'), -THIRD, id="qti-1.2"),
    pytest.param(qti12, qti12_item('minvalue="-0.5" maxvalue="3"'), -THIRD / 2, id="qti-1.2-min"),
    pytest.param(qti2, qti2_choice("single", "", **MAPPED), -THIRD, id="qti-2"),
    pytest.param(
        qti2, qti2_choice("single", 'lowerBound="-0.5"', **MAPPED), -THIRD / 2, id="qti-2-lower"
    ),
    pytest.param(
        qti2, qti2_choice("single", 'defaultValue="-1"', right="3", nothing="0"), -THIRD,
        id="qti-2-default",
    ),
]  # fmt: skip


def read(format_: ModuleType, text: str) -> SourceItem:
    item: SourceItem
    (item,) = format_.read(text.encode(), language="en").items
    return item


def notes(item: SourceItem) -> dict[str, dict[str, str | int]]:
    return {note.code: dict(note.detail) for note in item.notes}


def list_differences(comparison: ScoreComparison) -> list[ScoreDifference]:
    """Return the differences but those of answers with blanks to spare: `test_end_blanks.py`."""
    return [
        difference
        for difference in comparison.differences
        if all(part == " ".join(part.split()) for part in difference.answer)
    ]


def pay(item: SourceItem, raw: Json) -> Fraction:
    assert item.question is not None
    earned = credit(item.question, raw)
    assert isinstance(earned, Fraction)
    return earned


def choose(item: SourceItem, *texts: str) -> Fraction:
    """Return what choosing the options with these texts earns."""
    assert item.question is not None
    names = {
        words["en"]: row.name
        for row in item.question.tables["options"]
        for words in row.texts.values()
    }
    return pay(item, {"chosen": [names[text] for text in texts], "none_apply": False})


def fill(item: SourceItem, **words: str) -> Fraction:
    """Return what filling these gaps with these words earns."""
    assert item.question is not None
    tables = item.question.tables
    gaps = {str(row.values["placeholder"]): row.name for row in tables["gaps"]}
    names = {
        (row.values["gap"], words["en"]): row.name
        for row in tables["options"]
        for words in row.texts.values()
    }
    chosen = {
        gaps[gap.replace("_", "-")]: {"chosen": [names[gaps[gap.replace("_", "-")], word]]}
        for gap, word in words.items()
    }
    return pay(item, {"gaps": chosen})


@pytest.mark.parametrize(("format_", "text", "cost"), ONE_OF_FOUR)
def test_a_wrong_choice_costs_what_it_costs_in_the_file(format_, text, cost):
    item = read(format_, text)
    earned = [choose(item, name) for name in ("right", "wrong", "other", "nothing")]
    assert earned == [1, cost, cost, 0]
    assert notes(item) == {"score_below_zero": {"share": str(-cost)}}
    assert item.status == ImportStatus.IMPORTED


@pytest.mark.parametrize(("format_", "text"), [(gift, GIFT), (moodle, moodle_xml("true", *ONE))])
def test_eight_right_and_two_wrong_come_to_what_moodle_gives_and_do_not_pass(format_, text):
    item = read(format_, text)
    total = add_points((choose(item, name), 1) for name in [*["right"] * 8, "wrong", "other"])
    assert total == Fraction(22, 3)
    assert not is_passed(total, 10, Fraction(8, 10))


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (gift, GIFT_MANY),
        (moodle, moodle_xml("false", ("a", "50"), ("b", "50"), ("c", "-100"))),
    ],
    ids=["gift", "moodle"],
)
def test_a_choice_of_several_never_costs_in_moodle(format_, text):
    item = read(format_, text)
    assert [choose(item, *chosen) for chosen in ("c", "ac", "ab")] == [0, 0, 1]
    assert notes(item) == {}


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (qti12, qti12_item('minvalue="0" maxvalue="3"')),
        (qti2, qti2_choice("single", 'lowerBound="0"', **MAPPED)),
        (qti2, qti2_choice("multiple", 'lowerBound="0"', **MAPPED)),
    ],
    ids=["qti-1.2", "qti-2-single", "qti-2-multiple"],
)
def test_a_file_that_stops_at_zero_is_read_so(format_, text):
    item = read(format_, text)
    assert choose(item, "wrong") == 0
    assert notes(item) == {}


def test_qti_has_no_floor_unless_the_mapping_says_so():
    item = read(qti2, qti2_choice("multiple", "", **MAPPED))
    assert choose(item, "wrong", "other") == -2 * THIRD
    assert choose(item, "right", "wrong") == 2 * THIRD
    assert notes(item) == {"score_below_zero": {"share": "2/3"}}
    item = read(qti2, qti2_choice("multiple", 'lowerBound="-1"', **MAPPED))
    assert choose(item, "wrong", "other") == -THIRD


def test_an_option_that_costs_more_than_the_question_is_worth_is_told():
    item = read(qti2, qti2_choice("single", "", right="1", wrong="-2"))
    assert choose(item, "wrong") == -1
    assert notes(item).keys() == {"cost_limited", "score_below_zero"}
    assert item.status == ImportStatus.REVIEW
    item = read(qti2, qti2_choice("single", 'lowerBound="-1"', right="1", wrong="-2"))
    assert notes(item).keys() == {"score_below_zero"}


def test_a_choice_of_true_and_false_costs_as_any_other():
    item = read(qti12, qti12_item('maxvalue="3"', ("True", "False")))
    assert item.question is not None
    assert item.question.kind == "single_choice"
    assert choose(item, "False") == -THIRD


def test_gaps_of_moodle_cost_as_their_options_do():
    text = "{2:MULTICHOICE:=a~%-50%b~%50%c} {1:MULTICHOICE:=d~e}"
    item = read(moodle, moodle_cloze(text))
    assert fill(item, gap_1="b", gap_2="e") == -THIRD
    assert fill(item, gap_1="b", gap_2="d") == 0
    assert fill(item, gap_1="c", gap_2="d") == 2 * THIRD
    assert notes(item) == {"score_below_zero": {"share": "1/3"}}


def gap_match(attributes: str) -> str:
    pairs = mapping(attributes, w1_G1="2", w2_G2="1", w2_G1="-1")
    words = "".join(
        f'<gapText identifier="{name}" matchMax="1">{name}</gapText>' for name in ("w1", "w2", "w3")
    )
    return qti2_item(
        f'cardinality="multiple" baseType="directedPair">{pairs}',
        '<gapMatchInteraction responseIdentifier="RESPONSE" shuffle="false">'
        f'{words}<p>A <gap identifier="G1"/> b <gap identifier="G2"/></p></gapMatchInteraction>',
    )


@pytest.mark.parametrize(
    ("attributes", "lowest"),
    [
        ('defaultValue="-1"', -2 * THIRD),
        ('defaultValue="-1" lowerBound="-1"', -THIRD),
        ('defaultValue="-1" lowerBound="0"', Fraction(0)),
    ],
)
def test_gap_match_keeps_what_each_pair_earns_and_costs(attributes, lowest):
    item = read(qti2, gap_match(attributes))
    assert fill(item, G1="w1", G2="w2") == 1
    assert fill(item, G1="w1") == 2 * THIRD
    assert fill(item, G2="w2") == THIRD
    assert fill(item, G1="w1", G2="w3") == THIRD
    assert fill(item, G1="w2", G2="w1") == lowest
    expected = {"score_below_zero": {"share": str(-lowest)}} if lowest else {}
    assert notes(item) == expected


def test_gap_match_with_an_upper_bound_below_its_pairs_is_marked():
    assert "custom_response_processing" in notes(read(qti2, gap_match('upperBound="2"')))


@pytest.mark.parametrize(
    ("attributes", "bound"), [("", [-1, 1]), ('lowerBound="-1"', [-1, 2]), ('lowerBound="0"', None)]
)
def test_wrong_pairs_cost_as_far_as_the_mapping_lets_them(attributes, bound):
    sets = "".join(
        "<simpleMatchSet>"
        + "".join(
            f'<simpleAssociableChoice identifier="{name}" matchMax="1">{name}'
            "</simpleAssociableChoice>"
            for name in names
        )
        + "</simpleMatchSet>"
        for names in (("A", "B"), ("X", "Y"))
    )
    pairs = mapping(f'defaultValue="-1" {attributes}', A_X="1", B_Y="1")
    body = f'<matchInteraction responseIdentifier="RESPONSE">{sets}</matchInteraction>'
    item = read(qti2, qti2_item(f'cardinality="multiple" baseType="directedPair">{pairs}', body))
    assert item.question is not None
    assert item.question.scoring_method == "right_minus_wrong"
    assert item.question.fields.get("lower_bound") == bound
    assert ("score_below_zero" in notes(item)) == (bound is not None)


def qti2_inline_choice(points: str) -> str:
    choices = "".join(
        f'<inlineChoice identifier="{name}">{name}</inlineChoice>' for name in ("a", "b", "c")
    )
    return qti2_item(
        f'cardinality="single" baseType="identifier">{points}',
        '<p>Take <inlineChoiceInteraction responseIdentifier="RESPONSE">'
        f"{choices}</inlineChoiceInteraction>.</p>",
    )


@pytest.mark.parametrize(
    ("points", "earned"),
    [
        (mapping('defaultValue="-1"', a="2", b="1"), "1 1/2 -1/2"),
        (mapping('defaultValue="0.5"', a="-0.25", b="0"), "-1/2 0 1"),
        (mapping('defaultValue="0.5"', a="1", b="-1"), "1 -1 1/2"),
        (mapping('defaultValue="5"', a="1", b="-1", c="0"), "1 -1 0"),
        (mapping('defaultValue="0.5"'), "0 0 0"),  # all are right: for a person
    ],
)
def test_an_inline_choice_that_the_mapping_does_not_name_has_the_default(points, earned):
    item = read(qti2, qti2_inline_choice(points))
    assert [str(fill(item, RESPONSE=word)) for word in ("a", "b", "c")] == earned.split()
    assert (item.status == ImportStatus.REVIEW) == (earned == "0 0 0")


def test_options_that_earn_more_than_the_upper_bound_and_others_that_cost_are_marked():
    attributes = 'upperBound="1"'
    item = read(qti2, qti2_choice("multiple", attributes, right="1.5", wrong="-1"))
    assert "custom_response_processing" in notes(item)
    item = read(qti2, qti2_choice("multiple", attributes, right="1", other="1", wrong="-1"))
    assert [choose(item, "right", "wrong"), choose(item, "right", "other")] == [0, 1]
    item = read(qti2, qti2_choice("multiple", attributes, right="1.5", other="0.5"))
    assert [choose(item, "right"), choose(item, "other")] == [1, Fraction(1, 2)]


def test_a_gap_of_qti_1_2_whose_wrong_option_costs_has_one_right_option():
    responses = "".join(
        f'<response_lid ident="response_{gap}"><material><mattext>{gap}</mattext></material>'
        "<render_choice>"
        + "".join(
            f'<response_label ident="{gap}{name}"><material><mattext>{name}</mattext></material>'
            "</response_label>"
            for name in ("right", "wrong")
        )
        + "</render_choice></response_lid>"
        for gap in ("one", "two")
    )
    scores = "".join(
        f'<respcondition><conditionvar><varequal respident="response_{gap}">{gap}{name}</varequal>'
        f'</conditionvar><setvar action="Add" varname="SCORE">{points}</setvar></respcondition>'
        for gap, name, points in (("one", "right", 50), ("one", "wrong", -50), ("two", "right", 50))
    )
    item = read(
        qti12,
        f"""<questestinterop><item ident="q" title="q"><itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>multiple_dropdowns_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext>Take [one] and [two]</mattext></material>{responses}</presentation>
<resprocessing><outcomes><decvar varname="SCORE" vartype="Decimal" maxvalue="100"/></outcomes>
{scores}</resprocessing></item></questestinterop>""",
    )
    assert fill(item, one="right", two="right") == 1
    assert fill(item, one="wrong", two="right") == 0
    assert fill(item, one="wrong", two="wrong") == Fraction(-1, 2)
    assert notes(item) == {"score_below_zero": {"share": "1/2"}}


def moodle_typed(kind: str, *answers: tuple[str, str]) -> str:
    rows = "".join(
        f'<answer fraction="{share}"><text>{text}</text></answer>' for text, share in answers
    )
    return (
        f'<quiz><question type="{kind}"><name><text>q</text></name>'
        f"<questiontext><text>Which?</text></questiontext>{rows}</question></quiz>"
    )


def qti2_typed(base_type: str, attributes: str, **points: str) -> str:
    return qti2_item(
        f'cardinality="single" baseType="{base_type}">{mapping(attributes, **points)}',
        '<p>Which? <textEntryInteraction responseIdentifier="RESPONSE"/></p>',
    )


def qti12_typed(decvar: str) -> str:
    return (
        qti12_item(decvar, ("right", "wrong"))
        .replace("response_lid", "response_str")
        .replace("render_choice", "render_fib")
    )


TYPED = ("right", "100"), ("wrong", "-50"), ("*", "-10")
NUMBERS = ("7", "100"), ("8", "-50"), ("*", "-10")
TENTHS = {"right": "10", "wrong": "-5"}
COSTLY_TEXTS = [
    pytest.param(gift, "::q::Which? {=right =%-50%wrong =%-10%*}", "-1/10", id="gift"),
    pytest.param(moodle, moodle_typed("shortanswer", *TYPED), "-1/10", id="moodle"),
    pytest.param(
        moodle,
        moodle_cloze("In {1:SHORTANSWER:=right~%-50%wrong~%-10%*}."),
        "-1/10",
        id="moodle-cloze",
    ),
    pytest.param(qti2, qti2_typed("string", 'defaultValue="-1"', **TENTHS), "-1/10", id="qti-2"),
    pytest.param(qti2, qti2_typed("string", "", **TENTHS), "0", id="qti-2-no-default"),
]
COSTLY_NUMBERS = [
    pytest.param(gift, "::q::How many? {#=7 =%-50%8 =%-10%*}", "-1/10", id="gift"),
    pytest.param(moodle, moodle_typed("numerical", *NUMBERS), "-1/10", id="moodle"),
    pytest.param(moodle, moodle_cloze("In {1:NUMERICAL:=7~%-50%8}."), "0", id="moodle-cloze"),
    pytest.param(
        qti2,
        qti2_typed("float", 'defaultValue="-1"', right="10", wrong="-5")
        .replace('mapKey="right"', 'mapKey="7"')
        .replace('mapKey="wrong"', 'mapKey="8"'),
        "-1/10",
        id="qti-2",
    ),
]


def type_answer(item: SourceItem, text: str) -> Fraction:
    assert item.question is not None
    is_text = bool(item.question.tables.get("accepted"))
    raw: Json = {"text": text} if is_text else {"typed": text, "language": "en"}
    if item.question.kind == "cloze":
        raw = {"gaps": {item.question.tables["gaps"][0].name: raw}}
    return pay(item, raw)


@pytest.mark.parametrize(("format_", "text", "any_other"), COSTLY_TEXTS)
def test_a_typed_answer_costs_what_its_file_says(format_, text, any_other):
    item = read(format_, text)
    assert [str(type_answer(item, typed)) for typed in ("right", "wrong", "xyz", "")] == [
        "1",
        "-1/2",
        any_other,
        "0",
    ]
    assert {name: detail for name, detail in notes(item).items() if name != END_BLANKS} == {
        "score_below_zero": {"share": "1/2"}
    }


TOO_COSTLY = [
    pytest.param(
        qti2, qti2_typed("string", "", right="1", wrong="-2"), "negative_credit", id="qti-2"
    ),
    pytest.param(
        qti2,
        qti2_typed("string", 'defaultValue="-2"', right="1", wrong="-1"),
        "negative_credit",
        id="qti-2-default",
    ),
    pytest.param(
        qti2,
        qti2_typed("float", "", right="1", wrong="-2")
        .replace('mapKey="right"', 'mapKey="7"')
        .replace('mapKey="wrong"', 'mapKey="8"'),
        "negative_credit",
        id="qti-2-number",
    ),
    pytest.param(
        qti2, qti2_inline_choice(mapping("", a="1", b="-2")), "cost_limited", id="qti-2-inline"
    ),
    pytest.param(
        qti12, qti12_typed('maxvalue="3"').replace(">-1<", ">-9<"), "negative_credit", id="qti-1.2"
    ),
    pytest.param(
        moodle, moodle_cloze("In {1:SA:=right~%-200%wrong}."), "negative_credit", id="moodle"
    ),
    pytest.param(
        moodle, moodle_cloze("In {1:MC:=right~%-200%wrong}."), "cost_limited", id="moodle-menu"
    ),
]


@pytest.mark.parametrize(("format_", "text", "code"), TOO_COSTLY)
def test_an_answer_that_costs_more_than_its_question_is_worth_is_told_wherever_it_is_given(
    format_, text, code
):
    item = read(format_, text)
    assert code in notes(item)
    assert item.status == ImportStatus.REVIEW
    assert notes(item)["score_below_zero"] == {"share": "1"}
    (compared,) = compare_file(text.encode(), format_.name, ParsedFile(items=(item,))).items
    assert compared.comparison is not None
    assert compared.comparison.differences
    assert not compared.comparison.has_surprise


def qti12_words(decvar: str, *rules: tuple[str, str, str]) -> str:
    """Return a typed item; each rule is the attributes of its test, the words, what they set."""
    conditions = "".join(
        f'<respcondition continue="No"><conditionvar><varequal respident="r"{attributes}>{words}'
        f'</varequal></conditionvar><setvar action="Set" varname="SCORE">{points}</setvar>'
        "</respcondition>"
        for attributes, words, points in rules
    )
    before, _, rest = qti12_typed(decvar).partition("<respcondition")
    return before + conditions + rest[rest.rindex("</resprocessing>") :]


def test_an_item_of_which_every_answer_costs_has_no_right_one():
    item = read(qti12, qti12_words("", ("", "right", "-3"), ("", "wrong", "-1")))
    assert "custom_response_processing" in notes(item)
    assert item.status == ImportStatus.REVIEW


def test_capitals_count_in_qti_1_2_for_the_words_that_say_so_alone():
    rules = (' case="Yes"', "NaCl", "2"), ("", "table (salt)", "1"), ("", "gold", "-1")
    item = read(qti12, qti12_words("", *rules))
    typed = ("NaCl", "nacl", "Table (SALT)", "table salt", "Gold", "")
    assert [str(type_answer(item, text)) for text in typed] == ["1", "0", "1/2", "0", "-1/2", "0"]
    substring = qti12_words("", *rules).replace("varequal", "varsubstring")
    item = read(qti12, substring)
    assert [type_answer(item, text) for text in ("some NaCl", "nacl!")] == [1, 0]
    assert type_answer(item, "my Table (SALT) too") == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        (qti12_item('maxvalue="1"'), True),
        (qti12_typed('maxvalue="1"'), True),
        (qti12_words('maxvalue="1"', ("", "right", "3"), ("", "wrong", "2")), True),
        (qti12_words('maxvalue="1"', ("", "right", "100")), False),  # there is only everything
        (qti12_item('maxvalue="3"'), False),
    ],
)
def test_points_beyond_the_maximum_of_qti_1_2_are_told_where_shares_depend_on_it(text, is_told):
    item = read(qti12, text)
    assert ("maximum_score_ignored" in notes(item)) == is_told
    (compared,) = compare_file(text.encode(), "qti-1.2", ParsedFile(items=(item,))).items
    assert compared.comparison is not None
    assert bool(list_differences(compared.comparison)) == is_told
    assert not compared.comparison.has_surprise


@pytest.mark.parametrize(
    ("first", "second"),
    [('"Add"', '"Set"'), ('"Add"', '"Add" STOP'), ('"Set"', '"Add"'), ('"Add"', '"Add"')],
)
def test_several_choices_of_qti_1_2_add_up_unless_a_rule_undoes_another(first, second):
    conditions = "".join(
        f"<respcondition{' continue=' + chr(34) + 'No' + chr(34) if stops else ''}><conditionvar>"
        f'<varequal respident="r">{option}</varequal></conditionvar>'
        f'<setvar action={action} varname="SCORE">1</setvar></respcondition>'
        for option, action, stops in (
            ("right", first, "STOP" in second),
            ("other", second.removesuffix(" STOP"), False),
        )
    )
    before, _, rest = qti12_item('maxvalue="2"').partition("<respcondition")
    text = before + conditions + rest[rest.rindex("</resprocessing>") :]
    item = read(qti12, text.replace('rcardinality="Single"', 'rcardinality="Multiple"'))
    is_sum = second == '"Add"'
    assert ("custom_response_processing" in notes(item)) != is_sum
    if is_sum:
        assert choose(item, "right") == Fraction(1, 2)


def qti12_rules(item: str, *rules: tuple[str, str, str]) -> str:
    """Return an item with these rules: conditions, action, points."""
    conditions = "".join(
        f"<respcondition{' continue=' + chr(34) + 'No' + chr(34) if 'STOP' in action else ''}>"
        f"<conditionvar>{test}</conditionvar>"
        f'<setvar action="{action.split()[0]}" varname="SCORE">{points}</setvar></respcondition>'
        for test, action, points in rules
    )
    before, _, rest = item.partition("<respcondition")
    return before + conditions + rest[rest.rindex("</resprocessing>") :]


def chosen(option: str, response: str = "r") -> str:
    return f'<varequal respident="{response}">{option}</varequal>'


SEVERAL = qti12_item('maxvalue="2"').replace('rcardinality="Single"', 'rcardinality="Multiple"')
RIGHT, OTHER = (chosen("right"), "Add", "1"), (chosen("other"), "Add", "1")
NONE = "<not>{}</not>".format
NUMBERED = qti12_item('maxvalue="2"', ("1", "2", "3", "4")).replace(
    'rcardinality="Single"', 'rcardinality="Multiple"'
)
TWO_GAPS = """<questestinterop><item ident="q"><presentation><material><mattext>In </mattext>
</material><response_str ident="r"><render_fib/></response_str><material><mattext> and </mattext>
</material><response_str ident="s"><render_fib/></response_str></presentation>
<resprocessing><outcomes><decvar maxvalue="2"/></outcomes><respcondition/></resprocessing></item>
</questestinterop>"""
SOME = '<varsubstring respident="r">{}</varsubstring>'.format
WORDS = qti12_typed('maxvalue="1"')
OVERLAPPING = [
    ([(SOME("ri"), "Set", "1"), (chosen("right"), "Set", "0")], {"right": 0, "ripe": 1, "": 0}),
    ([(SOME("ri"), "Set STOP", "1"), (chosen("right"), "Set", "0")], {"right": 1, "ripe": 1}),
    ([(chosen("right"), "Set", "0"), (SOME("ri"), "Set", "1")], {"right": 1, "ripe": 1}),
    ([(chosen("right"), "Set", "1"), (chosen("wrong"), "Set", "0")], {"right": 1, "wrong": 0}),
    ([(SOME("ri"), "Add", "1"), (SOME("ht"), "Add", "1")], None),
    ([(SOME("ri"), "Add", "1"), (chosen("right"), "Set", "0")], None),
]


def between(low: str, high: str, signs: str = "gte lte") -> str:
    ends = zip(signs.split(), (low, high), strict=True)
    return "".join(f'<var{sign} respident="r">{end}</var{sign}>' for sign, end in ends)


NUMBER = WORDS.replace("<render_fib", '<render_fib fibtype="Decimal"')


@pytest.mark.parametrize(
    ("rules", "credits_"),
    [
        ([(between("1", "9"), "Set", "1"), (between("5", "6"), "Set", "0")], {"2": 1, "5": 0}),
        ([(between("1", "4"), "Add", "2"), (between("5", "6"), "Add", "1")], {"2": 1, "5": 1 / 2}),
        ([(between("1", "4"), "Add", "2"), (chosen("7"), "Add", "1")], {"4": 1, "7": 1 / 2}),
        ([(between("1", "4"), "Add", "2"), (between("4", "6"), "Add", "1")], None),
        ([(between("1", "4"), "Add", "2"), (chosen("4.0"), "Add", "1")], None),
    ],
)
def test_numbers_of_qti_1_2_in_two_ranges_are_for_a_person_unless_one_sets_the_score(
    rules, credits_
):
    text = qti12_rules(NUMBER, *rules)
    item = read(qti12, text)
    assert item.kind == "numeric"
    assert (CUSTOM_SCORING in notes(item)) == (credits_ is None)
    for typed, earned in (credits_ or {}).items():
        assert type_answer(item, typed) == earned


def test_ranges_of_qti_1_2_that_only_touch_are_apart():
    sets = chosen("3"), between("4", "6", "gte lt"), between("6", "8"), between("8", "9", "gt lte")
    text = qti12_rules(NUMBER, *((test, "Add", str(n)) for n, test in enumerate(sets, start=1)))
    assert CUSTOM_SCORING not in notes(read(qti12, text))


@pytest.mark.parametrize(("rules", "credits_"), OVERLAPPING)
def test_of_several_rules_of_qti_1_2_that_a_text_meets_the_last_to_set_the_score_counts(
    rules, credits_
):
    text = qti12_rules(WORDS, *rules)
    item = read(qti12, text)
    assert (CUSTOM_SCORING in notes(item)) == (credits_ is None)
    (compared,) = compare_file(text.encode(), "qti-1.2", ParsedFile(items=(item,))).items
    assert compared.comparison is not None
    assert list_differences(compared.comparison) == []
    for typed, earned in (credits_ or {}).items():
        assert type_answer(item, typed) == earned


UNDOING = [
    pytest.param(SEVERAL, [RIGHT, OTHER, (chosen("wrong"), "Set", "0")], True, id="last"),
    pytest.param(SEVERAL, [(chosen("wrong"), "Set", "0"), RIGHT, OTHER], False, id="first"),
    pytest.param(SEVERAL, [(chosen("wrong"), "Set STOP", "0"), RIGHT, OTHER], True, id="stop"),
    pytest.param(SEVERAL, [RIGHT, OTHER, ("<other/>", "Set", "0")], False, id="other"),
    pytest.param(SEVERAL, [RIGHT, OTHER, ("", "Set", "0")], True, id="always"),
    pytest.param(
        SEVERAL,
        [RIGHT, OTHER, ('<unanswered respident="r"/>', "Set", "0")],
        False,
        id="unanswered",
    ),
    pytest.param(
        SEVERAL,
        [
            (
                chosen("right") + chosen("other") + NONE(chosen("wrong")) + NONE(chosen("nothing")),
                "Set",
                "2",
            ),
            (chosen("wrong"), "Set", "0"),
            (NONE(chosen("right")), "Set", "0"),
        ],
        False,
        id="excluded",
    ),
    pytest.param(
        SEVERAL,
        [(chosen("right") + chosen("other"), "Set", "2"), (chosen("wrong"), "Set", "0")],
        True,
        id="whole",
    ),
    pytest.param(
        NUMBERED,
        [(chosen("1"), "Add", "1"), (chosen("2"), "Add", "1"), (chosen("3"), "Set", "0")],
        True,
        id="numbered",
    ),
    pytest.param(
        TWO_GAPS,
        [
            (chosen("salt"), "Add", "1"),
            (chosen("iron"), "Set", "0"),
            (chosen("gold", "s"), "Add", "1"),
            (chosen("tin", "s"), "Add", "0"),
        ],
        False,
        id="gap",
    ),
    pytest.param(
        TWO_GAPS,
        [
            (chosen("salt"), "Add", "1"),
            (chosen("gold", "s"), "Add", "1"),
            (chosen("tin", "s"), "Set", "0"),
        ],
        True,
        id="other-gap",
    ),
]


EXACT = '<varequal respident="r" case="Yes">{}</varequal>'.format
TEXT_VALUES = [
    # Of words, 1 and 01 are two, and whoever types one does not type the other.
    (WORDS, chosen("1"), chosen("01"), True),
    (WORDS, chosen("3.0"), chosen("3"), True),
    (WORDS, EXACT("pH"), EXACT("PH"), True),
    (WORDS, EXACT("pH"), chosen("PH"), False),
    (WORDS, chosen("1"), chosen("1"), False),
    # Of numbers, they are one.
    (NUMBER, chosen("1"), chosen("01"), False),
    (NUMBER, chosen("3.0"), chosen("3"), False),
    (NUMBER, chosen("1"), chosen("2"), True),
]


@pytest.mark.parametrize(("item_text", "first", "second", "are_apart"), TEXT_VALUES)
def test_values_of_qti_1_2_are_equal_as_the_answer_is_compared(item_text, first, second, are_apart):
    text = qti12_rules(item_text, (first, "Add", "1"), (second, "Add", "1"))
    assert (CUSTOM_SCORING in notes(read(qti12, text))) != are_apart


def scoring(line: int, test: ResponseTest, points: int) -> RespCondition:
    """Return a condition of one test that adds points, or sets the score to 0."""
    return RespCondition(
        line,
        ((test,),),
        holds_always=False,
        points=Fraction(points),
        sets_score=not points,
        feedback=(),
        stops=False,
        is_fallback=False,
        unanswered=frozenset(),
    )


REFUSED_VALUES = [
    (ResponseTest("r", "=", "1"), ResponseTest("r", "=", "1", must_hold=False), True),
    # What is 1 in words is not 01; as a number, it is.
    (ResponseTest("r", "=", "1"), ResponseTest("r", "=", "01", must_hold=False), False),
    (
        ResponseTest("r", "=", "1", is_number=True),
        ResponseTest("r", "=", "01", must_hold=False, is_number=True),
        True,
    ),
    (ResponseTest("r", "=", "pH"), ResponseTest("r", "=", "PH", must_hold=False), True),
    (ResponseTest("r", "=", "pH"), ResponseTest("r", "=", "pH", case=True, must_hold=False), False),
    (ResponseTest("r", "=", "pH", case=True), ResponseTest("r", "=", "PH", must_hold=False), True),
    (
        ResponseTest("r", "=", "pH", case=True),
        ResponseTest("r", "=", "PH", case=True, must_hold=False),
        False,
    ),
]


@pytest.mark.parametrize(("accepting", "refusing", "are_apart"), REFUSED_VALUES)
def test_a_refused_value_of_qti_1_2_is_no_other_word(accepting, refusing, are_apart):
    first, second = scoring(1, accepting, 1), scoring(2, refusing, 0)
    expected = None if are_apart else second
    assert find_undoing_condition([first, second], {"r": "single"}) is expected


def test_of_several_values_of_qti_1_2_one_may_have_the_part_and_another_be_the_whole():
    part, in_full = ResponseTest("r", "in", "righ"), ResponseTest("r", "=", "wrong")
    first, second = scoring(1, part, 1), scoring(2, in_full, 0)
    assert find_undoing_condition([first, second], {"r": "multiple"}) == second
    assert find_undoing_condition([first, second], {"r": "single"}) is None


@pytest.mark.parametrize(("item_text", "rules", "undoes"), UNDOING)
def test_a_rule_of_qti_1_2_that_sets_the_score_anew_is_no_addition(item_text, rules, undoes):
    text = qti12_rules(item_text, *rules)
    item = read(qti12, text)
    assert (CUSTOM_SCORING in notes(item)) == undoes
    (compared,) = compare_file(text.encode(), "qti-1.2", ParsedFile(items=(item,))).items
    assert compared.comparison is not None
    assert list_differences(compared.comparison) == []
    assert compared.comparison.reason == ("custom_scoring" if undoes else "")
    if undoes:
        assert item.status == ImportStatus.REVIEW


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        (gift, "::q::Which? {=right =%-10%*#no =wrong}"),
        (gift, "::q::Which? {#=7 =%-10%* =8}"),
        (gift, "::q::Which? {=right =%0%*#no =wrong}"),
        (gift, "::q::Which? {#=7 ~#no =8}"),
        (moodle, moodle_typed("shortanswer", ("right", "100"), ("*", "0"), ("wrong", "50"))),
        (moodle, moodle_typed("numerical", ("7", "100"), ("*", "0"), ("8", "50"))),
        (moodle, moodle_typed("numerical", ("7", "100"), ("*", "-10"), ("8", "50"))),
    ],
)
def test_no_answer_counts_after_one_that_takes_anything_as_in_moodle(format_, text):
    item = read(format_, text)
    assert "duplicate_answer_left_out" in notes(item)
    words = ("7", "8", "9") if "8" in text else ("right", "wrong", "xyz")
    any_other = Fraction(-1, 10) if "-10" in text else 0
    assert [type_answer(item, word) for word in words] == [1, any_other, any_other]
    (compared,) = compare_file(text.encode(), format_.name, ParsedFile(items=(item,))).items
    assert compared.comparison is not None
    assert compared.comparison.compared > 1
    assert not compared.comparison.differences


@pytest.mark.parametrize(
    ("number", "meant"),
    [
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("+1e3", "1e3"),
        ("0,25", "0.25"),
        ("0,125", "0.125"),  # no thousand begins with a zero
        ("1,234", None),  # Moodle of an English site reads 1234, of a Spanish one 1.234
        ("-12,345", None),
    ],
)
def test_a_key_of_moodle_is_the_number_that_it_is_everywhere(number, meant):
    item = read(moodle, moodle_typed("numerical", (number, "100")))
    assert item.question is not None
    rows = item.question.tables.get("numbers", ())
    assert [row.values["value"] for row in rows] == ([meant] if meant else [])
    assert ("number_unreadable" in notes(item)) == (meant is None)
    if "," not in number:
        item = read(gift, f"::q::How many? {{#{number}:.25}}")
        assert item.question is not None
        (row,) = item.question.tables["numbers"]
        assert (row.values["value"], row.values["margin"]) == (meant, "0.25")


@pytest.mark.parametrize(("format_", "text", "any_other"), COSTLY_NUMBERS)
def test_a_typed_number_costs_what_its_file_says(format_, text, any_other):
    item = read(format_, text)
    assert [str(type_answer(item, typed)) for typed in ("7", "8", "-9", "")] == [
        "1",
        "-1/2",
        any_other,
        "0",
    ]
    assert notes(item) == {"score_below_zero": {"share": "1/2"}}


@pytest.mark.parametrize(
    ("decvar", "wrong"), [('maxvalue="3"', "-1/3"), ('minvalue="0" maxvalue="3"', "0")]
)
def test_a_typed_answer_of_qti_12_costs_as_far_as_its_score_goes(decvar, wrong):
    item = read(qti12, qti12_typed(decvar))
    assert str(type_answer(item, "wrong")) == wrong


@pytest.mark.parametrize("format_", [gift, moodle, qti2, qti12])
def test_what_a_typed_answer_costs_is_written_and_read_again(format_):
    texts = read(moodle, moodle_typed("shortanswer", *TYPED[:2])).question
    numbers = read(moodle, moodle_typed("numerical", *NUMBERS[:2])).question
    assert texts is not None
    assert numbers is not None
    named = replace(numbers, name="n")
    questions = ParsedFile(
        items=tuple(
            SourceItem(1, 1, each.name, each.kind, ImportStatus.IMPORTED, each)
            for each in (texts, named)
        )
    )
    exported = format_.write(questions, language="en")
    first, second = format_.read(exported.data, language="en").items
    assert [str(type_answer(first, text)) for text in ("right", "wrong")] == ["1", "-1/2"]
    assert [str(type_answer(second, text)) for text in ("7", "8")] == ["1", "-1/2"]


def qti2_matching(attributes: str, **points: str) -> str:
    sets = "".join(
        "<simpleMatchSet>"
        + "".join(
            f'<simpleAssociableChoice identifier="{name}" matchMax="9">{name}'
            "</simpleAssociableChoice>"
            for name in names
        )
        + "</simpleMatchSet>"
        for names in (("a", "b"), ("x", "y"))
    )
    return qti2_item(
        f'cardinality="multiple" baseType="directedPair">{mapping(attributes, **points)}',
        f'<matchInteraction responseIdentifier="RESPONSE" maxAssociations="2"><prompt>Which?'
        f"</prompt>{sets}</matchInteraction>",
    )


def pair(item: SourceItem, **pairs: str) -> Fraction:
    assert item.question is not None
    tables = item.question.tables
    lefts, rights = (
        {words["en"]: row.name for row in tables[side] for words in row.texts.values()}
        for side in ("lefts", "rights")
    )
    return pay(item, {"pairs": {lefts[left]: rights[right] for left, right in pairs.items()}})


UNEQUAL = {"a_x": "3", "b_y": "1"}


@pytest.mark.parametrize(
    ("attributes", "points", "one_wrong", "all_wrong"),
    [
        ("", UNEQUAL, "3/4", "0"),
        ("", {**UNEQUAL, "a_y": "-3", "b_x": "-1"}, "1/2", "-1"),
        ('lowerBound="0"', {**UNEQUAL, "a_y": "-3", "b_x": "-1"}, "1/2", "0"),
    ],
)
def test_each_pair_of_a_mapping_earns_its_own_points(attributes, points, one_wrong, all_wrong):
    item = read(qti2, qti2_matching(attributes, **points))
    for format_ in (qti2, qti3):
        assert str(pair(item, a="x", b="y")) == "1"
        assert str(pair(item, a="x")) == "3/4"
        assert str(pair(item, b="y")) == "1/4"
        assert str(pair(item, a="x", b="x")) == one_wrong
        assert str(pair(item, a="y", b="x")) == all_wrong
        assert CUSTOM_SCORING not in notes(item)
        exported = format_.write(ParsedFile(items=(item,)), language="en")
        (item,) = format_.read(exported.data, language="en").items


def test_a_wrong_pair_that_costs_something_else_is_named():
    item = read(qti2, qti2_matching('defaultValue="-2"', **UNEQUAL))
    assert CUSTOM_SCORING in notes(item)
    assert str(pair(item, a="x", b="x")) == "3/4"


def test_pairs_of_qti_12_keep_their_points():
    item = read(qti2, qti2_matching("", **UNEQUAL))
    exported = qti12.write(ParsedFile(items=(item,)), language="en")
    (again,) = qti12.read(exported.data, language="en").items
    assert [str(pair(again, a="x")), str(pair(again, b="y"))] == ["3/4", "1/4"]


@pytest.mark.parametrize("format_", [gift, moodle])
def test_a_format_without_points_of_pairs_warns(format_):
    item = read(qti2, qti2_matching("", **UNEQUAL))
    exported = format_.write(ParsedFile(items=(item,)), language="en")
    assert ("setting_left_out", {"part": "points"}) in [
        (warning.code, dict(warning.detail)) for warning in exported.warnings
    ]
