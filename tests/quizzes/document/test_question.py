"""Items in plain values: what they say of themselves, and what is wrong with them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from quizzes.document import QuestionDocument, find_problems, find_warnings

ITEM = QuestionDocument(
    kind="multiple_choice",
    scoring_method="right_minus_wrong",
    content={
        "options": [{"id": "a", "pinned": False}, {"id": "b", "pinned": False}],
        "none_apply": False,
        "shuffle": True,
    },
    key={"right": ["a"]},
    words={
        "en": {"prompt": "Which?", "options": {"a": "This", "b": "That"}},
        "es": {"prompt": "¿Cuál?", "options": {"a": "Este", "b": "Ese"}},
    },
    feedback={
        "en": {"options": {"a": "Yes", "b": "No"}, "explanation": "Because"},
        "es": {"options": {"a": "Sí", "b": "No"}, "explanation": "Porque"},
    },
)


def told(problems) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in problems]


def words(language: str, **change: Any) -> QuestionDocument:
    return replace(ITEM, words={**ITEM.words, language: {**ITEM.words[language], **change}})


def test_a_draft_is_read_as_it_was_written():
    assert QuestionDocument.from_json(json.loads(json.dumps(ITEM.to_json()))) == ITEM


def test_a_draft_of_an_older_form_is_read_as_far_as_it_goes():
    read = QuestionDocument.from_json({"kind": "essay", "unheard_of": 1})
    assert read == QuestionDocument(kind="essay", scoring_method="")
    assert QuestionDocument.from_json({}) == QuestionDocument(kind="", scoring_method="")


def test_equal_questions_have_equal_digests_whatever_the_order_of_their_fields():
    twisted = replace(ITEM, words=dict(reversed(list(ITEM.words.items()))))
    assert twisted.digest() == ITEM.digest()


@pytest.mark.parametrize(
    "change",
    [
        {"scoring_method": "halves"},
        {"key": {"right": ["b"]}},
        {"feedback": {}},
        {"translated_from": {"es": "x"}},
    ],
)
def test_any_change_gives_another_digest(change):
    assert replace(ITEM, **change).digest() != ITEM.digest()


def test_rows_are_named_in_the_authors_order():
    assert ITEM.row_ids == ("a", "b")
    assert replace(ITEM, content={"options": ["a", {"id": 5}, {"id": "c"}]}).row_ids == ("c",)


# --- Languages -------------------------------------------------------------------------------
def test_the_source_language_comes_first():
    assert ITEM.languages == ("en", "es")
    assert replace(ITEM, source_language="es").languages == ("es", "en")


@pytest.mark.parametrize("empty", [{}, {"prompt": ""}, {"prompt": "", "options": {"a": ""}}])
def test_a_language_without_a_word_is_no_language(empty):
    assert replace(ITEM, words={**ITEM.words, "es": empty}).languages == ("en",)


# --- Problems --------------------------------------------------------------------------------
def test_a_whole_item_has_no_problems():
    assert find_problems(ITEM) == ()


def test_an_unknown_kind_is_the_one_problem():
    assert told(find_problems(replace(ITEM, kind="telepathy"))) == [("kind", "unknown_kind")]


def test_what_the_kind_finds_is_told():
    assert ("key", "nothing_right") in told(find_problems(replace(ITEM, key={"right": []})))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("text", ["", "  ", None])
def test_every_language_needs_its_prompt(language, text):
    expected = [(f"words.{language}.prompt", "missing_text")]
    assert told(find_problems(words(language, prompt=text))) == expected


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("options", [{"a": "Only"}, {"a": "Only", "b": " "}])
def test_every_language_needs_every_option(language, options):
    expected = [(f"words.{language}.options.b", "missing_text")]
    assert told(find_problems(words(language, options=options))) == expected


def test_the_source_language_must_have_words():
    assert told(find_problems(replace(ITEM, words={"es": ITEM.words["es"]}))) == [
        ("words.en.prompt", "missing_text"),
        ("words.en.options.a", "missing_text"),
        ("words.en.options.b", "missing_text"),
    ]


# --- Warnings --------------------------------------------------------------------------------
@pytest.mark.parametrize("part", ["prompt", "explanation", "options"])
def test_no_text_may_be_longer_than_a_page_can_show(part):
    text: Any = {"a": "x" * 20_001, "b": "x"} if part == "options" else "x" * 20_001
    table = "feedback" if part == "explanation" else "words"
    before: Any = getattr(ITEM, table)
    changed: Any = {table: {**before, "es": {**before["es"], part: text}}}
    item = replace(ITEM, **changed)
    where = f"{table}.es.{part}" + (".a" if part == "options" else "")
    assert told(find_problems(item)) == [(where, "markup_too_large")]


def test_a_whole_item_warns_of_nothing():
    assert find_warnings(ITEM) == ()


def test_feedback_that_one_language_lacks_is_warned_of():
    lacking = {**ITEM.feedback, "es": {"options": {"a": "Sí"}}}
    assert told(find_warnings(replace(ITEM, feedback=lacking))) == [
        ("feedback.es.explanation", "missing_feedback"),
        ("feedback.es.options.b", "missing_feedback"),
    ]


def test_feedback_that_no_language_has_is_not():
    assert find_warnings(replace(ITEM, feedback={})) == ()


def test_a_translation_is_stale_when_its_source_has_changed():
    fresh = replace(ITEM, translated_from={"es": ITEM.source_digest()})
    assert not fresh.is_outdated("es")
    assert find_warnings(fresh) == ()
    changed = replace(fresh, words={**ITEM.words, "en": {**ITEM.words["en"], "prompt": "What?"}})
    assert changed.is_outdated("es")
    assert told(find_warnings(changed)) == [("words.es", "outdated_translation")]


def test_a_change_of_the_translation_makes_nothing_stale():
    item = replace(ITEM, translated_from={"es": ITEM.source_digest()})
    other = {**ITEM.words, "es": {**ITEM.words["es"], "prompt": "¿Qué?"}}
    assert not replace(item, words=other).is_outdated("es")
    assert not ITEM.is_outdated("es")


# --- By the shape of the kind ----------------------------------------------------------------
CARD = QuestionDocument(
    "flashcard",
    "study",
    words={"en": {"prompt": "Front", "hint": "Nearly"}, "es": {"prompt": "Cara"}},
    feedback={"en": {"back": "Back"}, "es": {"back": "Dorso"}},
)


def test_what_only_reveal_may_show_can_be_required_too():
    lacking = replace(CARD, feedback={**CARD.feedback, "es": {}})
    assert told(find_problems(CARD)) == []
    assert told(find_problems(lacking)) == [("feedback.es.back", "missing_text")]


def test_a_hint_that_one_language_lacks_is_warned_of():
    assert told(find_warnings(CARD)) == [("words.es.hint", "missing_hint")]


def test_bands_are_told_in_every_language():
    key: Any = {**ITEM.key, "score_feedback": [{"id": "low", "from": [0, 1]}]}
    feedback = {
        **ITEM.feedback,
        "en": {**ITEM.feedback["en"], "score_feedback": {"low": "Try again"}},
    }
    item = replace(ITEM, key=key, feedback=feedback)
    assert told(find_problems(item)) == [("feedback.es.score_feedback.low", "missing_text")]


def test_a_band_that_cannot_be_is_a_problem_of_any_kind():
    item = replace(CARD, key={"score_feedback": [{"id": "low", "from": [2, 1]}]})
    assert told(find_problems(item)) == []  # a card has no bands
    item = replace(ITEM, key={**ITEM.key, "score_feedback": [{"id": "low", "from": [2, 1]}]})
    assert ("score_feedback.low", "band_out_of_range") in told(find_problems(item))


def test_rows_of_two_tables_do_not_share_an_id():
    item = replace(ITEM, key={**ITEM.key, "score_feedback": [{"id": "a", "from": [0, 1]}]})
    assert ("score_feedback.a", "duplicate_id") in told(find_problems(item))


def test_row_ids_name_the_rows_of_all_tables():
    item = replace(ITEM, key={**ITEM.key, "score_feedback": [{"id": "low", "from": [0, 1]}]})
    assert item.row_ids == ("a", "b", "low")
    assert replace(ITEM, kind="telepathy").row_ids == ()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("One [[first]].", []),
        ("None.", ["gap_not_in_text"]),
        ("[[first]] and [[first]]", ["gap_not_in_text"]),
        ("[x](https://example.org/ '[[first]]')", ["gap_not_in_text"]),
    ],
)
def test_a_gap_stands_once_in_the_prompt_of_each_language(text, codes):
    item = QuestionDocument(
        "cloze",
        "per_gap",
        content={"gaps": [{"id": "g", "placeholder": "first", "kind": "short_text", "points": 1}]},
        key={"accepted": [{"id": "x", "gap": "g", "text": "yes"}]},
        words={"en": {"prompt": "[[first]]"}, "es": {"prompt": text}},
    )
    problems = told(find_problems(item))
    assert [code for where, code in problems if where == "words.es.prompt"] == codes
    assert [code for where, code in problems if where == "words.en.prompt"] == []


def test_a_picture_without_words_is_a_problem_at_its_text_and_line():
    file = "0b8f2b3e-97c1-4a6e-8a7b-2f6f2d1f7f10"
    item = words("es", prompt=f"¿Cuál?\n\n![](media:{file}.png)")
    item = replace(item, feedback={**ITEM.feedback, "en": {"explanation": "![x](media:nothing)"}})
    problems = [problem for problem in find_problems(item) if problem.detail.get("line")]
    assert told(problems) == [
        ("feedback.en.explanation", "media_malformed"),
        ("words.es.prompt", "alt_missing"),
    ]
    assert problems[1].detail == {"line": 3, "detail": f"media:{file}.png"}


class TestRowsThatNobodyCanTellApart:
    @pytest.mark.parametrize("other", ["This", " This\n", "This "])
    def test_of_two_equal_options_one_is_right(self, other):
        item = words("en", options={"a": "This", "b": other})
        assert told(find_problems(item)) == [("words.en.options.b", "equal_rows")]

    @pytest.mark.parametrize("key", [["a", "b"], ["a"]])
    def test_what_the_key_has_alike_or_reads_differently_is_no_problem(self, key):
        alike = {"a": "This", "b": "This" if len(key) == 2 else "this"}
        assert not find_problems(replace(words("en", options=alike), key={"right": key}))

    def test_equal_matches_and_equal_items_of_an_order(self):
        matching = QuestionDocument(
            kind="matching",
            scoring_method="per_pair",
            content={
                "lefts": [{"id": "a"}, {"id": "b"}],
                "rights": [{"id": "c"}, {"id": "d"}],
                "shuffle": True,
            },
            key={"pairs": {"a": "c", "b": "d"}},
            words={
                "en": {
                    "prompt": "Match",
                    "lefts": {"a": "1", "b": "2"},
                    "rights": {"c": "one", "d": "one"},
                }
            },
        )
        assert told(find_problems(matching)) == [("words.en.rights.d", "equal_rows")]
        lefts = {**matching.words["en"], "lefts": {"a": "1", "b": "1"}, "rights": {"c": "x"}}
        one_right = replace(
            matching,
            content={**matching.content, "rights": [{"id": "c"}, {"id": "d"}]},
            words={"en": {**lefts, "rights": {"c": "x", "d": "y"}}},
        )
        assert told(find_problems(one_right)) == [("words.en.lefts.b", "equal_rows")]
        ordering = QuestionDocument(
            kind="ordering",
            scoring_method="all_or_nothing",
            content={"items": [{"id": "a"}, {"id": "b"}]},
            key={"order": ["b", "a"]},
            words={"en": {"prompt": "Sort", "items": {"a": "x", "b": "x"}}},
        )
        assert told(find_problems(ordering)) == [("words.en.items.a", "equal_rows")]
