"""Two questions in two languages made one: words on the rows, and a key that is never lost."""

from dataclasses import replace
from typing import Any

import pytest

from quizzes.document import QuestionDocument, find_problems
from quizzes.formats.builders import (
    Accepted,
    Gap,
    Head,
    Option,
    SourceChoice,
    build_choice,
    build_cloze,
    build_essay,
    build_flashcard,
    build_matching,
    build_ordering,
    build_short_text,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.merge_translation import MergedTranslation, merge_translation
from tests.quizzes.imports.parcels import asked, without_key

ENGLISH = asked(explanation="Because.")
SPANISH = asked(
    "rios",
    "es",
    prompt="¿Qué río?",
    options=("Ebro", "Danubio", "Rin"),
    right=1,
    explanation="A.",
)
TURNED = {"a": "id-c", "b": "id-a", "c": "id-b"}


def held(question: ParsedQuestion) -> QuestionDocument:
    return build_document(question, {row.name: f"id-{row.name}" for row in question.rows}, "en")


def told(question: ParsedQuestion) -> QuestionDocument:
    return build_document(question, {row.name: row.name for row in question.rows}, "es")


def joined(left: ParsedQuestion, right: ParsedQuestion, ids: dict[str, str]) -> MergedTranslation:
    names = {row.name: f"id-{row.name}" for row in left.rows}
    return merge_translation(held(left), told(right), "es", ids, names)


def straight(question: ParsedQuestion) -> dict[str, str]:
    return {row.name: f"id-{row.name}" for row in question.rows}


def test_the_twins_words_stand_on_the_rows_that_they_are_of():
    merged = joined(ENGLISH, SPANISH, TURNED)
    before = held(ENGLISH)
    assert merged.document.words["en"] == before.words["en"]
    assert merged.document.words["es"] == {
        "prompt": "¿Qué río?",
        "options": {"id-c": "Ebro", "id-a": "Danubio", "id-b": "Rin"},
    }
    assert merged.document.feedback["es"] == {"explanation": "A."}
    assert (merged.document.content, merged.document.key) == (before.content, before.key)
    assert (merged.key_change, merged.left_out, merged.rows) == (KeyChange.SAME, (), {})
    assert find_problems(merged.document) == ()


def test_a_joined_language_is_fresh_until_the_source_changes():
    item = joined(ENGLISH, SPANISH, TURNED).document
    assert not item.is_outdated("es")
    words = {**item.words, "en": {**item.words["en"], "prompt": "And now?"}}
    assert replace(item, words=words).is_outdated("es")


def test_a_key_that_differs_is_told_and_the_banks_stands():
    other = asked("rios", "es", prompt="¿?", options=("Ebro", "Danubio", "Rin"), right=0)
    merged = joined(ENGLISH, other, TURNED)
    assert merged.key_change == KeyChange.DIFFERS
    assert merged.document.key == held(ENGLISH).key


def test_a_key_that_the_twin_lost_is_proposed_to_it():
    merged = joined(ENGLISH, without_key(SPANISH), TURNED)
    assert merged.key_change == KeyChange.STANDS
    assert merged.document.key == held(ENGLISH).key


def test_a_key_that_the_bank_does_not_have_is_proposed_by_the_twin():
    merged = joined(without_key(ENGLISH), SPANISH, TURNED)
    assert merged.key_change == KeyChange.PROPOSED
    assert merged.document.key == held(ENGLISH).key
    assert find_problems(merged.document) == ()


def test_where_neither_has_a_key_there_is_none():
    merged = joined(without_key(ENGLISH), without_key(SPANISH), TURNED)
    assert merged.key_change == KeyChange.NONE


def test_words_of_rows_that_the_question_does_not_have_are_told():
    merged = joined(ENGLISH, SPANISH, {"b": "id-a", "c": "id-b"})
    assert merged.left_out == ("Ebro",)
    assert "missing_text" in {problem.code for problem in find_problems(merged.document)}


def head(language: str, prompt: str) -> Head:
    return Head(1, "q", language, prompt)


PAIRS = [
    (
        build_matching(head("en", "Match"), [("dog", "bark"), ("cat", "mew")]),
        build_matching(head("es", "Une"), [("perro", "ladra"), ("gato", "maúlla")]),
        build_matching(head("es", "Une"), [("perro", "maúlla"), ("gato", "ladra")]),
    ),
    (
        build_ordering(head("en", "Order"), ["one", "two", "three"]),
        build_ordering(head("es", "Ordena"), ["uno", "dos", "tres"]),
        None,
    ),
    (
        build_short_text(head("en", "Symbol?"), [Accepted("Fe")]),
        build_short_text(head("es", "¿Símbolo?"), [Accepted("Fe")]),
        build_short_text(head("es", "¿Símbolo?"), [Accepted("Hierro")]),
    ),
]


@pytest.mark.parametrize(("english", "spanish", "other"), PAIRS)
def test_keys_of_every_sort_are_compared(english, spanish, other):
    assert joined(english, spanish, straight(spanish)).key_change == KeyChange.SAME
    if other is not None:
        rows: dict[str, Any] = straight(other)
        if other.kind == "matching":
            rows = by_words(english, other)
        assert joined(english, other, rows).key_change == KeyChange.DIFFERS


def by_words(english: ParsedQuestion, spanish: ParsedQuestion) -> dict[str, str]:
    """Pair the rows of the matching questions by what they mean."""
    meaning = {"perro": "dog", "gato": "cat", "ladra": "bark", "maúlla": "mew"}
    names = {next(iter(row.texts.values())).get("en"): row.name for row in english.rows}
    return {
        row.name: f"id-{names[meaning[next(iter(row.texts.values()))['es']]]}"
        for row in spanish.rows
    }


def test_another_order_is_another_key():
    english = build_ordering(head("en", "Order"), ["one", "two", "three"])
    spanish = build_ordering(head("es", "Ordena"), ["dos", "uno", "tres"])
    names = [row.name for row in spanish.rows]
    ids = {names[0]: f"id-{names[1]}", names[1]: f"id-{names[0]}", names[2]: f"id-{names[2]}"}
    assert joined(english, spanish, ids).key_change == KeyChange.DIFFERS


@pytest.mark.parametrize("build", [build_essay, lambda head: build_flashcard(head, "back")])
def test_questions_without_a_key_agree(build):
    english, spanish = build(head("en", "Why?")), build(head("es", "¿Por qué?"))
    assert joined(english, spanish, {}).key_change == KeyChange.NONE


def test_typed_answers_that_the_bank_lacks_come_with_rows_of_their_own():
    english = build_short_text(head("en", "Symbol?"), [])
    spanish = build_short_text(head("es", "¿Símbolo?"), [Accepted("Fe", feedback="Sí")])
    merged = joined(english, spanish, {})
    assert merged.key_change == KeyChange.PROPOSED
    ((name, id_),) = merged.rows.items()
    assert name == spanish.rows[0].name
    assert id_ != name
    assert merged.document.feedback["es"]["accepted"] == {id_: "Sí"}
    assert (
        find_problems(
            replace(
                merged.document, words={"es": merged.document.words["es"]}, source_language="es"
            )
        )
        == ()
    )


def test_gaps_are_called_as_the_question_calls_them():
    gaps = [Option("iron", right=True), Option("gold")]
    english = build_cloze(head("en", "It is [[metal]]."), [Gap("metal", options=gaps)])
    spanish = build_cloze(head("es", "Es [[gap-1]] [[x]]."), [Gap("gap-1", options=gaps)])
    merged = joined(english, spanish, straight(spanish))
    assert merged.document.words["es"]["prompt"] == "Es [[metal]] [[x]]."


def test_none_of_these_is_a_key_too():
    nothing = [Option("a"), Option("b")]
    english = build_choice(head("en", "?"), SourceChoice(nothing, many=True, none_apply=True))
    spanish = build_choice(head("es", "¿?"), SourceChoice(nothing, many=True, none_apply=True))
    assert joined(english, spanish, straight(spanish)).key_change == KeyChange.SAME
