"""QTI 1.2: each kind of item, by its structure; what is paid by other rules is said."""

import time
from fractions import Fraction

import pytest

from grading.contract import ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.formats import qti12
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.formats.parsing.packages import write_zip
from tests.grading.examples import PROJECT
from tests.quizzes.formats.qti12.documents import (
    codes,
    document,
    equal,
    feedback,
    found,
    item,
    label,
    lid,
    meta,
    rule,
    string,
)
from tests.quizzes.imports.questions import item as built

FIXTURES = PROJECT / "fixtures" / "formats" / "qti12"
AB = (label("a", "Iron"), label("b", "Gold"))
ABC = (*AB, label("c", "Tin"))
HALF = Fraction(1, 2)


def credit(source_item: SourceItem, raw: Json) -> Fraction:
    assert source_item.question is not None
    document, kind = built(source_item.question), KINDS[source_item.kind]
    answer = kind.parse(document.content, raw)
    assert isinstance(answer, dict)
    mark = kind.score(document.content, document.key, answer, document.scoring_method)
    assert isinstance(mark, ItemScore)
    return mark.credit


def rows(source_item: SourceItem, table: str) -> list[dict[str, Json]]:
    assert source_item.question is not None
    return [dict(row.values) for row in source_item.question.tables.get(table, ())]


def test_feedback_before_the_score_and_the_texts_of_canvas_are_understood():
    parcel = qti12.read((FIXTURES / "feedback-first.xml").read_bytes())
    assert parcel.metadata.title == "Ríos y más"
    assert parcel.metadata.language == "es"
    (source_item,) = parcel.items
    assert source_item.question is not None
    document = built(source_item.question, "es")
    assert (source_item.line, source_item.end_line, source_item.points) == (5, 31, Fraction(5, 2))
    assert document.words["es"]["prompt"] == r"¿Qué río pasa por **Zamora**? \[no gap\]"
    assert document.words["es"]["options"] == {"a": r"Duero \* 1", "b": "Tajo"}
    assert document.key["right"] == ["a"]
    assert document.feedback["es"] == {
        "explanation": "General",
        "options": {"a": "Eso es", "b": "Ese no"},
        "score_feedback": {"band-1": "Todo bien", "band-2": "Todo mal"},
    }
    assert codes(source_item) == {"empty_option_left_out", "feedback_unlinked"}
    assert source_item.status == ImportStatus.REPAIRED


def test_a_single_choice_pays_by_what_its_rules_come_to():
    rules = (
        rule(equal("r", "a"), "10", "Add"),
        rule(equal("r", "b"), "5", "Add"),
        rule(f"<not>{equal('r', 'c')}</not>", "0", "Add"),
    )
    source_item = found(item(lid("r", *ABC), *rules))
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "single_choice")
    assert [credit(source_item, {"chosen": [id_]}) for id_ in "abc"] == [1, HALF, 0]


def test_a_rule_that_ends_and_one_for_all_else():
    rules = (
        rule(equal("r", "b"), "100", more='continue="No"'),
        rule("<other/>", "0"),
        rule(equal("r", "b"), "1"),
    )
    source_item = found(item(lid("r", *AB), *rules))
    assert [credit(source_item, {"chosen": [id_]}) for id_ in "ab"] == [0, 1]


def test_values_side_by_side_are_alternatives_where_only_one_can_be_given():
    tests = equal("r", "a") + "<qticomment/>" + equal("r", "b")
    source_item = found(item(lid("r", *ABC), rule(tests, "1")))
    assert source_item.status == ImportStatus.REVIEW
    assert codes(source_item) == {"several_right_options"}
    assert [row["right"] for row in rows(source_item, "options")] == [True, True, False]


def test_true_and_false_are_told_by_their_words():
    rules = (rule(equal("r", "f"), "100"), rule(equal("r", "t"), says="t_fb"))
    labels = (label("f", "Falso"), label("t", "Verdadero"))
    xml = item(lid("r", *labels), *rules, feedback("t_fb", "No"), kind="true_false_question")
    source_item = found(xml)
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "true_false")
    assert [credit(source_item, {"chosen": [id_]}) for id_ in ("true", "false")] == [0, 1]


@pytest.mark.parametrize("labels", [AB, (label("t", "True"), label("f", "False"))])
def test_what_only_claims_to_be_true_or_false_is_a_choice(labels):
    source_item = found(item(lid("r", *labels), kind="true_false_question"))
    assert (source_item.status, source_item.kind, codes(source_item)) == (
        ImportStatus.REVIEW,
        "single_choice",
        {"key_unknown"},
    )


def test_several_answers_by_one_rule_for_all():
    tests = f"<and>{equal('r', 'a')}{equal('r', 'b')}<not>{equal('r', 'c')}</not></and>"
    source_item = found(item(lid("r", *ABC, cardinality="Multiple"), rule(tests, "100")))
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "multiple_choice")
    answers = (["a", "b"], ["a"], ["a", "b", "c"])
    assert [credit(source_item, {"chosen": chosen}) for chosen in answers] == [1, 0, 0]


def test_none_of_them_may_be_what_the_rule_asks_for():
    tests = f"<and><not>{equal('r', 'a')}</not><not><or>{equal('r', 'b')}</or></not></and>"
    source_item = found(item(lid("r", *AB, cardinality="Multiple"), rule(tests, "100")))
    assert source_item.status == ImportStatus.IMPORTED
    assert credit(source_item, {"chosen": [], "none_apply": True}) == 1


def test_options_that_the_rule_leaves_open_need_a_person():
    tests = f"<and>{equal('r', 'a')}{equal('r', 'b')}</and>"
    source_item = found(item(lid("r", *ABC, cardinality="Multiple"), rule(tests, "100")))
    assert (source_item.status, codes(source_item)) == (
        ImportStatus.REVIEW,
        {"options_not_in_rule"},
    )


def test_several_answers_that_add_up_and_thirds_are_thirds():
    gains = {"a": "33.33333", "b": "33.33333", "c": "33.33333", "d": "-50"}
    rules = [rule(equal("r", id_), gain, "Add") for id_, gain in gains.items()]
    labels = (*ABC, label("d", "Wood"))
    source_item = found(item(lid("r", *labels, cardinality="Multiple"), *rules))
    assert source_item.status == ImportStatus.IMPORTED
    answers = (["a"], ["a", "b", "c"], ["a", "b", "d"])
    shares = [Fraction(1, 3), 1, Fraction(2, 3) - HALF]
    assert [credit(source_item, {"chosen": chosen}) for chosen in answers] == shares


def test_shares_that_are_not_equal_stay_so_and_costs_may_be_subtracted():
    rules = [
        rule(equal("r", "a"), "75", "Add"),
        rule(equal("r", "b"), "25", "Add"),
        rule(equal("r", "c"), "25", "Subtract"),
    ]
    source_item = found(item(lid("r", *ABC, cardinality="Multiple"), *rules))
    assert [credit(source_item, {"chosen": list(ids)}) for ids in ("a", "ac", "b")] == [
        Fraction(3, 4),
        HALF,
        Fraction(1, 4),
    ]


def test_a_file_may_say_that_all_or_nothing_counts():
    rules = [rule(equal("r", id_), "50", "Add") for id_ in "ab"]
    response = lid("r", *ABC, cardinality="Multiple")
    metadata = meta(scoring_algorithm="AllOrNothing")
    source_item = found(item(response, *rules, metadata))
    assert [credit(source_item, {"chosen": list(ids)}) for ids in ("a", "ab")] == [0, 1]


@pytest.mark.parametrize(
    "rules",
    [
        rule(f"<not>{equal('r', 'a')}</not>", "50", "Add") + rule(equal("r", "b"), "50", "Add"),
        rule(equal("r", "a"), "-50", "Add") + rule(equal("r", "b"), "-50", "Add"),
        rule(equal("r", "a"), "2", "Multiply"),
        rule(equal("r", "a"), "x"),
        rule("<durlte>5</durlte>", "100"),
        rule("<not><other/></not>", "100"),
        rule(equal("r", "a"), "1").replace("SCORE", "OTHER") + rule(equal("r", "a"), "1"),
        rule(equal("r", "a")) * 601,
        rule("<and>" + f"<or>{equal('r', 'a') * 40}</or>" * 3 + "</and>", "1"),
    ],
)
def test_a_rule_of_its_own_is_never_taken_for_a_key(rules):
    processing = rules.split("</respcondition>")
    parts = [f"{part}</respcondition>" for part in processing if part]
    source_item = found(item(lid("r", *AB, cardinality="Multiple"), *parts))
    assert source_item.status == ImportStatus.REVIEW
    assert "custom_response_processing" in codes(source_item)
    assert not [row for row in rows(source_item, "options") if row["right"]]


def test_a_rule_that_only_says_something_may_be_any():
    rules = (rule("<durlte>5</durlte>", says="x"), rule(equal("r", "a"), "1"), "<respcondition/>")
    source_item = found(item(lid("r", *AB), *rules, feedback("x", "Quick")))
    assert codes(source_item) == {"feedback_unlinked"}


def test_words_are_accepted_with_their_shares_and_their_feedback():
    rules = (
        rule(equal("r", "Iron * 1") + equal("r", "Fe"), "100"),
        rule(equal("r", "FE"), "100"),
        rule(equal("r", "metal"), "50", says="m"),
        rule('<varsubstring respident="r">ferr</varsubstring>', "25"),
        rule(equal("r", ""), "25"),
    )
    source_item = found(
        item(string("r"), *rules, feedback("m", "Which?"), kind="short_answer_question")
    )
    assert (source_item.status, codes(source_item)) == (
        ImportStatus.REPAIRED,
        {"duplicate_answer_left_out"},
    )
    typed = ("iron * 1", "fe", "metal", "a ferrous one", "Iron x 1")
    assert [credit(source_item, {"text": text}) for text in typed] == [
        1,
        1,
        HALF,
        Fraction(1, 4),
        0,
    ]
    assert source_item.question is not None
    assert built(source_item.question).feedback["en"]["accepted"] == {"c": "Which?"}


def test_case_counts_where_the_file_says_so():
    source_item = found(item(string("r"), rule(equal("r", "Fe", 'case="Yes"'), "100")))
    assert [credit(source_item, {"text": text}) for text in ("Fe", "fe")] == [1, 0]


@pytest.mark.parametrize(
    "tests",
    [
        f"<not>{equal('r', 'x')}</not>",
        '<vargt respident="r">5</vargt>',
        f"<or>{equal('r', 'x')}<other/></or>",
    ],
)
def test_words_by_other_rules_need_a_person(tests):
    source_item = found(item(string("r"), rule(tests, "100"), kind="short_answer_question"))
    assert source_item.status == ImportStatus.REVIEW
    assert "custom_response_processing" in codes(source_item)
    assert rows(source_item, "accepted") == []


@pytest.mark.parametrize("kind", ["", "essay_question"])
def test_a_place_to_write_in_that_pays_nothing_is_an_essay(kind):
    source_item = found(item(string("r"), rule("<other/>"), kind=kind))
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "essay")


def bounds(*ends: str) -> str:
    parted = [end.split(" ") for end in ends]
    return "".join(f'<var{how} respident="r">{value}</var{how}>' for how, value in parted)


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        (equal("r", "4.50"), ("exact", "4.5", "")),
        (bounds("gte 1.0", "lte 22"), ("range", "1", "22")),
        (
            f"<or>{equal('r', '4')}<and>{bounds('gte 3.5', 'lte 4.5')}</and></or>",
            ("absolute", "4", "0.5"),
        ),
        (f"<or>{equal('r', '4')}<and>{bounds('gte 4.0', 'lte 4')}</and></or>", ("exact", "4", "")),
        (
            f"<or>{equal('r', '4')}<and>{bounds('gte 3', 'lte 4.5')}</and></or>",
            ("range", "3", "4.5"),
        ),
    ],
)
def test_numbers_are_exact_or_within_bounds(tests, expected):
    source_item = found(item(string("r", "Decimal"), rule(tests, "100")))
    assert source_item.status == ImportStatus.IMPORTED
    (row,) = rows(source_item, "numbers")
    assert (row["tolerance"], row["value"], row.get("margin", "")) == expected


def test_a_bound_that_is_left_out_is_taken_in_and_told():
    source_item = found(item(string("r", "Decimal"), rule(bounds("gt 1", "lte 2"), "100")))
    assert (source_item.status, codes(source_item)) == (
        ImportStatus.REPAIRED,
        {"boundary_included"},
    )


@pytest.mark.parametrize(
    "tests",
    [
        '<vargte respident="r">1</vargte>',
        bounds("gte 5", "lte 1"),
        bounds("gt 1", "gte 2"),
        bounds("gte 1", "lte 2") + equal("r", "1"),
        f"<or>{equal('r', '1')}{equal('r', '2')}</or>",
        f"<not>{equal('r', '1')}</not>",
        equal("r", "one"),
        "<or>" + f"<and>{bounds('gte 1', 'lte 2')}</and>" * 2 + "</or>",
    ],
)
def test_numbers_by_other_rules_need_a_person(tests):
    source_item = found(item(string("r", "Decimal"), rule(tests, "100")))
    assert source_item.status == ImportStatus.REVIEW
    assert rows(source_item, "numbers") == []


PAIRS = (
    lid("l1", label("1", "Fe"), label("2", "Au"), label("3", "Sn"), text="Iron"),
    lid("l2", label("1", "Fe"), label("2", "Au"), label("3", "Sn"), text="Gold"),
)


def test_pairs_are_scored_one_by_one_and_rights_left_over_are_distractors():
    rules = (
        rule(equal("l1", "1"), "50.00", "Add"),
        rule(equal("l2", "2"), "50.00", "Add"),
        rule(f"<not>{equal('l2', '2')}</not>", says="g"),
    )
    source_item = found(
        item("".join(PAIRS), *rules, feedback("g", "Au?"), kind="matching_question")
    )
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "matching")
    assert len(rows(source_item, "rights")) == 3
    assert credit(source_item, {"pairs": {"left-1": "right-1", "left-2": "right-3"}}) == HALF
    assert source_item.question is not None
    assert built(source_item.question).feedback["en"]["lefts"] == {"left-2": "Au?"}


def test_pairs_by_one_rule_are_all_or_nothing():
    tests = f"<and>{equal('l1', '1')}{equal('l2', '2')}</and>"
    source_item = found(item("".join(PAIRS), rule(tests, "100")))
    assert source_item.kind == "matching"
    assert credit(source_item, {"pairs": {"left-1": "right-1"}}) == 0


def test_lefts_without_words_are_left_out_and_those_without_a_right_told():
    presentation = PAIRS[0] + PAIRS[1] + lid("l3", label("1", "Fe"))
    source_item = found(
        item(presentation, rule(equal("l1", "1"), "50", "Add"), kind="matching_question")
    )
    assert source_item.status == ImportStatus.REVIEW
    assert codes(source_item) == {"empty_pair_left_out", "key_unknown"}
    assert rows(source_item, "lefts") == [{"goes_with": "right-1"}, {}]


@pytest.mark.parametrize(
    "tests",
    [f"<or>{equal('l1', '1')}{equal('l2', '2')}</or>", f"<not>{equal('l1', '1')}</not>"],
)
def test_pairs_by_other_rules_need_a_person(tests):
    source_item = found(item("".join(PAIRS), rule(tests, "100"), kind="matching_question"))
    assert "custom_response_processing" in codes(source_item)
    assert source_item.status == ImportStatus.REVIEW


ORDERED = lid("r", *ABC, cardinality="Ordered")


def test_an_order_is_told_value_by_value():
    source_item = found(item(ORDERED, rule("".join(equal("r", id_) for id_ in "bca"), "5", "Add")))
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "ordering")
    assert source_item.question is not None
    words = built(source_item.question).words["en"]["items"]
    assert words == {"a": "Gold", "b": "Tin", "c": "Iron"}


@pytest.mark.parametrize(
    "rules",
    [(), (rule(equal("r", "a") + equal("r", "b"), "5"),), (rule(equal("r", "a"), "1", "Add"),) * 2],
)
def test_an_order_that_is_not_told_needs_a_person(rules):
    assert found(item(ORDERED, *rules)).status == ImportStatus.REVIEW


BLANKS = lid("response_one", *AB, text="one") + lid("response_two", *ABC, text="two")
TOLD = (
    rule(equal("response_one", "a"), "50", "Add"),
    rule(equal("response_two", "c"), "50", "Add"),
    rule(equal("response_two", "a"), says="a_fb"),
)


def test_brackets_are_gaps_where_a_response_is_called_so():
    xml = item(BLANKS, *TOLD, kind="multiple_dropdowns_question", prompt="Take [one], [two], [x].")
    source_item = found(xml)
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "cloze")
    assert source_item.question is not None
    assert built(source_item.question).words["en"]["prompt"] == r"Take [[one]], [[two]], \[x\]."
    assert credit(source_item, {"gaps": {"gap-1": {"chosen": ["gap-1-a"]}}}) == HALF


def test_in_blanks_all_that_is_listed_is_accepted():
    xml = item(
        BLANKS, *TOLD, kind="fill_in_multiple_blanks_question", prompt="Take [one] and [two]."
    )
    source_item = found(xml)
    assert credit(source_item, {"gaps": {"gap-1": {"text": "gold"}, "gap-2": {"text": "tin"}}}) == 1


def test_a_gap_that_the_text_does_not_have_is_put_at_its_end():
    source_item = found(
        item(BLANKS, *TOLD, kind="multiple_dropdowns_question", prompt="Take [one].")
    )
    assert (source_item.status, codes(source_item)) == (
        ImportStatus.REVIEW,
        {"gap_missing_in_text"},
    )
    assert source_item.question is not None
    assert built(source_item.question).words["en"]["prompt"] == "Take [[one]].\n\n[[two]]"


def test_gaps_without_a_key_need_a_person():
    presentation = BLANKS + string("s") + string("n", "Decimal")
    source_item = found(item(presentation, prompt="Take"))
    assert (source_item.status, source_item.kind, codes(source_item)) == (
        ImportStatus.REVIEW,
        "cloze",
        {"key_unknown"},
    )


def test_responses_within_the_text_are_gaps_there_worth_their_points():
    presentation = (
        f"<flow>{string('response_a b')}<material><mattext>and</mattext></material>"
        f"<flow>{string('n', 'Integer')}</flow></flow>"
    )
    rules = (rule(equal("response_a b", "iron"), "20", "Add"), rule(equal("n", "5"), "40", "Add"))
    source_item = found(item(presentation, *rules, prompt="Take"))
    assert (source_item.status, source_item.kind) == (ImportStatus.IMPORTED, "cloze")
    assert source_item.question is not None
    assert built(source_item.question).words["en"]["prompt"].split() == [
        "Take",
        "[[gap-1]]",
        "and",
        "[[n]]",
    ]
    assert credit(source_item, {"gaps": {"gap-1": {"text": "iron"}}}) == Fraction(1, 3)


def test_gaps_that_count_only_together():
    tests = f"<and>{equal('s', 'x')}{equal('t', 'y')}</and>"
    source_item = found(item(string("s") + string("t"), rule(tests, "1")))
    gaps = {"gap-1": {"text": "x"}}
    assert credit(source_item, {"gaps": gaps}) == 0
    assert credit(source_item, {"gaps": {**gaps, "gap-2": {"text": "y"}}}) == 1


def test_gaps_have_points_by_their_shares_and_where_these_are_none_count_alike():
    for first, second, points in (("2", "3", [2, 3]), ("33.33", "66.67", [1, 2])):
        rules = (rule(equal("s", "x"), first, "Add"), rule(equal("t", "y"), second, "Add"))
        source_item = found(item(string("s") + string("t"), *rules))
        assert source_item.status == ImportStatus.IMPORTED
        assert [row["points"] for row in rows(source_item, "gaps")] == points
    rules = (rule(equal("s", "x"), "1", "Add"), rule(equal("t", "y"), "300", "Add"))
    source_item = found(item(string("s") + string("t"), *rules))
    assert (source_item.status, codes(source_item)) == (
        ImportStatus.REPAIRED,
        {"gap_points_levelled", "end_blanks_ignored"},
    )


@pytest.mark.parametrize(
    "rules",
    [
        (rule(f"<and>{equal('s', 'x')}{equal('t', 'y')}</and>", "1"), rule(equal("s", "z"), "1")),
        (rule(equal("s", "x"), "-1", "Add"),),
    ],
)
def test_gaps_by_other_rules_need_a_person(rules):
    source_item = found(item(string("s") + string("t"), *rules))
    assert "custom_response_processing" in codes(source_item)


@pytest.mark.parametrize(
    ("presentation", "kind", "code"),
    [
        (string("r", "Decimal"), "calculated_question", "calculated"),
        ("", "file_upload_question", "file_upload"),
        ("", "text_only_question", "text_only"),
        ("", "", "no_interaction"),
        ('<response_xy ident="r"/>', "", "unsupported_interaction"),
        ('<response_grp ident="r"/>', "", "unsupported_interaction"),
        ('<response_lid ident="r"><render_hotspot/></response_lid>', "", "unsupported_interaction"),
        (lid("r", *AB * 101), "", "unsupported_interaction"),
    ],
)
def test_what_no_kind_of_ours_can_ask_is_refused_with_its_reason(presentation, kind, code):
    source_item = found(item(presentation, kind=kind))
    assert (source_item.status, source_item.question) == (ImportStatus.REFUSED, None)
    assert codes(source_item) == {code}


def test_a_formula_is_refused_whatever_the_item_is_called():
    formula = "<itemproc_extension><calculated><formulas/></calculated></itemproc_extension>"
    assert codes(found(item(string("r"), formula))) == {"calculated"}


def test_text_is_plain_or_html_or_xml_and_pictures_may_stand_apart():
    prompt = (
        '<item ident="i"><qtimetadata><qmd_topic>Metals, Old ones</qmd_topic></qtimetadata>'
        "<presentation><material><mattext>1 * 2\n[x]</mattext><matbreak/>"
        '<mattext texttype="text/html"><em xmlns="http://www.w3.org/1999/xhtml">R&amp;D</em></mattext>'
        '<matimage uri="a.png" label="A"/><mataudio/></material><other/>'
        f"{lid('r', *AB)}</presentation>{rule(equal('r', 'a'), '1')}</item>"
    )
    source_item = found(prompt)
    assert source_item.question is not None
    assert (
        built(source_item.question)
        .words["en"]["prompt"]
        .startswith("1 \\* 2\\\n\\[x\\]\\\n*R\\&D*")
    )
    assert source_item.question.tags == ("metals", "old-ones")


def test_banks_items_and_references_are_told():
    bank = (
        f"<objectbank>{meta(bank_title='My bank')}{item(lid('r', *AB), rule(equal('r', 'a'), '1'))}"
        "</objectbank><section><selection_ordering><selection><sourcebank_ref>b1</sourcebank_ref>"
        "</selection></selection_ordering></section>"
    )
    parcel = qti12.read(document(bank))
    assert parcel.metadata.title == "My bank"
    assert [note.code for note in parcel.ignored_lines] == ["bank_elsewhere"]


def test_packages_within_packages_and_their_pictures_are_read():
    prompt = '&lt;img src="%24IMS-CC-FILEBASE%24/b%20c.png?x=1" alt="A"&gt; What is it?'
    quiz = document(item(lid("r", *AB), rule(equal("r", "a"), "1"), prompt=prompt))
    inner = write_zip([("q/quiz.qti", quiz), ("web/b c.png", b"png"), ("imsmanifest.xml", b"<m/>")])
    data = write_zip([("in.zip", inner), ("notes.txt", b"?"), ("__MACOSX/x", b"")])
    assert qti12.detect(data, "course.imscc")
    parcel = qti12.read(data, language="en")
    (source_item,) = parcel.items
    assert (source_item.status, source_item.archive_path) == (
        ImportStatus.IMPORTED,
        "in.zip/q/quiz.qti",
    )
    assert parcel.media == {"b-c.png": b"png"}
    assert [note.quote for note in parcel.ignored_lines] == ["notes.txt"]
    assert source_item.question is not None
    assert "](media:b-c.png)" in built(source_item.question).words["en"]["prompt"]


@pytest.mark.parametrize("data", [b"", b"<quiz/>", b"PK\x03\x04", write_zip([("a.txt", b"x")])])
def test_other_files_are_not_claimed_and_do_no_harm(data):
    assert not qti12.detect(data, "a.xml")
    assert qti12.read(data).items == ()


def test_a_broken_document_is_a_trouble_with_its_line():
    (trouble,) = qti12.read(b"<questestinterop>\n<item></questestinterop>").errors
    assert trouble.line == 2


def test_a_large_document_takes_little_time():
    xml = item(lid("r", *AB), rule(equal("r", "a"), "1"))
    data = document(*[xml] * 1_000)
    began = time.process_time()
    assert len(qti12.read(data).items) == 1_000
    assert time.process_time() - began < 10


def test_pairs_keep_the_parts_that_they_pay():
    labels = label("x", "one"), label("y", "two")
    responses = lid("a", *labels, text="first") + lid("b", *labels, text="second")
    for gains, points in ((("33.33", "33.34"), [None, None]), (("20", "80"), [1, 4])):
        paying = [
            rule(equal(left, right), gain, "Add")
            for left, right, gain in zip("ab", "xy", gains, strict=True)
        ]
        matching = found(item(responses, *paying, kind="matching_question"))
        assert matching.status == ImportStatus.IMPORTED
        assert [row.get("points") for row in rows(matching, "lefts")] == points
