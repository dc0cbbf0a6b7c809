"""What a file does not speak of stays: tables, references, rows without words."""

from dataclasses import replace

from grading.schema import Text
from quizzes.formats.builders import (
    Accepted,
    Head,
    Option,
    SourceChoice,
    build_choice,
    build_short_text,
)
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from tests.quizzes.imports.import_plan.test_planner import held, only
from tests.quizzes.imports.parcels import found

TOGETHER = Text("combination_feedback", required=True, is_feedback=True)


def many(options: str = "ABC", *, combination: tuple[str, ...] = ()) -> ParsedQuestion:
    rows = [Option(letter, right=letter == "A", name=letter.lower()) for letter in options]
    question = build_choice(Head(1, "many", "en", "Which?"), SourceChoice(rows, many=True))
    if not combination:
        return question
    feedback = {TOGETHER: {"en": "Both."}}
    row = ParsedRow(1, "both", {"chosen": list(combination)}, feedback)
    return replace(question, tables={**question.tables, "combination_feedback": (row,)})


def typed(*texts: str) -> ParsedQuestion:
    return build_short_text(Head(1, "typed", "en", "What?"), [Accepted(text) for text in texts])


def after(question: ParsedQuestion, before: ParsedQuestion) -> PlannedItem:
    return only(found(question), holding=held(found(before)))


def test_a_combination_that_the_file_cannot_hold_stays():
    assert after(many(), many(combination=("a", "b"))).action == ImportAction.SAME


def test_a_combination_of_an_option_that_is_gone_goes_with_it():
    merged = after(many("AB"), many(combination=("a", "c")))
    assert merged.document is not None
    assert "combination_feedback" not in merged.document.key
    assert merged.document.feedback["en"].get("combination_feedback") in (None, {})
    document = after(many("AB"), many(combination=("a", "b"))).document
    assert document is not None
    assert document.key["combination_feedback"]


def test_answers_are_known_by_what_they_accept():
    merged = after(typed("iron", "ferrum"), typed("ferrum", "Fe", "iron"))
    before = merged.before
    assert merged.document is not None
    assert before is not None
    first, second = merged.document.row_ids
    third = before.row_ids
    assert (first, second) == (third[2], third[0])


def test_a_kind_that_changed_takes_the_files_structure():
    single = build_choice(
        Head(1, "many", "en", "Which?"),
        SourceChoice([Option("A", right=True), Option("B")], many=False),
    )
    merged = after(single, many(combination=("a", "b")))
    assert merged.document is not None
    assert merged.document.kind == "single_choice"
    assert "combination_feedback" not in merged.document.key
    assert {part.part for part in merged.differences} >= {"kind", "options"}


def test_an_option_said_twice_is_two_options():
    twice = build_choice(
        Head(1, "many", "en", "Which?"),
        SourceChoice([Option("A", right=True), Option("A")], many=False),
    )
    merged = after(twice, twice)
    assert merged.action == ImportAction.SAME
    assert merged.document is not None
    assert len(set(merged.document.row_ids)) == 2
