"""QTI 2 and 3: each interaction, and each way of paying that a key can hold; others are said."""

import time
from fractions import Fraction

import pytest

from quizzes.formats import qti2, qti3
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.formats.parsing.packages import write_zip
from tests.quizzes.formats.qti.documents import (
    CORRECT,
    MAP,
    choice,
    codes,
    credit,
    declared,
    document,
    found,
    mapping,
    matched,
    processed,
    rows,
    scored,
    value,
    variable,
)
from tests.quizzes.imports.questions import item as built

HALF = Fraction(1, 2)
ELSE = (
    '<responseElse><setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue>'
    "</setOutcomeValue></responseElse>"
)
ADD = (
    '<setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/>'
    '<baseValue baseType="float">{}</baseValue></sum></setOutcomeValue>'
)
MAPPED = (
    '<setOutcomeValue identifier="SCORE"><mapResponse identifier="RESPONSE"/></setOutcomeValue>'
)

MAPPED_1 = MAPPED.replace("RESPONSE", "R1")
IDLE = '<baseValue baseType="float">1</baseValue>'
MORE = f'<sum><variable identifier="SCORE"/>{IDLE}</sum>'


def by_values(**amounts: str) -> str:
    (first, amount), *others = amounts.items()
    chain = "".join(
        f"<responseElseIf><match>{variable()}{value(name)}</match>"
        '<setOutcomeValue identifier="SCORE">'
        f'<baseValue baseType="float">{document}</baseValue></setOutcomeValue></responseElseIf>'
        for name, document in others
    )
    return processed(scored(f"<match>{variable()}{value(first)}</match>", amount, chain, ELSE))


def options(item: SourceItem) -> list[str]:
    return [f"{row['right']}" for row in rows(item, "options")]


SINGLE = {
    "template": (declared("B"), CORRECT),
    "another template": (declared("B"), CORRECT.replace("match_correct", "CC2_match_basic.xml")),
    "inline": (declared("B"), processed(scored(matched(), "1", ELSE))),
    "by value": (declared(), by_values(B="2", A="0")),
    "by a test of strings": (
        declared(),
        processed(scored(f"<stringMatch>{value('B')}{variable()}</stringMatch>", "1")),
    ),
    "mapped": (declared(more=mapping(B="2", A="0")), MAP),
    "mapped inline": (
        declared(more=mapping(B="2")),
        processed(
            f"<responseCondition><responseIf><isNull>{variable()}</isNull>"
            '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">0</baseValue>'
            f"</setOutcomeValue></responseIf><responseElse>{MAPPED}</responseElse></responseCondition>"
        ),
    ),
    "mapped where answered": (
        declared(more=mapping(B="2")),
        processed(
            f"<responseCondition><responseIf><not><isNull>{variable()}</isNull></not>{MAPPED}"
            "</responseIf></responseCondition>"
        ),
    ),
    "within a test of its own": (
        declared("B"),
        processed(
            f"<responseCondition><responseIf><isNotNull>{variable()}</isNotNull>"
            f"{scored(matched(), '1', ELSE)}</responseIf></responseCondition>"
        ),
    ),
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_choice_of_one_is_paid_as_its_processing_says(name):
    item = found(*SINGLE[name], choice("A", "B", "C", more='shuffle="true"'))
    assert (item.status, item.kind, codes(item)) == (ImportStatus.IMPORTED, "single_choice", set())
    assert [credit(item, {"chosen": [id_]}) for id_ in "abc"] == [0, 1, 0]


def test_shares_of_a_choice_of_one_stay():
    item = found(declared(), by_values(A="3", B="1.5"), choice("A", "B", "C"))
    assert [credit(item, {"chosen": [id_]}) for id_ in "abc"] == [1, HALF, 0]
    assert item.points == 3


def test_bounds_hold_what_one_value_maps_to():
    more = mapping('lowerBound="-1" upperBound="2"', A="5", B="1", C="-9")
    item = found(declared(more=more), MAP, choice("A", "B", "C"))
    weights = [row["weight"] for row in rows(item, "options")]
    assert weights == [[1, 1], [1, 2], [-1, 2]]
    assert item.points == 2


def test_two_that_earn_all_in_a_choice_of_one_need_a_person():
    item = found(declared(), by_values(A="1", B="1"), choice("A", "B"))
    assert (item.status, options(item)) == (ImportStatus.REVIEW, ["True", "True"])
    assert "several_right_options" in codes(item)


MANY = {"cardinality": "multiple"}


def test_a_choice_without_options_is_no_failure_of_the_reader():
    more = mapping('upperBound="1"', A="1")
    item = found(declared(more=more, **MANY), MAP, choice())
    assert item.status == ImportStatus.REVIEW
    assert "reader_failed" not in codes(item)


def test_several_answers_are_right_only_together():
    item = found(declared("A", "B", **MANY), CORRECT, choice("A", "B", "C", most="0"))
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "multiple_choice")
    assert [credit(item, {"chosen": list(ids)}) for ids in ("a", "ab", "abc")] == [0, 1, 0]


def test_several_answers_add_up_within_their_bounds():
    more = mapping('defaultValue="-1" upperBound="2"', A="1", B="1", C="1")
    item = found(declared(**MANY, more=more), MAP, choice("A", "B", "C", "D", most="4"))
    shares = [credit(item, {"chosen": list(ids)}) for ids in ("a", "ab", "abd", "abcd")]
    assert shares == [HALF, 1, HALF, 1]
    assert item.points == 2


@pytest.mark.parametrize(
    "tests",
    [
        f"<member>{value('A')}{variable()}</member>",
        f"<contains>{variable()}<multiple>{value('A')}</multiple></contains>",
    ],
)
def test_one_value_among_others_is_worth_its_points(tests):
    item = found(declared(**MANY), processed(scored(tests)), choice("A", "B", most="2"))
    assert [credit(item, {"chosen": list(ids)}) for ids in ("a", "b", "ab")] == [1, 0, 1]


CUSTOM = {
    "an unknown template": CORRECT.replace("match_correct", "my_own"),
    "no template at all": '<responseProcessing template="//"/>',
    "a program": processed("<customOperator/>"),
    "a program within": processed(
        f"<responseCondition><responseIf>{matched()}<exitResponse/></responseIf></responseCondition>"
    ),
    "a test of its own": processed(scored(f"<gt>{variable()}{value('1')}</gt>")),
    "a test of one": processed(scored(f"<not>{variable()}</not>")),
    "a test of no answer": processed(scored(f"<match>{value('A')}{value('B')}</match>")),
    "a test of another": processed(scored(f'<match>{variable()}<correct identifier="X"/></match>')),
    "a part of a word": processed(
        scored(f'<stringMatch substring="true">{variable()}{value("A")}</stringMatch>')
    ),
    "an and of values": processed(
        scored(f"<and><match>{variable()}{value('A')}</match>{matched()}</and>")
    ),
    "points for nothing": processed(scored(f"<isNull>{variable()}</isNull>")),
    "points for anything": processed(
        f'<setOutcomeValue identifier="SCORE">{IDLE}</setOutcomeValue>'
    ),
    "points for the rest": processed(scored(matched(), "1", ELSE.replace(">0<", ">1<"))),
    "something else for the rest": processed(
        scored(matched(), "1", "<responseElse><exitResponse/></responseElse>")
    ),
    "a sum for nobody": processed(
        scored(matched()).replace('<baseValue baseType="float">1</baseValue>', "")
    ),
    "no number": processed(scored(matched(), "x")),
    "one over the other": processed(scored(matched()), scored(matched())),
    "an empty branch": processed("<responseCondition><responseIf/></responseCondition>"),
    "a value of several": processed(
        scored(f"<match>{variable()}{value('A')}</match>"), scored(matched())
    ),
    "a condition in a condition": processed(
        f"<responseCondition><responseIf>{matched()}{scored(matched())}</responseIf></responseCondition>"
    ),
}


@pytest.mark.parametrize("name", CUSTOM)
def test_a_rule_of_its_own_needs_a_person(name):
    item = found(declared(), CUSTOM[name], choice("A", "B"))
    assert item.status == ImportStatus.REVIEW
    assert "custom_response_processing" in codes(item)
    assert options(item) == ["False", "False"]


@pytest.mark.parametrize(
    ("response", "processing"),
    [
        (declared(**MANY, more=mapping('lowerBound="1"', A="1")), MAP),
        (declared(**MANY, more=mapping(A="-1")), MAP),
        (declared(**MANY), by_values(A="1")),
        (
            declared("A", **MANY),
            processed(
                scored(matched()),
                scored(f"<member>{value('A')}{variable()}</member>").replace(IDLE, MORE),
            ),
        ),
        (declared(**MANY), MAP),
    ],
)
def test_several_answers_by_other_rules_need_a_person(response, processing):
    item = found(response, processing, choice("A", "B", most="0"))
    assert item.status == ImportStatus.REVIEW
    assert "custom_response_processing" in codes(item)


def test_a_score_that_does_not_begin_at_nothing_needs_a_person():
    begins = (
        '<outcomeDeclaration identifier="SCORE"><defaultValue><value>1</value></defaultValue>'
        "</outcomeDeclaration>"
    )
    assert found(declared("A"), begins, CORRECT, choice("A", "B")).status == ImportStatus.REVIEW


def test_without_processing_the_declared_answer_counts_and_that_is_told():
    item = found(declared("A"), choice("A", "B"))
    assert (item.status, codes(item)) == (ImportStatus.REPAIRED, {"scored_by_correct_response"})
    assert options(item) == ["True", "False"]


def test_what_the_item_says_it_is_worth_is_its_points():
    worth = (
        '<outcomeDeclaration identifier="MAXSCORE"><defaultValue><value>4</value></defaultValue>'
        "</outcomeDeclaration>"
    )
    assert found(declared("A"), worth, CORRECT, choice("A", "B")).points == 4


def test_feedback_goes_where_it_is_called_up():
    says = (
        '<setOutcomeValue identifier="FEEDBACK"><baseValue baseType="identifier">{}</baseValue>'
        "</setOutcomeValue>"
    )
    processing = processed(
        scored(matched(), "1", f"<responseElse>{says.format('bad')}</responseElse>").replace(
            "</responseIf>", f"{says.format('good')}</responseIf>"
        )
    )
    texts = {
        "good": "Yes",
        "bad": "No",
        "Correct": "Sure",
        "wrong_fb": "Hm",
        "general": "So",
        "x": "?",
    }
    modal = [
        f'<modalFeedback identifier="{id_}"><p>{text}</p></modalFeedback>'
        for id_, text in texts.items()
    ]
    inline = choice("A", "B").replace(
        ">B<", '>B<feedbackInline identifier="B">b?</feedbackInline><'
    )
    rubric = '<rubricBlock view="scorer"><p>Mind this</p></rubricBlock>'
    item = found(declared("A"), processing, inline, rubric, *modal)
    assert item.question is not None
    assert built(item.question).feedback["en"] == {
        "explanation": "Mind this\n\nSo",
        "options": {"b": "b?"},
        "score_feedback": {"band-1": "Yes\n\nSure", "band-2": "No\n\nHm"},
    }
    assert codes(item) == {"feedback_unlinked"}


def test_feedback_named_by_the_answer_is_that_of_the_option():
    echo = f'<setOutcomeValue identifier="FEEDBACK">{variable()}</setOutcomeValue>'
    modal = '<modalFeedback identifier="B"><p>Why B?</p></modalFeedback>'
    item = found(
        declared("A"), processed(scored(matched(), "1", ELSE), echo), choice("A", "B"), modal
    )
    assert (item.status, codes(item)) == (ImportStatus.IMPORTED, set())
    assert item.question is not None
    assert built(item.question).feedback["en"] == {"options": {"b": "Why B?"}}


def test_what_a_candidate_is_to_read_is_part_of_the_prompt():
    rubric = '<rubricBlock view="candidate"><p>Read this.</p></rubricBlock>'
    item = found(declared("A"), CORRECT, rubric, "<p>A <em>thing</em></p>", choice("A", "B"))
    assert item.question is not None
    assert built(item.question).words["en"]["prompt"] == "Read this.\n\nA *thing*\n\nWhich?"


ENTRY = '<p>Name <textEntryInteraction responseIdentifier="RESPONSE"/> now.</p>'
TEXT = {"base": "string"}


def test_words_are_compared_as_they_stand():
    item = found(declared("Iron * 1", **TEXT), CORRECT, ENTRY)
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "short_text")
    assert [credit(item, {"text": text}) for text in ("Iron * 1", "iron * 1")] == [1, 0]
    assert item.question is not None
    assert built(item.question).words["en"]["prompt"] == "Name \\_\\_\\_ now."


def test_words_that_map_have_their_shares_and_their_case():
    entries = (
        '<mapping><mapEntry mapKey="Fe" mappedValue="2" caseSensitive="true"/>'
        '<mapEntry mapKey="ß-iron" mappedValue="1"/>'
        '<mapEntry mapKey="x" mappedValue="-1"/></mapping>'
    )
    item = found(declared(**TEXT, more=entries), MAP, ENTRY)
    assert [credit(item, {"text": text}) for text in ("Fe", "fe", "ß-IRON", "x")] == [
        *(1, 0, HALF, -HALF)
    ]


def test_words_that_no_entry_names_earn_the_default():
    for counts, other in (("false", 1), ("true", HALF)):
        more = mapping(f'defaultValue="1" caseSensitive="{counts}"', Fe="2")
        item = found(declared(**TEXT, more=more), MAP, ENTRY)
        assert item.status == ImportStatus.IMPORTED
        typed = ("Fe", "fe", "gold")
        assert [credit(item, {"text": text}) for text in typed] == [1, other, HALF]


@pytest.mark.parametrize(
    ("response", "processing"),
    [
        (declared(base="integer", more=mapping('defaultValue="1"', a="2")), MAP),
        (declared(**TEXT, more=mapping('lowerBound="1"', a="2")), MAP),
        (declared(**TEXT), processed(scored(f"<contains>{variable()}{value('a')}</contains>"))),
        (declared(**TEXT), ""),
        (declared("x", base="integer"), CORRECT),
    ],
)
def test_words_by_other_rules_need_a_person(response, processing):
    assert found(response, processing, ENTRY).status == ImportStatus.REVIEW


def near(mode: str, tolerance: str) -> str:
    more = f'toleranceMode="{mode}" tolerance="{tolerance}"'
    return processed(scored(f'<equal {more}>{variable()}<correct identifier="RESPONSE"/></equal>'))


@pytest.mark.parametrize(
    ("processing", "expected"),
    [
        (CORRECT, ("exact", "2.50", "")),
        (near("exact", ""), ("exact", "2.50", "")),
        (near("absolute", "0.5"), ("absolute", "2.50", "0.5")),
        (near("absolute", "0.5 1"), ("range", "2", "3.5")),
        (near("absolute", "0 0"), ("exact", "2.5", "")),
        (near("relative", "10 10"), ("relative", "2.50", "0.1")),
        (near("relative", "10 20"), ("range", "2.25", "3")),
    ],
)
def test_numbers_have_their_tolerance(processing, expected):
    item = found(declared("2.50", base="float"), processing, ENTRY)
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "numeric")
    (row,) = rows(item, "numbers")
    assert (row["tolerance"], row["value"], row.get("margin", "")) == expected


@pytest.mark.parametrize(("mode", "tolerance"), [("odd", "1"), ("absolute", "x")])
def test_a_tolerance_that_is_none_needs_a_person(mode, tolerance):
    item = found(declared("2.5", base="float"), near(mode, tolerance), ENTRY)
    assert codes(item) == {"custom_response_processing"}


@pytest.mark.parametrize("processing", ["", CORRECT, processed()])
def test_a_long_text_is_an_essay_however_it_is_paid(processing):
    name = "extendedTextInteraction"
    long = f'<{name} responseIdentifier="RESPONSE"><prompt>Why?</prompt></{name}>'
    item = found(declared(**TEXT), processing, long)
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "essay")


ORDER = (
    '<orderInteraction responseIdentifier="RESPONSE">'
    '<simpleChoice identifier="A">one</simpleChoice>'
    '<simpleChoice identifier="B">two</simpleChoice></orderInteraction>'
)


def test_an_order_is_right_only_as_a_whole():
    item = found(declared("B", "A", cardinality="ordered"), CORRECT, "<p>Sort</p>", ORDER)
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "ordering")
    assert item.question is not None
    assert built(item.question).words["en"]["items"] == {"a": "two", "b": "one"}


@pytest.mark.parametrize(
    ("response", "processing"),
    [
        (declared("B", cardinality="ordered"), CORRECT),
        (declared("B", "A", cardinality="ordered", more=mapping(A="1")), MAP),
    ],
)
def test_an_order_that_is_not_told_needs_a_person(response, processing):
    assert found(response, processing, ORDER).status == ImportStatus.REVIEW


def match(lefts: str, rights: str) -> str:
    sets = [
        "".join(
            f'<simpleAssociableChoice identifier="{id_}">{id_}</simpleAssociableChoice>'
            for id_ in ids
        )
        for ids in (lefts, rights)
    ]
    return (
        '<matchInteraction responseIdentifier="RESPONSE"><prompt>Match</prompt>'
        f"<simpleMatchSet>{sets[0]}</simpleMatchSet><simpleMatchSet>{sets[1]}</simpleMatchSet>"
        "</matchInteraction>"
    )


PAIRS = {"cardinality": "multiple", "base": "directedPair"}
EACH = mapping(**{"a x": "1", "b y": "1"})


def test_pairs_are_right_together_or_one_by_one():
    item = found(declared("a x", "b  y", **PAIRS), CORRECT, match("ab", "xyz"))
    single = found(declared(**PAIRS, more=EACH), MAP, match("ab", "xyz"))
    raw = {"pairs": {"left-1": "right-1", "left-2": "right-3"}}
    assert (item.status, single.status) == (ImportStatus.IMPORTED, ImportStatus.IMPORTED)
    assert [credit(item, raw), credit(single, raw)] == [0, HALF]
    assert [item.points, single.points] == [1, 2]


def test_the_set_of_which_each_goes_with_one_is_the_left():
    item = found(declared("x a", "x b", **PAIRS), CORRECT, match("xy", "ab"))
    assert item.status == ImportStatus.IMPORTED
    assert credit(item, {"pairs": {"left-1": "right-1", "left-2": "right-1"}}) == 1


@pytest.mark.parametrize(
    ("response", "processing", "code"),
    [
        (declared("a x", **PAIRS), CORRECT, "key_unknown"),
        (declared("a x", "a y", "b x", **PAIRS), CORRECT, "key_unknown"),
        (
            declared(**PAIRS, more=EACH.replace("<mapping", '<mapping defaultValue="-2"')),
            MAP,
            "custom_response_processing",
        ),
        (declared("a x", "b y", **PAIRS), by_values(A="1"), "custom_response_processing"),
    ],
)
def test_pairs_by_other_rules_need_a_person(response, processing, code):
    item = found(response, processing, match("ab", "xy"))
    assert (item.status, codes(item)) == (ImportStatus.REVIEW, {code})


def inline(ident: str, *labels: str) -> str:
    listed = "".join(
        f'<inlineChoice identifier="{label}">{label}</inlineChoice>' for label in labels
    )
    return (
        f'<inlineChoiceInteraction responseIdentifier="{ident}">{listed}</inlineChoiceInteraction>'
    )


def entry(ident: str) -> str:
    return f'<textEntryInteraction responseIdentifier="{ident}"/>'


GAPS = (
    declared("A", ident="R1"),
    declared("iron", base="string", ident="R 2"),
    declared("5", base="integer", ident="R3"),
    f"<p>Take {inline('R1', 'A', 'B')}, {entry('R 2')} and {entry('R3')}</p>",
)


def added(name: str, amount: str) -> str:
    tested = f"{matched(name)}{ADD.format(amount)}"
    return f"<responseCondition><responseIf>{tested}</responseIf></responseCondition>"


def test_gaps_have_their_points():
    item = found(*GAPS, processed(added("R1", "2"), added("R 2", "1"), added("R3", "1")))
    assert (item.status, item.kind, str(item.points)) == (ImportStatus.IMPORTED, "cloze", "4")
    assert item.question is not None
    assert built(item.question).words["en"]["prompt"] == "Take [[R1]], [[gap-2]] and [[R3]]"
    assert credit(item, {"gaps": {"gap-1": {"chosen": ["gap-1-a"]}}}) == HALF


def test_gaps_may_count_only_together():
    every = f"<and>{matched('R1')}{matched('R 2')}{matched('R3')}</and>"
    item = found(*GAPS, processed(scored(every)))
    assert item.status == ImportStatus.IMPORTED
    assert credit(item, {"gaps": {"gap-1": {"chosen": ["gap-1-a"]}}}) == 0


def test_gaps_have_points_by_their_shares_and_where_these_are_none_count_alike():
    item = found(*GAPS, processed(added("R1", "0.5"), added("R 2", "1.5"), added("R3", "1")))
    assert item.status == ImportStatus.IMPORTED
    assert [row["points"] for row in rows(item, "gaps")] == [1, 3, 2]
    item = found(*GAPS, processed(added("R1", "0.005"), added("R 2", "1"), added("R3", "1")))
    assert (item.status, codes(item)) == (
        ImportStatus.REPAIRED,
        {"gap_points_levelled", "end_blanks_ignored"},
    )


@pytest.mark.parametrize(
    "processing",
    [
        processed(added("R1", "1")),
        processed(scored(f"<and>{matched('R1')}{matched('R3')}</and>")),
    ],
)
def test_gaps_of_which_only_some_are_paid_need_a_person(processing):
    item = found(*GAPS, processing)
    assert (item.status, codes(item)) == (
        ImportStatus.REVIEW,
        {"custom_response_processing", "end_blanks_ignored"},
    )


def test_a_gap_without_an_answer_needs_a_person():
    item = found(declared(ident="R1"), f"<p>Take {inline('R1', 'A', 'B')}</p>")
    assert (item.status, item.kind, codes(item)) == (ImportStatus.REVIEW, "cloze", {"key_unknown"})


def test_a_gap_keeps_the_shares_of_its_options():
    response = declared(ident="R1", more=mapping(A="2", B="1"))
    item = found(response, f"<p>Take {inline('R1', 'A', 'B')}</p>", processed(MAPPED_1))
    assert (item.status, codes(item)) == (ImportStatus.IMPORTED, set())
    assert item.question is not None
    assert item.question.scoring_method == "gap_weights"
    weights = [row.values["weight"] for row in item.question.tables["options"]]
    assert weights == [[1, 1], [1, 2]]


WORDS = (
    '<gapMatchInteraction responseIdentifier="RESPONSE"><prompt>Fill</prompt>'
    '<gapText identifier="W1" matchMax="1">iron</gapText><gapText identifier="W2">gold</gapText>'
    '<p>Fe <gap identifier="G1"/>, Au <gap identifier="G2"/>.<br/></p></gapMatchInteraction>'
)
GAPPED = mapping(**{"W1 G1": "1", "W2 G2": "1"})


@pytest.mark.parametrize(
    ("response", "processing", "half"),
    [
        (declared("W1 G1", "W2 G2", **PAIRS), CORRECT, 0),
        (declared(**PAIRS, more=GAPPED), MAP, HALF),
    ],
)
def test_words_go_into_gaps(response, processing, half):
    item = found(response, processing, WORDS)
    assert (item.status, item.kind) == (ImportStatus.IMPORTED, "cloze")
    assert credit(item, {"gaps": {"gap-1": {"chosen": ["gap-1-a"]}}}) == half


def test_words_without_a_key_need_a_person():
    assert codes(found(declared("W1 G1", **PAIRS), CORRECT, WORDS)) == {"key_unknown"}


@pytest.mark.parametrize(
    ("parts", "more", "code"),
    [
        ((), "", "no_interaction"),
        (('<hotspotInteraction responseIdentifier="RESPONSE"/>',), "", "unsupported_interaction"),
        (('<associateInteraction responseIdentifier="RESPONSE"/>',), "", "unsupported_interaction"),
        ((WORDS.replace("gapText", "gapImg"),), "", "unsupported_interaction"),
        ((choice("A", "B"), ENTRY), "", "several_interactions"),
        ((choice("A", "B"),), 'adaptive="true"', "adaptive"),
        ((choice("A", "B"), '<templateDeclaration identifier="X"/>'), "", "random_variables"),
    ],
)
def test_what_no_kind_of_ours_can_ask_is_refused_with_its_reason(parts, more, code):
    item = found(declared(), CORRECT, *parts, more=more)
    assert (item.status, item.kind, codes(item)) == (ImportStatus.REFUSED, code, {code})


def third() -> bytes:
    return (
        b'<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" title="T"'
        b' xml:lang="es-ES"><qti-response-declaration identifier="RESPONSE"'
        b' cardinality="multiple" base-type="directed-pair">'
        b"<qti-correct-response><qti-value>a x</qti-value></qti-correct-response>"
        b'</qti-response-declaration><qti-item-body><p>Une <img src="../pics/a.png" alt="A"/></p>'
        b'<qti-match-interaction response-identifier="RESPONSE"><qti-simple-match-set>'
        b'<qti-simple-associable-choice identifier="a">a</qti-simple-associable-choice>'
        b"</qti-simple-match-set><qti-simple-match-set>"
        b'<qti-simple-associable-choice identifier="x">x</qti-simple-associable-choice>'
        b"</qti-simple-match-set></qti-match-interaction></qti-item-body>"
        b'<qti-response-processing template="https://purl.imsglobal.org/rptemplates/'
        b'match_correct.xml"/>'
        b"</qti-assessment-item>"
    )


def test_a_package_gives_its_items_in_order_with_their_pictures():
    test = b'<qti-assessment-test title="My test"/>'
    data = write_zip(
        [
            ("imsmanifest.xml", b"<manifest/>"),
            ("t.xml", test),
            ("items/1.xml", third()),
            ("pics/a.png", b"png"),
        ]
    )
    assert qti3.detect(data, "a.zip")
    assert not qti2.detect(data, "a.zip")
    parcel = qti3.read(data)
    (item,) = parcel.items
    assert (item.status, item.kind, item.archive_path) == (
        ImportStatus.IMPORTED,
        "matching",
        "items/1.xml",
    )
    assert parcel.metadata.title == "My test"
    assert parcel.media == {"a.png": b"png"}
    assert [note.code for note in parcel.ignored_lines] == ["test_left_out"]
    assert item.question is not None
    assert built(item.question, "es").words["es"]["prompt"] == "Une ![A](media:a.png)"


def test_a_language_that_nobody_tells_is_noted():
    (note,) = qti2.read(document(declared("A"), CORRECT, choice("A", "B"))).ignored_lines
    assert note.code == "language_unknown"


@pytest.mark.parametrize("data", [b"", b"<quiz/>", b"PK\x03\x04"])
def test_other_files_are_not_claimed_and_do_no_harm(data):
    assert not qti2.detect(data, "a.xml")
    assert qti2.read(data).items == ()


def test_a_broken_item_is_a_trouble_with_its_line():
    (trouble,) = qti2.read(b"<assessmentItem>\n<itemBody></assessmentItem>").errors
    assert trouble.line == 2


def test_a_large_package_takes_little_time():
    xml = document(declared("A"), CORRECT, choice("A", "B"))
    data = write_zip([(f"{number}.xml", xml) for number in range(1_000)])
    began = time.process_time()
    assert len(qti2.read(data, language="en").items) == 1_000
    assert time.process_time() - began < 10


def test_a_choice_between_true_and_false_is_a_statement_in_their_words():
    for labels in (("Verdadero", "Falso"), ("False", "True")):
        item = found(declared(labels[0]), CORRECT, choice(*labels))
        assert (item.kind, item.status) == ("true_false", ImportStatus.IMPORTED)
        named = {"Verdadero": "true", "False": "false"}[labels[0]]
        assert credit(item, {"chosen": [named]}) == 1


def test_an_entry_without_words_is_no_answer():
    more = mapping(a="1").replace("<mapEntry", '<mapEntry mapKey="" mappedValue="1"/><mapEntry', 1)
    item = found(declared(**TEXT, more=more), MAP, ENTRY)
    assert [row["text"] for row in rows(item, "accepted")] == ["a"]


INLINE_CHOICE = (
    "<p>Which? <inlineChoiceInteraction responseIdentifier='RESPONSE'><inlineChoice"
    " identifier='a'>a</inlineChoice></inlineChoiceInteraction></p>"
)


@pytest.mark.parametrize(
    "body",
    [
        choice("a", "b"),
        "<p>Which?<textEntryInteraction responseIdentifier='RESPONSE'/></p>",
        choice("a", "b").replace("choiceInteraction", "orderInteraction"),
        INLINE_CHOICE,
    ],
)
@pytest.mark.parametrize("statement", ["", MAPPED])
def test_a_mapping_of_a_response_that_is_not_declared_needs_review(body, statement):
    item = found(body, processed(statement) if statement else MAP)
    assert (item.status, item.points) == (ImportStatus.REVIEW, None)
    assert "custom_response_processing" in codes(item)
    assert "key_unknown" in codes(item)


PAIRS = {"cardinality": "multiple", "base": "directedPair"}
SETS = {
    "simpleChoice": (
        declared("B"),
        '<choiceInteraction responseIdentifier="RESPONSE" maxChoices="1">{}</choiceInteraction>',
    ),
    "inlineChoice": (
        declared("B"),
        (
            '<p>A <inlineChoiceInteraction responseIdentifier="RESPONSE">{}'
            "</inlineChoiceInteraction></p>"
        ),
    ),
    "gapText": (
        declared("B G", **PAIRS),
        (
            '<gapMatchInteraction responseIdentifier="RESPONSE">{}<p>In <gap identifier="G"/></p>'
            "</gapMatchInteraction>"
        ),
    ),
    "simpleAssociableChoice": (
        declared("L B", "M B", **PAIRS),
        (
            '<matchInteraction responseIdentifier="RESPONSE"><simpleMatchSet>'
            '<simpleAssociableChoice identifier="L">left</simpleAssociableChoice>'
            '<simpleAssociableChoice identifier="M">middle</simpleAssociableChoice>'
            "</simpleMatchSet><simpleMatchSet>{}</simpleMatchSet></matchInteraction>"
        ),
    ),
}


@pytest.mark.parametrize("tag", SETS)
@pytest.mark.parametrize(
    ("identifiers", "code", "is_damaged"),
    [
        ("ABC", "", False),
        (("", "B", ""), "identifier_missing", False),
        (("A", "B", "B"), "identifier_twice", True),
        (("choice-2", "choice-2", "B"), "identifier_twice", True),
    ],
)
def test_no_choice_is_lost_that_no_rule_can_name(tag, identifiers, code, is_damaged):
    declaration, interaction = SETS[tag]
    choices = "".join(
        f'<{tag} identifier="{identifier}">word {number}</{tag}>'
        for number, identifier in enumerate(identifiers)
    ).replace(' identifier=""', "")
    source_item = found(declaration, interaction.format(choices), CORRECT)
    assert codes(source_item) == {code} - {""}
    assert source_item.status == (ImportStatus.REVIEW if code else ImportStatus.IMPORTED)
    assert source_item.is_damaged == is_damaged
    if tag == "simpleAssociableChoice":
        assert len(rows(source_item, "rights")) == len(identifiers)
    else:
        right = [place == identifiers.index("B") for place in range(len(identifiers))]
        assert options(source_item) == [str(is_right) for is_right in right]
