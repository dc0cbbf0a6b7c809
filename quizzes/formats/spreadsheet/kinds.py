"""Which kind of question a row is: what it says itself, else what its cells look like."""

from collections.abc import Mapping
from fractions import Fraction

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.naming import slug
from quizzes.formats.spreadsheet.answers import answers
from quizzes.formats.spreadsheet.entries import entries, shares_of
from quizzes.formats.spreadsheet.numerals import number
from quizzes.formats.spreadsheet.pairs import pair
from quizzes.formats.spreadsheet.record import Record

_WORDS = {
    "single_choice": "single-choice single-select single single-answer opcion-unica unica "
    "seleccion-unica eleccion-unica respuesta-unica radio",
    "multiple_choice": "multiple-choice multiple-select multiple-answer multiple-answers multiple "
    "multiple-response checkbox checkboxes opcion-multiple seleccion-multiple eleccion-multiple "
    "respuesta-multiple casillas",
    "true_false": "true-false true-or-false verdadero-falso verdadero-o-falso v-f t-f",
    "short_text": "short-text short-answer text texto texto-corto respuesta-corta fill-in",
    "numeric": "numeric number numerical numerico numerica numero",
    "matching": "matching match pairs emparejar emparejamiento relacionar parejas",
    "ordering": "ordering order sequence ordenar ordenamiento orden secuencia",
    "essay": "essay open long-text ensayo abierta desarrollo texto-largo",
    "flashcard": "flashcard card tarjeta ficha",
    "cloze": "cloze gaps text-with-gaps huecos texto-con-huecos",
}
_BY_WORD = {word: kind for kind, words in _WORDS.items() for word in words.split()}
HELD = tuple(kind for kind in _WORDS if kind != "cloze")
"""Kinds that a row can hold."""


_SPANISH = {
    "single_choice": "opción única",
    "multiple_choice": "opción múltiple",
    "true_false": "verdadero o falso",
    "short_text": "texto corto",
    "numeric": "número",
    "matching": "emparejar",
    "ordering": "ordenar",
    "essay": "ensayo",
    "flashcard": "tarjeta",
}
_ENGLISH = {"true_false": "true or false", "numeric": "number"}


def word_of(kind: str, language: str) -> str:
    """Write a kind in English or Spanish, as `kind_of` reads it."""
    english = _ENGLISH.get(kind, kind.replace("_", " "))
    return _SPANISH[kind] if language.startswith("es") else english


def kind_of(record: Record) -> str:
    """Give the kind; a word that is none, as it stands."""
    said = record.cell("kind")
    return _BY_WORD.get(slug(said), said) if said else _kind(record)


def options_of(record: Record) -> dict[str, list[str]]:
    """Give what each option says, in every language."""
    return {letter: list(record.wordings(letter)) for letter in record.letters()}


def _kind(record: Record) -> str:
    """Find out the kind of a row that does not say it."""
    options, correct = options_of(record), record.cell("correct")
    if options:
        return _kind_of_options(record, options, correct)
    if parse_boolean(correct) is not None:
        return "true_false"
    every = list(entries(correct))
    if every and all(number(one.text) for one in every):
        return "numeric"
    return "short_text" if every else "essay"


def _kind_of_options(record: Record, options: Mapping[str, list[str]], correct: str) -> str:
    if not correct and all(pair(one) for words in options.values() for one in words):
        return "matching"
    if len(options) == 2 and all(_says_truth(words) for words in options.values()):  # noqa: PLR2004
        return "true_false"
    found = answers(correct, options)
    weights = weights_of(record).values()
    weighed = not found.right and any(weights) and 1 not in weights
    many = len(found.right) > 1 or found.none or weighed
    return "multiple_choice" if many else "single_choice"


def _says_truth(words: list[str]) -> bool:
    return any(parse_boolean(one) is not None for one in words)


def weights_of(record: Record) -> dict[str, Fraction]:
    """Give what the options earn, as far as it can be read."""
    texts = {one: record.cell("weight", one) for one in record.letters("weight")}
    return {one: value for one, value in shares_of(texts).items() if value is not None}
