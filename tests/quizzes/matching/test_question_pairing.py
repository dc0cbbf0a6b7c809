"""Twins found: those of known banks, with a confidence that holds; none where there are none."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.builders import Head, Option, SourceChoice, build_choice
from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.confidence import Evidence, confidence
from quizzes.matching.question_pairing import (
    MAX_QUESTIONS,
    MIN_CONFIDENCE,
    QuestionPair,
    pair_questions,
)
from tests.quizzes.imports.parcels import asked
from tests.quizzes.matching.banks import BANKS, as_side, chance, seed, sides

ROUNDS = 120


def lists(path) -> tuple[tuple[ComparableQuestion, ...], tuple[ComparableQuestion, ...]]:
    return sides(path, "en"), sides(path, "es")


def codes(pair: QuestionPair) -> set[str]:
    return {reason.code for reason in pair.reasons}


@pytest.mark.parametrize("path", BANKS, ids=lambda path: path.stem)
def test_a_bank_split_into_its_languages_finds_itself_again(path):
    left, right = lists(path)
    pairs = pair_questions(left, right)
    assert all(pair.left == pair.right for pair in pairs)
    assert len(pairs) >= 0.9 * len(left)


def tried() -> Iterator[tuple[float, bool, bool]]:
    """Parts of banks against parts of banks, shuffled or not: confidence, right, there at all."""
    banks = [lists(path) for path in BANKS]
    every = [(bank, at) for bank, (left, _) in enumerate(banks) for at in range(len(left))]
    for n in range(ROUNDS):
        bank = n % (len(banks) + 2)
        pool = [place for place in every if bank >= len(banks) or place[0] == bank]
        parts = [
            [place for place in pool if chance(n, side, place) < 0.4 + n % 3 / 3] for side in (0, 1)
        ]
        here, there = parts
        if n % 2:
            there.sort(key=partial(chance, n))
        left, right = [banks[b][0][at] for b, at in here], [banks[b][1][at] for b, at in there]
        match_by_pair = {
            (here[match.left], there[match.right]): match
            for match in pair_questions(left, right, min_confidence=0)
        }
        for pair, match in match_by_pair.items():
            yield match.confidence, pair[0] == pair[1], True
        yield from (
            (0, False, True) for place in {*here} & {*there} if (place, place) not in match_by_pair
        )


def test_what_is_proposed_is_right_as_often_as_is_said():
    results = list(tried())
    for least, precision in ((MIN_CONFIDENCE, 0.95), (0.9, 0.97)):
        proposed = [right for sure, right, _ in results if sure >= least]
        assert len(proposed) > 500
        assert sum(proposed) / len(proposed) >= precision
    right = [sure for sure, is_right, _ in results if is_right]
    assert sum(sure >= MIN_CONFIDENCE for sure in right) / len(right) >= 0.9


def test_unrelated_banks_have_no_twins():
    every_kind = next(path for path in BANKS if "every-kind" in path.stem)
    for path in BANKS:
        if path != every_kind:
            assert (
                pair_questions(sides(path, "en"), sides(every_kind, "es"), min_confidence=0.7) == ()
            )


@given(st.randoms(use_true_random=False))
def test_order_changes_nothing_that_is_clear(random):
    left, right = lists(BANKS[-1])
    places = list(range(len(right)))
    random.shuffle(places)
    pairs = pair_questions(left, [right[at] for at in places])
    assert {(pair.left, places[pair.right]) for pair in pairs} == {(n, n) for n in range(6)}


@given(st.sets(st.integers(0, 5), max_size=3), st.sets(st.integers(0, 5), max_size=3))
def test_what_was_dropped_is_paired_with_nothing(gone, lost):
    left, right = lists(BANKS[-1])
    here, there = (sorted(set(range(6)) - missing) for missing in (gone, lost))
    pairs = pair_questions(
        [left[at] for at in here], [right[at] for at in there], min_confidence=0.9
    )
    assert all(here[pair.left] == there[pair.right] for pair in pairs)


def test_an_edited_question_is_still_found_with_less_confidence():
    left, right = lists(BANKS[-1])
    confidence = pair_questions(left, right)[4].confidence
    less = dict(list(right[4].all_terms.items())[::2])
    edited = replace(right[4], public_terms=less, all_terms=less)
    pair = pair_questions(left, [*right[:4], edited, right[5]])[4]
    assert (pair.left, pair.right) == (4, 4)
    assert MIN_CONFIDENCE <= pair.confidence < confidence


def test_reasons_name_what_both_have():
    left, right = lists(BANKS[-1])
    first = pair_questions(left, right)[0]
    reason_by_code = {reason.code: reason for reason in first.reasons}
    assert {"same_structure", "same_names", "kindred_words", "same_key", "same_order"} <= set(
        reason_by_code
    )
    assert "GPU" in reason_by_code["same_names"].words
    assert reason_by_code["same_structure"].detail == {"kind": "true_false", "rows": 2}
    assert any("/" in words for words in reason_by_code["kindred_words"].words)
    assert "shared_tags" in reason_by_code


def test_a_key_that_differs_and_options_that_are_more_speak_against_a_pair():
    options = ("Regularization", "Parallelism", "Strategy")
    spanish = ("Regularización", "Paralelismo", "Estrategia")
    left = as_side(asked(options=options, prompt="Tensor quantization?"), "en")

    def against(options: tuple[str, ...], right: int = 0) -> QuestionPair:
        question = asked("t", "es", prompt="¿Tensor?", options=options, right=right)
        (pair,) = pair_questions([left], [as_side(question, "es")], min_confidence=0)
        return pair

    same, other, fewer = against(spanish), against(spanish, 1), against(spanish[:2])
    assert "same_key" in codes(same)
    assert "key_differs" in codes(other)
    assert "rows_differ" in codes(fewer)
    assert other.confidence < same.confidence
    assert fewer.confidence < same.confidence


def test_a_key_that_one_does_not_have_says_nothing():
    spanish = build_choice(
        Head(1, "rios", "es", "¿Tensor?"),
        SourceChoice([Option("Paralelismo"), Option("Tigre")], many=False),
    )
    english = asked(prompt="Tensor?", options=("Parallelism", "Tiger"))
    (pair,) = pair_questions([as_side(english, "en")], [as_side(spanish, "es")], min_confidence=0)
    assert not codes(pair) & {"same_key", "key_differs"}


def test_questions_of_two_kinds_are_no_twins():
    left = as_side(asked(prompt="Tensor parallelism?"), "en")
    right = replace(left, kind="multiple_choice", language="es")
    assert pair_questions([left], [right], min_confidence=0) == ()


def test_lists_that_are_too_long_are_left_alone():
    side = as_side(asked(), "en")
    assert pair_questions([side] * (MAX_QUESTIONS + 1), [side]) == ()


def test_of_two_alone_less_can_be_said():
    left, right = lists(BANKS[-1])
    (alone,) = pair_questions(left[:1], right[:1])
    assert alone.confidence < pair_questions(left, right)[0].confidence


def test_more_evidence_never_makes_less_sure():
    for same in (False, True):
        sure = [confidence(Evidence(like / 10, 0.2, same_language=same)) for like in range(1, 11)]
        assert sure == sorted(sure)
        rivals = [confidence(Evidence(0.5, like / 10, same_language=same)) for like in range(11)]
        assert rivals == sorted(rivals, reverse=True)
    assert confidence(Evidence(0.0)) < 0.1


def test_the_two_languages_of_the_same_quiz_copied_from_pages_are_twins():
    english, spanish = seed("000"), seed("001")
    if english and spanish:
        pairs = pair_questions(sides(english, "en"), sides(spanish, "es"))
        assert [(pair.left, pair.right) for pair in pairs] == [(n, n) for n in range(6)]
        assert all(pair.confidence >= 0.9 for pair in pairs)
        assert [(row.left, row.right) for row in pairs[5].rows] == [(n, n) for n in "abcd"]


def test_a_page_of_which_little_is_left_is_the_same_quiz():
    torn, complete = seed("002"), seed("003")
    if torn and complete:
        pairs = pair_questions(sides(torn, "en"), sides(complete, "en"))
        assert [(pair.left, pair.right) for pair in pairs] == [(0, 0), (1, 1), (2, 2)]
        assert {row.left: row.right for row in pairs[0].rows} == dict(
            zip("abcd", "dcab", strict=True)
        )


def test_questions_of_one_language_that_are_only_neighbours_are_not_the_same():
    cards = sides(next(path for path in BANKS if "cards" in path.stem), "en")
    pairs = pair_questions(cards[::2], cards[1::2], min_confidence=0.8)
    assert pairs == ()


def test_what_every_question_says_leads_to_none():
    common = [
        as_side(asked(f"q{n}", prompt="Tensor?", options=("1", "2")), "en") for n in range(61)
    ]
    assert pair_questions(common[:1], common, min_confidence=0) == ()
    assert pair_questions(common[:1], common[:60], min_confidence=0) != ()


def made(number: int, ending: str) -> ComparableQuestion:
    words = [
        "".join("abcdefghilmnoprstuv"[int(19 * chance(number, word, at))] for at in range(7))
        for word in range(40)
    ]
    words = [word + ending for word in words]
    options = tuple(" ".join(words[at : at + 5]) for at in range(20, 40, 5))
    question = asked(f"q{number}", prompt=" ".join(words[:20]), options=options)
    return replace(as_side(question, "en"), language=ending)


def test_three_hundred_questions_find_their_twins_in_time():
    left = [made(number, "tion") for number in range(300)]
    right = [made(number, "cion") for number in reversed(range(300))]
    begun = time.process_time()
    pairs = pair_questions(left, right)
    assert time.process_time() - begun < 4  # two, on a machine that does nothing else
    assert all(pair.left + pair.right == 299 for pair in pairs)
    assert len(pairs) == 300
