"""What is said to an answer, by what it calls up and what may be shown."""

from dataclasses import replace

import pytest

from grading.feedback_rules import TriggeredFeedback
from grading.kinds import KINDS, multiple_choice
from grading.schema import QuestionSchema, Text
from quizzes.bank.selectors import RenderedFeedback
from quizzes.results.feedback import Feedback, feedback
from quizzes.results.reveal import EVERYTHING, NOTHING, Visibility

SHAPE = multiple_choice.schema
SAID = RenderedFeedback(
    "en",
    {
        "options": {"a": "well seen", "b": "not quite", "c": ""},
        "unchosen": {"a": "look at a again"},
        "accepted": {"secret": "a word of the key"},
        "score_feedback": {"half": "half way"},
        "combination_feedback": {"both": "these exclude each other"},
    },
    {"explanation": "because", "otherwise": "none of those"},
)
CHOSEN = Visibility(score=True, correctness=True, feedback=True)
DUE = TriggeredFeedback(frozenset({"b"}), "half", ("both",))


def test_nothing_is_said_while_feedback_waits():
    assert feedback(SHAPE, SAID, DUE, NOTHING) == Feedback()
    assert feedback(SHAPE, SAID, DUE, replace(EVERYTHING, feedback=False)) == Feedback()


def test_what_was_chosen_is_spoken_of_and_what_was_left_is_not():
    assert feedback(SHAPE, SAID, DUE, CHOSEN).rows == {"b": "not quite"}


def test_all_options_speak_if_the_author_chose_so():
    rows = feedback(SHAPE, SAID, DUE, replace(CHOSEN, all_options=True)).rows
    assert rows == {"a": "look at a again", "b": "not quite", "c": ""}


def test_what_is_said_of_an_option_left_out_comes_with_the_key():
    rows = feedback(SHAPE, SAID, DUE, replace(CHOSEN, key=True)).rows
    assert rows == {"a": "look at a again", "b": "not quite"}


def test_an_accepted_answer_is_spoken_of_only_if_it_was_given():
    assert "secret" not in feedback(SHAPE, SAID, DUE, EVERYTHING).rows
    triggered = TriggeredFeedback(frozenset({"secret"}))
    assert feedback(SHAPE, SAID, triggered, CHOSEN).rows == {"secret": "a word of the key"}


def test_a_text_of_its_own_is_said_when_it_is_called_up():
    assert "otherwise" not in feedback(SHAPE, SAID, DUE, EVERYTHING).rows
    rows = feedback(SHAPE, SAID, TriggeredFeedback(frozenset({"otherwise"})), CHOSEN).rows
    assert rows == {"otherwise": "none of those"}


@pytest.mark.parametrize("revealed", [CHOSEN, EVERYTHING])
def test_the_explanation_is_not_among_the_feedback(revealed):
    assert (
        "explanation"
        not in feedback(SHAPE, SAID, TriggeredFeedback(frozenset({"explanation"})), revealed).rows
    )


def test_the_score_and_the_combination_have_their_words():
    remarks = feedback(SHAPE, SAID, DUE, CHOSEN).remarks
    assert remarks == ("these exclude each other", "half way")


@pytest.mark.parametrize("hidden", ["score", "correctness"])
def test_the_words_for_a_score_stay_hidden_with_the_score(hidden):
    revealed = replace(CHOSEN, **{hidden: False})
    assert feedback(SHAPE, SAID, DUE, revealed).remarks == ("these exclude each other",)


def test_a_card_for_study_shows_its_back():
    card = QuestionSchema(texts=(Text("back", is_feedback=True),), graded=False)
    rendered = RenderedFeedback("en", {}, {"back": "the answer", "explanation": "why"})
    assert feedback(card, rendered, TriggeredFeedback(), CHOSEN).rows == {"back": "the answer"}
    assert feedback(card, rendered, TriggeredFeedback(), NOTHING).rows == {}


PAIRS = KINDS["matching"].schema
TOLD = RenderedFeedback(
    "en", {"lefts": {"a": "goes with 1, because", "b": "goes with 2, because"}}, {}
)
PAIRED = TriggeredFeedback(frozenset({"a", "b"}), right_rows=frozenset({"a"}))


def test_what_tells_a_partner_is_said_of_right_pairs_alone():
    assert feedback(PAIRS, TOLD, PAIRED, CHOSEN).rows == {"a": "goes with 1, because"}
    everything = replace(CHOSEN, all_options=True)
    assert feedback(PAIRS, TOLD, PAIRED, everything).rows == {"a": "goes with 1, because"}


def test_with_the_key_it_is_said_of_wrong_pairs_too():
    assert set(feedback(PAIRS, TOLD, PAIRED, replace(CHOSEN, key=True)).rows) == {"a", "b"}


def test_what_may_come_early_is_shown_while_the_rest_waits():
    early = frozenset({"a", "b", "both", "half", "otherwise"})
    scored = Visibility(score=True, correctness=True, hints=True)
    assert feedback(SHAPE, SAID, DUE, scored, early) == Feedback(
        {"b": "not quite", "a": "look at a again"}, ("these exclude each other", "half way")
    )
    assert feedback(SHAPE, SAID, DUE, scored, frozenset({"c"})) == Feedback()
