"""Pairs in a page: what one chooses from, what was chosen, and what is told of it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import translation

from grading.kinds import KINDS
from quizzes.attempts.selectors import CurrentResponse
from quizzes.presentation import question_rendering
from quizzes.presentation.kinds import matching
from quizzes.presentation.question_rendering import QuestionState
from tests.question_factory import public_version, samples

SAMPLE = next(sample for sample in samples() if str(sample) == "matching: two to one, a distractor")
ORDER = ["owl", "carp", "fox"]
BRIEF = {"fox": "a fox", "owl": "an owl", "carp": "a carp"}
LEFTS = {"barks": "It barks", "hoots": "It hoots", "flies": "It flies"}


def asked(**parts):
    """The question with these words instead."""
    version = public_version(SAMPLE)
    words = replace(version.words("en"), parts={**LEFTS, **BRIEF, **parts})
    return replace(version, translations={"en": words})


def drawn(version, answer=None) -> str:
    slot: Any = SimpleNamespace(points=1, scoring_method="per_pair", order=ORDER)
    state = QuestionState(CurrentResponse(0, answer=answer), answer, flagged=False)
    return " ".join(question_rendering.render_question(version, slot, state, "en").split())


def choices(html: str, left: str) -> list[str]:
    """What the list beside a left offers, in its order."""
    (_, rest) = html.split(f'name="q-0-pairs-{left}"')
    options = rest.split("</select>")[0].split("<option")[1:]
    return [option.split(">", 1)[1].split("<")[0] for option in options]


def test_each_left_offers_all_rights_in_the_learners_order_and_a_blank():
    html = drawn(asked())
    for left in LEFTS:
        assert choices(html, left) == ["–", "an owl", "a carp", "a fox"]
    assert html.index("It barks") < html.index("It hoots") < html.index("It flies")
    assert 'class="rights"' not in html


@pytest.mark.parametrize(
    "right",
    [
        "<code>fox()</code>",
        "<p>a fox</p>\n<p>in two paragraphs</p>\n",
        "<math><mi>x</mi></math>",
        "a fox that has been described at greater length than fits into a list",
    ],
)
def test_where_a_right_is_more_than_a_few_words_letters_by_place_stand_for_the_rights(right):
    html = drawn(asked(fox=right))
    assert " ".join(right.split()) in html
    letters = [choice[:1] for choice in choices(html, "hoots")]
    assert letters == ["–", "A", "B", "C"]
    above = html.split('class="rights"')[1].split("</ul>")[0]
    letter_texts = [part.split("<")[0] for part in above.split('class="right-letter">')[1:]]
    assert letter_texts == ["A", "B", "C"]
    assert above.index("an owl") < above.index("a carp") < above.index(right[:10])


def test_what_was_chosen_is_selected_beside_its_left_alone():
    html = drawn(asked(), {"pairs": {"barks": "fox", "flies": "owl"}})
    selected = [option for option in html.split("<option") if "selected" in option.split(">")[0]]
    assert [option.split(">")[1].split("<")[0] for option in selected] == ["a fox", "an owl"]


def test_the_same_right_has_the_same_value_wherever_it_stands():
    html = drawn(asked())
    assert html.count('value="owl"') == len(LEFTS)


def test_a_form_is_read_as_pairs_and_blank_choices_are_none():
    posted = QueryDict("q-3-pairs-barks=fox&q-3-pairs-hoots=&q-33-pairs-flies=owl&f-3=1")
    assert matching.parse_form(posted, 3) == {"pairs": {"barks": "fox"}}
    assert matching.parse_form(QueryDict("q-3-pairs-barks="), 3) is None


def test_an_answer_is_said_pair_by_pair():
    text = matching.answer_text(asked(), {"pairs": {"barks": "fox", "hoots": "owl"}}, "en")
    assert text == "“It barks” → “a fox”; “It hoots” → “an owl”"


def report(answer, *, key=False, ledger=True, feedback=None):
    kind = KINDS["matching"]
    mark: Any = kind.score(SAMPLE.content, SAMPLE.key, answer, "right_minus_wrong")
    return SimpleNamespace(
        public_version=asked(),
        manifest_slot=SimpleNamespace(order=ORDER),
        answer=answer,
        solution=kind.correct_answer(SAMPLE.content, SAMPLE.key) if key else None,
        ledger=mark.ledger if ledger else (),
        feedback=feedback or {},
        feedback_language="en",
    )


def rows(*args, **kwargs):
    return [
        piece.row
        for piece in matching.build_review(report(*args, **kwargs), "en").fragments["rows"]
    ]


ANSWER = {"pairs": {"barks": "fox", "hoots": "carp"}}


def test_a_review_tells_right_and_wrong_pairs_and_what_they_earned():
    states = [(row.answer, row.state, row.earned, row.expected) for row in rows(ANSWER)]
    assert states == [
        ("a fox", "right", "+1/3", None),
        ("a carp", "wrong", "−1/3", None),
        ("", "", None, None),
    ]


def test_a_review_tells_the_right_pair_of_what_is_not_right_once_the_key_is_shown():
    for ledger in (True, False):
        states = [(row.state, row.expected or "") for row in rows(ANSWER, key=True, ledger=ledger)]
        assert states == [("right", ""), ("wrong", "an owl"), ("", "an owl")]


def test_a_review_of_which_nothing_is_revealed_tells_the_pairs_alone():
    for row in rows(ANSWER, ledger=False):
        assert (row.state, row.earned, row.expected, row.feedback_html) == ("", None, None, None)
    assert [row.state for row in rows(None, key=True)] == ["", "", ""]


def test_a_pair_is_told_by_word_and_icon_not_by_colour_alone():
    shown_rows = rows(ANSWER, key=True, feedback={"hoots": "<p>Owls hoot.</p>"})
    with translation.override("en"):
        pages = [
            render_to_string("quizzes/kinds/matching/pair.html", {"row": row}) for row in shown_rows
        ]
    assert "Your answer, right" in pages[0]
    assert "#i-right" in pages[0]
    assert "Your answer, wrong" in pages[1]
    assert "#i-wrong" in pages[1]
    assert "Right answer:" in pages[1]
    assert "Owls hoot." in pages[1]
    assert "no answer" in pages[2]


def test_the_ledger_names_each_left_by_its_words():
    with translation.override("en"):
        lines = [(why.text, why.earned) for why in matching.ledger_rows(report(ANSWER), "en")]
    assert lines[:2] == [
        ("“It barks”: A right pair", "+1/3"),
        ("“It hoots”: A wrong pair", "−1/3"),
    ]
