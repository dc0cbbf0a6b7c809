"""Blanks around an accepted answer: what each format keeps, what it says of those it cannot keep.

Moodle (XML, GIFT), Canvas (QTI 1.2, text2qti), Open edX and H5P trim what is typed, and keys on
the way in: blanks around an answer mean nothing there. In QTI 2 and 3, and in QTI 1.2 of other
programs, texts are compared character by character; sheets are our own.
"""

from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest

from grading.short_text.structure import parse_folding
from quizzes.formats import (
    FORMATS,
    WRITERS,
    gift,
    h5p,
    moodle,
    olx,
    qti2,
    qti12,
    text2qti,
)
from quizzes.formats.builders import Accepted, Gap, Head, build_cloze, build_short_text
from quizzes.formats.contract import (
    ImportStatus,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.source_scoring import compare_file
from tests.quizzes.formats.h5p.packages import package
from tests.quizzes.formats.test_typed_answers import moodle_xml
from tests.quizzes.imports.sample_answers import credit

EXACT = {"sort": "exact_text"}
KEEPS = {"ochenta-bank/1", "csv", "xlsx", "qti-2", "qti-3"}
GAPS_KEPT = KEEPS - {"csv", "xlsx"}  # a row holds no gaps
HELD = {"gift", "moodle-xml", "qti-1.2", "text2qti"} | KEEPS
"""Formats that hold a short text at all."""


def build_item(question: ParsedQuestion) -> ParsedFile:
    return ParsedFile("b", items=(SourceItem(1, 1, "q", "", ImportStatus.IMPORTED, question),))


def write_and_read(format_: str, question: ParsedQuestion) -> tuple[list[ParsedQuestion], set[str]]:
    export = WRITERS[format_].write(build_item(question), language="en")
    parsed = FORMATS[format_].read(export.data, language="en") if export.data else ParsedFile()
    return list(parsed.questions), {warning.code for warning in export.warnings}


@pytest.mark.parametrize("format_", WRITERS)
@pytest.mark.parametrize("key", [" x", "x ", "  x  "])
def test_a_short_text_comes_back_with_its_blanks_or_a_warning(format_, key):
    head = Head(1, "q", "en", "What?")
    questions, codes = write_and_read(format_, build_short_text(head, [Accepted(key)], **EXACT))
    if format_ not in HELD:
        assert "kind_not_held" in codes
        return
    (question,) = questions
    comparison = parse_folding(question.fields)[0]
    assert ("end_blanks_left_out" not in codes) == (format_ in KEEPS)
    assert comparison.has_counted_ends == (format_ in KEEPS)
    assert credit(question, {"text": key}) == 1
    assert credit(question, {"text": "x"}) == (format_ not in KEEPS)


@pytest.mark.parametrize("format_", WRITERS)
def test_a_gap_comes_back_with_its_blanks_or_a_warning(format_):
    head = Head(1, "q", "en", "Type [[a]] and [[b]].")
    gaps = [
        Gap("a", accepted=[Accepted(" x")], comparison=EXACT),
        Gap("b", accepted=[Accepted("y")]),
    ]
    questions, codes = write_and_read(format_, build_cloze(head, gaps))
    if not questions:
        assert "kind_not_held" in codes
        return
    is_kept = format_ in GAPS_KEPT
    assert ("end_blanks_left_out" not in codes) == is_kept
    (question,) = questions
    names = [row.name for row in question.tables["gaps"]]
    typed = {names[0]: {"text": "x"}, names[1]: {"text": " y "}}
    assert credit(question, {"gaps": typed}) == (Fraction(1, 2) if is_kept else 1)


QTI12 = """<questestinterop><item ident="q" title="q">{metadata}<presentation><material>
<mattext>What?</mattext></material><response_str ident="r" rcardinality="Single"><render_fib/>
</response_str></presentation><resprocessing><outcomes>
<decvar maxvalue="1" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="No"><conditionvar><varequal respident="r">{key}</varequal></conditionvar>
<setvar action="Set" varname="SCORE">1</setvar></respcondition></resprocessing></item>
</questestinterop>"""
CANVAS = """<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>short_answer_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>"""
OTHER = "<itemmetadata/>"
QTI2 = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="q" title="q"
adaptive="false" timeDependent="false"><responseDeclaration identifier="RESPONSE"
cardinality="single" baseType="string">{key}</responseDeclaration><outcomeDeclaration
identifier="SCORE" cardinality="single" baseType="float"/><itemBody><p>What?
<textEntryInteraction responseIdentifier="RESPONSE"/></p></itemBody><responseProcessing
template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/{template}"/></assessmentItem>"""
CORRECT = "<correctResponse><value>{key}</value></correctResponse>"
MAPPED = '<mapping defaultValue="0"><mapEntry mapKey="{key}" mappedValue="1"/></mapping>'


def qti2_item(key: str, template: str) -> str:
    return QTI2.format(key=key, template=template)


SOURCES = [
    pytest.param(moodle, moodle_xml("<![CDATA[ x]]>", 1), False, id="moodle"),
    pytest.param(gift, b"::q::What? {=%100% x#so}", False, id="gift"),
    pytest.param(text2qti, b"Quiz title: t\n\n1. What?\n*    x\n", False, id="text2qti"),
    pytest.param(
        olx,
        b"<problem><stringresponse answer=' x'><label>What?</label><textline/></stringresponse>"
        b"</problem>",
        False,
        id="olx",
    ),
    pytest.param(
        h5p,
        package("H5P.Blanks", {"text": "What?", "questions": ["<p>* x*</p>"]}),
        False,
        id="h5p",
    ),
    pytest.param(qti12, QTI12.format(metadata=CANVAS, key=" x").encode(), False, id="canvas"),
    pytest.param(qti12, QTI12.format(metadata=OTHER, key=" x").encode(), True, id="qti-1.2"),
    pytest.param(
        qti12, QTI12.format(metadata=OTHER, key="\n  x\n").encode(), False, id="qti-1.2-lines"
    ),
    pytest.param(
        qti2, qti2_item(CORRECT.format(key=" x"), "match_correct").encode(), True, id="qti-2"
    ),
    pytest.param(
        qti2,
        qti2_item(CORRECT.format(key="\n x\n"), "match_correct").encode(),
        False,
        id="qti-2-lines",
    ),
    pytest.param(
        qti2, qti2_item(MAPPED.format(key=" x"), "map_response").encode(), True, id="qti-2-map"
    ),
]


@pytest.mark.parametrize(("format_", "data", "is_kept"), SOURCES)
def test_a_source_means_its_blanks_only_where_its_program_compares_them(
    format_: ModuleType, data: bytes, is_kept: bool
) -> None:
    parsed = format_.read(data, language="en")
    (question,) = parsed.questions
    by_gap = [row.name for row in question.tables.get("gaps", ())]

    def pay(text: str) -> object:
        raw = {"text": text}
        return credit(question, {"gaps": {by_gap[0]: raw}} if by_gap else raw)

    assert pay(" x") == 1
    assert pay("x") == (not is_kept)
    (item,) = compare_file(data, format_.name, parsed).items
    assert item.comparison is not None
    assert item.comparison.compared > 1
    is_noted = "end_blanks_ignored" in {note.code for note in item.notes}
    answers = {difference.answer for difference in item.comparison.differences}
    assert answers == ({(" x ",)} if is_noted else set())
    assert not item.comparison.has_surprise


PLAIN_KEYS = [
    pytest.param(qti2, qti2_item(CORRECT.format(key="x"), "match_correct"), True, id="qti-2"),
    pytest.param(qti2, qti2_item(MAPPED.format(key="x"), "map_response"), True, id="qti-2-map"),
    pytest.param(qti12, QTI12.format(metadata=OTHER, key="x"), True, id="qti-1.2"),
    pytest.param(qti12, QTI12.format(metadata=CANVAS, key="x"), False, id="canvas"),
]


@pytest.mark.parametrize(("format_", "text", "is_noted"), PLAIN_KEYS)
def test_blanks_around_what_is_typed_that_count_in_the_file_alone_are_noted(
    format_: ModuleType, text: str, is_noted: bool
) -> None:
    parsed = format_.read(text.encode(), language="en")
    (item,) = compare_file(text.encode(), format_.name, parsed).items
    assert item.status is ImportStatus.IMPORTED
    assert ("end_blanks_ignored" in {note.code for note in item.notes}) == is_noted
    assert item.comparison is not None
    differing = {difference.answer for difference in item.comparison.differences}
    assert differing == ({(" x ",)} if is_noted else set())
    assert item.comparison.is_told == is_noted


def test_without_its_note_such_a_difference_is_a_surprise():
    data = qti2_item(CORRECT.format(key="x"), "match_correct").encode()
    (item,) = qti2.read(data, language="en").items
    silent = ParsedFile(items=(replace(item, notes=()),))
    (compared,) = compare_file(data, "qti-2", silent).items
    assert compared.comparison is not None
    assert compared.comparison.has_surprise


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_a_sheet_keeps_blanks_between_quotes_and_trims_what_is_beside_them(format_):
    head = Head(1, "q", "en", "What?")
    accepted = [Accepted(" x"), Accepted("y"), Accepted('z" ')]
    question = build_short_text(head, accepted, **EXACT)
    (back,), _ = write_and_read(format_, question)
    assert [row.values["text"] for row in back.tables["accepted"]] == [" x", "y", 'z" ']
    assert back.fields["sort"] == "exact_text"
