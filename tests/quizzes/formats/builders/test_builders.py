"""What readers build is a question that can be published, and pays what the file said."""

from fractions import Fraction

import pytest

from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.document import QuestionDocument, find_problems
from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    SourceChoice,
    build_choice,
    build_essay,
    build_flashcard,
    build_matching,
    build_numeric,
    build_ordering,
    build_short_text,
    build_true_false,
    infer_scoring_method,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document

HEAD = Head(7, "q", "en", "What?", explanation="Because", tags=("one",))
RIGHT, WRONG = Option("Yes", right=True), Option("No", feedback="Not so")
THIRD = Fraction(1, 3)


def item(question: ParsedQuestion) -> QuestionDocument:
    return build_document(question, {row.name: row.name for row in question.rows}, "en")


BUILT = {
    "single": build_choice(HEAD, SourceChoice([RIGHT, WRONG], many=False)),
    "multiple": build_choice(HEAD, SourceChoice([RIGHT, RIGHT, WRONG], many=True)),
    "weighted": build_choice(
        HEAD,
        SourceChoice(
            [
                Option("a", right=True, weight=2 * THIRD),
                Option("b", right=True, weight=THIRD),
                Option("c", weight=-THIRD),
            ],
            many=True,
        ),
    ),
    "score_feedback": build_choice(
        HEAD, SourceChoice([RIGHT, WRONG], many=False, score_feedback={Fraction(1): "All"})
    ),
    "true": build_true_false(HEAD, right=True, feedback={True: "Yes", False: "Look again"}),
    "short": build_short_text(
        HEAD, [Accepted("iron"), Accepted("ferrum", Fraction(1, 2), "Latin")]
    ),
    "numeric": build_numeric(
        HEAD, [Number("3.14", "absolute", "0.01")], unit="required", units={"m": "1", "cm": "1/100"}
    ),
    "matching": build_matching(HEAD, [("a", "1"), ("b", "2"), ("c", "1")], ["3"]),
    "ordering": build_ordering(HEAD, ["first", "second", "third"]),
    "essay": build_essay(HEAD, minimum=10, maximum=100),
    "card": build_flashcard(HEAD, "Back", hint="Nearly"),
}


@pytest.mark.parametrize("question", BUILT.values(), ids=BUILT)
def test_what_is_built_can_be_published(question):
    assert find_problems(item(question)) == ()
    assert (question.line, question.name, question.tags) == (7, "q", ("one",))


@pytest.mark.parametrize("question", BUILT.values(), ids=BUILT)
def test_its_model_answer_earns_everything(question):
    document, kind = item(question), KINDS[question.kind]
    answer = kind.correct_answer(document.content, document.key)
    mark = kind.score(document.content, document.key, answer or None, document.scoring_method)
    if kind.schema.graded and answer:
        assert isinstance(mark, ItemScore)
        assert mark.credit == 1


@pytest.mark.parametrize(
    ("weights", "many", "scoring_method"),
    [
        ([None, None], False, "all_or_nothing"),
        ([None, None], True, "right_minus_wrong"),
        ([1, 0], False, "all_or_nothing"),
        ([1, -THIRD], False, "option_weights"),
        ([1, -1], True, "right_minus_wrong"),
        ([1, 0], True, "option_weights"),
    ],
)
def test_weights_that_a_named_scoring_method_pays_are_that_scoring_method(
    weights, many, scoring_method
):
    right, wrong = weights
    options = [Option("a", right=True, weight=right), Option("b", weight=wrong)]
    assert infer_scoring_method(options, many=many) == scoring_method


def test_what_says_nothing_is_no_text():
    question = build_choice(Head(1, "q", "en", "What?"), SourceChoice([RIGHT, WRONG], many=False))
    assert {text.name for text in question.texts} == {"prompt"}
    assert [len(row.texts) for row in question.rows] == [1, 2]


def test_a_right_that_several_go_with_is_one():
    tables = BUILT["matching"].tables
    assert [row.values["goes_with"] for row in tables["lefts"]] == ["right-1", "right-2", "right-1"]
    assert len(tables["rights"]) == 3


def test_true_and_false_speak_the_language_of_the_file():
    question = build_true_false(Head(1, "q", "es", "¿Sí?"), right=False)
    assert [next(iter(row.texts.values())) for row in question.rows] == [
        {"es": "Verdadero"},
        {"es": "Falso"},
    ]
    assert [row.values["right"] for row in question.rows] == [False, True]


def test_more_options_than_letters_have_names_of_their_own():
    options = [Option(f"option {number}", right=number == 0) for number in range(30)]
    names = [row.name for row in build_choice(HEAD, SourceChoice(options, many=False)).rows]
    assert len(set(names)) == 30
    assert names[25:27] == ["z", "a2"]
