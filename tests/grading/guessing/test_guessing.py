"""What blind answers earn, held against every answer that there is, each marked by its kind."""

from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any

import pytest
from hypothesis import assume, given

from grading.contract import ItemScore
from grading.guessing import GUESSERS, GuessScore, count_trials, guess_score, score_guesses
from grading.json_types import Json
from grading.kinds import KINDS
from tests.grading.examples import all_examples, examples, readable
from tests.grading.strategies import drawn

HALF = Fraction(1, 2)


def earns(kind, content, key, raw, scoring_method):
    answer: Any = KINDS[kind].parse(content, raw)
    mark = KINDS[kind].score(content, key, answer, scoring_method)
    assert isinstance(mark, ItemScore)
    return mark.credit


def mean(marks):
    marks = list(marks)
    return sum(marks, Fraction(0)) / len(marks)


def choice(right, ids="abcd", *, none_apply=False, **key) -> tuple[Any, Any]:
    content = {"options": [{"id": id_} for id_ in ids], "none_apply": none_apply}
    return content, {"right": list(right), **key}


def by_size(ids, *, none_apply):
    """Every answer to a question of many options, by how much is ticked."""
    answers_by_size: dict[int, list[Any]] = {
        n: [{"chosen": list(combination)} for combination in combinations(ids, n)]
        for n in range(1, 1 + len(ids))
    }
    if none_apply:
        answers_by_size[1].append({"none_apply": True})
    return answers_by_size


@given(drawn())
def test_ticking_by_lot_earns_the_mean_of_all_that_may_be_ticked(question):
    content, key = question.content(), question.key
    assume(not KINDS["multiple_choice"].validate(content, key, question.scoring_method))
    earnings = score_guesses("multiple_choice", content, key, question.scoring_method)
    marks = {
        size: [earns("multiple_choice", content, key, raw, question.scoring_method) for raw in raws]
        for size, raws in by_size(question.ids, none_apply=question.offered).items()
    }
    assert earnings == GuessScore(
        select_all=marks[len(question.ids)][0],
        random_guess=mean(chain.from_iterable(marks.values())),
        best_guess=max(mean(of_size) for of_size in marks.values()),
    )


@pytest.mark.parametrize("kind", ["single_choice", "true_false"])
def test_of_one_option_alone_not_everything_can_be_ticked(kind):
    earnings = score_guesses(kind, *choice("b", "ab"), "all_or_nothing")
    assert earnings == GuessScore(random_guess=HALF, best_guess=HALF)


def test_none_of_these_is_one_guess_more():
    earnings = score_guesses("single_choice", *choice("", "abc", none_apply=True), "all_or_nothing")
    assert earnings.random_guess == Fraction(1, 4)


def test_the_best_number_of_options_pays_more_than_any_answer_by_lot():
    earnings = score_guesses("multiple_choice", *choice("a", "abcde"), "each_option")
    assert earnings.best_guess == Fraction(1, 5) + Fraction(4, 5) * Fraction(3, 5)
    assert earnings.random_guess is not None
    assert earnings.random_guess < HALF < earnings.best_guess


def test_more_answers_than_can_be_tried_are_not_guessed_at():
    ids = [f"{n}" for n in range(13)]
    weights = {id_: [n, 100] for n, id_ in enumerate(ids)} | {"0": [1, 1]}
    content, key = choice("0", ids, weights=weights)
    assert KINDS["multiple_choice"].validate(content, key, "option_weights") == ()
    assert score_guesses("multiple_choice", content, key, "option_weights") == GuessScore()
    assert (
        score_guesses("multiple_choice", content, {"right": ["0"]}, "halves").random_guess
        is not None
    )


@pytest.mark.parametrize("scoring_method", KINDS["matching"].scoring_methods)
def test_pairs_of_unequal_points_are_guessed_as_all_answers_earn(scoring_method):
    points, rights = (1, 2, 5), "xyz"
    content: Any = {
        "lefts": [{"id": left, "points": n} for left, n in zip("abc", points, strict=True)],
        "rights": [{"id": right} for right in rights],
    }
    key: Any = {"pairs": {"a": "x", "b": "x", "c": "y"}}

    def earn(chosen: Any) -> Any:
        pairs = dict(zip("abc", chosen, strict=True))
        return earns("matching", content, key, {"pairs": pairs}, scoring_method)

    every = [earn(chosen) for chosen in product(rights, repeat=3)]
    guessed = score_guesses("matching", content, key, scoring_method)
    assert guessed.random_guess == sum(every) / len(every)
    assert guessed.constant_answer == earn("yyy")


def test_of_pairs_with_very_many_points_nothing_is_known():
    content: Any = {
        "lefts": [{"id": str(n), "points": 997 - n} for n in range(9)],
        "rights": [{"id": "x"}, {"id": "y"}],
    }
    key: Any = {"pairs": {str(n): "x" for n in range(9)}}
    guessed = score_guesses("matching", content, key, "per_pair")
    assert guessed == GuessScore(constant_answer=Fraction(1))


@pytest.mark.parametrize("scoring_method", KINDS["matching"].scoring_methods)
@pytest.mark.parametrize(("goes", "rights"), [("xyz", "xyz"), ("xxy", "xy"), ("xx", "xyz")])
def test_pairs_by_lot_and_one_right_for_all(scoring_method, goes, rights):
    lefts = [f"l{n}" for n in range(len(goes))]
    content = {"lefts": [{"id": id_} for id_ in lefts], "rights": [{"id": id_} for id_ in rights]}
    key = {"pairs": dict(zip(lefts, goes, strict=True))}
    assert KINDS["matching"].validate(content, key, scoring_method) == ()

    def tried(answer):
        pairs = dict(zip(lefts, answer, strict=True))
        return earns("matching", content, key, {"pairs": pairs}, scoring_method)

    lot = mean(tried(pairing) for pairing in product(rights, repeat=len(lefts)))
    same = max(tried(right * len(lefts)) for right in rights)
    assert score_guesses("matching", content, key, scoring_method) == GuessScore(
        random_guess=lot, best_guess=lot, constant_answer=same
    )


@pytest.mark.parametrize("scoring_method", KINDS["ordering"].scoring_methods)
@pytest.mark.parametrize("ids", ["ab", "bac", "dbca"])
def test_orders_by_lot(scoring_method, ids):
    content, key = {"items": [{"id": id_} for id_ in ids]}, {"order": list(ids)}
    lot = mean(
        earns("ordering", content, key, {"order": list(order)}, scoring_method)
        for order in permutations(ids)
    )
    assert score_guesses("ordering", content, key, scoring_method) == GuessScore(
        random_guess=lot, best_guess=lot
    )


def test_orders_of_many_items_are_too_many_to_try():
    ids = "abcdefgh"
    content, key = {"items": [{"id": id_} for id_ in ids]}, {"order": list(ids)}
    assert score_guesses("ordering", content, key, "exact_place") == GuessScore()


def gapped():
    options = [{"id": id_, "gap": gap} for gap, ids in (("g", "ab"), ("h", "cde")) for id_ in ids]
    content = {
        "gaps": [
            {"id": "g", "placeholder": "g", "kind": "single_choice", "points": 1},
            {"id": "h", "placeholder": "h", "kind": "single_choice", "points": 3},
        ],
        "options": options,
    }
    return content, {"right": ["a", "d"]}


@pytest.mark.parametrize("scoring_method", KINDS["cloze"].scoring_methods)
def test_gaps_filled_by_lot(scoring_method):
    content, key = gapped()
    assert KINDS["cloze"].validate(content, key, scoring_method) == ()
    lot = mean(
        earns(
            "cloze",
            content,
            key,
            {"gaps": {"g": {"chosen": [g]}, "h": {"chosen": [h]}}},
            scoring_method,
        )
        for g, h in product("ab", "cde")
    )
    assert score_guesses("cloze", content, key, scoring_method) == GuessScore(
        random_guess=lot, best_guess=lot
    )


def test_a_gap_for_words_earns_nothing_by_lot_unless_it_takes_anything():
    content, key = gapped()
    typed = {"id": "t", "placeholder": "t", "kind": "short_text", "points": 4}
    content = {**content, "gaps": [*content["gaps"], typed]}
    for text, earned in (("Paris", 0), ("*a*", 0), ("*", HALF)):
        rows = [{"id": "x", "gap": "t", "text": "Paris"}, {"id": "y", "gap": "t", "text": text}]
        with_words = {**key, "accepted": rows[1:] if text == "Paris" else rows}
        earnings = score_guesses("cloze", content, with_words, "per_gap").random_guess
        assert earnings == (HALF / 4 + Fraction(1, 3) * 3 / 4) / 2 + earned


@pytest.mark.parametrize(
    ("texts", "least"),
    [({"Paris": [1, 1]}, 0), ({"Paris": [1, 1], "*": [1, 3]}, Fraction(1, 3)), ({"z*": [1, 1]}, 0)],
)
def test_a_text_that_takes_anything_is_known_by_what_nobody_means(texts, least):
    rows = [{"id": text, "text": text, "credit": credit} for text, credit in texts.items()]
    earnings = score_guesses("short_text", {}, {"accepted": rows}, "accepted_answers")
    assert earnings == GuessScore(any_text=least)


@pytest.mark.parametrize(("reach", "least"), [("5", 0), ("1e12", 1)])
def test_a_number_that_takes_anything_is_known_by_numbers_far_apart(reach, least):
    row = {"id": "n", "value": "3", "tolerance": "absolute", "margin": reach}
    earnings = score_guesses("numeric", {}, {"numbers": [row]}, "accepted_answers")
    assert earnings == GuessScore(any_text=least)


def test_where_a_unit_is_wanted_a_bare_number_is_no_answer():
    row = {"id": "n", "value": "3", "tolerance": "absolute", "margin": "1e12"}
    key = {"numbers": [row], "units": [{"id": "u", "symbol": "m", "factor": "1"}]}
    assert score_guesses("numeric", {"unit": "required"}, key, "accepted_answers").any_text == 0


@pytest.mark.parametrize("kind", ["essay", "flashcard", "unheard_of"])
def test_what_is_marked_by_people_or_not_at_all_has_no_figures(kind):
    assert score_guesses(kind, {}, {}, "none") == GuessScore()


def test_every_kind_that_a_machine_marks_has_its_way():
    graded = {name for name, kind in KINDS.items() if kind.schema.graded}
    assert GUESSERS.keys() == graded - {"essay"}


def test_every_example_of_every_kind_has_figures_between_nothing_and_everything():
    for example in all_examples():
        for scoring_method in example.scoring_methods:
            if example.kind in GUESSERS:
                earnings = score_guesses(example.kind, example.content, example.key, scoring_method)
                guesses = (
                    earnings.select_all,
                    earnings.random_guess,
                    earnings.best_guess,
                    earnings.constant_answer,
                    earnings.any_text,
                )
                known_guesses = [guess for guess in guesses if guess is not None]
                assert known_guesses or example.kind in {"ordering", "multiple_choice"}
                assert all(0 <= guess <= 1 for guess in known_guesses)


def test_what_a_kind_does_not_take_or_leaves_to_people_has_no_credit():
    example = examples("short_text")[0]
    before = (example.content, example.key)
    assert (
        guess_score.score_raw_answer(
            "short_text", *before, {"text": ""}, example.scoring_methods[0]
        )
        is None
    )
    essay = examples("essay")[0]
    answer: dict[str, Any] = {"text": "words"}
    scoring_method = essay.scoring_methods[0]
    assert (
        guess_score.score_raw_answer("essay", essay.content, essay.key, answer, scoring_method)
        is None
    )
    with pytest.raises(ValueError, match="a person"):
        guess_score.score_answer("essay", essay.content, essay.key, answer, scoring_method)


def test_guessing_costs_where_options_and_pairs_do():
    options: list[Json] = [{"id": id_} for id_ in "abcd"]
    weights: dict[str, Json] = {"a": [1, 1], "b": [-1, 3], "c": [-1, 3], "d": [-1, 3]}
    key: dict[str, Json] = {"right": ["a"], "weights": weights}
    content: dict[str, Json] = {"options": options}
    floored = score_guesses("single_choice", content, key, "option_weights")
    content["lower_bound"] = [-1, 3]
    bounded = score_guesses("single_choice", content, key, "option_weights")
    assert floored.random_guess == Fraction(1, 4)
    assert bounded.random_guess == 0
    sides: dict[str, Json] = {"lefts": options[:2], "rights": [{"id": "x"}, {"id": "y"}]}
    pairs: dict[str, Json] = {"pairs": {"a": "x", "b": "y"}}
    floored = score_guesses("matching", sides, pairs, "right_minus_wrong")
    sides["lower_bound"] = [-1, 1]
    bounded = score_guesses("matching", sides, pairs, "right_minus_wrong")
    assert floored.random_guess == Fraction(1, 4)
    assert bounded.random_guess == 0


@pytest.mark.parametrize(
    ("weights", "lower_bound", "expected"),
    [([[1, 1], [1, 2], [0, 1]], None, "1/2"), ([[1, 1], [-1, 1], [-1, 1]], [-1, 1], "-1/3"),
     ([[1, 1], [-1, 1], [-1, 1]], None, "0")],
)  # fmt: skip
def test_a_gap_is_guessed_by_the_weights_of_its_options(weights, lower_bound, expected):
    ids = ["a", "b", "c"]
    content: Any = {
        "gaps": [{"id": "g", "placeholder": "g", "kind": "single_choice", "points": 1}],
        "options": [{"id": id_, "gap": "g"} for id_ in ids],
        "lower_bound": lower_bound,
    }
    key: Any = {"right": ["a"], "weights": dict(zip(ids, weights, strict=True))}
    assert score_guesses("cloze", content, key, "gap_weights").random_guess == Fraction(expected)


# --- How many answers tell a key by what was right and wrong in them ---------------------------
def sides(lefts: int, rights: int) -> Any:
    return {
        "lefts": [{"id": f"l{n}"} for n in range(lefts)],
        "rights": [{"id": f"r{n}"} for n in range(rights)],
    }


def gaps(*counts: int, typed: bool = False) -> Any:
    kinds = ["single_choice"] * len(counts) + ["short_text"] * typed
    return {
        "gaps": [
            {"id": f"g{n}", "placeholder": f"g{n}", "kind": kind} for n, kind in enumerate(kinds)
        ],
        "options": [
            {"id": f"g{n}o{own}", "gap": f"g{n}"}
            for n, count in enumerate(counts)
            for own in range(count)
        ],
    }


@pytest.mark.parametrize(
    ("kind", "content", "trials"),
    [
        ("single_choice", choice("a")[0], 3),
        ("single_choice", choice("a", none_apply=True)[0], 4),
        ("true_false", choice("a", "ab")[0], 1),
        ("multiple_choice", choice("ab")[0], 1),
        ("matching", sides(3, 5), 4),
        ("ordering", {"items": [{"id": id_} for id_ in "abcde"]}, 4),
        ("cloze", gaps(2, 4, 3), 3),
        ("cloze", gaps(2, typed=True), None),
        ("short_text", {}, None),
        ("numeric", {}, None),
        ("essay", {}, None),
        ("flashcard", {}, None),
        ("nothing", {}, None),
    ],
)
def test_trials_are_the_wrong_answers_after_which_the_right_one_is_left(kind, content, trials):
    assert count_trials(kind, content) == trials


def test_of_every_example_that_can_be_asked_there_are_few_trials_or_none():
    for example in readable(all_examples()):
        trials = count_trials(example.kind, example.content)
        if example.kind != "cloze":
            typed = {"short_text", "numeric", "essay", "flashcard"}
            assert (trials is None) == (example.kind in typed)
        assert trials is None or 1 <= trials <= 20
