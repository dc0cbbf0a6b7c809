"""Names that lead to another question: what is asked, and what is plainly one question."""

from dataclasses import replace

import pytest

from quizzes.document import QuestionDocument
from quizzes.formats.builders import Head, build_true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.imports.import_plan.align_rows import align_rows
from quizzes.imports.import_plan.name_conflicts import (
    LANGUAGE_MISMATCH,
    NAME_COLLISION,
    find_conflict,
    trigram_similarity,
)
from tests.quizzes.imports.parcels import asked


def item(question: ParsedQuestion, language: str = "en") -> QuestionDocument:
    return build_document(question, align_rows(question, None).ids, language)


def truth(prompt: str, name: str = "q1") -> ParsedQuestion:
    return build_true_false(Head(1, name, "en", prompt), right=True)


RIVERS = asked("q1", prompt="Which of these rivers flows through Vienna and Budapest?")
CELLS = asked(
    "q1",
    prompt="What does a mitochondrion do for its cell?",
    options=("It makes energy", "It keeps the genes", "It digests food"),
)


@pytest.mark.parametrize(
    "other",
    [
        RIVERS,
        asked("q1", prompt="Which of those rivers flows through Vienna?", options=("a", "b")),
        replace(CELLS, tables=RIVERS.tables),  # another prompt, the same options
        asked("q1", prompt="which  RIVER flows through Vienna and Budapest"),
    ],
)
def test_a_question_that_was_edited_is_still_itself(other):
    assert find_conflict(other, item(RIVERS)) == ""


@pytest.mark.parametrize(
    ("asked_question", "stored"),
    [
        (CELLS, RIVERS),
        (RIVERS, CELLS),
        (truth("Water boils at ninety degrees."), truth("Cats have nine lives, people say.")),
        (truth("Water boils at ninety degrees."), RIVERS),
        (RIVERS, truth("Water boils at ninety degrees.")),
    ],
)
def test_what_says_something_else_is_asked_about(asked_question, stored):
    assert find_conflict(asked_question, item(stored)) == NAME_COLLISION


def test_short_options_say_nothing():
    yes_no = ("Yes", "No")
    asked_question = asked("q1", prompt="Is it raining in the mountains?", options=yes_no)
    stored = asked("q1", prompt="Do zebras sleep on their feet?", options=yes_no)
    assert find_conflict(asked_question, item(stored)) == NAME_COLLISION


def test_what_has_nothing_to_compare_is_taken_by_its_name():
    empty = replace(RIVERS, texts={}, tables={})
    spoken = replace(RIVERS, tables={})
    assert find_conflict(empty, item(RIVERS)) == LANGUAGE_MISMATCH  # it says nothing at all
    assert find_conflict(spoken, item(RIVERS)) == ""
    assert find_conflict(RIVERS, item(replace(RIVERS, texts={}))) == ""


def test_another_language_is_a_translation_where_name_and_rows_say_so():
    stored, prompt = item(asked("rivers")), "¿Qué río pasa por Viena y Budapest?"
    spanish = asked("rivers", "es", prompt=prompt)
    assert find_conflict(spanish, stored) == ""
    assert (
        find_conflict(asked("rivers", "es", prompt=prompt, options=("a", "b")), stored)
        == LANGUAGE_MISMATCH
    )
    assert find_conflict(replace(spanish, name="q1"), item(RIVERS)) == LANGUAGE_MISMATCH
    assert find_conflict(replace(spanish, name="question-12"), stored) == LANGUAGE_MISMATCH


def test_likeness_is_of_threes_of_characters():
    assert trigram_similarity("The Danube", "the  danube") == 1
    assert trigram_similarity("The Danube", "") == trigram_similarity("", "") == 0
    assert trigram_similarity("The Danube", "The Rhine") < 0.5
