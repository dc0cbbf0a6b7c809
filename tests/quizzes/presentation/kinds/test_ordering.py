"""An order in a page: places to choose, what was chosen, and what is told of it."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

from grading.contract import InvalidAnswer
from grading.kinds import KINDS
from quizzes.attempts.selectors import CurrentResponse
from quizzes.presentation import formatting, question_rendering
from quizzes.presentation.kinds import ordering
from quizzes.presentation.messages import attempts as messages
from quizzes.presentation.question_rendering import QuestionState
from tests.question_factory import public_version, samples

SAMPLE = next(sample for sample in samples() if str(sample) == "ordering: five steps")
DRAWN = ["eat", "bake", "mix", "cool", "knead"]
RIGHT = ["mix", "knead", "bake", "cool", "eat"]
GIVEN = ["mix", "knead", "eat", "bake", "cool"]
kind = KINDS["ordering"]


def asked():
    version = public_version(SAMPLE)
    parts = {id_: f"<p>to {id_}</p>\n" for id_ in RIGHT}
    return replace(version, translations={"en": replace(version.words("en"), parts=parts)})


def drawn(answer=None, error="") -> str:
    slot: Any = SimpleNamespace(points=1, scoring_method="exact_place", order=DRAWN)
    state = QuestionState(CurrentResponse(0), answer, flagged=False, error=error)
    with translation.override("en"):
        return " ".join(question_rendering.render_question(asked(), slot, state, "en").split())


def selected(html: str) -> dict[str, str]:
    """The place that is selected for each item that has one."""
    places = {}
    for menu in html.split('<select class="order-place"')[1:]:
        chosen = re.search(r'<option value="(\d+)" selected', menu.split("</select>")[0])
        if chosen:
            named = re.search(r'name="q-0-places-(\w+)"', menu)
            places[named[1] if named else ""] = chosen[1]
    return places


def test_the_items_stand_in_the_learners_order_and_none_has_a_place():
    html = drawn()
    places = [html.index(f'data-item="{id_}"') for id_ in DRAWN]
    assert places == sorted(places)
    assert selected(html) == {}


def test_an_answer_is_told_by_its_places_and_the_items_stay_where_they_are():
    html = drawn({"order": GIVEN})
    assert selected(html) == {id_: str(at) for at, id_ in enumerate(GIVEN, 1)}
    assert html.index('data-item="eat"') < html.index('data-item="mix"')


def test_each_button_names_what_it_moves_and_whither():
    html = drawn()
    assert 'aria-label="Move “to bake” up"' in html
    assert 'aria-label="Move “to bake” down"' in html


def test_without_scripts_nothing_is_shown_that_needs_them():
    html = drawn()
    for tag in re.findall(r"<[^>]*data-scripted[^>]*>", html):
        assert "hidden" in tag
    for tag in re.findall(r'<input type="hidden" data-answer[^>]*>', html):
        assert "disabled" in tag


def test_a_form_is_read_as_places_and_blank_choices_are_none():
    posted = QueryDict("q-3-places-mix=1&q-3-places-eat=&q-33-places-bake=2")
    assert ordering.parse_form(posted, 3) == {"places": {"mix": 1}}
    assert ordering.parse_form(QueryDict("q-3-places-mix="), 3) is None


@pytest.mark.parametrize("text", ["first", "-1", "1.5", "٣", "99999"])
def test_what_is_no_place_is_left_for_the_kind_to_refuse(text):
    posted = QueryDict(mutable=True)
    posted["q-3-places-mix"] = text
    read = kind.parse(SAMPLE.content, ordering.parse_form(posted, 3))
    assert isinstance(read, InvalidAnswer)
    assert read.code == "not_a_place"


@pytest.mark.parametrize(
    ("places", "code"),
    [({"mix": 1, "eat": 1}, "same_place"), ({"mix": 1, "eat": 5}, "order_incomplete")],
)
def test_places_that_make_no_order_are_kept_and_told_beside_the_question(places, code):
    read = kind.parse(SAMPLE.content, {"places": places})
    assert isinstance(read, InvalidAnswer)
    assert read.code == code
    html = drawn({"places": places}, error=messages.describe_format_error(code))
    assert selected(html) == {id_: str(place) for id_, place in places.items()}
    assert messages.describe_format_error(code) in html
    assert 'aria-invalid="true"' in html


def test_an_answer_is_said_in_its_order():
    text = ordering.answer_text(asked(), {"order": GIVEN[:2]}, "en")
    assert text == "1. “to mix”, 2. “to knead”"


def report(order=GIVEN, *, key=False, ledger=True, scoring_method="exact_place", feedback=None):
    answer = {"order": order} if order else None
    mark: Any = kind.score(SAMPLE.content, SAMPLE.key, answer, scoring_method)
    return SimpleNamespace(
        public_version=asked(),
        manifest_slot=SimpleNamespace(order=DRAWN),
        answer=answer,
        solution=kind.correct_answer(SAMPLE.content, SAMPLE.key) if key else None,
        ledger=mark.ledger if ledger else (),
        feedback=feedback or {},
        feedback_language="en",
    )


def review(*args, **kwargs):
    with translation.override("en"):
        return ordering.build_review(report(*args, **kwargs), "en")


def states(built) -> list[tuple[str, str, str | None]]:
    return [
        (piece.row.state, piece.row.reason, piece.row.earned)
        for piece in built.fragments["learner"]
    ]


def test_a_review_tells_of_each_item_what_the_scoring_method_saw():
    assert states(review()) == [
        *[("right", "In its right place", "+1/5")] * 2,
        *[("wrong", "Not in its right place", None)] * 3,
    ]
    assert [state for state, _, _ in states(review(scoring_method="adjacent_pairs"))] == [
        "right", "right", "wrong", "wrong", "right",
    ]  # fmt: skip


def test_a_review_shows_the_right_order_beside_once_the_key_is_shown():
    built = review(key=True)
    assert [piece.row.html.strip() for piece in built.fragments["right"]] == [
        f"<p>to {id_}</p>" for id_ in RIGHT
    ]
    assert built.frame == (True, True)


def test_a_review_with_the_key_alone_tells_what_is_in_its_place():
    row_states = states(review(key=True, ledger=False))
    assert [state for state, _, _ in row_states] == ["right", "right", "wrong", "wrong", "wrong"]


def test_a_review_does_not_say_a_right_order_twice():
    built = review(RIGHT, key=True)
    assert (built.frame, list(built.fragments["right"])) == ((True, False), [])


def test_a_review_of_which_nothing_is_revealed_tells_the_order_alone():
    built = review(ledger=False)
    assert states(built) == [("", "", None)] * 5
    assert built.frame == (True, False)


def test_a_review_without_an_answer_has_the_right_order_or_nothing():
    assert review(None, key=True).frame == (False, True)
    assert review(None).frame == (False, False)


def test_an_item_is_told_by_word_and_icon_not_by_colour_alone():
    built = review(feedback={"mix": "<p>First of all.</p>"})
    with translation.override("en"):
        pages = [
            render_to_string(piece.template, {"row": piece.row})
            for piece in built.fragments["learner"]
        ]
    assert "In its right place" in pages[0]
    assert "#i-right" in pages[0]
    assert "First of all." in pages[0]
    assert "Not in its right place" in pages[2]
    assert "#i-wrong" in pages[2]


def test_the_ledger_names_each_item_by_its_words():
    with translation.override("en"):
        lines = [
            why.text
            for why in ordering.ledger_rows(report(scoring_method="absolute_position"), "en")
        ]
    assert lines[0] == "“to mix”: In its right place"
    assert lines[-1] == "For the distance of the other items from their right places"


def test_letters_of_places_go_on_after_the_alphabet():
    assert [formatting.format_letter(place) for place in (0, 25, 26, 27, 52, 701, 702)] == [
        "A", "Z", "AA", "AB", "BA", "ZZ", "AAA",
    ]  # fmt: skip
