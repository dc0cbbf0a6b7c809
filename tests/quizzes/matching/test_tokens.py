"""What two languages have in common: kindred words, names, code and numbers."""

import pytest

from quizzes.matching.tokens import CODE, LONG, NAME, NUMBER, WORD, extract_terms, stem


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("parallelism", "paralelismo"),
        ("regularization", "regularización"),
        ("activity", "actividad"),
        ("rapidly", "rápidamente"),
        ("synchronous", "síncrono"),
        ("strategies", "estrategias"),
        ("photosynthesis", "fotosíntesis"),
        ("architecture", "arquitectura"),
        ("difference", "diferencia"),
        ("university", "universität"),
        ("revolution", "revolução"),
        ("possible", "possível"),
        ("electronic", "électronique"),
    ],
)
def test_words_of_one_origin_begin_alike(english, other):
    length = min(LONG, len(stem(english)), len(stem(other)))
    assert stem(english)[:length] == stem(other)[:length]
    assert length >= LONG - 1


@pytest.mark.parametrize(("first", "other"), [("library", "biblioteca"), ("copy", "worker")])
def test_words_of_two_origins_do_not(first, other):
    assert not set(extract_terms(first)) & set(extract_terms(other))


def of(sort: str, text: str) -> set[str]:
    return {name for term_sort, name in extract_terms(text) if term_sort == sort}


def test_names_of_programs_are_code_wherever_they_stand():
    text = "Use `fit(x)` or tf.data, model\\_fn, MirroredStrategy or print().\n\n```\na_b = cd\n```"
    names = {"fit", "tf.data", "model_fn", "MirroredStrategy", "print", "a_b", "cd"}
    assert of(CODE, text) == names


def test_a_sentence_that_ends_is_no_code():
    assert of(CODE, "It ends. Then it begins.") == set()


def test_acronyms_are_names_one_or_many():
    assert of(NAME, "A GPU, two TPUs and GPT2") == {"GPU", "TPU", "gpt2"}


@pytest.mark.parametrize(("first", "other"), [("1,234.5", "1.234,5"), ("3.14", "3,14"), ("7", "7")])
def test_numbers_are_known_in_either_writing(first, other):
    assert of(NUMBER, first) == of(NUMBER, other) != set()


def test_frequent_words_tell_nothing():
    assert of(WORD, "which of the following when cuál de las siguientes") == set()


def test_every_term_is_told_as_the_text_writes_it():
    assert extract_terms("Paralelismo")[WORD, "parale"] == "Paralelismo"
