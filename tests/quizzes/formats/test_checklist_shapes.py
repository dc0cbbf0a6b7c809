"""Checklists as other people write them: headings, listings at the margin, labels, loose words."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats import checklist
from quizzes.formats.contract import ImportStatus, ParsedFile
from tests.quizzes.formats.text_items import get_text, list_codes, list_options, list_texts


def page(text: str) -> ParsedFile:
    return checklist.read(text.encode(), language="en")


LISTING = "```py\nif ready:\n    print(1)  # twice\n```"
BOTH = "- [ ] one\n- [x] two\n"


class TestExplanationsRightBelowAnOption:
    @pytest.mark.parametrize(
        "explanation",
        [
            "Explanation: because it is.",
            "**Answer:** the second, as said.",
            "<details><summary>Answer</summary>\n\nBecause it is.\n\n</details>",
            "<details>\n<summary>Answer</summary>\nBecause it is.\n</details>",
        ],
    )
    @pytest.mark.parametrize("number", ["### {}. ", "{}. "])
    def test_they_are_no_words_of_the_option(self, number, explanation):
        first, second = (f"{number.format(n)}Which?\n{BOTH}" for n in (1, 2))
        parcel = page(f"{first}{explanation}\n\n{second}")
        assert [list_options(item) for item in parcel.items] == [
            [("one", False), ("two", True)]
        ] * 2
        words = "Because it is." if "details" in explanation else explanation
        assert get_text(parcel.items[0], "explanation").strip() == words
        assert not parcel.ignored_lines

    def test_an_option_may_go_on_with_such_a_word(self):
        item = page("Which?\n- [ ] The\nsource of light\n- [x] two\n").items[0]
        assert list_options(item) == [("The\nsource of light", False), ("two", True)]


class TestHeadings:
    def test_a_heading_stands_above_the_listing_it_asks_about(self):
        item = page(f"#### Q4. What does this code print?\n\n{LISTING}\n\n{BOTH}").items[0]
        assert get_text(item, "prompt") == f"What does this code print?\n\n{LISTING}"
        assert (item.status, item.name) == (
            ImportStatus.IMPORTED,
            "q4-what-does-this-code-print",
        )

    def test_a_heading_stands_above_the_sentence_that_goes_on(self):
        items = page(
            f"### A river floods.\n\nWhat is done first?\n\n{BOTH}\n### Next?\n{BOTH}"
        ).items
        assert get_text(items[0], "prompt") == "A river floods.\n\nWhat is done first?"
        assert get_text(items[1], "prompt") == "Next?"

    @pytest.mark.parametrize(
        "label",
        [
            "## Question 4",
            "## Question 4.",
            "#### Q4.",
            "#### Q4",
            "### Pregunta 7:",
            "## 12.",
            "## 12",
            "## **Question 3**",
            "Question 4",
            "**Question 3**<br>",
            "**Q5.**",
            "## a-name-of-ours",
        ],
    )
    def test_a_label_or_a_name_of_ours_is_no_part_of_the_prompt(self, label):
        item = page(f"{label}\nWhich is it?\n\n{BOTH}").items[0]
        assert (get_text(item, "prompt"), item.status) == ("Which is it?", ImportStatus.IMPORTED)

    @pytest.mark.parametrize(
        "heading",
        [
            "## Question 4: Which is it?",
            "#### Q4. Which is it?",
            "#### Q4) Which is it?",
            "#### **Q4. Which is it?**",
            "#### **Q4.** Which is it?",
            "#### 4. Which is it?",
            "#### 4\\. Which is it?",
            "#### Frage 4 - Which is it?",
            "**Question 4**: Which is it?",
            "Q4. Which is it?",
            "# Which is it? #",
        ],
    )
    def test_words_behind_a_label_are_the_prompt(self, heading):
        item = page(f"{heading}\n\n{BOTH}").items[0]
        assert (get_text(item, "prompt"), item.status) == ("Which is it?", ImportStatus.IMPORTED)

    def test_a_heading_over_several_questions_belongs_to_none(self):
        parcel = page(f"# Rivers\n\n## The north\n\n1. A?\n{BOTH}\n2. B?\n{BOTH}")
        assert [get_text(item, "prompt") for item in parcel.items] == ["A?", "B?"]
        assert parcel.metadata.title == "Rivers"
        assert [note.quote for note in parcel.ignored_lines] == ["The north"]

    def test_a_numbered_list_below_a_label_is_part_of_the_stem(self):
        items = page(f"#### Q4. Which comes first?\n\n1. Rain\n2. Snow\n\n{BOTH}").items
        assert get_text(items[0], "prompt") == "Which comes first?\n\n1. Rain\n2. Snow"
        assert len(items) == 1

    def test_a_heading_within_a_question_stays_in_it(self):
        text = f"## Question 1\n\n### Which is it?\n\n{BOTH}\n#### Solution\n\n{LISTING}\n\n"
        items = page(text + f"## Question 2\n\n### Which now?\n\n{BOTH}").items
        assert [get_text(item, "prompt") for item in items] == ["Which is it?", "Which now?"]
        assert get_text(items[0], "explanation") == f"Solution\n\n{LISTING}"

    def test_a_heading_that_asks_without_options_is_refused(self):
        items = page(f"#### Q1. Write it down\n\n{LISTING}\n\n#### Q2. Which?\n{BOTH}").items
        assert [item.status for item in items] == [ImportStatus.REFUSED, ImportStatus.IMPORTED]
        assert list_codes(items[0]) == ["options_missing"]


class TestListings:
    def test_listings_at_the_margin_below_empty_options_are_the_options(self):
        text = f"#### Q1. Which?\n\n- [ ]\n\n{LISTING}\n\n- [x]\n\n```\nb\n```\n\n[reference](https://a.example)\n"
        items = page(text).items
        assert [list_codes(item) for item in items] == [[]]
        assert list_options(items[0]) == [(LISTING, False), ("```\nb\n```", True)]
        assert get_text(items[0], "explanation") == "[reference](https://a.example)"

    @pytest.mark.parametrize(
        "head", ["#### Q1. Which?", "Which?", "1. Which?", "**Question 1** Which?"]
    )
    @pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n\n"])
    def test_listings_below_letters_are_with_their_letter(self, head, gap):
        options = gap.join(["- [ ] A", "```\na\n```", "- [x] B", "```\nb\n```"])
        items = page(f"{head}\n\n{options}\n\n{head.replace('1', '2')}\n\n{BOTH}").items
        assert [len(list_options(item)) for item in items] == [2, 2]
        assert [(text[0], text[-7:], right) for text, right in list_options(items[0])] == [
            ("A", "```\na\n```"[-7:], False),
            ("B", "```\nb\n```"[-7:], True),
        ]
        assert [item.status for item in items] == [ImportStatus.IMPORTED] * 2

    @pytest.mark.parametrize("mark", ["", "1. "])
    def test_a_listing_below_the_first_of_two_options_parts_nothing(self, mark):
        second = f"{mark.replace('1', '2')}Which now?\n\n- [ ] A\n\n{LISTING}\n\n- [x] B\n"
        items = page(
            f"{mark}Which?\n\n{BOTH}\n**Explanation:** it is\n\n{LISTING}\n\n{second}"
        ).items
        assert [get_text(item, "prompt") for item in items] == ["Which?", "Which now?"]
        assert [len(list_options(item)) for item in items] == [2, 2]

    def test_a_listing_below_the_last_option_alone_explains(self):
        item = page(f"#### Q1. Which?\n\n{BOTH}\n{LISTING}\n").items[0]
        assert [text for text, _ in list_options(item)] == ["one", "two"]
        assert get_text(item, "explanation") == LISTING

    def test_a_listing_with_boxes_in_it_is_no_list_of_options(self):
        listing = "```md\n- [ ] task\n- [x] done\n```"
        items = page(f"#### Q1. What is this?\n\n{listing}\n\n{BOTH}").items
        assert [get_text(item, "prompt") for item in items] == [f"What is this?\n\n{listing}"]

    def test_a_listing_left_open_does_not_swallow_the_next_question(self):
        text = f"#### Q1. Which?\n\n```js\nopen()\n\n{BOTH}\n"
        text += f"#### Q2. Which?\n\n```js\na\n```\n\n{BOTH}"
        items = page(text).items
        assert [list_codes(item) for item in items] == [["fence_left_open"], []]
        assert [len(list_options(item)) for item in items] == [2, 2]
        assert get_text(items[0], "prompt") == "Which?\n\n```js\nopen()\n```"


class TestOptions:
    @pytest.mark.parametrize(
        ("wrong", "right"),
        [
            ("- [ ]", "- [X]"),
            ("- \\[ ]", "- \\[x]"),
            ("- []", "-[x]"),
            ("* [ ]", "+ [ x ]"),
            ("1. [ ]", "2. [x]"),
            ("a) [ ]", "b) [x]"),
            ("[ ]", "[x]"),
            ("   - [ ]", "\t- [x]"),
            ("- ( )", "- (x)"),
        ],
    )
    def test_boxes_are_written_in_many_ways(self, wrong, right):
        item = page(f"#### Q1. Which?\n\n{wrong} one\n{right} two\n").items[0]
        assert list_options(item) == [("one", False), ("two", True)]
        assert item.status == ImportStatus.IMPORTED

    def test_an_option_further_in_is_one_of_them_and_told(self):
        item = page("#### Q1. Which?\n\n- [ ] one\n    - [x] two\n").items[0]
        assert list_options(item) == [("one", False), ("two", True)]
        assert (list_codes(item), item.status) == (["option_indented"], ImportStatus.REPAIRED)

    def test_an_option_that_lost_its_box_is_looked_at(self):
        item = page("#### Q1. Which?\n\n- [ ] one\n- two\n- [x] three\n").items[0]
        assert list_options(item) == [("one", False), ("two", False), ("three", True)]
        assert (list_codes(item), item.status) == (["box_missing"], ImportStatus.REVIEW)

    def test_words_between_options_stay_with_the_one_above_and_are_told(self):
        items = page("#### Q1. Which?\n\n- [ ] one\n\nand more\n\n- [x] two\n").items
        assert [list_codes(item) for item in items] == [["text_among_options"]]
        assert list_options(items[0]) == [("one\n\nand more", False), ("two", True)]

    @pytest.mark.parametrize(
        "between",
        [
            "Explanation: it is.",
            "Explanation: it is.\nPick a colour",
            "[Pick a colour](https://a.example)",
            "> Pick a colour",
            "![Pick a colour](https://a.example/sky.png)",
            LISTING,
            "---",
            "<!-- look -->",
        ],
    )
    def test_two_lists_with_a_key_each_are_not_silently_one_question(self, between):
        text = f"#### Q1. Pick a number\n\n{BOTH}\n{between}\n\n- [ ] red\n- [x] blue\n"
        items = page(text).items
        assert all(item.is_damaged for item in items if len(list_options(item)) != 2)
        assert [note.line for item in items for note in item.notes] == [6]

    @pytest.mark.parametrize("blank_lines", ["\n", "\n\n\n"])
    def test_nor_are_those_with_only_blank_lines_between(self, blank_lines):
        text = f"#### Q1. Pick a number\n\n{BOTH}{blank_lines}- [ ] red\n- [x] blue\n"
        (item,) = page(text).items
        assert item.is_damaged
        assert [(note.code, note.quote) for note in item.notes] == [
            ("several_keyed_lists", "- [ ] red")
        ]

    @pytest.mark.parametrize(
        "options",
        [
            "- [x] one\n\n- [ ] two\n\n- [x] three\n\n- [ ] four\n",
            "- [x] one\n- [ ] two\n\n- [ ] three\n- [ ] four\n",
            "- [x] one\n- [ ] two\n\n- [x] three\n",
        ],
    )
    def test_one_list_with_blank_lines_in_it_is_one_question(self, options):
        (item,) = page(f"#### Q1. Pick numbers\n\n{options}").items
        assert (item.status.value, item.notes) == ("imported", ())

    def test_what_explains_between_options_does_not_become_an_option(self):
        items = page("#### Q1. Which?\n\n- [x] one\n\nExplanation: it is.\n\n- [ ] two\n").items
        assert list_options(items[0]) == [("one", True), ("two", False)]
        assert get_text(items[0], "explanation") == "Explanation: it is."

    def test_a_question_without_a_heading_among_headings_is_one_of_its_own(self):
        text = f"#### Q1. Which?\n{BOTH}\nAnd which now?\n{BOTH}\n#### Q2. Which?\n{BOTH}"
        assert [get_text(item, "prompt") for item in page(text).items] == [
            "Which?",
            "And which now?",
            "Which?",
        ]

    def test_questions_without_blank_lines_are_apart(self):
        items = page(f"Which?\n{BOTH}And which now?\n{BOTH}").items
        assert [get_text(item, "prompt") for item in items] == ["Which?", "And which now?"]

    def test_what_stands_below_the_options_explains(self):
        tail = "1. [One](https://a.example)\n2. [Two](https://b.example)\n\n> [!NOTE]\n> Look."
        item = page(f"#### Q1. Which?\n\n{BOTH}\n{tail}\n\n---\n\n#### Q2. Which?\n{BOTH}").items[0]
        expected = "1. [One](https://a.example)\n2. [Two](https://b.example)\n\nLook."
        assert get_text(item, "explanation") == expected
        assert item.status == ImportStatus.IMPORTED

    def test_a_picture_beside_the_file_is_told(self):
        item = page(f"#### Q1. Which?\n\n![A map](images/map.png)\n\n{BOTH}").items[0]
        assert (list_codes(item), item.status) == (["picture_missing"], ImportStatus.REPAIRED)
        assert get_text(item, "prompt") == "Which?\n\n![A map](images/map.png)"

    def test_comments_are_told_and_shown_to_nobody(self):
        parcel = page(f"#### Q1. Which?\n\n<!-- look\nagain -->\n\n{BOTH}")
        assert get_text(parcel.items[0], "prompt") == "Which?"
        assert [(note.code, note.line) for note in parcel.ignored_lines] == [
            ("comment", 3),
            ("comment", 4),
        ]


class TestOddities:
    def test_a_comment_without_an_end_is_text(self):
        item = page(f"#### Q1. Which?\n\n<!-- look\n\n{BOTH}").items[0]
        assert get_text(item, "prompt") == "Which?\n\n<!-- look"

    def test_a_long_comment_is_searched_for_fifty_lines(self):
        comment = "<!-- look\n" + "more\n" * 60 + "-->"
        item = page(f"Which?\n\n{comment}\n\n{BOTH}").items[0]
        assert get_text(item, "prompt").startswith("Which?\n\n<!-- look\nmore")

    def test_a_listing_left_open_in_an_option_ends_with_it(self):
        item = page("#### Q1. Which?\n\n  - [ ] a\n\n    ```\n    open\n  - [x] b\n").items[0]
        assert list_options(item) == [("a\n\n```\nopen\n```", False), ("b", True)]
        assert list_codes(item) == ["fence_left_open"]

    def test_a_numbered_question_without_options_is_refused(self):
        text = f"1. Which?\n{BOTH}\n2. Write it down.\n\n3. And which?\n{BOTH}\n4. And now?\n"
        items = page(text).items
        refused = ImportStatus.REFUSED
        assert [item.status for item in items] == [
            ImportStatus.IMPORTED,
            refused,
            ImportStatus.IMPORTED,
            refused,
        ]
        assert [item.line for item in items] == [1, 5, 7, 11]

    def test_a_list_in_a_numbered_question_is_part_of_its_stem(self):
        items = page(f"1. Which?\n\n1. Rain\n2. Snow\n\n{BOTH}\n2. Next?\n{BOTH}").items
        assert [get_text(item, "prompt") for item in items] == [
            "Which?\n\n1. Rain\n2. Snow",
            "Next?",
        ]

    def test_a_quotation_between_options_is_feedback(self):
        item = page("Which?\n\n- [x] one\n\n> Well done.\n\n- [ ] two\n").items[0]
        assert list_options(item) == [("one", True), ("two", False)]
        assert list_texts(item.question)[1:] == ["one", "Well done.", "two"]

    def test_a_listing_left_open_without_options_ends_before_the_next_heading(self):
        items = page(f"#### Q1. Write it\n\n```\nopen\n\n#### Q2. Which?\n{BOTH}").items
        assert [list_codes(item) for item in items] == [["fence_left_open", "options_missing"], []]

    def test_a_listing_in_an_option_ends_before_one_further_out(self):
        item = page("Which?\n\n  - [ ] a\n\n    ```\n    open\n- [x] b\n\n    ```\n").items[0]
        assert [right for _, right in list_options(item)] == [False, True]

    def test_a_listing_without_an_end_goes_to_the_end_of_the_file(self):
        item = page(f"Which?\n{BOTH}\n```\nopen\n").items[0]
        assert get_text(item, "explanation") == "```\nopen\n```"
        assert list_codes(item) == ["fence_left_open"]

    def test_a_listing_before_one_with_a_language_was_left_open(self):
        text = "#### Q1. Which?\n\n- [ ]\n\n```js\nopen\n\n- [x]\n\n```js\nclosed\n```\n"
        assert len(list_options(page(text).items[0])) == 2

    def test_a_listing_below_words_between_options_stays_with_them(self):
        item = page(f"#### Q1. Which?\n\n- [ ] one\n\nas in\n\n{LISTING}\n\n- [x] two\n").items[0]
        assert list_options(item) == [(f"one\n\nas in\n\n{LISTING}", False), ("two", True)]

    def test_a_rule_parts_questions_without_words(self):
        items = page(f"Which?\n{BOTH}\n---\n\n{BOTH}").items
        assert [list_codes(item) for item in items] == [[], ["stem_missing"]]

    def test_words_below_an_unmarked_question_belong_to_none(self):
        parcel = page(f"Which?\n{BOTH}\nThat was all.\n")
        assert [note.quote for note in parcel.ignored_lines] == ["That was all."]
        assert parcel.items[0].end_line == 3


class Words:
    """Gives words that stand in a file once, so that each can be looked for."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def __call__(self, lead: str = "") -> str:
        return f"{lead}word{next(self._numbers)}x"


MARKS = (
    "#### Q{n}. ",
    "## ",
    "### {n}. ",
    "{n}. ",
    "**Question {n}.** ",
    "## Question {n}\n\n",
    "",
)
BLOCKS = (
    "{}",
    "```\n{}\n  {}\n```",
    "{}\n{}",
    "| {} | {} |\n|---|---|\n| {} | {} |",
    "> {}",
    "1. {}\n2. {}",
)
BELOW = (
    "",
    "\n  {}",
    "\n{}",
    "\n\n```\n{}\n```",
    "\n```\n{}\n  {}\n```",
    "\n\n  {}\n\n  {}",
    "\n  > {}",
)
TAILS = (
    "",
    "> {}",
    "[{}](https://a.example)",
    "**Explanation:** {}\n\n```\n{}\n```",
    "{}",
    "---",
    "#### Explanation\n\n{}",
    "<!-- {} -->",
    "- {}\n- {}",
)
UNHEADED = tuple(tail for tail in TAILS if not tail.startswith("#"))


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Draw a file in one of the ways in which people mark questions, and what its stems ask."""
    words = Words()
    mark = draw(st.sampled_from(MARKS))

    def filled(shape: str) -> str:
        while "{}" in shape:
            shape = shape.replace("{}", words(), 1)
        return shape

    stems: list[str] = []

    def question(number: int) -> str:
        stems.append(f"{words('What is ')}?")
        stem = f"{mark.format(n=number)}{stems[-1]}"
        blocks = [filled(draw(st.sampled_from(BLOCKS))) for _ in range(draw(st.integers(0, 2)))]
        gap = draw(st.sampled_from(["\n", "\n\n"]))
        items = [
            f"- [{draw(st.sampled_from(' x'))}] {words()}{filled(draw(st.sampled_from(BELOW)))}"
            for _ in range(draw(st.integers(2, 4)))
        ]
        tail = filled(draw(st.sampled_from(TAILS if mark else UNHEADED)))
        return "\n\n".join([stem, *blocks, gap.join(items), tail])

    questions = [question(number) for number in range(1, draw(st.integers(2, 5)))]
    return "# Title\n\n" + "\n\n".join(questions) + "\n", stems


def lost(text: str, parcel: ParsedFile) -> list[tuple[int, str]]:
    """List the words of items imported clean that stand in no text of theirs and in no note."""
    lines = text.split("\n")
    noise = {note.line: note.quote for note in parcel.ignored_lines}
    missing = []
    for item in parcel.items:
        if item.status != ImportStatus.IMPORTED or item.question is None:
            continue
        texts = " ".join(list_texts(item.question))
        for number in range(item.line, item.end_line + 1):
            line_text = f"{texts} {noise.get(number, '')}"
            pieces = lines[number - 1].replace("|", " ").replace("?", " ").split()
            marks = [piece.strip("*[]()>:") for piece in pieces if "word" in piece]
            missing += [(number, mark) for mark in marks if mark.split("]")[0] not in line_text]
    return missing


@given(files())
def test_every_line_of_an_item_that_is_imported_clean_is_in_a_text_or_a_note(drawn):
    text, _ = drawn
    parcel = page(text)
    assert lost(text, parcel) == []
    assert "line_left_over" not in {code for item in parcel.items for code in list_codes(item)}


@given(files())
def test_questions_are_neither_in_pieces_nor_without_their_options(drawn):
    text, stems = drawn
    items = page(text).items
    assert [stem for item in items for stem in stems if stem in get_text(item, "prompt")] == stems
    assert len(items) == len(stems)
    boxes = sum(line.startswith("- [") for line in text.split("\n"))
    assert sum(len(list_options(item)) for item in items) == boxes
