"""Statements and orders that cost, and sheets: read as meant, written, or told, in every format."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from types import ModuleType

import pytest

from grading.json_types import Json
from quizzes.formats import FORMATS, WRITERS, csv_sheet, moodle, qti2, qti12
from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    SourceChoice,
    build_numeric,
    build_ordering,
    build_short_text,
    build_true_false,
    settle_choice,
)
from quizzes.formats.contract import (
    ImportStatus,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.source_scoring import compare_file
from tests.quizzes.formats.test_penalties import mapping, qti2_item
from tests.quizzes.imports import sample_answers

HALF, ONE = Fraction(1, 2), Fraction(1)
HEAD = Head(1, "q", "en", "Which?")
BOUND = {"lower_bound": [-1, 1]}
NEVER_BELOW = Fraction(0)


def credit(question: ParsedQuestion, raw: Json) -> Fraction:
    earned = sample_answers.credit(question, raw)
    assert isinstance(earned, Fraction)
    return earned


def list_choice_credits(question: ParsedQuestion) -> dict[str, Fraction]:
    """Return what choosing each option earns, by its words."""
    return {
        texts["en"]: credit(question, {"chosen": [row.name], "none_apply": False})
        for row in question.tables["options"]
        for text, texts in row.texts.items()
        if not text.is_feedback
    }


def list_order_credits(question: ParsedQuestion) -> dict[str, Fraction]:
    """Return what each order earns, by the words of its items."""
    words = {row.name: next(iter(row.texts.values()))["en"] for row in question.tables["items"]}
    return {
        " ".join(words[name] for name in order): credit(question, {"order": list(order)})
        for order in permutations(words)
    }


def list_typed_credits(question: ParsedQuestion) -> dict[str, Fraction]:
    """Return what each of some answers earns."""
    is_number = question.kind == "numeric"
    typed = ("7", "8", "9") if is_number else ("Paris", "Lyon", "Rome")
    return {
        text: credit(question, {"typed": text, "language": "en"} if is_number else {"text": text})
        for text in typed
    }


LIST_CREDITS = {
    "numeric": list_typed_credits,
    "ordering": list_order_credits,
    "short_text": list_typed_credits,
    "single_choice": list_choice_credits,
    "true_false": list_choice_credits,
}


def build_costly_questions() -> Iterator[ParsedQuestion]:
    weights = {True: ONE, False: -HALF}
    yield build_true_false(HEAD, right=True, weights=weights, lower_bound=[-1, 2])
    yield build_true_false(HEAD, right=True, weights=weights, lower_bound=[-1, 4])
    yield build_true_false(HEAD, right=False, weights={True: HALF, False: ONE})
    for method in ("all_or_nothing", "exact_place", "adjacent_pairs"):
        yield build_ordering(
            HEAD, ["one", "two", "three"], scoring_method=method, penalty=[1, 2], **BOUND
        )
    yield build_ordering(HEAD, ["one", "two"], scoring_method="exact_place", penalty=[1, 1])
    options = [Option("right", weight=ONE), Option("wrong", weight=-HALF)]
    yield settle_choice(HEAD, SourceChoice(options, many=False, lower_bound=None))[0]
    yield build_short_text(HEAD, [Accepted("Paris"), Accepted("Lyon", -HALF)], **BOUND)
    yield build_numeric(HEAD, [Number("7"), Number("8", credit=-HALF)], bound=BOUND)


COSTLY = list(build_costly_questions())
TOLD = {
    "kind_not_held",
    "lower_bound_left_out",
    "scoring_method_left_out",
    "setting_left_out",
    "share_not_offered",
}
"""Warnings that say that answers may earn something else there."""


@pytest.mark.parametrize("format_", WRITERS)
@pytest.mark.parametrize("at", range(len(COSTLY)))
def test_what_answers_cost_comes_back_or_is_told(format_, at):
    question = COSTLY[at]
    source_item = SourceItem(1, 1, "q", "", ImportStatus.IMPORTED, question)
    export = WRITERS[format_].write(ParsedFile("b", items=(source_item,)), language="en")
    codes = {warning.code for warning in export.warnings}
    parsed = FORMATS[format_].read(export.data, language="en") if export.data else ParsedFile()
    if not parsed.questions:
        assert codes & {"kind_not_held"}
        return
    (back,) = parsed.questions
    if back.kind != question.kind:
        assert codes & (TOLD | {"statement_as_choice"})
    before = LIST_CREDITS[question.kind](question)
    is_same = back.kind in LIST_CREDITS and LIST_CREDITS[back.kind](back) == before
    assert is_same or codes & TOLD
    if format_ in {"ochenta-bank/1", "csv", "xlsx"}:
        assert is_same
    (item,) = compare_file(export.data, format_, parsed).items
    assert item.comparison is None or not item.comparison.has_surprise


HELD = {
    "gift": {"true_false", "single_choice", "short_text", "numeric"},
    "moodle-xml": {"true_false", "single_choice", "short_text", "numeric"},
    "qti-1.2": {"true_false", "single_choice", "short_text", "numeric", "all_or_nothing"},
    "qti-2": {"true_false", "single_choice", "short_text", "numeric", "all_or_nothing"},
    "qti-3": {"true_false", "single_choice", "short_text", "numeric", "all_or_nothing"},
}
"""What of it the other programs' formats hold: kinds, and scoring methods of orders."""


@pytest.mark.parametrize("format_", HELD)
def test_costs_are_kept_where_the_format_has_a_place_for_them(format_):
    for question in COSTLY:
        is_order = question.kind == "ordering"
        if (question.scoring_method if is_order else question.kind) not in HELD[format_]:
            continue
        source_item = SourceItem(1, 1, "q", "", ImportStatus.IMPORTED, question)
        export = WRITERS[format_].write(ParsedFile("b", items=(source_item,)), language="en")
        (back,) = FORMATS[format_].read(export.data, language="en").questions
        assert LIST_CREDITS[back.kind](back) == LIST_CREDITS[question.kind](question)


TRUTHS = "".join(
    f'<simpleChoice identifier="{truth}">{truth}</simpleChoice>' for truth in ("true", "false")
)
STATEMENT = (
    '<choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">'
    f"<prompt>So?</prompt>{TRUTHS}</choiceInteraction>"
)


def qti2_statement(attributes: str) -> str:
    points = mapping(attributes, true="2", false="-1")
    return qti2_item(f'cardinality="single" baseType="identifier">{points}', STATEMENT)


QTI12_STATEMENT = """<questestinterop><item ident="q" title="q"><itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>true_false_question</fieldentry>
</qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext>So?</mattext>
</material><response_lid ident="r" rcardinality="Single"><render_choice>
<response_label ident="1"><material><mattext>True</mattext></material></response_label>
<response_label ident="2"><material><mattext>False</mattext></material></response_label>
</render_choice></response_lid></presentation><resprocessing><outcomes>
<decvar varname="SCORE" vartype="Decimal" maxvalue="2" minvalue="-2"/></outcomes>
<respcondition continue="No"><conditionvar><varequal respident="r">1</varequal></conditionvar>
<setvar action="Set" varname="SCORE">2</setvar></respcondition>
<respcondition continue="No"><conditionvar><varequal respident="r">2</varequal></conditionvar>
<setvar action="Set" varname="SCORE">-1</setvar></respcondition></resprocessing></item>
</questestinterop>"""


@pytest.mark.parametrize(
    ("format_", "text", "cost"),
    [
        (qti2, qti2_statement(""), -HALF),
        (qti2, qti2_statement('lowerBound="-0.5"'), Fraction(-1, 4)),
        (qti2, qti2_statement('lowerBound="0"'), NEVER_BELOW),
        (qti12, QTI12_STATEMENT, -HALF),
    ],
    ids=["qti-2", "qti-2-lower", "qti-2-zero", "qti-1.2"],
)
def test_a_wrong_statement_costs_what_it_costs_in_the_file(
    format_: ModuleType, text: str, cost: Fraction
) -> None:
    parsed = format_.read(text.encode(), language="en")
    (item,) = compare_file(text.encode(), format_.name, parsed).items
    assert item.question is not None
    assert item.question.kind == "true_false"
    assert sorted(list_choice_credits(item.question).values()) == [cost, 1]
    assert ("score_below_zero" in {note.code for note in item.notes}) == (cost < 0)
    assert item.comparison is not None
    assert (item.comparison.compared > 1, item.comparison.differences) == (True, ())


def test_moodle_reads_no_cost_of_true_or_false_and_nor_do_we_but_say_so():
    text = (
        '<quiz><question type="truefalse"><name><text>q</text></name><questiontext><text>So?</text>'
        '</questiontext><answer fraction="100"><text>true</text></answer>'
        '<answer fraction="-50"><text>false</text></answer></question></quiz>'
    )
    (item,) = compare_file(text.encode(), "moodle-xml", moodle.read(text.encode())).items
    assert item.question is not None
    assert sorted(list_choice_credits(item.question).values()) == [0, 1]
    assert [(note.code, note.quote) for note in item.notes] == [("share_without_effect", "-50")]
    assert item.comparison is not None
    assert (item.comparison.compared, item.comparison.differences) == (3, ())


ORDER_RULES = """<responseProcessing><responseCondition>{empty}<response{branch}><match>
<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">2</baseValue></setOutcomeValue>
</response{branch}><responseElse><setOutcomeValue identifier="SCORE">
<baseValue baseType="float">-1</baseValue></setOutcomeValue></responseElse></responseCondition>
</responseProcessing>"""
EMPTY = """<responseIf><isNull><variable identifier="RESPONSE"/></isNull>
<setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue></setOutcomeValue>
</responseIf>"""


def qti2_order(*, handles_empty: bool) -> bytes:
    values = "".join(f"<value>{name}</value>" for name in "abc")
    choices = "".join(f'<simpleChoice identifier="{name}">{name}</simpleChoice>' for name in "abc")
    item = qti2_item(
        f'cardinality="ordered" baseType="identifier"><correctResponse>{values}</correctResponse>',
        f'<orderInteraction responseIdentifier="RESPONSE">{choices}</orderInteraction>',
    )
    rules = ORDER_RULES.format(
        empty=EMPTY if handles_empty else "", branch="ElseIf" if handles_empty else "If"
    )
    start, _, _ = item.partition("<responseProcessing")
    return f"{start}{rules}</assessmentItem>".encode()


def test_a_wrong_order_costs_what_it_costs_in_the_file():
    data = qti2_order(handles_empty=True)
    (item,) = compare_file(data, "qti-2", qti2.read(data, language="en")).items
    assert item.question is not None
    credits_ = list_order_credits(item.question)
    assert credits_.pop("a b c") == 1
    assert set(credits_.values()) == {-HALF}
    assert {note.code for note in item.notes} == {"score_below_zero"}
    assert item.comparison is not None
    assert (item.comparison.compared > 1, item.comparison.differences) == (True, ())


def test_an_order_of_which_no_answer_costs_too_is_a_rule_of_its_own():
    data = qti2_order(handles_empty=False)
    (item,) = compare_file(data, "qti-2", qti2.read(data, language="en")).items
    assert "custom_response_processing" in {note.code for note in item.notes}
    assert item.comparison is not None
    assert item.comparison.reason == "custom_scoring"


SHEET = """Kind,Question,Correct,A,B,Weight A,Weight B,Scoring,Settings
short text,Capital?,Paris; Lyon=-50%; Rome=\N{MINUS SIGN}1/3%,,,,,,lower_bound=-50%
number,How many?,7; 8=-50%,,,,,,lower_bound=-50%
single choice,Which?,A,x,y,100%,-50%,option_weights,lower_bound=-1/3%
true or false,So?,true,,,100%,\N{MINUS SIGN}50%,,lower_bound=-1%
"""


def test_a_sheet_names_what_costs():
    short, number, single, statement = csv_sheet.read(SHEET.encode(), language="en").questions
    assert list_typed_credits(short) == {"Paris": 1, "Lyon": -HALF, "Rome": -Fraction(1, 3)}
    assert list_typed_credits(number) == {"7": 1, "8": -HALF, "9": 0}
    assert list_choice_credits(single) == {"x": 1, "y": -Fraction(1, 3)}
    assert sorted(list_choice_credits(statement).values()) == [-Fraction(1, 100), 1]


def test_a_sheet_without_a_lowest_score_takes_nothing_away():
    sheet = "\n".join(line.partition("lower_bound")[0] for line in SHEET.splitlines())
    for question in csv_sheet.read(sheet.encode(), language="en").questions:
        assert min(LIST_CREDITS[question.kind](question).values()) == 0
