"""Which kind of question a row is: what it says itself, else what its cells look like."""

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.spreadsheet.answers import parse_right_options
from quizzes.formats.spreadsheet.cells import parse_entries, parse_number, parse_pair
from quizzes.formats.spreadsheet.record import QuestionRow

_LABELS = {
    "single_choice": ("single choice", "opción única"),
    "multiple_choice": ("multiple choice", "opción múltiple"),
    "true_false": ("true or false", "verdadero o falso"),
    "short_text": ("short text", "texto corto"),
    "numeric": ("number", "número"),
    "matching": ("matching", "emparejar"),
    "ordering": ("ordering", "ordenar"),
    "essay": ("essay", "ensayo"),
    "flashcard": ("flashcard", "tarjeta"),
}
"""How we write a kind, in English and in Spanish."""
_ALIASES = {
    "single_choice": "single-select single single-answer unica seleccion-unica eleccion-unica "
    "respuesta-unica radio",
    "multiple_choice": "multiple-select multiple-answer multiple-answers multiple "
    "multiple-response checkbox checkboxes seleccion-multiple eleccion-multiple "
    "respuesta-multiple casillas",
    "true_false": "true-false verdadero-falso v-f t-f",
    "short_text": "short-answer text texto respuesta-corta fill-in",
    "numeric": "numeric numerical numerico numerica",
    "matching": "match pairs emparejamiento relacionar parejas",
    "ordering": "order sequence ordenamiento orden secuencia",
    "essay": "open long-text abierta desarrollo texto-largo",
    "flashcard": "card ficha",
    "cloze": "cloze gaps text-with-gaps huecos texto-con-huecos",
}
_BY_WORD = {
    word: kind
    for kind, aliases in _ALIASES.items()
    for word in (*aliases.split(), *map(slugify, _LABELS.get(kind, ())))
}
KINDS_IN_ROWS = tuple(_LABELS)
"""Kinds that a row can hold."""


def write_kind(kind: str, language: str) -> str:
    """Return a kind in English or Spanish, as `find_kind` reads it."""
    return _LABELS[kind][language.startswith("es")]


def find_kind(record: QuestionRow) -> str:
    """Return the kind; a word that is none, as it stands."""
    if word := record.cell("kind"):
        return _BY_WORD.get(slugify(word), word)
    correct = record.cell("correct")
    if record.letters():
        return _find_kind_of_options(record, correct)
    if parse_boolean(correct) is not None:
        return "true_false"
    entries = list(parse_entries(correct))
    if entries and all(parse_number(entry.text) for entry in entries):
        return "numeric"
    return "short_text" if entries else "essay"


def _find_kind_of_options(record: QuestionRow, correct: str) -> str:
    options = record.options()
    if not correct and all(parse_pair(text) for texts in options.values() for text in texts):
        return "matching"
    booleans = [
        any(parse_boolean(text) is not None for text in texts) for texts in options.values()
    ]
    if booleans == [True, True]:
        return "true_false"
    right = parse_right_options(correct, options)
    weights = record.weights().values()
    is_weighted = not right.letters and any(weights) and 1 not in weights
    many = len(right.letters) > 1 or right.none or is_weighted
    return "multiple_choice" if many else "single_choice"
