"""Flashcards on pages: front and hint in an attempt, the back with the result and not before."""

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

from quizzes.attempts.selectors import CurrentResponse
from quizzes.bank.selectors import PublicVersion, render_texts
from quizzes.presentation import question_rendering
from quizzes.presentation.kinds import flashcard
from quizzes.presentation.question_rendering import QuestionState


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def public_version(**words: str) -> PublicVersion:
    texts = render_texts("en", {"prompt": "What is overfitting?", **words}, {})
    return PublicVersion(uuid4(), 0, "flashcard", "study", {}, "en", {"en": texts})


def drawn(version: PublicVersion, answer: Any = None) -> str:
    slot: Any = SimpleNamespace(points=0, scoring_method="study", order=())
    state = QuestionState(CurrentResponse(0, 1, answer), answer, flagged=False)
    return question_rendering.render_question(version, slot, state, "en")


def report(answer: Any, **feedback: str) -> Any:
    return SimpleNamespace(answer=answer, feedback=feedback, feedback_language="es")


def shown(item: Any) -> str:
    pieces = flashcard.build_review(item, "en").fragments
    listed = [*pieces["rows"], *pieces["back"]]
    return "".join(render_to_string(piece.template, {"row": piece.row}) for piece in listed)


def test_a_hint_waits_until_it_is_asked_for():
    html = drawn(public_version(hint="Think of *noise*."))
    assert "Show the hint" in html.split("<details")[1]
    assert "<em>noise</em>" in html.split("</summary>")[1].split("</details>")[0]


def test_a_card_without_a_hint_offers_none():
    assert "<details" not in drawn(public_version())


def test_a_card_shows_no_points_for_it_earns_none():
    assert "Points" not in drawn(public_version())


@pytest.mark.parametrize("recalled", ["yes", "partly", "no"])
def test_what_was_said_of_ones_memory_is_checked_again(recalled):
    html = drawn(public_version(), {"recalled": recalled})
    assert html.count(" checked") == 1
    assert " checked" in html.split(f'value="{recalled}"')[1].split(">")[0]


def test_where_nothing_was_said_no_answer_is_checked():
    html = drawn(public_version())
    assert html.count(" checked") == 1
    assert " checked" in html.split("data-no-answer")[1].split(">")[0]


def test_the_empty_choice_takes_an_answer_back():
    assert flashcard.parse_form(QueryDict("q-1="), 1) is None
    assert flashcard.parse_form(QueryDict("q-1=partly"), 1) == {"recalled": "partly"}


def test_an_answer_is_said_in_the_words_of_the_page():
    assert (
        flashcard.answer_text(public_version(), {"recalled": "no"}, "en") == "I did not recall it"
    )


def test_the_result_shows_the_back_and_what_was_said_of_it():
    html = shown(report({"recalled": "partly"}, back="<p>Learning the noise.</p>"))
    assert html.index("I recalled it in part") < html.index("The back of the card")
    assert "<p>Learning the noise.</p>" in html
    assert 'lang="es"' in html
    assert "wrong" not in html.lower()


def test_the_back_stands_even_where_nothing_was_answered():
    assert "Learning the noise." in shown(report(None, back="<p>Learning the noise.</p>"))


def test_a_back_that_may_not_be_shown_yet_leaves_no_row():
    assert shown(report(None)) == ""


def test_nothing_is_explained_where_nothing_is_judged():
    assert flashcard.ledger_rows(report({"recalled": "no"}), "en") == []
