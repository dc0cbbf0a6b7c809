"""The same typed question, written in every format that can hold it, scores alike.

What a program compares is in its code or its documentation: Moodle's short answer (and GIFT, which
makes one), Canvas's short answer (of QTI 1.2 and text2qti), Open edX's text input and H5P's blanks
trim what is typed and compare the rest sign by sign; capitals count in the last two unless the
author says otherwise, in the others the other way round. QTI's `stringMatch` and `mapEntry` say
themselves whether capitals count. Only Moodle has a star for any text. None of them takes one
kind of quotes or dashes for another. A sheet is our own format: what it does not say is as an
author's default for words; there a star is a wildcard, too.
"""

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import pytest

from quizzes.formats import (
    csv_sheet,
    gift,
    h5p,
    moodle,
    olx,
    qti2,
    qti3,
    qti12,
    text2qti,
    xlsx,
)
from quizzes.formats.contract import ParsedQuestion
from tests.quizzes.formats.h5p.packages import package
from tests.quizzes.imports.sample_answers import credit
from tests.quizzes.imports.workbooks import workbook

SAME, NO, CASE, STAR = "always", "never", "unless case counts", "with wildcards"
BLANKS, SIGNS = "unless each blank counts", "unless punctuation around it counts"
KEY = "Perú a*b  c!"
ANSWERS = {
    "Perú a*b  c!": SAME,
    "  Perú a*b  c!  ": SAME,
    "\tPerú a*b  c!\n": SAME,
    "Peru\u0301 a*b  c!": SAME,  # composed or not: the same letter
    "perú a*b  c!": CASE,
    "PERÚ A*B  C!": CASE,
    "Peru a*b  c!": NO,
    "Pérú a*b  c!": NO,
    "Perú a*b c!": BLANKS,
    "Perú  a*b  c!": BLANKS,
    "Perúa*b  c!": NO,
    "Perú a*b  c": SIGNS,
    "Perú a*b  c.": SIGNS,
    "Perú a*b  c!!": SIGNS,
    "¡Perú a*b  c!": SIGNS,
    "Perú, a*b  c!": NO,
    "Perú a-b  c!": STAR,
    "Perú ab  c!": STAR,
    "Perú aXYb  c!": STAR,
    "Perú a b  c!": STAR,
    "x Perú a*b  c!": NO,
    "Perú a*b  c! x": NO,
    "a*b": NO,
    "*": NO,
}
"""What is typed, and when it is right."""


def moodle_xml(key: str, usecase: int) -> bytes:
    return (
        "<quiz><question type='shortanswer'><name><text>q</text></name><questiontext><text>Where?"
        f"</text></questiontext><usecase>{usecase}</usecase><answer fraction='100'><text>{key}"
        "</text></answer></question></quiz>"
    ).encode()


def moodle_gap(key: str, name: str) -> bytes:
    return (
        "<quiz><question type='cloze'><name><text>q</text></name><questiontext format='markdown'>"
        f"<text>In {{1:{name}:={key}}}</text></questiontext></question></quiz>"
    ).encode()


def olx_problem(type_: str) -> bytes:
    return (
        f"<problem><stringresponse answer='{KEY}' type='{type_}'><label>Where?</label>"
        "<textline/></stringresponse></problem>"
    ).encode()


def qti12_item(case: str) -> bytes:
    return f"""<questestinterop><item ident="q" title="q"><itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>short_answer_question
</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material>
<mattext>Where?</mattext></material><response_str ident="r" rcardinality="Single"><render_fib>
<response_label ident="a"/></render_fib></response_str></presentation><resprocessing><outcomes>
<decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="No"><conditionvar><varequal respident="r"{case}>{KEY}</varequal>
</conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
</item></questestinterop>""".encode()


def qti2_item(case: str) -> bytes:
    return f"""<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="q"
title="q" adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE"
cardinality="single" baseType="string"><mapping defaultValue="0"><mapEntry mapKey="{KEY}"
mappedValue="1" caseSensitive="{case}"/></mapping></responseDeclaration><outcomeDeclaration
identifier="SCORE" cardinality="single" baseType="float"/><itemBody><p>Where?
<textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody><responseProcessing
template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>
""".encode()


def qti3_item(case: str) -> bytes:
    return f"""<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
identifier="q" title="q" adaptive="false" time-dependent="false"><qti-response-declaration
identifier="RESPONSE" cardinality="single" base-type="string"><qti-correct-response><qti-value>{KEY}
</qti-value></qti-correct-response></qti-response-declaration><qti-outcome-declaration
identifier="SCORE" cardinality="single" base-type="float"/><qti-item-body><p>Where?
<qti-text-entry-interaction response-identifier="RESPONSE"/></p></qti-item-body>
<qti-response-processing><qti-response-condition><qti-response-if><qti-string-match
case-sensitive="{case}"><qti-variable identifier="RESPONSE"/><qti-base-value
base-type="string">{KEY}
</qti-base-value></qti-string-match><qti-set-outcome-value identifier="SCORE"><qti-base-value
base-type="float">1</qti-base-value></qti-set-outcome-value></qti-response-if>
</qti-response-condition></qti-response-processing></qti-assessment-item>""".replace(
        "\n</qti-", "</qti-"
    ).encode()


STRICT = "sort=words; spaces=counted; punctuation=counted; typography=counted"


def sheet(key: str, settings: str) -> list[list[str]]:
    return [
        ["kind", "question", "correct", "settings"],
        ["short text", "Where?", key, settings],
    ]


def write_csv(key: str, settings: str = "") -> bytes:
    return "\n".join("\t".join(row) for row in sheet(key, settings)).encode()


def h5p_blanks(*, case: bool, key: str = KEY) -> bytes:
    # A star is written twice where it does not begin or end a gap; in a gap there is none.
    key = key.replace("*", "+")
    params = {
        "text": "<p>Fill in</p>",
        "questions": [f"<p>In *{key}*</p>"],
        "behaviour": {"caseSensitive": case},
    }
    return package("H5P.Blanks", params)


LITERAL = KEY.replace("*", "\\*")
FORMATS: dict[str, tuple[ModuleType, bytes, frozenset[str]]] = {
    "gift": (gift, f"::q::Where? {{={KEY}}}".encode(), frozenset({CASE, STAR})),
    "gift, literal star": (gift, f"::q::Where? {{={LITERAL}}}".encode(), frozenset({CASE})),
    "moodle": (moodle, moodle_xml(KEY, 0), frozenset({CASE, STAR})),
    "moodle, literal star": (moodle, moodle_xml(LITERAL, 0), frozenset({CASE})),
    "moodle, usecase": (moodle, moodle_xml(LITERAL, 1), frozenset()),
    "moodle, gap": (moodle, moodle_gap(LITERAL, "SHORTANSWER"), frozenset({CASE})),
    "moodle, gap with case": (moodle, moodle_gap(LITERAL, "SHORTANSWER_C"), frozenset()),
    "olx": (olx, olx_problem(""), frozenset()),
    "olx, ci": (olx, olx_problem("ci"), frozenset({CASE})),
    "qti-1.2": (qti12, qti12_item(""), frozenset({CASE})),
    "qti-1.2, case": (qti12, qti12_item(' case="Yes"'), frozenset()),
    "qti-2": (qti2, qti2_item("false"), frozenset({CASE})),
    "qti-2, case": (qti2, qti2_item("true"), frozenset()),
    "text2qti": (text2qti, f"1. Where?\n*   {KEY}\n".encode(), frozenset({CASE})),
    "qti-3": (qti3, qti3_item("false"), frozenset({CASE})),
    "qti-3, case": (qti3, qti3_item("true"), frozenset()),
    "csv": (csv_sheet, write_csv(KEY), frozenset({CASE, STAR, BLANKS, SIGNS})),
    "csv, settings": (
        csv_sheet,
        write_csv(LITERAL, f"{STRICT}; case=counted"),
        frozenset(),
    ),
    "xlsx": (xlsx, workbook({"Quiz": sheet(KEY, "")}), frozenset({CASE, STAR, BLANKS, SIGNS})),
    "xlsx, settings": (xlsx, workbook({"Quiz": sheet(LITERAL, STRICT)}), frozenset({CASE})),
    "h5p": (h5p, h5p_blanks(case=False), frozenset({CASE})),
    "h5p, case": (h5p, h5p_blanks(case=True), frozenset()),
}
"""A file of each format, and what it accepts beside its key as it stands."""


def pay(question: ParsedQuestion, text: str) -> object:
    if question.kind == "cloze":
        (gap,) = question.tables["gaps"]
        return credit(question, {"gaps": {gap.name: {"text": text}}})
    assert question.kind == "short_text"
    return credit(question, {"text": text})


def cases() -> Iterator[tuple[str, str]]:
    return ((name, text) for name in FORMATS for text in ANSWERS)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_answers_are_right_in_every_format_that_means_the_same(name):
    format_, file, meaning = FORMATS[name]
    (question,) = format_.read(file, language="es").questions
    right = {SAME, *meaning}
    for text, when in ANSWERS.items():
        typed = text.replace("*", "+") if name.startswith("h5p") else text
        assert pay(question, typed) == (when in right), (name, typed)


@pytest.mark.parametrize("name", FORMATS)
def test_kinds_of_quotes_and_dashes_count_where_the_format_compares_characters(name):
    format_, file, _meaning = FORMATS[name]
    key, is_ours = KEY.replace("*", "+").replace("c!", "“c–d”!"), name in {"csv", "xlsx"}
    zipped = {
        "xlsx": workbook({"Quiz": sheet(key, "")}),
        "xlsx, settings": workbook({"Quiz": sheet(key, STRICT)}),
        "h5p": h5p_blanks(case=False, key=key),
        "h5p, case": h5p_blanks(case=True, key=key),
    }
    for form in (LITERAL, KEY):
        file = file.replace(form.encode(), key.encode())
    (question,) = format_.read(zipped.get(name, file), language="es").questions
    assert pay(question, key) == 1
    for other in ('"c-d"', "«c–d»", "“c-d”", "“c—d”"):
        assert pay(question, key.replace("“c–d”", other)) == is_ours, other


def test_peru_is_not_accepted_for_peru_with_its_accent():
    (question,) = gift.read("::q::Where? {=Perú}".encode(), language="es").questions
    assert [pay(question, text) for text in ("Perú", "perú", "Peru", "Perú.")] == [1, 1, 0, 0]


def numerical(tolerance: str) -> str:
    return (
        "<quiz><question type='numerical'><name><text>q</text></name><questiontext><text>How many?"
        f"</text></questiontext><answer fraction='100'><text>3</text>{tolerance}</answer>"
        "</question></quiz>"
    )


def numerical_response(param: str) -> str:
    return (
        "<problem><numericalresponse answer='3'><label>How many?</label><textline/>"
        f"{param}</numericalresponse></problem>"
    )


@pytest.mark.parametrize(
    ("format_", "file", "right"),
    [
        (gift, "::q::How many? {#3}", ["3", "3.0"]),
        (gift, "::q::How many? {#3:0.1}", ["3", "3.0", "3.00002", "3.1", "2.9"]),
        (
            moodle,
            numerical("<tolerance>0</tolerance>"),
            ["3", "3.0"],
        ),
        (
            olx,
            numerical_response(""),
            ["3", "3.0", "3.00002"],
        ),
        (
            olx,
            numerical_response("<responseparam type='tolerance' default='5%'/>"),
            ["3", "3.0", "3.00002", "3.1", "2.9"],
        ),
        (
            olx,
            numerical_response("<responseparam type='tolerance' default='0'/>"),
            ["3", "3.0"],
        ),
    ],
)
def test_a_number_is_as_near_as_the_format_says(format_, file, right):
    (question,) = format_.read(file.encode(), language="en").questions
    typed = ("3", "3.0", "3.00002", "3.1", "2.9", "3.2", "2")
    paid = [text for text in typed if credit(question, {"typed": text, "language": "en"}) == 1]
    assert paid == right


def test_an_old_problem_of_open_edx_names_several_answers_in_one():
    response = "<stringresponse answer='Fe_or_iron'><label>?</label><textline/></stringresponse>"
    (question,) = olx.read(f"<problem>{response}</problem>".encode(), language="en").questions
    assert [pay(question, text) for text in ("Fe", "iron", "Fe_or_iron")] == [1, 1, 0]


def test_each_gap_is_compared_as_its_source_says():
    text = "In {1:SHORTANSWER:=Fe} and {1:SHORTANSWER_C:=Fe} of {1:MULTICHOICE:=a~b}"
    file = moodle_gap("", "SHORTANSWER").replace(b"In {1:SHORTANSWER:=}", text.encode())
    (question,) = moodle.read(file, language="en").questions
    gaps = question.tables["gaps"]
    assert [row.values.get("case") for row in gaps] == [None, "counted", None]
    assert [row.values.get("sort") for row in gaps] == ["words", "words", None]
    filled = [{"gaps": {gap.name: {"text": "fe"}}} for gap in gaps[:2]]
    assert [credit(question, answer) for answer in filled] == [Fraction(1, 3), 0]
