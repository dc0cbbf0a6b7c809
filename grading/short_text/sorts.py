"""The sorts of typed answers, and what counts in each unless the author says otherwise."""

from collections.abc import Mapping

from grading.short_text.folding import COLLAPSED, COUNTED, IGNORED, Folding

WORDS, CODE, FORMULA, EXACT, NUMBER = "words", "code", "formula", "exact_text", "number"

SORTS: Mapping[str, Folding] = {
    WORDS: Folding(),
    CODE: Folding(case=True, spaces=COUNTED, punctuation=True),
    FORMULA: Folding(case=True, spaces=IGNORED, punctuation=True),
    EXACT: Folding(case=True, spaces=COUNTED, punctuation=True, typography=True, as_typed=True),
    NUMBER: Folding(by_value=True),
}
"""Words: a sentence may be written around them. Code: every sign counts. Formula: every sign but
blanks. Exact: every character as it was typed. Number: by value; what is no number, as words."""

SWITCHES: Mapping[str, tuple[str, ...]] = {
    "case": (COUNTED, IGNORED),
    "accents": (COUNTED, IGNORED),
    "spaces": (COUNTED, COLLAPSED, IGNORED),
    "punctuation": (COUNTED, IGNORED),
    "typography": (COUNTED, IGNORED),
}
"""What an author may change, and to what."""
