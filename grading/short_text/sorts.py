"""The sorts of typed answers, and what counts in each unless the author says otherwise."""

from collections.abc import Mapping

from grading.short_text.folding import ANY_TEXT, COLLAPSED, COUNTED, IGNORED, LITERAL, Folding

WORDS, CODE, FORMULA, EXACT, NUMBER = "words", "code", "formula", "exact_text", "number"

SORTS: Mapping[str, Folding] = {
    WORDS: Folding(),
    CODE: Folding(case=True, spaces=COUNTED, punctuation=True, wildcards=False),
    FORMULA: Folding(case=True, spaces=IGNORED, punctuation=True, wildcards=False),
    EXACT: Folding(
        case=True,
        spaces=COUNTED,
        punctuation=True,
        typography=True,
        as_typed=True,
        wildcards=False,
    ),
    NUMBER: Folding(by_value=True),
}
"""Words: a sentence may be written around them, and a star stands for any text. Code: every sign
counts, a star, too, but not its typographic form: phones write other quotes and dashes. Formula:
as code, without blanks. Exact: every character as it was typed. Number: by value; what is no
number, as words."""

SWITCHES: Mapping[str, tuple[str, ...]] = {
    "case": (COUNTED, IGNORED),
    "accents": (COUNTED, IGNORED),
    "spaces": (COUNTED, COLLAPSED, IGNORED),
    "punctuation": (COUNTED, IGNORED),
    "typography": (COUNTED, IGNORED),
    "wildcards": (ANY_TEXT, LITERAL),
}
"""What an author may change, and to what."""
