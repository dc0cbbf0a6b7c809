"""Open edX: each problem with its verdict; what a program marks is never a choice without key."""

import gzip
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quizzes.formats import FORMATS, WRITERS, olx
from quizzes.formats.builders import build_strict_comparison
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from quizzes.presentation.messages.import_notes import NOTES
from tests.quizzes.lib.archives.test_tarballs import packaged

OWN = Path(__file__).parents[3] / "fixtures/formats/olx"


@pytest.fixture(scope="module")
def library() -> ParsedFile:
    return olx.read((OWN / "library.xml").read_bytes())


@pytest.fixture(scope="module")
def course() -> ParsedFile:
    return olx.read((OWN / "course.tar.gz").read_bytes())


def at(parcel: ParsedFile, name: str) -> SourceItem:
    return next(item for item in parcel.items if item.name == name)


def one(xml: str, **more: Any) -> SourceItem:
    [item] = olx.read(f"<problem>{xml}</problem>".encode(), **{"language": "en", **more}).items
    return item


def codes(item: SourceItem) -> set[str]:
    return {note.code for note in item.notes}


def said(item: SourceItem) -> dict[str, str]:
    assert item.question
    return {text.name: words["en"] for text, words in item.question.texts.items()}


def rows(item: SourceItem, table: str) -> list[tuple[Any, ...]]:
    assert item.question
    return [
        (*row.values.values(), *(words["en"] for words in row.texts.values()))
        for row in item.question.tables[table]
    ]


VERDICTS = {
    "longest-river": ("single_choice", "imported", {"hint_left_out"}),
    "primes": ("multiple_choice", "needs_review", {"picture_elsewhere"}),
    "dropdown": ("single_choice", "imported", set()),
    "capital": ("short_text", "imported", set()),
    "pattern": ("short_text", "needs_review", {"pattern_elsewhere", "feedback_dropped"}),
    "pi": ("numeric", "imported", set()),
    "range": ("numeric", "repaired", {"range_end_counts"}),
    "to-be-worked-out": ("numeric", "needs_review", {"number_unreadable", "key_unknown"}),
    "random": ("script", "refused", {"marked_by_rule"}),
    "by-program": ("customresponse", "refused", {"marked_by_rule"}),
    "formula": ("formularesponse", "refused", {"marked_by_rule"}),
    "on-a-map": ("imageresponse", "refused", {"kind_unknown"}),
    "two-at-once": ("numeric", "repaired", {"responses_parted"}),
    "two-at-once-2": ("single_choice", "repaired", {"responses_parted"}),
    "two-at-once-3": ("customresponse", "refused", {"marked_by_rule"}),
    "any-will-do": (
        "single_choice",
        "needs_review",
        {"part_of_items_asked", "several_right_options"},
    ),
    "no-key": ("single_choice", "needs_review", {"key_unknown"}),
    "to-read": ("description", "refused", {"description_only"}),
    "d1": ("openassessment", "refused", {"kind_unknown"}),
}


def test_every_problem_has_its_verdict_with_its_reasons(library):
    verdicts = {item.name: (item.kind, item.status, codes(item)) for item in library.items}
    assert verdicts == VERDICTS
    assert sum(library.counts().values()) == len(library.items)
    assert (library.metadata.title, library.metadata.language) == ("Rivers and numbers", "en")
    notes = [*library.ignored_lines, *(note for item in library.items for note in item.notes)]
    assert {note.code for note in notes} <= NOTES.keys()


def test_what_is_refused_is_quoted_and_has_no_question(library):
    for item in library.items:
        assert (item.question is None) == (item.status == ImportStatus.REFUSED)
    assert "random.randint(1, 9)" in at(library, "random").notes[0].quote
    assert "customresponse: check 10" in at(library, "by-program").notes[0].quote
    assert (at(library, "random").line, at(library, "random").end_line) == (74, 81)


def test_a_choice_has_its_words_hints_and_order(library):
    item = at(library, "longest-river")
    assert said(item) == {
        "prompt": "Which river of the peninsula is the **longest**?\n\n"
        "Think of its whole way to the sea.",
        "explanation": "The Tagus flows for about *1000* km.",
    }
    assert rows(item, "options") == [
        (False, False, "The Ebro", "It ends in a delta."),
        (True, False, "The Tagus"),
        (False, True, "None of these"),
    ]
    assert item.question
    assert item.question.fields["shuffle"] is True
    assert item.points == 2


def test_several_answers_pay_as_they_did_and_keep_what_is_said_to_them(library):
    item = at(library, "primes")
    assert item.question
    assert item.question.scoring_method == "each_option"
    assert rows(item, "options")[0] == (True, False, "2", "Yes.", "It is the even one.")
    assert rows(item, "combination_feedback") == [(["a", "b"], True, "These two differ.")]


@pytest.mark.parametrize(
    ("paid", "scoring_method", "noted"),
    [
        ("", "all_or_nothing", set()),
        ("halves", "halves", set()),
        ("EDC", "each_option", set()),
        ("points", "all_or_nothing", {"grading_nearly_the_same"}),
    ],
)
def test_partial_credit_is_a_scoring_method_of_ours(paid, scoring_method, noted):
    item = one(
        f'<choiceresponse partial_credit="{paid}"><label>Which?</label><checkboxgroup>'
        '<choice correct="true">a</choice><choice correct="false">b</choice>'
        "</checkboxgroup></choiceresponse>"
    )
    assert item.question
    assert item.question.scoring_method == scoring_method
    assert codes(item) == noted


def test_none_may_be_right_among_several_and_a_person_looks():
    item = one(
        "<choiceresponse><label>Which?</label><checkboxgroup><choice>a</choice><choice>b</choice>"
        "</checkboxgroup></choiceresponse>"
    )
    assert item.question
    assert item.question.fields["none_apply"] is True
    assert (item.status, codes(item)) == ("needs_review", {"key_unknown"})


def test_a_list_within_words_leaves_a_blank(library):
    item = at(library, "dropdown")
    assert said(item)["prompt"] == r"The Ebro ends in the \_\_\_\_ sea."
    assert [row[2] for row in rows(item, "options")] == [
        "Atlantic",
        "Mediterranean",
        "Bay of Biscay's end",
    ]


def test_any_of_several_right_ones_earns_all_and_parts_a_part(library):
    weights = [row[2] for row in rows(at(library, "any-will-do"), "options")]
    assert weights == [[1, 1], [1, 1], [1, 4]]
    odd = one(
        "<multiplechoiceresponse><label>Which?</label><choicegroup>"
        '<choice correct="true">a</choice><choice correct="partial" point_value="much">b</choice>'
        "</choicegroup></multiplechoiceresponse>"
    )
    assert codes(odd) == {"weight_unreadable"}


def test_typed_words_are_taken_as_they_stand(library):
    item = at(library, "capital")
    assert rows(item, "accepted") == [
        ("Camberra", [1, 1], False, "Well spelt."),
        ("Canberra", [1, 1], False),
        (r"Can\*berra", [1, 1], False),
        ("Sydney", [0, 1], False, "The largest city, not the capital."),
    ]
    assert item.question
    assert item.question.fields == build_strict_comparison(case=False)
    strict = one('<stringresponse answer="Fe"><label>Sign?</label><textline/></stringresponse>')
    assert strict.question
    assert strict.question.fields == build_strict_comparison(case=True)
    twice = one(
        '<stringresponse answer="Fe" type="ci"><label>Sign?</label>'
        '<additional_answer answer="FE"/><stringequalhint answer="fe">no</stringequalhint>'
        "</stringresponse>"
    )
    assert codes(twice) == {"duplicate_answer_left_out"}
    assert twice.question
    assert [row.values["text"] for row in twice.question.tables["accepted"]] == ["Fe"]
    patterns = one(
        r'<stringresponse answer="\d" type="ci regexp"><label>Sign?</label>'
        r'<additional_answer answer="\D"/></stringresponse>'
    )
    assert patterns.question
    assert len(patterns.question.tables["accepted"]) == 2
    empty = one('<stringresponse answer=""><label>Sign?</label><textline/></stringresponse>')
    assert codes(empty) == {"key_unknown"}


def test_patterns_stay_patterns(library):
    assert rows(at(library, "pattern"), "accepted") == [("colou?r", [1, 1], True)]


def test_numbers_have_their_tolerance_and_what_earns_a_half(library):
    assert rows(at(library, "pi"), "numbers") == [
        ("3.14159", "relative", "0.01", [1, 1]),
        ("3", "relative", "0.01", [1, 2]),
        ("22/7", "relative", "0.01", [1, 2]),
    ]
    assert rows(at(library, "range"), "numbers") == [("1", "range", "5", [1, 1])]
    assert said(at(library, "pi"))["prompt"] == r"How much is $\pi$?"


@pytest.mark.parametrize(
    ("inside", "expected", "noted"),
    [
        ('answer="5"', [("5", "relative", "0.00001", [1, 1])], set()),
        ('answer="5" tolerance="0"', [("5", "exact", [1, 1])], set()),
        ('answer="5" tolerance="0.5"', [("5", "absolute", "0.5", [1, 1])], set()),
        ('answer="[1,5]"', [("1", "range", "5", [1, 1])], set()),
        ('answer="[5,1]"', [("1", "range", "5", [1, 1])], set()),
        (
            'answer="5" partial_credit="close"',
            [("5", "relative", "0.00001", [1, 1])],
            {"partial_credit_left_out"},
        ),
    ],
)
def test_numbers_are_read_in_each_of_their_forms(inside, expected, noted):
    item = one(f"<numericalresponse {inside}><label>How many?</label></numericalresponse>")
    assert rows(item, "numbers") == expected
    assert codes(item) == noted


def test_parts_of_one_problem_share_its_words_and_its_points(library):
    first, second = at(library, "two-at-once"), at(library, "two-at-once-2")
    assert said(first)["prompt"] == (
        "A train leaves at noon and goes 60 km in an hour.\n\nHow far is it at one?"
    )
    assert said(second)["prompt"] == "And is it late?"
    assert [first.points, second.points] == [Fraction(1), Fraction(1)]
    alike = olx.read(
        b"<problem><p>Both sides?</p><stringresponse answer='a'/><stringresponse answer='b'/>"
        b"</problem>"
    )
    assert [said(item)["prompt"] for item in alike.items] == ["Both sides?"] * 2


def test_a_variable_needs_its_program():
    item = one('<stringresponse answer="$name"><label>Who?</label></stringresponse>')
    assert (item.status, codes(item)) == ("refused", {"marked_by_rule"})
    harmless = one(
        '<script type="text/javascript">alert(1)</script>'
        '<stringresponse answer="a"><label>Who?</label></stringresponse>'
    )
    assert harmless.status == "imported"
    assert "alert" not in str(harmless.question)


def test_a_response_without_choices_or_words_is_left_to_a_person():
    item = one("<multiplechoiceresponse><choicegroup/></multiplechoiceresponse>")
    assert codes(item) == {"too_few_options", "key_unknown", "prompt_missing"}
    empty = one(
        "<multiplechoiceresponse><label>Which?</label><choicegroup>"
        '<choice correct="true"/><choice correct="false">b</choice>'
        "</choicegroup></multiplechoiceresponse>"
    )
    assert codes(empty) == {"option_empty"}


def test_a_course_on_a_tape_brings_its_pictures_and_its_language(course):
    assert (course.metadata.title, course.metadata.language, course.errors) == ("Ríos", "es", ())
    assert {item.name: (item.archive_path, item.status) for item in course.items} == {
        "dentro": ("course/vertical/v1.xml", "imported"),
        "el-delta": ("course/problem/p1.xml", "imported"),
        "course/problem/broken.xml": ("course/problem/broken.xml", "refused"),
    }
    assert list(course.media) == ["delta.png"]
    assert "media:delta.png" in str(at(course, "el-delta").question)
    assert [note.quote for note in course.ignored_lines] == ["course/policies/2026/policy.json"]


@pytest.mark.parametrize("name", ["library.xml", "course.tar.gz"])
def test_it_is_claimed_by_what_is_in_it(name):
    assert detect_format((OWN / name).read_bytes(), name) is FORMATS["olx"]
    assert "olx" not in WRITERS


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (b"<course id='3'><fullname/></course>", "course.xml"),
        (b"<quiz/>", "quiz.xml"),
        (write_zip([("course/course.xml", b"<course id='3'/>")]), "backup.zip"),
        (b"<problem/>", "problem.txt"),
    ],
)
def test_files_of_others_are_not_claimed(data, filename):
    assert not olx.detect(data, filename)


def test_a_package_of_problems_is_read_too():
    data = write_zip([("problem/a.xml", b"<problem><stringresponse answer='a'/></problem>")])
    assert detect_format(data, "problems.zip") is FORMATS["olx"]
    assert len(olx.read(data).items) == 1


def test_a_file_with_nothing_in_it_says_so():
    assert olx.read(b"").errors
    assert olx.read(packaged({"a.txt": b"a"})).items == ()


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE a [<!ENTITY a 'aaa'>]><problem>&a;</problem>",
        b"<problem>" * 100_000,
        gzip.compress(b"\0" * 300_000_000, compresslevel=1),
        packaged({"../problem.xml": b"<problem/>"}),
    ],
    ids=["entities", "deep", "bomb", "path"],
)
def test_what_is_made_to_hurt_is_refused_at_once(data):
    began = time.process_time()
    parcel = olx.read(data)
    assert time.process_time() - began < 2
    assert parcel.items == ()
    assert parcel.errors


def test_a_large_library_is_read_in_a_moment():
    problem = (OWN / "library.xml").read_bytes().split(b"\n", 1)[1].rsplit(b"</library>", 1)[0]
    data = write_zip(
        [(f"l{n}.xml", b"<library>" + problem * 10 + b"</library>") for n in range(10)]
    )
    began = time.process_time()
    assert len(olx.read(data).items) == 1_900
    assert time.process_time() - began < 30
