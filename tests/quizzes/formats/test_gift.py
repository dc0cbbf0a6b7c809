"""GIFT is read item by item, and what is written is read back as it was."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from grading.json_types import ratio_from_json
from quizzes.formats import FORMATS, WRITERS, builders, gift
from quizzes.formats.builders import Accepted, Head, Number, Option
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.detection import detect_format
from tests.quizzes.imports import wordings as made
from tests.quizzes.imports.wordings import parcel, same

PROJECT = Path(__file__).parents[3]
QUIRKS = PROJECT / "fixtures/formats/gift/quirks.gift"
CORPUS = PROJECT.parent / "shared/corpora/gift"
HEAD = Head(1, "q", "en", "Which?")


@pytest.fixture(scope="module")
def quirks() -> ParsedFile:
    return gift.read(QUIRKS.read_bytes(), language="en")


def at(quirks: ParsedFile, name: str) -> SourceItem:
    return next(item for item in quirks.items if item.name == name)


def of(quirks: ParsedFile, name: str) -> ParsedQuestion:
    question = at(quirks, name).question
    assert question
    return question


def one(text: str, **kwargs: Any) -> SourceItem:
    [item] = gift.read(text.encode(), **{"language": "en", **kwargs}).items
    return item


def asked(text: str) -> ParsedQuestion:
    item = one(text)
    assert item.question
    return item.question


def said(question: ParsedQuestion) -> dict[str, str]:
    return {text.name: words["en"] for text, words in question.texts.items()}


def rows(question: ParsedQuestion, table: str) -> list[tuple[Any, ...]]:
    return [
        (*row.values.values(), *(words["en"] for words in row.texts.values()))
        for row in question.tables[table]
    ]


VERDICTS = {
    "longest-which": ("repaired", {"blank_line_in_braces", "unescaped_in_tag"}),
    "caps": ("imported", set()),
    "ebro-in-cantabria": ("imported", set()),
    "does-the-code-f-return-1-compile": ("repaired", {"braces_taken_as_text"}),
    "two-gaps-one-and-two": ("refused", {"several_answer_blocks"}),
    "just-to-read-no-braces-here": ("refused", {"description_only"}),
    "a-river-is-3": ("refused", {"braces_not_closed"}),
    "open-braces": ("refused", {"braces_not_closed"}),
    "range": ("repaired", {"range_turned"}),
    "margins": ("needs_review", {"number_unreadable"}),
    "both": ("needs_review", {"several_right_options"}),
    "nothing": ("needs_review", {"key_unknown"}),
    "lone": ("needs_review", {"empty_option_left_out", "too_few_options"}),
    "weights": ("needs_review", {"weight_unreadable", "full_credit_out_of_reach"}),
    "low": ("needs_review", {"full_credit_out_of_reach"}),
    "empty-right": ("needs_review", {"key_unknown"}),
    "stars": ("imported", set()),
    "bare": ("needs_review", {"answer_without_mark"}),
    "kept": ("imported", set()),
    "pairs": ("needs_review", {"pair_incomplete", "feedback_dropped"}),
    "one-pair": ("needs_review", {"too_few_pairs"}),
    "lead": ("repaired", {"text_before_answers"}),
    "half": ("needs_review", {"key_unknown"}),
    "question": ("needs_review", {"prompt_missing"}),
    "essay": ("imported", set()),
}


def test_every_item_of_a_file_has_a_verdict_with_its_reasons(quirks):
    outcomes = {f.name: (f.status, {note.code for note in f.notes}) for f in quirks.items}
    assert outcomes.keys() == VERDICTS.keys()
    for name, (verdict, codes) in VERDICTS.items():
        assert outcomes[name][0] == verdict, name
        assert codes <= outcomes[name][1], name
        assert bool(outcomes[name][1]) == (verdict != "imported"), name
    assert sum(quirks.counts().values()) == len(quirks.items)


def test_lines_are_those_of_the_file(quirks):
    item = at(quirks, "longest-which")
    assert (item.line, item.end_line) == (5, 12)
    assert {note.line for note in item.notes} == {5}


def test_comments_and_categories_name_and_tag_what_follows(quirks):
    assert [note.code for note in quirks.ignored_lines] == [
        "comment",
        "comment",
        "category",
        "comment",
    ]
    assert quirks.metadata.title == "Rivers"
    assert of(quirks, "caps").tags == ("geography", "rivers")
    assert asked("// [tag:Water ways]\nWet?{T}").tags == ("water-ways",)
    assert [item.line for item in gift.read(b"Wet?{T}\n$CATEGORY: a\nDry?{F}").items] == [1, 3]


def test_thirds_are_thirds(quirks):
    assert of(quirks, "caps").scoring_method == "right_minus_wrong"
    question = asked("Q{~%33.33333%a~%66.66667%b~%-100%c}")
    weights = [row.values["weight"] for row in question.tables["options"]]
    assert weights == [[1, 3], [2, 3], [-1, 1]]


def test_the_first_feedback_of_true_or_false_is_for_the_wrong_answer():
    assert rows(asked("Q{T#No#Yes}"), "options") == [
        (True, False, "True", "Yes"),
        (False, False, "False", "No"),
    ]
    assert rows(asked("Q{FALSE#No}"), "options")[0] == (False, False, "True", "No")


def test_what_matches_nothing_is_answered_otherwise(quirks):
    assert said(of(quirks, "stars"))["otherwise"] == "Not that"
    assert said(of(quirks, "range"))["otherwise"] == "Not at all"
    assert rows(asked("Q{#3#Yes}"), "numbers") == [("3", "exact", [1, 1], "Yes")]
    assert rows(asked("Q{#3:0}"), "numbers") == [("3", "exact", [1, 1])]


def test_stars_stay_wild_and_backslashes_plain(quirks):
    texts = [row.values["text"] for row in of(quirks, "stars").tables["accepted"]]
    assert texts == ["*iron*", "\\*fe", "C:\\\\dir"]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("[html]<i>a</i>\n *b*", r"*a* \*b\*"),
        ("[plain]<i>*a*</i>", r"\<i>\*a\*</i>"),
        ("[markdown]*a*\\n- b", "*a*\n- b"),
        ("a < b and List<int>\nnext", "a < b and List\\<int>\\\nnext"),
        ("[moodle]<b>a</b> &lt;", r"**a** <"),
    ],
)
def test_each_text_format_becomes_our_markdown(text, markdown):
    assert said(asked(f"{text}{{T}}"))["prompt"] == markdown


def test_answers_have_the_format_of_the_prompt_unless_they_have_their_own():
    question = asked("[html]<p>Q</p>{=<b>a</b> =[plain]<b>}")
    assert [row.values["text"] for row in question.tables["accepted"]] == ["a", "<b>"]


def test_words_after_the_braces_make_a_blank():
    assert said(asked("[markdown]It {=rises}, they say."))["prompt"] == r"It \_\_\_\_, they say."


def test_the_language_is_that_given():
    question = one("¿Sí?{T}", language="es").question
    assert question
    assert list(question.rows[0].texts.values()) == [{"es": "Verdadero"}]


def test_other_encodings_are_read_and_told():
    parcel = gift.read("¿Río?{T}\r\n\r\n::Año::Qué{F}".encode("cp1252"))
    assert [item.name for item in parcel.items] == ["rio", "ano"]
    assert parcel.ignored_lines[0].code == "read_as_windows_1252"
    assert gift.read(b"\xef\xbb\xbfQ{T}").items[0].name == "q"


def test_it_is_claimed_by_ending_or_looks():
    assert detect_format(b"anything", "a.GIFT") is FORMATS["gift"]
    assert gift.detect(b"::A::Q{T}", "a.txt")
    assert gift.detect(b"Q {\n = a ~b}", "a.txt")
    assert not gift.detect(b"f() { return }", "a.txt")
    assert not gift.detect(b"::A::Q{T}", "a.md")
    assert "gift" in WRITERS


def test_braces_that_pair_with_nothing_do_no_harm():
    assert said(asked("A } here{T}"))["prompt"] == "A } here"
    torn = gift.read(b"Q{=a {b}\n\nR{T}").items
    assert [item.status for item in torn] == ["refused", "imported"]
    assert one("Q{=a\n\nmore\n\n~b}").end_line == 5
    assert one("Q{#}").status == "needs_review"
    assert one("Q{=a {b} ~c}").status == "repaired"


def test_the_language_is_detected_or_said_to_be_unknown():
    text = "::A::¿Cuál es el río más largo de la península y por qué lo es?{=Tajo ~Ebro}"
    assert gift.read(text.encode()).metadata.language == "es"
    assert gift.read(b"Q{T}").ignored_lines[0].code == "language_unknown"


def test_other_languages_than_the_one_written_are_told():
    question = builders.build_essay(HEAD)
    both = {text: {**words, "es": "¿Cuál?"} for text, words in question.texts.items()}
    assert lost(replace(question, texts=both)) == {"languages_left_out"}


def test_hostile_files_answer_at_once():
    many = "".join(f"Q{number}{{a\n\n" for number in range(10_000))
    for text in ("{" * 200_000, "::" * 100_000, many, "Q{~" + "<a " * 50_000 + "}"):
        items = gift.read(text.encode()).items
        assert items
        assert all(len(note.quote) <= 200 for item in items for note in item.notes)


EVERY = (
    made.single_choices(),
    made.multiple_choices(),
    made.weighted_choices(),
    made.truths(),
    made.short_texts(),
    made.numbers(),
    made.matchings(),
    made.essays(),
)


@settings(deadline=None, max_examples=150)
@given(made.parcels(*EVERY))
def test_out_then_in_is_the_same(parcel):
    written = gift.write(parcel, language="en")
    assert written.warnings == ()
    again = gift.read(written.data, language="en")
    assert list(map(same, again.questions)) == list(map(same, parcel.questions))
    assert {item.status for item in again.items} == {ImportStatus.IMPORTED}


def lost(question: ParsedQuestion, language: str = "en") -> set[str]:
    losses = gift.write(parcel([question]), language=language).warnings
    assert {loss.question for loss in losses} <= {"q"}
    return {loss.code for loss in losses}


RIGHT, WRONG = Option("a", right=True), Option("b", feedback="No")


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        (builders.build_flashcard(HEAD, "back"), {"kind_not_held"}),
        (builders.build_short_text(HEAD, [Accepted("a->b")]), {"arrow_left_out"}),
        (builders.build_matching(HEAD, [("a->b", "1"), ("c", "2")]), {"arrow_left_out"}),
        (builders.build_matching(HEAD, [("a", "**1**"), ("c", "*2*")]), {"markup_left_out"}),
        (
            builders.build_short_text(HEAD, [Accepted("a"), Accepted("b+", pattern=True)]),
            {"pattern_left_out", "comparison_stricter"},
        ),
        (
            builders.build_short_text(
                HEAD, [Accepted("a")], **builders.build_strict_comparison(case=True)
            ),
            {"setting_left_out"},
        ),
        (builders.build_numeric(HEAD, [Number("3", "digits", "2")]), {"tolerance_left_out"}),
        (
            builders.build_numeric(HEAD, [Number("3")], unit="required", units={"m": "1"}),
            {"setting_left_out", "rows_left_out"},
        ),
        (
            builders.build_choice(
                HEAD,
                builders.SourceChoice([RIGHT, WRONG], many=True, scoring_method="all_or_nothing"),
            ),
            {"scoring_method_left_out"},
        ),
        (
            builders.build_choice(
                HEAD,
                builders.SourceChoice([RIGHT, Option("c", pinned=True, unchosen="Hm")], many=False),
            ),
            {"pinned_left_out", "unchosen_left_out"},
        ),
        (
            builders.build_essay(Head(1, "q", "en", "![x](media:x.png)", tags=("a",))),
            {"media_left_out", "tags_left_out"},
        ),
    ],
)
def test_what_it_cannot_hold_is_told(question, codes):
    assert lost(question) == codes


def test_a_language_that_is_not_there_is_a_loss():
    assert lost(builders.build_essay(HEAD), "es") == {"language_missing"}


def test_text_like_a_weight_or_a_format_stays_text():
    options = [Option("%50%a", right=True, feedback="[html]b"), Option("[plain]c", feedback="d")]
    question = builders.build_choice(HEAD, builders.SourceChoice(options, many=False))
    again = gift.read(gift.write(parcel([question]), language="en").data, language="en")
    assert same(again.questions[0]) == same(question)


def test_what_matches_nothing_is_written_too():
    for question in (
        builders.build_short_text(
            Head(1, "q", "en", "Q", other_texts={"otherwise": "No"}),
            [Accepted("a\\*b*")],
            **builders.build_strict_comparison(case=False),
        ),
        builders.build_numeric(
            Head(1, "q", "en", "Q", other_texts={"otherwise": "No"}), [Number("3")]
        ),
        builders.build_essay(Head(1, "q", "en", "Q", explanation="So")),
    ):
        again = gift.read(gift.write(parcel([question]), language="en").data, language="en")
        assert same(again.questions[0]) == same(question)


def test_the_files_of_others_add_up_and_have_the_key_they_are_known_to_have():
    if not CORPUS.is_dir():
        return
    count = 0
    for path in sorted(CORPUS.rglob("*.gift")):
        body = json.loads(path.with_suffix(".json").read_text())
        items = gift.read(path.read_bytes(), language="en").items
        assert len(items) == len(body), path.name
        for item, tree in zip(items, body, strict=True):
            assert item.kind == _kind(tree), path.name
            assert item.status in {ImportStatus.IMPORTED, ImportStatus.REFUSED}, path.name
            if item.question:
                assert _key(item.question) == _known(tree), (path.name, item.line)
        count += len(items)
    assert count == 53


def _kind(tree: dict[str, Any]) -> str:
    kinds = {
        "TF": "true_false",
        "Short": "short_text",
        "Numerical": "numeric",
        "Matching": "matching",
        "Essay": "essay",
        "Description": "description",
    }
    several = not any(choice["isCorrect"] for choice in tree.get("choices", []) if _is(choice))
    return kinds.get(tree["type"]) or ("multiple_choice" if several else "single_choice")


def _is(choice: Any) -> bool:
    return isinstance(choice, dict)


def _key(question: ParsedQuestion) -> Any:
    tables = question.tables
    if question.kind == "true_false":
        return tables["options"][0].values["right"]
    if question.kind == "matching":
        return [row.values["goes_with"] for row in tables["lefts"]]
    if question.kind == "numeric":
        return [Fraction(str(row.values["value"])) for row in tables["numbers"]]
    if question.kind == "short_text":
        return [ratio_from_json(row.values["credit"]) for row in tables["accepted"]]
    return [row.values["right"] for row in tables.get("options", ())]


def _known(tree: dict[str, Any]) -> Any:
    choices = tree.get("choices", [])
    if tree["type"] == "TF":
        return tree["isTrue"]
    if tree["type"] == "Matching":
        pairs = [pair for pair in tree["matchPairs"] if pair["subquestion"]["text"]]
        return [f"right-{number}" for number in range(1, len(pairs) + 1)]
    if tree["type"] == "Numerical":
        listed = choices if isinstance(choices, list) else [{"text": choices}]
        numbers = (answer["text"] for answer in listed)
        return [Fraction(str(number.get("number", number.get("numberLow")))) for number in numbers]
    if tree["type"] == "Short":
        # One answer is written as 0 for a star, which is what is said otherwise.
        weights = [100 if choice["weight"] is None else choice["weight"] for choice in choices]
        return [Fraction(weight, 100) for weight in weights if weight]
    several = _kind(tree) == "multiple_choice"
    return [(choice["weight"] or 0) > 0 if several else choice["isCorrect"] for choice in choices]


def test_an_answer_that_says_another_again_is_left_out_and_told():
    item = one("Where? {=Paris =paris =%50%Lyon}")
    assert item.status == ImportStatus.REPAIRED
    assert [(note.code, note.quote) for note in item.notes] == [
        ("duplicate_answer_left_out", "paris")
    ]
    assert [row[0] for row in rows(asked("Where? {=Paris =paris =%50%Lyon}"), "accepted")] == [
        "Paris",
        "Lyon",
    ]


LISTING = "```\nif ready:\n    print(1)\n\nend\n```"


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_blank_line_at_a_listing_keeps_the_words_above_it(gap):
    item = one(f"::a:: [markdown]What prints?{gap}{LISTING}{gap}{{=1 ~2}}\n")
    assert (item.status, [note.code for note in item.notes]) == (
        ImportStatus.REPAIRED,
        ["blank_line_at_listing"],
    )
    assert item.question
    prompt = next(words["en"] for words in item.question.texts.values())
    assert prompt.startswith("What prints?")
    assert "end\n```" in prompt


def test_a_listing_of_another_item_is_no_part_of_the_one_before():
    text = f"::a:: [markdown]Words.\n\n::b:: [markdown]{LISTING} {{=1 ~2}}\n\n::c:: Why? {{T}}\n"
    items = gift.read(text.encode(), language="en").items
    assert [item.name for item in items] == ["a", "b", "c"]
    after = "::c:: Why {T} {F}\n\n```\nx\n```\n"
    assert len(gift.read(after.encode(), language="en").items) == 2


def test_a_file_without_a_line_has_no_item():
    assert gift.read(b"", language="en").items == ()


WORTH_ALL, WORTH_HALF = [1, 1], [1, 2]
FIRST: dict[str, tuple[str, list[tuple[str, list[int]]]]] = {
    "a number": ("How many?{#3:0.1 =%50%5}", [("3", WORTH_ALL), ("5", WORTH_HALF)]),
    "a number with its share": (
        "How many?{#%50%3:1#near =5}",
        [("3", WORTH_HALF), ("5", WORTH_ALL)],
    ),
    "a number with feedback on others": ("How many?{#3 ~#no}", [("3", WORTH_ALL)]),
    "words": ("Which city?{Lima =Quito}", [("Lima", WORTH_ALL), ("Quito", WORTH_ALL)]),
    "words with their share": (
        "Which city?{%50%Lima =Quito}",
        [("Lima", WORTH_HALF), ("Quito", WORTH_ALL)],
    ),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_typed_answer_needs_no_sign(name):
    text, answers = FIRST[name]
    item = one(text)
    assert item.status is ImportStatus.IMPORTED
    assert item.question is not None
    values = [row.values for table in item.question.tables.values() for row in table]
    assert [(row.get("value", row.get("text")), row["credit"]) for row in values] == answers


def test_the_first_pair_needs_no_sign():
    question = asked("Match.{Peru -> Lima =Chile -> Santiago =Ecuador -> Quito}")
    assert len(question.tables["lefts"]) == 3
