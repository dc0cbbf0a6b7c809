"""Writing QTI 2.1 and 3.0: what the package is like, and what is told as a loss."""

import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from io import BytesIO

import pytest

from quizzes.formats import qti2, qti3
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Number,
    Option,
    SourceChoice,
    build_choice,
    build_cloze,
    build_essay,
    build_flashcard,
    build_matching,
    build_numeric,
    build_ordering,
    build_short_text,
    build_true_false,
)
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.xml import XmlNode, parse_xml
from tests.quizzes.imports.questions import parcel

HEAD = Head(1, "rivers", "en", "Which?")
STRICT = {"spaces": "counted", "punctuation": "counted", "typography": "counted"}
PAIR = [Option("Duero", right=True), Option("Tajo")]
MARKED = replace(HEAD, prompt="a [[1]] b [[x]]")


def lost(question: ParsedQuestion) -> set[str]:
    """Give the codes of what is lost, and hold that both versions lose the same."""
    old, new = (format_.write(parcel(question), language="en") for format_ in (qti2, qti3))
    assert old.warnings == new.warnings
    return {loss.code for loss in old.warnings}


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as package:
        assert {info.date_time for info in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return {name: package.read(name) for name in package.namelist()}


def item(question: ParsedQuestion, format_=qti2) -> str:
    data = format_.write(parcel(question), language="en").data
    return members(data)["items/rivers.xml"].decode()


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        (build_flashcard(HEAD, "back"), {"kind_not_held"}),
        (build_essay(replace(HEAD, language="es")), {"language_missing"}),
        (build_essay(HEAD, minimum=5), {"setting_left_out"}),
        (build_ordering(HEAD, ["a", "b"]), {"scoring_method_left_out"}),
        (
            build_choice(HEAD, SourceChoice(PAIR, many=True, scoring_method="coverage")),
            {"scoring_method_left_out"},
        ),
        (
            build_choice(HEAD, SourceChoice([replace(PAIR[0], unchosen="no"), PAIR[1]], many=True)),
            {"unchosen_left_out"},
        ),
        (build_essay(replace(HEAD, prompt="a\x01b")), {"characters_left_out"}),
        (
            build_essay(replace(HEAD, prompt="[a](media:x.pdf)")),
            {"markup_changed", "media_missing"},
        ),
        (build_essay(replace(HEAD, prompt="![a](media:x.png)")), {"media_missing"}),
        (build_short_text(HEAD, [Accepted("a")]), {"comparison_stricter"}),
        (build_short_text(HEAD, [Accepted("a*")], **STRICT), {"wildcard_left_out"}),
        (build_short_text(HEAD, [Accepted("a+", pattern=True)], **STRICT), {"pattern_left_out"}),
        (build_numeric(HEAD, [Number("1/3")]), {"number_rounded"}),
        (build_numeric(HEAD, [Number("1", "range", "3")]), set()),
        (build_numeric(HEAD, [Number("1.25", "digits", "3")]), {"digits_left_out"}),
        (build_numeric(HEAD, [Number("one")]), {"number_unreadable"}),
        (
            build_numeric(HEAD, [Number("1")], unit="required", units={"m": "1"}),
            {"setting_left_out", "rows_left_out"},
        ),
    ],
)
def test_what_the_package_cannot_hold_is_told(question, codes):
    assert lost(question) == codes


def weighted(*weights: Fraction, many: bool = True) -> ParsedQuestion:
    options = [
        Option(f"o{at}", right=weight > 0, weight=weight) for at, weight in enumerate(weights)
    ]
    return build_choice(HEAD, SourceChoice(options, many=many, scoring_method="option_weights"))


def test_a_weight_that_another_would_be_read_for_is_told():
    assert lost(weighted(Fraction(1), Fraction(334, 1000))) == {"share_rounded"}
    assert lost(weighted(Fraction(1), Fraction(17, 31))) == set()
    assert lost(weighted(Fraction(16, 31), Fraction(15, 31))) == set()
    assert lost(weighted(Fraction(1), Fraction(1, 99991))) == {"share_rounded"}


def test_weights_that_never_reach_everything_are_told():
    assert lost(weighted(Fraction(1, 2), Fraction(1, 4))) == {"shares_stretched"}
    assert lost(weighted(Fraction(1, 2), Fraction(0), many=False)) == {"shares_stretched"}


def test_languages_beside_the_one_that_is_written_are_told():
    question = build_choice(HEAD, SourceChoice(PAIR, many=False))
    prompt = next(text for text in question.texts if text.name == "prompt")
    both = replace(question, texts={prompt: {"en": "Which?", "es": "¿Cuál?"}})
    assert lost(both) == {"languages_left_out"}
    written = qti3.write(parcel(both), language="es").data
    assert 'xml:lang="es"' in members(written)["items/rivers.xml"].decode()


def test_gaps_that_must_all_be_right_are_held_only_where_each_has_one_right_answer():
    options = Gap("1", options=PAIR)
    number = Gap("x", numbers=[Number("4")])
    assert lost(build_cloze(MARKED, [options, number], scoring_method="all_or_nothing")) == set()
    assert "<and>" in item(build_cloze(MARKED, [options, number], scoring_method="all_or_nothing"))
    near = Gap("x", numbers=[Number("4", "absolute", "1")])
    counts = {"case": "counted", **STRICT}
    several = Gap("x", accepted=[Accepted("a"), Accepted("b")], comparison=counts)
    for gap in (near, several):
        codes = lost(build_cloze(MARKED, [options, gap], scoring_method="all_or_nothing"))
        assert codes == {"scoring_method_left_out"}


def test_marks_that_cannot_name_a_response_are_named_by_their_place():
    gaps = [Gap("1", options=PAIR), Gap("gap_1", options=PAIR), Gap("SCORE", options=PAIR)]
    question = build_cloze(replace(HEAD, prompt="[[1]] [[gap_1]] and no more"), gaps)
    written = item(question)
    names = re.findall(r'responseDeclaration identifier="(\w+)"', written)
    assert names == ["gap_1_", "gap_1", "gap_3"]
    last = written.index("and no more")
    places = [written.index(f'responseIdentifier="{name}"') for name in names]
    assert places[0] < places[1] < last < places[2]
    (back,) = qti2.read(qti2.write(parcel(question), language="en").data).questions
    assert [row.values["placeholder"] for row in back.tables["gaps"]] == names


def test_pictures_lie_in_the_package_under_their_names():
    question = build_essay(replace(HEAD, prompt="![a](media:map.png) ![b](media:map.png)"))
    parsed_file = replace(parcel(question), media={"map.png": b"png", "other.png": b"no"})
    for format_ in (qti2, qti3):
        written = format_.write(parsed_file, language="en")
        assert written.warnings == ()
        files = members(written.data)
        assert list(files) == ["imsmanifest.xml", "items/rivers.xml", "media/map.png"]
        assert files["imsmanifest.xml"].count(b"media/map.png") == 1
        back = format_.read(written.data)
        assert back.media == {"map.png": b"png"}
        assert back.ignored_lines == ()


def test_the_manifest_tells_title_and_tags():
    tagged = replace(build_choice(HEAD, SourceChoice(PAIR, many=False)), tags=("spain", "water"))
    parsed_file = replace(parcel(tagged), slug="geo", fields={"title": {"en": "Rivers & seas"}})
    for format_ in (qti2, qti3):
        back = format_.read(format_.write(parsed_file, language="en").data)
        assert back.metadata.title == "Rivers & seas"
        assert back.questions[0].tags == ("spain", "water")
    assert (
        b'identifier="bank-geo"'
        in members(qti2.write(parsed_file, language="en").data)["imsmanifest.xml"]
    )


def test_what_a_question_is_worth_goes_along():
    question = build_choice(HEAD, SourceChoice(PAIR, many=True))
    parsed_file = ParsedFile(
        items=(SourceItem(1, 1, "a", "b", ImportStatus.IMPORTED, question, points=Fraction(5, 2)),)
    )
    back = qti2.read(qti2.write(parsed_file, language="en").data)
    assert [item.points for item in back.items] == [Fraction(5, 2)]
    assert back.questions[0].scoring_method == "right_minus_wrong"


def test_what_came_without_a_question_is_not_written():
    refused = ParsedFile(items=(SourceItem(1, 1, "a", "b", ImportStatus.REFUSED),))
    assert list(members(qti2.write(refused, language="en").data)) == ["imsmanifest.xml"]


def test_the_templates_of_the_standard_are_named_where_they_say_all():
    plain = build_choice(HEAD, SourceChoice(PAIR, many=False))
    template = "http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"
    assert f'<responseProcessing template="{template}"' in item(plain)
    assert "v3p0/rptemplates/match_correct.xml" in item(plain, qti3)
    fed = build_choice(HEAD, SourceChoice([replace(PAIR[0], feedback="yes"), PAIR[1]], many=False))
    assert "template" not in item(fed)


def test_none_of_these_is_an_option_that_costs_what_the_others_earn():
    for language, words in (("en", "None of these"), ("es", "Ninguna de estas"), ("de", "None of")):
        head = replace(HEAD, language=language)
        question = build_choice(
            head, SourceChoice([Option("a"), Option("b")], many=True, none_apply=True)
        )
        (data,) = (
            text
            for name, text in members(qti2.write(parcel(question), language=language).data).items()
            if name.startswith("items/")
        )
        assert words in data.decode()
        assert '<mapEntry mapKey="none_apply" mappedValue="1"' in data.decode()


def test_qti_3_spells_its_own_names_and_leaves_those_of_html():
    question = build_true_false(
        replace(HEAD, prompt="**a**\n\n- b\n- c", explanation="x"), right=True
    )
    root = parse_xml(item(question, qti3).encode())
    assert isinstance(root, XmlNode)
    names = {node.tag.rpartition("}")[2] for node in root.iter()}
    html = {"div", "p", "strong", "ul", "li"}
    assert {name for name in names if not name.startswith("qti-")} == html
    assert {"qti-simple-choice", "qti-content-body", "qti-modal-feedback"} <= names


def test_a_right_side_that_goes_with_nothing_is_offered_and_a_left_without_one_has_no_pair():
    question = build_matching(HEAD, [("a", "1"), ("b", "")], ["2"])
    assert "<value>left-1 right-1</value>" in item(question)
    assert item(question).count("<simpleAssociableChoice") == 4


def test_a_mark_that_stands_twice_is_one_gap():
    question = build_cloze(replace(HEAD, prompt="a [[x]] b [[x]] c"), [Gap("x", options=PAIR)])
    assert item(question).count("<inlineChoiceInteraction") == 1
    assert "[[x]] c" in item(question)


def test_words_that_look_like_the_placeholder_of_a_gap_stay():
    prompt = "Gapword1Z a [[x]] b Gapword8Z c"
    written = item(build_cloze(replace(HEAD, prompt=prompt), [Gap("x", options=PAIR)]))
    assert "<div>Gapword1Z a <inlineChoice" in written
    assert "</inlineChoiceInteraction> b Gapword8Z c</div>" in written


def test_an_accepted_answer_with_a_control_character_does_not_break_the_file():
    question = build_short_text(HEAD, [Accepted("x\x0by", feedback="Yes")], **STRICT)
    assert isinstance(parse_xml(item(question).encode()), XmlNode)
    assert lost(question) == {"characters_left_out"}


ATTRIBUTES_OF_2_1 = {
    "assessmentItem": "identifier title label lang adaptive timeDependent toolName toolVersion",
    "outcomeDeclaration": "identifier cardinality baseType view interpretation longInterpretation"
    " normalMaximum normalMinimum masteryValue",
    "responseDeclaration": "identifier cardinality baseType",
    "mapping": "lowerBound upperBound defaultValue",
    "mapEntry": "mapKey mappedValue caseSensitive",
    "modalFeedback": "outcomeIdentifier showHide identifier title",
    "choiceInteraction": "responseIdentifier shuffle maxChoices minChoices",
    "inlineChoiceInteraction": "responseIdentifier shuffle required",
    "orderInteraction": "responseIdentifier shuffle minChoices maxChoices orientation",
    "matchInteraction": "responseIdentifier shuffle maxAssociations minAssociations",
    "simpleChoice": "identifier fixed templateIdentifier showHide",
    "inlineChoice": "identifier fixed templateIdentifier showHide",
    "simpleAssociableChoice": "identifier fixed templateIdentifier showHide matchGroup matchMax"
    " matchMin",
    "textEntryInteraction": "responseIdentifier base stringIdentifier expectedLength patternMask"
    " placeholderText",
    "extendedTextInteraction": "responseIdentifier base stringIdentifier expectedLength patternMask"
    " placeholderText maxStrings minStrings expectedLines format",
}
"""What the schema of QTI 2.1 allows (imsqti_v2p1.xsd), beside `id`, `class` and `label`."""


@pytest.mark.parametrize(
    "question",
    [
        build_essay(HEAD),
        build_short_text(HEAD, [Accepted("a")]),
        build_numeric(HEAD, [Number("1")]),
        build_choice(HEAD, SourceChoice(PAIR, many=True, shuffle=False)),
        build_matching(HEAD, [("a", "b"), ("c", "d")]),
        build_ordering(HEAD, ["a", "b"]),
        build_cloze(MARKED, [Gap("1", options=PAIR), Gap("x", accepted=[Accepted("b")])]),
    ],
    ids=lambda question: question.kind,
)
def test_items_of_2_1_have_only_attributes_of_2_1(question):
    root = parse_xml(members(qti2.write(parcel(question), language="en").data)["items/rivers.xml"])
    assert isinstance(root, XmlNode)
    for node in root.iter():
        allowed = ATTRIBUTES_OF_2_1.get(node.tag)
        if allowed is not None:
            names = {name.rpartition("}")[2].removeprefix("xml:") for name in node.attrib}
            assert names <= {*allowed.split(), "id", "class", "label"}, node.tag


def test_that_people_score_an_essay_is_written_where_the_standard_has_it():
    essay = build_essay(HEAD)
    assert 'external-scored="human"' in item(essay, qti3)
    assert "externalScored" not in item(essay)
    (back,) = qti2.read(qti2.write(parcel(essay), language="en").data).items
    assert (back.status, back.kind) == (ImportStatus.IMPORTED, "essay")
