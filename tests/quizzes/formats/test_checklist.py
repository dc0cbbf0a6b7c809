"""Checklists say what is right by a box that is ticked, and lose nothing on the way out and in."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats import checklist
from quizzes.formats.builders import Head, Option, SourceChoice, build_choice, build_essay
from quizzes.formats.contract import FileMetadata, ImportStatus, ParsedFile
from tests.quizzes.formats.text_items import (
    FIXTURES,
    SEEDS,
    assert_fast,
    get_text,
    list_codes,
    list_options,
    with_seeds,
)
from tests.quizzes.imports.questions import multiples, parcel, same, singles, truths


def page(text: str) -> ParsedFile:
    return checklist.read(text.encode(), language="en")


class TestQuirks:
    quirks = checklist.read((FIXTURES / "checklist" / "quirks.md").read_bytes())

    def test_every_item_has_its_verdict(self):
        assert [item.status for item in self.quirks.items] == [
            ImportStatus.IMPORTED,
            ImportStatus.REPAIRED,
            ImportStatus.REVIEW,
            ImportStatus.IMPORTED,
            ImportStatus.REFUSED,
            ImportStatus.REVIEW,
        ]
        assert [list_codes(item) for item in self.quirks.items] == [
            [],
            ["listing_as_code", "listing_as_code"],
            ["fence_left_open", "key_unknown"],
            [],
            ["options_missing"],
            ["fence_left_open", "stem_missing"],
        ]

    def test_title_and_words_between_are_told(self):
        assert (self.quirks.metadata.title, self.quirks.metadata.language) == (
            "Rivers and seas",
            "en",
        )
        assert [
            (ignored_line.line, ignored_line.quote) for ignored_line in self.quirks.ignored_lines
        ] == [
            (3, "Some words before the questions."),
            (5, "Geography"),
        ]

    def test_bold_stems_nested_lists_and_lazy_lines_are_read(self):
        first = self.quirks.items[0]
        assert get_text(first) == "Which of these are seas?"
        assert list_options(first) == [
            ("The Baltic", True),
            ("The Aegean\n- with its islands\n- and its winds", True),
            ("Lake Como\nlazily continued", False),
        ]
        assert get_text(first, "explanation") == "Seas are *salt*."

    def test_lines_of_code_become_a_listing(self):
        second = self.quirks.items[1]
        assert list_options(second)[0] == ("```\nlength = find()\nprint(length)\n```", True)
        assert get_text(second) == "Which program prints it?\n1. Get the length\n2. Print it"

    def test_a_listing_left_open_ends_before_the_next_item(self):
        assert get_text(self.quirks.items[2]).endswith("```")
        assert len(list_options(self.quirks.items[2])) == 2
        assert list_options(self.quirks.items[5])[0] == ("first\n```\nleft = open\n```", True)


def test_one_box_ticked_is_a_single_choice_unless_all_are_asked_for():
    question = page("Which?\n- [x] a\n- [ ] b\n").questions[0]
    all_ = page("Which? Choose all that apply.\n- [x] a\n- [ ] b\n").questions[0]
    assert (question.kind, all_.kind) == ("single_choice", "multiple_choice")


def test_questions_need_no_blank_line_between_them():
    items = page("1. A?\n- [x] a\n- [ ] b\n2. B?\n- [ ] c\n- [x] d\n").items
    assert [get_text(item) for item in items] == ["A?", "B?"]


def test_breaks_become_ours_and_tabs_are_margins():
    item = page("A<br>b<br>\n\n- [x] one<br>two\n\t  three\n- [ ] x\n").items[0]
    assert get_text(item) == "A\\\nb"
    assert list_options(item)[0] == ("one\\\ntwo\nthree", True)


def test_breaks_with_blanks_between_them_all_become_ours():
    item = page("A<br> <br>\t<br> b\n\n- [x] one\n- [ ] x\n").items[0]
    assert "<br>" not in get_text(item)


def test_a_heading_may_hold_number_and_stem():
    item = page("## Question 4: Which one?\n- [x] a\n- [ ] b\n").items[0]
    assert (get_text(item), item.line) == ("Which one?", 1)


def test_a_listing_in_an_option_keeps_its_lines():
    text = "Q?\n- [x] a\n\n  ```py\n  if a:\n      # b\n  - [ ] c\n  > d\n  ```\n- [ ] b\n"
    assert list_options(page(text).items[0])[0][0] == (
        "a\n\n```py\nif a:\n    # b\n- [ ] c\n> d\n```"
    )


def test_items_without_a_stem_and_files_without_items():
    assert list_codes(page("- [x] a\n- [ ]\n").items[0]) == ["stem_missing", "option_empty"]
    assert page("").items == ()
    assert [ignored_line.quote for ignored_line in page("only words").ignored_lines] == [
        "only words"
    ]
    assert checklist.read(b"3?\n- [x] 3\n- [ ] 4").ignored_lines[0].code == "language_unknown"


@pytest.mark.parametrize(
    ("text", "claimed"), [("a\n- [x] b\n", True), ("  * ( ) b", True), ("- b\n[x] c", False)]
)
def test_a_box_claims_a_file(text, claimed):
    assert checklist.detect(text.encode(), "a.MD") is claimed
    assert not checklist.detect(text.encode(), "a.xml")


scoring_methods = st.sampled_from(["right_minus_wrong", "each_option", "coverage", "minus_missed"])


@st.composite
def any_choice(draw):
    question = draw(st.one_of(singles(), multiples(), truths()))
    if question.kind == "multiple_choice":
        return replace(question, scoring_method=draw(scoring_methods))
    return question


@given(any_choice())
def test_what_is_written_is_read_back(question):
    written = checklist.write(parcel(question), language="en")
    assert written.warnings == ()
    back = checklist.read(written.data, language="en")
    assert [item.status for item in back.items] == [ImportStatus.IMPORTED]
    assert same(back.questions[0]) == same(question)


HEAD = Head(1, "q", "en", "## Big\n\n> said\n\n```\n# kept\n```")
TWO = [Option("a", right=True), Option("- [ ] b")]


def test_settings_are_kept_in_a_comment():
    question = build_choice(
        HEAD,
        SourceChoice(
            [Option("a"), Option("b")],
            many=True,
            none_apply=True,
            shuffle=False,
            scoring_method="halves",
        ),
    )
    plain = replace(question, texts={text: {"en": "Q?"} for text in question.texts})
    data = checklist.write(parcel(plain), language="en").data
    assert (
        b"<!-- kind: multiple_choice; scoring_method: halves; shuffle: no; none_apply: yes -->"
        in data
    )
    back = checklist.read(data, language="en").items[0]
    assert back.question
    assert (back.status, same(back.question)) == (ImportStatus.IMPORTED, same(plain))


def test_what_a_checklist_cannot_hold_is_told():
    english = build_choice(HEAD, SourceChoice(TWO, many=False))
    spanish = build_choice(replace(HEAD, language="es"), SourceChoice(TWO, many=False))
    written = checklist.write(
        replace(parcel(english, spanish, build_essay(HEAD)), metadata=FileMetadata("T")),
        language="en",
    )
    assert [(warning.code) for warning in written.warnings] == [
        "markup_left_out",
        "language_missing",
        "kind_not_held",
    ]
    back = checklist.read(written.data, language="en")
    assert (back.metadata.title, len(back.items)) == ("T", 1)
    assert get_text(back.items[0]) == "\\## Big\n\n\\> said\n\n```\n# kept\n```"
    assert checklist.write(ParsedFile(), language="en").data == b""


@pytest.mark.parametrize(
    "text",
    [
        "Q?\n" + "- [x] a\n" * 100_000,
        "```\n" * 100_001 + "- [ ] a\n" * 10,
        "  ```\n- [ ] a\n" * 50_000,
        "<br>" * 200_000 + "\n- [x] a\n- [ ] b",
        "## a\nb?\n- [x] c\n- [ ] d\n" * 2_000,
    ],
    ids=range(5),
)
def test_large_files_are_read_in_seconds(text):
    assert_fast(checklist.read, text, 10)


@with_seeds
def test_the_seed_003_has_six_questions_with_their_listings():
    parcel_ = checklist.read(next(SEEDS.glob("003_*.txt")).read_bytes())
    assert [len(list_options(item)) for item in parcel_.items] == [4, 2, 4, 4, 4, 4]
    rights = [[n for n, option in enumerate(list_options(f)) if option[1]] for f in parcel_.items]
    assert rights == [[0, 1], [0, 1], [1, 2, 3], [0, 2], [0, 1, 2], [0]]
    assert [item.status for item in parcel_.items] == [ImportStatus.IMPORTED] * 5 + [
        ImportStatus.REPAIRED
    ]
    listings = [text.split("\n") for text, _ in list_options(parcel_.items[5])]
    assert [len(listing) for listing in listings] == [7, 7, 7, 7]
    assert all(listing[0] == listing[-1] == "```" for listing in listings)
    assert (parcel_.ignored_lines, parcel_.metadata.language) == ((), "en")


BOXES = """Which rivers reach the Black Sea? Check all that apply.
- [x] Danube
- [x] Dnieper
- [ ] Rhine

Which cities lie on the Danube?
- [x] Vienna
- [x] Budapest
- [ ] Graz

Which river is the longest in Europe?
- [x] Volga
- [ ] Danube
- [ ] Dnieper
"""


def kinds(text: str) -> list[str]:
    return [item.kind for item in checklist.read(text.encode(), language="en").items]


def test_where_all_others_let_several_be_chosen_one_mark_is_one_of_several():
    parcel_ = checklist.read(BOXES.encode(), language="en")
    assert [item.kind for item in parcel_.items] == ["multiple_choice"] * 3
    assert [note.code for note in parcel_.items[2].notes] == ["several_by_siblings"]
    assert parcel_.items[2].status == ImportStatus.REPAIRED


def test_a_page_that_mixes_both_says_nothing_of_one_mark():
    mixed = BOXES + "\nWhich sea is the saltiest?\n- [x] Red\n- [ ] Black\n"
    assert kinds(mixed) == ["multiple_choice"] * 2 + ["single_choice"] * 2
    assert kinds(BOXES.split("\n\n", 1)[1]) == ["multiple_choice", "single_choice"]
    assert kinds(BOXES.replace("[x] Volga", "(x) Volga"))[2] == "single_choice"


def test_a_statement_among_questions_for_several_stays_one():
    statement = "The Danube is long.\n- [x] True\n- [ ] False\n"
    text = BOXES.rpartition("\n\n")[0] + "\n\n" + statement
    assert kinds(text) == ["multiple_choice", "multiple_choice", "true_false"]


def test_true_and_false_of_another_language_keep_its_words():
    text = "O Danúbio é longo.\n- [x] Verdadeiro\n- [ ] Falso\n"
    (question,) = checklist.read(text.encode(), language="pt").questions
    assert question.kind == "true_false"
    words = [next(iter(row.texts.values()))["pt"] for row in question.rows]
    assert words == ["Verdadeiro", "Falso"]
