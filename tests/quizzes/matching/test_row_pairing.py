"""Options found again: by what they say, by what they hold, by what is left."""

from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats.builders import Accepted, Head, build_short_text, build_true_false
from quizzes.formats.contract import ParsedQuestion
from quizzes.matching.row_pairing import PLACE, REST, VALUE, WORDS, pair_rows
from tests.quizzes.imports.parcels import asked
from tests.quizzes.matching.banks import BANKS, as_side, sides


def paired(left: ParsedQuestion, right: ParsedQuestion) -> dict[str, tuple[str, str]]:
    pairs = pair_rows(as_side(left, "en"), as_side(right, "es"))
    return {pair.left: (pair.right, pair.basis) for pair in pairs}


def test_options_are_paired_by_their_words_however_shuffled():
    left = asked(options=("Regularization", "Parallelism", "Strategy"))
    right = asked(language="es", options=("Paralelismo", "Estrategia", "Regularización"))
    assert paired(left, right) == {"a": ("c", WORDS), "b": ("a", WORDS), "c": ("b", WORDS)}


def test_what_says_the_very_same_is_surer_than_any_words():
    left = asked(options=("pandas", "Pandas and SciPy"))
    right = asked(language="es", options=("SciPy y pandas", "Pandas"))
    assert paired(left, right)["a"] == ("b", VALUE)


def test_the_one_left_over_goes_with_the_one_left_over():
    left = asked(options=("Copy", "Worker", "Variable"))
    right = asked(language="es", options=("Trabajador", "Variable", "Copia"))
    assert paired(left, right)["b"] == ("a", REST)


def test_several_left_over_are_paired_by_place_and_unsurely():
    left = asked(options=("dog", "cat", "house"))
    right = asked(language="es", options=("perro", "gato", "casa"))
    pairs = pair_rows(as_side(left, "en"), as_side(right, "es"))
    assert [(pair.left, pair.right, pair.basis) for pair in pairs] == [
        ("a", "a", PLACE),
        ("b", "b", PLACE),
        ("c", "c", PLACE),
    ]
    assert all(pair.confidence < 0.5 for pair in pairs)


def test_more_options_than_the_other_has_are_not_guessed():
    left = asked(options=("dog", "cat", "house"))
    right = asked(language="es", options=("perro", "gato"))
    assert paired(left, right) == {}


def test_true_and_false_are_paired_by_what_they_hold():
    left = build_true_false(Head(1, "t", "en", "Yes?"), right=True)
    right = build_true_false(Head(1, "t", "es", "¿Sí?"), right=False)
    assert paired(left, right) == {"true": ("true", VALUE), "false": ("false", VALUE)}


def test_typed_answers_are_paired_by_what_they_accept():
    left = build_short_text(Head(1, "t", "en", "Metal?"), [Accepted("iron"), Accepted("Fe")])
    right = build_short_text(Head(1, "t", "es", "¿Metal?"), [Accepted("Fe"), Accepted("hierro")])
    names = [row.name for row in left.rows], [row.name for row in right.rows]
    assert paired(left, right)[names[0][1]] == (names[1][0], VALUE)


@given(st.randoms(use_true_random=False))
def test_shuffling_never_changes_what_goes_with_what(random):
    words = ["Regularización", "Paralelismo", "Estrategia", "Variable", "Sklearn"]
    left = asked(options=("Regularization", "Parallelism", "Strategy", "Variable", "Sklearn"))
    at = list(range(5))
    random.shuffle(at)
    right = asked(language="es", options=tuple(words[place] for place in at))
    letters = "abcde"
    assert {left_name: other for left_name, (other, _) in paired(left, right).items()} == {
        letters[here]: letters[at.index(here)] for here in range(5)
    }


def test_options_of_the_demonstration_are_paired_as_they_are():
    wrong = total = 0
    for path in BANKS:
        for left, right in zip(sides(path, "en"), sides(path, "es"), strict=True):
            mixed = type(right)(
                **{name: getattr(right, name) for name in right.__slots__}
                | {"rows": tuple(reversed(right.rows))}
            )
            for pair in pair_rows(left, mixed):
                if pair.basis != PLACE:
                    total += 1
                    wrong += pair.left != pair.right
    assert total > 80
    assert wrong <= 0.05 * total
